"""Which rule of a policy decides, and reading policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.audit.levels import Level
from kube_twisted.audit.policy import Asked, AuditPolicy, GroupResources, Rule
from kube_twisted.audit.policy_file import read_policy
from kube_twisted.util.starting import StartError


def asks(resource: str = "pods", subresource: str = "", **more: Any) -> Asked:
    """A request about a resource."""
    return Asked(**{
        "user": "ann", "groups": ("devs",), "verb": "get", "is_resource": True, "group": "", "resource": resource,
        "subresource": subresource, "namespace": "ns", "name": "n", "path": "", **more})


def asks_path(path: str) -> Asked:
    return asks("", is_resource=False, namespace="", name="", path=path)


class RuleTests(SynchronousTestCase):
    def _matches(self, asked: Asked, **rule: Any) -> bool:
        return Rule(Level.METADATA, **rule).matches(asked)

    def test_who_and_how(self) -> None:
        """Users, groups and verbs narrow a rule; one group is enough."""
        self.assertTrue(self._matches(asks(), users=frozenset({"ann"}), groups=frozenset({"devs", "ops"}),
                                      verbs=frozenset({"get"})))
        for rule in ({"users": frozenset({"bob"})}, {"groups": frozenset({"ops"})}, {"verbs": frozenset({"list"})}):
            self.assertFalse(self._matches(asks(), **rule), rule)

    def test_everything(self) -> None:
        """A rule that says nothing matches all, resources and paths."""
        self.assertTrue(self._matches(asks()))
        self.assertTrue(self._matches(asks_path("/version")))

    def test_namespaces(self) -> None:
        """Namespaces are for resources; those without one have the empty name."""
        self.assertTrue(self._matches(asks(), namespaces=frozenset({"ns"})))
        self.assertTrue(self._matches(asks(namespace=""), namespaces=frozenset({""})))
        self.assertFalse(self._matches(asks_path("/version"), namespaces=frozenset({""})))

    def test_resources(self) -> None:
        """Resources, subresources and their wildcards."""
        for resources, asked, expected in (
                (("pods",), asks(), True), (("pods",), asks(subresource="log"), False),
                (("pods/log",), asks(subresource="log"), True), (("pods/*",), asks(subresource="log"), True),
                (("pods/*",), asks(), True), (("*/scale",), asks("deployments", "scale"), True),
                (("*/scale",), asks("deployments"), False), (("*",), asks(subresource="log"), True),
                ((), asks(), True)):
            rule = (GroupResources("", resources),)
            self.assertEqual(self._matches(asked, resources=rule), expected, (resources, asked))

    def test_groups(self) -> None:
        """The group must be the resource's; ``*`` is any."""
        self.assertFalse(self._matches(asks(), resources=(GroupResources("apps"),)))
        self.assertTrue(self._matches(asks(group="apps"), resources=(GroupResources("*"),)))

    def test_names(self) -> None:
        """Names of objects narrow resources."""
        self.assertTrue(self._matches(asks(), resources=(GroupResources("", ("pods",), ("n", "m")),)))
        self.assertFalse(self._matches(asks(name="x"), resources=(GroupResources("", ("pods",), ("n", "m")),)))

    def test_paths(self) -> None:
        """Paths are whole, or end with a wildcard, and match no resources."""
        for rule, path, expected in (("/healthz*", "/healthz/etcd", True), ("/healthz", "/healthz/etcd", False),
                                     ("/healthz", "/healthz", True), ("*", "/x", True)):
            self.assertEqual(self._matches(asks_path(path), paths=(rule,)), expected, (rule, path))
        self.assertFalse(self._matches(asks(), paths=("*",)))

    def test_first_rule(self) -> None:
        """The first rule that matches decides; without one, nothing is recorded."""
        policy = AuditPolicy((Rule(Level.NONE, users=frozenset({"bob"})), Rule(Level.REQUEST, verbs=frozenset({"get"})),
                              Rule(Level.METADATA)))
        for asked, level in ((asks(user="bob"), Level.NONE), (asks(), Level.REQUEST),
                             (asks(verb="list"), Level.METADATA)):
            self.assertEqual(policy.rule_for(asked).level, level)
        self.assertEqual(AuditPolicy(()).rule_for(asks()).level, Level.NONE)


