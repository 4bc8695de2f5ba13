"""The policies of one kind with their bindings: compiled when one changes, and looked up by what is written.

What is imported here costs nothing: the expression language is loaded when there is a policy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import Equivalents, ObjectReader, ResourcesOfKind
from kube_twisted.api.gvk import GroupResource, GroupVersionKind, GroupVersionResource

if TYPE_CHECKING:
    from kube_twisted.admission.policies.matching import Matches
    from kube_twisted.admission.policies.params import ParamKind
    from kube_twisted.admission.policies.policy import Binding, Policy

P = TypeVar("P", bound="Policy")
Obj = dict[str, Any]
GROUP = "admissionregistration.k8s.io"
#: What no policy is about: policies themselves, so that nobody can shut the door on those who would put it right, and
#: the questions without which a cluster does not work.
_EXEMPT = frozenset({
    *(GroupResource(GROUP, one) for one in (
        "validatingadmissionpolicies", "validatingadmissionpolicybindings", "mutatingadmissionpolicies",
        "mutatingadmissionpolicybindings")),
    *(GroupResource("authentication.k8s.io", one) for one in ("selfsubjectreviews", "tokenreviews")),
    *(GroupResource("authorization.k8s.io", one) for one in (
        "localsubjectaccessreviews", "selfsubjectaccessreviews", "selfsubjectrulesreviews", "subjectaccessreviews"))})


@frozen
class Candidate(Generic[P]):
    """A policy whose rules may be about a write.

    :ivar matches: tells by the object's name whether they are.
    :ivar bindings: whose rules may be about it too, each with what tells whether they are.
    :ivar params: the kind of the policy's parameters; None when it has none.
    """

    policy: P
    matches: Matches
    bindings: tuple[tuple[Binding, Matches], ...]
    params: ParamKind | None


#: operation, resource, subresource, whether in a namespace
_Key = tuple[str, GroupVersionResource, str, bool]


class PolicySource(Generic[P]):
    """All policies of one kind that have bindings, by name.

    What rules say depends on few things, so it is found out once for each endpoint and operation.

    :param resource: ``validatingadmissionpolicies`` or ``mutatingadmissionpolicies``; ``bindings`` likewise.
    :param compile_policy: makes a policy of a stored object.
    """

    def __init__(self, resource: str, bindings: str, reader: ObjectReader, equivalents: Equivalents,
                 resources_of_kind: ResourcesOfKind, compile_policy: Callable[[Obj], P]) -> None:
        self._resource = resource
        self._bindings = bindings
        self._reader = reader
        self._equivalents = equivalents
        self._resources_of_kind = resources_of_kind
        self._compile = compile_policy
        self._state: tuple[int, int, int] | None = None
        self._compiled: dict[str, tuple[tuple[str, int], P]] = {}
        self._bound: list[tuple[P, list[Binding]]] = []
        self._candidates: dict[_Key, tuple[Candidate[P], ...]] = {}

    def candidates(self, attributes: Attributes) -> tuple[Candidate[P], ...]:
        """The policies whose rules may be about a write."""
        changed = self._reader.changed
        state = changed(GROUP, self._resource), changed(GROUP, self._bindings), self._equivalents.changed
        if state != self._state:
            self._renew(state)
        if not self._bound:
            return ()
        key = attributes.operation, attributes.resource, attributes.subresource, bool(attributes.namespace)
        found = self._candidates.get(key)
        if found is None:
            found = self._candidates[key] = tuple(self._find(key, attributes.kind))
        return found

    def _renew(self, state: tuple[int, int, int]) -> None:
        if self._state is None or state[:2] != self._state[:2]:
            bindings = self._bindings_by_policy()
            self._bound = [(policy, bindings[name]) for name, policy in self._policies(bindings)]
        self._state, self._candidates = state, {}

    def _bindings_by_policy(self) -> dict[str, list[Binding]]:
        found: dict[str, list[Binding]] = defaultdict(list)
        objects = self._reader.peek_all(GROUP, self._bindings)
        if objects:
            from kube_twisted.admission.policies.policy import Binding

            for obj in objects:
                binding = Binding.compile(obj)
                found[binding.policy].append(binding)
        return found

    def _policies(self, bindings: dict[str, list[Binding]]) -> list[tuple[str, P]]:
        """Those that have bindings; what did not change is not compiled again."""
        before, self._compiled = self._compiled, {}
        for obj in self._reader.peek_all(GROUP, self._resource) if bindings else ():
            name, version = obj["metadata"]["name"], (obj["metadata"]["uid"], obj["metadata"].get("generation"))
            if name in bindings:
                known = before.get(name)
                self._compiled[name] = known if known is not None and known[0] == version else (
                    version, self._compile(obj))
        return [(name, policy) for name, (_, policy) in self._compiled.items()]

    def _find(self, key: _Key, kind: GroupVersionKind) -> Iterator[Candidate[P]]:
        from kube_twisted.admission.policies.matching import Target
        from kube_twisted.admission.policies.params import ParamKind

        target = Target(*key)
        if target.resource.group_resource in _EXEMPT:
            return
        equivalents = self._equivalents(target.resource, target.subresource)
        for policy, bindings in self._bound:
            matches = policy.match.about(target, kind, equivalents)
            if matches is not None:
                found = tuple((one, one_matches) for one in bindings
                              if (one_matches := one.match.about(target, kind, equivalents)) is not None)
                params = None if policy.param_kind is None else ParamKind.find(
                    policy.param_kind, self._resources_of_kind)
                yield Candidate(policy, matches, found, params)
