"""Entries of ``managedFields``: identity, order, malformed ones, the cap on updaters."""

from __future__ import annotations

from typing import Any

from twisted.trial import unittest

from kube_twisted.schema.apply.fieldsv1 import FieldsError
from kube_twisted.schema.apply.managed import applier, capped, decode, encode, is_reset, updater
from tests.schema.apply.kinds import LATER, NOW, entry

OWNED: dict[str, Any] = {"f:data": {"f:a": {}}}


class DecodeTests(unittest.SynchronousTestCase):
    """Entries as received and stored."""

    def test_round_trip(self) -> None:
        """Entries come out as they went in, in their order."""
        given = [
            entry("a", OWNED, "Apply"),
            entry("b", OWNED, "Apply", None),
            entry("c", OWNED, subresource="status"),
        ]
        self.assertEqual(encode(decode(given)), [given[1], given[0], given[2]])

    def test_identity(self) -> None:
        """An applier is one manager in all versions, an updater one per version and subresource."""
        managed = decode(
            [entry("a", OWNED, "Apply"), entry("a", OWNED, version="v2"), entry("a", OWNED, subresource="s")]
        )
        self.assertEqual(list(managed), [applier("a"), updater("a", "v2"), updater("a", "v1", "s")])

    def test_last_one_counts(self) -> None:
        """Of entries of one identity the last counts."""
        given = [entry("a", OWNED), entry("a", {"f:data": {"f:b": {}}})]
        self.assertEqual(encode(decode(given)), given[1:])

    def test_malformed(self) -> None:
        """Malformed entries are errors, worded as the original's."""
        good = entry("a", OWNED)
        for change, text in (
            ({"operation": "Wrong"}, "operation must be `Apply` or `Update`"),
            ({"apiVersion": ""}, "apiVersion must not be empty"),
            ({"fieldsType": ""}, "missing fieldsType in managed fields entry 0"),
            ({"fieldsType": "V2"}, 'invalid fieldsType "V2" in managed fields entry 0'),
        ):
            error = self.assertRaises(FieldsError, decode, [{**good, **change}])
            self.assertEqual(str(error), text)
        self.assertRaises(FieldsError, decode, [{**good, "fieldsV1": {"nocolon": {}}}])

    def test_order(self) -> None:
        """Appliers first; then time, name, version, subresource."""
        given = [
            entry("z", OWNED, "Apply"),
            entry("b", OWNED),
            entry("b", OWNED, subresource="s"),
            entry("b", OWNED, version="v2"),
            entry("a", OWNED, time=LATER),
        ]
        self.assertEqual(encode(decode(list(reversed(given)))), given)

    def test_unnamed(self) -> None:
        """Who does not say a name is unknown."""
        self.assertEqual((applier("").manager, updater("", "v1").manager), ("unknown", "unknown"))

    def test_reset(self) -> None:
        """An empty list and a single empty entry ask to forget everything."""
        self.assertEqual(
            [is_reset(sent) for sent in ([], [{}], None, [{}, {}], [entry("a", OWNED)])],
            [True, True, False, False, False],
        )


class DescriptionTests(unittest.SynchronousTestCase):
    """How conflicts name managers."""

    def test_descriptions(self) -> None:
        """Appliers by name; updaters with version; subresources are told."""
        self.assertEqual(applier("a").description(), '"a"')
        self.assertEqual(updater("a", "apps/v1").description(), '"a" using apps/v1')
        self.assertEqual(updater("a", "v1", "scale").description(), '"a" with subresource "scale" using v1')


class CapTests(unittest.SynchronousTestCase):
    """No more than ten updaters."""

    def many(self, count: int) -> list[dict[str, Any]]:
        return [
            entry(f"m{n:02}", {"f:data": {f"f:k{n:02}": {}}}, time=f"2026-01-01T00:00:{n:02}Z")
            for n in range(count)
        ]

    def test_ten_stay(self) -> None:
        """Ten updaters stay, and appliers do not count."""
        given = [entry("z", OWNED, "Apply"), *self.many(10)]
        self.assertEqual(encode(capped(decode(given))), given)

    def test_oldest_merge(self) -> None:
        """The two oldest become ancient changes with the time of the younger."""
        result = encode(capped(decode(self.many(11))))
        self.assertEqual(
            result[0],
            entry("ancient-changes", {"f:data": {"f:k00": {}, "f:k01": {}}}, time="2026-01-01T00:00:01Z"),
        )
        self.assertEqual([one["manager"] for one in result[1:]], [f"m{n:02}" for n in range(2, 11)])

    def test_bucket_grows(self) -> None:
        """Later the next oldest goes into the same bucket."""
        bucket = entry("ancient-changes", {"f:data": {"f:x": {}}}, time=NOW)
        result = encode(capped(decode([bucket, *self.many(10)])))
        self.assertEqual(result[0]["fieldsV1"], {"f:data": {"f:k00": {}, "f:x": {}}})
        self.assertEqual(len(result), 10)

    def test_versions_apart(self) -> None:
        """Only entries of one version are merged."""
        other = entry("m", OWNED, version="v2", time="2025-01-01T00:00:00Z")
        result = encode(capped(decode([other, *self.many(10)])))
        self.assertEqual(result[0], other)
        self.assertEqual(result[1]["fieldsV1"], {"f:data": {"f:k00": {}, "f:k01": {}}})
