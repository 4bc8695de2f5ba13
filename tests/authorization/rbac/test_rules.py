"""What one rule allows, and how the rules of a role are found."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import Attributes
from kube_twisted.authorization.rbac.rules import NO_RULES, Rule, RuleSet, path_matches, question, read_rules
from tests.authorization.policies import rule

JANE = UserInfo("jane")


class RuleSetTests(SynchronousTestCase):
    def allowed(self, rules: RuleSet, verb: str, resource: str, group: str = "", name: str = "") -> bool:
        main, _, subresource = resource.partition("/")
        return rules.allow(question(Attributes(
            user=JANE, verb=verb, group=group, resource=main, subresource=subresource, name=name)))

    def path_allowed(self, rules: RuleSet, verb: str, path: str) -> bool:
        return rules.allow(question(Attributes(user=JANE, verb=verb, path=path, resource_request=False)))

    def test_exact(self) -> None:
        """Verb, group and resource all have to be named by one rule."""
        rules = read_rules([rule("get list", "pods configmaps"), rule("create", "deployments", "apps")])
        self.assertTrue(self.allowed(rules, "list", "configmaps"))
        self.assertTrue(self.allowed(rules, "create", "deployments", "apps"))
        for verb, resource, group in (("create", "pods", ""), ("get", "deployments", "apps"), ("get", "secrets", ""),
                                      ("get", "pods", "apps"), ("", "pods", "")):
            self.assertFalse(self.allowed(rules, verb, resource, group), (verb, resource, group))

    def test_stars(self) -> None:
        """A star stands for all verbs, groups or resources, subresources included."""
        self.assertTrue(self.allowed(read_rules([rule("*", "*", "*")]), "escalate", "things/part", "x.io"))
        self.assertTrue(self.allowed(read_rules([rule("get", "*", "*")]), "get", "nodes"))
        self.assertFalse(self.allowed(read_rules([rule("get", "*", "apps")]), "get", "nodes"))

    def test_subresources(self) -> None:
        """A resource does not include its subresources; those are named with it, or for all resources."""
        rules = read_rules([rule("get", "pods deployments/scale")])
        self.assertTrue(self.allowed(rules, "get", "deployments/scale"))
        self.assertFalse(self.allowed(rules, "get", "deployments"))
        self.assertFalse(self.allowed(rules, "get", "pods/status"))
        everywhere = read_rules([rule("get", "*/status")])
        self.assertTrue(self.allowed(everywhere, "get", "pods/status"))
        self.assertFalse(self.allowed(everywhere, "get", "pods/xstatus"))
        self.assertFalse(self.allowed(everywhere, "get", "pods"))

    def test_names(self) -> None:
        """With names, only these objects, and never a request that names none."""
        rules = read_rules([rule("get create", "pods", names="one two")])
        self.assertTrue(self.allowed(rules, "get", "pods", name="two"))
        self.assertFalse(self.allowed(rules, "get", "pods", name="three"))
        self.assertFalse(self.allowed(rules, "create", "pods"))

    def test_paths(self) -> None:
        """Paths that are no resources are allowed by rules about paths alone."""
        rules = read_rules([rule("get", urls="/metrics /debug/*"), rule("*", "*", "*")])
        self.assertTrue(self.path_allowed(rules, "get", "/metrics"))
        self.assertTrue(self.path_allowed(rules, "get", "/debug/pprof/x"))
        self.assertFalse(self.path_allowed(rules, "post", "/metrics"))
        self.assertFalse(self.path_allowed(rules, "get", "/debug"))
        self.assertTrue(self.path_allowed(read_rules([rule("*", urls="*")]), "put", "/anything"))
        self.assertFalse(self.allowed(read_rules([rule("*", urls="*")]), "get", "pods"))

    def test_path_patterns(self) -> None:
        """A star at the end stands for any rest; elsewhere it is a letter like others."""
        self.assertTrue(path_matches("*", "/anything"))
        self.assertTrue(path_matches("/api/*", "/api/"))
        self.assertFalse(path_matches("/api/*", "/api"))
        self.assertFalse(path_matches("/a*/b", "/ax/b"))

    def test_no_rules(self) -> None:
        """A role whose rules are null, as an aggregated one has them at first, allows nothing."""
        self.assertIs(read_rules(None), NO_RULES)
        self.assertFalse(self.allowed(NO_RULES, "get", "pods"))

    def test_data(self) -> None:
        """A rule is read from data and written back the same."""
        for data in (rule("get list", "pods", "apps", "a b"), rule("get", urls="/x")):
            self.assertEqual(Rule.read(data).as_data(), data)
