"""``managedFields`` of creates, updates and patches."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from twisted.trial import unittest

from kube_twisted.schema.apply.fieldset import difference, union
from kube_twisted.schema.apply.merge import copied
from kube_twisted.schema.apply.owned import owned
from tests.schema.apply.kinds import LATER, NOW, entries, entry, manager, node, thing
from tests.schema.apply.strategies import THINGS, few

SPEC_AND_STATUS = (("spec",), ("status",))


def created(name: str = "a", **content: Any) -> dict[str, Any]:
    obj = thing(**content)
    manager().update(None, obj, name, NOW)
    return obj


def changed(live: dict[str, Any], name: str, **content: Any) -> dict[str, Any]:
    """``live`` after a PUT of new content, which says nothing of managedFields."""
    new = thing(**content)
    manager().update(live, new, name, LATER)
    return new


class MisfitTests(unittest.SynchronousTestCase):
    """Objects that field ownership can't make sense of."""

    def test_nobody_owns(self) -> None:
        """A change to an item without its key takes all ownership away."""
        live = created(data={"k": "v"})
        self.assertIn("managedFields", live["metadata"])
        new = changed(live, "b", metadata={"ownerReferences": [{"name": "x"}]})
        self.assertNotIn("managedFields", new["metadata"])


    def test_what_is_dropped(self) -> None:
        """A custom object whose status is dropped, but of a wrong type, is written without anyone's knowledge."""
        custom = manager(reset=(("status",),), empty={})
        obj = thing(data={"k": "v"}, status=1)
        custom.update(None, obj, "a", NOW)
        self.assertNotIn("managedFields", obj["metadata"])
        live = thing(data={"k": "v"}, status={"ready": 1})
        custom.update(None, live, "a", NOW)
        self.assertEqual(entries(live), [entry("a", {"f:data": {".": {}, "f:k": {}}})])
        new = thing(data={"k": "w", "l": "x"}, status=1)
        custom.update(live, new, "b", LATER)
        self.assertEqual(entries(new), entries(live))


class RepeatedTests(unittest.SynchronousTestCase):
    def test_the_last_one_counts(self) -> None:
        """Of two entries of one manager, as a Scale may leave them, the first is gone after the next write."""
        live = created(data={"k": "v"})
        kept = entries(live)
        live["metadata"]["managedFields"] = [entry("a", {"f:status": {"f:ready": {}}}), *kept]
        new = changed(live, "b", data={"k": "v"})
        self.assertEqual(entries(new), kept)


class CreateTests(unittest.SynchronousTestCase):
    """The creator owns what it set."""

    def test_create(self) -> None:
        """New fields are owned, system fields are not."""
        obj = created(
            metadata={"labels": {"l": "1"}, "uid": "u", "namespace": "n", "generateName": "g-"},
            data={"k": "v"},
            spec={"replicas": 1},
        )
        self.assertEqual(
            entries(obj),
            [
                entry(
                    "a",
                    {
                        "f:data": {".": {}, "f:k": {}},
                        "f:spec": {"f:replicas": {}},
                        "f:metadata": {"f:generateName": {}, "f:labels": {".": {}, "f:l": {}}},
                    },
                )
            ],
        )

    def test_nothing_set(self) -> None:
        """Who sets nothing owns nothing."""
        self.assertEqual(created()["metadata"], {"name": "t"})

    def test_reset_fields(self) -> None:
        """Fields that the request cannot set are not owned."""
        obj = thing(spec={"replicas": 1}, status={"ready": 1}, metadata={"labels": {"a": "b"}})
        manager("", (("status",), ("metadata", "labels"))).update(None, obj, "a", NOW)
        self.assertEqual(entries(obj), [entry("a", {"f:spec": {"f:replicas": {}}})])

    def test_custom_resource(self) -> None:
        """The structs of custom resources are not there by themselves."""
        obj = thing(spec={"replicas": 1})
        manager(empty={}).update(None, obj, "a", NOW)
        self.assertEqual(entries(obj), [entry("a", {"f:spec": {".": {}, "f:replicas": {}}})])

    def test_sent_entries(self) -> None:
        """A create may bring entries; they lose what the create sets."""
        obj = thing(
            data={"a": "1"}, metadata={"managedFields": [entry("x", {"f:data": {"f:a": {}, "f:z": {}}})]}
        )
        manager().update(None, obj, "a", LATER)
        self.assertEqual(
            entries(obj),
            [entry("x", {"f:data": {"f:z": {}}}), entry("a", {"f:data": {".": {}, "f:a": {}}}, time=LATER)],
        )

    def test_item_without_key(self) -> None:
        """An object that has no paths gets no entries; validation will refuse it."""
        self.assertEqual(entries(created(spec={"containers": [{"image": "i"}]})), [])

    @few
    @given(THINGS)
    def test_all_is_owned(self, obj: dict[str, Any]) -> None:
        """A creator owns every leaf and item, except what the system sets."""
        new = copied(obj)
        manager(empty={}).update(None, new, "a", NOW)
        mine = entries(new)[0]["fieldsV1"] if entries(new) else {}
        wanted = difference(
            owned(node(), obj), {"f:apiVersion": {}, "f:kind": {}, "f:metadata": {"f:name": {}}}
        )
        self.assertEqual(union(mine, wanted), mine)


