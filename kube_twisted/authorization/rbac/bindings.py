"""Who is bound to which roles: bindings, found by the users and groups that they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api.field import go_quote
from kube_twisted.api.user import UserInfo, service_account_name
from kube_twisted.authorization.interfaces import Decision

USER, GROUP, SERVICE_ACCOUNT = "User", "Group", "ServiceAccount"


@frozen
class RoleKey:
    """A role that a binding names.

    :ivar namespace: empty for a ClusterRole.
    """

    kind: str
    namespace: str
    name: str


@frozen
class Subject:
    """A user or a group that a binding names.

    :ivar name: of the user or group; a service account is the user that its tokens stand for.
    :ivar decision: what is answered when the binding allows something because of this subject.
    """

    is_group: bool
    name: str
    decision: Decision

    def applies_to(self, user: UserInfo) -> bool:
        return self.name in user.groups if self.is_group else self.name == user.name


@frozen
class Binding:
    """A RoleBinding or ClusterRoleBinding.

    :ivar subjects: those that can be anybody.
    """

    name: str
    role: RoleKey
    subjects: tuple[Subject, ...]

    def decision_for(self, user: UserInfo) -> Decision:
        """The answer for a user to whom it applies; its reason names the first subject that does."""
        subjects = self.subjects
        if len(subjects) == 1:
            return subjects[0].decision
        return next(one.decision for one in subjects if one.applies_to(user))


def read_binding(obj: Mapping[str, Any]) -> Binding:
    """A binding as data."""
    metadata, reference = obj["metadata"], obj.get("roleRef") or {}
    name, namespace = metadata["name"], metadata.get("namespace", "")
    kind, role = reference.get("kind", ""), reference.get("name", "")
    title = f'RoleBinding {go_quote(f"{name}/{namespace}")}' if namespace else f"ClusterRoleBinding {go_quote(name)}"
    because = f"RBAC: allowed by {title} of {kind} {go_quote(role)} to"
    subjects = (_subject(one, namespace, because) for one in obj.get("subjects") or ())
    return Binding(name, RoleKey(kind, namespace if kind == "Role" else "", role),
                   tuple(one for one in subjects if one is not None))


def _subject(obj: Mapping[str, Any], namespace: str, because: str) -> Subject | None:
    kind, name = obj.get("kind", ""), obj.get("name", "")
    if kind == SERVICE_ACCOUNT:
        home = obj.get("namespace") or namespace
        decision = Decision(True, f'{because} {kind} {go_quote(f"{name}/{home}")}')
        return Subject(False, service_account_name(home, name), decision) if home else None
    if kind in (USER, GROUP):
        return Subject(kind == GROUP, name, Decision(True, f"{because} {kind} {go_quote(name)}"))
    return None


class BindingIndex:
    """The bindings of one namespace, or those for the whole cluster, by their subjects."""

    def __init__(self) -> None:
        self._bindings: dict[str, Binding] = {}
        self._users: dict[str, _Named] = {}
        self._groups: dict[str, _Named] = {}

    def __len__(self) -> int:
        return len(self._bindings)

    def put(self, binding: Binding) -> None:
        """Take a new binding, or a changed one."""
        self.remove(binding.name)
        self._bindings[binding.name] = binding
        for subject in binding.subjects:
            index = self._groups if subject.is_group else self._users
            named = index.get(subject.name)
            if named is None:
                named = index[subject.name] = _Named()
            named.put(binding)

    def remove(self, name: str) -> None:
        """Forget a binding, if it is known."""
        binding = self._bindings.pop(name, None)
        for subject in binding.subjects if binding is not None else ():
            index = self._groups if subject.is_group else self._users
            named = index.get(subject.name)
            if named is not None and named.remove(name):
                del index[subject.name]

    def applying_to(self, user: UserInfo) -> Iterator[Binding]:
        """The user's bindings, then those of each group; one that names several of them comes several times."""
        named = self._users.get(user.name)
        if named is not None:
            yield from named.in_order()
        for group in user.groups:
            named = self._groups.get(group)
            if named is not None:
                yield from named.in_order()


class _Named:
    """The bindings that name one subject."""

    __slots__ = ("_bindings", "_ordered")

    def __init__(self) -> None:
        self._bindings: dict[str, Binding] = {}
        self._ordered: tuple[Binding, ...] | None = None

    def put(self, binding: Binding) -> None:
        self._bindings[binding.name] = binding
        self._ordered = None

    def remove(self, name: str) -> bool:
        """Whether none is left."""
        self._bindings.pop(name, None)
        self._ordered = None
        return not self._bindings

    def in_order(self) -> tuple[Binding, ...]:
        """By name; sorted anew only when they have changed."""
        if self._ordered is None:
            self._ordered = tuple(self._bindings[name] for name in sorted(self._bindings))
        return self._ordered
