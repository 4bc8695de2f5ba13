"""PodNodeSelector: the pods of a namespace run on the nodes that its annotation selects.

Source of the rule: the Kubernetes documentation, "Admission Control", PodNodeSelector.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import NAMESPACES, PODS
from kube_twisted.api.errors import internal_error, not_found

_ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector"


@implementer(IMutation, IValidation)
class PodNodeSelector(Plugin):
    """Adds the namespace's selector to new pods."""

    name = "PodNodeSelector"
    operations = ("CREATE",)
    resources = frozenset({PODS})

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        selector = await self._selector(attributes)
        _check(attributes, selector)
        if selector:
            spec = attributes.obj["spec"]
            spec["nodeSelector"] = selector | (spec.get("nodeSelector") or {})

    async def validate(self, attributes: Attributes) -> None:
        _check(attributes, await self._selector(attributes))

    async def _selector(self, attributes: Attributes) -> dict[str, str]:
        name = attributes.namespace
        found = (self._reader.peek("", "namespaces", "", name)
                 or await self._reader.peek_latest("", "namespaces", "", name))
        if found is None:
            raise not_found(NAMESPACES, name)
        text = (found["metadata"].get("annotations") or {}).get(_ANNOTATION, "")
        return _parse(text)


def _parse(text: str) -> dict[str, str]:
    """``key=value,key=value``."""
    selector = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or "=" in value:
            raise internal_error(f"invalid selector: {text}")
        selector[key.strip()] = value.strip()
    return selector


def _check(attributes: Attributes, selector: dict[str, str]) -> None:
    assert attributes.obj is not None
    own = attributes.obj["spec"].get("nodeSelector") or {}
    if any(own.get(key, value) != value for key, value in selector.items()):
        raise forbidden(attributes, "pod node label selector conflicts with its namespace node label selector")
