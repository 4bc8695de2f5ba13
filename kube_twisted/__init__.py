"""A Kubernetes API server in Python, on Twisted."""

__version__ = "0.1.0"
