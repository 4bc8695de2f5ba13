"""kubectl with rights and identities: roles, tokens, certificates, and what it says of them."""

from __future__ import annotations

import base64
import json

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.sockets.support.kubectl import KubectlTestCase


class RoleTests(KubectlTestCase):
    def test_roles(self) -> None:
        """Roles and bindings from subcommands; resources are found in discovery."""
        self.assertEqual(self.kubectl("create", "role", "r", "--verb=get,list", "--resource=pods,deployments.apps"),
                         "role.rbac.authorization.k8s.io/r created")
        self.assertEqual(self.get_json("role", "r")["rules"], [
            {"verbs": ["get", "list"], "apiGroups": [""], "resources": ["pods"]},
            {"verbs": ["get", "list"], "apiGroups": ["apps"], "resources": ["deployments"]}])
        self.assertEqual(self.kubectl("create", "rolebinding", "b", "--role=r", "--user=jane",
                                      f"--serviceaccount={self.namespace}:default"),
                         "rolebinding.rbac.authorization.k8s.io/b created")
        self.assertEqual(self.kubectl("set", "subject", "rolebinding", "b", "--group=devs"),
                         "rolebinding.rbac.authorization.k8s.io/b subjects updated")
        lines = self.lines("describe", "rolebinding", "b")
        self.assertEqual(lines[-3:], ["User jane", f"ServiceAccount default {self.namespace}", "Group devs"])
        self.assertIn("the server doesn't have a resource type", self.error(
            "create", "role", "x", "--verb=get", "--resource=gizmos"))

    def test_cluster_roles(self) -> None:
        """For paths, and gathered from others."""
        self.kubectl("create", "clusterrole", "k-metrics", "--verb=get", "--non-resource-url=/metrics")
        self.kubectl("create", "clusterrole", "k-sum", "--aggregation-rule=a=b")
        self.kubectl("create", "clusterrolebinding", "k-metrics", "--clusterrole=k-metrics", "--group=devs")
        self.assertEqual(self.kubectl("delete", "clusterrole,clusterrolebinding", "k-metrics"),
                         'clusterrole.rbac.authorization.k8s.io "k-metrics" deleted\n'
                         'clusterrolebinding.rbac.authorization.k8s.io "k-metrics" deleted')
        self.kubectl("delete", "clusterrole", "k-sum")

    def test_can_i(self) -> None:
        """The administrator may do everything, and is told who he is."""
        self.assertEqual(self.kubectl("auth", "can-i", "create", "pods"), "yes")
        self.assertIn("*.* [] [] [*]", self.lines("auth", "can-i", "--list"))
        who = json.loads(self.kubectl("auth", "whoami", "--output=json"))
        self.assertIn("system:masters", who["status"]["userInfo"]["groups"])

    def test_can_others(self) -> None:
        """What somebody else may do, by roles, asked and tried in his name."""
        self.kubectl("create", "role", "r", "--verb=get,list", "--resource=configmaps")
        self.kubectl("create", "rolebinding", "b", "--role=r", "--user=jane", "--group=devs")
        self.assertEqual(self.kubectl("auth", "can-i", "list", "configmaps", "--as=jane"), "yes")
        self.assertEqual(self.kubectl("auth", "can-i", "get", "configmaps/x", "--as=bob", "--as-group=devs"), "yes")
        refused = self.run_kubectl(("auth", "can-i", "delete", "configmaps", "--as=jane"))
        self.assertEqual((refused.returncode, refused.stdout.strip()), (1, "no"))
        self.assertIn("configmaps [] [] [get list]", self.lines("auth", "can-i", "--list", "--as=jane"))
        self.assertIn("No resources found", self.run_kubectl(("get", "configmaps", "--as=jane")).stderr)
        self.assertIn(
            'configmaps is forbidden: User "jane" cannot create resource "configmaps" in API group "" in the namespace '
            f'"{self.namespace}"', self.error("create", "configmap", "x", "--as=jane"))

    def test_grants(self) -> None:
        """Who may write roles grants what he has, and no more."""
        self.kubectl("create", "role", "r", "--verb=create,get", "--resource=roles,rolebindings")
        self.kubectl("create", "rolebinding", "b", "--role=r", "--user=jane")
        self.kubectl("create", "role", "same", "--verb=get", "--resource=roles", "--as=jane")
        self.assertIn("is attempting to grant RBAC permissions not currently held", self.error(
            "create", "role", "more", "--verb=get", "--resource=secrets", "--as=jane"))
        self.assertIn("is attempting to grant RBAC permissions not currently held", self.error(
            "create", "rolebinding", "more", "--clusterrole=cluster-admin", "--user=jane", "--as=jane"))

    def test_whoami(self) -> None:
        """Somebody else with a uid and groups."""
        who = json.loads(self.kubectl("auth", "whoami", "--as=jane", "--as-group=devs", "--as-uid=7", "--output=json"))
        self.assertEqual(who["status"]["userInfo"], {
            "username": "jane", "uid": "7", "groups": ["devs", "system:authenticated"]})

    def test_reconcile(self) -> None:
        """Roles from a file are made, and brought up to date."""
        role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                "metadata": {"name": "r", "namespace": self.namespace},
                "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}
        self.kubectl("auth", "reconcile", "-f", "-", stdin=role)
        role["rules"] = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]}]
        self.kubectl("auth", "reconcile", "-f", "-", stdin=role)
        verbs = [verb for rule in self.get_json("role", "r")["rules"] for verb in rule["verbs"]]
        self.assertEqual(sorted(verbs), ["get", "list"])


