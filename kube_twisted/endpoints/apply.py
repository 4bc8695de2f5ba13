"""Server-side apply (KEP-555): the fields that one manager wants, merged into the object as it is."""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.api.jsonvalue import json_kind
from kube_twisted.codec import yaml
from kube_twisted.endpoints.update import check_name
from kube_twisted.endpoints.writing import Writing
from kube_twisted.registry.conversion import ConversionError
from kube_twisted.registry.objectmeta import ensure_namespace
from kube_twisted.registry.strategy import Obj

_CONVERTING = "error converting YAML to JSON"


class Applying:
    """One apply patch.

    :param raw: YAML or JSON.
    :raises StatusError: 400 when it is no object.
    """

    def __init__(self, writing: Writing, raw: bytes) -> None:
        self.writing = writing
        self.scope = writing.scope
        self._duplicates: list[str] = []
        self.applied = self._parsed(raw)

    def _parsed(self, raw: bytes) -> Obj:
        try:
            applied, duplicates = yaml.parse(raw)
        except ValueError as error:
            raise errors.bad_request(f"error decoding YAML: {_CONVERTING}: {error}") from None
        self._duplicates = duplicates
        if applied is None:
            applied = {}
        if not isinstance(applied, dict):
            raise errors.bad_request("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot "
                                     f"unmarshal {json_kind(applied)} into Go value of type map[string]interface {{}}")
        return applied

    def _report_duplicates(self) -> None:
        """Fields that stand twice are complained about when all else is well.

        :raises StatusError: 400 where they are refused.
        """
        directive = self.writing.options.get("fieldValidation", "")
        if self._duplicates and directive == "Strict":
            raise errors.bad_request(
                f"error strict decoding YAML: {_CONVERTING}: {yaml.duplicate_error(self._duplicates)}")
        if directive != "Ignore":
            for text in self._duplicates:
                self.writing.request.add_warning(text)

    async def transform(self, old: Obj | None) -> Obj:
        """The object after the apply.

        :raises StatusError: 409 when other managers own what it changes, and ``force`` is not set.
        """
        writing, scope = self.writing, self.scope
        live = scope.writable(old) if old is not None else None
        merged = await writing.applied(live, self.applied)
        self._report_duplicates()
        obj = self._decode(merged)
        check_name(writing.request, obj["metadata"])
        ensure_namespace(obj["metadata"], writing.namespace)
        if old is not None:
            return await writing.changed_object(old, obj)
        uid = obj["metadata"].get("uid")
        if uid:
            raise errors.conflict(scope.group_resource, writing.request.info.name, "uid mismatch: the provided object "
                                  f"specified uid {uid}, and no existing object was found")
        hub = scope.merge(None, obj)
        await writing.admit(writing.attributes("CREATE", hub, None))
        return hub

    def _decode(self, merged: Obj) -> Obj:
        kind = self.scope.body_kind
        meta, named = merged.get("metadata", {}), f"{kind.api_version}, Kind={kind.kind}"
        described = f"({meta.get('namespace', '')}/{meta.get('name', '')}; {named})"
        try:
            decoded = self.scope.reading.merged(merged, [])
            return self.writing.defaulted(decoded.obj)
        except ValueError as error:
            raise errors.plain_internal(f"failed to convert new object {described} to proper version: "
                                        f"unable to convert unstructured object to {named}: {error}") from None
        except ConversionError as error:
            raise errors.plain_internal(f"failed to convert to unversioned {described}: {error.why}") from None

