"""Reading a webhook's review: its kind and version first, worded as the original's decoder."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.codec import json, yaml
from kube_twisted.codec.body import recognize

#: How the original names the place where webhook kinds are registered.
_SCHEME = "k8s.io/apiserver/pkg/util/webhook/client.go:71"
_KNOWN_TO_ALL = GroupVersionKind("", "v1", "Status")


def read_review(body: bytes, expected: GroupVersionKind, versions: tuple[str, ...]) -> dict[str, Any]:
    """The review.

    :param expected: what was asked for; what the body does not say is taken to be so.
    :param versions: in which the kind is known.
    :raises ValueError: when it isn't such a review.
    """
    review = _parsed(body)
    said = recognize(review)
    kind = evolve(said, kind=said.kind or expected.kind)
    if not said.version:
        kind = evolve(kind, group=said.group or expected.group, version=expected.version)
    if kind == expected:
        return review or {}
    is_version = (kind.group, kind.kind) == (expected.group, expected.kind) and kind.version in versions
    if is_version or kind == _KNOWN_TO_ALL:
        raise ValueError(f"converting ({kind.version}.{kind.kind}) to ({expected.version}.{expected.kind}): "
                         "unknown conversion")
    raise ValueError(f"no kind {go_quote(kind.kind)} is registered for version {go_quote(kind.api_version)} "
                     f"in scheme {go_quote(_SCHEME)}")


def _parsed(body: bytes) -> Any:
    """What begins like an object is JSON, anything else YAML: ``hello`` is a string."""
    if not body.lstrip().startswith(b"{"):
        return yaml.parse(body)[0]
    try:
        return json.parse(body)
    except ValueError as error:
        raise ValueError(f"couldn't get version/kind; json parse error: {error}") from None
