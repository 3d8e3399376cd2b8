"""What artists draw, as a list that a browser draws itself: sharp on every screen, in the colors of its page."""

import json
import math
import zlib
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase as GC
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_hex, to_rgba
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.image import AxesImage
from matplotlib.path import Path
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Transform

from coursekit.core.validate import Floats
from coursekit.plots.style import Style, translated

PATH, MARKS, WORDS, PIXELS, FIELD = range(5)
PLAIN = FontProperties(family="Course Sans")
EM = 100  # outlines of letters are this large
COMMON = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;+−-–=()[]<>|/·θλ✓✗"
GLYPHS: dict[str, str] = {}  # the outlines of all letters that were drawn so far, as SVG writes them
GLIDES = "glides"  # the group of an artist that moves to its place in the next frame, see `Plot.add`
FAR = 1e5  # pixels: no picture reaches so far


class Recorder(RendererBase):
    """Writes down what is drawn, in pixels, y downwards, each where Agg would put it.

    list() is {"list": JSON, "at": float32 coordinates, "images": by name, deflated}. The JSON has "size", "ops", each
    [kind, look, clip, count, ...], and what they name by number: "looks", "clips", "shapes", "glyphs"; "groups" says by
    the group ids of artists which ops are theirs: [[from, to], ...], "glides" those of each artist that
    glides, drawn or not. Ops take their coordinates one after another, `count` pairs each:

        PATH   its points; then codes, one letter for each (A: move, B: line, C, D: curves, O: close), or "": a line
        MARKS  places; then the shape
        WORDS  place, direction, and for each glyph place and scale as two pairs; then the glyphs
        PIXELS corner and size; then name, columns and rows of an image: RGBA, or numbers of the look's colors
        FIELD  corner and size, then heights row by row in bands from 0; then how many a row has, and their checksum

    A color is a pair: that of the style and that of its twin for a page of the other brightness.
    """

    def __init__(self, agg: RendererAgg, style: Style) -> None:
        super().__init__()
        self.width, self.height, self.dpi, self._style = agg.width, agg.height, agg.dpi, style
        self._flip = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, self.height], [0.0, 0.0, 1.0]])
        self._ops: list[list[Any]] = []
        self._at: list[Any] = []
        self._named: dict[str, dict[str, tuple[int, Any]]] = {"looks": {}, "clips": {}, "shapes": {}, "glyphs": {}}
        self._images: dict[str, bytes] = {}
        self._groups: dict[str, list[list[int]]] = {}
        self._glides: list[list[int]] = []
        self._open: list[tuple[str, str | None, int]] = []  # the groups that are being drawn, and where each began
        self._gliding = 0  # how many of them glide
        _set(COMMON, PLAIN, False)  # few frames bring a letter that no browser has

    def list(self) -> dict[str, Any]:
        named = {kind: [value for _, value in known.values()] for kind, known in self._named.items()}
        at = np.concatenate([np.empty((0, 2)), *self._at]).astype(np.float32).tobytes()
        told = {"size": [self.width, self.height], "ops": self._ops, "groups": self._groups, "glides": self._glides}
        return {"list": json.dumps(told | named), "at": at, "images": self._images}

    # What matplotlib asks of a renderer.

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self.width, self.height

    def points_to_pixels(self, points: Any) -> Any:
        return points * self.dpi / 72

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        return _measured(s, prop.copy(), ismath, self.dpi)

    def open_group(self, s: str, gid: str | None = None) -> None:
        self._open.append((s, gid, len(self._ops)))
        self._gliding += s == GLIDES

    def close_group(self, s: str) -> None:
        kind, gid, began = self._open.pop()
        self._gliding -= kind == GLIDES
        if kind == GLIDES:
            self._glides.append([began, len(self._ops)])
        if gid and len(self._ops) > began and gid not in (name for _, name, _ in self._open):
            self._groups.setdefault(gid, []).append([began, len(self._ops)])

    def draw_path(self, gc: GC, path: Path, transform: Transform, rgbFace: Any = None) -> None:
        hatch, size = gc.get_hatch_path(), self.dpi
        line = rgbFace is None and hatch is None
        if self._gliding:  # its ends and points are the same in each frame
            line = line and bool((np.abs(transform.transform(path.vertices)) > FAR).any())
        way = path.cleaned(
            self._flipped(transform), remove_nans=True, curves=True, snap=gc.get_snap(), stroke_width=self._pen(gc),
            clip=(-1.0, -1.0, self.width + 1.0, self.height + 1.0) if line else None,
            simplify=bool(line and path.should_simplify), sketch=gc.get_sketch_params(),
        )
        codes = np.asarray(way.codes, np.uint8)[:-1]  # without its stop
        if not len(codes):
            return
        plain = codes[0] == Path.MOVETO and (codes[1:] == Path.LINETO).all()
        letters = "" if plain else ((codes & 15) + 64).tobytes().decode()
        self._put(PATH, self._look(gc, rgbFace), self._clip(gc), np.asarray(way.vertices)[:-1], letters)
        if hatch is not None:  # tiles of an inch, cut off at the edge
            tile, color = Affine2D().scale(size, -size).transform_path(hatch), self._color(gc.get_hatch_color())
            pen = {"width": self.points_to_pixels(gc.get_hatch_linewidth()), "cap": "butt", "join": "miter"}
            look = self._number("looks", {"fill": color, "stroke": color, **pen})
            at = np.mgrid[0 : self.width : size, size : self.height + size : size].reshape(2, -1).T
            self._put(MARKS, look, self._clip(gc, _svg(way)), at, self._number("shapes", _svg(tile)))

    def draw_markers(self, gc: GC, marker_path: Path, marker_trans: Transform, path: Path, trans: Transform,
                     rgbFace: Any = None) -> None:
        turn = Affine2D(np.diag([1.0, -1.0, 1.0]) @ marker_trans.get_matrix())
        shape = marker_path.cleaned(turn, remove_nans=True, curves=True, snap=gc.get_snap(), stroke_width=self._pen(gc))
        at = np.floor(self._flipped(trans).transform(path.vertices) + 0.5) + 0.5 * (gc.get_snap() is False)
        at = at[(np.abs(at) < FAR).all(axis=1)]
        if len(at):
            self._put(MARKS, self._look(gc, rgbFace), self._clip(gc), at, self._number("shapes", _svg(shape)))

    def draw_image(self, gc: GC, x: float, y: float, im: Any, transform: Any = None) -> None:
        self.pixels(gc, (x, y, im.shape[1], im.shape[0]), im[::-1])

    def draw_text(self, gc: GC, x: float, y: float, s: str, prop: FontProperties, angle: float, ismath: Any = False,
                  mtext: Any = None) -> None:
        look = {"fill": self._color(gc.get_rgb(), gc)}
        scale = self.points_to_pixels(prop.get_size_in_points()) / EM
        width = None if ismath else self.get_text_width_height_descent(s, prop, False)[0]
        self._write(look, self._clip(gc), _laid(s, prop, bool(ismath)), round(x), round(y), scale, angle, width)

    # What our own artists ask of it.

    def word(self, text: str, left: float, base: float, width: float, pixels: float, color: Any, rim: float) -> None:
        """One line, with a rim of paper. left, width: of its ink, in whole pixels."""
        look: dict[str, Any] = {"fill": self._color(to_rgba(color))}
        if rim:
            look |= {"rim": 2 * rim, "stroke": self._color(to_rgba(self._style.paper, 0.8))}
        laid = _laid(text, PLAIN, False)
        self._write(look, -1, laid, left - pixels / EM * laid.low, base, pixels / EM, 0.0, width)

    def pixels(self, gc: GC, box: Any, image: Any, *palettes: Any) -> None:
        """An image, upper row first, in a box (left, low, width, height): RGBA, or numbers of both palettes."""
        name, content = _deflated(np.ascontiguousarray(image).tobytes())
        self._images[name] = content
        look = self._number("looks", {"colors": [one.tolist() for one in palettes]}) if palettes else -1
        self._put(PIXELS, look, self._clip(gc), self._corner(box), name, image.shape[1], image.shape[0])

    def matrix(self, image: AxesImage) -> None:
        """A matrix as squares: numbers, where it would draw as many pixels as the screen has."""
        (left, right, low, high), gc = image.get_extent(), self.new_gc()
        (x0, y0), (x1, y1) = image.axes.transData.transform([(left, low), (right, high)])
        shares = np.asarray(image.norm(np.asarray(image.get_array())))
        numbers = np.clip(256 * shares, 0, 255).astype(np.uint8)[:: -1 if image.origin == "lower" else 1]
        here = image.get_cmap()(np.arange(256), alpha=image.get_alpha()).tolist()
        there = [translated(tuple(color), self._style) for color in here]
        palettes = (np.round(255 * np.array(one)).astype(np.uint8).view(np.uint32)[:, 0] for one in (here, there))
        gc.set_clip_rectangle(image.axes.bbox)
        self.pixels(gc, (x0, y0, x1 - x0, y1 - y0), numbers, *palettes)

    def field(self, gc: GC, box: Any, values: Floats, *palettes: Any) -> None:
        """Bands of equal height with lines between: first those in each palette, then these. values: (side, side)."""
        padded = np.append(values.ravel(), np.zeros(values.size % 2)).reshape(-1, 2)
        look = self._number("looks", {"colors": [one.tolist() for one in palettes]})
        at, checksum = np.vstack([self._corner(box), padded]), zlib.crc32(padded.tobytes())
        self._put(FIELD, look, self._clip(gc), at, len(values), checksum)

    # How it is written down.

    def _put(self, kind: int, look: int, clip: int, at: Any, *more: Any) -> None:
        self._ops.append([kind, look, clip, len(at), *more])
        self._at.append(at)

    def _number(self, kind: str, value: Any) -> int:
        known = self._named[kind]
        return known.setdefault(str(value), (len(known), value))[0]

    def _flipped(self, transform: Transform) -> Affine2D:
        return Affine2D(self._flip @ transform.get_matrix())

    def _corner(self, box: Any) -> Floats:
        left, low, width, height = map(float, box)
        return np.array([(left, self.height - low - height), (width, height)])

    def _pen(self, gc: GC) -> float:
        return float(self.points_to_pixels(gc.get_linewidth()))

    def _color(self, color: Any, gc: GC | None = None) -> tuple[str, str]:
        return _pair(to_rgba(color, gc.get_alpha() if gc and gc.get_forced_alpha() else None), self._style)

    def _look(self, gc: GC, face: Any) -> int:
        look: dict[str, Any] = {}
        if face is not None:
            look["fill"] = self._color(tuple(face), gc)
        if pen := self._pen(gc):
            cap, (start, dashes) = str(gc.get_capstyle()), gc.get_dashes()
            look |= {"stroke": self._color(gc.get_rgb()), "width": pen, "join": str(gc.get_joinstyle()),
                     "cap": "square" if cap == "projecting" else cap}
            if dashes is not None:
                look |= {"dash": self.points_to_pixels(np.asarray(dashes, float)).tolist(),
                         "start": float(self.points_to_pixels(start))}
        return self._number("looks", look)

    def _clip(self, gc: GC, *clip: str) -> int:
        box, (path, transform) = gc.get_clip_rectangle(), gc.get_clip_path()  # type: ignore[misc]
        if box is not None:
            (left, low), (right, high) = np.floor(box.get_points() + 0.5).tolist()
            clip = *clip, f"M{left} {self.height - high}H{right}V{self.height - low}H{left}Z"
        if path is not None and transform is not None:
            clip = *clip, _svg(self._flipped(transform).transform_path(path))  # type: ignore[arg-type]
        return self._number("clips", clip) if clip else -1

    def _write(self, look: dict[str, Any], clip: int, laid: "Laid", x: float, y: float, scale: float, angle: float,
               width: float | None) -> None:
        """width: of the words where letters lie on whole pixels; the room between them makes up for it."""
        turn = scale * np.array([math.cos(a := math.radians(angle)), -math.sin(a)])
        number, at = self._number("looks", look), laid.at
        if width is not None and len(at) > 2 and at[-2, 0] > 0:
            at = at.copy()
            at[::2, 0] *= 1 + (width / scale - (laid.high - laid.low)) / at[-2, 0]
        if laid.glyphs:
            glyphs = [self._number("glyphs", glyph) for glyph in laid.glyphs]
            self._put(WORDS, number, clip, np.vstack([(x, y), turn, at]), glyphs)
        for corners in laid.bars:
            turned = Affine2D().scale(scale, -scale).rotate_deg(-angle).translate(x, y)
            self._put(PATH, number, clip, turned.transform(corners), "ABBBO")


