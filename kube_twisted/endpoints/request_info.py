"""What a path and a method mean: verb, group, version, namespace, resource, name, subresource.

Source of the rules: apiserver's ``endpoints/request/requestinfo.go``.
"""

from __future__ import annotations

from urllib.parse import unquote

from attrs import define

_VERBS = {"POST": "create", "GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
#: Subresources of a namespace; anything else after its name is a resource in it.
_NAMESPACE_SUBRESOURCES = ("status", "finalize")


class BadRequestPath(Exception):
    """The path looks like an API path but means nothing."""


@define(slots=True)
class RequestInfo:
    """A request as authorization, flow control and metrics see it.

    :ivar prefix: ``/api`` or ``/apis`` for API requests.
    :ivar is_resource: False for everything else, such as ``/healthz``: verb is then the method in lower case.
    :ivar watch_path: the deprecated ``/watch/`` form.
    :ivar parts: resource, name, subresource and the rest of the path.
    """

    path: str
    verb: str
    is_resource: bool = False
    prefix: str = ""
    group: str = ""
    version: str = ""
    namespace: str = ""
    resource: str = ""
    name: str = ""
    subresource: str = ""
    watch_path: bool = False
    parts: tuple[str, ...] = ()


def resolve(method: str, path: str) -> RequestInfo:
    """Read a request's path, still percent-encoded; list, watch and deletecollection by the absence of a name.

    :raises BadRequestPath: for a ``/watch`` or ``/proxy`` prefix with nothing behind it.
    """
    segments = (unquote(path) if "%" in path else path).strip("/").split("/")
    head = segments[0]
    if head == "api":
        skip = 2
    elif head == "apis":
        skip = 3
    else:
        return RequestInfo(path, method.lower())
    if len(segments) <= skip:
        return RequestInfo(path, method.lower(), prefix="/" + head)
    info = RequestInfo(path, _VERBS.get(method, ""), True, "/" + head)
    if head == "apis":
        info.group = segments[1]
    info.version = segments[skip - 1]
    return _resource(info, segments[skip:], path)


def _resource(info: RequestInfo, parts: list[str], path: str) -> RequestInfo:
    if parts[0] in ("watch", "proxy"):
        if len(parts) < 2:
            raise BadRequestPath(f"unable to determine kind and namespace from url, {path}")
        info.watch_path = parts[0] == "watch"
        info.verb = parts[0]
        parts = parts[1:]
    if parts[0] == "namespaces" and len(parts) > 1:
        info.namespace = parts[1]
        if len(parts) > 2 and parts[2] not in _NAMESPACE_SUBRESOURCES:
            parts = parts[2:]
    info.parts = tuple(parts)
    info.resource = parts[0]
    if len(parts) > 1:
        info.name = parts[1]
        if len(parts) > 2:
            info.subresource = parts[2]
    if not info.name:
        if info.verb == "get":
            info.verb = "list"
        elif info.verb == "delete":
            info.verb = "deletecollection"
    return info


def is_watch(query: dict[str, list[str]]) -> bool:
    """Whether the query asks for a watch."""
    values = query.get("watch")
    return values is not None and values[0].lower() not in ("0", "false")
