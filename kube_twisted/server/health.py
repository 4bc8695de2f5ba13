"""/healthz, /livez and /readyz: named checks, each with a path of its own.

Source of the rules: the Kubernetes documentation, "Kubernetes API health endpoints".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal

from attrs import frozen
from twisted.logger import Logger

from kube_twisted.endpoints.request import NO_SNIFFING, Handler, Request, Response
from kube_twisted.server.layer import LayerTree
from kube_twisted.server.metrics import Family

Endpoint = Literal["healthz", "livez", "readyz"]
_TEXT = "text/plain; charset=utf-8"
_log = Logger()


@frozen
class HealthCheck:
    """One thing that can be wrong.

    :ivar check: says what is wrong, or nothing.
    :ivar endpoints: which endpoints it counts for.
    """

    name: str
    check: Callable[[], str | None]
    endpoints: tuple[Endpoint, ...] = ("healthz", "livez", "readyz")


class HealthResults:
    """What checks said when the whole was asked for: the metrics of ``/metrics/slis`` (KEP-3466)."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], bool] = {}
        self._counts: Counter[tuple[str, str, str]] = Counter()

    def record(self, endpoint: str, name: str, is_good: bool) -> None:
        self._last[name, endpoint] = is_good
        self._counts[name, "success" if is_good else "error", endpoint] += 1

    def families(self) -> list[Family]:
        return [
            Family("kubernetes_healthcheck", "This metric records the result of a single healthcheck.", "gauge",
                   ("name", "type"), lambda: [(labels, float(good)) for labels, good in self._last.items()]),
            Family("kubernetes_healthchecks", "This metric records the results of all healthcheck.", "counter",
                   ("name", "status", "type"), lambda: list(self._counts.items())),
        ]


def install_health(tree: LayerTree, checks: Callable[[], list[HealthCheck]], results: HealthResults) -> None:
    """Serve the three endpoints and the checks' paths below them."""
    for endpoint in ("healthz", "livez", "readyz"):
        tree.route(f"/{endpoint}", _whole(endpoint, checks, results))
        tree.route(f"/{endpoint}/<path:name>", _single(endpoint, checks), listed=False)


def health_paths(checks: list[HealthCheck]) -> list[str]:
    """The paths of single checks, for the index page."""
    return [f"/{endpoint}/{one.name}" for one in checks for endpoint in one.endpoints]


def _whole(endpoint: str, checks: Callable[[], list[HealthCheck]], results: HealthResults) -> Handler:
    async def whole(request: Request) -> Response:
        """All checks but the excluded ones: 200 ``ok``, or 500 with a line each."""
        excluded = set(request.query.get("exclude", ()))
        lines, failed = [], []
        for one in checks():
            if endpoint not in one.endpoints:
                continue
            if one.name in excluded:
                excluded.discard(one.name)
                lines.append(f"[+]{one.name} excluded: ok")
                continue
            problem = one.check()
            results.record(endpoint, one.name, problem is None)
            if problem is None:
                lines.append(f"[+]{one.name} ok")
            else:
                failed.append(one.name)
                _log.warn("{endpoint} check {name} failed: {problem}", endpoint=endpoint, name=one.name,
                          problem=problem)
                lines.append(f"[-]{one.name} failed: reason withheld")
        if excluded:
            names = ", ".join(f'"{name}"' for name in sorted(excluded))
            lines.append(f"warn: some health checks cannot be excluded: no matches for {names}")
        return _answer(endpoint, lines, failed, "verbose" in request.query)

    return whole


def _answer(endpoint: str, lines: list[str], failed: list[str], verbose: bool) -> Response:
    if failed:
        text = "\n".join([*lines, f"{endpoint} check failed"]) + "\n"
        return Response(500, text.encode(), _TEXT, [NO_SNIFFING])
    if verbose:
        text = "\n".join([*lines, f"{endpoint} check passed"]) + "\n"
        return Response(200, text.encode(), _TEXT, [NO_SNIFFING])
    return Response(200, b"ok", _TEXT, [NO_SNIFFING])


def _single(endpoint: str, checks: Callable[[], list[HealthCheck]]) -> Handler:
    async def single(request: Request, name: str = "") -> Response:
        """One check by name: 200 ``ok``, 500 with the reason, 404 when there is no such check."""
        for one in checks():
            if one.name == name and endpoint in one.endpoints:
                problem = one.check()
                if problem is None:
                    return Response(200, b"ok", _TEXT)
                return Response(500, f"internal server error: {problem}\n".encode(), _TEXT, [NO_SNIFFING])
        return Response(404, b"404 page not found\n", _TEXT, [NO_SNIFFING])

    return single
