"""All schemas and levels together."""

from __future__ import annotations

from attrs import define
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.flowcontrol.flow_control import FlowControl
from kube_twisted.util.clock import Clock
from tests.flowcontrol.objects import EXEMPT, Obj, asks, group, level, schema, user

CATCH_ALL = schema("catch-all", group("*"), level="catch-all", precedence=10000)


@define
class Stored:
    """The objects."""

    own_schemas: list[Obj]
    own_levels: list[Obj]

    def schemas(self) -> list[Obj]:
        return [*self.own_schemas, CATCH_ALL]

    def levels(self) -> list[Obj]:
        return [*self.own_levels, level("catch-all", 5), EXEMPT]


class FlowControlTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.stored = Stored([], [level("busy", queues=1)])
        self.flow_control = FlowControl(self.stored, Clock(FakeReactor()), 60)

    def schema_of(self, user: str) -> str:
        return self.flow_control.find(asks(user)).counts.schema

    def test_precedence(self) -> None:
        """The schema with the lowest precedence decides, and by name between equals."""
        self.stored.own_schemas = [schema("c", user("ann"), precedence=20), schema("b", user("*"), precedence=20),
                                   schema("a", user("bob"), precedence=10)]
        self.assertEqual([self.schema_of(name) for name in ("ann", "bob")], ["b", "a"])

    def test_catch_all(self) -> None:
        """What no schema matches is caught, whatever groups the user is in."""
        self.assertEqual(self.schema_of("ann"), "catch-all")

    def test_dangling_schema(self) -> None:
        """A schema whose level is not there is passed over."""
        self.stored.own_schemas = [schema("s", user("ann"), level="gone")]
        self.assertEqual(self.schema_of("ann"), "catch-all")

    def test_headers(self) -> None:
        """Answers name the uids of schema and level."""
        self.stored.own_schemas = [schema("s", user("ann"))]
        self.assertEqual(self.flow_control.find(asks("ann")).headers, (
            (b"X-Kubernetes-PF-FlowSchema-UID", b"s-uid"), (b"X-Kubernetes-PF-PriorityLevel-UID", b"busy-uid")))

    def test_changes(self) -> None:
        """After a change, flows are found anew."""
        self.schema_of("ann")
        self.assertEqual(len(self.flow_control.flows), 1)
        self.stored.own_schemas = [schema("s", user("ann"))]
        self.flow_control.changed()
        self.assertEqual(self.flow_control.flows, {})
        self.assertEqual(self.schema_of("ann"), "s")

    def test_many_kinds_of_requests(self) -> None:
        """Whatever clients make up, not more than ten thousand flows are remembered."""
        for number in range(10_001):
            self.flow_control.find(asks(namespace=str(number)))
        self.assertLess(len(self.flow_control.flows), 10)

    def test_level_goes(self) -> None:
        """A level that is deleted stays until its last request has ended; nobody new comes."""
        self.stored.own_schemas = [schema("s", user("ann"))]
        flow = self.flow_control.find(asks("ann"))
        flow.level.in_use = int(flow.level.limit)
        waiting = Deferred.fromCoroutine(flow.level.wait(1, flow.counts, flow.digest, "", 15))
        self.stored.own_levels = []
        self.flow_control.changed()
        self.assertEqual(self.schema_of("ann"), "catch-all")
        self.assertIn("busy", self.flow_control.levels)
        flow.level.release(int(flow.level.limit))
        flow.level.leave(self.successResultOf(waiting))
        self.flow_control.rebalance()
        self.assertEqual(sorted(self.flow_control.levels), ["catch-all", "exempt"])
        self.assertNotIn(("busy", "s"), self.flow_control.counts)

    def test_lending(self) -> None:
        """A level that needs more than it has gets what others can lend, and gives it back when it does not."""
        self.stored.own_levels = [level("busy", 10), level("idle", 10, lendablePercent=50)]
        self.stored.own_schemas = [schema("s", user("ann"))]
        busy = self.flow_control.find(asks("ann")).level
        self.flow_control.rebalance()
        before = busy.limit
        busy.peak = 60
        self.flow_control.rebalance()
        self.assertGreater(busy.limit, before)
        self.assertLess(self.flow_control.levels["idle"].limit, 24)
        for _ in range(300):
            self.flow_control.rebalance()
        self.assertEqual(busy.limit, before)
