"""Roles, their bindings and their aggregation."""

from __future__ import annotations

from kube_twisted.registry.rbac import clusterrole, clusterrolebinding, rolebinding
from kube_twisted.registry.rbac import role as role_rules
from tests.registry.resources import CONTEXT, StrategyTestCase


class RoleTests(StrategyTestCase):
    api = "rbac.authorization.k8s.io/v1/Role"
    strategy = role_rules.STRATEGY

    def test_rules(self) -> None:
        """A rule has verbs, and groups and resources."""
        self.assertEqual(self.errors(rules=[{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}]), [])
        self.assertEqual(self.errors(rules=[{"verbs": [], "apiGroups": [""], "resources": ["pods"]}]),
                         ["rules[0].verbs: Required value: verbs must contain at least one value"])
        self.assertEqual(self.errors(rules=[{"verbs": ["get"]}]), [
            "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
            "rules[0].resources: Required value: resource rules must supply at least one resource"])

    def test_urls(self) -> None:
        """Other URLs are no business of a namespace."""
        errors = self.errors(rules=[{"verbs": ["get"], "nonResourceURLs": ["/healthz"]}])
        self.assertEqual(errors, ['rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot '
                                  "apply to non-resource URLs"])

    def test_names(self) -> None:
        """Names of roles are segments of paths, and may have colons."""
        self.assertEqual(self.strategy.validate_name("system:node", False), [])
        self.assertTrue(self.strategy.validate_name("a/b", False))
        self.assertTrue(self.strategy.allow_create_on_update)


class ClusterRoleTests(StrategyTestCase):
    api = "rbac.authorization.k8s.io/v1/ClusterRole"
    strategy = clusterrole.STRATEGY

    def test_urls(self) -> None:
        """A rule is about resources or about other URLs."""
        self.assertEqual(self.errors(rules=[{"verbs": ["get"], "nonResourceURLs": ["/healthz"]}]), [])
        both = {"verbs": ["get"], "nonResourceURLs": ["/healthz"], "apiGroups": [""], "resources": ["pods"]}
        self.assertEqual(len(self.errors(rules=[both])), 1)

    def test_aggregation(self) -> None:
        """A role made of others selects them."""
        self.assertEqual(self.errors(rules=[], aggregationRule={}), [
            "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if "
            "aggregationRule is non-nil"])
        selector = {"matchExpressions": [{"key": "a", "operator": "Odd"}]}
        self.assertEqual(self.errors(rules=[], aggregationRule={"clusterRoleSelectors": [selector]}), [
            'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Odd": '
            "not a valid selector operator",
            "aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector."])


class RoleBindingTests(StrategyTestCase):
    api = "rbac.authorization.k8s.io/v1/RoleBinding"
    strategy = rolebinding.STRATEGY
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "r"}

    def test_groups(self) -> None:
        """Roles, users and groups are of the access control group; accounts of the core one."""
        made = self.defaulted(roleRef={"kind": "Role", "name": "r"},
                              subjects=[{"kind": "User", "name": "u"}, {"kind": "ServiceAccount", "name": "a"}])
        self.assertEqual(made["roleRef"], self.role)
        self.assertEqual(made["subjects"][0]["apiGroup"], "rbac.authorization.k8s.io")
        self.assertNotIn("apiGroup", made["subjects"][1])

    def test_subjects(self) -> None:
        """Subjects are of three kinds; bindings in a namespace take accounts for their own."""
        self.assertEqual(self.errors(roleRef=self.role, subjects=[{"kind": "ServiceAccount", "name": "a"}]),
                         [])
        made = self.defaulted(roleRef=self.role | {"kind": "ClusterRole"},
                              subjects=[{"kind": "ServiceAccount", "name": "a"}])
        errors = clusterrolebinding.STRATEGY.validate(CONTEXT, made)
        self.assertEqual([str(one) for one in errors], ["subjects[0].namespace: Required value"])
        self.assertEqual(self.errors(roleRef=self.role, subjects=[{"kind": "Robot", "name": "a"}]), [
            'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"'])

    def test_role(self) -> None:
        """What is bound is a role, and stays."""
        self.assertEqual(self.errors(roleRef=self.role | {"kind": "Odd"}), [
            'roleRef.kind: Unsupported value: "Odd": supported values: "Role", "ClusterRole"'])
        old = self.created(roleRef=self.role)
        errors = self.update_errors(old, roleRef=self.role | {"name": "s"})
        self.assertEqual(len(errors), 1)
        self.assertTrue(errors[0].endswith("cannot change roleRef"))
