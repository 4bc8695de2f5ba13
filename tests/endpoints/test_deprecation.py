"""Tests for kube_twisted.endpoints.deprecation."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.deprecation import DEPRECATED, deprecation_warning
from tests.schema.shared_schema import shared_schema


class WarningTests(SynchronousTestCase):
    """The texts."""

    def warning(self, api_version: str, kind: str) -> str:
        return deprecation_warning(GroupVersion.parse(api_version).kind(kind))

    def test_texts(self) -> None:
        """Since when, when it is gone, and what to use, each where it is known."""
        self.assertEqual(self.warning("v1", "ComponentStatus"), "v1 ComponentStatus is deprecated in v1.19+")
        self.assertEqual(self.warning("storage.k8s.io/v1beta1", "VolumeAttributesClass"),
                         "storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in "
                         "v1.37+; use storage.k8s.io/v1 VolumeAttributesClass")

    def test_current_kinds(self) -> None:
        """Kinds that stay have no warning, in whichever group they have a namesake."""
        self.assertEqual(self.warning("v1", "Pod"), "")
        self.assertEqual(self.warning("resource.k8s.io/v1", "ResourceClaim"), "")

    def test_kinds_exist(self) -> None:
        """The table names kinds that the schema knows."""
        for api_version, kind in DEPRECATED:
            self.assertTrue(shared_schema().is_registered(GroupVersion.parse(api_version).kind(kind)), kind)
