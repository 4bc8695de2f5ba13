"""Turns the body of a request into an object of the expected kind, or into the original's 400."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Literal

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.codec import json, yaml
from kube_twisted.codec.protobuf.decode import decode_message
from kube_twisted.codec.protobuf.envelope import Envelope, unwrap
from kube_twisted.codec.protobuf.messages import message_of_definition
from kube_twisted.codec.scanner import read
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import DecodeError, decode
from kube_twisted.schema.strict import inspect
from kube_twisted.schema.types import Struct

MediaType = Literal["json", "yaml", "protobuf"]

#: Numbers in JSON that are no longer what was written once they are floats: a quantity is a text for the original.
_QUANTITIES_AS_WRITTEN = re.compile(rb":\s*-?(?:[\d.]{17}|[\d.]+[eE])")
_SUMMARY_BYTES = 30
_META_STRUCT = (r'struct { APIVersion string "json:\"apiVersion,omitempty\""; '
                r'Kind string "json:\"kind,omitempty\"" }')
_LEGACY_SCHEME = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"
#: The scheme that a group is decoded with, where it is not that of most groups.
_SCHEMES = {
    "apiextensions.k8s.io": "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55",
    "apiregistration.k8s.io": "k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28",
}
#: Packages of the original's internal types, where they are not the first part of the group's name.
_PACKAGES = {"": "core", "internal.apiserver.k8s.io": "apiserverinternal"}
#: Kinds that are the same thing in another group, by group and kind.
_SAME_AS = {
    ("events.k8s.io", "Event"): "core", ("events.k8s.io", "EventList"): "core",
    ("apps", "Scale"): "autoscaling",
    **{("extensions", kind): "apps" for kind in ("DaemonSet", "DaemonSetList", "Deployment", "DeploymentList",
                                                 "DeploymentRollback", "ReplicaSet", "ReplicaSetList")},
    **{("extensions", kind): "networking" for kind in ("Ingress", "IngressList", "NetworkPolicy",
                                                       "NetworkPolicyList")},
    ("extensions", "Scale"): "autoscaling",
}


class UnrecognizedError(ValueError):
    """The body does not even tell its kind; the message is the original's."""


@frozen
class Decoded:
    """An object out of a request's body.

    :ivar gvk: the kind that the body is of; its version may be another accepted one than the expected.
    :ivar strict_errors: unknown and duplicate fields, as errors of strict decoding.
    :ivar misfit: why it can't be used all the same, to be said after the errors above.
    """

    obj: dict[str, Any]
    gvk: GroupVersionKind
    strict_errors: tuple[str, ...] = ()
    misfit: errors.StatusError | None = None

    @property
    def warnings(self) -> list[str]:
        """The strict errors as warnings, one for each line of a YAML error."""
        warnings: list[str] = []
        for error in self.strict_errors:
            lines = error.removeprefix("yaml: unmarshal errors:\n").split("\n")
            warnings += [line.strip() for line in lines]
        return warnings

    def strict_error(self, expected: GroupVersionKind) -> errors.StatusError:
        """The 400 of ``fieldValidation=Strict``."""
        return not_handled(self.gvk, expected, "strict decoding error: " + ", ".join(self.strict_errors))


def decode_body(raw: bytes, media_type: MediaType, expected: GroupVersionKind, schema: BuiltinSchema,
                accepts: Collection[GroupVersion] = ()) -> Decoded:
    """Decode a body of a built-in kind.

    :param expected: the kind of the resource; a body without kind or version is taken to be of it.
    :param accepts: further group versions of which the body may be; the object is in that version then, and
        the caller converts it. A version without a definition has the shape of the expected one.
    :raises StatusError: 400, when the body is not understood or of something else.
    """
    try:
        content, yaml_duplicates = _parse(raw, media_type)
        gvk = kind_of(content, expected) if media_type != "protobuf" else with_defaults(content.gvk, expected)
    except ValueError as error:
        raise unrecognized(expected, str(error), raw) from None
    _check_registered(gvk, expected, raw, schema)
    struct = _struct(gvk, expected, schema, accepts)
    obj: dict[str, Any] = {}
    strict_errors: list[str] = []
    if struct is not None:
        try:
            obj, strict_errors = _decode(raw, media_type, content, gvk, struct)
        except DecodeError as error:
            raise not_handled(gvk, expected, str(error)) from None
    if gvk is not expected:
        _check_convertible(gvk, expected, accepts)
    if yaml_duplicates:
        strict_errors = [yaml.duplicate_error(yaml_duplicates), *strict_errors]
    return Decoded(obj, gvk, tuple(strict_errors))


