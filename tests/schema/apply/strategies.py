"""Hypothesis strategies: sets of paths and objects of the test kind."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from kube_twisted.schema.apply.fieldset import FieldSet, from_paths

#: Few examples, the same ones each time.
few = settings(max_examples=50, derandomize=True)

_ELEMENTS = st.sampled_from(["f:a", "f:b", "f:c", 'k:{"name":"x"}', 'k:{"port":80}', 'v:"y"'])
PATHS = st.lists(_ELEMENTS, min_size=1, max_size=4).map(tuple)
SETS: st.SearchStrategy[FieldSet] = st.lists(PATHS, max_size=8).map(from_paths)

_TEXT = st.sampled_from(["1", "2", "3"])
_STRINGS = st.dictionaries(st.sampled_from(["k", "l", "m"]), _TEXT, max_size=3)


def _optional(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=parts)


def _keyed(items: st.SearchStrategy[dict[str, Any]], *keys: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(items, max_size=3, unique_by=lambda item: tuple(item.get(key) for key in keys))


_PORTS = _keyed(st.fixed_dictionaries({"port": st.integers(80, 82)}, optional={"name": _TEXT}), "port")
_CONTAINERS = _keyed(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["a", "b", "c"])},
        optional={"image": _TEXT, "env": _STRINGS, "args": st.lists(_TEXT, max_size=2), "ports": _PORTS},
    ),
    "name",
)
_SPECS = _optional(
    replicas=st.integers(0, 3),
    containers=_CONTAINERS,
    selector=_STRINGS,
    tags=st.lists(_TEXT, max_size=3, unique=True),
    nested=_optional(a=_TEXT, b=_TEXT),
    free=_optional(x=_TEXT, y=_STRINGS),
)

#: Objects of the test kind, as users write them.
THINGS: st.SearchStrategy[dict[str, Any]] = st.builds(
    lambda meta, rest: {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "t", **meta}, **rest},
    _optional(labels=_STRINGS, finalizers=st.lists(_TEXT, max_size=2, unique=True)),
    _optional(spec=_SPECS, data=_STRINGS),
)