class IdentityTests(KubectlTestCase):
    def test_service_account(self) -> None:
        """An account and a token for it, which lets its bearer in as that account."""
        self.assertEqual(self.kubectl("create", "serviceaccount", "robot"), "serviceaccount/robot created")
        token = self.kubectl("create", "token", "robot", "--duration=1h")
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        name = f"system:serviceaccount:{self.namespace}:robot"
        self.assertEqual((claims["sub"], claims["exp"] - claims["iat"]), (name, 3600))
        answer = self.client.request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {},
                                     {"Authorization": f"Bearer {token}"})
        self.assertEqual(answer.json()["status"]["userInfo"]["username"], name)
        self.assertEqual(self.error("create", "token", "nobody"),
                         'error: failed to create token: serviceaccounts "nobody" not found')

    def test_certificates(self) -> None:
        """Requests for certificates are approved or denied, once."""
        for name in ("good", "bad"):
            self.create("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
                "metadata": {"name": name},
                "spec": {"request": request_for("jane"), "signerName": "kubernetes.io/kube-apiserver-client",
                         "usages": ["client auth"]}})
            self.addCleanup(self.kubectl, "delete", "csr", name)
        self.assertEqual(self.lines("get", "csr", "good", "--no-headers")[0].split()[-1], "Pending")
        self.assertEqual(self.kubectl("certificate", "approve", "good"),
                         "certificatesigningrequest.certificates.k8s.io/good approved")
        self.assertEqual(self.kubectl("certificate", "deny", "bad"),
                         "certificatesigningrequest.certificates.k8s.io/bad denied")
        states = [line.split()[-1] for line in self.lines("get", "csr", "good", "bad", "--no-headers")]
        self.assertEqual(states, ["Approved", "Denied"])
        (condition,) = self.get_json("csr", "good")["status"]["conditions"]
        self.assertEqual((condition["type"], condition["reason"]), ("Approved", "KubectlApprove"))
        self.assertIn("Common Name: jane", self.lines("describe", "csr", "good"))
        self.assertEqual(self.error("certificate", "deny", "good"),
                         'error: certificate signing request "good" is already Approved')


def request_for(user: str) -> str:
    """A request for a certificate, as it stands in an object."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, user)])
    request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256())
    return base64.b64encode(request.public_bytes(serialization.Encoding.PEM)).decode()
