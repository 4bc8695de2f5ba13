"""What changed between two objects, and what an applied configuration mentions."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from twisted.trial import unittest

from kube_twisted.schema.apply.compare import Changes, compare
from kube_twisted.schema.apply.elements import ElementError
from kube_twisted.schema.apply.fieldset import union
from kube_twisted.schema.apply.fieldsv1 import ordered
from kube_twisted.schema.apply.owned import owned, reconciled, with_named_fields
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.types import List, Map
from tests.schema.apply.kinds import INT, OPEN, PORT, STRING, node, struct, thing
from tests.schema.apply.strategies import THINGS, few


def spec(old: dict[str, Any], new: dict[str, Any]) -> Changes:
    """The changes below ``spec``."""
    found = compare(node(), {"spec": old}, {"spec": new})
    return Changes(found.changed.get("f:spec", {}), found.removed.get("f:spec", {}))


class CompareTests(unittest.SynchronousTestCase):
    """Two objects of one type."""

    @few
    @given(THINGS)
    def test_same(self, obj: dict[str, Any]) -> None:
        """Nothing changed between an object and itself."""
        self.assertEqual(compare(node(), obj, obj), Changes({}, {}))

    @few
    @given(THINGS, THINGS)
    def test_removed_is_the_other_way_round(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        """What is removed one way is changed the other way."""
        there, back = compare(node(), old, new), compare(node(), new, old)
        self.assertEqual(union(back.changed, there.removed), back.changed)
        self.assertEqual(union(there.changed, back.removed), there.changed)

    @few
    @given(THINGS, THINGS)
    def test_order(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Changed fields come in the order in which they are written."""
        changed = compare(node(), old, new).changed
        self.assertEqual(json.dumps(changed), json.dumps(ordered(changed)))

    def test_new_parts(self) -> None:
        """A new struct, map or list is owned itself, and by its parts."""
        found = spec(
            {}, {"nested": {"a": "1"}, "containers": [{"name": "x", "env": {"E": "1"}}], "replicas": 1}
        )
        self.assertEqual(
            found.changed,
            {
                "f:nested": {".": {}, "f:a": {}},
                "f:replicas": {},
                "f:containers": {
                    ".": {},
                    'k:{"name":"x"}': {".": {}, "f:name": {}, "f:env": {".": {}, "f:E": {}}},
                },
            },
        )
        self.assertEqual(found.removed, {})

    def test_empty_parts(self) -> None:
        """An empty struct or list is one leaf."""
        self.assertEqual(
            spec({}, {"nested": {}, "containers": []}).changed, {"f:nested": {}, "f:containers": {}}
        )

    def test_null_to_filled(self) -> None:
        """A list that was null was there already: only its items are new."""
        found = spec({"containers": None}, {"containers": [{"name": "x"}]})
        self.assertEqual(found.changed, {"f:containers": {'k:{"name":"x"}': {".": {}, "f:name": {}}}})

    def test_filled_to_empty(self) -> None:
        """A list that is emptied loses its items and stays."""
        found = spec({"tags": ["a"]}, {"tags": []})
        self.assertEqual(found, Changes({}, {"f:tags": {'v:"a"': {}}}))

    def test_atomic(self) -> None:
        """Atomic maps and lists change as a whole."""
        found = spec(
            {"selector": {"a": "1"}, "containers": [{"name": "x", "args": ["1"]}]},
            {"selector": {"b": "1"}, "containers": [{"name": "x", "args": ["1", "2"]}]},
        )
        self.assertEqual(
            found.changed, {"f:selector": {}, "f:containers": {'k:{"name":"x"}': {"f:args": {}}}}
        )

    def test_order_is_no_change(self) -> None:
        """Items of keyed lists and sets may move."""
        self.assertEqual(spec({"tags": ["a", "b"]}, {"tags": ["b", "a"]}), Changes({}, {}))

    def test_key_defaults(self) -> None:
        """A key that is left out counts with its default."""
        ports = node(struct("P", ports=List(PORT, "map", ("port", "protocol"), {"protocol": "TCP"})))
        found = compare(ports, {"ports": [{"port": 1}]}, {"ports": [{"port": 1, "protocol": "TCP"}]})
        self.assertEqual(found.changed, {"f:ports": {'k:{"port":1,"protocol":"TCP"}': {"f:protocol": {}}}})

    def test_repeated_items(self) -> None:
        """Repeated items are one leaf, which appears and disappears with the repetition."""
        one, two = {"name": "x", "image": "i"}, {"name": "x", "image": "j"}
        key = 'k:{"name":"x"}'
        whole = {".": {}, "f:name": {}, "f:image": {}}
        self.assertEqual(
            spec({"containers": [one]}, {"containers": [one, two]}),
            Changes({"f:containers": {key: {}}}, {"f:containers": {key: whole}}),
        )
        self.assertEqual(
            spec({"containers": [one, two]}, {"containers": [one]}),
            Changes({"f:containers": {key: whole}}, {"f:containers": {key: {}}}),
        )
        self.assertEqual(
            spec({"containers": [one, two]}, {"containers": [two, one]}),
            Changes({"f:containers": {key: {}}}, {}),
        )

    def test_untyped(self) -> None:
        """An untyped value is one leaf, a value of open type is owned key by key."""
        found = spec(
            {"anything": {"a": 1}, "free": {"a": 1, "b": {"c": 1}}},
            {"anything": {"a": 2}, "free": {"a": 1, "b": {"c": 2}, "d": [1]}},
        )
        self.assertEqual(found.changed, {"f:anything": {}, "f:free": {"f:b": {"f:c": {}}, "f:d": {}}})

    def test_open_value_changes_kind(self) -> None:
        """A scalar that becomes an object is changed itself and has new parts; the other way its parts go."""
        self.assertEqual(spec({"free": 1}, {"free": {"a": 1}}), Changes({"f:free": {".": {}, "f:a": {}}}, {}))
        self.assertEqual(
            spec({"free": {"a": 1}}, {"free": 1}), Changes({"f:free": {}}, {"f:free": {"f:a": {}}})
        )

    def test_unknown_fields(self) -> None:
        """Fields that are not declared are not looked at, unless the struct is open."""
        self.assertEqual(spec({}, {"bogus": 1}).changed, {})
        self.assertEqual(
            compare(node(OPEN), {}, {"known": "a", "other": "b"}).changed, {"f:known": {}, "f:other": {}}
        )

    def test_item_without_key(self) -> None:
        """An item without its key has no path."""
        self.assertRaises(ElementError, spec, {}, {"containers": [{"image": "i"}]})
        self.assertRaises(ElementError, spec, {"containers": []}, {"containers": [None]})


