"""What is counted and timed of requests, under the labels that kube-apiserver gives them.

Only requests that find a handler count: refusals of the filters, and paths and methods that are not there, do not.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Literal, TypeVar

from attrs import frozen

from kube_twisted.endpoints.request import Request, Response, StreamingResponse
from kube_twisted.util.histogram import Histogram

NAMES = ("verb", "group", "version", "resource", "subresource", "scope", "component")
#: Upper bounds in seconds.
DURATIONS = (0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0,
             20.0, 30.0, 45.0, 60.0)
_NET_DURATIONS = DURATIONS[2:]
#: And in bytes.
_SIZES = (1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9)
_APPLY = "application/apply-patch+yaml"
_METHODS = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE"))
_CONNECTIONS = frozenset(("log", "exec", "portforward", "attach", "proxy"))
_SYSTEM_CLIENTS = frozenset(("kube-apiserver", "kube-controller-manager", "kube-scheduler"))
#: Paths that are no resources: their name, and the component that serves them.
_PATHS = {"/healthz": ("/healthz", ""), "/livez": ("/livez", ""), "/readyz": ("/readyz", ""),
          "/api": ("api", "apiserver"), "/apis": ("apis", "apiserver"), "/openapi/v3": ("openapi/v3", "")}
_BELOW_OPENAPI = "/openapi/v3/"
_K = TypeVar("_K")
DryRun = Literal["", "All", "invalid"]


@frozen
class Key:
    """What a request is counted under.

    :ivar labels: in the order of :data:`NAMES`.
    """

    labels: tuple[str, ...]
    dry_run: DryRun


class RequestCounts:
    """Counts of requests, with their durations and the sizes of what was read."""

    def __init__(self) -> None:
        self.requests: dict[tuple[Key, int, str], int] = defaultdict(int)
        self.durations: dict[Key, Histogram] = {}
        #: by labels alone, without those of dry runs, and without the time spent waiting for seats
        self.net_durations: dict[tuple[str, ...], Histogram] = {}
        self.sizes: dict[tuple[str, ...], Histogram] = {}

    def count(self, request: Request, response: Response, seconds: float) -> None:
        key = key_of(request)
        if key is None:
            return
        self.requests[key, response.code, _system_client(request)] += 1
        verb = key.labels[0]
        if verb == "WATCH":
            return
        _observe(self.durations, key, DURATIONS, seconds)
        if not key.dry_run:
            _observe(self.net_durations, key.labels, _NET_DURATIONS, max(0.0, seconds - request.queued))
        if verb in ("GET", "LIST") and not isinstance(response, StreamingResponse):
            _observe(self.sizes, key.labels, _SIZES, len(response.body))


def _observe(histograms: dict[_K, Histogram], key: _K, bounds: tuple[float, ...], value: float) -> None:
    found = histograms.get(key)
    if found is None:
        found = histograms[key] = Histogram(bounds)
    found.observe(value)


def key_of(request: Request) -> Key | None:
    """What a request is counted under: few things, whatever clients make up; None for what does not count."""
    info = request.info
    if not info.is_resource:
        subresource, component = _PATHS.get(info.path, ("", ""))
        if not subresource and info.path.startswith(_BELOW_OPENAPI):
            subresource = "openapi/v3/"
        return Key((_method(request), "", "", "", subresource, "", component), "") if subresource else None
    if not request.found:
        return None
    scope = "resource" if info.name or info.verb == "create" else "namespace" if info.namespace else "cluster"
    labels = (_verb(request, scope), info.group, info.version, info.resource, info.subresource, scope, "apiserver")
    return Key(labels, _dry_run(request))


def _verb(request: Request, scope: str) -> str:
    """The method, or what stands for it: LIST, WATCH, APPLY or CONNECT."""
    if request.info.verb == "watch":
        return "WATCH"
    if request.info.subresource in _CONNECTIONS:
        return "CONNECT"
    if request.method == "PATCH" and request.transport.header("content-type") == _APPLY:
        return "APPLY"
    if request.method in ("GET", "HEAD") and scope != "resource":
        return "LIST"
    return _method(request)


def _method(request: Request) -> str:
    if request.method == "HEAD":
        return "GET"
    return request.method if request.method in _METHODS else "other"


def _dry_run(request: Request) -> DryRun:
    if not request.query_text or "dryRun" not in request.query:
        return ""
    return "All" if set(request.query["dryRun"]) == {"All"} else "invalid"


def _system_client(request: Request) -> str:
    """The component that asks, as far as its user agent says so."""
    name, slash, _ = (request.transport.header("user-agent") or "").partition("/")
    return name if slash and name in _SYSTEM_CLIENTS else ""
