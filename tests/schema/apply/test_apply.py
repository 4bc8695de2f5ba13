"""Server-side apply: merging, ownership, removal, conflicts."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from twisted.trial import unittest

from kube_twisted.api.errors import StatusError
from kube_twisted.schema.apply.compare import compare
from kube_twisted.schema.apply.conflict import ApplyConflict
from kube_twisted.schema.apply.fieldset import difference
from kube_twisted.schema.apply.merge import copied
from kube_twisted.schema.apply.owned import owned, with_named_fields
from tests.schema.apply.kinds import LATER, NOW, entries, entry, manager, node, thing
from tests.schema.apply.strategies import THINGS, few

Object = dict[str, Any]


def apply(live: Object | None, name: str, force: bool = False, now: str = LATER, **content: Any) -> Object:
    return manager().apply(live, thing(**content), name, force, now)


def update(live: Object | None, name: str, now: str = LATER, **content: Any) -> Object:
    new = thing(**content)
    manager().update(live, new, name, now)
    return new


class LawsTests(unittest.SynchronousTestCase):
    """What holds for all objects."""

    @few
    @given(THINGS, THINGS)
    def test_idempotent(self, live: Object, patch: Object) -> None:
        """Applying again gives the very same object, times and all."""
        stored = manager().apply(live, patch, "a", True, NOW)
        again = manager().apply(stored, patch, "a", False, LATER)
        self.assertEqual(again, stored)

    @few
    @given(THINGS, THINGS, THINGS)
    def test_unowned_stays(self, live: Object, first: Object, second: Object) -> None:
        """Fields that the applier never owned survive whatever it applies."""
        stored = manager().apply(live, first, "a", True, NOW)
        after = manager().apply(stored, second, "a", True, LATER)
        for obj in (stored, after):
            obj["metadata"].pop("managedFields", None)
        lost = compare(node(), stored, after).removed
        self.assertEqual(difference(lost, with_named_fields(node(), owned(node(), first))), {})

    @few
    @given(THINGS)
    def test_applier_owns_what_it_applies(self, patch: Object) -> None:
        """An applier owns exactly what it mentions, system fields aside."""
        result = manager().apply(None, patch, "a", False, NOW)
        system = {"f:apiVersion": {}, "f:kind": {}, "f:metadata": {".": {}, "f:name": {}}}
        wanted = difference(owned(node(), patch), system)
        self.assertEqual([one["fieldsV1"] for one in entries(result)], [wanted] if wanted else [])


class OwnershipTests(unittest.SynchronousTestCase):
    """Whose field is it."""

    def test_create(self) -> None:
        """Applying what does not exist creates it; what was not mentioned is not owned."""
        result = apply(None, "a", data={"k": "v"}, spec={"containers": [{"name": "x", "args": ["1"]}]})
        self.assertEqual(
            entries(result),
            [
                entry(
                    "a",
                    {
                        "f:data": {"f:k": {}},
                        "f:spec": {"f:containers": {'k:{"name":"x"}': {".": {}, "f:name": {}, "f:args": {}}}},
                    },
                    "Apply",
                    LATER,
                )
            ],
        )
        self.assertEqual(result["spec"], {"containers": [{"name": "x", "args": ["1"]}]})

    def test_agreement(self) -> None:
        """Applying the value that is there shares the field, and a first agreement has no time."""
        live = update(None, "u", NOW, data={"a": "1", "b": "2"})
        result = apply(live, "a", data={"a": "1"})
        self.assertEqual(
            entries(result), [entry("a", {"f:data": {"f:a": {}}}, "Apply", None), *entries(live)]
        )

    def test_force(self) -> None:
        """Forcing takes the field from all others."""
        live = apply(apply(None, "a", now=NOW, data={"a": "1", "b": "2"}), "b", now=NOW, data={"a": "1"})
        result = apply(live, "c", True, data={"a": "9"})
        self.assertEqual(
            entries(result),
            [
                entry("a", {"f:data": {"f:b": {}}}, "Apply"),
                entry("c", {"f:data": {"f:a": {}}}, "Apply", LATER),
            ],
        )
        self.assertEqual(result["data"], {"a": "9", "b": "2"})

    def test_removal(self) -> None:
        """What an applier no longer applies goes, unless somebody else owns it."""
        live = apply(apply(None, "a", data={"a": "1", "b": "2", "c": "3"}), "b", data={"b": "2"})
        result = apply(live, "a", data={"a": "1"})
        self.assertEqual(result["data"], {"a": "1", "b": "2"})
        self.assertEqual(
            [one["fieldsV1"] for one in entries(result)], [{"f:data": {"f:b": {}}}, {"f:data": {"f:a": {}}}]
        )

    def test_removal_spares_updaters(self) -> None:
        """What an updater added to an applied map stays when the applier drops the map."""
        live = apply(None, "a", spec={"containers": [{"name": "x", "env": {"E": "1"}}]})
        live = update(live, "u", spec={"containers": [{"name": "x", "env": {"E": "1", "F": "2"}}]})
        result = apply(live, "a", spec={"containers": [{"name": "x"}]})
        self.assertEqual(result["spec"]["containers"], [{"name": "x", "env": {"F": "2"}}])

    def test_items_go_with_all_they_have(self) -> None:
        """An item that only the applier owned goes when it is dropped, whatever others wrote inside."""
        live = apply(None, "a", spec={"containers": [{"name": "x"}]})
        live = update(live, "u", spec={"replicas": 3, "containers": [{"name": "x", "image": "1"}]})
        result = apply(live, "a", spec={"containers": []})
        self.assertEqual(
            (result["spec"], entries(result)),
            ({"replicas": 3}, [entry("u", {"f:spec": {"f:replicas": {}}}, time=LATER)]),
        )

    def test_removal_of_items(self) -> None:
        """List items and set items go alone."""
        live = apply(None, "a", spec={"tags": ["t", "u"], "containers": [{"name": "x"}, {"name": "y"}]})
        result = apply(live, "a", spec={"tags": ["u"], "containers": [{"name": "y"}]})
        self.assertEqual(result["spec"], {"tags": ["u"], "containers": [{"name": "y"}]})

    def test_giving_up(self) -> None:
        """An applier that applies nothing has no entry, and what was its own is gone."""
        live = apply(None, "a", metadata={"finalizers": ["f"]}, data={"k": "v"})
        result = apply(live, "a")
        self.assertEqual(entries(result), [])
        self.assertEqual(result["metadata"], {"name": "t"})

    def test_empty_map(self) -> None:
        """An applied empty map is owned itself."""
        live = apply(None, "a", data={"k": "v"})
        result = apply(live, "a", data={})
        self.assertEqual(
            (result["data"], entries(result)), ({}, [entry("a", {"f:data": {}}, "Apply", LATER)])
        )

    def test_update_and_apply_of_one_name(self) -> None:
        """The same name owns apart as updater and as applier."""
        live = update(None, "same", NOW, data={"a": "1"})
        error = self.assertRaises(ApplyConflict, apply, live, "same", data={"a": "2"})
        self.assertEqual(
            error.message, 'Apply failed with 1 conflict: conflict with "same" using v1: .data.a'
        )

    def test_before_first_apply(self) -> None:
        """What nobody is recorded for belongs to a manager of that name."""
        error = self.assertRaises(ApplyConflict, apply, thing(data={"a": "1"}), "a", data={"a": "2"})
        self.assertEqual(
            error.message,
            'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
        )
        result = apply(thing(data={"a": "1", "b": "2"}), "a", True, data={"a": "2"})
        self.assertEqual(
            entries(result),
            [
                entry("a", {"f:data": {"f:a": {}}}, "Apply", LATER),
                entry("before-first-apply", {"f:data": {".": {}, "f:b": {}}}, time=LATER),
            ],
        )

    def test_nothing_shared_with_the_stored_object(self) -> None:
        """The result can be changed without changing the stored object."""
        live = apply(None, "a", data={"a": "1"}, spec={"nested": {"a": "1"}})
        before = copied(live)
        result = apply(live, "b", data={"b": "1"})
        result["spec"]["nested"]["a"] = "changed"
        self.assertEqual(live, before)

    def test_status(self) -> None:
        """Each subresource keeps its own entry, without the fields that it cannot set."""
        live = apply(None, "a", now=NOW, spec={"replicas": 1})
        status = manager("status", (("spec",),))
        result = status.apply(live, thing(spec={"replicas": 9}, status={"ready": 1}), "a", False, LATER)
        self.assertEqual(
            entries(result),
            [
                entry("a", {"f:spec": {"f:replicas": {}}}, "Apply"),
                entry("a", {"f:status": {"f:ready": {}}}, "Apply", LATER, subresource="status"),
            ],
        )


class ConflictTests(unittest.SynchronousTestCase):
    """Others own what would change."""

    def test_one(self) -> None:
        """One conflict is told in one line."""
        live = update(None, "golden", data={"a": "1"})
        error = self.assertRaises(ApplyConflict, apply, live, "x", data={"a": "2"})
        self.assertEqual(
            error.status(),
            {
                "kind": "Status",
                "apiVersion": "v1",
                "metadata": {},
                "status": "Failure",
                "message": 'Apply failed with 1 conflict: conflict with "golden" using v1: .data.a',
                "reason": "Conflict",
                "code": 409,
                "details": {
                    "causes": [
                        {
                            "reason": "FieldManagerConflict",
                            "message": 'conflict with "golden" using v1',
                            "field": ".data.a",
                        }
                    ]
                },
            },
        )

    def test_several(self) -> None:
        """Several are listed by manager."""
        live = apply(apply(None, "beta", data={"d": "1"}), "alpha", data={"a": "1", "b": "1"})
        error = self.assertRaises(ApplyConflict, apply, live, "x", data={"a": "2", "b": "2", "d": "2"})
        self.assertEqual(
            error.message,
            'Apply failed with 3 conflicts: conflicts with "alpha":\n- .data.a\n- .data.b\n'
            'conflicts with "beta":\n- .data.d',
        )
        self.assertEqual(
            [(one.manager, one.field) for one in error.conflicts],
            [('"alpha"', ".data.a"), ('"alpha"', ".data.b"), ('"beta"', ".data.d")],
        )

    def test_items_and_atomics(self) -> None:
        """Items are named by key, atomic values as a whole."""
        live = apply(None, "a", spec={"selector": {"a": "1"}, "containers": [{"name": "x", "args": ["1"]}]})
        error = self.assertRaises(
            ApplyConflict,
            apply,
            live,
            "b",
            spec={"selector": {"b": "1"}, "containers": [{"name": "x", "args": ["2"]}]},
        )
        self.assertEqual(
            [one.field for one in error.conflicts], [".spec.selector", '.spec.containers[name="x"].args']
        )

    def test_subresource(self) -> None:
        """Managers of a subresource are told apart."""
        live = thing(
            spec={"replicas": 5},
            metadata={
                "managedFields": [
                    entry("scaler", {"f:spec": {"f:replicas": {}}}, time=None, subresource="scale")
                ]
            },
        )
        error = self.assertRaises(ApplyConflict, apply, live, "a", spec={"replicas": 2})
        self.assertEqual(error.conflicts[0].manager, '"scaler" with subresource "scale" using v1')


class RefusalTests(unittest.SynchronousTestCase):
    """Patches that are refused."""

    def refused(self, patch: Object, live: Object | None = None) -> tuple[int, str]:
        error = self.assertRaises(StatusError, manager().apply, live, patch, "a", False, NOW)
        return error.code, error.message

    def test_kind_and_version(self) -> None:
        """Kind and version are those of the request."""
        for patch, shown in (
            ({}, "/, Kind="),
            ({"kind": "Thing"}, "/, Kind=Thing"),
            ({"apiVersion": "v1"}, "/v1, Kind="),
            ({"apiVersion": "apps/v1", "kind": "Thing"}, "apps/v1, Kind=Thing"),
            ({"apiVersion": "v1", "kind": "Other"}, "/v1, Kind=Other"),
            ({"apiVersion": "a/b/c", "kind": "Thing"}, "/, Kind="),
        ):
            self.assertEqual(self.refused(patch), (400, f"invalid object type: {shown}"))

    def test_managed_fields(self) -> None:
        """A patch does not bring managedFields; null is none."""
        self.assertEqual(
            self.refused(thing(metadata={"managedFields": []})), (400, "metadata.managedFields must be nil")
        )
        self.assertEqual(entries(apply(None, "a", metadata={"managedFields": None})), [])

    def test_misfit(self) -> None:
        """What does not fit the type is a 500."""
        patch = thing(metadata={"namespace": "n"}, spec={"bogus": 1})
        self.assertEqual(
            self.refused(patch),
            (
                500,
                "failed to create typed patch object (n/t; /v1, Kind=Thing): "
                ".spec.bogus: field not declared in schema",
            ),
        )
        self.assertEqual(
            self.refused({"apiVersion": "v1", "kind": "Thing", "metadata": {"name": True}})[1],
            "failed to create typed patch object (/; /v1, Kind=Thing): .metadata.name: expected string, "
            "got &value.valueUnstructured{Value:true}",
        )

    def test_stored_object_without_keys(self) -> None:
        """A stored object that cannot be merged is told too."""
        live = thing(
            spec={"containers": [{"image": "i"}]}, metadata={"managedFields": [entry("a", {"f:data": {}})]}
        )
        code, message = self.refused(thing(), live)
        self.assertEqual(code, 500)
        self.assertTrue(
            message.startswith("failed to create typed live object (/t; /v1, Kind=Thing): .spec.containers: ")
        )
