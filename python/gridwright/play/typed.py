"""Plays games from typed lines: for pipes, for terminals if Textual is not installed, and for screen readers.

>>> import gridwright as gw
>>> lines = []
>>> play(gw.Bloxorz.level("level01"), ["rr", "fly", "undo"], say=lines.append)
0
>>> lines[3], lines[4]
('rolls 2, falls 0, par 7', 'not understood: fly (try: rrdr, undo, hint, help, quit)')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..controls import Controls, Verb
from ..draw import legend, numbered
from ..words import counted, nearest, readable

__all__ = ["play"]

_COMMON = {
    "undo": "take the last move back",
    "redo": "play again what was taken back",
    "restart": "go back to the start",
    "hint": "show where the next step is; repeat to play it",
    "solve": "let the solver play to the end",
    "next": "go to the next level",
    "levels": "list the levels",
    "level": "play a level, as in: level level02",
    "new": "play a new puzzle, as in: new, new 7 (seed){example}",
    "set": "change a setting, as in: {example}; on its own, list the settings",
    "board": "show the board again",
    "help": "show this list",
    "quit": "leave",
}
_NUMBER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_MAX_DIGITS = 9
_ARROWS = {"u": "up", "d": "down", "l": "left", "r": "right"}


class _Typo(Exception):
    """Raised for a line that is not understood; the text of the exception is the message for the player."""


class _Quit(Exception):
    """Raised when the player quits."""


def play(
    game: Any,
    lines: Iterable[str],
    *,
    say: Callable[[str], object] = print,
    show: Callable[[Any], str] = numbered,
    prompt: Callable[[], object] | None = None,
) -> int:
    """Plays a game from typed lines until the lines end or the player quits; returns the exit status 0.

    * ``game``: the game to play; the moves change this object, not a copy.
    * ``lines``: the lines that the player types.
    * ``say``: a callable that receives each message for the player; ``print`` by default.
    * ``show``: a callable that returns a game as text; by default, the board with its rows and columns numbered.
    * ``prompt``: a callable without arguments, called before each line is read; ``None`` (the default) for no prompt.
    """
    player = _Player(game.controls(), say, show)
    player.board()
    if prompt is not None:
        prompt()
    for line in lines:
        try:
            player.read(line)
        except _Quit:
            break
        except _Typo as typo:
            say(str(typo))
        if prompt is not None:
            prompt()
    return 0


class _Player:
    """Executes typed lines and answers each line."""

    def __init__(self, controls: Controls, say: Callable[[str], object], show: Callable[[Any], str]) -> None:
        self.controls, self.say, self.show = controls, say, show
        # If a move is a single number, several letters can be typed as one word, such as rrdr: each letter is a key.
        self.letters = {name for name in controls.keys if len(name) == 1} if len(controls.game.bounds) == 1 else set()
        # The key h is left out, because the word hint does the same.
        letters = sorted(self.letters - {"h"})
        self.word = "rrdr" if {"r", "d"} <= self.letters else "".join(letters[:4])

    def board(self) -> None:
        """Shows the board, a table of the labels if there are any, and the scores."""
        self._say_all(self._shown())

    def _say_all(self, parts: list[str]) -> None:
        for part in parts:
            self.say(part)

    def _shown(self) -> list[str]:
        controls = self.controls
        parts = [self.show(controls.game), ", ".join(str(score) for score in controls.scores)]
        if labels := controls.labels():
            height, width = controls.game.shape
            rows = [[str(row), *(labels.get((row, col), ".") for col in range(width))] for row in range(height)]
            rows.insert(0, ["", *map(str, range(width))])
            wide = max(len(text) for row in rows for text in row)
            parts.insert(1, "\n".join(" ".join(text.rjust(wide) for text in row) for row in rows))
        return parts

    def read(self, line: str) -> None:
        """Executes a line; raises ``_Typo`` if it is not understood."""
        # Messages quote the line, and a control character in them could change the colors of the terminal.
        line = readable(" ".join(line.split()), len(line) + 3)
        words = re.sub(r"[(),;]", " ", line).split()
        if not words:
            # An empty line is the Enter that starts the next level after a win.
            if self.controls.upcoming is not None:
                self._tell(self.controls.next_level)
            return
        word, rest = words[0].lower(), words[1:]
        verb = self.controls.VERBS.get(word)
        if word in ("quit", "q", "exit"):
            raise _Quit
        if verb is not None:
            self._verb(word, verb, rest)
        elif word in _COMMON:
            self._common(word, rest)
        elif self.letters and all(set(one.lower()) <= self.letters for one in words):
            self._tell(lambda: self._keys("".join(words).lower()))
        else:
            raise _Typo(f"not understood: {line.strip()[:60]} ({self._examples(word)})")

    def _keys(self, letters: str) -> None:
        """Presses keys one after another until a message appears, such as the one about a fall."""
        for number, letter in enumerate(letters, 1):
            self.controls.key(letter)
            # A hint sets the message too, but the next key may be the second `h`, which plays the hint.
            if self.controls.message and letter != "h" and number < len(letters):
                left = len(letters) - number
                rest = f"{counted(left, 'key')} after it {'was' if left == 1 else 'were'} not played"
                self.controls.message += f" This was key {number}; {rest}."
                return

    def _examples(self, word: str) -> str:
        """Returns a similar word, or examples of what can be typed in this game."""
        known = [*self.controls.VERBS, *_COMMON]
        guess = nearest(word, known)
        if guess.startswith("did you mean"):
            return guess
        own = [verb.example for verb in self.controls.VERBS.values()]
        return "try: " + ", ".join([*own, *([self.word] if self.word else []), "undo", "hint", "help", "quit"])

    def _verb(self, word: str, verb: Verb, rest: list[str]) -> None:
        if verb.action == "key":
            if len(rest) != 1:
                raise _Typo(f"{word} takes one direction, as in: {verb.example}")
            key = rest[0].lower()
            # On square tiles, the letters u, d, l and r stand for the arrow keys.
            named = key if self._is_direction(word, key) else _ARROWS.get(key, "")
            if not self._is_direction(word, named):
                allowed = [letter for letter, arrow in _ARROWS.items() if self._is_direction(word, arrow)]
                allowed += [
                    letter for letter in self.controls.keys if len(letter) == 1 and self._is_direction(word, letter)
                ]
                raise _Typo(f"{word} takes one of {' '.join(allowed)}, got {rest[0][:20]}")
            self._tell(lambda: self.controls.key(named))
            return
        cells = self._cells(word, verb, rest, 2 if verb.action == "pair" else 1)
        if verb.action == "pair":
            self._tell(lambda: self._pair(*cells))
        else:
            second, third = verb.action == "second", verb.action == "third"
            self._tell(lambda: self.controls.click(cells[0], second, third=third))

    def _is_direction(self, word: str, key: str) -> bool:
        """Returns whether a key belongs to a verb, that is, whether the description of the key contains the verb."""
        return word in self.controls.keys.get(key, "")

    def _pair(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        controls = self.controls
        if controls.selected is not None:
            controls.key("escape")
        controls.click(one)
        if controls.selected == one:
            controls.click(other)
            if controls.selected is not None:
                controls.key("escape")

    def _cells(self, word: str, verb: Verb, rest: list[str], count: int) -> list[tuple[int, int]]:
        if len(rest) != 2 * count or not all(_NUMBER.fullmatch(one) for one in rest):
            cells = "a row and a column" if count == 1 else "two cells, each a row and a column"
            given = f"; got {' '.join(rest)[:30]}" if rest else ""
            raise _Typo(f"{word} takes {cells}, as in: {verb.example}{given}")
        game = self.controls.game
        height, width = game.shape
        numbers = []
        for place, one in enumerate(rest):
            name, bound = ("row", height) if place % 2 == 0 else ("column", width)
            digits = one.lstrip("+0") or "0"
            number = int(digits) if len(digits) <= _MAX_DIGITS else bound
            if not 0 <= number < bound:
                raise _Typo(f"{name} must be between 0 and {bound - 1}, got {one[:20]}")
            numbers.append(number)
        # The rules of a game may allow a move from a cell to the same cell, such as a line of no length.
        equal = count == 2 and numbers[:2] == numbers[2:]
        if equal and not (len(game.bounds) == 4 and game.is_legal(*numbers)):
            raise _Typo(f"{word} takes two different cells, as in: {verb.example}")
        return [(numbers[at], numbers[at + 1]) for at in range(0, len(numbers), 2)]

    def _common(self, word: str, rest: list[str]) -> None:
        controls = self.controls
        if rest and word not in ("level", "new", "set"):
            raise _Typo(f"{word} takes no further words, got {' '.join(rest)[:30]}")
        if word == "help":
            self._help()
        elif word == "board":
            self.board()
        elif word == "levels":
            for level in controls.levels:
                best = "" if level.best is None else f", best {level.best}"
                done = "solved" + best if level.solved else ""
                self.say(f"{level.name:18} {level.grade:10} {done}".rstrip())
        elif word == "level":
            names = [level.name for level in controls.levels]
            known = [*names, *type(controls.game).levels()]
            name = " ".join(rest)
            if name not in known:
                problem = f"no level {name[:20]}" if name else "level takes a name"
                raise _Typo(f"{problem}; {nearest(name, names)}")
            self._tell(lambda: controls.level(name))
        elif word == "new":
            if len(rest) > 2 or (len(rest) == 2 and rest[1] not in controls.difficulties):
                grades = ", ".join(controls.difficulties)
                given = " ".join(rest)
                raise _Typo(f"new takes a seed{f' and one of {grades}' if grades else ''}, got {given[:30]}")
            # A single word may be a difficulty instead of a seed.
            asked = (None, *rest) if len(rest) == 1 and rest[0] in controls.difficulties else rest
            self._tell(lambda: controls.new(*asked))
        elif word == "set":
            self._set(rest)
        elif word == "next":
            self._tell(controls.next_level)
        elif word == "solve":
            self._tell(controls.finish)
        else:
            self._tell(getattr(controls, word))

    def _set(self, rest: list[str]) -> None:
        settings = {one.name: one for one in self.controls.settings}
        if not settings:
            raise _Typo("this game has no settings")
        if not rest:
            for one in settings.values():
                self.say(f"{one.name} {one.value}: one of {', '.join(one.choices)}")
            return
        chosen = settings.get(rest[0])
        value = " ".join(rest[1:])
        if chosen is None:
            raise _Typo(f"no setting {rest[0][:20]}; {nearest(rest[0], settings)}")
        if value not in chosen.choices:
            given = f", got {value[:20]}" if value else ""
            raise _Typo(f"{chosen.name} must be one of {', '.join(chosen.choices)}{given}")
        self._tell(lambda: self.controls.choose(chosen.name, value), f"{chosen.name} {value}")

    def _tell(self, action: Callable[[], object], otherwise: str = "nothing has changed") -> None:
        """Performs an action; shows a changed title, the board if it, a label or a score changed, and any message.

        ``otherwise`` is shown if none of them changed and there is no message.
        """
        controls = self.controls
        before, title = self._shown(), controls.title
        action()
        now = self._shown()
        if controls.title != title:
            self.say(controls.title)
        if now != before:
            self._say_all(now)
        elif not controls.message:
            self.say(otherwise)
        if controls.message:
            self.say(controls.message)
            shown = controls.marks().get("hint", ())
            if shown and not controls.over:
                self.say("look at " + ", ".join(f"({row}, {col})" for row, col in shown))

    def _help(self) -> None:
        lines = [(f"{verb.example}", verb.words) for verb in self.controls.VERBS.values()]
        if self.word:
            names: dict[str, list[str]] = {}
            for letter in sorted(self.letters - {"h"}):
                names.setdefault(self.controls.keys[letter], []).append(letter)
            lines.append((self.word, "; ".join(f"{', '.join(letters)}: {words}" for words, letters in names.items())))
        common = dict(_COMMON)
        grades = self.controls.difficulties
        example = f", new 7 {grades[-2:][0]} (seed and difficulty)" if grades else ""
        common["new"] = common["new"].format(example=example)
        if settings := self.controls.settings:
            common["set"] = common["set"].format(example=f"set {settings[0].name} {settings[0].choices[-1]}")
        else:
            del common["set"]
        lines += common.items()
        wide = max(len(word) for word, _ in lines)
        for word, words in lines:
            self.say(f"{word:{wide}}  {words}")
        if symbols := legend(self.controls.game):
            self.say("symbols: " + "; ".join(f"{symbol} {words}" for symbol, words in symbols))