class OwnedTests(unittest.SynchronousTestCase):
    """The set of an applied configuration."""

    def test_leaves_and_items(self) -> None:
        """Structs and lists count by their leaves; items and map entries count themselves."""
        applied = thing(
            data={"k": "v"}, spec={"nested": {"a": "1"}, "containers": [{"name": "x", "args": ["1"]}]}
        )
        self.assertEqual(owned(node(), applied)["f:data"], {"f:k": {}})
        self.assertEqual(
            owned(node(), applied)["f:spec"],
            {
                "f:nested": {"f:a": {}},
                "f:containers": {'k:{"name":"x"}': {".": {}, "f:name": {}, "f:args": {}}},
            },
        )

    def test_empty_and_null(self) -> None:
        """Null and an empty object are owned, an empty granular list is not."""
        self.assertEqual(
            owned(node(), {"data": {}, "spec": {"replicas": None, "tags": [], "nested": None}}),
            {"f:data": {}, "f:spec": {"f:replicas": {}, "f:nested": {}}},
        )

    def test_open_values(self) -> None:
        """Unknown keys count themselves; lists of open type are leaves."""
        self.assertEqual(
            owned(node(), {"spec": {"free": {"a": {"b": 1}, "c": [1]}}}),
            {"f:spec": {"f:free": {"f:a": {".": {}, "f:b": {}}, "f:c": {}}}},
        )

    def test_named_fields(self) -> None:
        """Declared fields on the way become members, map keys and items do not."""
        fields = {"f:spec": {"f:containers": {'k:{"name":"x"}': {"f:env": {"f:E": {}}}}}}
        self.assertEqual(
            with_named_fields(node(), fields),
            {
                "f:spec": {
                    ".": {},
                    "f:containers": {".": {}, 'k:{"name":"x"}': {"f:env": {".": {}, "f:E": {}}}},
                }
            },
        )

    def test_became_atomic(self) -> None:
        """A map that became atomic is owned as a whole by whoever owned a part; nothing else changes."""
        before = {"f:m": {"f:a": {}}, "f:n": {}}
        atomic = Plans().of(struct("T", m=Map(STRING, atomic=True), n=INT))
        self.assertEqual(reconciled(atomic, before), {"f:m": {}, "f:n": {}})
        granular = Plans().of(struct("T", m=Map(STRING), n=INT))
        self.assertIs(reconciled(granular, before), before)