def scheme_of(group: str) -> str:
    """What the original's messages name as that which knows the kinds of a group."""
    return _SCHEMES.get(group, _LEGACY_SCHEME)


def _check_registered(gvk: GroupVersionKind, expected: GroupVersionKind, raw: bytes,
                      schema: BuiltinSchema) -> None:
    if not gvk.version:
        body = raw.decode("utf-8", "replace")
        raise not_handled(gvk, expected, f"Object 'apiVersion' is missing in '{body}'")
    if not schema.is_registered(gvk):
        scheme = scheme_of(expected.group)
        raise not_handled(gvk, expected, f'no kind "{gvk.kind}" is registered for version '
                                         f'"{gvk.api_version}" in scheme "{scheme}"')


def _check_convertible(gvk: GroupVersionKind, expected: GroupVersionKind,
                       accepts: Collection[GroupVersion]) -> None:
    if (internal_type(gvk), gvk.kind) != (internal_type(expected), expected.kind):
        raise not_handled(gvk, expected, f"converting ({gvk.version}.{gvk.kind}) to "
                                         f"({internal_type(expected)}.{expected.kind}): unknown conversion")
    if gvk.group_version != expected.group_version and gvk.group_version not in accepts:
        raise errors.bad_request(f"the API version in the data ({gvk.api_version}) does not match the "
                                 f"expected API version ({expected.api_version})")


def _struct(gvk: GroupVersionKind, expected: GroupVersionKind, schema: BuiltinSchema,
            accepts: Collection[GroupVersion]) -> Struct | None:
    """What to decode into; nothing for a kind that is known only to be refused."""
    try:
        return schema.kind(gvk)
    except KeyError:
        return schema.kind(expected) if gvk.group_version in accepts else None


def _parse(raw: bytes, media_type: MediaType) -> tuple[Any, list[str]]:
    """What the body says, and a YAML body's duplicate keys; of protobuf only the envelope is read yet."""
    if media_type == "yaml":
        return yaml.parse(raw)
    if media_type == "protobuf":
        return unwrap(raw), []
    try:
        return json.parse(raw), []
    except json.NumberRangeError as error:
        return error.value, []
    except json.JSONSyntaxError as error:
        raise UnrecognizedError(f"couldn't get version/kind; json parse error: {error}") from None


def kind_of(parsed: Any, expected: GroupVersionKind) -> GroupVersionKind:
    """The kind of a body; what it does not say is as expected.

    :raises ValueError: as :func:`recognize`.
    """
    if type(parsed) is dict and parsed.get("kind") == expected.kind \
            and parsed.get("apiVersion") == expected.api_version:
        return expected
    return with_defaults(recognize(parsed), expected)


def recognize(parsed: Any) -> GroupVersionKind:
    """What kind a body says it is; empty parts where it says nothing.

    The names ``kind`` and ``apiVersion`` are found whatever their case.

    :raises ValueError: for a body that is no object, or a malformed version, worded as the original's error.
    """
    if parsed is None:
        return GroupVersionKind("", "", "")
    if not isinstance(parsed, dict):
        raise _no_kind(f"json: cannot unmarshal {_json_type(parsed)} into Go value of type {_META_STRUCT}")
    kind, api_version = parsed.get("kind"), parsed.get("apiVersion")
    if type(kind) is not str or type(api_version) is not str:
        kind, api_version = _recognize_slowly(parsed)
    group_version = GroupVersion.parse(api_version)
    return GroupVersionKind(group_version.group, group_version.version, kind)


def _recognize_slowly(parsed: dict[str, Any]) -> tuple[str, str]:
    found = {"kind": "", "apiversion": ""}
    for key, value in parsed.items():
        folded = key.lower()
        if folded in found and value is not None:
            if not isinstance(value, str):
                name = "kind" if folded == "kind" else "apiVersion"
                raise _no_kind(f"json: cannot unmarshal {_json_type(value)} into Go struct field .{name} "
                               "of type string")
            found[folded] = value
    return found["kind"], found["apiversion"]


