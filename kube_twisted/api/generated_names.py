"""Names made from a base and five random characters, as ``metadata.generateName`` asks for."""

from __future__ import annotations

import random

#: No vowels, and no characters that look alike: nothing rude, nothing misread.
_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"
_LONGEST_BASE = 58


def generate_name(base: str) -> str:
    """``base`` cut to 58 characters and five random ones."""
    return base[:_LONGEST_BASE] + "".join(random.choices(_ALPHABET, k=5))
