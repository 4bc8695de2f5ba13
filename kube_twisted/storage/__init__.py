"""The ordered log of revisions, its backends, and the watch cache on top of it."""
