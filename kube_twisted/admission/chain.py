"""The admission chain: mutating plugins, then, once the object is valid, validating plugins, each in a fixed order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IAdmissionPlugin, IMutation, IValidation
from kube_twisted.admission.times import AdmissionTimes
from kube_twisted.api.gvk import GroupVersionResource
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import DONE
from kube_twisted.util.histogram import Histogram

#: operation, resource, subresource
_Target = tuple[str, GroupVersionResource, str]


@frozen
class _Plan:
    """What a step does about the writes of one endpoint.

    :ivar parts: name and method of each plugin that looks at them, and where its time is noted.
    :ivar times: where the time of the whole is noted.
    """

    step: str
    operation: str
    parts: tuple[tuple[str, Callable[[Attributes], Awaitable[None]], Histogram], ...]
    times: Histogram


class AdmissionChain:
    """Plugins in order. Which of them look at an endpoint's writes is found out once per operation and endpoint.

    :param plugins: each provides IMutation, IValidation or both.
    :ivar times: how long they take.
    """

    def __init__(self, plugins: Sequence[IAdmissionPlugin], clock: Clock) -> None:
        self.plugins = tuple(plugins)
        self.times = AdmissionTimes()
        self._clock = clock
        self._admit: dict[_Target, _Plan] = {}
        self._validate: dict[_Target, _Plan] = {}

    def admit(self, attributes: Attributes) -> Awaitable[None]:
        """Let the mutating plugins change the object."""
        target = attributes.operation, attributes.resource, attributes.subresource
        plan = self._admit.get(target)
        if plan is None:
            chosen = [one for one in self.plugins if IMutation.providedBy(one) and _looks_at(one, target)]
            plan = self._admit[target] = self._plan(
                "admit", attributes.operation, [(one.name, one.admit) for one in chosen])
        return self._mutate(plan, attributes)

    async def _mutate(self, plan: _Plan, attributes: Attributes) -> None:
        await self._run(plan, attributes)
        again = attributes.reinvocation
        if again is not None and again.wanted:
            again.begin()
            await self._run(plan, attributes)

    def validate(self, attributes: Attributes) -> Awaitable[None]:
        """Let the validating plugins look at the result."""
        target = attributes.operation, attributes.resource, attributes.subresource
        plan = self._validate.get(target)
        if plan is None:
            chosen = [one for one in self.plugins if IValidation.providedBy(one) and _looks_at(one, target)]
            plan = self._validate[target] = self._plan(
                "validate", attributes.operation, [(one.name, one.validate) for one in chosen])
        return self._run(plan, attributes)

    def _plan(self, step: str, operation: str,
              methods: Sequence[tuple[str, Callable[[Attributes], Awaitable[None]]]]) -> _Plan:
        parts = tuple((name, method, self.times.plugin(name, step, operation, False)) for name, method in methods)
        return _Plan(step, operation, parts, self.times.step(step, operation, False))

    async def _run(self, plan: _Plan, attributes: Attributes) -> None:
        """Ask one plugin after the other, until one refuses."""
        seconds, name = self._clock.seconds, ""
        begin = before = seconds()
        try:
            for part in plan.parts:
                name, method, times = part
                work = method(attributes)
                if work is DONE:
                    continue  # it had nothing to look at
                await work
                now = seconds()
                times.observe(now - before)
                before = now
        except Exception:
            now = seconds()
            self.times.plugin(name, plan.step, plan.operation, True).observe(now - before)
            self.times.step(plan.step, plan.operation, True).observe(now - begin)
            raise
        plan.times.observe(before - begin)


def _looks_at(plugin: IAdmissionPlugin, target: _Target) -> bool:
    operation, resource, subresource = target
    return (operation in plugin.operations
            and (plugin.resources is None or resource.group_resource in plugin.resources)
            and (plugin.subresources is None or subresource in plugin.subresources))
