"""What is wrong with a configuration, in one line."""

from __future__ import annotations


class ConfigError(Exception):
    """The configuration cannot be used. The text is one line that names the file and the key."""
