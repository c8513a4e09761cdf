"""Checks of arguments that the films share."""

from __future__ import annotations

from typing import Any

__all__ = ["expect", "whole"]


def expect(game: Any, kind: type) -> None:
    """Raises ``TypeError`` if a game is not of the class that a film is about."""
    if not isinstance(game, kind):
        raise TypeError(f"game must be of class {kind.__name__}, got {type(game).__name__}")


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Returns a whole number between two bounds; raises ``TypeError`` or ``ValueError`` naming the argument."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, got {type(value).__name__}")
    number = value.__index__()
    if not low <= number <= high:
        shown = number if abs(number) < 10**18 else "a huge number"
        raise ValueError(f"{name} must be between {low} and {high}, got {shown}")
    return int(number)
