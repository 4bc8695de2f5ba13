"""Errors that the three kinds of patches share."""

from __future__ import annotations

from kube_twisted.api.errors import StatusError


def rejected() -> StatusError:
    """422 for a well-formed patch that does not apply; the original says no more than this."""
    return StatusError(422, "Invalid", "the server rejected our request due to an error in our request", {})
