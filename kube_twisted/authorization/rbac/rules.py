"""The rules of one role, laid out so that a question meets only those that name its resource."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from kube_twisted.authorization.interfaces import Attributes

ALL = "*"
_KEYS = ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")


@frozen
class Rule:
    """Verbs on resources, or on paths that are no resources.

    :ivar names: of objects; empty for all.
    :ivar urls: paths; a star at the end stands for any rest.
    """

    verbs: tuple[str, ...]
    groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    _verbs: frozenset[str] = field(init=False, eq=False, repr=False)
    _groups: frozenset[str] = field(init=False, eq=False, repr=False)
    _names: frozenset[str] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_verbs", frozenset(self.verbs))
        object.__setattr__(self, "_groups", frozenset(self.groups))
        object.__setattr__(self, "_names", frozenset(self.names))

    @classmethod
    def read(cls, rule: Mapping[str, Any]) -> Rule:
        """A ``PolicyRule`` as data."""
        return cls(*(tuple(rule.get(key) or ()) for key in _KEYS))

    def as_data(self) -> dict[str, list[str]]:
        """The rule as a ``PolicyRule``."""
        values = (self.verbs, self.groups, self.resources, self.names, self.urls)
        return {key: list(value) for key, value in zip(_KEYS, values, strict=True) if value}

    def allows(self, verb: str, group: str, name: str) -> bool:
        """Whether it allows the verb on an object, given that it is about the object's resource."""
        return ((verb in self._verbs or ALL in self._verbs) and (group in self._groups or ALL in self._groups)
                and (not self._names or name in self._names))

    def allows_path(self, verb: str, path: str) -> bool:
        return ((verb in self._verbs or ALL in self._verbs)
                and any(path_matches(pattern, path) for pattern in self.urls))


def path_matches(pattern: str, path: str) -> bool:
    """Whether a non-resource URL of a rule covers the path: equal, or below a prefix that ends in a star."""
    if pattern.endswith("*"):
        return path.startswith(pattern.rstrip("*"))
    return pattern == path


@frozen
class Question:
    """What a request wants, as rules are looked up for it.

    :ivar resources: how a rule may name the resource; empty for a path that is no resource.
    """

    verb: str
    group: str
    resources: tuple[str, ...]
    name: str
    path: str


def question(attributes: Attributes) -> Question:
    if not attributes.resource_request:
        return Question(attributes.verb, "", (), "", attributes.path)
    resource, subresource = attributes.resource, attributes.subresource
    resources = (f"{resource}/{subresource}", ALL, f"*/{subresource}") if subresource else (resource, ALL)
    return Question(attributes.verb, attributes.group, resources, attributes.name, "")


class RuleSet:
    """The rules of one role.

    :ivar rules: as written.
    """

    __slots__ = ("_by_resource", "_of_urls", "rules")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: Sequence[Rule] = tuple(rules)
        self._of_urls = tuple(rule for rule in self.rules if rule.urls)
        self._by_resource: dict[str, list[Rule]] = {}
        for rule in self.rules:
            for resource in dict.fromkeys(rule.resources):
                self._by_resource.setdefault(resource, []).append(rule)

    def allow(self, asked: Question) -> bool:
        """Whether one of the rules allows it."""
        if not asked.resources:
            return any(rule.allows_path(asked.verb, asked.path) for rule in self._of_urls)
        by_resource = self._by_resource
        for resource in asked.resources:
            for rule in by_resource.get(resource, ()):
                if rule.allows(asked.verb, asked.group, asked.name):
                    return True
        return False


NO_RULES = RuleSet(())


def read_rules(rules: Iterable[Mapping[str, Any]] | None) -> RuleSet:
    """The ``rules`` of a Role or ClusterRole as data; aggregated roles may have none yet."""
    return RuleSet(map(Rule.read, rules)) if rules else NO_RULES
