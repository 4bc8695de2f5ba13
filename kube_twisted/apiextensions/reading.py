"""How what clients send becomes a custom resource: any JSON object that says what it is, cut to its schema.

Source of the rules: the Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions: Field
pruning", and the original's unstructured decoding.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.apiextensions.schemas import VersionSchema, read_metadata
from kube_twisted.codec import json, yaml
from kube_twisted.codec.body import Decoded, MediaType, not_handled, recognize, unrecognized
from kube_twisted.codec.numbers import may_have_unusual, settle
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.structural.pruning import META_FIELDS
from kube_twisted.schema.types import Struct


class _NoKindError(ValueError):
    """The document does not say what it is."""


@frozen
class CustomReading:
    """Reads objects of a custom kind.

    :ivar schemas: of all versions.
    """

    kind: GroupVersionKind
    schemas: Mapping[str, VersionSchema]

    @property
    def _meta(self) -> Struct:
        return self.schemas[self.kind.version].meta

    def body(self, raw: bytes, media_type: MediaType, accepts: Collection[GroupVersion] = ()) -> Decoded:
        try:
            document, duplicates, too_large = _parse(raw, media_type)
            gvk = _recognized(document, lambda: raw)
        except ValueError as error:
            raise unrecognized(self.kind, str(error), raw) from None
        try:
            if too_large is not None:
                raise too_large
            unknown = self._coerce(document, gvk)
        except ValueError as error:
            raise not_handled(gvk, self.kind, str(error)) from None
        return Decoded(document, gvk, (*duplicates, *unknown), self._misfit(gvk))

    def _misfit(self, gvk: GroupVersionKind) -> errors.StatusError | None:
        """400 for another version than the endpoint's."""
        if gvk.group_version == self.kind.group_version:
            return None
        return errors.bad_request(f"the API version in the data ({gvk.api_version}) does not match the expected "
                                  f"API version ({self.kind.api_version})")

    def patched(self, document: Any, duplicates: list[str], relatives: Container[GroupVersionKind] = ()) -> Decoded:
        gvk = _recognized(document, lambda: json.dumps(document))
        obj = settle(deep_copy(document))  # messages show the document as it is
        unknown = self._coerce(obj, gvk)
        return Decoded(obj, gvk, (*duplicates, *unknown))

    def merged(self, document: Any, duplicates: list[str]) -> Decoded:
        decoded = self.patched(document, [])
        return Decoded(decoded.obj, decoded.gvk, tuple(duplicates))

    def live(self, obj: Obj) -> Obj:
        found: Obj = _in_order(obj)
        return found

    def zero(self, extra: Obj) -> Obj:
        return {"kind": self.kind.kind, "apiVersion": self.kind.api_version, "metadata": {}}

    def _coerce(self, document: Obj, gvk: GroupVersionKind) -> list[str]:
        """Cut the document to its schema; the messages about what had to go.

        :raises DecodeError: for a wrong type in metadata.
        """
        if (gvk.group, gvk.kind) != (self.kind.group, self.kind.kind):
            unknown = read_metadata(document, self._meta)
        elif gvk.version in self.schemas:
            unknown = self.schemas[gvk.version].coerce(document)
        else:
            unknown = read_metadata(document, self._meta)
            for name in sorted(document.keys() - META_FIELDS):
                unknown.append(name)
                del document[name]
        return [f'unknown field "{path}"' for path in unknown]


def _parse(raw: bytes, media_type: MediaType) -> tuple[Any, list[str], ValueError | None]:
    """The document, messages about fields that stand twice, and what is to be said once its kind is known.

    :raises ValueError: for what is no document.
    """
    if media_type == "yaml":
        document, repeated = yaml.parse(raw)
        return document, [yaml.duplicate_error(repeated)] if repeated else [], None
    try:
        document = json.parse(raw)
    except json.NumberRangeError as error:
        return error.value, [], error
    except json.JSONSyntaxError as error:
        raise ValueError(f"couldn't get version/kind; json parse error: {error}") from None
    if may_have_unusual(raw):
        document = settle(document)
    return document, json.duplicate_fields(raw, document), None


def _recognized(document: Any, text: Callable[[], bytes]) -> GroupVersionKind:
    """:raises ValueError: when it does not say its kind."""
    gvk = recognize(document)
    if not gvk.kind:
        raise _NoKindError(f"Object 'Kind' is missing in '{text().decode('utf-8', 'replace')}'")
    return gvk


def _in_order(value: Any) -> Any:
    """Data with all names sorted, as Go writes maps."""
    if isinstance(value, dict):
        return {name: _in_order(value[name]) for name in sorted(value)}
    return [_in_order(one) for one in value] if isinstance(value, list) else value
