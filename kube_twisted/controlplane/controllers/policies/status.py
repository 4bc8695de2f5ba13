"""The controller ``validatingadmissionpolicy-status``: tells in a policy's status what its types say about it.

Source of the rules: KEP-3488, "Type Checking".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zope.interface import implementer

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.controlplane.controllers.context import Context, IController
from kube_twisted.controlplane.controllers.discovery import Discovered, discover
from kube_twisted.controlplane.controllers.informer import Handlers
from kube_twisted.controlplane.controllers.policies.schemas import KindSchemas
from kube_twisted.server.queue import WorkQueue

if TYPE_CHECKING:
    from kube_twisted.cel.policy_checking import KindType

Obj = dict[str, Any]
NAME = "validatingadmissionpolicy-status"
_API = "admissionregistration.k8s.io/v1"
_PATH = f"/apis/{_API}/validatingadmissionpolicies"
_APPLY = "application/apply-patch+yaml"
#: How many kinds of one rule are looked at; those of further rules are not then.
_MOST_KINDS = 10
_NOT_FOUND = 404


@implementer(IController)
class PolicyStatusController:
    """Checks policies that it has not seen as they are."""

    def __init__(self, context: Context) -> None:
        self._client = context.client
        self._queue = WorkQueue(NAME, context.clock, context.tasks, self._sync)
        context.informers.get(_PATH).add(Handlers(self._changed))

    def start(self) -> None:
        self._queue.start()

    def stop(self) -> None:
        self._queue.stop()

    def _changed(self, policy: Obj) -> None:
        if _is_new(policy):
            self._queue.add(policy["metadata"]["name"])

    async def _sync(self, name: str) -> None:
        try:
            policy = await self._client.call("GET", f"{_PATH}/{name}")
        except StatusError as error:
            if error.code != _NOT_FOUND:
                raise
            return
        if _is_new(policy):
            await self._tell(policy, await self._warnings(policy["spec"]))

    async def _tell(self, policy: Obj, warnings: Sequence[Obj]) -> None:
        """Write the status."""
        meta = policy["metadata"]
        checked: Obj = {"expressionWarnings": list(warnings)} if warnings else {}
        await self._client.call("PATCH", f"{_PATH}/{meta['name']}/status?fieldManager={NAME}&force=true", {
            "apiVersion": _API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": meta["name"]},
            "status": {"observedGeneration": meta["generation"], "typeChecking": checked}}, _APPLY)

    async def _warnings(self, spec: Obj) -> list[Obj]:
        # only servers that have policies pay for the expression language
        from kube_twisted.cel.policy_checking import check_policy

        discovered, schemas = await discover(self._client), KindSchemas(self._client)
        kinds = [found for kind in sorted(set(_kinds(spec, discovered)), key=_order)
                 if (found := await _typed(schemas, kind)) is not None]
        param_kind = spec.get("paramKind")
        params = None if param_kind is None else await _typed(
            schemas, GroupVersion.parse(param_kind["apiVersion"]).kind(param_kind["kind"]))
        return [{"fieldRef": one.path, "warning": one.text} for one in check_policy(spec, kinds, params)]


def _is_new(policy: Obj) -> bool:
    """Whether the policy has changed since it was checked."""
    observed = (policy.get("status") or {}).get("observedGeneration", 0)
    return bool(policy["metadata"].get("generation", 0) > observed)


async def _typed(schemas: KindSchemas, kind: GroupVersionKind) -> KindType | None:
    from kube_twisted.cel.policy_checking import KindType

    schema = await schemas.find(kind)
    return None if schema is None else KindType.of(kind, schema)


def _kinds(spec: Obj, discovered: Discovered) -> Iterator[GroupVersionKind]:
    """The kinds that rules without wildcards name."""
    served = {(one.group, one.version, one.name): one.kind for one in discovered.resources}
    for rule in (spec.get("matchConstraints") or {}).get("resourceRules") or ():
        groups, versions = rule.get("apiGroups") or (), rule.get("apiVersions") or ()
        if any("*" in one for one in (*groups, *versions)):
            continue
        plain = sorted(one for one in rule.get("resources") or () if "*" not in one and "/" not in one)
        found = [GroupVersionKind(group, version, served[group, version, resource])
                 for group in sorted(groups) for version in sorted(versions) for resource in plain
                 if (group, version, resource) in served]
        yield from found[:_MOST_KINDS]
        if len(found) >= _MOST_KINDS:
            return


def _order(kind: GroupVersionKind) -> tuple[str, str, str]:
    return kind.group, kind.version, kind.kind
