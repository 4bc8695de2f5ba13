"""``componentstatuses``: whether store and control plane are well, asked on the spot."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.component_health import Health, Probe
from kube_twisted.controlplane.special.scopes import posted_scope
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.special.computed import computed_handlers
from kube_twisted.registry.printers.finding import printer_of
from kube_twisted.registry.strategy import Obj

_V1 = GroupVersion("", "v1")
_KIND = _V1.kind("ComponentStatus")


def component_statuses(options: RESTOptions) -> Mapping[str, Handler]:
    scope = posted_scope(options, _V1.resource("componentstatuses"), _KIND)
    components = _Components(options.components)
    return computed_handlers(evolve(scope, printed_by=printer_of("", "componentstatuses")), components.get,
                             components.list_all)


@frozen
class _Components:
    probes: Mapping[str, Probe]

    async def get(self, name: str) -> Obj:
        """:raises StatusError: 404."""
        if name not in self.probes:
            raise errors.not_found(GroupResource("", "componentstatus"), name)
        return _status(name, await self.probes[name]())

    async def list_all(self) -> list[Obj]:
        return [await self.get(name) for name in self.probes]


def _status(name: str, health: Health) -> Obj:
    condition: Obj = {"type": "Healthy", "status": "True" if health.healthy else "False"}
    if health.message:
        condition["message"] = health.message
    return {"kind": _KIND.kind, "apiVersion": _KIND.api_version, "metadata": {"name": name},
            "conditions": [condition]}
