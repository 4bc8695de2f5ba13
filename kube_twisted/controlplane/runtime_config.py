"""Which API groups, versions and resources are served: the defaults, and what ``runtimeConfig`` changes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.controlplane.resources import VersionFacts

_STAGES = {"api/ga": re.compile(r"^v\d+$"), "api/beta": re.compile(r"^v\d+beta\d+$"),
           "api/alpha": re.compile(r"^v\d+alpha\d+$")}


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
        return self.switches.get("api/all", facts.default)

    def resource_enabled(self, version: GroupVersion, resource: str) -> bool:
        """Whether a resource of an enabled version is served; ``resource`` without subresource."""
        return self.switches.get(f"{version}/{resource}", True)
