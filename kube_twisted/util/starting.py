"""Errors that end the start of a program."""

from __future__ import annotations


class StartError(Exception):
    """The program cannot start. The text is one line for the person who started it; no traceback is due."""
