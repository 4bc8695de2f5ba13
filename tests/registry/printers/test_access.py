"""What Tables say about role bindings, certificates, leases and disruption budgets."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cell, cells, named

CERTIFICATES = "certificates.k8s.io"


def with_conditions(*types: str, **status: Any) -> dict[str, Any]:
    return named("c", status={"conditions": [{"type": one, "status": "True"} for one in types], **status})


class RoleBindingTests(SynchronousTestCase):
    def test_subjects(self) -> None:
        """Subjects stand in columns by their kind; accounts with their namespace."""
        subjects = [{"kind": "User", "name": "jane"}, {"kind": "Group", "name": "devs"},
                    {"kind": "ServiceAccount", "namespace": "ns", "name": "x"},
                    {"kind": "User", "name": "joe"},
                    {"kind": "ServiceAccount", "name": "default"}]
        obj = named("b", roleRef={"kind": "ClusterRole", "name": "view"}, subjects=subjects)
        for resource in ("rolebindings", "clusterrolebindings"):
            self.assertEqual(cells("rbac.authorization.k8s.io", resource, obj),
                             ["b", "ClusterRole/view", AGE, "jane, joe", "devs", "ns/x, /default"])


class CertificateTests(SynchronousTestCase):
    def test_request(self) -> None:
        """Who asks whom for what time."""
        obj = named("c", spec={"signerName": "example.com/signer", "username": "jane",
                               "expirationSeconds": 3600})
        self.assertEqual(cells(CERTIFICATES, "certificatesigningrequests", obj),
                         ["c", AGE, "example.com/signer", "jane", "60m", "Pending"])
        self.assertEqual(cells(CERTIFICATES, "certificatesigningrequests", named("c")),
                         ["c", AGE, "<none>", "", "<none>", "Pending"])

    def test_condition(self) -> None:
        """A denial outweighs an approval; failure and issue are added."""
        for obj, shown in ((with_conditions("Approved"), "Approved"),
                           (with_conditions("Approved", "Denied"), "Denied"),
                           (with_conditions("Approved", "Failed"), "Approved,Failed"),
                           (with_conditions("Approved", certificate="eA=="), "Approved,Issued")):
            self.assertEqual(cell(CERTIFICATES, "certificatesigningrequests", "Condition", obj), shown)

    def test_cluster_trust_bundle(self) -> None:
        """A bundle shows its signer, if any."""
        self.assertEqual(cells(CERTIFICATES, "clustertrustbundles", named("b", spec={"signerName": "a/b"})),
                         ["b", "a/b"])
        self.assertEqual(cells(CERTIFICATES, "clustertrustbundles", named("b")), ["b", "<none>"])

    def test_pod_certificate_request(self) -> None:
        """A pod's request shows for whom it is and what became of it."""
        obj = named("r", spec={"podName": "p", "serviceAccountName": "sa", "nodeName": "n",
                               "signerName": "a/b", "unverifiedUserAnnotations": {"a.b/c": "d"}})
        self.assertEqual(cells(CERTIFICATES, "podcertificaterequests", obj),
                         ["r", "p", "sa", "n", "a/b", "Pending", "a.b/c=d"])
        for decision in ("Issued", "Denied", "Failed"):
            state = cell(CERTIFICATES, "podcertificaterequests", "State", with_conditions("Other", decision))
            self.assertEqual(state, decision)


class LeaseTests(SynchronousTestCase):
    def test_lease(self) -> None:
        """A lease shows who holds it, if anybody does."""
        self.assertEqual(cells("coordination.k8s.io", "leases", named("l", spec={"holderIdentity": "you"})),
                         ["l", "you", AGE])
        self.assertEqual(cells("coordination.k8s.io", "leases", named("l")), ["l", "", AGE])

    def test_lease_candidate(self) -> None:
        """A candidate shows what for, and its versions."""
        obj = named("c", spec={"leaseName": "l", "binaryVersion": "1.36.0", "emulationVersion": "1.35.0"})
        self.assertEqual(cells("coordination.k8s.io", "leasecandidates", obj),
                         ["c", "l", "1.36.0", "1.35.0", AGE])


class PodDisruptionBudgetTests(SynchronousTestCase):
    def test_bounds(self) -> None:
        """Bounds are numbers or percentages, as text; one that is not set is not applicable."""
        obj = named("b", spec={"maxUnavailable": "30%"}, status={"disruptionsAllowed": 1})
        self.assertEqual(cells("policy", "poddisruptionbudgets", obj), ["b", "N/A", "30%", 1, AGE])
        obj = named("b", spec={"minAvailable": 0})
        self.assertEqual(cells("policy", "poddisruptionbudgets", obj), ["b", "0", "N/A", 0, AGE])
