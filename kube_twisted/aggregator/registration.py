"""Keeps an APIService in being for each group-version that this server serves itself.

Those of built-in groups are made once, at the start: who deletes one afterwards is not contradicted. Those of custom
resources are kept as they must be, and go with the definitions. Whoever takes the label off an APIService has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from twisted.internet.defer import FirstError, gatherResults

from kube_twisted.aggregator.apiservice import API_VERSION, PATH, name_of
from kube_twisted.aggregator.apiservices import APIServices
from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.queue import WorkQueue
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks, to_deferred

LABEL = "kube-aggregator.kubernetes.io/automanaged"
ON_START, ALWAYS = "onstart", "true"
#: groupPriorityMinimum and versionPriority of custom resources.
CUSTOM_PRIORITY = (1000, 100)
#: Somebody else was faster: their change comes round.
_PASSED_BY = ("AlreadyExists", "NotFound", "Conflict")
_WORKERS = 5


class Registration:
    """Makes, corrects and deletes APIServices.

    :param builtin: the built-in group-versions with their priorities.
    :param custom: tells the group-versions of custom resources.
    """

    def __init__(self, client: LoopbackClient, services: APIServices, clock: Clock,
                 builtin: Mapping[GroupVersion, tuple[int, int]],
                 custom: Callable[[], Iterable[GroupVersion]]) -> None:
        self._client = client
        self._services = services
        self._builtin = {name_of(one): wanted(one, priority, ON_START) for one, priority in builtin.items()}
        self._custom = custom
        self._at_start: frozenset[str] = frozenset()
        self._done: set[str] = set()
        self._tasks = Tasks()
        self._queue = WorkQueue("autoregister", clock, self._tasks, self._check, _WORKERS)
        services.on_change.append(self._queue.add)

    async def start(self) -> None:
        """Have all of them as they must be, in one transaction, and keep them so.

        :raises StatusError: when one can't be written.
        """
        self._at_start = frozenset(self._services.names())
        custom = frozenset(map(name_of, self._custom()))
        names = sorted({*self._builtin, *custom, *self._at_start})
        try:
            await gatherResults([to_deferred(self._settle(name, name in custom)) for name in names],
                                consumeErrors=True)
        except FirstError as error:
            error.subFailure.raiseException()
        self._queue.start()

    async def stop(self) -> None:
        """Begin no more work; wait for what is under way."""
        self._queue.stop()
        await self._tasks.stop()

    def look_at(self, group_version: GroupVersion) -> None:
        """Custom resources of the group-version came or went."""
        self._queue.add(name_of(group_version))

    # -- one APIService -------------------------------------------------------------------------------------------

    async def _check(self, name: str) -> None:
        """:raises StatusError: when it can't be written."""
        await self._settle(name, any(name_of(one) == name for one in self._custom()))

    async def _settle(self, name: str, is_custom: bool) -> None:
        desired, current = self._desired(name, is_custom), self._services.fresh(name)
        done = name in self._done
        try:
            if current is None:
                if desired is not None and not (_label(desired) == ON_START and done):
                    await self._client.call("POST", PATH, desired)
            elif self._is_managed(name, current, desired, done):
                await self._bring_to(name, current, desired)
        except StatusError as error:
            if error.reason not in _PASSED_BY:
                raise
        self._done.add(name)

    def _is_managed(self, name: str, current: Obj, desired: Obj | None, done: bool) -> bool:
        """Whether it is changed or deleted when it is not what it should be."""
        label = _label(current)
        if desired is not None and _label(desired) == ON_START and done:
            return False
        if label == ON_START:
            return name in self._at_start and not done
        return label == ALWAYS

    async def _bring_to(self, name: str, current: Obj, desired: Obj | None) -> None:
        if desired is None:
            precondition = {"preconditions": {"uid": current["metadata"]["uid"]}}
            await self._client.call("DELETE", f"{PATH}/{name}", precondition)
        elif current["spec"] != desired["spec"]:
            current["spec"] = desired["spec"]
            await self._client.call("PUT", f"{PATH}/{name}", current)

    def _desired(self, name: str, is_custom: bool) -> Obj | None:
        if name in self._builtin or not is_custom:
            return self._builtin.get(name)
        version, _, group = name.partition(".")
        return wanted(GroupVersion(group, version), CUSTOM_PRIORITY, ALWAYS)


def wanted(group_version: GroupVersion, priority: tuple[int, int], label: str) -> Obj:
    """The APIService of a group-version that this server serves."""
    spec: dict[str, Any] = {"version": group_version.version, "groupPriorityMinimum": priority[0],
                            "versionPriority": priority[1]}
    if group_version.group:
        spec["group"] = group_version.group
    return {"apiVersion": API_VERSION, "kind": "APIService",
            "metadata": {"name": name_of(group_version), "labels": {LABEL: label}}, "spec": spec}


def _label(obj: Obj) -> str:
    return str((obj["metadata"].get("labels") or {}).get(LABEL, ""))
