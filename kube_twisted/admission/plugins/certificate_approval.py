"""CertificateApproval: who approves a certificate request must be allowed to approve for its signer.

Source of the rule: the Kubernetes documentation, "Certificates and Certificate Signing Requests".
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import CERTIFICATE_SIGNING_REQUESTS
from kube_twisted.admission.signers import may_act_for
from kube_twisted.authorization.interfaces import IAuthorizer


@implementer(IValidation)
class CertificateApproval(Plugin):
    """Looks at ``certificatesigningrequests/approval``."""

    name = "CertificateApproval"
    operations = ("UPDATE",)
    resources = frozenset({CERTIFICATE_SIGNING_REQUESTS})
    subresources = ("approval",)

    def __init__(self, authorizer: IAuthorizer) -> None:
        self._authorizer = authorizer

    async def validate(self, attributes: Attributes) -> None:
        assert attributes.old is not None
        signer = attributes.old["spec"]["signerName"]
        if not await may_act_for(self._authorizer, attributes.user, "approve", signer):
            raise forbidden(attributes, f'user not permitted to approve requests with signerName "{signer}"')
