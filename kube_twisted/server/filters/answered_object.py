"""The object of an answer, for the audit log."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.logger import Logger

from kube_twisted.codec.protobuf.decode import decode_message
from kube_twisted.codec.protobuf.envelope import unwrap
from kube_twisted.codec.protobuf.messages import message_of
from kube_twisted.endpoints.negotiation import JSON, PROTOBUF, YAML
from kube_twisted.endpoints.request import Response

_log = Logger()


def answered_object(response: Response) -> dict[str, Any] | None:
    """The object, whatever it is encoded in; None for what is no object of the API."""
    try:
        document = _decoded(response.content_type.split(";", 1)[0], response.body)
    except ValueError:
        _log.failure("an answer can't be recorded")
        return None
    return document if isinstance(document, dict) and "kind" in document else None


def _decoded(media_type: str, body: bytes) -> Any:
    """:raises ValueError: for what is not so encoded."""
    if media_type == JSON:
        return orjson.loads(body)
    if media_type == YAML:
        from kube_twisted.codec import yaml

        return yaml.parse(body)[0]
    if media_type != PROTOBUF:
        return None
    envelope = unwrap(body)
    message = message_of(envelope.gvk)
    if message is None:
        return None
    return {"kind": envelope.kind, "apiVersion": envelope.api_version, **decode_message(message, envelope.raw)}
