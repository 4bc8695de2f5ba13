"""The selectors of a webhook or policy: which namespaces, and which objects."""

from __future__ import annotations

from typing import Any, Protocol

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import ObjectReader
from kube_twisted.admission.resources import NAMESPACES
from kube_twisted.api import errors
from kube_twisted.api.labels import Selector


class Selectors(Protocol):
    """What is selected, by a webhook or a policy.

    :ivar broken: why the selectors can't be used; empty when they can.
    """

    @property
    def broken(self) -> str: ...

    @property
    def namespaces(self) -> Selector: ...

    @property
    def objects(self) -> Selector: ...


class Selecting:
    """Looks at selectors.

    :param reader: knows the labels of namespaces.
    """

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def selects(self, selectors: Selectors, attributes: Attributes) -> bool:
        """Whether a write that rules fit is selected too.

        :raises StatusError: 404 when there is no such namespace, 500 for selectors that are none.
        """
        if selectors.broken:
            raise errors.internal_error(selectors.broken)
        if not selectors.objects.empty and not selects_object(selectors.objects, attributes):
            return False
        return selectors.namespaces.empty or await self._selects_namespace(selectors.namespaces, attributes)

    async def _selects_namespace(self, selector: Selector, attributes: Attributes) -> bool:
        if not attributes.namespace and attributes.resource.resource != "namespaces":
            return True
        return selector.matches(await self._labels(attributes))

    async def _labels(self, attributes: Attributes) -> dict[str, str]:
        """Those of the namespace; one that is written now has those that it is to have."""
        obj = attributes.obj
        if (attributes.resource.resource == "namespaces" and not attributes.subresource
                and attributes.operation in ("CREATE", "UPDATE") and obj is not None):
            return _labels(obj)
        name = attributes.namespace
        namespace = self._reader.peek("", "namespaces", "", name)
        if namespace is None:
            namespace = await self._reader.peek_latest("", "namespaces", "", name)
        if namespace is None:
            raise errors.not_found(NAMESPACES, name)
        return _labels(namespace)


def selects_object(selector: Selector, attributes: Attributes) -> bool:
    """Whether the object is selected, or was; what has no metadata never is."""
    return any(obj is not None and "metadata" in obj and selector.matches(_labels(obj))
               for obj in (attributes.obj, attributes.old))


def _labels(obj: dict[str, Any]) -> dict[str, str]:
    return (obj.get("metadata") or {}).get("labels") or {}
