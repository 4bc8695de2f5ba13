"""Rules of x-kubernetes-validations, on objects."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.validations import Report, compile_rules

INTEGER, TEXT = {"type": "integer"}, {"type": "string"}


def ruled(schema: dict[str, Any], *rules: str | dict[str, Any]) -> dict[str, Any]:
    """The schema, with rules."""
    return {**schema, "x-kubernetes-validations": [{"rule": one} if isinstance(one, str) else one for one in rules]}


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def keyed(items: dict[str, Any], *keys: str) -> dict[str, Any]:
    """A list that is a map by the keys."""
    return {"type": "array", "items": items, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": list(keys)}


def report(schema: dict[str, Any], obj: Any, old: Any = None, **more: Any) -> Report:
    rules = compile_rules(schema)
    assert rules is not None
    return rules.validate(obj, old, **more)


def errors(schema: dict[str, Any], obj: Any, old: Any = None, **more: Any) -> list[str]:
    return [str(one) for one in report(schema, obj, old, **more).errors]


class RuleTests(SynchronousTestCase):
    """Rules about an object alone."""

    def test_no_rules(self) -> None:
        """A schema without rules needs no looking at objects."""
        self.assertIsNone(compile_rules(fields(a=INTEGER)))

    def test_messages(self) -> None:
        """A rule names itself, unless it has a message or a messageExpression that works."""
        schema = fields(a=ruled(INTEGER, "self > 0"))
        self.assertEqual(errors(schema, {"a": 1}), [])
        self.assertEqual(errors(schema, {"a": 0}), ["a: Invalid value: 0: failed rule: self > 0"])
        for expression, said in {"'is ' + string(self)": "is 0", "'a\\nb'": "no", "' '": "no", "string(1 / self)": "no"
                                 }.items():
            rule = {"rule": "self > 0", "message": "no", "messageExpression": expression}
            self.assertEqual(errors(fields(a=ruled(INTEGER, rule)), {"a": 0}), [f"a: Invalid value: 0: {said}"])

    def test_values_of_objects_are_not_shown(self) -> None:
        """Errors about objects and lists don't hold the value."""
        schema = fields(o=ruled(fields(a=INTEGER), "self.a > 0"), l=ruled({"type": "array", "items": TEXT}, "false"))
        self.assertEqual(errors(schema, {"o": {"a": 0}, "l": ["x"]}),
                         ["o: Invalid value: failed rule: self.a > 0", "l: Invalid value: failed rule: false"])

    def test_reasons_and_paths(self) -> None:
        """A rule says what kind of error it is, and where."""
        for reason, said in {None: "Invalid value: m", "FieldValueForbidden": "Forbidden: m",
                             "FieldValueRequired": "Required value: m", "FieldValueDuplicate": "Duplicate value"
                             }.items():
            rule = {"rule": "false", "message": "m", "reason": reason, "fieldPath": ".labels['a.b']"}
            schema = fields(spec=ruled(fields(labels={"type": "object", "additionalProperties": TEXT}), rule))
            self.assertEqual(errors(schema, {"spec": {}}), [f"spec.labels[a.b]: {said}"])

    def test_places(self) -> None:
        """Paths go through properties, lists and maps; the whole object has none."""
        inner = ruled(INTEGER, "self > 0")
        schema = ruled(fields(l={"type": "array", "items": inner}, m={"type": "object", "additionalProperties": inner}),
                       "false")
        self.assertEqual(errors(schema, {"l": [1, 0], "m": {"k": 0}}), [
            "<nil>: Invalid value: failed rule: false", "l[1]: Invalid value: 0: failed rule: self > 0",
            "m[k]: Invalid value: 0: failed rule: self > 0"])
        self.assertEqual(errors(schema, {"l": [0]}, path="x")[1], "x.l[0]: Invalid value: 0: failed rule: self > 0")

    def test_every_resource_has_a_name(self) -> None:
        """Rules on an object may name its kind and the names in its metadata; embedded ones as well."""
        schema = ruled(fields(inner=ruled({"type": "object", "x-kubernetes-embedded-resource": True},
                                          "self.kind == 'Pod'")), "self.metadata.name == 'x'")
        obj = {"metadata": {"name": "x"}, "inner": {"kind": "Pod", "apiVersion": "v1", "metadata": {}}}
        self.assertEqual(errors(schema, obj), [])

    def test_failures(self) -> None:
        """What fails, and what doesn't compile, is an error too."""
        schema = fields(a=ruled(INTEGER, "1 / self > 0", {"rule": "1 / self > 0", "message": "m"}, "self.x"))
        found = errors(schema, {"a": 0})
        self.assertEqual(found[:2], ['a: Invalid value: "integer": division by zero evaluating rule: 1 / self > 0',
                                     'a: Invalid value: "integer": division by zero evaluating rule: m'])
        self.assertIn('a: Invalid value: "integer": rule compile error: compilation failed: ERROR', found[2])

    def test_no_overload(self) -> None:
        """A value that a function doesn't take is said to be one."""
        schema = fields(a=ruled({"x-kubernetes-int-or-string": True}, "self.startsWith('x')"))
        self.assertEqual(errors(schema, {"a": 1}), [
            "a: Invalid value: \"\": 'no such overload': call arguments did not match a supported operator, function "
            "or macro signature for rule: self.startsWith('x')"])

    def test_all_of(self) -> None:
        """Rules inside of allOf are about the structure around."""
        schema = fields(a=ruled({**fields(b=INTEGER), "allOf": [ruled({}, "self.b > 1")]}, "self.b > 0"))
        self.assertEqual(errors(schema, {"a": {"b": 1}}), ["a: Invalid value: failed rule: self.b > 1"])

    def test_nothing_is_no_value(self) -> None:
        """A null isn't looked at, and has() of one is false."""
        schema = fields(a=ruled({**INTEGER, "nullable": True}, "false"), o=ruled(
            fields(n={**INTEGER, "nullable": True}), "!has(self.n)"))
        self.assertEqual(errors(schema, {"a": None, "o": {"n": None}}), [])

    def test_names(self) -> None:
        """Fields that are no identifiers are escaped; entries of maps are not."""
        schema = ruled({"type": "object", "properties": {"a-b": INTEGER, "namespace": INTEGER, "a__b": INTEGER}},
                       "self.a__dash__b + self.__namespace__ + self.a__underscores__b == 6")
        self.assertEqual(errors(schema, {"a-b": 1, "namespace": 2, "a__b": 3}), [])


