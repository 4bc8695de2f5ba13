"""Storage versions: what each server stores its resources as."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry import internal
from kube_twisted.registry.strategy import Obj
from tests.registry.resources import CONTEXT

STATUS = internal.STRATEGIES["storageversions/status"]


def version(*entries: Obj) -> Obj:
    return {"metadata": {"name": "apps.deployments"}, "spec": {},
            "status": {"storageVersions": list(entries), "commonEncodingVersion": "apps/v1"}}


def wrong(new: Obj) -> list[str]:
    return [str(one) for one in STATUS.validate_update(CONTEXT, new, version())]


class StorageVersionTests(SynchronousTestCase):
    entry: dict[str, Any] = {"apiServerID": "a", "encodingVersion": "apps/v1", "decodableVersions": ["apps/v1"]}

    def test_encoding(self) -> None:
        """What a server writes it can read."""
        self.assertEqual(wrong(version(self.entry)), [])
        errors = wrong(version(self.entry | {"decodableVersions": ["apps/v2"]}))
        self.assertEqual(len(errors), 1)
        self.assertIn("encodingVersion", errors[0])

    def test_agreement(self) -> None:
        """What all servers write is said, and only then."""
        silent = version(self.entry)
        del silent["status"]["commonEncodingVersion"]
        self.assertEqual(wrong(silent), ["status.commonEncodingVersion: Invalid value: null: the common encoding "
                                         "version is apps/v1"])
