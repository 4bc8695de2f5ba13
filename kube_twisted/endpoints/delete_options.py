"""DeleteOptions sent as the body of a DELETE."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.codec import json, yaml
from kube_twisted.codec.body import MediaType, recognize
from kube_twisted.codec.protobuf.decode import decode_message
from kube_twisted.codec.protobuf.envelope import Envelope, unwrap
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import decode

_KIND = "DeleteOptions"
_STRUCT = GroupVersionKind("", "v1", _KIND)
_MESSAGE = "meta.v1.DeleteOptions"
_SCHEME = "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"


def decode_options(raw: bytes, media_type: MediaType, schema: BuiltinSchema) -> dict[str, Any]:
    """Read DeleteOptions of any group; unknown fields don't matter.

    :raises StatusError: 400.
    """
    try:
        content = _parse(raw, media_type)
        gvk = content.gvk if isinstance(content, Envelope) else recognize(content)
        if gvk.kind and gvk.kind != _KIND:
            raise ValueError(f"no kind {go_quote(gvk.kind)} is registered for version {go_quote(gvk.api_version)} "
                             f"in scheme {go_quote(_SCHEME)}")
        if isinstance(content, Envelope):
            content = decode_message(_MESSAGE, content.raw)
        options = decode(schema.kind(_STRUCT), content or {})
    except ValueError as error:
        raise errors.bad_request(str(error)) from None
    for key in ("kind", "apiVersion"):
        options.pop(key, None)
    return options


def _parse(raw: bytes, media_type: MediaType) -> Any:
    if media_type == "yaml":
        return yaml.parse(raw)[0]
    if media_type == "protobuf":
        return unwrap(raw)
    try:
        return json.parse(raw)
    except ValueError as error:
        raise ValueError(f"couldn't get version/kind; json parse error: {error}") from None
