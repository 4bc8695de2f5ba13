"""Which resources show the same objects: versions of one kind, and groups that share a storage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kube_twisted.api.gvk import GroupResource, GroupVersionKind, GroupVersionResource
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.handler import CustomResourceHandler
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.runtime_config import APIResourceConfig
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.scale import SCALE

_Shown = tuple[GroupVersionResource, GroupVersionKind]


class EquivalentResources:
    """The built-in resources that are switched on, and the custom ones.

    :ivar changed: counts the changes of custom ones.
    """

    def __init__(self, resources: Resources, enabled: APIResourceConfig) -> None:
        self._builtin: dict[tuple[GroupResource, str], list[_Shown]] = {}
        for home, subresource, shown in _builtin(resources, enabled):
            self._builtin.setdefault((home, subresource), []).append(shown)
        self._custom: CustomResourceHandler | None = None
        self.changed = 0

    def follow(self, handler: CustomResourceHandler) -> None:
        """Know about custom resources from now on."""
        self._custom = handler
        handler.on_change.append(self._note)

    def _note(self, _definition: Definition) -> None:
        self.changed += 1

    def __call__(self, resource: GroupVersionResource, subresource: str) -> Sequence[_Shown]:
        """The other resources with the objects of ``resource``, in the order in which they are preferred."""
        home = Stores.home(resource.group_resource)
        found = self._builtin.get((home, subresource)) or list(self._of_definition(resource, subresource))
        return [one for one in found if one[0] != resource]

    def _of_definition(self, resource: GroupVersionResource, subresource: str) -> Iterator[_Shown]:
        for definition in self._custom.definitions if self._custom is not None else ():
            if definition.group_resource == resource.group_resource:
                for version in definition.versions.values():
                    kind = definition.gvk(version.name)
                    kinds = {"": kind, "status": kind if version.status else None,
                             "scale": SCALE if version.scale is not None else None}
                    shown = kinds.get(subresource)
                    if shown is not None:
                        yield version.group_version.resource(definition.plural), shown


def _builtin(resources: Resources, enabled: APIResourceConfig) -> Iterator[tuple[GroupResource, str, _Shown]]:
    """Where objects are stored, a subresource, and a resource that shows them there with its kind."""
    for group, versions in resources.groups.items():
        for facts in versions:
            if not enabled.version_enabled(facts):
                continue
            for row in facts.resources.values():
                name, _, subresource = row.name.partition("/")
                if enabled.resource_enabled(facts.group_version, name):
                    kind = (row.response or facts.group_version).kind(row.kind)
                    yield (Stores.home(GroupResource(group, name)), subresource,
                           (facts.group_version.resource(name), kind))
