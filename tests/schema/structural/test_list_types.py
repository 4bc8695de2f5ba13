"""Tests for kube_twisted.schema.structural.list_types."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.structural.list_types import validate_lists
from tests.schema.structural.kinds import INTEGER, STRING, array, custom, kind, list_of, mapping, obj, texts

LISTS = kind(
    set=list_of("set", STRING),
    iset=list_of("set", INTEGER),
    oset=list_of("set", {**obj(a=INTEGER, b=INTEGER), "x-kubernetes-map-type": "atomic"}),
    lm=list_of("map", obj(name=STRING, port=INTEGER, tags=list_of("set", STRING)), "name", "port"),
    one=list_of("map", obj(name=STRING), "name"),
    m=mapping(list_of("set", STRING)),
    plain=array(STRING),
)


def found(**spec: Any) -> list[str]:
    return texts(validate_lists(custom(**spec), LISTS))


class TestListTypes(SynchronousTestCase):
    def test_no_duplicates(self) -> None:
        """Lists that have none are fine, and so are plain lists with some."""
        self.assertEqual(found(set=["a", "b"], lm=[{"name": "a", "port": 1}, {"name": "a", "port": 2}],
                               plain=["a", "a"], one=[], iset=[1, 2]), [])

    def test_sets(self) -> None:
        """The second of several equal items is reported, wherever the set is."""
        self.assertEqual(found(set=["a", "b", "a", "a"]), ['spec.set[2]: Duplicate value: "a"'])
        self.assertEqual(found(iset=[1, 1]), ["spec.iset[1]: Duplicate value: 1"])
        self.assertEqual(found(m={"k": ["x", "x"]}), ['spec.m[k][1]: Duplicate value: "x"'])
        self.assertEqual(found(oset=[{"b": 1, "a": 2}, {"a": 2, "b": 1}]),
                         ['spec.oset[1]: Duplicate value: {"a":2,"b":1}'])

    def test_maps(self) -> None:
        """Of map lists the keys that come twice are shown, missing ones left out."""
        self.assertEqual(found(lm=[{"name": "a", "port": 80, "v": 1}, {"port": 80, "name": "a"}]),
                         ['spec.lm[1]: Duplicate value: {"name":"a","port":80}'])
        self.assertEqual(found(one=[{"name": "x"}, {"name": "x"}]), ['spec.one[1]: Duplicate value: {"name":"x"}'])
        self.assertEqual(found(one=[{}, {"other": 1}, None]), ["spec.one[1]: Duplicate value: {}"])

    def test_lists_inside_of_lists(self) -> None:
        """Items are looked into."""
        self.assertEqual(found(lm=[{"name": "a", "port": 1, "tags": ["t", "t"]}]),
                         ['spec.lm[0].tags[1]: Duplicate value: "t"'])

    def test_items_that_are_no_objects(self) -> None:
        """An item of a map list has to be an object."""
        self.assertEqual(found(one=[{"name": "x"}, 5]),
                         ["spec.one[1]: Invalid value: 5: must be an object for an array of list-type map"])

    def test_old_duplicates_are_excused(self) -> None:
        """An update of an object that has duplicates anywhere may have them too."""
        new, clean = custom(set=["a", "a"]), custom(set=["a"])
        self.assertEqual(validate_lists(new, LISTS, custom(iset=[1, 1])), [])
        self.assertEqual(len(validate_lists(new, LISTS, clean)), 1)
