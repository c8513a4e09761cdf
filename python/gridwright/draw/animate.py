"""Animations: one SVG that holds all frames, a player that needs no kernel, and GIF, PNG and HTML files."""

from __future__ import annotations

import base64
import io
import math
import os
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from .. import arguments
from ..errors import MoveError, MoveTypeError
from ..files import ending, write
from ..optional import require
from ..progress import ProgressReporter
from ..words import counted
from . import foreign
from .page import STYLE, Palette, light_look
from .pseudocode import Panel
from .svg import Picture, number
from .theme import BOTH, LIGHT, Theme, film_theme

__all__ = ["Animation", "replay"]

_SVG = "{http://www.w3.org/2000/svg}"
_CAPTION = 26.0
"""Height of the line below the picture that holds the caption."""

_GAP = 12.0
"""The space between the picture and the pseudocode beside it."""

_STILL = (
    "@media(prefers-reduced-motion:reduce){[data-f]{display:none!important}"
    '[data-f="0"],[data-f^="0 "],[data-f^="0-"]{display:inline!important}}'
)
"""Shows only the first frame to readers who prefer reduced motion: ``!important`` overrides ``animate`` elements."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
"""Matches a number in SVG."""

# Matches the tag of a group whose attributes have the same effect on the group as on each of its members.
_SHARED = re.compile(r'<g(?: (?:transform|fill|stroke|stroke-[a-z]+|fill-opacity|font-[a-z]+|text-anchor)="[^"]*")*>')


@dataclass
class _Layer:
    """A piece of SVG, the groups around it, and the frames that show it: bit k is set for frame k."""

    groups: tuple[str, ...]
    part: str
    shown: int = 0


@dataclass(frozen=True)
class _Frame:
    width: float
    height: float
    title: str
    description: str
    parts: tuple[tuple[tuple[str, ...], str], ...] = field(repr=False)


class Animation:
    """A sequence of frames that plays in a notebook without a kernel and can be saved in several formats.

    * ``frames``: ``Picture`` objects or SVG strings, at least one. From an SVG string only the elements that
      draw are kept: scripts, links, style sheets and animations are removed.
    * ``captions``: one line of text per frame; none by default.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``title``, ``description``: strings for screen readers, which may be empty. ``None`` (the default) makes the title
      from that of the first frame, and the description from those of the first and the last frame.
    * ``code``: lines of pseudocode, at most 1000, shown beside the frames, or below them on a narrow page; none by
      default.
    * ``lines``: one entry per frame: the number, counted from 1, of the line of ``code`` that is highlighted, or
      several numbers, at most 1000; empty without ``code``.

    In a notebook the picture has a slider, buttons and a choice of speeds; if scripts are disabled, it plays by itself,
    but stays still for readers who prefer reduced motion.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> film = Animation([game.svg(), game.svg(theme="dark")], ["day", "night"])
    >>> len(film), film
    (2, Animation of 2 frames)
    >>> film.svg()[:4]
    '<svg'
    >>> Animation([game.svg()] * 2, code=["repeat", "  roll"], lines=[1, (1, 2)]).lines
    ((1,), (1, 2))
    """

    def __init__(
        self,
        frames: Iterable[Picture | str],
        captions: Iterable[str] = (),
        *,
        seconds: float | None = None,
        title: str | None = None,
        description: str | None = None,
        code: Iterable[str] = (),
        lines: Iterable[int | Iterable[int]] = (),
    ) -> None:
        try:
            pictures = iter(frames)
        except TypeError:
            raise arguments.wrong_type("frames", "Pictures or SVG strings", frames) from None
        self._frames: list[_Frame] = []
        self._theme: Theme = LIGHT
        known: dict[str, str] = {}  # frames have most pieces in common, and a pickle holds a string object only once
        for one in pictures:
            if not self._frames and isinstance(one, Picture):
                self._theme = one.theme
            frame = _frame(one)
            parts = tuple((groups, known.setdefault(part, part)) for groups, part in frame.parts)
            self._frames.append(replace(frame, parts=parts))
        if not self._frames:
            raise ValueError("frames must hold at least 1 picture, got 0")
        given = arguments.sequence("captions", captions, "strings", len(self._frames))
        self.captions: tuple[str, ...] = tuple(_encodable("captions", str(words)) for words in given)
        if self.captions and len(self.captions) != len(self._frames):
            # At most one caption too many was read, so a larger count is unknown.
            count = len(self.captions) if len(self.captions) < len(self._frames) else "more"
            raise ValueError(f"captions must hold {counted(len(self._frames), 'string')}, one per frame, got {count}")
        self._panel = Panel(code, lines, len(self._frames))
        for line in self._panel.code:
            _encodable("code", line)
        self.code: tuple[str, ...] = self._panel.code
        self.lines: tuple[tuple[int, ...], ...] = self._panel.lines
        usual = min(0.6, max(0.05, 15 / len(self._frames)))
        self.seconds: float = usual if seconds is None else arguments.number("seconds", seconds, 0.01, 60)
        first, last = self._frames[0], self._frames[-1]
        for name, words in (("title", title), ("description", description)):
            if words is not None:
                _encodable(name, arguments.text(name, words))
        self.title = f"{first.title}, {counted(len(self), 'frame')}" if title is None else title
        if description is None:
            description = first.description
            if description != last.description:
                description = f"At first: {first.description} At the end: {last.description}"
        self.description = description
        wide = max((0.62 * 14 * len(words) + 24 for words in self.captions), default=0.0)
        self._inner = max(frame.width for frame in self._frames)
        # The width and height of the frames with their captions; the pseudocode is to the right of this area.
        self._left = max(self._inner, min(wide, 760.0))
        self._low = max(frame.height for frame in self._frames) + (_CAPTION if self.captions else 0)
        self.width: float = self._left + (_GAP + self._panel.width if self.code else 0)
        self.height: float = max(self._low, self._panel.height)
        self._shift = (self._left - self._inner) / 2
        self.prediction: Callable[[], Animation] | None = None
        """A callable that returns the quiz of ``predict``; ``None`` if the steps of the film have no place to click."""

    def __len__(self) -> int:
        """Returns the number of frames."""
        return len(self._frames)

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {counted(len(self), 'frame')}"

    def frame(self, index: int) -> str:
        """Returns one frame, with its caption, as SVG text. The colors are light if no theme was chosen.

        * ``index``: the number of the frame, 0 to ``len(animation) - 1``; ``IndexError`` for any other.

        >>> Animation(['<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>']).frame(0)[:4]
        '<svg'
        """
        return self._plain(self._one(arguments.place("index", index, len(self))))

    def svg(self) -> str:
        """Returns all frames as SVG text that plays by itself; unchanged parts are stored once.

        The colors are light if no theme was chosen.
        """
        return self._plain(self._all())

    def _plain(self, text: str) -> str:
        """Returns SVG text in which each pair of a light and a dark color is replaced by the light one."""
        return light_look(text) if self._theme is BOTH else text

    def _one(self, index: int) -> str:
        """Returns one frame as SVG text; with the theme ``BOTH``, its colors are pairs."""
        frame = self._frames[index]
        layers = [_Layer(groups, part, 1) for groups, part in frame.parts]
        words = [_Layer((), self._words(self.captions[index]), 1)] if self.captions else []
        marks = [_Layer(groups, part, 1) for groups, part in self._panel.marks(self._theme)[index]] if self.code else []
        inside, below, beside = (_markup(one, 1, 1.0) for one in (layers, words, marks))
        return self._document(inside, below, beside, frame.title, frame.description)

    def _all(self) -> str:
        """Returns all frames as SVG text; with the theme ``BOTH``, its colors are pairs."""
        return self._document(
            _markup(_merge([frame.parts for frame in self._frames]), len(self), self.seconds),
            _markup(_merge([[((), self._words(words))] for words in self.captions]), len(self), self.seconds),
            _markup(_merge(self._panel.marks(self._theme)), len(self), self.seconds),
            self.title,
            self.description,
            f' data-frames="{len(self)}" data-seconds="{number(self.seconds)}"',
            still=True,
        )

    def _words(self, caption: str) -> str:
        size = min(14.0, (self._left - 16) / (0.6 * max(1, len(caption))))
        style = f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="{number(size)}" text-anchor="middle"'
        x, y = number(self._left / 2), number(self._low - _CAPTION / 2 + 0.36 * size - 2)
        return f'<text class="caption" x="{x}" y="{y}" {style} fill="{self._theme.ink}">{escape(caption)}</text>'

    def _document(
        self, inside: str, words: str, marks: str, title: str, description: str, more: str = "", *, still: bool = False
    ) -> str:
        wide, high = number(self.width), number(self.height)
        code = []
        if self.code:
            # The player takes this group, the last one, out of the picture, and shows it as a picture of its own.
            more += f' data-film="{number(self._left)} {number(self._low)}"'
            more += f' data-code="{number(self._panel.width)} {number(self._panel.height)}"'
            code = [f'<g transform="translate({number(self._left + _GAP)} 0)">', self._panel.ground(self._theme), marks]
            code += [*self._panel.text(self._theme), "</g>"]
        if self._shift:
            inside = f'<g transform="translate({number(self._shift)} 0)">\n{inside}\n</g>'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
            f'role="img" aria-label="{escape(title)}"{more}>',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            f'<style class="still">{_STILL}</style>' if still else "",
            f'<rect width="{wide}" height="{high}" fill="{self._theme.page}"/>',
            inside,
            words,
            *code,
            "</svg>",
        ]
        return "\n".join(line for line in lines if line)

    def fragment(self) -> str:
        """Returns HTML to put into a page: the self-playing picture, and a script that turns it into a player.

        If no theme was chosen, both are light or dark like the page.
        """
        return self._embedded(self._all(), "player.js")

    def _embedded(self, shown: str, script: str, film: str = "", more: str = "") -> str:
        """Returns HTML for an image and the script that replaces it.

        ``shown`` is the image, ``script`` the file of the script, ``film`` the SVG text that the script reads in
        place of the image, if any, and ``more`` further attributes of the image.
        """
        run, follows = _script(script, self._theme), self._theme is BOTH
        palette = Palette()
        if follows:
            # Image, film and script share one palette, so that the script defines the names used in the pictures.
            shown, film, run = palette.document(shown), palette.named(film), palette.named(run)
        run = run.replace("$colors", palette.inside(":host"))
        if film:
            more = f' data-film="{_address(film)}"{more}'
        return (
            f'<div class="gridwright-animation{" gridwright" if follows else ""}">'
            f'<img src="{_address(shown)}" alt="{escape(self.title)}" style="max-width:100%"{more}>'
            f"{f'<style>{STYLE}</style>' if follows else ''}<script>{run}</script></div>"
        )

    def predict(self) -> Animation:
        """Returns the film as a quiz: the reader clicks where the next step will happen; a score is kept.

        Cells, edges or nodes are chosen by mouse, touch, or arrow keys and Enter, in a notebook or in a page that
        ``html`` and ``save`` write; no kernel is needed. Raises ``ValueError`` for a film whose steps have no place to
        click. The films ``chances``, ``diameter``, ``forest``, ``light``, ``line``, ``power``, ``state_space`` and
        ``union_find`` of ``gridwright.draw.films`` have such places, with three exceptions: ``forest`` and ``line``
        with ``own``; ``forest`` with weights of more than three characters, or without edges; and ``state_space`` of a
        game other than Bloxorz.

        >>> from gridwright.draw import films
        >>> films.forest(2, 3, seed=1).predict()
        Prediction of 7 frames
        """
        if self.prediction is None:
            raise ValueError(
                "predict needs a film of chances, diameter, forest, light, line, power, state_space or union_find, "
                f"whose steps have a place to click, got {self.title!r}"
            )
        return self.prediction()

    def html(self) -> str:
        """Returns a stand-alone HTML page with the player.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").animate("rrd").html()[:15]
        '<!doctype html>'
        """
        title = escape(self.title)
        colors = f"background:{self._theme.page};color:{self._theme.ink}"
        style = f"body{{margin:2em auto;max-width:76em;padding:0 1em;font-family:sans-serif;{colors}}}"
        if self._theme is BOTH:
            palette = Palette()
            style = palette.named(style) + ":root{color-scheme:light dark}" + palette.style(":root")
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
            f'<meta name="viewport" content="width=device-width"><style>{style}</style></head>\n'
            f"<body>\n{self.fragment()}\n</body></html>\n"
        )

    def save(self, path: str | os.PathLike[str], *, scale: float = 1.0, progress: Any = None) -> None:
        """Writes the animation to a file, in the format given by the ending of the file name.

        * ``path``: the file to write, whose name ends in ``.html`` (a page with the player), ``.svg`` (a picture that
          plays by itself), ``.gif``, or ``.png`` or ``.apng`` (an animated PNG); ``ValueError`` for any other ending.
          GIF and PNG need ``gridwright[images]``.
        * ``scale``: pixels per unit of the picture, for GIF and PNG, 0.1 to 10; 1 by default.
        * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports. Only GIF and PNG report.

        A frame of a GIF or PNG lasts at least 0.02 seconds, the last frame at least 1.5 seconds.
        """
        form = ending(path, (".html", ".svg", ".gif", ".png", ".apng"))
        scale, tell = arguments.number("scale", scale, 0.1, 10), ProgressReporter(progress)
        if form == ".html":
            write(path, self.html())
        elif form == ".svg":
            write(path, self.svg())
        else:
            write(path, self._pixels("GIF" if form == ".gif" else "PNG", scale, tell))

    def _pixels(self, form: str, scale: float, tell: ProgressReporter) -> bytes:
        from . import png

        pillow = require("PIL.Image", "GIF and PNG animations need pillow: pip install 'gridwright[images]'")
        images = []
        for index in range(len(self)):
            images.append(pillow.open(io.BytesIO(png(self.frame(index), scale=scale))).convert("RGB"))
            tell.add(1)
        if form == "GIF":
            images = _with_one_palette(images)
        each = max(20, round(self.seconds * 1000))
        durations = [each] * (len(images) - 1) + [max(each, 1500)]
        out = io.BytesIO()
        if len(images) == 1:
            images[0].save(out, format=form)
        else:
            images[0].save(out, format=form, save_all=True, append_images=images[1:], duration=durations, loop=0)
        return out.getvalue()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.fragment(), "text/plain": f"{self!r}: {self.title}"}


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _script(name: str, theme: Theme) -> str:
    """Returns the script of a film in the colors of a theme, without indentation or comment lines.

    ``name`` is the file that follows ``film.js``: ``player.js`` or ``predict.js``.
    """
    folder = Path(__file__).parent
    text = "".join((folder / part).read_text(encoding="utf-8") for part in ("film.js", name))
    text = f"(() => {{\n{text}}})();\n"
    lines = (line.strip() for line in text.splitlines())
    script = "\n".join(line for line in lines if line and not line.startswith("//"))
    for role in ("ink", "page", "tile_soft", "tile_edge", "tile", "blue", "green", "red"):
        script = script.replace(f"${role}", getattr(theme, role))
    return script


def _with_one_palette(images: list[Any]) -> list[Any]:
    """Returns the images reduced to the 255 colors that cover the largest area of all images together.

    With a palette per image, unchanged tiles would flicker, and Pillow's own mapping changes even colors that are in
    the palette.
    """
    from PIL import Image

    # One number per color, with red in the high byte, so that `unique` sorts numbers instead of rows of three.
    weights = np.array([1 << 16, 1 << 8, 1])
    counts: Counter[int] = Counter()
    for image in images:
        values, numbers = np.unique(np.asarray(image) @ weights, return_counts=True)
        counts.update(dict(zip(values.tolist(), numbers.tolist(), strict=True)))
    # GIF allows 256 colors, but Pillow uses the last one for the pixels that a frame leaves unchanged.
    palette = np.array([[code >> 16, code >> 8 & 255, code & 255] for code, _ in counts.most_common(255)])
    result = []
    for image in images:
        values, places = np.unique(np.asarray(image) @ weights, return_inverse=True)
        colors = np.stack([values >> 16, values >> 8 & 255, values & 255], axis=1)
        closest = np.abs(colors[:, None] - palette[None]).sum(axis=2).argmin(axis=1).astype(np.uint8)
        flat = Image.fromarray(closest[places].reshape(image.height, image.width))
        flat.putpalette(palette.astype(np.uint8).tobytes())
        result.append(flat)
    return result


def _frame(one: Picture | str) -> _Frame:
    if isinstance(one, Picture):
        return _Frame(one.width, one.height, one.title, one.description, tuple(_flat(one.parts)))
    if not isinstance(one, str):
        raise arguments.wrong_type("frames", "Pictures or SVG strings", one)
    root = foreign.read(_encodable("frames", one))
    # The size is in the last two numbers of `viewBox`, "x y width height", or else in `width` and `height`.
    size = [float(word) for word in _NUMBER.findall(root.get("viewBox", ""))][2:]
    if not size:
        sides = [_NUMBER.match(root.get(name, "").strip()) for name in ("width", "height")]
        size = [float(side.group()) for side in sides if side]
    if len(size) != 2 or not all(0 < side < math.inf for side in size):
        raise ValueError(f"frames must have a width and a height, got {arguments.shown(root.attrib)}")
    words = {name: root.findtext(f"{_SVG}{name}") or "" for name in ("title", "desc")}
    children = [child for child in root if child.tag not in (f"{_SVG}title", f"{_SVG}desc")]
    parts = tuple(((), _serialized(child)) for child in children)
    return _Frame(size[0], size[1], words["title"] or "Animation", words["desc"], parts)


def _encodable(name: str, text: str) -> str:
    """Returns ``text``, which will be part of a film; raises ``ValueError`` if it cannot be encoded as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be encodable as UTF-8, got {arguments.shown(text)}") from None
    return text


