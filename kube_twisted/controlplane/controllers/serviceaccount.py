"""The controller ``serviceaccount``: every namespace has its service account ``default``."""

from __future__ import annotations

from typing import Any

from kube_twisted.controlplane.controllers.context import Context
from kube_twisted.controlplane.controllers.per_namespace import PerNamespace


class ServiceAccountController(PerNamespace):
    """Makes it where it is missing, again when it was deleted. What others write into it is left alone.

    Source of the rule: the Kubernetes documentation, "Managing Service Accounts: ServiceAccount controller".
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context, "serviceaccount", "serviceaccounts", "default")

    def missing(self) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": self.name}}
