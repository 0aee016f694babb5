"""Pictures of a kit's pieces laid on the mat one by one, drawn by the simulator, for learning from them."""

from dataclasses import dataclass, field

import numpy as np

from pi_app.core.names import BlockPose, Colour, Mode
from pi_app.kit.art import KitArt
from pi_app.kit.model import Figure, Kit
from pi_app.kit.table import Table
from pi_app.sim.picture import TablePicture
from pi_app.sim.pieces import Placed, acrobat_name, pieces_of, stone_name, tile_name, turn_x, turn_y, turn_z
from pi_app.sim.scene import Scene
from pi_app.sim.shapes import Capsule, CardShown, Snapshot
from pi_app.vision.pose import Image

FAR = Placed(np.array([5000.0, 0.0, 0.0]), np.eye(3))


@dataclass
class Laid:
    """A simulated table that shows nothing but what is laid on it."""

    scene: Scene
    table: Table
    kit: Kit
    art: KitArt
    mode: Mode = Mode.STOCK
    pieces: dict[str, Placed] = field(default_factory=dict)
    cards: list[CardShown] = field(default_factory=list)
    limbs: list[Capsule] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._drawn = TablePicture(self.scene, self.table, self.kit, self.art, pieces_of(self.kit), self.mode)

    def clear(self) -> "Laid":
        """Take everything away."""
        self.pieces.clear()
        self.cards.clear()
        self.limbs.clear()
        return self

    def acrobat(
        self, piece: int, x: float, y: float, turn_deg: float = 0.0, *, back: bool = False, pose: str = "flat"
    ) -> "Laid":
        """Lay an acrobat: flat with a picture up, its head away from the player; on its long edge; or standing."""
        block = self.kit.acrobat
        side = turn_z(180.0) if back else np.eye(3)
        match pose:
            case "flat":
                # front picture at +y goes up, head (+z) to +y
                rotation = turn_z(180.0) @ turn_x(90.0) @ side
                height = block.thickness_mm
            case "edge":
                rotation = turn_y(90.0) @ side
                height = block.width_mm
            case _:
                rotation, height = side, block.length_mm
        self.pieces[acrobat_name(piece)] = Placed(np.array([x, y, height / 2]), turn_z(turn_deg) @ rotation)
        return self

    def tile(self, tile: str, x: float, y: float, turn_deg: float = 0.0) -> "Laid":
        """Lay an object tile face up."""
        at = np.array([x, y, self.kit.tile.thickness_mm / 2])
        self.pieces[tile_name(tile)] = Placed(at, turn_z(turn_deg))
        return self

    def overview(self, x: float, y: float, turn_deg: float = 0.0) -> "Laid":
        """Lay the overview tile face up."""
        self.pieces["overview"] = Placed(np.array([x, y, self.kit.overview.thickness_mm / 2]), turn_z(turn_deg))
        return self

    def card(self, card: str, x: float, y: float, turn_deg: float = 0.0) -> "Laid":
        """Lay a card face up."""
        self.cards.append(CardShown(card, x, y, turn_deg))
        return self

    def stone(self, colour: Colour, x: float, y: float, number: int = 0) -> "Laid":
        """Lay a stone."""
        at = np.array([x, y, self.kit.stone.height_mm / 2])
        self.pieces[stone_name(colour, number)] = Placed(at, np.eye(3))
        return self

    def figure(self, figure: Figure, x: float, y: float, turn_deg: float = 0.0) -> "Laid":
        """Build a figure; its middle comes to x, y."""
        block = self.kit.acrobat
        size = {BlockPose.STAND: (block.width_mm, block.length_mm), BlockPose.LIE: (block.length_mm, block.width_mm)}
        right = max(b.x_mm + size[b.pose][0] for b in figure.blocks)
        turn = turn_z(turn_deg)
        for index, b in enumerate(figure.blocks):
            wide, high = size[b.pose]
            off = np.array([b.x_mm + wide / 2 - right / 2, 0.0, b.z_mm + high / 2])
            rotation = np.eye(3) if b.pose is BlockPose.STAND else turn_y(90.0)
            name = acrobat_name(self.kit.acrobat.piece[index].id)
            self.pieces[name] = Placed(np.array([x, y, 0.0]) + turn @ off, turn @ rotation)
        return self

    def picture(self) -> Image:
        """Return what the camera sees."""
        return self._drawn.draw(Snapshot(dict(self.pieces), tuple(self.limbs), tuple(self.cards)))
