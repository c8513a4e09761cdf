"""What the specification wants of each world, measured beside its peers: a module a world with ``rows()``."""
