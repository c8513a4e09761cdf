"""Where a person plays: the board of a notebook or browser tab, and the terminal. All of it stands on `Controls`."""
