"""Pictures in a row: one SVG that holds all frames, a player that needs no kernel, and GIF, PNG and HTML files."""

from __future__ import annotations

import base64
import io
import math
import os
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import MoveError
from ..progress import Teller
from .svg import Picture, number
from .theme import LIGHT, Theme

__all__ = ["Animation", "replay"]

_SVG = "{http://www.w3.org/2000/svg}"
_CAPTION = 26.0
"""Height of the line under the picture that holds the caption."""

# Attributes that mean the same on a group and on each of its members.
_SHARED = re.compile(r'<g(?: (?:transform|fill|stroke|stroke-[a-z]+|fill-opacity|font-[a-z]+|text-anchor)="[^"]*")*>')


@dataclass
class _Layer:
    """A piece of SVG, the groups it stands in, and the frames that show it, one bit a frame."""

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
    """An animation: a notebook object that plays in a page with no kernel, and a file in the format of your choice.

    ``frames`` are ``Picture`` objects or SVG texts, ``captions`` a line of words for each, ``seconds`` the time a frame
    is seen (by default so that all of it takes about 15 s). In a notebook the picture has a slider, buttons and speeds;
    where scripts may not run it plays by itself.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> film = Animation([game.svg(), game.svg(theme="dark")], ["day", "night"])
    >>> len(film), film
    (2, Animation of 2 frames)
    >>> film.svg()[:4]
    '<svg'
    """

    def __init__(
        self,
        frames: Iterable[Picture | str],
        captions: Iterable[str] = (),
        *,
        seconds: float | None = None,
        title: str | None = None,
        description: str | None = None,
    ) -> None:
        pictures = list(frames)
        if not pictures:
            raise ValueError("an animation of no frames, wanted one or more")
        self._frames = [_frame(one) for one in pictures]
        self.captions: tuple[str, ...] = tuple(str(words) for words in captions)
        if self.captions and len(self.captions) != len(self._frames):
            raise ValueError(f"{len(self.captions)} captions, wanted {len(self._frames)}, one a frame")
        if seconds is not None and not (isinstance(seconds, int | float) and 0.01 <= seconds <= 60):
            raise ValueError(f"{seconds!r} seconds a frame, wanted 0.01 to 60")
        self.seconds: float = seconds or min(0.6, max(0.05, 15 / len(self._frames)))
        first, last = self._frames[0], self._frames[-1]
        self.title = title or f"{first.title}, {len(self)} frames"
        if description is None and first.description != last.description:
            description = f"At first: {first.description} At the end: {last.description}"
        self.description = description or first.description
        self._theme: Theme = pictures[0].theme if isinstance(pictures[0], Picture) else LIGHT
        wide = max((0.62 * 14 * len(words) + 24 for words in self.captions), default=0.0)
        self._inner = max(frame.width for frame in self._frames)
        self.width: float = max(self._inner, min(wide, 760.0))
        self.height: float = max(frame.height for frame in self._frames) + (_CAPTION if self.captions else 0)

    def __len__(self) -> int:
        """The number of frames."""
        return len(self._frames)

    def __repr__(self) -> str:
        return f"Animation of {len(self)} frames"

    def frame(self, index: int) -> str:
        """Gives one frame as SVG text, with its caption.

        >>> Animation(['<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>']).frame(0)[:4]
        '<svg'
        """
        frame = self._frames[index]
        layers = [_Layer(groups, part, 1) for groups, part in frame.parts]
        words = [_Layer((), self._words(self.captions[index]), 1)] if self.captions else []
        return self._document(_markup(layers, 1, 1.0), _markup(words, 1, 1.0), frame.title, frame.description)

    def svg(self) -> str:
        """Gives all frames as one SVG text that plays by itself (SMIL): what does not change stands there once."""
        return self._document(
            _markup(_merge([frame.parts for frame in self._frames]), len(self), self.seconds),
            _markup(_merge([[((), self._words(words))] for words in self.captions]), len(self), self.seconds),
            self.title,
            self.description,
            f' data-frames="{len(self)}" data-seconds="{number(self.seconds)}"',
        )

    def _words(self, caption: str) -> str:
        size = min(14.0, (self.width - 16) / (0.6 * max(1, len(caption))))
        style = f'font-family="DejaVu Sans, Verdana, sans-serif" font-size="{number(size)}" text-anchor="middle"'
        x, y = number(self.width / 2), number(self.height - _CAPTION / 2 + 0.36 * size - 2)
        return f'<text class="caption" x="{x}" y="{y}" {style} fill="{self._theme.ink}">{escape(caption)}</text>'

    def _document(self, inside: str, words: str, title: str, description: str, more: str = "") -> str:
        wide, high = number(self.width), number(self.height)
        shift = (self.width - self._inner) / 2
        if shift:
            inside = f'<g transform="translate({number(shift)} 0)">\n{inside}\n</g>'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
            f'role="img" aria-label="{escape(title)}"{more}>',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            f'<rect width="{wide}" height="{high}" fill="{self._theme.page}"/>',
            inside,
            words,
            "</svg>",
        ]
        return "\n".join(line for line in lines if line)

    def fragment(self) -> str:
        """Gives HTML for the middle of a page: the self-playing picture, and a script that makes it a player."""
        source = base64.b64encode(self.svg().encode()).decode()
        return (
            '<div class="gridwright-animation">'
            f'<img src="data:image/svg+xml;base64,{source}" alt="{escape(self.title)}" style="max-width:100%">'
            f"<script>{_player()}</script></div>"
        )

    def html(self) -> str:
        """Gives a stand-alone HTML page with the player.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").animate("rrd").html()[:15]
        '<!doctype html>'
        """
        title = escape(self.title)
        colours = f"background:{self._theme.page};color:{self._theme.ink}"
        style = f"body{{margin:2em auto;max-width:60em;font-family:sans-serif;{colours}}}"
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
            f'<meta name="viewport" content="width=device-width"><style>{style}</style></head>\n'
            f"<body>\n{self.fragment()}\n</body></html>\n"
        )

    def save(self, path: str | os.PathLike[str], *, scale: float = 1.0, progress: Any = None) -> None:
        """Writes the animation, by the ending: ``.html`` (player), ``.svg`` (plays by itself), ``.gif``, ``.png``.

        GIF and animated PNG need ``gridwright[images]``; ``scale`` makes them larger, and ``progress`` is called with
        the frames that are drawn, or has an ``update`` like tqdm's.
        """
        file = Path(path)
        ending = file.suffix.lower()
        if ending == ".html":
            file.write_text(self.html(), encoding="utf-8")
        elif ending == ".svg":
            file.write_text(self.svg(), encoding="utf-8")
        elif ending in (".gif", ".png", ".apng"):
            self._save_pixels(file, "GIF" if ending == ".gif" else "PNG", scale, Teller(progress))
        else:
            raise ValueError(f"an animation with the ending {ending!r}, wanted .html, .svg, .gif or .png")

    def _save_pixels(self, file: Path, form: str, scale: float, tell: Teller) -> None:
        from . import png

        try:
            from PIL import Image
        except ImportError:
            raise ImportError("GIF and PNG animations need pillow: pip install 'gridwright[images]'") from None
        images = []
        for index in range(len(self)):
            images.append(Image.open(io.BytesIO(png(self.frame(index), scale=scale))).convert("RGB"))
            tell.add(1)
        if form == "GIF":
            images = _with_one_palette(images)
        each = max(20, round(self.seconds * 1000))
        durations = [each] * (len(images) - 1) + [max(each, 1500)]
        if len(images) == 1:
            images[0].save(file, format=form)
        else:
            images[0].save(file, format=form, save_all=True, append_images=images[1:], duration=durations, loop=0)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.fragment(), "text/plain": f"{self!r}: {self.title}"}


