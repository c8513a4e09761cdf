"""The front ends for players: the board of a notebook or browser tab, and the terminal. All of them use `Controls`."""
