"""Who writes a policy with parameters, or binds it to some, must be allowed to read them.

Source of the rule: the Kubernetes documentation, "Validating Admission Policy: Parameter resources".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.field import forbidden
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer
from kube_twisted.registry.checked_store import CheckedStore
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.write import Write

GROUP = "admissionregistration.k8s.io"
#: bindings -> the policies that they bind
_BOUND = {"validatingadmissionpolicybindings": "validatingadmissionpolicies",
          "mutatingadmissionpolicybindings": "mutatingadmissionpolicies"}
GUARDED = frozenset((*_BOUND, *_BOUND.values()))
_ALL = "*"


@frozen
class _Wanted:
    """The parameters of a policy, as far as it says which they are.

    :ivar unknown: why it does not.
    """

    group: str = _ALL
    version: str = _ALL
    resource: str = _ALL
    unknown: str = ""


@frozen
class ParamGuard:
    """Refuses policies and bindings whose writer may not read their parameters.

    :ivar resources_of_kind: the resources whose objects are of a kind.
    :ivar find_policy: a policy by resource and name.
    """

    authorizer: IAuthorizer
    resources_of_kind: Callable[[GroupVersionKind], Sequence[tuple[str, bool]]]
    find_policy: Callable[[str, str], Mapping[str, Any] | None]

    async def complaint(self, resource: str, user: UserInfo, spec: Obj, old: Obj) -> tuple[str, str] | None:
        """The field that is wrong, and why; None when nothing is.

        :param old: the ``spec`` as it was, which may be empty.
        """
        if SYSTEM_MASTERS in user.groups:
            return None
        if resource in _BOUND:
            why = await self._binding(_BOUND[resource], user, spec, old)
            return None if why is None else ("spec.paramRef", why)
        why = await self._policy(user, spec, old)
        return None if why is None else ("spec.paramKind", why)

    async def _policy(self, user: UserInfo, spec: Obj, old: Obj) -> str | None:
        kind = spec.get("paramKind")
        if kind is None or kind == old.get("paramKind"):
            return None
        if await self._may(user, "get", self._wanted(kind), _ALL, _ALL):
            return None
        return (f'user {_shown(user)} must have "get" permission on all objects of the referenced paramKind '
                f"(kind={kind['kind']}, apiVersion={kind['apiVersion']})")

    async def _binding(self, policies: str, user: UserInfo, spec: Obj, old: Obj) -> str | None:
        ref = spec.get("paramRef")
        if ref is None or (ref, spec["policyName"]) == (old.get("paramRef"), old.get("policyName")):
            return None
        wanted, verb = self._of_policy(policies, spec["policyName"]), "get" if ref.get("name") else "list"
        if await self._may(user, verb, wanted, ref.get("namespace") or "", ref.get("name") or ""):
            return None
        who = _shown(user)
        if wanted.unknown:
            return (f'unable to {wanted.unknown} to determine minimum required permissions and user {who} does not '
                    f'have "{verb}" permission for all groups, versions and resources')
        first, second = (who, verb) if policies.startswith("validating") else (verb, who)
        return f'user {first} does not have "{second}" permission on the object referenced by paramRef'

    def _of_policy(self, policies: str, name: str) -> _Wanted:
        policy = self.find_policy(policies, name)
        if policy is None:
            return _Wanted(unknown=f"get policy {name}")
        kind = policy["spec"].get("paramKind")
        return _Wanted() if kind is None else self._wanted(kind)

    def _wanted(self, param_kind: Mapping[str, Any]) -> _Wanted:
        version = GroupVersion.parse(param_kind["apiVersion"])
        found = self.resources_of_kind(version.kind(param_kind["kind"]))
        if found:
            return _Wanted(version.group, version.version, found[0][0])
        named = f"&ParamKind{{APIVersion:{param_kind['apiVersion']},Kind:{param_kind['kind']},}}"
        return _Wanted(version.group, version.version, unknown=f"resolve paramKind {named}")

    async def _may(self, user: UserInfo, verb: str, wanted: _Wanted, namespace: str, name: str) -> bool:
        decision = await self.authorizer.authorize(Attributes(
            user=user, verb=verb, group=wanted.group, version=wanted.version, resource=wanted.resource,
            namespace=namespace, name=name))
        return decision.allowed


class ParamGuardedStore(CheckedStore):
    """The store of one kind of policies or bindings. A valid one is refused when its writer must not read parameters.

    :ivar guard: to be set before the first write.
    """

    guard: ParamGuard

    async def check_created(self, write: Write, obj: Obj) -> None:
        await self._check(write, obj, {})

    async def check_updated(self, write: Write, obj: Obj, old: Obj) -> None:
        await self._check(write, obj, old["spec"])

    async def _check(self, write: Write, obj: Obj, old: Obj) -> None:
        """:raises StatusError: 422."""
        ctx = write.ctx
        user = UserInfo(ctx.username, ctx.uid, ctx.groups, dict(ctx.extra))
        found = await self.guard.complaint(self.resource.resource, user, obj["spec"], old)
        if found is not None:
            raise errors.invalid(self.kind.group_kind, obj["metadata"].get("name", ""), [forbidden(*found)])


def _shown(user: UserInfo) -> str:
    """A user as Go prints one."""
    extra = " ".join(f"{key}:[{' '.join(values)}]" for key, values in sorted(user.extra.items()))
    return f"&{{{user.name} {user.uid} [{' '.join(user.groups)}] map[{extra}]}}"
