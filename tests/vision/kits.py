"""Kits for tests: six acrobats and stones of any size."""

from pi_app.kit.model import Kit


def kit_of(
    length: float = 60.0,
    width: float = 30.0,
    thickness: float = 15.0,
    *,
    tile: tuple[str, float] = ("round", 50.0),
    stone: tuple[float, float] = (16.0, 9.0),
    colours: tuple[tuple[int, int, int], ...] = ((240, 196, 30), (200, 30, 40), (30, 80, 185)),
    figures: dict[str, list[tuple[str, float, float]]] | None = None,
) -> Kit:
    """Return a kit of six acrobats of these sizes; a figure's blocks are (pose, x, z)."""
    return Kit.model_validate(
        {
            "acrobat": {
                "length_mm": length,
                "width_mm": width,
                "thickness_mm": thickness,
                "piece": [{"id": i, "front": f"a{i}.png", "back": f"b{i}.png"} for i in range(6)],
            },
            "tile": {
                "shape": tile[0],
                "size_mm": tile[1],
                "thickness_mm": 2.0,
                "piece": [{"id": f"t{i}", "art": f"t{i}.png"} for i in range(10)],
            },
            "overview": {"width_mm": 130.0, "height_mm": 90.0, "thickness_mm": 2.0, "art": "o.png"},
            "stone": {
                "shape": "nugget",
                "diameter_mm": stone[0],
                "height_mm": stone[1],
                "finish": "glossy",
                "colours": dict(zip(("yellow", "red", "blue"), colours, strict=True)),
            },
            "figure": [
                {"id": name, "blocks": [{"pose": p, "x_mm": x, "z_mm": z} for p, x, z in blocks]}
                for name, blocks in (figures or {}).items()
            ],
            "card": [{"id": "throw", "task": "throw", "art": "c.png", "count": 12}],
        }
    )
