"""Requests that last: they have no timeout, take no seats for long, and are audited when they begin."""

from __future__ import annotations

from kube_twisted.endpoints.request_info import RequestInfo

_VERBS = frozenset(("watch", "proxy"))
_SUBRESOURCES = frozenset(("attach", "exec", "proxy", "log", "portforward"))
_PATHS = "/debug/pprof/"


def is_long_running(info: RequestInfo) -> bool:
    """Whether a request may take as long as it likes."""
    return info.verb in _VERBS or info.subresource in _SUBRESOURCES or (
        not info.is_resource and info.path.startswith(_PATHS))
