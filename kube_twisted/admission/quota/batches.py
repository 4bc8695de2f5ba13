"""Charges writes to the quotas of their namespace, in batches: while one batch is written down, the next gathers.

Each quota is written with the resourceVersion at which it was read, so that also several servers together never let
through more than it allows.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen
from twisted.internet.defer import Deferred

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import ObjectReader, WriteQuotaStatus
from kube_twisted.admission.quota.check import RunningQuota, charge
from kube_twisted.admission.quota.evaluator import Evaluator
from kube_twisted.api.errors import StatusError, internal_error

#: How often a batch is tried when others change the quotas in between.
_ATTEMPTS = 4


@frozen(eq=False)
class _Waiter:
    """A write that waits for its verdict."""

    attributes: Attributes
    evaluator: Evaluator
    verdict: Deferred[None]

    def accept(self) -> None:
        if not self.verdict.called:
            self.verdict.callback(None)

    def refuse(self, error: Exception) -> None:
        if not self.verdict.called:
            self.verdict.errback(error)


class QuotaBatches:
    """The writes under way, by namespace.

    :param write: writes the status of a quota.
    """

    def __init__(self, reader: ObjectReader, write: WriteQuotaStatus) -> None:
        self._reader = reader
        self._write = write
        self._gathering: dict[str, list[_Waiter]] = {}

    async def charge(self, attributes: Attributes, evaluator: Evaluator) -> None:
        """Charge one write.

        :raises StatusError: 403 when it doesn't fit, 409 when quotas change too fast.
        """
        namespace = attributes.namespace
        waiter = _Waiter(attributes, evaluator, Deferred())
        gathering = self._gathering.get(namespace)
        if gathering is not None:
            gathering.append(waiter)
        else:
            self._gathering[namespace] = [waiter]
            Deferred.fromCoroutine(self._work(namespace))
        await waiter.verdict

    async def _work(self, namespace: str) -> None:
        """Settle batches of a namespace until nothing is gathered."""
        while batch := self._gathering[namespace]:
            self._gathering[namespace] = []
            try:
                await self._settle(namespace, batch)
            except Exception as error:
                for waiter in batch:
                    waiter.refuse(internal_error(f"resource quota evaluation failed: {error}"))
        del self._gathering[namespace]

    async def _settle(self, namespace: str, batch: list[_Waiter]) -> None:
        names: set[str] | None = None
        error: StatusError | None = None
        for _ in range(_ATTEMPTS):
            quotas = [RunningQuota(one) for one in self._reader.peek_all("", "resourcequotas", namespace)
                      if names is None or one["metadata"]["name"] in names]
            batch = _charge_all(quotas, batch)
            failed, error = await self._note([one for one in quotas if one.changed])
            if error is None:
                for waiter in batch:
                    waiter.accept()
                return
            names = {one.name for one in failed}
            for name in names:
                await self._reader.peek_latest("", "resourcequotas", namespace, name)
        assert error is not None
        for waiter in batch:
            waiter.refuse(error)

    async def _note(self, quotas: Sequence[RunningQuota]) -> tuple[list[RunningQuota], StatusError | None]:
        """Write the quotas down; those that could not be, and why."""
        failed: list[RunningQuota] = []
        last: StatusError | None = None
        for one in quotas:
            try:
                await self._write(one.updated())
            except StatusError as error:
                failed.append(one)
                last = error
        return failed, last


def _charge_all(quotas: Sequence[RunningQuota], batch: list[_Waiter]) -> list[_Waiter]:
    """Charge what fits, tell those that don't fit or change nothing; what is left waits for the quotas' writes."""
    charged = []
    for waiter in batch:
        try:
            if charge(quotas, waiter.evaluator, waiter.attributes):
                charged.append(waiter)
            else:
                waiter.accept()
        except StatusError as error:
            waiter.refuse(error)
    return charged
