"""Which API groups, versions and resources are served: the defaults, and what ``runtimeConfig`` changes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.controlplane.resources import Resources, VersionFacts
from kube_twisted.util.starting import StartError

_STAGES = {"api/ga": re.compile(r"^v\d+$"), "api/beta": re.compile(r"^v\d+beta\d+$"),
           "api/alpha": re.compile(r"^v\d+alpha\d+$")}
_ALL = "api/all"


@frozen
class APIResourceConfig:
    """The switches; more particular ones win: resource, group-version, stage, all.

    :ivar switches: such as ``{"apps/v1": True, "api/all": False, "apps/v1/deployments": True}``.
    """

    switches: Mapping[str, bool] = {}

    def version_enabled(self, facts: VersionFacts) -> bool:
        """Whether anything of the group-version may be served."""
        version = facts.group_version
        if str(version) in self.switches:
            return self.switches[str(version)]
        for stage, pattern in _STAGES.items():
            if stage in self.switches and pattern.match(version.version):
                return self.switches[stage]
        return self.switches.get(_ALL, facts.default)

    def resource_enabled(self, version: GroupVersion, resource: str) -> bool:
        """Whether a resource of an enabled version is served; ``resource`` without subresource."""
        return self.switches.get(f"{version}/{resource}", True)


def check_switches(switches: Mapping[str, bool], resources: Resources) -> None:
    """:raises StartError: for a switch of something that there is not."""
    known = {_ALL, *_STAGES}
    for versions in resources.groups.values():
        for facts in versions:
            known.add(str(facts.group_version))
            known.update(f"{facts.group_version}/{name}" for name in facts.resources)
    for name in switches:
        if name not in known:
            raise StartError(f"runtimeConfig: {name}: there is no such API version or resource")
