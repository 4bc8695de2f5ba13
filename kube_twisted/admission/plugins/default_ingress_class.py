"""DefaultIngressClass: an Ingress that names no class gets the default one.

Source of the rule: the Kubernetes documentation, "Ingress", default IngressClass.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.default_class import newest_default
from kube_twisted.admission.interfaces import IMutation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.resources import INGRESSES

_CLASS_ANNOTATION = "kubernetes.io/ingress.class"
_DEFAULT = ("ingressclass.kubernetes.io/is-default-class",)


@implementer(IMutation)
class DefaultIngressClass(Plugin):
    """Fills in ``spec.ingressClassName`` of new Ingresses."""

    name = "DefaultIngressClass"
    operations = ("CREATE",)
    resources = frozenset({INGRESSES})

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        annotations = attributes.obj["metadata"].get("annotations") or {}
        spec = attributes.obj.setdefault("spec", {})
        if "ingressClassName" in spec or _CLASS_ANNOTATION in annotations:
            return
        default = newest_default(self._reader.peek_all("networking.k8s.io", "ingressclasses"), _DEFAULT)
        if default:
            spec["ingressClassName"] = default
