"""Entries between a resource and its scale."""

from __future__ import annotations

from twisted.trial import unittest

from kube_twisted.schema.apply.fieldset import field_path
from kube_twisted.schema.apply.scale import SCALE_VERSION, from_scale, to_scale
from tests.schema.apply.kinds import LATER, entry

APPS = "apps/v1"
PATHS = {APPS: field_path("spec", "replicas"), "apps/v1beta1": None}
REPLICAS = {"f:spec": {"f:replicas": {}}}
MORE = {"f:spec": {"f:paused": {}, "f:replicas": {}}}


class ScaleTests(unittest.SynchronousTestCase):
    """Only the replicas are shared."""

    def test_to_scale(self) -> None:
        """A scale shows the managers of replicas, speaking of the scale's version."""
        given = [
            entry("a", MORE, "Apply", version=APPS),
            entry("b", {"f:spec": {"f:paused": {}}}, version=APPS),
            entry("c", REPLICAS, version="apps/v1beta1"),
            entry("d", REPLICAS, version="unknown/v1"),
        ]
        self.assertEqual(to_scale(given, PATHS), [entry("a", REPLICAS, "Apply", version=SCALE_VERSION)])

    def test_scaler_takes_replicas(self) -> None:
        """Who scales takes the replicas, without a time, and the others keep the rest."""
        given = [entry("alpha", MORE, "Apply", version=APPS)]
        scaled = [entry("scaler", REPLICAS, time=LATER, version=SCALE_VERSION, subresource="scale")]
        self.assertEqual(
            from_scale(given, scaled, APPS, PATHS),
            [
                entry("alpha", {"f:spec": {"f:paused": {}}}, "Apply", version=APPS),
                entry("scaler", REPLICAS, time=None, version=APPS, subresource="scale"),
            ],
        )

    def test_kept(self) -> None:
        """An applier that still owns the scale's replicas stays as it was."""
        given = [entry("alpha", MORE, "Apply", version=APPS)]
        self.assertEqual(from_scale(given, to_scale(given, PATHS), APPS, PATHS), given)

    def test_nothing_left(self) -> None:
        """An entry that had nothing but replicas goes when they are taken."""
        given = [entry("alpha", REPLICAS, "Apply", version=APPS)]
        self.assertEqual(from_scale(given, [], APPS, PATHS), [])

    def test_versions(self) -> None:
        """Entries of unknown versions go, those of versions without a scale stay."""
        given = [entry("a", REPLICAS, version="apps/v1beta1"), entry("b", REPLICAS, version="unknown/v1")]
        self.assertEqual(from_scale(given, [], APPS, PATHS), given[:1])

    def test_other_fields_of_the_scale(self) -> None:
        """Owners of other fields of the scale are nobody in the resource."""
        scaled = [entry("x", {"f:metadata": {"f:labels": {}}}, version=SCALE_VERSION)]
        self.assertEqual(from_scale([], scaled, APPS, PATHS), [])
