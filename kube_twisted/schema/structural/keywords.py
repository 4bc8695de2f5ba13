"""The type and format of a schema, as value validation reads them."""

from __future__ import annotations

from attrs import frozen

from kube_twisted.schema.structural.formats import FORMATS
from kube_twisted.schema.structural.plans import Schema

_NUMBER_FORMATS = {"integer": ("int32", "int64"), "number": ("float", "double")}


@frozen
class Keywords:
    """What several checks ask about a schema.

    :ivar types: the JSON types that a value may have; none means any.
    :ivar format: "" for a format that says nothing about values of the type: those are ignored.
    """

    schema: Schema
    types: tuple[str, ...]
    format: str
    nullable: bool

    @classmethod
    def of(cls, schema: Schema, for_defaults: bool = False) -> Keywords:
        """Read a schema.

        :param for_defaults: read it as the original does for the sake of its defaults: all formats are kept, and
            what may be an integer or a string may be anything.
        """
        kind = schema.get("type") or ""
        types: tuple[str, ...] = (kind,) if kind else ()
        if schema.get("x-kubernetes-int-or-string") and not for_defaults:
            types = ("integer", "string")
        form = schema.get("format") or ""
        kept = form if for_defaults else _supported_format(types, form)
        return cls(schema, types, kept, bool(schema.get("nullable")))

    @property
    def type(self) -> str:
        """The type if there is exactly one, "" otherwise."""
        return self.types[0] if len(self.types) == 1 else ""


def _supported_format(types: tuple[str, ...], name: str) -> str:
    kind = types[0] if len(types) == 1 else ""
    if kind in ("", "string"):
        return name if name.replace("-", "") in FORMATS else ""
    return name if name in _NUMBER_FORMATS.get(kind, ()) else ""
