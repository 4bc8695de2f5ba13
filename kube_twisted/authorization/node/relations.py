"""Which objects belong to which node, by way of the pods that run there.

Nothing is looked at before the first node asks. From then on the changes of pods are noted, and read when a node asks
the next time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from kube_twisted.authorization.node.references import PodReferences, pod_references, volume_secrets

Obj = Mapping[str, Any]
Key = tuple[str, str]


class ClusterReader(Protocol):
    """Reads objects; what it gives is shared, and is not changed."""

    def peek(self, group: str, resource: str, namespace: str, name: str) -> Obj | None:
        """An object, None when it isn't there."""

    def peek_all(self, group: str, resource: str, namespace: str = "") -> Sequence[Obj]:
        """All objects of a resource, or those in one namespace."""


class NodeRelations:
    """Answers whether a node has to do with an object. It is told when a pod changes."""

    def __init__(self, reader: ClusterReader) -> None:
        self._reader = reader
        self._nodes: dict[str, dict[Key, PodReferences]] = {}
        self._where: dict[Key, str] = {}
        #: pods that have changed since the last question; None before the first one
        self._changed: set[Key] | None = None

    def pod_changed(self, namespace: str, name: str) -> None:
        if self._changed is not None:
            self._changed.add((namespace, name))

    # -- the pods of a node ---------------------------------------------------------------------------------------

    def _pods(self, node: str) -> dict[Key, PodReferences]:
        if self._changed is None:
            for pod in self._reader.peek_all("", "pods"):
                self._put((pod["metadata"]["namespace"], pod["metadata"]["name"]), pod)
        else:
            for key in self._changed:
                self._put(key, self._reader.peek("", "pods", *key))
        self._changed = set()
        return self._nodes.get(node, {})

    def _put(self, key: Key, pod: Obj | None) -> None:
        before = self._where.pop(key, None)
        if before is not None:
            del self._nodes[before][key]
        node = (pod.get("spec") or {}).get("nodeName", "") if pod is not None else ""
        if pod is not None and node:
            self._where[key] = node
            self._nodes.setdefault(node, {})[key] = pod_references(pod)

    def _in(self, node: str, namespace: str) -> Iterator[PodReferences]:
        return (references for (where, _), references in self._pods(node).items() if where == namespace)

    # -- relations ------------------------------------------------------------------------------------------------

    def has(self, node: str, resource: str, namespace: str, name: str) -> bool:
        """Whether the node has to do with an object of one of these resources."""
        return self._RELATIONS[resource](self, node, namespace, name)

    def _pod(self, node: str, namespace: str, name: str) -> bool:
        return (namespace, name) in self._pods(node)

    def _config_map(self, node: str, namespace: str, name: str) -> bool:
        return any(name in one.config_maps for one in self._in(node, namespace))

    def _service_account(self, node: str, namespace: str, name: str) -> bool:
        return any(name == one.service_account for one in self._in(node, namespace))

    def _claim(self, node: str, namespace: str, name: str) -> bool:
        return any(name in one.claims for one in self._in(node, namespace))

    def _resource_claim(self, node: str, namespace: str, name: str) -> bool:
        return any(name in one.resource_claims for one in self._in(node, namespace))

    def _volume(self, node: str, _: str, name: str) -> bool:
        volume = self._reader.peek("", "persistentvolumes", "", name) or {}
        claim = (volume.get("spec") or {}).get("claimRef") or {}
        return bool(claim) and self._claim(node, claim.get("namespace", ""), claim.get("name", ""))

    def _secret(self, node: str, namespace: str, name: str) -> bool:
        if any(name in one.secrets for one in self._in(node, namespace)):
            return True
        return any((namespace, name) in volume_secrets(volume) for volume in self._volumes(node))

    def _volumes(self, node: str) -> Iterator[Obj]:
        """The PersistentVolumes that pods on the node use."""
        for (namespace, _), references in self._pods(node).items():
            for claim in references.claims:
                found = self._reader.peek("", "persistentvolumeclaims", namespace, claim) or {}
                name = (found.get("spec") or {}).get("volumeName", "")
                volume = self._reader.peek("", "persistentvolumes", "", name) if name else None
                bound = (volume.get("spec") or {}).get("claimRef") or {} if volume is not None else {}
                if volume is not None and (bound.get("namespace"), bound.get("name")) == (namespace, claim):
                    yield volume

    def _attachment(self, node: str, _: str, name: str) -> bool:
        return self._names_node("storage.k8s.io", "volumeattachments", node, name)

    def _slice(self, node: str, _: str, name: str) -> bool:
        return self._names_node("resource.k8s.io", "resourceslices", node, name)

    def _names_node(self, group: str, resource: str, node: str, name: str) -> bool:
        obj = self._reader.peek(group, resource, "", name) or {}
        return bool((obj.get("spec") or {}).get("nodeName") == node)

    _RELATIONS = {
        "pods": _pod, "configmaps": _config_map, "secrets": _secret, "serviceaccounts": _service_account,
        "persistentvolumeclaims": _claim, "persistentvolumes": _volume, "resourceclaims": _resource_claim,
        "volumeattachments": _attachment, "resourceslices": _slice,
    }
