"""Finds what Services hold and should not, or should hold and do not, and mends what can be mended."""
