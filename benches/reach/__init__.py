"""Measurements by topic. The function ``rows`` of each topic compares gridwright with other libraries and limits."""
