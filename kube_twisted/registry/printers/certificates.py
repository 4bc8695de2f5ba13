"""Table columns of the certificates.k8s.io group."""

from __future__ import annotations

from kube_twisted.api.timefmt import human_duration
from kube_twisted.registry.printers.cells import AGE, NAME, NONE, at, labels_at, value_at
from kube_twisted.registry.printers.column import Obj, printer, text
from kube_twisted.registry.printers.documentation import Doc

#: The signer as version v1beta1, which the published definitions no longer hold, described it.
_SIGNER = """\
Requested signer for the request. It is a qualified name in the form: `scope-hostname.io/name`. If empty, \
it will be defaulted:
 1. If it's a kubelet client certificate, it is assigned
    "kubernetes.io/kube-apiserver-client-kubelet".
 2. If it's a kubelet serving certificate, it is assigned
    "kubernetes.io/kubelet-serving".
 3. Otherwise, it is assigned "kubernetes.io/legacy-unknown".
Distribution of trust for signers happens out of band. You can select on this field using \
`spec.signerName`."""


def _signer(obj: Obj, now: float) -> str:
    return value_at(obj, "spec.signerName") or NONE


def _requested_duration(obj: Obj, now: float) -> str:
    seconds = value_at(obj, "spec.expirationSeconds")
    return NONE if seconds is None else human_duration(seconds)


def _condition_types(obj: Obj) -> list[str]:
    return [one.get("type", "") for one in value_at(obj, "status.conditions", [])]


def _condition(obj: Obj, now: float) -> str:
    """What was decided, and what became of it."""
    types = _condition_types(obj)
    decision = next((one for one in ("Denied", "Approved") if one in types), "Pending")
    failed = ",Failed" if "Failed" in types else ""
    issued = ",Issued" if value_at(obj, "status.certificate") else ""
    return decision + failed + issued


def _state(obj: Obj, now: float) -> str:
    """The last deciding condition of a PodCertificateRequest."""
    decisions = [one for one in _condition_types(obj) if one in ("Issued", "Denied", "Failed")]
    return decisions[-1] if decisions else "Pending"


_GROUP = "certificates.k8s.io"
_POD = "certificates.v1beta1.PodCertificateRequestSpec"

PRINTERS = {
    (_GROUP, "certificatesigningrequests"): printer(
        NAME,
        AGE,
        text("SignerName", _SIGNER, _signer),
        text("Requestor", "Base64-encoded PKCS#10 CSR data", at("spec.username")),
        text("RequestedDuration", Doc("certificates.v1.CertificateSigningRequestSpec.expirationSeconds"),
             _requested_duration),
        text("Condition", "Conditions applied to the request, such as approval or denial.", _condition),
    ),
    (_GROUP, "clustertrustbundles"): printer(
        NAME,
        text("SignerName", Doc("certificates.v1beta1.ClusterTrustBundleSpec.signerName"), _signer),
    ),
    (_GROUP, "podcertificaterequests"): printer(
        NAME,
        text("PodName", Doc(f"{_POD}.podName"), at("spec.podName")),
        text("ServiceAccountName", Doc(f"{_POD}.serviceAccountName"), at("spec.serviceAccountName")),
        text("NodeName", Doc(f"{_POD}.nodeName"), at("spec.nodeName")),
        text("SignerName", Doc(f"{_POD}.signerName"), at("spec.signerName")),
        text("State", "Is the request Pending, Issued, Denied, or Failed?", _state),
        text("UnverifiedUserAnnotations", Doc(f"{_POD}.unverifiedUserAnnotations"),
             labels_at("spec.unverifiedUserAnnotations")),
    ),
}
