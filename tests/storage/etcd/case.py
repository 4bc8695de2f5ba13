"""A client of an etcd cluster whose members are in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config.etcd import Endpoint
from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.connection import Connection
from kube_twisted.storage.etcd.errors import RPCError, not_connected
from kube_twisted.storage.etcd.messages import (
    COMPACT,
    RANGE,
    CompactionRequest,
    CompactionResponse,
    Header,
    RangeRequest,
    RangeResponse,
)
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.storage.etcd.member import Call, Member

ENDPOINTS = [Endpoint("etcd", number) for number in (1, 2, 3)]


class FakeDialer:
    """Connects to members in memory.

    :ivar down: the ports that refuse.
    :ivar asked: the ports that were tried.
    """

    def __init__(self, time: FakeTime) -> None:
        self.time = time
        self.down: set[int] = set()
        self.asked: list[int] = []
        self.members: list[Member] = []
        self.waiting: Deferred[None] | None = None

    async def connect(self, endpoint: Endpoint, lost: Callable[[Connection, str], None]) -> Connection:
        self.asked.append(endpoint.port)
        if self.waiting is not None:
            await self.waiting
        if endpoint.port in self.down:
            raise not_connected(f"{endpoint} is down")
        member = Member(self.time)
        member.connection._lost = lost
        member.greet()
        self.members.append(member)
        return member.connection

    @property
    def member(self) -> Member:
        return self.members[-1]


class ClientCase(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.dialer = FakeDialer(self.time)
        self.client = EtcdClient(self.dialer, ENDPOINTS, Clock(self.time))  # type: ignore[arg-type]

    def read(self) -> Deferred[RangeResponse]:
        return to_deferred(self.client.call(RANGE, RangeRequest(b"k"), again=True))

    def write(self) -> Deferred[CompactionResponse]:
        return to_deferred(self.client.call(COMPACT, CompactionRequest(5)))

    def call(self) -> Call:
        """The last call of the member that is connected."""
        self.dialer.member.pump()
        return self.dialer.member.calls[-1]

    def error(self, work: Deferred[Any]) -> str:
        return str(self.failureResultOf(work, RPCError).value)

    def answer_revision(self, revision: int) -> None:
        """Answer a question for the current revision."""
        self.call().answer(RangeResponse(Header(revision=revision)))
