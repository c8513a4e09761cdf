"""The measurements: one module per world, whose ``rows()`` compare it with peers (other libraries) and with limits."""
