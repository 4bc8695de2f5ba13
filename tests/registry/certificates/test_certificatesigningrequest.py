"""Certificate signing requests: who asks, for what, and who decides."""

from __future__ import annotations

import base64
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kube_twisted.registry.certificates import certificatesigningrequest
from tests.registry.resources import CONTEXT, StrategyTestCase


def request() -> str:
    """A request for jane's certificate, encoded as in the field."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "jane")])
    key = ec.generate_private_key(ec.SECP256R1())
    made = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
    return base64.b64encode(made.public_bytes(serialization.Encoding.PEM)).decode()


SPEC: dict[str, Any] = {"request": request(), "signerName": "example.com/signer", "usages": ["client auth"]}


class CertificateSigningRequestTests(StrategyTestCase):
    api = "certificates.k8s.io/v1/CertificateSigningRequest"
    strategy = certificatesigningrequest.STRATEGY

    def test_requester(self) -> None:
        """The request says who sent it, whatever the body says."""
        spec = self.created(spec=SPEC | {"username": "root", "groups": ["system:masters"]})["spec"]
        self.assertEqual({key: spec[key] for key in ("username", "groups", "uid", "extra")},
                         {"username": "jane", "groups": ["devs"], "uid": "u1", "extra": {"scopes": ["a", "b"]}})

    def test_names(self) -> None:
        """Any name will do that can stand in a path."""
        self.assertEqual([self.name_errors(name, spec=SPEC) for name in ("Any_Name", "a/b", ".")],
                         [[], ["may not contain '/'"], ["may not be '.'"]])

    def test_request(self) -> None:
        """The request is a PEM block of one, for a signer, with known usages."""
        self.assertEqual(self.errors(spec=SPEC), [])
        without = {name: one for name, one in SPEC.items() if name != "request"}
        self.assertEqual(self.errors(spec=without), [
            "spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST"])
        self.assertEqual(self.errors(spec=SPEC | {"request": base64.b64encode(b"x").decode()}),
                         ['spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST'])
        self.assertEqual(self.errors(spec=SPEC | {"usages": []}), ["spec.usages: Required value"])
        errors = self.errors(spec=SPEC | {"signerName": "signer"})
        self.assertEqual(len(errors), 1)
        self.assertTrue(errors[0].startswith('spec.signerName: Invalid value: "signer": must be a fully qualified'))
        self.assertEqual(self.errors(spec=SPEC | {"expirationSeconds": 599}), [
            "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 "
            "minutes)"])

    def test_spec_is_fixed(self) -> None:
        """A write takes the spec back."""
        old = self.created(spec=SPEC)
        self.assertEqual(self.updated(old, spec=SPEC | {"signerName": "example.com/other"})["spec"], old["spec"])

    def test_approval(self) -> None:
        """Approval and denial are conditions of the approval endpoint, and exclude each other."""
        old, approval = self.created(spec=SPEC), certificatesigningrequest.APPROVAL
        approved = {"type": "Approved", "status": "True"}
        changed = self.updated(old, approval, spec=SPEC, status={"conditions": [approved]})
        self.assertEqual([str(one) for one in approval.validate_update(CONTEXT, changed, old)], [])
        condition = changed["status"]["conditions"][0]
        self.assertEqual((condition["lastUpdateTime"], condition["lastTransitionTime"]),
                         (CONTEXT.now, CONTEXT.now))
        errors = self.update_errors(old, approval, spec=SPEC,
                                    status={"conditions": [approved, {"type": "Denied", "status": "True"}]})
        self.assertIn("Approved and Denied conditions are mutually exclusive", errors[0])

    def test_status(self) -> None:
        """The status endpoint does not approve."""
        old = self.created(spec=SPEC)
        status = {"conditions": [{"type": "Approved", "status": "True"}]}
        self.assertEqual(self.update_errors(old, certificatesigningrequest.STATUS, spec=SPEC, status=status),
                         ['status.conditions: Forbidden: updates may not add a condition of type "Approved"'])

    def test_selection(self) -> None:
        """Requests are selected by signer."""
        self.assertEqual(self.strategy.selectable_fields(self.created(spec=SPEC)),
                         {"spec.signerName": "example.com/signer"})
