"""What resources the server has, as its clients discover them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.server.loopback import JSON, LoopbackClient

_ACCEPT = f"{JSON};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


@frozen
class Resource:
    """A resource in one version.

    :ivar preferred: whether it is the version to use where any will do.
    """

    group: str
    version: str
    name: str
    kind: str
    namespaced: bool
    verbs: frozenset[str]
    preferred: bool

    def __str__(self) -> str:
        """As the original writes it: ``apps/v1, Resource=deployments``."""
        return f"{self.group}/{self.version}, Resource={self.name}"

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def path(self) -> str:
        """Of the collection in all namespaces."""
        return f"{self._root}/{self.name}"

    def collection(self, namespace: str) -> str:
        """The path of the collection in a namespace, or in the cluster."""
        return f"{self._root}/namespaces/{namespace}/{self.name}" if self.namespaced else self.path

    @property
    def _root(self) -> str:
        return f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"


@frozen
class Discovered:
    """All resources.

    :ivar failures: what is wrong with group-versions whose resources are not known, by ``group/version``.
    """

    resources: tuple[Resource, ...]
    failures: Mapping[str, str]

    def preferred(self, *verbs: str) -> Iterator[Resource]:
        """Each resource once, in its preferred version, if it has all the verbs."""
        wanted = frozenset(verbs)
        return (one for one in self.resources if one.preferred and wanted <= one.verbs)

    def by_kind(self) -> dict[tuple[str, str], Resource]:
        """Resources by apiVersion and kind."""
        return {(one.api_version, one.kind): one for one in self.resources}

    def failure(self) -> str:
        """Names all failures in one sentence, as client-go does; empty without one."""
        if not self.failures:
            return ""
        listed = ", ".join(f"{version}: {why}" for version, why in sorted(self.failures.items()))
        return f"unable to retrieve the complete list of server APIs: {listed}"


async def discover(client: LoopbackClient) -> Discovered:
    """Ask the server.

    :raises StatusError: when it does not answer.
    """
    resources: list[Resource] = []
    failures: dict[str, str] = {}
    for path in ("/api", "/apis"):
        document = await client.call("GET", path, accept=_ACCEPT)
        for group in document["items"]:
            _read_group(group, resources, failures)
    return Discovered(tuple(resources), failures)


def _read_group(group: dict[str, Any], resources: list[Resource], failures: dict[str, str]) -> None:
    """Versions come in the order of preference."""
    name: str = group["metadata"].get("name", "")
    seen: set[str] = set()
    for version in group["versions"]:
        if version.get("freshness") == "Stale":
            full = f"{name}/{version['version']}"
            failures[full] = f"stale GroupVersion discovery: {full}"
        for entry in version.get("resources") or ():
            resources.append(_resource(name, version["version"], entry, entry["resource"] not in seen))
            seen.add(entry["resource"])


def _resource(group: str, version: str, entry: dict[str, Any], preferred: bool) -> Resource:
    return Resource(group, version, entry["resource"], entry["responseKind"]["kind"],
                    entry["scope"] == "Namespaced", frozenset(entry["verbs"]), preferred)