def _serialized(element: ElementTree.Element) -> str:
    """Returns an element as text, without the namespace, which the picture around it declares."""
    text = ElementTree.tostring(element, encoding="unicode")
    return re.sub(r"(</?)ns0:", r"\1", text.replace(' xmlns:ns0="http://www.w3.org/2000/svg"', "")).strip()


def _flat(parts: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yields each piece with the groups around it.

    A group with an attribute that acts on the group as a whole, such as its opacity, stays one piece.
    """
    groups: list[str] = []
    whole: list[str] = []
    depth = 0
    for part in parts:
        opens = part.startswith("<g") and part[2:3] in " >" and not part.endswith("</g>")
        if whole or (opens and not _SHARED.fullmatch(part)):
            whole.append(part)
            depth += opens - (part == "</g>")
            if not depth:
                yield tuple(groups), "\n".join(whole)
                whole = []
        elif opens:
            groups.append(part)
        elif part == "</g>":
            groups.pop()
        else:
            yield tuple(groups), part


def _merge(frames: Sequence[Sequence[tuple[tuple[str, ...], str]]]) -> list[_Layer]:
    """Returns one list of layers for all frames: the layers shown in a frame are its pieces, in order.

    The pieces of each frame are matched with those of the previous frame; only what differs becomes a new layer.
    """
    merged: list[_Layer] = []
    before: list[_Layer] = []
    for index, frame in enumerate(frames):
        bit = 1 << index
        result: list[_Layer] = []
        now: list[_Layer] = []
        place = {id(layer): position for position, layer in enumerate(merged)}
        position = 0
        keys = [(layer.groups, layer.part) for layer in before]
        for kept, start, stop, low, high in _matches(keys, list(frame)):
            end = place[id(before[stop])] if stop < len(before) else len(merged)
            if kept:
                for layer in before[start:stop]:
                    upto = place[id(layer)] + 1
                    result += merged[position:upto]
                    position = upto
                    now.append(layer)
                continue
            # A layer of an earlier frame is used again only if it lies between the matched layers, to keep the order.
            for groups, part in frame[low:high]:
                for at in range(position, end):
                    if merged[at].part == part and merged[at].groups == groups:
                        result += merged[position : at + 1]
                        position = at + 1
                        now.append(merged[at])
                        break
                else:
                    result.append(_Layer(groups, part))
                    now.append(result[-1])
            result += merged[position:end]
            position = end
        merged = result + merged[position:]
        for layer in now:
            layer.shown |= bit
        before = now
    return merged


def _matches(old: list[Any], new: list[Any]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Yields runs of the two lists as (equal, start, stop, low, high): ``old[start:stop]`` and ``new[low:high]``.

    Consecutive frames differ in few places, so the equal beginning and the equal end are set aside first, because
    `SequenceMatcher` takes quadratic time.
    """
    shared = min(len(old), len(new))
    head = next((k for k in range(shared) if old[k] != new[k]), shared)
    tail = next((k for k in range(shared - head) if old[-1 - k] != new[-1 - k]), shared - head)
    if head:
        yield True, 0, head, 0, head
    middle = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
    for kind, start, stop, low, high in middle.get_opcodes():
        yield kind == "equal", head + start, head + stop, head + low, head + high
    if tail:
        yield True, len(old) - tail, len(old), len(new) - tail, len(new)


def _markup(layers: Sequence[_Layer], frames: int, seconds: float) -> str:
    """Returns layers as SVG text; consecutive layers with equal groups and frames share the tags of their groups."""
    out: list[str] = []
    every = (1 << frames) - 1
    last: tuple[int, tuple[str, ...]] = (every, ())
    for layer in [*layers, _Layer((), "", every)]:
        key = (layer.shown, layer.groups)
        if key != last:
            # Close the groups of the previous layer and, unless every frame shows it, the group that `_shown` opened.
            out += ["</g>"] * (len(last[1]) + (last[0] != every))
            if layer.shown != every:
                out.append(_shown(layer.shown, frames, seconds))
            out += layer.groups
            last = key
        out.append(layer.part)
    return "\n".join(line for line in out if line)


def _shown(bits: int, frames: int, seconds: float) -> str:
    """Returns the opening tag and the animation of a group that is visible only in the frames of ``bits``."""
    runs = []
    index = 0
    while bits >> index:
        # x & -x, the lowest set bit of x, finds first the next frame that shows the group, then the next that does not.
        start = index + ((bits >> index) & -(bits >> index)).bit_length() - 1
        rest = ~(bits >> start)
        index = start + (rest & -rest).bit_length() - 1
        runs.append((start, index))
    # The last frame stays for at least 1.5 seconds before the animation begins again.
    total = frames + max(1, math.ceil(1.5 / seconds)) - 1
    states: dict[int, str] = {0: "none"}
    for start, stop in runs:
        states[start] = "inline"
        if stop < frames:
            states[stop] = "none"
    values = ";".join(states.values())
    times = ";".join(f"{start / total:.5g}" for start in states)
    hidden = "" if bits & 1 else ' display="none"'
    shown = " ".join(f"{start}-{stop - 1}" if stop - start > 1 else str(start) for start, stop in runs)
    return (
        f'<g data-f="{shown}"{hidden}><animate attributeName="display" calcMode="discrete" values="{values}" '
        f'keyTimes="{times}" dur="{number(total * seconds)}s" repeatCount="indefinite"/>'
    )


_MAX_MOVES = 1_000_000
"""The maximum number of moves in a film. There is a limit because an iterator may be endless."""


def rows_of(game: Any, moves: Any) -> list[tuple[Any, ...]]:
    """Returns moves as tuples, from ``(n, rank)`` numbers or a string of keys.

    Raises ``MoveError`` for an object of another kind and for more than a million moves. Does not check whether the
    moves are legal.
    """
    # Games with one number per move accept a string of keys.
    keys = len(game.bounds) == 1
    expected = f"moves must be numbers of shape (n, {len(game.bounds)})" + (" or a string of keys" if keys else "")
    if isinstance(moves, (bytes, bytearray, dict, set)) or (isinstance(moves, str) and not keys):
        raise MoveTypeError(f"{expected}, got {arguments.form(moves)}")
    try:
        rows = list(islice(moves, _MAX_MOVES + 1))
    except TypeError:
        raise MoveTypeError(f"{expected}, got {arguments.form(moves)}") from None
    if len(rows) > _MAX_MOVES:
        raise MoveError(f"moves must hold at most {_MAX_MOVES:,} moves, got more")
    found: list[tuple[Any, ...]] = []
    for row in rows:
        if isinstance(row, str):
            found += [(key,) for key in row]
        else:
            found.append(
                tuple(row) if isinstance(row, (list, tuple)) or (isinstance(row, np.ndarray) and row.ndim) else (row,)
            )
    return found


def legal(game: Any, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns ``row`` if it is a legal move now; otherwise raises what ``play`` raises."""
    if not game.is_legal(*row):
        game.copy().play(*row)
    return row


def replay(
    game: Any, moves: Any = None, *, seconds: float | None = None, progress: Any = None, **options: Any
) -> Animation:
    """Draws a game move by move: the moves played so far, or the given moves from the current position.

    * ``game``: a game, which is not changed.
    * ``moves``: ``(n, rank)`` numbers, or a string of keys if the game has keys; at most a million moves. ``None`` (the
      default) for the moves played so far.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of moves drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.
    * ``options``: those of ``picture``.

    >>> import gridwright as gw
    >>> replay(gw.Bloxorz.level("level01"), "rr").captions
    ('start', '1 of 2: right', '2 of 2: right')
    """
    from . import caption, picture

    arguments.game("game", game)
    copy = game.copy()
    if moves is None:
        rows: list[tuple[Any, ...]] = [tuple(row) for row in copy.moves.tolist()]
        copy.reset()
    else:
        rows = rows_of(game, moves)
    options["theme"] = film_theme(options.get("theme"))
    frames, captions = [picture(copy, **options)], ["start"]
    for index, row in ProgressReporter(progress).each(enumerate(rows, 1)):
        words = caption(copy, row if moves is None else legal(copy, row))
        if moves is None:
            copy.redo()  # `play` would refuse an illegal play that `LinearDomination.draw` recorded
        else:
            copy.play(*row)
        frames.append(picture(copy, **options))
        captions.append(f"{index} of {len(rows)}: {words}")
    return Animation(frames, captions, seconds=seconds, title=f"{type(game).__name__}, {counted(len(rows), 'move')}")