def _player() -> str:
    """The script of the player, without the blanks and comments that only its readers need."""
    lines = (line.strip() for line in (Path(__file__).parent / "player.js").read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _with_one_palette(images: list[Any]) -> list[Any]:
    """The images with the 255 colours that cover most of all, kept as they are.

    Unchanged tiles would flicker with a palette for each, and Pillow's own mapping shifts even colours that are in it.
    """
    from PIL import Image

    weights = np.array([1 << 16, 1 << 8, 1])
    counts: Counter[int] = Counter()
    for image in images:
        values, numbers = np.unique(np.asarray(image) @ weights, return_counts=True)
        counts.update(dict(zip(values.tolist(), numbers.tolist(), strict=True)))
    palette = np.array([[code >> 16, code >> 8 & 255, code & 255] for code, _ in counts.most_common(255)])
    result = []
    for image in images:
        values, places = np.unique(np.asarray(image) @ weights, return_inverse=True)
        colours = np.stack([values >> 16, values >> 8 & 255, values & 255], axis=1)
        nearest = np.abs(colours[:, None] - palette[None]).sum(axis=2).argmin(axis=1).astype(np.uint8)
        flat = Image.fromarray(nearest[places].reshape(image.height, image.width))
        flat.putpalette(palette.astype(np.uint8).tobytes())
        result.append(flat)
    return result


def _frame(one: Picture | str) -> _Frame:
    if isinstance(one, Picture):
        return _Frame(one.width, one.height, one.title, one.description, tuple(_flat(one.parts)))
    if not isinstance(one, str):
        raise TypeError(f"a frame of type {type(one).__name__}, wanted a Picture or SVG text")
    try:
        root = ElementTree.fromstring(one)
    except ElementTree.ParseError as error:
        raise ValueError(f"a frame that is no SVG ({error}), wanted SVG text") from None
    box = [float(word) for word in re.findall(r"[-\d.]+", root.get("viewBox", ""))][2:]
    sides = [re.match(r"[\d.]+", root.get(name, "")) for name in ("width", "height")]
    size = box or [float(side.group()) for side in sides if side]
    if root.tag != f"{_SVG}svg" or len(size) != 2:
        raise ValueError("a frame that is no SVG with a width and a height, wanted SVG text")
    words = {name: root.findtext(f"{_SVG}{name}") or "" for name in ("title", "desc")}
    children = [child for child in root if child.tag not in (f"{_SVG}title", f"{_SVG}desc")]
    parts = tuple(((), _serialised(child)) for child in children)
    return _Frame(size[0], size[1], words["title"] or "Animation", words["desc"], parts)


def _serialised(element: ElementTree.Element) -> str:
    """An element as text, without the name space that the picture around it has."""
    text = ElementTree.tostring(element, encoding="unicode")
    return re.sub(r"(</?)ns0:", r"\1", text.replace(' xmlns:ns0="http://www.w3.org/2000/svg"', "")).strip()


def _flat(parts: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each piece with the groups it stands in; a group that is more than the sum of its members stays one piece."""
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
    """One list of layers in which each frame is what its bit shows, in the order in which it was drawn."""
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
            # Pieces that were seen earlier come back where that keeps the order.
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
    """Runs of the new list that are in the old one too, and what stands between them; both ends are compared first."""
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
    """Writes layers, those of the same groups and frames together."""
    out: list[str] = []
    every = (1 << frames) - 1
    last: tuple[int, tuple[str, ...]] = (every, ())
    for layer in [*layers, _Layer((), "", every)]:
        key = (layer.shown, layer.groups)
        if key != last:
            out += ["</g>"] * (len(last[1]) + (last[0] != every))
            if layer.shown != every:
                out.append(_shown(layer.shown, frames, seconds))
            out += layer.groups
            last = key
        out.append(layer.part)
    return "\n".join(line for line in out if line)


def _shown(bits: int, frames: int, seconds: float) -> str:
    """Opens a group that is seen in some frames only."""
    runs = []
    index = 0
    while bits >> index:
        start = index + ((bits >> index) & -(bits >> index)).bit_length() - 1
        rest = ~(bits >> start)
        index = start + (rest & -rest).bit_length() - 1
        runs.append((start, index))
    # The last frame stays for a moment before all begins again.
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


def rows_of(game: Any, moves: Any) -> list[tuple[Any, ...]]:
    """Reads several moves: ``(n, rank)`` numbers, or a text of keys; ``MoveError`` for anything else."""
    wanted = f"wanted numbers of shape (n, {len(game.bounds)})" + (" or a text of keys" if game.KEYS else "")
    if isinstance(moves, (bytes, bytearray, dict, set)) or (isinstance(moves, str) and not game.KEYS):
        raise MoveError(f"moves of type {type(moves).__name__}, {wanted}")
    try:
        rows = list(moves)
    except TypeError:
        raise MoveError(f"moves of type {type(moves).__name__}, {wanted}") from None
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
    """Gives a move back that may be made now; raises what ``play`` raises for any other."""
    if not game.is_legal(*row):
        game.copy().play(*row)
    return row


def replay(
    game: Any, moves: Any = None, *, seconds: float | None = None, progress: Any = None, **options: Any
) -> Animation:
    """Draws a game move by move: the moves played so far, or, from where the game stands, the moves given.

    ``moves`` is what ``play`` takes several of: ``(n, rank)`` numbers, or a text of keys where the game has them.
    The game itself stays as it is. ``options`` are those of ``svg``.
    """
    from . import caption, picture

    copy = game.copy()
    if moves is None:
        rows: list[tuple[Any, ...]] = [tuple(row) for row in game.moves.tolist()]
        copy.reset()
    else:
        rows = rows_of(game, moves)
    frames, captions = [picture(copy, **options)], ["start"]
    for index, row in Teller(progress).each(enumerate(rows, 1)):
        words = caption(copy, row if moves is None else legal(copy, row))
        if moves is None:
            copy.redo()  # what was played may hold what `play` would refuse: draws of Linear Domination
        else:
            copy.play(*row)
        frames.append(picture(copy, **options))
        captions.append(f"{index} of {len(rows)}: {words}")
    name = type(game).__name__
    return Animation(frames, captions, seconds=seconds, title=f"{name}, {len(rows)} moves")
