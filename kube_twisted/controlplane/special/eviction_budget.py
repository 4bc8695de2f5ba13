"""Whether disruption budgets let a pod be evicted, and counting it when they do.

Source: the Kubernetes documentation on API-initiated eviction; KEP-3017 (unhealthy pods).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from attrs import evolve, frozen

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.api.labels import from_label_selector
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.core.pod_conditions import is_ready
from kube_twisted.registry.policy.poddisruptionbudget import STATUS
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.write import Write, accept_create, accept_update
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.builtin import BuiltinSchema

_POLICY = GroupVersion("policy", "v1")
_VIOLATION = "Cannot evict pod as it would violate the pod's disruption budget."
_RETRY_SECONDS = 10
#: Evictions that the controller has not confirmed yet, at most.
_MOST_DISRUPTED = 2000
_MANAGER = "kube-apiserver"
_CONDITION = "DisruptionAllowed"


def too_many(name: str, message: str = "", retry_seconds: int = 0) -> errors.StatusError:
    """429; without a message: the budget's controller lags behind."""
    error = errors.too_many_requests(_VIOLATION, retry_seconds)
    message = message or f"The disruption budget {name} is still being processed by the server."
    error.details = {"causes": [{"reason": "DisruptionBudget", "message": message}]}
    if retry_seconds:
        error.details["retryAfterSeconds"] = retry_seconds
    else:
        error.headers = {}
    return error


def still_processed(name: str) -> errors.StatusError:
    """429 with a time after which to try again."""
    return too_many(name, retry_seconds=_RETRY_SECONDS)


@frozen
class Permission:
    """The budget that was asked, and whether the pod must still be as it was seen when it is deleted."""

    budget: str = ""
    exact_version: bool = False


class Budgets:
    """The disruption budgets of all namespaces."""

    def __init__(self, stores: Stores, schema: BuiltinSchema, plans: Plans) -> None:
        self._stores = stores
        kind = _POLICY.kind("PodDisruptionBudget")
        self._owners = FieldManager(schema.kind(kind), kind.api_version, "status", STATUS.reset_fields,
                                    kind=kind.kind, plans=plans)

    async def ask(self, write: Write, pod: Obj) -> Permission:
        """Count the eviction of a running pod.

        :raises StatusError: 429 when the budget allows none, 500 when several budgets cover the pod.
        """
        found = self._covering(pod)
        if len(found) > 1:
            raise errors.plain_internal("This pod has more than one PodDisruptionBudget, which the eviction "
                                        "subresource does not support.")
        if not found:
            return Permission()
        budget, = found
        name = budget["metadata"]["name"]
        if not is_ready(pod) and _spares_unhealthy(budget):
            return Permission(name, exact_version=True)
        await self._take(write, name, pod["metadata"]["name"])
        return Permission(name)

    def _covering(self, pod: Obj) -> list[Obj]:
        meta = pod["metadata"]
        found = []
        for budget in self._stores.peek_all("policy", "poddisruptionbudgets", meta["namespace"]):
            try:
                selector = from_label_selector(budget.get("spec", {}).get("selector"))
            except ValueError:
                continue
            if selector.matches(meta.get("labels") or {}):
                found.append(budget)
        return found

    async def _take(self, write: Write, name: str, pod: str) -> None:
        store = self._stores.store("policy", "poddisruptionbudgets")
        assert store is not None

        async def decremented(old: Obj | None) -> Obj:
            if old is None:
                raise errors.not_found(GroupResource("policy", "poddisruptionbudgets"), name)
            budget = deepcopy(old)
            _decrement(budget, pod, write.ctx.now)
            self._owners.update(old, budget, _MANAGER, write.ctx.now)
            return budget

        await store.update(evolve(write, options={}, uid=""), name, decremented, accept_create, accept_update,
                           strategy=STATUS)


def _spares_unhealthy(budget: Obj) -> bool:
    """Whether a pod that is not ready may go without being counted."""
    if budget.get("spec", {}).get("unhealthyPodEvictionPolicy") == "AlwaysAllow":
        return True
    status = budget.get("status", {})
    desired: int = status.get("desiredHealthy", 0)
    return desired > 0 and status.get("currentHealthy", 0) >= desired


def _decrement(budget: Obj, pod: str, now: str) -> None:
    meta, status = budget["metadata"], budget.setdefault("status", {})
    name, allowed = meta["name"], status.get("disruptionsAllowed", 0)
    resource = GroupResource("policy", "poddisruptionbudget")
    if status.get("observedGeneration", 0) < meta.get("generation", 0):
        raise still_processed(name)
    if allowed < 0:
        raise errors.forbidden(resource, name, "pdb disruptions allowed is negative")
    if len(status.get("disruptedPods") or ()) > _MOST_DISRUPTED:
        raise errors.forbidden(resource, name, "DisruptedPods map too big - too many evictions not confirmed "
                               "by PDB controller")
    if allowed == 0:
        raise too_many(name, _why_not(name, status))
    status["disruptionsAllowed"] = allowed - 1
    if allowed == 1:
        _set_condition(status, now)
    status["disruptedPods"] = {**(status.get("disruptedPods") or {}), pod: now}


def _condition(status: Obj) -> dict[str, Any]:
    conditions: list[dict[str, Any]] = status.get("conditions") or []
    return next((one for one in conditions if one.get("type") == _CONDITION), {})


def _why_not(name: str, status: Obj) -> str:
    condition = _condition(status)
    reason, message = condition.get("reason", ""), condition.get("message", "")
    explained = condition.get("status") == "False" and bool(message)
    desired, current = status.get("desiredHealthy", 0), status.get("currentHealthy", 0)
    start = f"The disruption budget {name}"
    if explained and reason == "SyncFailed":
        return f"{start} does not allow evicting pods currently because it failed sync: {message}"
    if current <= desired:
        return f"{start} needs {desired} healthy pods and has {current} currently"
    if explained:
        return f"{start} does not allow evicting pods currently ({reason}): {message}"
    return f"{start} does not allow evicting pods currently"


def _set_condition(status: Obj, now: str) -> None:
    """No disruption is allowed any longer."""
    old = _condition(status)
    since = old["lastTransitionTime"] if old.get("status") == "False" else now
    new = {"type": _CONDITION, "status": "False", "observedGeneration": status.get("observedGeneration", 0),
           "lastTransitionTime": since, "reason": "InsufficientPods", "message": ""}
    others = [one for one in status.get("conditions") or () if one is not old]
    status["conditions"] = [*others, new]
