"""The objects that are sent: ``objects/<group>/<resource>.yaml`` holds the least that is valid, then a rich one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.controlplane.resources import ResourceFacts, Resources

Obj = dict[str, Any]
FOLDER = Path(__file__).parent / "objects"
#: The second document's name, and the first one's.
LEAST, RICH = "least", "rich"


@frozen
class Kind:
    """A stored resource in one of its versions.

    :ivar others: further group-versions that serve the same objects.
    """

    version: GroupVersion
    facts: ResourceFacts
    has_status: bool
    others: tuple[GroupVersion, ...] = ()

    @property
    def resource(self) -> str:
        return self.facts.name

    @property
    def file(self) -> Path:
        return FOLDER / (self.version.group or "core") / f"{self.resource}.yaml"

    def path(self, name: str = "", version: GroupVersion | None = None) -> str:
        """Of an object in the namespace ``default``, or of its collection."""
        version = version or self.version
        root = f"/apis/{version}" if version.group else f"/api/{version}"
        place = "/namespaces/default" if self.facts.namespaced else ""
        return f"{root}{place}/{self.resource}" + (f"/{name}" if name else "")

    def objects(self) -> dict[str, Obj]:
        """What the file holds, by name of the document."""
        return dict(zip((LEAST, RICH), yaml.safe_load_all(self.file.read_text()), strict=True))


def stored_kinds() -> Iterator[Kind]:
    """All that are served by default, each once, in its preferred version."""
    groups = Resources.load().groups
    events = GroupVersion("events.k8s.io", "v1")
    for group, versions in groups.items():
        served = [one for one in versions if one.default]
        for facts in (served[0].resources.values() if served and group != events.group else ()):
            if "/" in facts.name or not {"create", "watch"} <= set(facts.verbs):
                continue
            others = tuple(one.group_version for one in served[1:] if facts.name in one.resources)
            if (group, facts.name) == ("", "events"):
                others = (events,)
            yield Kind(served[0].group_version, facts, f"{facts.name}/status" in served[0].resources, others)
