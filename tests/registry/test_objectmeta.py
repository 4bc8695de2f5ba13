"""The system's part of ObjectMeta."""

from __future__ import annotations

import uuid
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.registry.objectmeta import (
    drop_repeated_owners,
    ensure_namespace,
    fill_for_create,
    given_version,
    keep_from_old,
    new_uid,
    wipe_system_fields,
)

NOW = "2026-01-01T00:00:00Z"


class UidTests(SynchronousTestCase):
    def test_version_4(self) -> None:
        """UIDs are random UUIDs, each another one."""
        uids = {new_uid() for _ in range(200)}
        self.assertEqual(len(uids), 200)
        for one in uids:
            parsed = uuid.UUID(one)
            self.assertEqual((str(parsed), parsed.version, parsed.variant), (one, 4, uuid.RFC_4122))


class NamespaceTests(SynchronousTestCase):
    """The namespace of the request."""

    def test_filled_in(self) -> None:
        """An object without one is in that of the request, one of a cluster-scoped kind in none."""
        here = {"namespace": "ns"}
        for given, request, expected in (({}, "ns", here), ({"namespace": ""}, "ns", here), (here, "ns", here),
                                         ({"namespace": "x"}, "", {}), ({}, "", {}),
                                         ({"namespace": ""}, "", {"namespace": ""})):
            meta: dict[str, Any] = dict(given)
            ensure_namespace(meta, request)
            self.assertEqual(meta, expected)

    def test_another(self) -> None:
        """Another one is 400."""
        self.assertEqual(self.assertRaises(StatusError, ensure_namespace, {"namespace": "x"}, "ns").code, 400)


class CreateTests(SynchronousTestCase):
    """New objects."""

    def test_filled(self) -> None:
        """uid and time of birth; a generation where the kind has one."""
        meta = {"name": "a", "uid": "x", "deletionTimestamp": NOW, "creationTimestamp": "x", "selfLink": "/"}
        fill_for_create(meta, NOW, generation=False)
        self.assertEqual(meta, {"name": "a", "uid": meta["uid"], "creationTimestamp": NOW})
        self.assertNotEqual(meta["uid"], "x")
        fill_for_create(meta, NOW, generation=True)
        self.assertEqual(meta["generation"], 1)

    def test_generated_name(self) -> None:
        """Only where there is none."""
        for given, pattern in (({"generateName": "a-"}, "^a-.{5}$"), ({"generateName": "a-", "name": "b"}, "^b$")):
            meta = dict(given)
            fill_for_create(meta, NOW, generation=False)
            self.assertRegex(meta["name"], pattern)

    def test_version(self) -> None:
        """A resourceVersion is refused, but in a dry run; what is none, and 0, are taken for none."""
        for version in ("", "0", "x", "-1", " 5", str(1 << 64)):
            meta = {"name": "a", "resourceVersion": version}
            fill_for_create(meta, NOW, generation=False)
            self.assertNotIn("resourceVersion", meta)
            self.assertEqual(given_version(meta, dry_run=False), 0)
        meta = {"name": "a", "resourceVersion": "5"}
        fill_for_create(meta, NOW, generation=False)
        self.assertEqual(given_version(meta, dry_run=True), 5)
        self.assertRaises(StatusError, given_version, meta, False)

    def test_wiped(self) -> None:
        """What only the system sets goes, the rest stays."""
        meta = dict.fromkeys(("name", "uid", "resourceVersion", "deletionGracePeriodSeconds", "labels"), "x")
        wipe_system_fields(meta)
        self.assertEqual(meta, {"name": "x", "labels": "x"})


class OwnersTests(SynchronousTestCase):
    def test_repeated(self) -> None:
        """A reference that stands again is taken out, and its uid told as often as it did."""
        one, other = {"uid": "1", "name": "a"}, {"uid": "1", "name": "b"}
        meta = {"ownerReferences": [one, other, dict(one), dict(one)]}
        self.assertEqual(drop_repeated_owners(meta), ["1", "1"])
        self.assertEqual(meta, {"ownerReferences": [one, other]})

    def test_none(self) -> None:
        """Without repeats nothing changes."""
        for meta in ({}, {"ownerReferences": []}, {"ownerReferences": [{}]}, {"ownerReferences": [{"uid": "1"}, {}]}):
            before = {**meta}
            self.assertEqual((drop_repeated_owners(meta), meta), ([], before))


class UpdateTests(SynchronousTestCase):
    def test_kept(self) -> None:
        """Birth, deletion, generation and a missing uid come from the old object."""
        old = {"uid": "1", "creationTimestamp": NOW, "deletionTimestamp": NOW, "deletionGracePeriodSeconds": 5,
               "generation": 3}
        meta: dict[str, Any] = {"creationTimestamp": "x", "selfLink": "/", "generation": 9}
        keep_from_old(meta, old)
        self.assertEqual(meta, old)

    def test_not_kept(self) -> None:
        """Another uid is for validation to see; a generation that there was not is none."""
        meta: dict[str, Any] = {"uid": "2", "generation": 9, "deletionGracePeriodSeconds": 1}
        keep_from_old(meta, {"uid": "1"})
        self.assertEqual(meta, {"uid": "2", "deletionGracePeriodSeconds": 1})
