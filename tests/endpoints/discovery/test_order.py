"""In which order groups and versions are listed."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.discovery.order import in_order, version_rank
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion


def group(name: str, *versions: str) -> APIGroup:
    return APIGroup(name, [APIGroupVersion(GroupVersion(name, one)) for one in versions])


class OrderTests(SynchronousTestCase):
    """Order by priority and by name."""

    def test_versions(self) -> None:
        """The example of the documentation on version priority."""
        versions = ["foo1", "v3beta1", "v1", "v12alpha1", "v10", "v11alpha2", "v10beta3", "v2", "v11beta2",
                    "foo10"]
        self.assertEqual(
            sorted(versions, key=lambda one: ([-part for part in version_rank(one)], one)),
            ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"])

    def test_groups_without_priority(self) -> None:
        """Groups of one priority are sorted by name, their versions by what the names mean."""
        ordered = in_order([group("b.example", "v1beta1", "v1", "v2alpha1"), group("a.example", "v1")])
        self.assertEqual([one.name for one in ordered], ["a.example", "b.example"])
        self.assertEqual([one.group_version.version for one in ordered[1].versions],
                         ["v1", "v1beta1", "v2alpha1"])

    def test_priority(self) -> None:
        """The highest priority of its versions counts for a group; versions have their own."""
        weights = {"a/v1": (10, 5), "b/v1": (5, 1), "b/v2": (20, 1), "b/v1beta1": (5, 9)}
        ordered = in_order([group("a", "v1"), group("b", "v1", "v2", "v1beta1")],
                           lambda group_version: weights[str(group_version)])
        self.assertEqual([one.name for one in ordered], ["b", "a"])
        self.assertEqual([one.group_version.version for one in ordered[0].versions], ["v1beta1", "v2", "v1"])

    def test_empty_groups(self) -> None:
        """A group that has lost all its versions is not listed."""
        self.assertEqual(in_order([group("a.example")]), [])
