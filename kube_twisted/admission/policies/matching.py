"""Which writes a policy, or one of its bindings, is about: rules, exclusions and selectors (``matchResources``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from kube_twisted.admission.webhooks.rules import Rule
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.api.labels import Selector, from_label_selector

Shown = tuple[GroupVersionResource, GroupVersionKind]


@frozen
class Target:
    """What is known of a write before its objects are looked at.

    :ivar namespaced: whether it is in a namespace; for this, a namespace is in itself.
    """

    operation: str
    resource: GroupVersionResource
    subresource: str
    namespaced: bool


@frozen
class _NamedRule:
    """A rule that may be about objects of certain names only.

    :ivar names: empty for all.
    """

    rule: Rule
    names: frozenset[str]

    @classmethod
    def of(cls, rule: Mapping[str, Any]) -> _NamedRule:
        return cls(Rule.of(rule), frozenset(rule.get("resourceNames") or ()))


@frozen
class Places:
    """The resources by which rules name a write's: in order, each with the names of objects that they are about."""

    found: tuple[tuple[frozenset[str], Shown], ...]

    def choose(self, name: str) -> Shown | None:
        """The resource, and the kind in which objects are looked at; None when the rules are not about the object."""
        for names, shown in self.found:
            if not names or name in names:
                return shown
        return None


@frozen
class Matches:
    """What ``matchResources`` says of a target."""

    included: Places
    excluded: Places

    def choose(self, name: str) -> Shown | None:
        """See :meth:`Places.choose`."""
        shown = self.included.choose(name)
        return None if shown is None or self.excluded.choose(name) is not None else shown


@frozen(eq=False)
class MatchResources:
    """A ``matchResources``, compiled.

    :ivar equivalent: whether other versions of the resources in rules are meant too.
    :ivar broken: why the selectors can't be used; never, as they were validated.
    """

    rules: tuple[_NamedRule, ...]
    excluded: tuple[_NamedRule, ...]
    equivalent: bool
    namespaces: Selector
    objects: Selector
    broken = ""

    @classmethod
    def compile(cls, match: Mapping[str, Any]) -> MatchResources:
        """As it stands in a policy or binding, with the defaults."""
        return cls(tuple(map(_NamedRule.of, match.get("resourceRules") or ())),
                   tuple(map(_NamedRule.of, match.get("excludeResourceRules") or ())),
                   match.get("matchPolicy") == "Equivalent",
                   from_label_selector(match.get("namespaceSelector") or {}),
                   from_label_selector(match.get("objectSelector") or {}))

    def about(self, target: Target, kind: GroupVersionKind, equivalents: Sequence[Shown]) -> Matches | None:
        """What the rules say of a target; None when they are not about it, whatever the object is called.

        :param equivalents: the other resources with the same objects.
        """
        own = target.resource, kind
        included = Places(tuple(self._places(self.rules, target, own, equivalents)) if self.rules
                          else ((frozenset(), own),))
        excluded = Places(tuple(self._places(self.excluded, target, own, equivalents)))
        if not included.found or any(not names for names, _ in excluded.found):
            return None
        return Matches(included, excluded)

    def _places(self, rules: Sequence[_NamedRule], target: Target, own: Shown,
                equivalents: Sequence[Shown]) -> Iterator[tuple[frozenset[str], Shown]]:
        for one in rules:
            if one.rule.matches(target.operation, own[0], target.subresource, target.namespaced):
                yield one.names, own
        if self.equivalent:
            for one in rules:
                for shown in equivalents:
                    if one.rule.matches(target.operation, shown[0], target.subresource, target.namespaced):
                        yield one.names, shown


#: What a binding without ``matchResources`` is about: all that its policy is about.
EVERYTHING = MatchResources.compile({})
