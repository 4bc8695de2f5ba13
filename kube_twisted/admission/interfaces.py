"""The contracts of admission: one plugin does one thing before or after validation of a write."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from zope.interface import Attribute, Interface

from kube_twisted.admission.attributes import Attributes
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource


class IAdmissionPlugin(Interface):
    """What all plugins have. :class:`kube_twisted.admission.plugin.Plugin` has the usual values."""

    name = Attribute("As in the configuration and in metrics, such as ``NamespaceLifecycle``.")
    operations = Attribute("Which of CREATE, UPDATE, DELETE and CONNECT the plugin looks at.")
    resources = Attribute("The GroupResources it looks at; None for all.")
    subresources = Attribute("The subresources it looks at, the empty string for the resource itself; None for all.")


class IMutation(IAdmissionPlugin):
    """May change the object."""

    def admit(attributes: Attributes) -> Awaitable[None]:
        """Change ``attributes.obj`` in place, or refuse with a StatusError."""


class IValidation(IAdmissionPlugin):
    """Looks at what would be written."""

    def validate(attributes: Attributes) -> Awaitable[None]:
        """Refuse with a StatusError."""


class ObjectReader(Protocol):
    """Reads objects from the watch caches: how plugins look at the rest of the cluster.

    What ``peek`` gives is shared: it must not be changed.
    """

    def peek(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """An object, None when it isn't there."""

    def peek_all(self, group: str, resource: str, namespace: str = "") -> Sequence[dict[str, Any]]:
        """All objects of a resource, or those in one namespace, by name."""

    def changed(self, group: str, resource: str) -> int:
        """Another number whenever an object of the resource was written or deleted; 0 for what is not served."""

    async def peek_latest(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """Like ``peek``, with all that was acknowledged by any server of the same store before.

        :raises StatusError: 500 for what can't be a name.
        """


class Equivalents(Protocol):
    """The resources that show the same objects.

    :ivar changed: another number whenever there are others.
    """

    changed: int

    def __call__(self, resource: GroupVersionResource,
                 subresource: str) -> Sequence[tuple[GroupVersionResource, GroupVersionKind]]:
        """The other resources with the same objects as a resource, or as its subresource; with their kinds."""


#: Writes the status of a ResourceQuota that was read at its resourceVersion. :raises StatusError: 409 when it has
#: changed since.
WriteQuotaStatus = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
#: Creates a namespace. :raises StatusError: 409 when it is there.
CreateNamespace = Callable[[str], Awaitable[None]]
#: The resources whose objects are of a kind, and whether they are namespaced.
ResourcesOfKind = Callable[[GroupVersionKind], Sequence[tuple[str, bool]]]
