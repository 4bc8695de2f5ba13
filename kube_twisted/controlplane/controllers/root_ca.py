"""The controller ``root-ca-publisher``: every namespace has the ConfigMap ``kube-root-ca.crt``.

The token volumes of pods take from it what to trust (KEP-1205, "Bound Service Account Tokens").
"""

from __future__ import annotations

from typing import Any

from kube_twisted.controlplane.controllers.context import Context
from kube_twisted.controlplane.controllers.per_namespace import PerNamespace

NAME = "kube-root-ca.crt"
_ANNOTATION = "kubernetes.io/description"
#: As every cluster says it.
_DESCRIPTION = (
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the "
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes "
    "clusters.")


class RootCAPublisher(PerNamespace):
    """Makes it where it is missing, and puts its data right when it was changed."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "root-ca-publisher", "configmaps", NAME)
        self._data = {"ca.crt": context.root_ca}

    def missing(self) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "ConfigMap", "data": self._data,
                "metadata": {"name": self.name, "annotations": {_ANNOTATION: _DESCRIPTION}}}

    def corrected(self, obj: dict[str, Any]) -> dict[str, Any] | None:
        meta = obj["metadata"]
        annotations = meta.get("annotations") or {}
        if obj.get("data") == self._data and annotations.get(_ANNOTATION):
            return None
        described = {**annotations, _ANNOTATION: _DESCRIPTION}
        return {**obj, "data": self._data, "metadata": {**meta, "annotations": described}}
