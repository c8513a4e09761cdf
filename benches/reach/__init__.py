"""Measurements by topic.

The function ``rows`` of each topic compares gridwright with other libraries, with limits of the machine, or with other
work of gridwright itself. The topic ``growth`` has no rows, only points of a plot.
"""
