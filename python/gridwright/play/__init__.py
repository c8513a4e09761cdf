"""The front ends for players: the board in a notebook or browser tab, and the terminal. All of them use `Controls`."""
