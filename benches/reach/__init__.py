"""What is measured beside peers and limits: one module per world with ``rows()``."""
