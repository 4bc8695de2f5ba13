"""The small plugins that look at other things than pods: storage, Ingresses, Services, certificates, owners."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from zope.interface import implementer

from kube_twisted.admission import plugins as on
from kube_twisted.admission.attributes import Attributes
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.authorization.interfaces import Attributes as Question
from kube_twisted.authorization.interfaces import Decision, IAuthorizer
from kube_twisted.config import ConfigError, load_config
from kube_twisted.config.admission import EventLimit
from tests.admission.world import AdmissionTestCase, Obj


@implementer(IAuthorizer)
class Permissions:
    """Allows what is listed as ``verb resource/subresource name``."""

    def __init__(self, *allowed: str) -> None:
        self.allowed = set(allowed)

    async def authorize(self, attributes: Question) -> Decision:
        resource = attributes.resource + (f"/{attributes.subresource}" if attributes.subresource else "")
        return Decision(f"{attributes.verb} {resource} {attributes.name}" in self.allowed, "no rule")


class StorageTests(AdmissionTestCase):
    def claim(self, size: str = "1Gi", phase: str = "Bound", **spec: Any) -> Obj:
        return {"metadata": {"name": "c"}, "spec": {"resources": {"requests": {"storage": size}}, **spec},
                "status": {"phase": phase}}

    def storage_class(self, name: str, created: str = "2026-01-01T00:00:00Z", default: bool = False,
                      **fields: Any) -> None:
        annotations = {"storageclass.kubernetes.io/is-default-class": "true"} if default else {}
        self.world.add("storage.k8s.io", "storageclasses", {"metadata": {
            "name": name, "creationTimestamp": created, "annotations": annotations}, **fields})

    def test_default_class(self) -> None:
        """A claim without a class gets the default one: the newest, then the first by name."""
        plugin = on.DefaultStorageClass(self.world)
        self.assertNotIn("storageClassName", self.admit(plugin, self.write(self.claim()))["spec"])
        self.storage_class("old", default=True)
        self.storage_class("b", "2026-02-01T00:00:00Z", default=True)
        self.storage_class("a", "2026-02-01T00:00:00Z", default=True)
        self.storage_class("newest", "2026-03-01T00:00:00Z")
        self.assertEqual(self.admit(plugin, self.write(self.claim()))["spec"]["storageClassName"], "a")
        silent = self.admit(plugin, self.write(self.claim(storageClassName="")))
        self.assertEqual(silent["spec"]["storageClassName"], "")
        annotated = self.claim()
        annotated["metadata"]["annotations"] = {"volume.beta.kubernetes.io/storage-class": "x"}
        self.assertNotIn("storageClassName", self.admit(plugin, self.write(annotated))["spec"])

    def test_finalizers(self) -> None:
        """New volumes, claims and attributes classes are protected, once."""
        plugin = on.StorageObjectInUseProtection()
        for resource, finalizer in (("persistentvolumes", "kubernetes.io/pv-protection"),
                                    ("persistentvolumeclaims", "kubernetes.io/pvc-protection"),
                                    ("volumeattributesclasses", "kubernetes.io/vac-protection")):
            obj = self.admit(plugin, self.write({"metadata": {"name": "x", "finalizers": ["own/one"]}}, resource))
            self.assertEqual(obj["metadata"]["finalizers"], ["own/one", finalizer])
            self.assertEqual(self.admit(plugin, self.write(obj, resource)), obj)

    def test_growing_claims(self) -> None:
        """Only a bound claim of a class that allows it grows."""
        plugin = on.PersistentVolumeClaimResize(self.world)
        self.storage_class("fixed")
        self.storage_class("elastic", allowVolumeExpansion=True)

        def grow(phase: str, name: str, size: str = "2Gi") -> Attributes:
            return self.write(self.claim(size, storageClassName=name),
                              old=self.claim("1Gi", phase, storageClassName=name))

        self.validate(plugin, grow("Bound", "elastic"))
        self.validate(plugin, grow("Pending", "fixed", "512Mi"))
        self.assertIn("Only bound persistent volume claims can be expanded",
                      self.refusal(plugin.validate, grow("Pending", "elastic")).message)
        for name in ("fixed", "none", ""):
            self.assertIn("only dynamically provisioned pvc can be resized",
                          self.refusal(plugin.validate, grow("Bound", name)).message)


class NetworkTests(AdmissionTestCase):
    def test_default_ingress_class(self) -> None:
        """An Ingress without a class gets the default one, unless its annotation names one."""
        plugin = on.DefaultIngressClass(self.world)
        self.world.add("networking.k8s.io", "ingressclasses", {"metadata": {
            "name": "nginx", "annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}}})
        ingress: Obj = {"metadata": {"name": "i"}, "spec": {}}
        self.assertEqual(self.admit(plugin, self.write(ingress))["spec"], {"ingressClassName": "nginx"})
        annotated: Obj = {"metadata": {"name": "i", "annotations": {"kubernetes.io/ingress.class": "x"}}, "spec": {}}
        self.assertEqual(self.admit(plugin, self.write(annotated))["spec"], {})

    def test_external_ips(self) -> None:
        """A Service keeps its external IPs, or gives some up, but takes no new ones."""
        plugin = on.DenyServiceExternalIPs()

        def service(*addresses: str) -> Obj:
            return {"metadata": {"name": "s"}, "spec": {"externalIPs": list(addresses)}}

        self.validate(plugin, self.write(service(), "services"))
        self.validate(plugin, self.write(service("1.1.1.1"), "services", service("1.1.1.1", "2.2.2.2")))
        for attributes in (self.write(service("1.1.1.1"), "services"),
                           self.write(service("3.3.3.3"), "services", service("1.1.1.1"))):
            self.assertIn("Use of external IPs is denied", self.refusal(plugin.validate, attributes).message)


class CertificateTests(AdmissionTestCase):
    def request(self, organization: str = "team", **status: Any) -> Obj:
        subject = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, organization)])
        signed = x509.CertificateSigningRequestBuilder(subject).sign(ec.generate_private_key(ec.SECP256R1()),
                                                                     hashes.SHA256())
        return {"metadata": {"name": "r"}, "status": status,
                "spec": {"signerName": "kubernetes.io/kube-apiserver-client",
                         "request": b64encode(signed.public_bytes(Encoding.PEM)).decode()}}

    def test_approval(self) -> None:
        """Approving needs permission for the signer, or for its whole domain."""
        attributes = self.write(self.request(), "certificatesigningrequests", self.request(), subresource="approval")
        for name in ("kubernetes.io/kube-apiserver-client", "kubernetes.io/*"):
            self.validate(on.CertificateApproval(Permissions(f"approve signers {name}")), attributes)
        plugin = on.CertificateApproval(Permissions("sign signers kubernetes.io/*"))
        self.assertIn('user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client"',
                      self.refusal(plugin.validate, attributes).message)

    def test_signing(self) -> None:
        """Setting the certificate or conditions needs permission, other status changes don't."""
        plugin = on.CertificateSigning(Permissions())
        old = self.request()
        for status, allowed in (({}, True), ({"certificate": "x"}, False),
                                ({"conditions": [{"type": "Failed"}]}, False)):
            attributes = self.write({**old, "status": status}, "certificatesigningrequests", old, subresource="status")
            if allowed:
                self.validate(plugin, attributes)
            else:
                self.assertIn("user not permitted to sign", self.refusal(plugin.validate, attributes).message)

    def test_masters(self) -> None:
        """A client certificate for system:masters can't be asked for."""
        plugin = on.CertificateSubjectRestriction()
        self.validate(plugin, self.write(self.request(), "certificatesigningrequests"))
        self.assertIn("signer with system:masters group is not allowed", self.refusal(
            plugin.validate, self.write(self.request("system:masters"), "certificatesigningrequests")).message)
        serving = self.request("system:masters")
        serving["spec"]["signerName"] = "example.com/own"
        self.validate(plugin, self.write(serving, "certificatesigningrequests"))

    def test_trust_bundles(self) -> None:
        """Publishing trust anchors of a signer needs permission; garbage collection goes on without."""
        plugin = on.ClusterTrustBundleAttest(Permissions())
        bundle: Obj = {"metadata": {"name": "b"}, "spec": {"signerName": "example.com/s", "trustBundle": "x"}}
        self.assertIn('user not permitted to attest for signerName "example.com/s"',
                      self.refusal(plugin.validate, self.write(bundle, "clustertrustbundles")).message)
        finalised = {**bundle, "metadata": {"name": "b", "finalizers": ["x/y"]}}
        self.validate(plugin, self.write(finalised, "clustertrustbundles", bundle))
        self.validate(plugin, self.write({"metadata": {"name": "b"}, "spec": {}}, "clustertrustbundles"))
        self.validate(on.ClusterTrustBundleAttest(Permissions("attest signers example.com/*")),
                      self.write(bundle, "clustertrustbundles"))


