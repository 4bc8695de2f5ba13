"""What the node authorizer allows to kubelets, and in which words it refuses."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase
from zope.interface.verify import verifyObject

from kube_twisted.api.user import NODES, UserInfo
from kube_twisted.authorization.interfaces import NO_OPINION, Attributes, Decision, IAuthorizer, IRuleResolver, Rules
from kube_twisted.authorization.node.authorizer import NodeAuthorizer
from kube_twisted.authorization.rbac.rules import read_rules
from tests.authorization.policies import rule

NODE = UserInfo("system:node:n1", groups=(NODES,))
ALLOWED = Decision(True)
UNRELATED = "no relationship found between node 'n1' and this object"


class FakeRelations:
    """Everything named "mine" belongs to every node."""

    def has(self, node: str, resource: str, namespace: str, name: str) -> bool:
        return name == "mine"


class NodeAuthorizerTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.authorizer = NodeAuthorizer(FakeRelations(), read_rules([rule("list", "services")]))

    def decide(self, verb: str, resource: str, name: str = "", group: str = "", user: UserInfo = NODE,
               namespace: str = "ns", **more: Any) -> Decision:
        main, _, subresource = resource.partition("/")
        return self.successResultOf(Deferred.fromCoroutine(self.authorizer.authorize(Attributes(
            user=user, verb=verb, group=group, resource=main, subresource=subresource, name=name,
            namespace=namespace, **more))))

    def check(self, refusals: dict[tuple[str, ...], str]) -> None:
        """An empty refusal is none."""
        for asked, reason in refusals.items():
            self.assertEqual(self.decide(*asked), Decision(not reason, reason), asked)

    def test_who_is_a_node(self) -> None:
        """A node has the name and the group; of others there is no opinion."""
        for user in (UserInfo("system:node:n1"), UserInfo("someone", groups=(NODES,)), UserInfo("jane")):
            self.assertEqual(self.decide("get", "secrets", "mine", user=user), NO_OPINION)
        nameless = UserInfo("system:node:", groups=(NODES,))
        self.assertEqual(self.decide("get", "secrets", "mine", user=nameless),
                         Decision(False, 'unknown node for user "system:node:"'))

    def test_read(self) -> None:
        """Secrets and ConfigMaps are read one by one."""
        for resource in ("secrets", "configmaps"):
            self.check({
                ("get", resource, "mine"): "", ("list", resource, "mine"): "", ("watch", resource, "mine"): "",
                ("get", resource, "other"): UNRELATED, ("list", resource): "No Object name found",
                ("create", resource): "can only read resources of this type",
                ("get", f"{resource}/x", "mine"): "cannot read subresource"})
        self.assertEqual(self.decide("get", "secrets", "mine", namespace="").reason,
                         "can only read namespaced object of this type")

    def test_get(self) -> None:
        """Volumes, claims and attachments are only got; of claims the status may be written."""
        for resource, group in (("persistentvolumes", ""), ("persistentvolumeclaims", ""),
                                ("resourceclaims", "resource.k8s.io"), ("volumeattachments", "storage.k8s.io")):
            self.check({
                ("get", resource, "mine", group): "", ("get", resource, "other", group): UNRELATED,
                ("list", resource, "mine", group): "can only get individual resources of this type"})
        self.check({
            ("get", "persistentvolumes/status", "mine"): "cannot get subresource",
            ("update", "persistentvolumeclaims/status", "mine"): "",
            ("get", "persistentvolumeclaims/status", "mine"): "can only get/update/patch this type"})

    def test_service_accounts(self) -> None:
        """Tokens are made for accounts of the node's pods."""
        self.check({
            ("create", "serviceaccounts/token", "mine"): "", ("create", "serviceaccounts/token", "other"): UNRELATED,
            ("get", "serviceaccounts", "mine"): "", ("get", "serviceaccounts", "other"): UNRELATED,
            ("list", "serviceaccounts"): "can only create tokens for individual service accounts",
            ("create", "serviceaccounts", "x"): "can only create token subresource of serviceaccount"})

    def test_own_objects(self) -> None:
        """A node writes its own Lease and CSINode."""
        for verb, resource, group, namespace, words in (
                ("get", "leases", "coordination.k8s.io", "kube-node-lease",
                 ("node lease with the same name as the requesting node", "a node lease")),
                ("patch", "csinodes", "storage.k8s.io", "",
                 ("CSINode with the same name as the requesting node", "a CSINode"))):
            self.assertEqual(self.decide(verb, resource, "n1", group, namespace=namespace), ALLOWED)
            self.assertEqual(self.decide("create", resource, "", group, namespace=namespace), ALLOWED)
            self.assertEqual(self.decide(verb, resource, "n2", group, namespace=namespace).reason,
                             f"can only access {words[0]}")
            self.assertEqual(self.decide("list", resource, "", group, namespace=namespace).reason,
                             f"can only get, create, update, patch, or delete {words[1]}")
        self.assertEqual(self.decide("get", "leases", "n1", "coordination.k8s.io").reason,
                         'can only access leases in the "kube-node-lease" system namespace')
        self.assertEqual(self.decide("get", "csinodes/x", "n1", "storage.k8s.io").reason,
                         "cannot authorize CSINode subresources")

    def test_node(self) -> None:
        """A node reads itself; whom it may write, admission decides."""
        self.check({
            ("get", "nodes", "n1"): "", ("create", "nodes"): "", ("patch", "nodes/status", "n1"): "",
            ("get", "nodes", "n2"): "node 'n1' cannot read 'n2', only its own Node object",
            ("list", "nodes"): "node 'n1' cannot read all nodes, only its own Node object"})
        for asked in (("delete", "nodes", "n1"), ("get", "nodes/status", "n1"), ("get", "nodes/proxy", "n1")):
            self.assertEqual(self.decide(*asked), NO_OPINION, asked)

    def test_pods(self) -> None:
        """Pods are read by the node that they run on."""
        needs_selector = "can only list/watch pods with spec.nodeName field selector"
        self.check({
            ("get", "pods", "mine"): "", ("get", "pods", "other"): UNRELATED, ("create", "pods"): "",
            ("delete", "pods", "x"): "", ("patch", "pods/status", "x"): "", ("create", "pods/eviction", "x"): "",
            ("list", "pods"): needs_selector, ("watch", "pods", "mine"): "", ("list", "pods", "other"): UNRELATED})
        self.assertEqual(self.decide("list", "pods", field_selector="spec.nodeName=n1"), ALLOWED)
        for selector in ("spec.nodeName=n2", "spec.nodeName!=n1", "status.phase=n1", "=,="):
            self.assertEqual(self.decide("list", "pods", field_selector=selector).reason, needs_selector, selector)
        for asked in (("update", "pods", "mine"), ("get", "pods/log", "mine")):
            self.assertEqual(self.decide(*asked), NO_OPINION, asked)

    def test_resource_slices(self) -> None:
        """ResourceSlices of the node are changed, and found by its name."""
        group = "resource.k8s.io"
        self.check({
            ("create", "resourceslices", "", group): "", ("update", "resourceslices", "mine", group): "",
            ("update", "resourceslices", "other", group): UNRELATED,
            ("list", "resourceslices", "", group):
                "can only list/watch/deletecollection resourceslices with nodeName field selector",
            ("get", "resourceslices/x", "mine", group): "cannot authorize ResourceSlice subresources"})
        self.assertEqual(self.decide("deletecollection", "resourceslices", "", group,
                                     field_selector="spec.nodeName=n1"), ALLOWED)
        self.assertIn("only the following verbs", self.decide("bind", "resourceslices", "mine", group).reason)

    def test_other_resources(self) -> None:
        """For the rest the rules are the same for all nodes; requests for certificates of pods are off."""
        self.assertEqual(self.decide("list", "services"), ALLOWED)
        self.assertEqual(self.decide("get", "deployments", "mine", "apps"), NO_OPINION)
        self.assertEqual(self.decide("get", "podcertificaterequests", "mine", "certificates.k8s.io"), NO_OPINION)
        self.assertEqual(self.decide("get", "", path="/version", resource_request=False), NO_OPINION)

    def test_rules(self) -> None:
        """A node's rules cannot be listed."""
        verifyObject(IAuthorizer, self.authorizer)
        verifyObject(IRuleResolver, self.authorizer)
        rules = self.successResultOf(Deferred.fromCoroutine(self.authorizer.rules_for(NODE, "ns")))
        self.assertEqual(rules, Rules(incomplete=True, error="node authorizer does not support user rule resolution"))
        others = self.successResultOf(Deferred.fromCoroutine(self.authorizer.rules_for(UserInfo("jane"), "ns")))
        self.assertEqual(others, Rules())
