"""Serves the OpenAPI documents at ``/openapi/v2`` and ``/openapi/v3``.

Source of the rules: KEP-2896, "OpenAPI v3": the index, its hashes, and that a document asked for with its
hash may be kept for ever.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping
from email.utils import formatdate
from urllib.parse import quote

import orjson

from kube_twisted.endpoints.groupversion import APIGroup
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.routes import Routes
from kube_twisted.schema.builtin import BuiltinSchema

_YEAR = 365 * 24 * 3600
_JSON = ("application/json", "application/*", "*/*")
_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
#: What clients ask for, and what it is called in the answer.
_V3_TYPES = dict.fromkeys(_JSON, "application/json")
_V2_TYPES = {**_V3_TYPES, _PROTOBUF: _PROTOBUF, _PROTOBUF.replace("v2.v1.0", "v2@v1.0"): _PROTOBUF}


def install_openapi(tree: Routes, groups: Callable[[], list[APIGroup]], schema: BuiltinSchema, *,
                    paths: Callable[[], list[str]], version: str = "1.36") -> OpenAPIDocuments:
    """Serve OpenAPI v2 and v3.

    :param groups: those whose kinds are built in; documents of others are published with
        :meth:`OpenAPIDocuments.publish_custom` and :meth:`OpenAPIDocuments.publish`.
    :param paths: the fixed paths that the server has.
    :returns: to be told when something is installed or removed.
    """
    documents = OpenAPIDocuments(groups, schema, paths, version)
    serving = _Serving(documents)
    tree.route("/openapi/v2", serving.v2)
    tree.route("/openapi/v3", serving.index)
    tree.route("/openapi/v3/<path:name>", serving.v3, listed=False)
    return documents


class _Serving:
    """The handlers; like the original's, they don't look at the method."""

    def __init__(self, documents: OpenAPIDocuments) -> None:
        self._documents = documents

    async def index(self, _request: Request) -> Response:
        """Where the v3 documents are. The type is the one that the original's clients know."""
        addresses = {**{name: one.address for name, one in self._documents.remote.items()},
                     **{name: _address(name, one.hash) for name, one in self._documents.v3().items()}}
        paths = {name: {"serverRelativeURL": address} for name, address in sorted(addresses.items())}
        return Response(200, orjson.dumps({"paths": paths}), "text/plain; charset=utf-8")

    async def v3(self, request: Request, name: str) -> Response:
        """One document: 404 for an unknown name, 301 when it is asked for with an old hash."""
        name = name.rstrip("/")
        document = self._documents.v3().get(name)
        if document is None:
            remote = self._documents.remote.get(name)
            return await remote.handler(request) if remote is not None else Response(404, b"", "")
        if not _negotiate(request, _V3_TYPES):
            return _not_acceptable()
        headers = [("Etag", f'"{document.hash}"')]
        asked = request.parameter("hash")
        if asked:
            if asked != document.hash:
                return Response(301, b"", headers=[*headers, ("Location", _address(name, document.hash))])
            headers += [("Cache-Control", "public, immutable"),
                        ("Expires", formatdate(request.received + _YEAR, usegmt=True))]
        if _unchanged(request, document.hash):
            return Response(304, b"", headers=headers)
        return _answer(request, self._documents.compressed(name)[1], headers)

    async def v2(self, request: Request) -> Response:
        """The v2 document, in JSON or protobuf."""
        content_type = _negotiate(request, _V2_TYPES)
        if not content_type:
            return _not_acceptable()
        document = self._documents.v2()
        headers = [("Etag", f'"{document.hash}"')]
        if _unchanged(request, document.hash):
            return Response(304, b"", headers=headers)
        body = self._documents.compressed_v2(content_type == _PROTOBUF)[1]
        return _answer(request, body, headers, content_type)


def _address(name: str, digest: str) -> str:
    return f"/openapi/v3/{quote(name)}?hash={digest}"


def _negotiate(request: Request, offered: Mapping[str, str]) -> str:
    """The first type that the client names of those offered, as the answer calls it; empty for none."""
    accepted = _listed(request.transport.header("accept") or "*/*")
    return next((offered[one] for one in accepted if one in offered), "")


def _not_acceptable() -> Response:
    return Response(406, b"", "", [("Vary", "Accept")])


def _unchanged(request: Request, digest: str) -> bool:
    """Whether the client has the document already."""
    tags = _listed(request.transport.header("if-none-match") or "")
    return any(tag == "*" or tag.removeprefix("W/") == f'"{digest}"' for tag in tags)


def _answer(request: Request, compressed: bytes, headers: list[tuple[str, str]],
            content_type: str = "application/json") -> Response:
    """Send the document as it is kept to those who can read it so."""
    headers = [*headers, ("Vary", "Accept, Accept-Encoding")]
    if "gzip" in _listed(request.transport.header("accept-encoding") or ""):
        return Response(200, compressed, content_type, [*headers, ("Content-Encoding", "gzip")])
    return Response(200, gzip.decompress(compressed), content_type, headers)


def _listed(header: str) -> Iterable[str]:
    return [one.split(";")[0].strip() for one in header.split(",")]
