#!/bin/sh
# Runs systemd/install.sh in a fresh Debian root folder, twice, then --uninstall; needs root and debootstrap.
#
#   sudo tests/systemd/install_in_root.sh [bookworm|trixie] [FOLDER]
#
# Takes some minutes and about 1 GB; the folder is left behind for a look. Not covered, and to be tried on a Pi: the
# buses, udev, picamera2, and the service itself (systemd/README.md has the list).
set -eu
suite=${1:-bookworm}
root=${2:-$(mktemp -d)}
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
packages=python3,python3-venv,python3-numpy,python3-pil,adduser,udev,systemd,ca-certificates

[ -d "$root/usr" ] || debootstrap --variant=minbase --include="$packages" "$suite" "$root" >"$root.log"
mkdir -p "$root/src"
(cd "$source" && git ls-files -z | tar --null -T - -cf -) | tar -xf - -C "$root/src"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive "$@"; }

inside /src/systemd/install.sh
again=$(inside /src/systemd/install.sh)
echo "$again" | grep -q 'already installed, nothing changed' || { echo "second run: $again" >&2; exit 1; }
inside umpire --version
inside /opt/umpire/venv/bin/python -c 'import numpy; print("numpy", numpy.__version__, numpy.__file__)' | grep /usr/lib/python3
test "$(inside stat -c %U:%G /etc/umpire/umpire.toml)" = root:root
inside systemd-analyze verify /etc/systemd/system/umpire.service
inside /src/systemd/install.sh --uninstall
test ! -e "$root/opt/umpire" && test ! -e "$root/etc/systemd/system/umpire.service"
test -e "$root/etc/umpire/umpire.toml"
echo "installed twice and removed in a $suite root"
