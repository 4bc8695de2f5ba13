"""Table columns of Leases and LeaseCandidates."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, at
from kube_twisted.registry.printers.column import printer, text
from kube_twisted.registry.printers.documentation import Doc

PRINTERS = {
    ("coordination.k8s.io", "leases"): printer(
        NAME,
        text("Holder", Doc("coordination.v1.LeaseSpec.holderIdentity"), at("spec.holderIdentity")),
        AGE,
    ),
    ("coordination.k8s.io", "leasecandidates"): printer(
        NAME,
        text("LeaseName", Doc("coordination.v1alpha2.LeaseCandidateSpec.leaseName"), at("spec.leaseName")),
        text("BinaryVersion", "", at("spec.binaryVersion")),
        text("EmulationVersion", "", at("spec.emulationVersion")),
        AGE,
    ),
}
