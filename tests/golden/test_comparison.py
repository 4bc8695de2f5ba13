"""The comparison of answers: what counts as a difference and what does not."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.golden.comparison import _RECORDED, _aged, differences
from tests.golden.placeholders import fill_in, with_placeholders
from tests.golden.scenario import Step, dig

JSON = {"content-type": "application/json"}


def found(body: Any, got: Any, **parts: Any) -> list[str]:
    """The places that differ."""
    step = Step(method="GET", path="/", expect={"status": 200, "headers": JSON, "body": body}, **parts)
    return [".".join(map(str, one.path)) for one in differences(step, 200, JSON, got)]


class DifferencesTests(SynchronousTestCase):
    def test_values(self) -> None:
        """Values, types, missing and further fields, and lengths differ."""
        self.assertEqual(found({"a": 1}, {"a": 1}), [])
        self.assertEqual(found({"a": 1, "b": 1, "c": {"d": 1}}, {"a": 2, "b": 1.0, "c": {}}), ["a", "b", "c.d"])
        self.assertEqual(found({}, {"a": None}), ["a"])
        self.assertEqual(found({"a": [1, 2]}, {"a": [2]}), ["a.<length>", "a.0"])

    def test_status_and_headers(self) -> None:
        """The status and the compared headers differ; another warning is wording, a missing one is not."""
        expect = {"status": 200, "headers": {"warning": '299 - "a"'}, "body": {}}
        step = Step(method="GET", path="/", expect=expect)
        self.assertEqual([one.path for one in differences(step, 201, expect["headers"], {})], [("status",)])
        other, missing = ({"warning": '299 - "b"'}, {})
        self.assertEqual([one.wording for headers in (other, missing) for one in differences(step, 200, headers, {})],
                         [True, False])

    def test_wording(self) -> None:
        """Messages that differ are wording."""
        step = Step(method="GET", path="/", expect={"status": 200, "headers": {}, "body": {"message": "a", "x": "a"}})
        self.assertEqual([one.wording for one in differences(step, 200, {}, {"message": "b", "x": "b"})],
                         [True, False])

    def test_ignore(self) -> None:
        """What lies at or below an ignored path does not count."""
        self.assertEqual(found({"a": [{"b": 1, "c": 1}]}, {"a": [{"b": 2, "c": 2}]}, ignore=["a.*.b"]), ["a.0.c"])

    def test_only(self) -> None:
        """Only the named places count; one with a question mark counts by being there."""
        self.assertEqual(found({"a": 1, "b": 1}, {"a": 1, "b": 2}, only=["a"]), [])
        self.assertEqual(found({"a": 1, "b": 1}, {"b": 2}, only=["a?", "b?"]), ["a"])

    def test_order(self) -> None:
        """The order of named lists does not count, nor that of managed fields."""
        one, other = {"a": [1, 2]}, {"a": [2, 1]}
        self.assertEqual(found(one, other), ["a.0", "a.1"])
        self.assertEqual(found(one, other, unordered=["a"]), [])
        entries = [{"manager": "a"}, {"manager": "b"}]
        self.assertEqual(found({"managedFields": entries}, {"managedFields": entries[::-1]}), [])


class AgeTests(SynchronousTestCase):
    def test_days(self) -> None:
        """An age in days grows by one each day since the recording, and is nothing else; other cells stay."""
        day = 24 * 3600
        self.assertEqual(_aged("332d", _RECORDED + 3600), {"332d"})
        self.assertEqual(_aged("332d", _RECORDED + day + 3600), {"333d"})
        self.assertEqual(_aged("332d", _RECORDED + 10 * day + 60), {"341d", "342d"})
        self.assertEqual(_aged("5m", _RECORDED + day), {"5m"})


class PlaceholderTests(SynchronousTestCase):
    variables = {"ns": "g-test-1f", "run": "1f"}

    def test_with_placeholders(self) -> None:
        """Versions, uids, times, namespaces and generated names give way to placeholders; the rest stays."""
        self.assertEqual(with_placeholders({
            "resourceVersion": "12", "uid": "x", "namespace": "g-test-1f", "generateName": "web-", "name": "web-x7",
            "creationTimestamp": "2026-01-02T03:04:05Z", "clusterIP": "10.0.0.7", "nodePort": 30001, "port": 80,
        }, self.variables), {
            "resourceVersion": "<rv>", "uid": "<uid>", "namespace": "<ns>", "generateName": "web-",
            "name": "web-<generated>", "creationTimestamp": "<time>", "clusterIP": "<ip>", "nodePort": "<port>",
            "port": 80})
        self.assertEqual(with_placeholders({"clusterIP": "None", "resourceVersion": "abc"}, self.variables),
                         {"clusterIP": "None", "resourceVersion": "abc"})

    def test_fill_in(self) -> None:
        """Variables are put into strings, keys and lists; unknown ones stay."""
        self.assertEqual(fill_in({"{ns}/a": ["{run}", "{other}", 1]}, self.variables),
                         {"g-test-1f/a": ["1f", "{other}", 1]})

    def test_dig(self) -> None:
        """A path leads through maps and lists."""
        self.assertEqual(dig({"a": [{"b": 1}]}, "a.0.b"), 1)
        for path in ("a.1", "a.x", "b", "a.0.b.c"):
            self.assertRaises(LookupError, dig, {"a": [{"b": 1}]}, path)
