"""Rules of x-kubernetes-validations, when a definition is written."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.definition_rules import validate_rules
from tests.cel.test_validations import INTEGER, TEXT, fields, keyed, ruled

_ADVICE = ("(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and "
           "strings are declared)")


def errors(schema: dict[str, Any], **more: Any) -> list[str]:
    return [str(one) for one in validate_rules("s", schema, lambda path: False, **more)]


def shown(rule: str, message: str = "") -> str:
    """A rule as errors show it."""
    rule, message = rule.replace(">", "\\u003e"), message.replace(">", "\\u003e")
    return (f'{{"Rule":"{rule}","Message":"","MessageExpression":"{message}","Reason":null,"FieldPath":"",'
            f'"OptionalOldSelf":null}}')


class CompilationTests(SynchronousTestCase):
    """Rules that can't be used."""

    def assert_rule(self, rule: str, detail: str) -> None:
        schema = fields(spec=ruled(fields(a=INTEGER), rule))
        where = "s.properties[spec].x-kubernetes-validations[0].rule"
        self.assertEqual(errors(schema), [f"{where}: Invalid value: {shown(rule)}: {detail}"])

    def test_good_rules(self) -> None:
        """A rule that compiles is fine, as is an empty one, which others complain about."""
        self.assertEqual(errors(fields(a=ruled(INTEGER, "self > 0", "", "self > oldSelf"))), [])

    def test_rules(self) -> None:
        """The text is shown with the place."""
        self.assert_rule("self.b > 1", "compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n"
                                       " | ....^")
        self.assert_rule("nosuch(self.a)", "compilation failed: ERROR: <input>:1:7: undeclared reference to 'nosuch' "
                                           "(in container '')\n | nosuch(self.a)\n | ......^")
        self.assert_rule("self.a >", "compilation failed: ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' "
                                     "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, "
                                     "NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.a >\n | ........^")
        self.assert_rule("self.a", "cel expression must evaluate to a bool")

    def test_messages(self) -> None:
        """A messageExpression gives a text."""
        rule = {"rule": "self.a > 0", "messageExpression": "self.a"}
        self.assertEqual(errors(fields(spec=ruled(fields(a=INTEGER), rule))), [
            "s.properties[spec].x-kubernetes-validations[0].messageExpression: Invalid value: "
            f"{shown('self.a > 0', 'self.a')}: messageExpression must evaluate to a string"])

    def test_what_is_wrong_otherwise(self) -> None:
        """Rules of a schema with other errors are left alone."""
        schema = fields(spec=ruled(fields(a=INTEGER), "nosuch"), b=ruled(INTEGER, "self.x"))
        found = validate_rules("s", schema, lambda path: path == "s.properties[spec]")
        self.assertEqual([one.field for one in found], ["s.properties[b].x-kubernetes-validations[0].rule"])

    def test_no_type(self) -> None:
        """There are no rules about what the language can't express."""
        self.assertEqual(errors(fields(a=ruled({"x-kubernetes-preserve-unknown-fields": True}, "true"))), [
            "s.properties[a].x-kubernetes-validations: Internal error: internal error: failed to construct type "
            "information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations"])


class TransitionTests(SynchronousTestCase):
    """Rules that name oldSelf."""

    def test_uncorrelated(self) -> None:
        """Elements of a list have old values only if it is a map."""
        schema = ruled(fields(k=TEXT, a=INTEGER), "self.a > oldSelf.a")
        self.assertEqual(errors(fields(l={"type": "array", "items": schema, "maxItems": 5})), [
            "s.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: \"self.a > oldSelf.a\": oldSelf "
            "cannot be used on the uncorrelatable portion of the schema within s.properties[l]"])
        self.assertEqual(errors(fields(l=keyed(schema, "k"))), [])

    def test_optional(self) -> None:
        """What oldSelf is doesn't matter if it isn't named."""
        rule = {"rule": "self > 0", "optionalOldSelf": True}
        self.assertEqual(errors(fields(a=ruled(INTEGER, rule))), [
            "s.properties[a].x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if "
            "oldSelf is not used in rule"])


class CostTests(SynchronousTestCase):
    """Rules that might take too long."""

    rule = "self.all(x, self.all(y, x == y))"

    def schema(self, **limits: int) -> dict[str, Any]:
        return fields(l=ruled({"type": "array", "items": {**TEXT, "maxLength": 10}, **limits}, self.rule))

    def test_too_expensive(self) -> None:
        """Without limits the rule, and with it the whole schema, costs too much."""
        where = "s.properties[l].x-kubernetes-validations[0].rule"
        self.assertEqual(errors(self.schema()), [
            f"{where}: Forbidden: estimated rule cost exceeds budget by factor of more than 100x {_ADVICE}",
            f"{where}: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 "
            "schema",
            "s: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds "
            f"budget by factor of more than 100x {_ADVICE}"])

    def test_limits(self) -> None:
        """With limits it is fine; just above, the factor is told."""
        self.assertEqual(errors(self.schema(maxItems=100)), [])
        found = errors(self.schema(maxItems=1100))
        self.assertEqual(len(found), 1)
        self.assertIn("Forbidden: estimated rule cost exceeds budget by factor of 1.089550x (try", found[0])
        self.assertIn("by factor of 2.0x (try", errors(self.schema(maxItems=1500))[0])

    def test_unchanged(self) -> None:
        """Single rules of a schema that is stored already aren't held against it, their sum is."""
        self.assertEqual(errors(self.schema(maxItems=1100), limit_each=False), [])
        self.assertEqual(len(errors(self.schema(), limit_each=False)), 2)

    def test_messages(self) -> None:
        """A messageExpression has a cost as well."""
        rule = {"rule": "true", "messageExpression": "self.all(x, self.all(y, x == y)) ? 'a' : 'b'"}
        found = errors(fields(l=ruled({"type": "array", "items": TEXT}, rule)))
        self.assertEqual(found[0], "s.properties[l].x-kubernetes-validations[0].messageExpression: Forbidden: "
                                   f"estimated messageExpression cost exceeds budget by factor of more than 100x "
                                   f"{_ADVICE}")

    def test_occurrences(self) -> None:
        """What may occur often costs as often."""
        schema = fields(l={"type": "array", "items": self.schema(maxItems=100), "maxItems": 1000})
        self.assertIn("Forbidden: estimated rule cost exceeds budget by factor of", errors(schema)[0])
