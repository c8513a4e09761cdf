"""Measurements by topic; ``rows()`` of a topic compares gridwright with peers (other libraries) and limits."""
