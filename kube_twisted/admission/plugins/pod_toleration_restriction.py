"""PodTolerationRestriction: a namespace's annotations give its pods tolerations, and limit which they may have.

Source of the rule: the Kubernetes documentation, "Admission Control", PodTolerationRestriction.
"""

from __future__ import annotations

from typing import Any

import orjson
from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.pod_resources import is_best_effort
from kube_twisted.admission.resources import NAMESPACES, PODS
from kube_twisted.admission.tolerations import Toleration, covers, merge_tolerations
from kube_twisted.api.errors import not_found, plain_internal

_DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations"
_ALLOWED = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
#: Pods that ask for resources stay on nodes that are short of memory.
_MEMORY_PRESSURE = {"key": "node.kubernetes.io/memory-pressure", "operator": "Exists", "effect": "NoSchedule"}


@implementer(IMutation, IValidation)
class PodTolerationRestriction(Plugin):
    """Merges and checks the tolerations of pods."""

    name = "PodTolerationRestriction"
    resources = frozenset({PODS})

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        added = await self._annotated(attributes, _DEFAULTS) if attributes.operation == "CREATE" else []
        if not is_best_effort(attributes.obj):
            added = [*added, dict(_MEMORY_PRESSURE)]
        if added:
            spec["tolerations"] = merge_tolerations(spec.get("tolerations") or [], added)
        await self.validate(attributes)

    async def validate(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        tolerations = attributes.obj["spec"].get("tolerations") or []
        allowed = await self._annotated(attributes, _ALLOWED) if tolerations else []
        if allowed and not all(any(covers(wide, one) for wide in allowed) for one in tolerations):
            raise plain_internal("pod tolerations (possibly merged with namespace default tolerations) conflict with "
                                 "its namespace whitelist")

    async def _annotated(self, attributes: Attributes, annotation: str) -> list[Toleration]:
        name = attributes.namespace
        found = (self._reader.peek("", "namespaces", "", name)
                 or await self._reader.peek_latest("", "namespaces", "", name))
        if found is None:
            raise not_found(NAMESPACES, name)
        text = (found["metadata"].get("annotations") or {}).get(annotation, "")
        try:
            tolerations: Any = orjson.loads(text) if text else []
        except ValueError as error:
            raise plain_internal(str(error)) from None
        return tolerations if isinstance(tolerations, list) else []
