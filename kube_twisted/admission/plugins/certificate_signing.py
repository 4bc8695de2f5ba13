"""CertificateSigning: who issues a certificate must be allowed to sign for the request's signer.

Source of the rule: the Kubernetes documentation, "Certificates and Certificate Signing Requests".
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import CERTIFICATE_SIGNING_REQUESTS
from kube_twisted.admission.signers import may_act_for
from kube_twisted.authorization.interfaces import IAuthorizer


@implementer(IValidation)
class CertificateSigning(Plugin):
    """Looks at changes of certificate and conditions in ``certificatesigningrequests/status``."""

    name = "CertificateSigning"
    operations = ("UPDATE",)
    resources = frozenset({CERTIFICATE_SIGNING_REQUESTS})
    subresources = ("status",)

    def __init__(self, authorizer: IAuthorizer) -> None:
        self._authorizer = authorizer

    async def validate(self, attributes: Attributes) -> None:
        assert attributes.obj is not None and attributes.old is not None
        if _signed(attributes.obj) == _signed(attributes.old):
            return
        signer = attributes.old["spec"]["signerName"]
        if not await may_act_for(self._authorizer, attributes.user, "sign", signer):
            raise forbidden(attributes, f'user not permitted to sign requests with signerName "{signer}"')


def _signed(request: dict[str, Any]) -> tuple[Any, Any]:
    status = request.get("status") or {}
    return status.get("certificate", ""), status.get("conditions") or []
