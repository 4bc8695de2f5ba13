"""Flow schemas and priority levels."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.flowcontrol import flowschema, prioritylevelconfiguration
from tests.registry.resources import StrategyTestCase

USER = {"kind": "User", "user": {"name": "u"}}
RULE = {"verbs": ["get"], "apiGroups": [""], "resources": ["pods"], "namespaces": ["*"]}
FLOW: dict[str, Any] = {"priorityLevelConfiguration": {"name": "p"}}


class FlowSchemaTests(StrategyTestCase):
    api = "flowcontrol.apiserver.k8s.io/v1/FlowSchema"
    strategy = flowschema.STRATEGY

    def test_defaults(self) -> None:
        """A schema comes after those that say more."""
        self.assertEqual(self.defaulted(spec=FLOW)["spec"]["matchingPrecedence"], 1000)

    def test_rules(self) -> None:
        """A rule is about subjects, and about resources or other URLs."""
        good = {"subjects": [USER], "resourceRules": [RULE]}
        self.assertEqual(self.errors(spec=FLOW | {"rules": [good]}), [])
        self.assertEqual(self.errors(spec=FLOW | {"rules": [{"subjects": [], "resourceRules": [RULE]}]}),
                         ["spec.rules[0].subjects: Required value: subjects must contain at least one value"])

    def test_precedence(self) -> None:
        """Precedence is between 1 and 10000; the first is of the exempt."""
        self.assertEqual(self.errors(spec=FLOW | {"matchingPrecedence": 10001}), [
            "spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000"])
        self.assertEqual(self.errors(spec=FLOW | {"matchingPrecedence": 1}), [
            "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have "
            "matchingPrecedence 1"])


class PriorityLevelTests(StrategyTestCase):
    api = "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration"
    strategy = prioritylevelconfiguration.STRATEGY

    def test_defaults(self) -> None:
        """A limited level has thirty shares, and queues as usual."""
        limited = {"limitResponse": {"type": "Queue", "queuing": {}}}
        spec = self.defaulted(spec={"type": "Limited", "limited": limited})["spec"]
        self.assertEqual(spec["limited"], {
            "nominalConcurrencyShares": 30, "lendablePercent": 0,
            "limitResponse": {"type": "Queue", "queuing": {"queues": 64, "handSize": 8,
                                                           "queueLengthLimit": 50}}})

    def test_union(self) -> None:
        """A level is limited or exempt, with the part of that name."""
        self.assertEqual(self.errors(spec={"type": "Limited"}), [
            "spec.limited: Required value: must not be empty when type is Limited"])
        self.assertEqual(len(self.errors(spec={"type": "Exempt", "exempt": {}})), 1)

    def test_hands(self) -> None:
        """Hands are smaller than the deck of queues."""
        limited = {"limitResponse": {"type": "Queue", "queuing": {"queues": 2, "handSize": 3,
                                                                  "queueLengthLimit": 1}}}
        errors = self.errors(spec={"type": "Limited", "limited": limited})
        self.assertEqual(errors, ["spec.limited.limitResponse.queuing.handSize: Invalid value: 3: should not be "
                                  "greater than queues (2)"])


class MandatoryTests(StrategyTestCase):
    """The objects that the server needs can't be changed; messages show them in the internal form."""

    api = "flowcontrol.apiserver.k8s.io/v1/FlowSchema"
    strategy = flowschema.STRATEGY

    def test_flow_schema(self) -> None:
        """A fixed schema, with all that it would have had."""
        rule = {"subjects": [USER], "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/x"]}]}
        spec = FLOW | {"rules": [rule], "distinguisherMethod": {"type": "ByUser"}}
        (error,) = [text for text in self.errors(metadata={"name": "catch-all"}, spec=spec) if "fixed" in text]
        self.assertEqual(error, (
            'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"p"},"MatchingPrecedence":1000,'
            '"DistinguisherMethod":{"Type":"ByUser"},"Rules":[{"Subjects":[{"Kind":"User","User":{"Name":"u"},'
            '"Group":null,"ServiceAccount":null}],"ResourceRules":null,"NonResourceRules":[{"Verbs":["get"],'
            '"NonResourceURLs":["/x"]}]}]}: spec of \'catch-all\' must equal the fixed value'))


class MandatoryLevelTests(StrategyTestCase):
    api = "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration"
    strategy = prioritylevelconfiguration.STRATEGY

    def test_priority_level(self) -> None:
        """A fixed level, but for what the exempt one may change."""
        spec = {"type": "Limited", "limited": {"limitResponse": {"type": "Queue", "queuing": {}}}}
        (error,) = [text for text in self.errors(metadata={"name": "catch-all"}, spec=spec) if "fixed" in text]
        self.assertEqual(error, (
            'spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":30,"LimitResponse":'
            '{"Type":"Queue","Queuing":{"Queues":64,"HandSize":8,"QueueLengthLimit":50}},"LendablePercent":0,'
            '"BorrowingLimitPercent":null},"Exempt":null}: spec of \'catch-all\' must equal the fixed value'))
        self.assertEqual(self.errors(metadata={"name": "exempt"}, spec={
            "type": "Exempt", "exempt": {"nominalConcurrencyShares": 5, "lendablePercent": 10}}), [])