@lru_cache(maxsize=4096)
def _measured(text: str, font: FontProperties, math: Any, dpi: float) -> tuple[float, float, float]:
    """As Agg does it. matplotlib keeps what it measured as long as one renderer lives, here that is a frame."""
    return RendererAgg(1, 1, dpi).get_text_width_height_descent(text, font, math)


class Laid(NamedTuple):
    """A line of words: its glyphs, their places and scales, (2 n, 2), bars of fractions, and where its ink ends."""

    glyphs: list[str]
    at: Floats
    bars: list[Floats]
    low: float
    high: float


@lru_cache(maxsize=4096)
def _laid(text: str, font: FontProperties, math: bool) -> Laid:
    """Pair by pair: most were there before, and matplotlib takes a while. Formulas and ligatures as a whole."""
    pairs = [_set(text[k : k + 2], font, False)[0] for k in range(0 if math else len(text))]
    letters, bars = _set(text, font, math) if any(len(pair) != 2 for pair in pairs[:-1]) or math else ([], [])
    if not letters:
        ways = np.cumsum([0.0, *(after[1] - before[1] for before, after in pairs[:-1])]).tolist()
        letters = [(pair[0][0], x, *pair[0][2:]) for pair, x in zip(pairs, ways, strict=False)]
    letters = [letter for letter in letters if letter[0] in GLYPHS]  # a space has none
    ends = [(x + scale * low, x + scale * high) for _, x, _, scale, low, high in letters] or [(0.0, 0.0)]
    at = np.array([pair for _, x, y, scale, *_ in letters for pair in ((x, y), (scale, 0))]).reshape(-1, 2)
    return Laid([glyph for glyph, *_ in letters], at, [np.array(corners[:5]) for corners, _ in bars],
                min(low for low, _ in ends), max(high for _, high in ends))


