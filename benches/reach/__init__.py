"""Measurements by topic.

The function ``rows`` of each topic compares gridwright with other libraries, limits of the machine, or other work of
its own.
"""
