"""Schemas and shortcuts for the tests of structural schemas."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from kube_twisted.api.field import FieldError
from kube_twisted.schema.structural.model import Structural, compile_schema
from kube_twisted.schema.structural.validation import validate
from kube_twisted.schema.types import Struct
from tests.schema.shared_schema import shared_schema

STRING: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}
PRESERVE = "x-kubernetes-preserve-unknown-fields"
EMBEDDED = "x-kubernetes-embedded-resource"
INT_OR_STRING: dict[str, Any] = {"x-kubernetes-int-or-string": True}


@cache
def meta() -> Struct:
    return shared_schema().definition("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")


def obj(**properties: Any) -> dict[str, Any]:
    """The schema of an object."""
    return {"type": "object", "properties": properties}


def array(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def mapping(values: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values, **more}


def list_of(kind: str, items: dict[str, Any], *keys: str) -> dict[str, Any]:
    """The schema of a ``set`` or ``map`` list."""
    more = {"x-kubernetes-list-map-keys": list(keys)} if keys else {}
    return array(items, **{"x-kubernetes-list-type": kind}, **more)


def kind(**spec: Any) -> Structural:
    """A custom kind with these fields in its spec."""
    return compile_schema(obj(spec=obj(**spec)))


def custom(**spec: Any) -> dict[str, Any]:
    """An object of such a kind."""
    return {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": spec}


def complaints(schema: dict[str, Any], value: Any) -> list[str]:
    """What is wrong with ``spec.f`` of the schema given."""
    return texts(validate(custom(f=value), kind(f=schema)))


def texts(errors: list[FieldError]) -> list[str]:
    return [str(one) for one in errors]


def _schemas(children: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    names = st.sampled_from("abc")
    return st.one_of(
        st.builds(lambda fields, keep: {**obj(**fields), **({PRESERVE: True} if keep else {})},
                  st.dictionaries(names, children, min_size=1, max_size=3), st.booleans()),
        st.builds(array, children),
        st.builds(mapping, st.one_of(children, st.booleans())),
    )


_SCALARS = st.sampled_from([STRING, INTEGER, {"type": "boolean"}, {**STRING, "nullable": True},
                            {**STRING, "default": "d"}, {**INTEGER, "default": 7}, {PRESERVE: True}])
#: Schemas of three fields, nested.
SCHEMAS = st.dictionaries(st.sampled_from("abc"), st.recursive(_SCALARS, _schemas, max_leaves=12),
                          min_size=1, max_size=3).map(lambda fields: obj(**fields))
#: Objects that fit such schemas more or less.
VALUES = st.dictionaries(
    st.sampled_from("abcde"),
    st.recursive(st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text("xy", max_size=2)),
                 lambda below: st.one_of(st.lists(below, max_size=3),
                                         st.dictionaries(st.sampled_from("abcde"), below, max_size=4)),
                 max_leaves=12), max_size=5)
