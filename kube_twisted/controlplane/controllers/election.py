"""Which of several servers runs the controllers: the one that holds a Lease and renews it in time.

The rules and times are those of client-go's leader election. Nobody relies on another server's clock: a holder is
taken for gone when its Lease has not changed for as long as it lasts, seen from here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock

#: Seconds that a Lease lasts; within which its holder must have renewed it to go on; and between attempts.
LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD = 15, 10.0, 2.0
NAME = "kube-twisted-controllers"
_LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases"
_LEASE = f"{_LEASES}/{NAME}"


class LeaderElection:
    """:param identity: of this server, among all.
    :param won: called when this server is to run the controllers.
    :param lost: called when it may no longer.
    """

    _log = Logger()

    def __init__(self, client: LoopbackClient, clock: Clock, identity: str, won: Callable[[], None],
                 lost: Callable[[], None]) -> None:
        self._client = client
        self._clock = clock
        self._identity = identity
        self._won = won
        self._lost = lost
        self._loop: LoopingCall = clock.looping_call(self._tick)
        self._round: Deferred[None] | None = None
        self._deadline: IDelayedCall | None = None
        self._seen: tuple[Any, float] = (None, 0.0)
        self._stopped = False

    @property
    def leads(self) -> bool:
        return self._deadline is not None

    def start(self) -> None:
        self._loop.start(RETRY_PERIOD)

    async def stop(self) -> None:
        """Take part no more; who led lets another one begin at once."""
        self._stopped = True
        if self._loop.running:
            self._loop.stop()
        if self._round is not None:
            self._round.cancel()
        if self._deadline is None:
            return
        self._lose("this server stops")
        try:
            await self._release()
        except StatusError as error:
            self._log.info("the lease of the controllers runs out by itself: {error}", error=error.message)

    def _tick(self) -> Deferred[None]:
        self._round = Deferred.fromCoroutine(self._attempt())
        return self._round

    async def _attempt(self) -> None:
        try:
            holder = await self._acquire()
        except StatusError as error:
            if error.code != 409:  # another one was faster
                self._log.warn("the lease of the controllers: {error}", error=error.message)
            return
        except Exception:
            self._log.failure("the lease of the controllers")
            return
        if holder == self._identity:
            self._hold()
        elif self.leads:
            self._lose(f"{holder} has taken the lease")

    def _hold(self) -> None:
        if self._stopped:
            return
        before = self._deadline
        if before is not None:
            before.cancel()
        self._deadline = self._clock.call_later(RENEW_DEADLINE, self._lose, "the lease could not be renewed")
        if before is None:
            self._log.info("this server runs the controllers")
            self._won()

    def _lose(self, why: str) -> None:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None
        self._log.info("this server runs the controllers no more: {why}", why=why)
        self._lost()

    # -- the Lease ------------------------------------------------------------------------------------------------

    async def _acquire(self) -> str:
        """Take the Lease or renew it, when that is allowed: who has it then.

        :raises StatusError: when that fails.
        """
        lease = await self._read()
        now = self._clock.rfc3339_micro()
        if lease is None:
            spec = {"holderIdentity": self._identity, "leaseDurationSeconds": LEASE_DURATION, "acquireTime": now,
                    "renewTime": now, "leaseTransitions": 0}
            await self._client.call("POST", _LEASES, {"metadata": {"name": NAME}, "spec": spec})
            return self._identity
        spec = lease.setdefault("spec", {})
        holder = str(spec.get("holderIdentity") or "")
        if holder not in ("", self._identity) and not self._has_run_out(lease):
            return holder
        if holder != self._identity:
            spec["acquireTime"], spec["leaseTransitions"] = now, spec.get("leaseTransitions", 0) + 1
        spec.update(holderIdentity=self._identity, leaseDurationSeconds=LEASE_DURATION, renewTime=now)
        await self._client.call("PUT", _LEASE, lease)
        return self._identity

    async def _read(self) -> dict[str, Any] | None:
        try:
            return await self._client.call("GET", _LEASE)
        except StatusError as error:
            if error.code != 404:
                raise
            return None

    def _has_run_out(self, lease: dict[str, Any]) -> bool:
        """Whether the Lease has not changed for as long as it lasts."""
        version, now = lease["metadata"]["resourceVersion"], self._clock.seconds()
        if self._seen[0] != version:
            self._seen = version, now
        duration: int = lease["spec"].get("leaseDurationSeconds", LEASE_DURATION)
        return now - self._seen[1] >= duration

    async def _release(self) -> None:
        lease = await self._read()
        if lease is not None and lease["spec"].get("holderIdentity") == self._identity:
            lease["spec"].update(holderIdentity="", leaseDurationSeconds=1)
            await self._client.call("PUT", _LEASE, lease)