class PolicyFileTests(SynchronousTestCase):
    def _read(self, **fields: Any) -> AuditPolicy:
        path = Path(self.mktemp())
        path.write_text(yaml.safe_dump({"apiVersion": "audit.k8s.io/v1", "kind": "Policy", **fields}))
        return read_policy(path)

    def _problem(self, **fields: Any) -> str:
        return str(self.assertRaises(StartError, self._read, **fields)).partition(": ")[2]

    def test_rules(self) -> None:
        """All fields are read; stages add up, and a rule's own word about managedFields wins."""
        policy = self._read(omitStages=["RequestReceived"], omitManagedFields=True, rules=[
            {"level": "Request", "users": ["ann"], "userGroups": ["devs"], "verbs": ["get"], "namespaces": ["ns"],
             "resources": [{"group": "apps", "resources": ["deployments"], "resourceNames": ["web"]}, {}],
             "omitStages": ["Panic"], "omitManagedFields": False},
            {"level": "None", "nonResourceURLs": ["/healthz*"]}])
        self.assertEqual(policy.rules[0], Rule(
            Level.REQUEST, frozenset({"RequestReceived", "Panic"}), False, frozenset({"ann"}), frozenset({"devs"}),
            frozenset({"get"}), frozenset({"ns"}),
            (GroupResources("apps", ("deployments",), ("web",)), GroupResources())))
        self.assertEqual((policy.rules[1].omit_managed_fields, policy.rules[1].paths), (True, ("/healthz*",)))

    def test_problems(self) -> None:
        """What is wrong is said, all of it, with its place."""
        for rule, problem in (
                ({}, "rules[0].level: Required value"),
                ({"level": "All"}, "rules[0].level: must be one of None, Metadata, Request, RequestResponse"),
                ({"level": "None", "nonResourceURLs": ["x"]},
                 "rules[0].nonResourceURLs[0]: must begin with a '/' character"),
                ({"level": "None", "nonResourceURLs": ["/a*b"]},
                 "rules[0].nonResourceURLs[0]: wildcards '*' must be the final character of the rule"),
                ({"level": "None", "nonResourceURLs": ["/a"], "namespaces": ["x"]},
                 "rules[0].nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs"),
                ({"level": "None", "resources": [{"resourceNames": ["x"]}]},
                 "rules[0].resources[0].resourceNames: using resourceNames requires at least one resource"),
                ({"level": "None", "omitStages": ["End"], "users": "ann"},
                 "rules[0].users: must be a list of texts; rules[0].omitStages: allowed stages are "
                 "RequestReceived,ResponseStarted,ResponseComplete,Panic")):
            self.assertEqual(self._problem(rules=[rule]), problem)
        self.assertIn("rules[0].resources[0].group: a lowercase RFC 1123 subdomain",
                      self._problem(rules=[{"level": "None", "resources": [{"group": "apps/v1"}]}]))

    def test_no_policy(self) -> None:
        """Files that are no policy, or have no rules, end the start."""
        self.assertEqual(self._problem(rules=[]), "must have at least one rule")
        self.assertEqual(self._problem(kind="Rules"), "must be a Policy of audit.k8s.io/v1")
        self.assertEqual(self._problem(rules={"a": 1}), "rules: must be a list of rules")
        missing = self.assertRaises(StartError, read_policy, Path("/nowhere/policy.yaml"))
        self.assertEqual(str(missing), "/nowhere/policy.yaml: No such file or directory")

    def test_unknown_fields(self) -> None:
        """Fields that nobody knows are passed over."""
        self.assertEqual(self._read(rules=[{"level": "None", "shouting": True}]).rules[0].level, Level.NONE)
