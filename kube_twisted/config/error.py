"""What is wrong with a configuration, in one line."""

from __future__ import annotations

from kube_twisted.util.starting import StartError


class ConfigError(StartError):
    """The configuration cannot be used. The text is one line that names the file and the key."""
