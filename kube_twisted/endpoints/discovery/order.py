"""The order in which discovery lists groups and versions: by priority, then by name.

Source of the rules: the Kubernetes documentation, "Versions in CustomResourceDefinitions" (version priority),
and the fields groupPriorityMinimum and versionPriority of an APIService.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion

#: groupPriorityMinimum and versionPriority of a group-version; higher ones come first.
Priority = Callable[[GroupVersion], tuple[int, int]]

#: The group that every aggregator lists before all others.
_FIRST = "apiregistration.k8s.io"
_VERSION = re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?")
_STAGES = {"alpha": 1, "beta": 2, None: 3}


def no_priority(_group_version: GroupVersion) -> tuple[int, int]:
    """What group-versions have of which nobody says more: those of custom resources."""
    return 1000, 100


def in_order(groups: Iterable[APIGroup], priority: Priority = no_priority) -> list[APIGroup]:
    """Sort groups, and the versions in each, the preferred one first; groups without versions drop out."""
    ranked = []
    for group in groups:
        if group.versions:
            highest = max(priority(version.group_version)[0] for version in group.versions)
            ranked.append(((group.name != _FIRST, -highest, group.name), _sorted_versions(group, priority)))
    ranked.sort(key=lambda pair: pair[0])
    return [group for _, group in ranked]


def _sorted_versions(group: APIGroup, priority: Priority) -> APIGroup:
    def rank(version: APIGroupVersion) -> tuple[int, tuple[int, int, int], str]:
        weight = priority(version.group_version)[1]
        stage, major, minor = version_rank(version.group_version.version)
        return -weight, (-stage, -major, -minor), version.group_version.version

    return APIGroup(group.name, sorted(group.versions, key=rank))


def version_rank(version: str) -> tuple[int, int, int]:
    """A key: ``v2`` is above ``v1``, that above ``v2beta1``, then ``v1alpha1``, then any other name."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return 0, 0, 0
    return _STAGES[match[2]], int(match[1]), int(match[3] or 0)
