#!/bin/sh
# Installs Table Umpire as a service on Raspberry Pi OS Bookworm or Trixie (64 bit); running it again changes nothing.
#
#   sudo ./systemd/install.sh              install, or bring up to date
#   sudo ./systemd/install.sh --uninstall  remove program and service; settings and games stay
#
# What it does, in this order: check the system, packages, user, virtual environment that sees the system's picamera2
# and keeps its numpy, self-check of the imports, settings, devices and service files, buses, service.
set -eu

PREFIX=/opt/umpire
VENV=$PREFIX/venv
ETC=/etc/umpire
UNIT=/etc/systemd/system/umpire.service
RULES=/etc/udev/rules.d/60-umpire.rules
TMPFILES=/etc/tmpfiles.d/umpire.conf
SYSUSERS=/etc/sysusers.d/umpire.conf
BINARY=/usr/local/bin/umpire
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
SOURCE=$(dirname -- "$HERE")
CHANGED=0

say() { printf '%s\n' "umpire: $*"; }
fail() { printf '%s\n' "umpire: $*" >&2; exit 2; }

# Copies a file where it differs, and remembers that something changed.
place() { # FROM TO MODE
    if [ -f "$2" ] && cmp -s "$1" "$2"; then return; fi
    install -D -m "$3" "$1" "$2"
    CHANGED=1
    say "wrote $2"
}

check_system() {
    [ "$(id -u)" = 0 ] || fail "got user $(id -un), wanted root: sudo $0"
    [ -r /etc/os-release ] || fail "no /etc/os-release, wanted Raspberry Pi OS or Debian, Bookworm or Trixie"
    # shellcheck disable=SC1091
    . /etc/os-release
    case ${VERSION_CODENAME:-} in
        bookworm|trixie) ;;
        *) fail "got ${PRETTY_NAME:-an unknown system}, wanted Bookworm or Trixie" ;;
    esac
    case $(dpkg --print-architecture) in
        arm64|amd64) ;;
        *) fail "got a $(dpkg --print-architecture) system, wanted a 64 bit one (arm64)" ;;
    esac
}

install_packages() {
    wanted="python3 python3-venv python3-numpy python3-pil libportaudio2 adduser udev"
    # Only Raspberry Pi OS has these; elsewhere there is no Pi camera to be had.
    for package in python3-picamera2 python3-lgpio; do
        if apt-cache show "$package" >/dev/null 2>&1; then wanted="$wanted $package"; fi
    done
    missing=
    for package in $wanted; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
    done
    [ -z "$missing" ] && return
    say "installing$missing"
    apt-get update -q
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
    CHANGED=1
}

make_user() {
    place "$HERE/umpire.sysusers" "$SYSUSERS" 644
    if ! getent passwd umpire >/dev/null; then
        if command -v systemd-sysusers >/dev/null; then systemd-sysusers "$SYSUSERS"
        else adduser --system --group --home /var/lib/umpire --no-create-home --quiet umpire; fi
        CHANGED=1
        say "made the user umpire"
    fi
    for group in gpio i2c spi; do
        getent group "$group" >/dev/null || { groupadd --system "$group"; CHANGED=1; }
    done
}

# Everything that pip puts beside the system's packages must run with the system's numpy (INS-1).
make_venv() {
    if [ ! -x "$VENV/bin/python" ]; then
        python3 -m venv --system-site-packages "$VENV"
        CHANGED=1
    fi
    numpy=$(/usr/bin/python3 -c 'import numpy; print(numpy.__version__)')
    stamp="$VENV/.installed"
    now=$(cd "$SOURCE" && { find pi_app firmware pyproject.toml -type f ! -name '*.pyc' -exec sha256sum {} + | sort; echo "numpy $numpy"; } | sha256sum)
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$now" ]; then return; fi
    say "installing the program into $VENV (numpy stays at $numpy)"
    printf 'numpy==%s\n' "$numpy" > "$VENV/constraints.txt"
    "$VENV/bin/python" -m pip install -q --disable-pip-version-check -c "$VENV/constraints.txt" "${SOURCE}[pi]"
    check_imports
    printf '%s' "$now" > "$stamp"
    CHANGED=1
}

# Camera, OpenCV and the picture library in one process; on a Pi an empty stand-in for a part must not pass (INS-2).
check_imports() {
    "$VENV/bin/python" "$HERE/check_imports.py" || fail "the parts do not fit together, nothing was started"
}

place_files() {
    mkdir -p "$ETC"
    [ -f "$ETC/umpire.toml" ] || place "$HERE/umpire.toml" "$ETC/umpire.toml" 644
    place "$HERE/60-umpire.rules" "$RULES" 644
    place "$HERE/umpire.tmpfiles" "$TMPFILES" 644
    place "$HERE/umpire.service" "$UNIT" 644
    if [ "$(readlink "$BINARY" 2>/dev/null)" != "$VENV/bin/umpire" ]; then
        ln -sf "$VENV/bin/umpire" "$BINARY"
        CHANGED=1
    fi
}

switch_on_buses() {
    command -v raspi-config >/dev/null || return 0
    for bus in i2c spi; do
        if [ "$(raspi-config nonint get_$bus)" != 0 ]; then
            raspi-config nonint do_$bus 0
            CHANGED=1
            say "switched $bus on (works after the next start of the Pi)"
        fi
    done
}

start_service() {
    if [ ! -d /run/systemd/system ]; then say "no systemd runs here: the service is enabled with the next start"; fi
    systemctl is-enabled -q umpire.service 2>/dev/null || { systemctl enable -q umpire.service; CHANGED=1; }
    [ -d /run/systemd/system ] || return 0
    [ "$CHANGED" = 1 ] || systemctl is-active -q umpire.service || CHANGED=1
    [ "$CHANGED" = 1 ] || return 0
    udevadm control --reload && udevadm trigger --subsystem-match=tty
    systemd-tmpfiles --create "$TMPFILES"
    systemctl daemon-reload
    systemctl restart umpire.service
}

uninstall() {
    if [ -d /run/systemd/system ]; then systemctl disable -q --now umpire.service 2>/dev/null || true
    else systemctl disable -q umpire.service 2>/dev/null || true; fi
    rm -f "$UNIT" "$RULES" "$TMPFILES" "$SYSUSERS" "$BINARY"
    rm -rf "$PREFIX"
    [ -d /run/systemd/system ] && systemctl daemon-reload
    say "removed; settings in $ETC and games in /var/lib/umpire are kept, the user umpire too"
}

check_system
case ${1:-} in
    "") ;;
    --uninstall) uninstall; exit 0 ;;
    *) fail "got $1, wanted nothing or --uninstall" ;;
esac
install_packages
make_user
make_venv
place_files
switch_on_buses
start_service
if [ "$CHANGED" = 1 ]; then say "installed; umpire doctor says whether every part answers"
else say "already installed, nothing changed"; fi
