"""How asking a webhook ends when it does not allow the write."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.field import go_quote

_CLIENT_ERROR = 400
#: What a ``Status`` may hold; anything else that a webhook says is lost.
_DETAILS = ("name", "group", "kind", "uid", "causes", "retryAfterSeconds")
_LIST_META = ("selfLink", "resourceVersion", "continue", "remainingItemCount")


class CallingFailed(Exception):
    """A webhook could not be asked, or gave no answer that can be used.

    :ivar code: of the HTTP status that this comes nearest to.
    """

    def __init__(self, webhook: str, why: str, code: int) -> None:
        super().__init__(f"failed calling webhook {go_quote(webhook)}: {why}")
        self.code = code


class Rejected(Exception):
    """A webhook said no.

    :ivar status: what the client is told.
    """

    def __init__(self, status: errors.StatusError) -> None:
        super().__init__(status.message)
        self.status = status


def denial(webhook: str, result: dict[str, Any] | None) -> errors.StatusError:
    """What the client is told about a webhook's no: its ``Status``, with the webhook named in the message."""
    result = result or {}
    denied = f"admission webhook {go_quote(webhook)} denied the request"
    code, reason, message = result.get("code") or 0, result.get("reason") or "", result.get("message") or ""
    explained = f"{denied}: {message or reason}" if message or reason else f"{denied} without explanation"
    details = _known(result.get("details"), _DETAILS)
    seconds = (details or {}).get("retryAfterSeconds") or 0
    error = errors.StatusError(max(code, _CLIENT_ERROR), reason, explained, details,
                               {"Retry-After": str(seconds)} if seconds > 0 else None)
    error.list_meta = _known(result.get("metadata"), _LIST_META) or {}
    return error


def _known(value: dict[str, Any] | None, names: tuple[str, ...]) -> dict[str, Any] | None:
    return value and {name: value[name] for name in names if name in value}


def no_dry_run(webhook: str) -> errors.StatusError:
    """400: the webhook does something that a dry run must not do."""
    return errors.bad_request(f"admission webhook {go_quote(webhook)} does not support dry run")