class OwnerTests(AdmissionTestCase):
    def plugin(self, *allowed: str) -> on.OwnerReferencesPermissionEnforcement:
        def resources_of(kind: GroupVersionKind) -> list[tuple[str, bool]]:
            return [("deployments", True)] if kind == GroupVersionKind("apps", "v1", "Deployment") else []

        return on.OwnerReferencesPermissionEnforcement(Permissions(*allowed), resources_of)

    def owned(self, blocking: bool = False, kind: str = "Deployment") -> Obj:
        return {"metadata": {"name": "o", "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": kind, "name": "d", "uid": "1", "blockOwnerDeletion": blocking}]}}

    def test_creation(self) -> None:
        """Who creates an object may name its owner."""
        self.validate(self.plugin(), self.write(self.owned(), "configmaps"))

    def test_change(self) -> None:
        """Who changes the owner must be allowed to delete the object."""
        attributes = self.write(self.owned(), "configmaps", {"metadata": {"name": "o"}})
        self.assertIn("cannot set an ownerRef on a resource you can't delete: no rule",
                      self.refusal(self.plugin().validate, attributes).message)
        self.validate(self.plugin("delete configmaps o"), attributes)
        self.validate(self.plugin(), self.write(self.owned(), "configmaps", self.owned()))

    def test_blocking(self) -> None:
        """Holding back the owner's deletion needs the right to finalise it, or anything."""
        attributes = self.write(self.owned(blocking=True), "configmaps")
        self.assertIn("refers to a resource you can't set finalizers on: no rule",
                      self.refusal(self.plugin().validate, attributes).message)
        self.validate(self.plugin("update deployments/finalizers d"), attributes)
        self.validate(self.plugin("update */finalizers *"), attributes)
        self.assertIn('no matches for kind "Thing" in version "apps/v1"', self.refusal(
            self.plugin().validate, self.write(self.owned(True, "Thing"), "configmaps")).message)


