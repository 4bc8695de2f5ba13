"""The default objects of API priority and fairness: created, and kept as they should be (KEP-1040).

Mandatory objects always are what the server says. A suggested one is, as long as nobody wants it otherwise: the
annotation ``apf.kubernetes.io/autoupdate-spec`` decides, and without it whether its spec was ever changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.bootstrap import flow_control_objects as suggested
from kube_twisted.controlplane.bootstrap.ensure import all_at_once, create_unless_there
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.flowcontrol import mandatory
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient

#: Seconds between two looks.
INTERVAL = 60.0
AUTO_UPDATE = "apf.kubernetes.io/autoupdate-spec"
_GROUP = "flowcontrol.apiserver.k8s.io"
_MANAGER = "api-priority-and-fairness-config-producer-v1"
_TRUE, _FALSE = ("1", "t", "T", "true", "TRUE", "True"), ("0", "f", "F", "false", "FALSE", "False")


@frozen
class _Kind:
    """One of the two kinds, with the specs that belong to it by name."""

    kind: str
    resource: str
    mandatory: Mapping[str, dict[str, Any]]
    suggested: Mapping[str, dict[str, Any]]


_KINDS = (
    _Kind("PriorityLevelConfiguration", "prioritylevelconfigurations",
          mandatory.PRIORITY_LEVELS, suggested.PRIORITY_LEVELS),
    _Kind("FlowSchema", "flowschemas", mandatory.FLOW_SCHEMAS, suggested.FLOW_SCHEMAS),
)


class FlowControlObjects:
    """Keeps the default objects in being."""

    def __init__(self, client: LoopbackClient, stores: Stores) -> None:
        self._client = client
        self._stores = stores

    async def ensure(self) -> None:
        """:raises StatusError: when one can't be written."""
        await all_at_once(self._ensure(kind, name, spec, is_mandatory=specs is kind.mandatory)
                          for kind in _KINDS for specs in (kind.mandatory, kind.suggested)
                          for name, spec in specs.items())
        await all_at_once(self._remove(kind, name) for kind in _KINDS for name in self._unwanted(kind))

    async def _ensure(self, kind: _Kind, name: str, spec: Obj, is_mandatory: bool) -> None:
        path = f"/apis/{_GROUP}/v1/{kind.resource}"
        found = self._stores.get(_GROUP, kind.resource, "", name)
        if found is None:
            await create_unless_there(self._client, f"{path}?fieldManager={_MANAGER}", {
                "apiVersion": f"{_GROUP}/v1", "kind": kind.kind, "spec": spec,
                "metadata": {"name": name, "annotations": {AUTO_UPDATE: "true"}}})
        elif _revise(found, spec, is_mandatory or follows_server(found)):
            try:
                await self._client.call("PUT", f"{path}/{name}?fieldManager={_MANAGER}", found)
            except StatusError as error:
                if error.code != 409:  # another server was faster; the next look shows what it made of it
                    raise

    def _unwanted(self, kind: _Kind) -> Iterator[str]:
        """Objects that an older server made, and nobody has changed."""
        for obj in self._stores.list_objects(_GROUP, kind.resource):
            name = obj["metadata"]["name"]
            if name not in kind.mandatory and name not in kind.suggested and _annotation(obj):
                yield name

    async def _remove(self, kind: _Kind, name: str) -> None:
        try:
            await self._client.call("DELETE", f"/apis/{_GROUP}/v1/{kind.resource}/{name}")
        except StatusError as error:
            if error.code != 404:
                raise


def _annotation(obj: Obj) -> bool | None:
    """What the annotation says; None when it says nothing."""
    text = obj["metadata"].get("annotations", {}).get(AUTO_UPDATE)
    return True if text in _TRUE else False if text in _FALSE else None


def follows_server(obj: Obj) -> bool:
    """Whether the server may change a suggested object's spec."""
    annotation = _annotation(obj)
    return annotation if annotation is not None else obj["metadata"].get("generation") == 1


def _revise(obj: Obj, spec: Obj, follows: bool) -> bool:
    """Bring an object to what it should be: whether that changed it."""
    changed = False
    if _annotation(obj) is not follows:
        obj["metadata"].setdefault("annotations", {})[AUTO_UPDATE] = "true" if follows else "false"
        changed = True
    if follows and obj["spec"] != spec:
        obj["spec"] = spec
        changed = True
    return changed
