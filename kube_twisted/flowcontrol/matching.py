"""Which requests a FlowSchema is about: who asks, and for what.

Source of the rules: the Kubernetes documentation, "API Priority and Fairness", and the API reference of FlowSchema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from attrs import frozen

from kube_twisted.api.user import SERVICE_ACCOUNT_PREFIX

_ALL = "*"
_UNSET_PRECEDENCE = 1000


class Digest(NamedTuple):
    """What of a request decides its flow. Requests that are alike in this share one.

    :ivar path: empty for requests about resources.
    """

    user: str
    groups: tuple[str, ...]
    verb: str
    is_resource: bool
    group: str
    resource: str
    subresource: str
    namespace: str
    path: str


@frozen
class _Subject:
    """Users named so, all service accounts of a namespace, or the members of a group; a name may be ``*``."""

    kind: str
    name: str
    namespace: str = ""

    def matches(self, digest: Digest) -> bool:
        if self.kind == "User":
            return self.name in (_ALL, digest.user)
        if self.kind == "Group":
            return self.name == _ALL or self.name in digest.groups
        accounts = f"{SERVICE_ACCOUNT_PREFIX}{self.namespace}:"
        return digest.user.startswith(accounts) if self.name == _ALL else digest.user == accounts + self.name


@frozen
class _ResourceRule:
    verbs: frozenset[str]
    groups: frozenset[str]
    resources: frozenset[str]
    namespaces: frozenset[str]
    cluster_scope: bool

    def matches(self, digest: Digest) -> bool:
        resource = f"{digest.resource}/{digest.subresource}" if digest.subresource else digest.resource
        if not (_has(self.verbs, digest.verb) and _has(self.groups, digest.group) and _has(self.resources, resource)):
            return False
        return _has(self.namespaces, digest.namespace) if digest.namespace else self.cluster_scope


@frozen
class _PathRule:
    verbs: frozenset[str]
    paths: tuple[str, ...]

    def matches(self, digest: Digest) -> bool:
        return _has(self.verbs, digest.verb) and any(_covers(path, digest.path) for path in self.paths)


def _covers(rule: str, path: str) -> bool:
    """Whether a rule's path is ``*``, the path itself, or above it."""
    return rule in (_ALL, path) or path.startswith(rule.removesuffix("*").removesuffix("/") + "/")


def _has(values: frozenset[str], value: str) -> bool:
    return value in values or _ALL in values


@frozen
class _Rule:
    subjects: tuple[_Subject, ...]
    resources: tuple[_ResourceRule, ...]
    paths: tuple[_PathRule, ...]

    def matches(self, digest: Digest) -> bool:
        if not any(subject.matches(digest) for subject in self.subjects):
            return False
        rules = self.resources if digest.is_resource else self.paths
        return any(rule.matches(digest) for rule in rules)


@frozen
class FlowSchema:
    """A FlowSchema, made ready for being asked often.

    :ivar level: name of the priority level.
    :ivar distinguisher: what tells its flows apart: ``ByUser``, ``ByNamespace`` or nothing.
    """

    name: str
    uid: str
    level: str
    precedence: int
    distinguisher: str
    rules: tuple[_Rule, ...]

    def matches(self, digest: Digest) -> bool:
        return any(rule.matches(digest) for rule in self.rules)

    def flow_of(self, digest: Digest) -> str:
        """What the flow of a request is called within the schema."""
        return {"ByUser": digest.user, "ByNamespace": digest.namespace}.get(self.distinguisher, "")


def read_schema(obj: Mapping[str, Any]) -> FlowSchema:
    """A FlowSchema object, as it is stored, for matching."""
    metadata, spec = obj["metadata"], obj["spec"]
    return FlowSchema(
        metadata["name"], metadata.get("uid", ""), spec["priorityLevelConfiguration"]["name"],
        spec.get("matchingPrecedence", _UNSET_PRECEDENCE), (spec.get("distinguisherMethod") or {}).get("type", ""),
        tuple(_rule(rule) for rule in spec.get("rules") or ()))


def _rule(rule: Mapping[str, Any]) -> _Rule:
    return _Rule(
        tuple(_subject(one) for one in rule.get("subjects") or ()),
        tuple(_ResourceRule(_set(one, "verbs"), _set(one, "apiGroups"), _set(one, "resources"), _set(one, "namespaces"),
                            one.get("clusterScope", False)) for one in rule.get("resourceRules") or ()),
        tuple(_PathRule(_set(one, "verbs"), tuple(one.get("nonResourceURLs") or ()))
              for one in rule.get("nonResourceRules") or ()))


def _set(rule: Mapping[str, Any], key: str) -> frozenset[str]:
    return frozenset(rule.get(key) or ())


def _subject(subject: Mapping[str, Any]) -> _Subject:
    kind = subject["kind"]
    named = subject.get({"User": "user", "Group": "group"}.get(kind, "serviceAccount")) or {}
    return _Subject(kind, named.get("name", ""), named.get("namespace", ""))
