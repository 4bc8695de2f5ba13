"""Documents and watch events as bytes in the agreed format: JSON, YAML or protobuf."""

from __future__ import annotations

from typing import Any

import orjson

from kube_twisted.codec.json import pretty
from kube_twisted.codec.protobuf.envelope import encode_event, encode_object
from kube_twisted.endpoints.negotiation import PROTOBUF, YAML, Representation
from kube_twisted.endpoints.request import Response


def document(chosen: Representation, data: dict[str, Any], code: int = 200,
             headers: list[tuple[str, str]] | None = None) -> Response:
    """An answer with an object, a list or a Status.

    :raises LookupError: for protobuf, when the kind has no message.
    """
    return Response(code, _encode(chosen, data), chosen.media_type, headers)


def _encode(chosen: Representation, data: dict[str, Any]) -> bytes:
    if chosen.media_type == PROTOBUF:
        return encode_object(data)
    if chosen.media_type == YAML:
        from kube_twisted.codec import yaml

        return yaml.dump(data)
    return pretty(orjson.dumps(data)) if chosen.pretty else orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE)


def event(media_type: str, type_: str, data: dict[str, Any]) -> bytes:
    """A frame of a watch stream.

    :raises LookupError: for protobuf, when the kind has no message.
    """
    if media_type == PROTOBUF:
        return encode_event(type_, data)
    return orjson.dumps({"type": type_, "object": data}) + b"\n"


def stream_type(media_type: str) -> str:
    """The Content-Type of a watch stream."""
    return f"{media_type};stream=watch" if media_type == PROTOBUF else media_type
