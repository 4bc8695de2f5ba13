"""What is counted and timed of requests, under the labels that kube-apiserver gives them.

Only requests that find a handler count: refusals of the filters, and paths and methods that are not there, do not.
"""

from __future__ import annotations

from collections import defaultdict

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
#: Values of the labels :data:`NAMES`, and of ``dry_run`` as the last.
Key = tuple[str, ...]


class _Series:
    """What is counted of the requests under one key.

    :ivar answers: their number, by the code of the answer and the component that asked.
    :ivar durations: None for watches.
    :ivar net_durations: without the time spent waiting for seats; None for watches and dry runs.
    :ivar sizes: of what was read whole, in bytes; None as long as nothing was.
    """

    __slots__ = ("answers", "durations", "is_read", "net_durations", "sizes")

    def __init__(self, verb: str, dry_run: str) -> None:
        self.answers: dict[tuple[int, str], int] = defaultdict(int)
        is_watch = verb == "WATCH"
        self.durations = None if is_watch else Histogram(DURATIONS)
        self.net_durations = None if is_watch or dry_run else Histogram(_NET_DURATIONS)
        self.is_read = verb in ("GET", "LIST")
        self.sizes: Histogram | None = None


class RequestCounts:
    """Counts of requests, with their durations and the sizes of what was read."""

    def __init__(self) -> None:
        self._series: dict[Key, _Series] = {}

    def count(self, request: Request, response: Response, seconds: float) -> None:
        key = key_of(request)
        if key is None:
            return
        series = self._series.get(key)
        if series is None:
            series = self._series[key] = _Series(key[0], key[-1])
        series.answers[response.code, _system_client(request)] += 1
        if series.durations is None:
            return
        series.durations.observe(seconds)
        if series.net_durations is not None:
            series.net_durations.observe(max(0.0, seconds - request.queued))
        if series.is_read and not isinstance(response, StreamingResponse):
            if series.sizes is None:
                series.sizes = self._sizes_of(key)
            series.sizes.observe(len(response.body))

    def _sizes_of(self, key: Key) -> Histogram:
        """The histogram that all keys share which differ only in the dry run."""
        shared = (one.sizes for other, one in self._series.items() if other[:-1] == key[:-1])
        return next((sizes for sizes in shared if sizes is not None), None) or Histogram(_SIZES)

    # -- what was counted, each with its labels -------------------------------------------------------------------

    def requests(self) -> list[tuple[Key, int]]:
        return [((*key, str(code), client), count) for key, series in self._series.items()
                for (code, client), count in series.answers.items()]

    def durations(self) -> list[tuple[Key, Histogram]]:
        return [(key, series.durations) for key, series in self._series.items() if series.durations is not None]

    def net_durations(self) -> list[tuple[Key, Histogram]]:
        """Without the time spent waiting for seats, and without those of dry runs."""
        return [(key[:-1], series.net_durations) for key, series in self._series.items()
                if series.net_durations is not None]

    def sizes(self) -> list[tuple[Key, Histogram]]:
        found = {key[:-1]: series.sizes for key, series in self._series.items() if series.sizes is not None}
        return list(found.items())


def key_of(request: Request) -> Key | None:
    """What a request is counted under: few things, whatever clients make up; None for what does not count."""
    info = request.info
    if not info.is_resource:
        subresource, component = _PATHS.get(info.path, ("", ""))
        if not subresource and info.path.startswith(_BELOW_OPENAPI):
            subresource = "openapi/v3/"
        return (_method(request), "", "", "", subresource, "", component, "") if subresource else None
    if not request.found:
        return None
    scope = "resource" if info.name or info.verb == "create" else "namespace" if info.namespace else "cluster"
    return (_verb(request, scope), info.group, info.version, info.resource, info.subresource, scope, "apiserver",
            _dry_run(request))


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


def _dry_run(request: Request) -> str:
    if not request.query_text or "dryRun" not in request.query:
        return ""
    return "All" if set(request.query["dryRun"]) == {"All"} else "invalid"


def _system_client(request: Request) -> str:
    """The component that asks, as far as its user agent says so."""
    name, slash, _ = (request.transport.header("user-agent") or "").partition("/")
    return name if slash and name in _SYSTEM_CLIENTS else ""
