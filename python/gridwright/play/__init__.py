"""The front ends: the board in a notebook, browser tab or terminal, played through `Controls`, and the level editor."""
