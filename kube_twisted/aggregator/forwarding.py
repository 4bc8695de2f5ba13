"""What of a request and of its answer is passed on by a proxy, and what is changed.

Source of the rules: ``httputil.ReverseProxy`` of Go, and ``UpgradeAwareHandler`` of k8s.io/apimachinery.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import normpath
from urllib.parse import quote, quote_plus, unquote_to_bytes

from twisted.web.http_headers import Headers

from kube_twisted.aggregator.upstream import is_user_header, user_headers
from kube_twisted.endpoints.request import Request

#: About one connection only (RFC 9110, 7.6.1), and what older servers send instead.
_HOP_BY_HOP = frozenset(("connection", "proxy-connection", "keep-alive", "proxy-authenticate", "proxy-authorization",
                         "te", "trailer", "transfer-encoding", "upgrade"))
#: Said anew, or for this server alone.
_NOT_SENT = frozenset(("host", "content-length", "expect", "authorization", "impersonate-user", "impersonate-group",
                       "impersonate-uid"))
_IMPERSONATED_EXTRA = "impersonate-extra-"
#: This server tells its own, or lets nobody tell them.
_NOT_ANSWERED = frozenset(("date", "content-length", "content-type", "audit-id", "access-control-allow-credentials",
                           "access-control-allow-headers", "access-control-allow-methods",
                           "access-control-allow-origin"))
#: What Go's ``net/url`` leaves as it is in a path, besides letters and digits.
_UNESCAPED = "/$&+,:;=@-_.~"


def target(request: Request) -> str:
    """Path and query as they are sent on: decoded, as they were understood here, and encoded anew."""
    path = quote(unquote_to_bytes(request.path), safe=_UNESCAPED)
    pairs = [f"{quote_plus(name)}={quote_plus(value)}" for name in sorted(request.query)
             for value in request.query[name]]
    return f"{path}?{'&'.join(pairs)}" if pairs else path


def wants_upgrade(request: Request) -> bool:
    """Whether the connection is to become one of another protocol, such as WebSocket."""
    return any("upgrade" in value.lower() for value in request.transport.headers("connection"))


def request_headers(request: Request, host: str) -> dict[str, list[str]]:
    """The headers of a request that is sent on: with the user instead of the user's credentials.

    :param host: where it is sent to, as in its URL.
    """
    came = request.transport.all_headers()
    dropped = _HOP_BY_HOP | _NOT_SENT | _named_in(came.get("connection", ()))
    sent = {name: values for name, values in came.items()
            if name not in dropped and not name.startswith(_IMPERSONATED_EXTRA) and not is_user_header(name)}
    address = request.transport.remote_address
    sent["x-forwarded-for"] = [", ".join([*came.get("x-forwarded-for", ()), *([address] if address else ())])]
    sent["x-forwarded-uri"] = [_cleaned(target(request).partition("?")[0])]
    if "trailers" in came.get("te", ()):
        sent["te"] = ["trailers"]
    sent["x-forwarded-host"] = [host]
    sent["x-forwarded-proto"] = ["https"]
    if request.audit_id:
        sent["audit-id"] = [request.audit_id]
    return sent | user_headers(request.user)


def _cleaned(path: str) -> str:
    """The path without empty segments and dots; a slash at its end stays."""
    cleaned = "/" + normpath(path).lstrip("/")
    return cleaned + "/" if path.endswith("/") and cleaned != "/" else cleaned


def answer_headers(headers: Headers) -> list[tuple[str, str]]:
    """The headers of an answer that is passed back, without its type and length."""
    raw = {name.decode("latin-1"): [one.decode("utf-8", "replace") for one in values]
           for name, values in headers.getAllRawHeaders()}
    lower: Mapping[str, list[str]] = {name.lower(): values for name, values in raw.items()}
    dropped = _HOP_BY_HOP | _NOT_ANSWERED | _named_in(lower.get("connection", ()))
    return [(name, value) for name, values in raw.items() if name.lower() not in dropped for value in values]


def _named_in(connection: Iterable[str]) -> frozenset[str]:
    """Headers that a ``Connection`` header says are about the connection."""
    return frozenset(one.strip().lower() for value in connection for one in value.split(","))