@lru_cache
def _files(font: FontProperties) -> list[Any]:
    """One for each of its families that is there: a letter that the first has not is taken from the next."""
    found: list[Any] = []
    for family in font.get_family():
        with suppress(ValueError):  # a page gets the others later
            one = FontProperties(family=family, style=font.get_style(), weight=font.get_weight())
            found.append(findfont(one, fallback_to_default=False))
    return found or [findfont(font)]


@lru_cache(maxsize=4096)
def _set(text: str, font: FontProperties, math: bool) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """What matplotlib sets: for each glyph its name, place, scale, and the ends of its ink; and bars of fractions."""
    face = get_font(_files(font))
    face.set_size(EM, text_to_path.DPI)
    info, shapes, bars = (text_to_path.get_glyphs_mathtext(font, text) if math else
                          text_to_path.get_glyphs_with_font(face, text))
    ends = dict.fromkeys(shapes, (0.0, 0.0))
    for glyph, (points, codes) in shapes.items():
        if len(points):
            GLYPHS[glyph] = GLYPHS.get(glyph) or _svg(Path(points, codes))
            ends[glyph] = points[:, 0].min(), points[:, 0].max()
    return [(*one, *ends[one[0]]) for one in info], bars


def _svg(path: Path) -> str:
    vertices = np.round(np.asarray(path.vertices, float), 3)
    return _written(vertices.tobytes(), None if path.codes is None else np.asarray(path.codes, np.uint8).tobytes())


@lru_cache(maxsize=4096)
def _written(vertices: bytes, codes: bytes | None) -> str:
    path = Path(np.frombuffer(vertices).reshape(-1, 2), None if codes is None else np.frombuffer(codes, np.uint8))
    letters = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
    return "".join("Z" if code == Path.CLOSEPOLY else letters[code] + " ".join(f"{x:g}" for x in at.tolist())
                   for at, code in path.iter_segments(simplify=False))


@lru_cache(maxsize=16)
def _deflated(content: bytes) -> tuple[str, bytes]:
    return f"{zlib.crc32(content):08x}", zlib.compress(content, 1)


@lru_cache(maxsize=2048)
def _pair(here: tuple[float, float, float, float], style: Style) -> tuple[str, str]:
    return to_hex(here, keep_alpha=True), to_hex(translated(here, style), keep_alpha=True)

