"""DenyServiceExternalIPs: Services take no further external IPs.

Source of the rule: the Kubernetes documentation, "Admission Control", DenyServiceExternalIPs.
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import SERVICES


@implementer(IValidation)
class DenyServiceExternalIPs(Plugin):
    """Refuses ``spec.externalIPs`` that a Service did not have."""

    name = "DenyServiceExternalIPs"
    resources = frozenset({SERVICES})

    async def validate(self, attributes: Attributes) -> None:
        if not _external_ips(attributes.obj) <= _external_ips(attributes.old):
            raise forbidden(attributes, "Use of external IPs is denied by admission control")


def _external_ips(service: dict[str, Any] | None) -> set[str]:
    return set(service["spec"].get("externalIPs") or ()) if service is not None else set()