def _no_kind(why: str) -> UnrecognizedError:
    return UnrecognizedError(f"couldn't get version/kind; json parse error: {why}")


def _json_type(value: Any) -> str:
    names: dict[type, str] = {str: "string", bool: "bool", list: "array", dict: "object"}
    return names.get(type(value), "number")


def with_defaults(actual: GroupVersionKind, expected: GroupVersionKind) -> GroupVersionKind:
    """Fill what a body does not say from what is expected."""
    kind = actual.kind or expected.kind
    if not actual.version and actual.group in ("", expected.group):
        return GroupVersionKind(expected.group, expected.version, kind)
    return GroupVersionKind(actual.group, actual.version, kind)


def _decode(raw: bytes, media_type: MediaType, content: Any, gvk: GroupVersionKind,
            struct: Struct) -> tuple[dict[str, Any], list[str]]:
    """Decode into the body's own kind, with the errors of strict decoding.

    :raises DecodeError: when the body does not fit.
    """
    unknown: list[str] = []
    try:
        parsed = content if media_type != "protobuf" else _message(content, struct)
        if media_type == "json" and (_QUANTITIES_AS_WRITTEN.search(raw) or json.has_duplicates(raw, parsed)):
            obj, unknown = _decode_exactly(struct, raw)
        else:
            obj = decode(struct, parsed, unknown)
    except DecodeError as error:
        exact = inspect(struct, read(raw)).error if media_type == "json" else None
        raise DecodeError(exact or str(error)) from None
    keep_reset(parsed, obj)
    return _with_type(obj, gvk), unknown


def _message(envelope: Envelope, struct: Struct) -> dict[str, Any]:
    """The object in an envelope, as sent.

    :raises DecodeError: when it is no message of the kind.
    """
    try:
        return decode_message(message_of_definition(struct.name), envelope.raw)
    except ValueError as error:
        raise DecodeError(str(error)) from None


def keep_reset(parsed: Any, obj: dict[str, Any]) -> None:
    """An empty list of managedFields, which decoding drops, means that ownership is forgotten (KEP-555)."""
    meta = parsed.get("metadata") if isinstance(parsed, dict) else None
    if isinstance(meta, dict) and meta.get("managedFields") == []:
        obj["metadata"]["managedFields"] = []


def _decode_exactly(struct: Struct, raw: bytes) -> tuple[dict[str, Any], list[str]]:
    """Decode a document in which something may stand twice: it is merged as Go does."""
    found = inspect(struct, read(raw))
    if found.error is not None:
        raise DecodeError(found.error)
    return decode(struct, found.value), found.messages


def _with_type(obj: dict[str, Any], gvk: GroupVersionKind) -> dict[str, Any]:
    """Add kind and version in front where they were left out of the body."""
    if "kind" in obj and "apiVersion" in obj:
        return obj
    return {"kind": gvk.kind, "apiVersion": gvk.api_version, **obj}


def internal_type(gvk: GroupVersionKind) -> str:
    """The package of a kind's internal type, as conversion errors name it: ``core``, ``apps``."""
    same = _SAME_AS.get((gvk.group, gvk.kind))
    return same or _PACKAGES.get(gvk.group) or gvk.group.partition(".")[0]


def not_handled(gvk: GroupVersionKind, expected: GroupVersionKind, why: str) -> errors.StatusError:
    """400: the kind of the body is clear, but it can't be used."""
    return errors.bad_request(f'{gvk.kind} in version "{gvk.version}" cannot be handled as a '
                              f"{expected.kind}: {why}")


def unrecognized(expected: GroupVersionKind, why: str, raw: bytes) -> errors.StatusError:
    """400: not even the kind of the body is clear."""
    return errors.bad_request(f"the object provided is unrecognized (must be of type {expected.kind}): {why} "
                              f"({summarize(raw)})")


def summarize(raw: bytes) -> str:
    """The start of a body for an error message; hexadecimal when it does not look like an object."""
    if not raw:
        return "<empty>"
    start = raw[:_SUMMARY_BYTES]
    shown = start.decode("utf-8", "replace") if raw[:1] == b"{" else start.hex()
    return f"{shown} ..." if len(raw) > _SUMMARY_BYTES else shown
