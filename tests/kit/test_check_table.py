from pathlib import Path

import pytest

from pi_app.kit.check_table import check_table
from pi_app.kit.load import load_table
from pi_app.kit.table import Rect, Table

TABLE = load_table(Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml")


def with_marker(**update: object) -> Table:
    group = TABLE.markers.mat[0].model_copy(update=update)
    return TABLE.model_copy(update={"markers": TABLE.markers.model_copy(update={"mat": (group,)})})


def with_build(rect: Rect) -> Table:
    return TABLE.model_copy(update={"zones": TABLE.zones.model_copy(update={"build": rect})})


def test_the_own_table_is_clean() -> None:
    assert check_table(TABLE) == []


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        (
            with_marker(ids=(0,), centre_x=(-200.0,), centre_y=(129.0,)),
            ["error: marker: marker 0 reaches beyond the mat of 420 x 297 mm"],
        ),
        (
            with_marker(ids=(0, 1), centre_x=(-190.0, -165.0), centre_y=(129.0, 129.0)),
            ["error: marker: marker 0 and marker 1 lie on each other's place"],
        ),
        (
            with_marker(ids=(0,), centre_x=(0.0,), centre_y=(0.0,)),
            ["warning: marker: marker 0 lies in the build zone, where structures hide it"],
        ),
        (
            with_marker(ids=(31,), centre_x=(-190.0,), centre_y=(129.0,)),
            ["error: marker: marker 31 is also a badge of the acrobats"],
        ),
        (
            with_build(Rect(x0=-105, y0=-160, x1=-10, y1=-150)),
            ["error: zone: zone build reaches beyond the mat of 420 x 297 mm"],
        ),
        (
            TABLE.model_copy(
                update={
                    "patches": TABLE.patches.model_copy(
                        update={"centre_y": 145.0, "centre_x": (50.0,), "name": ("red",)}
                    )
                }
            ),
            ["error: patch: patch red reaches beyond the mat of 420 x 297 mm"],
        ),
    ],
    ids=["beyond the mat", "on each other", "in the build zone", "a badge's id", "zone beyond", "patch beyond"],
)
def test_odd_tables(table: Table, lines: list[str]) -> None:
    assert [str(finding) for finding in check_table(table)] == lines
