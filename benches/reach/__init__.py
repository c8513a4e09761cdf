"""Measurements by topic; ``rows()`` of each module compares gridwright with peers (other libraries) and limits."""
