"""The contracts of admission: one plugin does one thing before or after validation of a write."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol

from zope.interface import Attribute, Interface

from kube_twisted.admission.attributes import Attributes


class IAdmissionPlugin(Interface):
    """What all plugins have."""

    name = Attribute("As in the configuration and in metrics, such as ``NamespaceLifecycle``.")

    def handles(operation: str) -> bool:
        """Whether the plugin looks at CREATE, UPDATE, DELETE or CONNECT."""


class IMutation(IAdmissionPlugin):
    """May change the object."""

    def admit(attributes: Attributes) -> Awaitable[None]:
        """Change ``attributes.obj`` in place, or refuse with a StatusError."""


class IValidation(IAdmissionPlugin):
    """Looks at what would be written."""

    def validate(attributes: Attributes) -> Awaitable[None]:
        """Refuse with a StatusError."""


class ObjectReader(Protocol):
    """Reads objects from the watch caches: how plugins look at the rest of the cluster."""

    def get(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """A fresh copy of an object, None when it isn't there."""

    def exists(self, group: str, resource: str, namespace: str, name: str) -> bool: ...

    def list_objects(self, group: str, resource: str, namespace: str = "") -> list[dict[str, Any]]:
        """Fresh copies of all objects of a resource, or of those in one namespace."""