class UpdateTests(unittest.SynchronousTestCase):
    """Who changes a field takes it."""

    def test_taking(self) -> None:
        """A changed field changes hands, the other fields and times stay."""
        new = changed(created(data={"a": "1", "b": "2"}), "b", data={"a": "1", "b": "3"})
        self.assertEqual(
            entries(new),
            [entry("a", {"f:data": {".": {}, "f:a": {}}}), entry("b", {"f:data": {"f:b": {}}}, time=LATER)],
        )

    def test_removing(self) -> None:
        """A removed field is nobody's; who only removes gets no entry."""
        new = changed(created(data={"a": "1", "b": "2"}), "b", data={"a": "1"})
        self.assertEqual(entries(new), [entry("a", {"f:data": {".": {}, "f:a": {}}})])

    def test_nothing_left(self) -> None:
        """A manager without fields has no entry."""
        self.assertEqual(entries(changed(created(data={"a": "1"}), "b")), [])

    def test_own_entry_grows(self) -> None:
        """A manager that comes back keeps its fields; its time is renewed."""
        new = changed(created(data={"a": "1", "b": "2"}), "a", data={"a": "1", "b": "3", "c": "4"})
        self.assertEqual(
            entries(new), [entry("a", {"f:data": {".": {}, "f:a": {}, "f:b": {}, "f:c": {}}}, time=LATER)]
        )

    def test_no_change(self) -> None:
        """Who changes nothing changes no entry, not even by the time."""
        live = created(data={"a": "1"})
        self.assertIs(entries(changed(live, "b", data={"a": "1"})), entries(live))

    def test_unnamed(self) -> None:
        """Who has no name is unknown."""
        self.assertEqual(entries(created("", data={"a": "1"}))[0]["manager"], "unknown")

    def test_live_stays(self) -> None:
        """The stored object is not touched."""
        live = created(data={"a": "1"})
        before = copied(live)
        changed(live, "b", data={"a": "2"})
        self.assertEqual(live, before)

    def test_from_an_applier(self) -> None:
        """An update takes fields from appliers too."""
        live = manager().apply(None, thing(data={"a": "1", "b": "1"}), "x", False, NOW)
        new = changed(live, "b", data={"a": "1", "b": "2"})
        self.assertEqual(
            entries(new),
            [entry("x", {"f:data": {"f:a": {}}}, "Apply"), entry("b", {"f:data": {"f:b": {}}}, time=LATER)],
        )

    def test_eleventh_updater(self) -> None:
        """The oldest updaters become ancient changes."""
        obj = created("m00", data={"k": "0"})
        for n in range(1, 12):
            new = {**copied(obj), "data": {**obj["data"], f"k{n:02}": "1"}}
            manager().update(obj, new, f"m{n:02}", f"2026-01-02T00:00:{n:02}Z")
            obj = new
        self.assertEqual(
            [one["manager"] for one in entries(obj)], ["ancient-changes", *(f"m{n:02}" for n in range(3, 12))]
        )


class SentEntriesTests(unittest.SynchronousTestCase):
    """Requests that bring managedFields of their own."""

    def setUp(self) -> None:
        self.live = created(data={"a": "1"})

    def put(self, sent: Any, subresource: str = "") -> list[dict[str, Any]]:
        new = thing(data={"a": "1"}, metadata={"managedFields": sent})
        manager(subresource).update(self.live, new, "z", LATER)
        return entries(new)

    def test_reset(self) -> None:
        """An empty list or entry ends the recording, and later updates do not start it again."""
        self.assertEqual(self.put([]), [])
        self.assertEqual(self.put([{}]), [])
        self.live["metadata"].pop("managedFields")
        self.assertEqual(entries(changed(self.live, "b", data={"a": "2"})), [])

    def test_malformed(self) -> None:
        """Malformed entries are ignored."""
        sent = [entry("nope", {}, "Wrong")]
        self.assertEqual(self.put(sent), entries(self.live))

    def test_unreadable_version(self) -> None:
        """An apiVersion with two slashes leaves nothing of the entries."""
        odd = {**entries(self.live)[0], "apiVersion": "a/b/c"}
        self.assertEqual(self.put([odd, *entries(self.live)]), [])

    def test_absent(self) -> None:
        """Clients that know nothing of managedFields lose nothing."""
        self.assertEqual(self.put(None), entries(self.live))

    def test_replaced(self) -> None:
        """Good entries replace what was recorded; those without fields vanish."""
        sent = [entry("x", {"f:data": {"f:a": {}}}, "Apply"), entry("y", {})]
        self.assertEqual(self.put(sent), sent[:1])

    def test_through_a_subresource(self) -> None:
        """A subresource cannot change them."""
        self.assertEqual(self.put([], "status"), entries(self.live))


class SubresourceTests(unittest.SynchronousTestCase):
    """Subresources have entries of their own."""

    def test_status(self) -> None:
        """The status of one manager is apart from its other fields."""
        live = created(spec={"replicas": 1})
        new = {**copied(live), "status": {"ready": 1}, "spec": {"replicas": 7}}
        manager("status", (("spec",),)).update(live, new, "a", LATER)
        self.assertEqual(
            entries(new),
            [
                entry("a", {"f:spec": {"f:replicas": {}}}),
                entry("a", {"f:status": {".": {}, "f:ready": {}}}, time=LATER, subresource="status"),
            ],
        )

    def test_included_fields(self) -> None:
        """Where only some paths can change, only those are owned."""
        live = created(spec={"containers": [{"name": "x", "image": "1"}]})
        new = {
            **copied(live),
            "spec": {"replicas": 3, "containers": [{"name": "x", "image": "1", "env": {"E": "1"}}]},
        }
        resize = manager("resize", include_fields=(("spec", "containers", "*", "env"),))
        resize.update(live, new, "b", LATER)
        self.assertEqual(
            entries(new)[1],
            entry(
                "b",
                {"f:spec": {"f:containers": {'k:{"name":"x"}': {"f:env": {".": {}, "f:E": {}}}}}},
                time=LATER,
                subresource="resize",
            ),
        )
