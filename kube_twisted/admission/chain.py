"""The admission chain: mutating plugins, then, once the object is valid, validating plugins, each in a fixed order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IAdmissionPlugin, IMutation, IValidation
from kube_twisted.api.gvk import GroupVersionResource

_Step = Callable[[Attributes], Awaitable[None]]
#: operation, resource, subresource
_Target = tuple[str, GroupVersionResource, str]


class AdmissionChain:
    """Plugins in order. Which of them look at an endpoint's writes is found out once per operation and endpoint.

    :param plugins: each provides IMutation, IValidation or both.
    """

    def __init__(self, plugins: Sequence[IAdmissionPlugin] = ()) -> None:
        self.plugins = tuple(plugins)
        self._admit: dict[_Target, tuple[_Step, ...]] = {}
        self._validate: dict[_Target, tuple[_Step, ...]] = {}

    async def admit(self, attributes: Attributes) -> None:
        """Let the mutating plugins change the object."""
        target = attributes.operation, attributes.resource, attributes.subresource
        steps = self._admit.get(target)
        if steps is None:
            steps = self._admit[target] = tuple(
                plugin.admit for plugin in self.plugins if IMutation.providedBy(plugin) and _looks_at(plugin, target))
        for step in steps:
            await step(attributes)

    async def validate(self, attributes: Attributes) -> None:
        """Let the validating plugins look at the result."""
        target = attributes.operation, attributes.resource, attributes.subresource
        steps = self._validate.get(target)
        if steps is None:
            steps = self._validate[target] = tuple(
                plugin.validate for plugin in self.plugins
                if IValidation.providedBy(plugin) and _looks_at(plugin, target))
        for step in steps:
            await step(attributes)


def _looks_at(plugin: IAdmissionPlugin, target: _Target) -> bool:
    operation, resource, subresource = target
    return (operation in plugin.operations
            and (plugin.resources is None or resource.group_resource in plugin.resources)
            and (plugin.subresources is None or subresource in plugin.subresources))