class EventRateLimitTests(AdmissionTestCase):
    def test_limits(self) -> None:
        """A burst is let through, then so many a second, for each namespace by itself; dry runs are free."""
        plugin = on.EventRateLimit([EventLimit("Namespace", 2, 3), EventLimit("User", 100, 100)], self.clock)
        event = self.write({"metadata": {"name": "e"}}, "events")
        for _ in range(3):
            self.validate(plugin, event)
        error = self.refusal(plugin.validate, event, 429)
        self.assertEqual(error.message, "limit reached on type Namespace for key ns")
        self.validate(plugin, self.write({"metadata": {"name": "e"}}, "events", dry_run=True))
        self.validate(plugin, self.write({"metadata": {"name": "e"}}, "events", namespace="other"))
        self.time.advance(0.5)
        self.validate(plugin, event)
        self.refusal(plugin.validate, event, 429)

    def test_forgets_what_is_long_unused(self) -> None:
        """Only so many sources are remembered as the cache has room for."""
        plugin = on.EventRateLimit([EventLimit("SourceAndObject", 1, 1, 1)], self.clock)
        events = [self.write({"metadata": {"name": "e"}, "involvedObject": {"name": name}}, "events")
                  for name in ("a", "b")]
        for event in (*events, events[0]):
            self.validate(plugin, event)
        self.refusal(plugin.validate, events[0], 429)

    def test_settings(self) -> None:
        """Limits are read from the configuration; a bad one is a configuration error."""
        limit = {"type": "Server", "qps": 5, "burst": 9}
        self.assertEqual(load_config(None, {"admission.eventLimits": [limit]}).admission.event_limits,
                         (EventLimit("Server", 5, 9),))
        for bad in ({**limit, "type": "Pod"}, {**limit, "qps": 0}, {"type": "Server"}, {**limit, "speed": 1}, "fast"):
            with self.assertRaisesRegex(ConfigError, "admission.eventLimits"):
                load_config(None, {"admission.eventLimits": [bad]})


class AlwaysDenyTests(AdmissionTestCase):
    def test_denies(self) -> None:
        """Every write is refused."""
        plugin = on.AlwaysDeny()
        attributes = self.write({"metadata": {"generateName": "g-"}}, "configmaps")
        for step in (plugin.admit, plugin.validate):
            self.assertEqual(self.refusal(step, attributes).message,
                             'configmaps "g-" is forbidden: admission control is denying all modifications')
