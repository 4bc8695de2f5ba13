"""Label selectors."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api import labels
from kube_twisted.api.errors import StatusError

_OPERATORS = "in, notin, =, ==, !=, gt, lt"
_WEB = {"app": "web", "size": "3", "empty": ""}


class MatchingTests(SynchronousTestCase):
    """What a selector selects."""

    def test_operators(self) -> None:
        """Each operator; a negation also selects what does not have the label."""
        for text, expected in (
                ("app=web", True), ("app==web", True), ("app!=web", False), ("app in (db, web)", True),
                ("app notin (web)", False), ("app", True), ("!app", False), ("other!=x", True),
                ("!other", True),
                ("other notin (x)", True), ("other=x", False), ("size>2", True), ("size<3", False),
                ("app>1", False), ("empty=", True), ("other=", False), ("empty in (,x)", True),
                ("app=web,size in (1,2)", False), ("app=web,size=3", True), ("", True)):
            self.assertEqual(labels.parse(text).matches(_WEB), expected, text)

    def test_nothing_and_everything(self) -> None:
        """A missing LabelSelector selects nothing, an empty one everything."""
        self.assertFalse(labels.from_label_selector(None).matches({}))
        self.assertFalse(labels.from_label_selector(None).empty)
        self.assertTrue(labels.from_label_selector({}).matches({}))
        self.assertTrue(labels.from_label_selector({}).empty)

    def test_objects(self) -> None:
        """All of matchLabels and matchExpressions must hold."""
        selector = labels.from_label_selector({
            "matchLabels": {"app": "web"},
            "matchExpressions": [{"key": "size", "operator": "NotIn", "values": ["1", "2"]},
                                 {"key": "canary", "operator": "DoesNotExist"}]})
        self.assertTrue(selector.matches(_WEB))
        self.assertFalse(selector.matches({**_WEB, "canary": ""}))
        self.assertEqual(str(selector), "app=web,!canary,size notin (1,2)")

    def test_plain_labels(self) -> None:
        """A ReplicationController's selector is a mapping of labels."""
        self.assertTrue(labels.from_labels({"app": "web"}).matches(_WEB))
        self.assertEqual(str(labels.from_labels({"b": "2", "a": "1"})), "a=1,b=2")

    def test_exact(self) -> None:
        """A selector tells the one value that it asks for."""
        selector = labels.parse("a=1,b in (2),c in (3,4),d!=5")
        self.assertEqual([selector.requires_exact(key) for key in "abcde"], ["1", "2", None, None, None])


class ParsingTests(SynchronousTestCase):
    """The text of a selector."""

    def test_written(self) -> None:
        """A selector is written sorted, without spaces."""
        for text, written in (("b = 2 , a", "a,b=2"), ("x in (c,a,b)", "x in (a,b,c)"), ("!a", "!a"),
                              ("a notin ()", "a notin ()"), ("a in (,x)", "a in (,x)"),
                              ("n>1,m<2", "m<2,n>1"),
                              ("a==in", "a==in"), ("in in (in,notin)", "in in (in,notin)")):
            self.assertEqual(str(labels.parse(text)), written)

    def test_errors(self) -> None:
        """A bad selector is a bad request that says what was found where."""
        for text, message in (
                ("a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"),
                ("a===b", "unable to parse requirement: found '=', expected: identifier"),
                ("=a", "found '=', expected: !, identifier, or 'end of string'"),
                ("a b", f"unable to parse requirement: found 'b', expected: {_OPERATORS}"),
                ("a!", f"unable to parse requirement: found '!', expected: {_OPERATORS}"),
                ("a=b c", "found 'c', expected: ',' or 'end of string'"),
                ("a in x", "unable to parse requirement: found 'x' expected: '('"),
                ("a in (b", "unable to parse requirement: found '', expected: ',' or ')'"),
                ("a in (b,=)", "unable to parse requirement: found '=', expected: ',', or identifier"),
                ("a,", "found '', expected: identifier after ','"),
                ("!a=b", "found '=', expected: ',' or 'end of string'"),
                ("!", "unable to parse requirement: found '', expected: identifier"),
                ("n>x",
                 'unable to parse requirement: values[0]: Invalid value: "x": for \'Gt\', \'Lt\' operators, '
                        "the value must be an integer"),
                ("a=" + "v" * 64, f'unable to parse requirement: values[0][a]: Invalid value: "{"v" * 64}": '
                                  "must be no more than 63 bytes")):
            error = self.assertRaises(StatusError, labels.parse, text)
            self.assertEqual((error.code, error.message), (400, message), text)

    def test_bad_key(self) -> None:
        """A key that is no label's key is refused without a field's name."""
        error = self.assertRaises(StatusError, labels.parse, "-bad-=x")
        self.assertTrue(error.message.startswith(
            'unable to parse requirement: <nil>: Invalid value: "-bad-": name part must consist of'))


class LabelSelectorObjectTests(SynchronousTestCase):
    """LabelSelector objects in specs."""

    def test_formatted(self) -> None:
        """Tables show selectors as text, with words for none and for bad ones."""
        self.assertEqual(labels.format_label_selector({"matchLabels": {"b": "2", "a": "1"}}), "a=1,b=2")
        self.assertEqual(labels.format_label_selector({}), "<none>")
        self.assertEqual(labels.format_label_selector(None), "<none>")
        self.assertEqual(labels.format_label_selector(
            {"matchExpressions": [{"key": "a", "operator": "Near"}]}), "<error>")

    def test_valid(self) -> None:
        """A good selector has no errors; nor has none at all."""
        good = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "c", "operator": "Exists"}]}
        self.assertEqual(labels.validate_label_selector(good, "spec.selector"), [])
        self.assertEqual(labels.validate_label_selector(None, "spec.selector"), [])

    def test_errors(self) -> None:
        """Operators, the number of values, keys and values are checked, with their paths."""
        bad = {"matchLabels": {"ok": "-"}, "matchExpressions": [
            {"key": "a", "operator": "In"}, {"key": "b", "operator": "Exists", "values": ["x"]},
            {"key": "", "operator": "Near"}, {"key": "c", "operator": "In", "values": ["ok", "not ok"]}]}
        found = [(one.type, one.field) for one in labels.validate_label_selector(bad, "s")]
        self.assertEqual(found, [
            ("Invalid", "s.matchLabels"), ("Required", "s.matchExpressions[0].values"),
            ("Forbidden", "s.matchExpressions[1].values"), ("Invalid", "s.matchExpressions[2].operator"),
            ("Invalid", "s.matchExpressions[2].key"), ("Invalid", "s.matchExpressions[2].key"),
            ("Invalid", "s.matchExpressions[3].values[1]")])

    def test_stored_values(self) -> None:
        """Values that were stored before they were checked may stay."""
        bad = {"matchExpressions": [{"key": "c", "operator": "In", "values": ["not ok"]}]}
        self.assertTrue(labels.has_invalid_values(bad))
        self.assertFalse(labels.has_invalid_values(None))
        self.assertEqual(labels.validate_label_selector(bad, "s", allow_invalid_values=True), [])
