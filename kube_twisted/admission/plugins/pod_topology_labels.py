"""PodTopologyLabels: a pod gets the zone and the region of its node as labels when it is bound.

Source of the rule: KEP-4742.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.resources import PODS

_LABELS = ("topology.kubernetes.io/zone", "topology.kubernetes.io/region")


@implementer(IMutation)
class PodTopologyLabels(Plugin):
    """Writes the labels into Bindings, which hand theirs on, and into pods that are made on a node."""

    name = "PodTopologyLabels"
    operations = ("CREATE",)
    resources = frozenset({PODS})
    subresources = ("", "binding")

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        obj = attributes.obj
        assert obj is not None
        if attributes.subresource:
            target = obj.get("target") or {}
            node_name = target.get("name", "") if target.get("kind") == "Node" else ""
        else:
            node_name = obj["spec"].get("nodeName", "")
        node = self._reader.peek("", "nodes", "", node_name) if node_name else None
        labels = (node["metadata"].get("labels") or {}) if node is not None else {}
        copied = {key: labels[key] for key in _LABELS if key in labels}
        if copied:
            obj["metadata"].setdefault("labels", {}).update(copied)
