"""Tests for kube_twisted.schema.structural.ownership."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.schema.apply.conflict import ApplyConflict
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.structural.model import compile_schema
from kube_twisted.schema.structural.ownership import ownership
from tests.schema.structural.kinds import (
    EMBEDDED,
    INT_OR_STRING,
    INTEGER,
    PRESERVE,
    STRING,
    array,
    custom,
    list_of,
    mapping,
    meta,
    obj,
)

NOW = "2026-01-01T00:00:00Z"
GVK = GroupVersionKind("example.com", "v1", "Thing")
PORT = obj(name=STRING, port=INTEGER, proto={**STRING, "default": "TCP"})
BLEND = obj(spec=obj(
    ports=list_of("map", PORT, "name", "proto"), atom=array(STRING), set=list_of("set", STRING), gm=mapping(STRING),
    am={**mapping(STRING), "x-kubernetes-map-type": "atomic"}, n=INTEGER,
    st={**obj(a=STRING, b=STRING), "x-kubernetes-map-type": "atomic"}, ios=INT_OR_STRING,
    when={**STRING, "format": "date-time"}, free={"type": "object", PRESERVE: True}, bare={"type": "object"},
    half={**obj(known=obj(x=STRING)), PRESERVE: True}, none=mapping(False), yes=mapping(True),
    tmpl={**obj(spec=obj(x=INTEGER)), EMBEDDED: True}))


def manager(schema: dict[str, Any]) -> FieldManager:
    struct = ownership(compile_schema(schema), GVK, meta())
    return FieldManager(struct, GVK.api_version, kind=GVK.kind, empty={})


def owned(schema: dict[str, Any], thing: dict[str, Any]) -> Any:
    """What the creator of an object owns."""
    manager(schema).update(None, thing, "creator", NOW)
    return thing["metadata"]["managedFields"][0]["fieldsV1"]


class TestOwnership(SynchronousTestCase):
    def spec(self, **spec: Any) -> Any:
        return owned(BLEND, custom(**spec))["f:spec"]

    def test_lists(self) -> None:
        """Map lists are owned by keys, defaults of keys filled in; sets by value; others as a whole."""
        self.assertEqual(self.spec(ports=[{"name": "a", "port": 1}], set=["x"], atom=["1"]), {
            ".": {}, "f:atom": {}, "f:set": {".": {}, 'v:"x"': {}},
            "f:ports": {".": {}, 'k:{"name":"a","proto":"TCP"}': {".": {}, "f:name": {}, "f:port": {}}}})

    def test_maps_and_structs(self) -> None:
        """They are owned key by key unless they are atomic."""
        self.assertEqual(self.spec(gm={"k": "v"}, am={"k": "v"}, st={"a": "1"}, n=1), {
            ".": {}, "f:gm": {".": {}, "f:k": {}}, "f:am": {}, "f:st": {}, "f:n": {}})

    def test_what_the_schema_leaves_open(self) -> None:
        """Unknown fields are owned as their values suggest, also in objects without any description."""
        free = {"deep": {"x": 1}, "list": [{"y": 1}]}
        expected = {".": {}, "f:deep": {".": {}, "f:x": {}}, "f:list": {}}
        self.assertEqual(self.spec(free=free, bare=free, yes=free),
                         {".": {}, "f:free": expected, "f:bare": expected, "f:yes": expected})
        self.assertEqual(self.spec(half={"known": {"x": "1", "more": {"z": 1}}, "other": 1})["f:half"], {
            ".": {}, "f:known": {".": {}, "f:x": {}, "f:more": {".": {}, "f:z": {}}}, "f:other": {}})

    def test_embedded_resources(self) -> None:
        """They have metadata of their own, which is owned as metadata is."""
        tmpl = {"apiVersion": "v1", "kind": "Pod", "spec": {"x": 1},
                "metadata": {"finalizers": ["a/b"], "labels": {"k": "v"}}}
        self.assertEqual(self.spec(tmpl=tmpl)["f:tmpl"], {
            ".": {}, "f:apiVersion": {}, "f:kind": {}, "f:spec": {".": {}, "f:x": {}},
            "f:metadata": {".": {}, "f:finalizers": {".": {}, 'v:"a/b"': {}}, "f:labels": {".": {}, "f:k": {}}}})

    def test_a_root_that_is_all_open(self) -> None:
        """A kind without fields keeps what comes, and has metadata."""
        thing = {**custom(a={"b": 1}), "more": [1]}
        thing["metadata"]["labels"] = {"k": "v"}
        self.assertEqual(owned({"type": "object", PRESERVE: True}, thing), {
            "f:metadata": {"f:labels": {".": {}, "f:k": {}}}, "f:more": {},
            "f:spec": {".": {}, "f:a": {".": {}, "f:b": {}}}})

    def test_fields_that_requests_can_not_set(self) -> None:
        """They are nobody's, whether the schema names them or not."""
        struct = ownership(compile_schema({"type": "object", PRESERVE: True}), GVK, meta())
        thing = {**custom(a=1), "status": {"b": 1}}
        FieldManager(struct, GVK.api_version, reset_fields=(("status",),), empty={}).update(None, thing, "me", NOW)
        self.assertEqual(thing["metadata"]["managedFields"][0]["fieldsV1"], {"f:spec": {".": {}, "f:a": {}}})

    def test_values_that_do_not_fit(self) -> None:
        """Applying them is refused; what is open takes anything."""
        for spec, problem in (
            ({"n": "x"}, ".spec.n: expected numeric (int or float), got string"),
            ({"unknown": 1}, ".spec.unknown: field not declared in schema"),
            ({"none": {"k": 1}}, ".spec.none.k: field not declared in schema"),
            ({"when": {}}, ".spec.when: expected any scalar, got &{map[]}"),
            ({"set": ["a", "a"]}, '.spec.set: duplicate entries for key [="a"]'),
        ):
            error = self.assertRaises(StatusError, manager(BLEND).apply, None, custom(**spec), "me", False, NOW)
            self.assertEqual(error.message, "failed to create typed patch object (/t; example.com/v1, Kind=Thing): "
                                            + problem)
        applied = manager(BLEND).apply(None, custom(ios="5%", when="today", free={"x": [{}]}), "me", False, NOW)
        self.assertEqual(applied["spec"], {"ios": "5%", "when": "today", "free": {"x": [{}]}})

    def test_conflicts(self) -> None:
        """Another manager's atomic list can't be changed, nor a key of a map list's item; other items can."""
        blend = manager(BLEND)
        first = custom(ports=[{"name": "a", "proto": "TCP", "port": 1}], atom=["1"])
        live = blend.apply(None, first, "one", False, NOW)
        for spec, path in (({"atom": ["2"]}, ".spec.atom"),
                           ({"ports": [{"name": "a", "port": 2}]}, '.spec.ports[name="a",proto="TCP"].port')):
            error = self.assertRaises(ApplyConflict, blend.apply, live, custom(**spec), "two", False, NOW)
            self.assertEqual(str(error), f'Apply failed with 1 conflict: conflict with "one": {path}')
        merged = blend.apply(live, custom(ports=[{"name": "b", "port": 2}]), "two", False, NOW)
        self.assertEqual([one["name"] for one in merged["spec"]["ports"]], ["a", "b"])
