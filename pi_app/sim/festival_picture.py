"""The simulated picture of a Festival table from above: trays, boards, piles of glossy tokens, hands, light."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.kit.draw_mat import draw_mat
from pi_app.kit.festival import FestivalArt
from pi_app.kit.festival_tray import cell_centre_mm
from pi_app.kit.table import Table
from pi_app.sim.festival_scene import Extras, FestivalShown, Sheet, TokenShown, TrayShown, in_world
from pi_app.sim.gloss import gleam, glints
from pi_app.sim.ground import HEADROOM, reference, sight_lines
from pi_app.sim.paint import Canvas, lit, paint_face, paint_hull, paint_limb
from pi_app.sim.pieces import Floats, turn_z
from pi_app.sim.scene import Scene
from pi_app.sim.sensor import Sensor
from pi_app.sim.shadow import fill, landing
from pi_app.sim.shapes import Capsule, Face, Snapshot
from pi_app.sim.stage import UP, Stage
from pi_app.sim.textures import Picture, Texture, table_top, texture

PAPER_MM = 0.2
TOKEN_GLOSS = 0.45
BOARD_GLOSS = 0.2
EDGE_BGR = np.array((120.0, 130.0, 138.0))
DISC = np.stack([np.cos(np.linspace(0, 2 * np.pi, 40)), np.sin(np.linspace(0, 2 * np.pi, 40)), np.zeros(40)], axis=1)
SQUARE = np.array([[-1.0, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) / 2


@dataclass(frozen=True, eq=False)
class _Pile:
    tray: TrayShown
    cell: int
    tokens: tuple[TokenShown, ...]
    middle: Floats


class FestivalPicture:
    """Draws what is shown at moments of one scene."""

    def __init__(
        self, scene: Scene, table: Table, art: FestivalArt, trays: tuple[Picture, ...], extras: Extras | None = None
    ) -> None:
        self._scene, self._table, self._kit = scene, table, art.kit
        token, board = art.kit.token, art.kit.board
        side = token.diameter_mm
        self._faces = {kind: texture(face, side, side, disc=True) for kind, face in art.pieces.items()}
        self._board = texture(art.board, board.width_mm, board.height_mm)
        self._trays = [texture(picture, table.trays.size, table.trays.size) for picture in trays]
        self._mat = texture(draw_mat(table, 4.0), table.mat.width, table.mat.height)
        pictures = (extras or Extras()).pictures
        self._extras = {
            name: texture(picture, wide, wide * picture.shape[0] / picture.shape[1], disc=name.startswith("disc"))
            for name, (picture, wide) in pictures.items()
        }
        self._sensor = Sensor(scene)
        self._stage = _stage(scene)

    def draw(self, shown: FestivalShown) -> Picture:
        """Return the picture, height x width x 3, BGR."""
        clean = self._stage.ground.copy()
        canvas = Canvas(clean, 0, 0)
        if shown.mat:
            self._lay(canvas, self._mat, np.zeros(3), 0.0)
        for tray in shown.trays:
            self._lay(canvas, self._trays[tray.player], np.array([*tray.at_mm, PAPER_MM]), tray.turn_deg)
        for tray in shown.trays:
            self._lay_board(canvas, tray)
        self._lay_sheets(canvas, shown.sheets)
        piles = sorted(self._piles(shown), key=lambda pile: -float(np.linalg.norm(pile.middle - self._stage.eye)))
        self._shade(canvas, piles, shown.limbs)
        for pile in piles:
            self._pile_up(canvas, pile)
        self._lay_sheets(canvas, shown.over)
        for limb in shown.limbs:
            self._paint_limb(canvas, limb)
        whole = (0, 0, clean.shape[1], clean.shape[0])
        return self._sensor.deliver(clean, [whole], self._stage.reference, Snapshot({}))

    def _piles(self, shown: FestivalShown) -> Iterator[_Pile]:
        for tray in shown.trays:
            for cell, tokens in enumerate(tray.piles):
                if tokens:
                    yield _Pile(tray, cell, tokens, self._centre(tray, cell, tokens[0], 0.0))

    def _centre(self, tray: TrayShown, cell: int, token: TokenShown, z_mm: float) -> Floats:
        """Return a token's centre in the mat frame, its foot or top at a height above the board."""
        x, y, turn = tray.board
        on_board = np.array([*cell_centre_mm(self._table, cell), 0.0]) @ turn_z(turn).T
        at = np.add(on_board, (x + token.off_mm[0], y + token.off_mm[1], self._kit.board.thickness_mm + z_mm))
        return np.asarray(in_world(tray, at[None])[0])

    def _lay_board(self, canvas: Canvas, tray: TrayShown) -> None:
        x, y, turn = tray.board
        board, thick = self._kit.board, self._kit.board.thickness_mm
        centre = in_world(tray, np.array([[x, y, 0.0]]))[0]
        flat = SQUARE * (board.width_mm, board.height_mm, 1) @ turn_z(tray.turn_deg + turn).T + centre
        pixels = self._stage.view.project(np.concatenate([flat, np.add(flat, (0, 0, thick))]))
        paint_hull(canvas, pixels, EDGE_BGR * self._stage.shade(centre, UP) * HEADROOM)
        self._lay(canvas, self._board, np.add(centre, (0, 0, thick)), tray.turn_deg + turn, BOARD_GLOSS)

    def _lay_sheets(self, canvas: Canvas, sheets: tuple[Sheet, ...]) -> None:
        for sheet in sheets:
            self._lay(canvas, self._extras[sheet.name], np.array([*sheet.at_mm, sheet.z_mm]), sheet.turn_deg, 0.3)

    def _pile_up(self, canvas: Canvas, pile: _Pile) -> None:
        token, stage = self._kit.token, self._stage
        for number, shown in enumerate(pile.tokens):
            foot = self._centre(pile.tray, pile.cell, shown, number * token.thickness_mm)
            rim = DISC * token.diameter_mm / 2
            solid = np.concatenate([foot + rim, foot + rim + (0, 0, token.thickness_mm)])
            paint_hull(canvas, stage.view.project(solid), EDGE_BGR * 0.8 * stage.shade(foot, UP) * HEADROOM)
            face = self._extras[shown.strange] if shown.strange else self._faces[shown.colour, shown.motif]
            top = np.add(foot, (0, 0, token.thickness_mm))
            self._lay(canvas, face, top, pile.tray.turn_deg + shown.turn_deg, TOKEN_GLOSS)

    def _lay(self, canvas: Canvas, picture: Texture, centre: Floats, turn_deg: float, gloss: float = 0.0) -> None:
        """Paint a flat picture about a centre, lit, with the lamps' highlights."""
        flat = SQUARE * (picture.width_mm, picture.height_mm, 1) @ turn_z(turn_deg).T + centre
        face, stage = Face(flat, UP, picture, gloss), self._stage
        pixels = stage.view.project(flat)
        across = float(np.linalg.norm(pixels[1] - pixels[0])) / picture.width_mm
        drawn = lit(picture.at(across), stage.bright(centre, UP))
        for glint in glints(face, stage):
            gleam(drawn, face, glint)
        paint_face(canvas, drawn, pixels)

    def _shade(self, canvas: Canvas, piles: list[_Pile], limbs: tuple[Capsule, ...]) -> None:
        """Darken the table where piles and hands stand in a lamp's way."""
        stage, token = self._stage, self._kit.token
        on = np.array([0.0, 0.0, self._kit.board.thickness_mm])
        rim = DISC * token.diameter_mm / 2
        solids = [
            np.concatenate([pile.middle + rim, pile.middle + rim + (0, 0, len(pile.tokens) * token.thickness_mm)])
            for pile in piles
        ]
        solids += [np.concatenate([limb.start_mm + DISC * 9, limb.end_mm + DISC * 9]) for limb in limbs]
        for number, lamp in enumerate(stage.light.lamps):
            mask = np.zeros(canvas.pixels.shape[:2], np.uint8)
            for solid in solids:
                fill(mask, stage.view.project(landing(solid, np.array(lamp.place_mm), on, UP)[0]))
            soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, lamp.softness_mm * 0.4))
            _darken(canvas.pixels, np.asarray(soft, np.uint8), stage.without(number, np.zeros(3), UP))

    def _paint_limb(self, canvas: Canvas, limb: Capsule) -> None:
        ends = np.stack([limb.start_mm, limb.end_mm])
        pixels, away = self._stage.view.project(ends), np.linalg.norm(ends - self._stage.eye, axis=1)
        start, end = self._scene.view.camera.fx * np.array([limb.start_radius_mm, limb.end_radius_mm]) / away
        skin = np.array(limb.bgr) * HEADROOM * self._stage.bright(limb.end_mm, UP)
        paint_limb(canvas, pixels, (float(start), float(end)), np.array([-0.6, -0.8]), skin, 0.55 * skin)


def _darken(picture: Picture, mask: NDArray[np.uint8], least: Floats) -> None:
    ramp = np.arange(256)[:, None] / 255.0
    factors = np.clip(255 * (1 - ramp * (1 - least)), 0, 255).astype(np.uint8)
    cv2.multiply(picture, cv2.LUT(cv2.merge([mask] * 3), factors[None]), picture, 1 / 255)


def _stage(scene: Scene) -> Stage:
    """Return the bare table, seen from above."""
    rays, eye = sight_lines(scene.view), scene.view.pose.eye
    reach = -eye[2] / np.minimum(rays[:, :, 2], -0.05)
    plane = (eye[:2] + rays[:, :, :2] * reach[:, :, None]).astype(np.float32)
    top = table_top(scene.look, scene.seed)
    ground = cv2.remap(top, plane[:, :, 0] + 512, plane[:, :, 1] + 512, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    dim = np.asarray(cv2.convertScaleAbs(ground, alpha=HEADROOM), np.uint8)
    reached = np.full(dim.shape[:2], 255, np.uint8)
    return Stage(scene.view, scene.light, reference(scene.light), dim, reached, rays)
