"""The table of all built-in resources: ``data/resources.json``, read once, for one emulated version."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from attrs import frozen

from kube_twisted.api.gvk import GroupVersion

_FILE = Path(__file__).parent / "data" / "resources.json"


@frozen
class ResourceFacts:
    """A resource or subresource in one version, as discovery has it.

    :ivar name: ``pods`` or ``pods/status``.
    :ivar response: the group-version of the kind where it is not the resource's own.
    """

    name: str
    kind: str
    singular: str
    namespaced: bool
    verbs: tuple[str, ...]
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    storage_version_hash: str = ""
    response: GroupVersion | None = None


@frozen
class VersionFacts:
    """A group-version.

    :ivar default: whether it is served unless switched off.
    :ivar priority: groupPriorityMinimum and versionPriority of its APIService.
    """

    group_version: GroupVersion
    default: bool
    priority: tuple[int, int]
    resources: Mapping[str, ResourceFacts]


@frozen
class Resources:
    """All groups in order of priority, each with its versions, the preferred first.

    :ivar version: of Kubernetes, such as ``1.36``.
    """

    version: str
    groups: Mapping[str, tuple[VersionFacts, ...]]

    @classmethod
    def load(cls, version: str = "1.36") -> Resources:
        """:param version: of Kubernetes, such as ``1.36``; resources of other versions are left out."""
        table = orjson.loads(_FILE.read_bytes())
        sets = {name: tuple(verbs) for name, verbs in table["verbSets"].items()}
        groups = {}
        for group, rows in table["groups"].items():
            versions = tuple(_version(group, row, sets, version) for row in rows if _exists(row, version))
            if versions:
                groups[group] = versions
        return cls(version, groups)


def _exists(row: dict[str, Any], version: str) -> bool:
    since, until = row.get("since"), row.get("until")
    return not ((since and _number(since) > _number(version)) or (until and _number(until) < _number(version)))


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _version(group: str, row: dict[str, Any], sets: dict[str, tuple[str, ...]], version: str) -> VersionFacts:
    resources: dict[str, ResourceFacts] = {}
    for name, facts in row["resources"].items():
        if not _exists(facts, version):
            continue
        resources[name] = _resource(name, facts, facts, sets)
        for sub, sub_facts in facts.get("subresources", {}).items():
            if _exists(sub_facts, version):
                resources[f"{name}/{sub}"] = _resource(f"{name}/{sub}", {**facts, **sub_facts}, sub_facts, sets)
    first, second = row.get("priority", (16000, 9))
    return VersionFacts(GroupVersion(group, row["version"]), row["default"], (first, second), resources)


def _resource(name: str, facts: dict[str, Any], own: dict[str, Any],
              sets: dict[str, tuple[str, ...]]) -> ResourceFacts:
    verbs = own["verbs"]
    main = "/" not in name
    response = own.get("responseGV")
    return ResourceFacts(
        name, facts["kind"], facts["singular"] if main else "", facts["namespaced"],
        sets[verbs] if isinstance(verbs, str) else tuple(verbs),
        tuple(facts.get("shortNames", ())) if main else (), tuple(facts.get("categories", ())) if main else (),
        facts.get("svHash", "") if main else "", GroupVersion.parse(response) if response else None)
