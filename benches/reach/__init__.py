"""Measurements by topic; the ``rows()`` of a module compare gridwright with peers (other libraries) and with limits."""
