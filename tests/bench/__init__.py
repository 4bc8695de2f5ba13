"""How fast a server is, next to a bare Twisted resource on the same machine: ``python -m tests.bench``."""
