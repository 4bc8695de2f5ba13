"""CertificateSubjectRestriction: nobody gets a client certificate of the group ``system:masters`` by asking for it.

Source of the rule: the Kubernetes documentation, "Admission Control", CertificateSubjectRestriction.
"""

from __future__ import annotations

from base64 import b64decode

from cryptography import x509
from cryptography.x509.oid import NameOID
from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import CERTIFICATE_SIGNING_REQUESTS
from kube_twisted.api.user import SYSTEM_MASTERS

_SIGNER = "kubernetes.io/kube-apiserver-client"


@implementer(IValidation)
class CertificateSubjectRestriction(Plugin):
    """Looks at the subject of new certificate requests."""

    name = "CertificateSubjectRestriction"
    operations = ("CREATE",)
    resources = frozenset({CERTIFICATE_SIGNING_REQUESTS})

    async def validate(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        if spec.get("signerName") != _SIGNER:
            return
        try:
            request = x509.load_pem_x509_csr(b64decode(spec.get("request") or ""))
        except ValueError as error:
            raise forbidden(attributes, f"failed to parse CSR: {error}") from None
        organizations = request.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
        if any(one.value == SYSTEM_MASTERS for one in organizations):
            raise forbidden(attributes, f"use of {_SIGNER} signer with {SYSTEM_MASTERS} group is not allowed")