class ListTests(SynchronousTestCase):
    """Lists that are sets or maps."""

    def holds(self, kind: dict[str, Any], obj: dict[str, Any], *rules: str) -> None:
        self.assertEqual(errors(ruled(fields(a=kind, b=kind), *rules), obj), [])

    def test_sets(self) -> None:
        """Order doesn't matter; adding leaves out what is there."""
        kind = {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"}
        self.holds(kind, {"a": ["x", "y"], "b": ["y", "x"]}, "self.a == self.b", "self.a + self.b == self.a",
                   "self.a + ['z'] == ['z', 'y', 'x']", "self.a != ['x']")

    def test_maps(self) -> None:
        """Order doesn't matter; adding replaces what has the same key."""
        kind = keyed(fields(k=TEXT, v=INTEGER), "k")
        lists = [[{"k": "x", "v": 1}, {"k": "y", "v": 2}], [{"k": "y", "v": 3}, {"k": "z", "v": 4}]]
        schema = fields(l=ruled({"type": "array", "items": kind}, "self[0] != self[1]",
                                "(self[0] + self[1]).map(e, e.v) == [1, 3, 4]",
                                "self[0] == [self[0][1], self[0][0]]", "self[0][0] in self[0]"))
        self.assertEqual(errors(schema, {"l": lists}), [])

    def test_other_lists(self) -> None:
        """Order matters; adding appends."""
        kind = {"type": "array", "items": TEXT}
        self.holds(kind, {"a": ["x", "y"], "b": ["y", "x"]}, "self.a != self.b",
                   "self.a + self.b == ['x', 'y', 'y', 'x']")


class TransitionTests(SynchronousTestCase):
    """Rules about a change."""

    def test_update_only(self) -> None:
        """A rule that names oldSelf needs an old value."""
        schema = fields(a=ruled(INTEGER, "self >= oldSelf"))
        self.assertEqual(errors(schema, {"a": 0}), [])
        self.assertEqual(errors(schema, {"a": 0}, {}), [])
        self.assertEqual(errors(schema, {"a": 0}, {"a": 1}), ["a: Invalid value: 0: failed rule: self >= oldSelf"])

    def test_optional_old_self(self) -> None:
        """Unless it takes none for an answer."""
        rule = {"rule": "oldSelf.hasValue() ? self >= oldSelf.value() : self == 0", "optionalOldSelf": True,
                "message": "m"}
        schema = fields(a=ruled(INTEGER, rule))
        for old, new, fails in ((None, 0, False), (None, 1, True), (1, 2, False), (1, 0, True)):
            found = errors(schema, {"a": new}, None if old is None else {"a": old})
            self.assertEqual(found, [f"a: Invalid value: {new}: m"] if fails else [])

    def test_lists(self) -> None:
        """Elements of a list that is a map are found again by their keys, wherever they are now."""
        schema = fields(l=keyed(ruled(fields(k=TEXT, v=INTEGER), "self.v >= oldSelf.v"), "k"))
        old = {"l": [{"k": "a", "v": 1}, {"k": "b", "v": 5}]}
        new = {"l": [{"k": "b", "v": 4}, {"k": "c", "v": 0}, {"k": "a", "v": 1}]}
        self.assertEqual(errors(schema, new, old), ["l[0]: Invalid value: failed rule: self.v >= oldSelf.v"])


class RatchetingTests(SynchronousTestCase):
    """What was wrong already may stay as it is."""

    schema = fields(spec=ruled(fields(a=ruled(INTEGER, "self > 0"), b=INTEGER,
                                      l=keyed(ruled(fields(k=TEXT, v=INTEGER), "self.v > 0"), "k")), "self.b > 0"))
    old = {"spec": {"a": 0, "b": 0, "l": [{"k": "x", "v": 0}]}}

    def test_unchanged(self) -> None:
        """Broken rules about what hasn't changed are worth warnings."""
        found = report(self.schema, self.old, self.old, ratchet=True)
        self.assertEqual((found.errors, found.warnings), ([], [
            "spec: Invalid value: failed rule: self.b > 0", "spec.a: Invalid value: 0: failed rule: self > 0",
            "spec.l[0]: Invalid value: failed rule: self.v > 0"]))

    def test_changed(self) -> None:
        """The parts that changed, and those around, have to keep the rules."""
        new = {"spec": {"a": -1, "b": 0, "l": [{"k": "y", "v": 1}, {"k": "x", "v": 0}]}}
        found = report(self.schema, new, self.old, ratchet=True)
        self.assertEqual([str(one) for one in found.errors], [
            "spec: Invalid value: failed rule: self.b > 0", "spec.a: Invalid value: -1: failed rule: self > 0"])
        self.assertEqual(found.warnings, ["spec.l[1]: Invalid value: failed rule: self.v > 0"])

    def test_without(self) -> None:
        """A create, or an update that doesn't ask for it, has nothing to compare."""
        self.assertEqual(len(errors(self.schema, self.old, self.old)), 3)

    def test_transitions(self) -> None:
        """A rule about the change itself is never excused."""
        schema = fields(a=ruled(INTEGER, "self > oldSelf"))
        self.assertEqual(errors(schema, {"a": 1}, {"a": 1}, ratchet=True),
                         ["a: Invalid value: 1: failed rule: self > oldSelf"])


class BudgetTests(SynchronousTestCase):
    """Rules can't take forever."""

    out = "validation failed due to running out of cost budget, no further validation rules will be run"

    def test_object(self) -> None:
        """All rules of an object share a budget; the first one that exceeds it is the last one."""
        schema = fields(a=ruled(INTEGER, "self > 0", "self > 1", "self > 2"))
        found = report(schema, {"a": 0}, budget=2)
        self.assertEqual([str(one) for one in found.errors], [
            "a: Invalid value: 0: failed rule: self > 0", f'a: Invalid value: "integer": {self.out}'])
        self.assertEqual(found.budget, -1)
        self.assertEqual(report(schema, {"a": 3}).budget, 10_000_000 - 6)

    def test_call(self) -> None:
        """One rule may only cost so much."""
        rule = "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))"
        schema = fields(l=ruled({"type": "array", "items": INTEGER}, rule), m=ruled(INTEGER, "false"))
        self.assertEqual(errors(schema, {"l": [1] * 80, "m": 1}), [
            "l: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no further validation "
            f"rules will be run due to call cost exceeds limit for rule: {rule}"])
