"""Specs as the original shows them in messages: in its internal form, every field there, Go's names."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.strategy import Obj

#: Name, JSON name, and what stands for a missing value; or the fields of a struct.
_QUEUING = (("Queues", "queues", 0), ("HandSize", "handSize", 0), ("QueueLengthLimit", "queueLengthLimit", 0))
_VERBS = ("Verbs", "verbs", None)
_RESOURCE_RULE = (_VERBS, ("APIGroups", "apiGroups", None), ("Resources", "resources", None),
                  ("ClusterScope", "clusterScope", False), ("Namespaces", "namespaces", None))
_NON_RESOURCE_RULE = (_VERBS, ("NonResourceURLs", "nonResourceURLs", None))
_NAMED = (("Name", "name", ""),)
_TYPED = (("Type", "type", ""),)

_Fields = tuple[tuple[str, str, Any], ...]


def priority_level_spec(spec: Obj) -> Obj:
    """A PriorityLevelConfigurationSpec."""
    return {**_struct(_TYPED, spec), "Limited": _limited(spec.get("limited")), "Exempt": _optional(
        (("NominalConcurrencyShares", "nominalConcurrencyShares", None), ("LendablePercent", "lendablePercent", None)),
        spec.get("exempt"))}


def _limited(limited: Obj | None) -> Obj | None:
    if limited is None:
        return None
    response = limited.get("limitResponse", {})
    return {"NominalConcurrencyShares": limited.get("nominalConcurrencyShares", 0),
            "LimitResponse": {**_struct(_TYPED, response), "Queuing": _optional(_QUEUING, response.get("queuing"))},
            "LendablePercent": limited.get("lendablePercent"),
            "BorrowingLimitPercent": limited.get("borrowingLimitPercent")}


def flow_schema_spec(spec: Obj) -> Obj:
    """A FlowSchemaSpec."""
    rules = spec.get("rules")
    return {"PriorityLevelConfiguration": _struct(_NAMED, spec.get("priorityLevelConfiguration", {})),
            "MatchingPrecedence": spec.get("matchingPrecedence", 0),
            "DistinguisherMethod": _optional(_TYPED, spec.get("distinguisherMethod")),
            "Rules": None if rules is None else [_rule(rule) for rule in rules]}


def _rule(rule: Obj) -> Obj:
    subjects = rule.get("subjects")
    return {"Subjects": None if subjects is None else [_subject(one) for one in subjects],
            "ResourceRules": _structs(_RESOURCE_RULE, rule.get("resourceRules")),
            "NonResourceRules": _structs(_NON_RESOURCE_RULE, rule.get("nonResourceRules"))}


def _subject(subject: Obj) -> Obj:
    return {"Kind": subject.get("kind", ""), "User": _optional(_NAMED, subject.get("user")),
            "Group": _optional(_NAMED, subject.get("group")),
            "ServiceAccount": _optional((("Namespace", "namespace", ""), *_NAMED), subject.get("serviceAccount"))}


def _struct(fields: _Fields, value: Obj) -> Obj:
    return {name: value.get(key, absent) for name, key, absent in fields}


def _optional(fields: _Fields, value: Obj | None) -> Obj | None:
    return None if value is None else _struct(fields, value)


def _structs(fields: _Fields, values: list[Obj] | None) -> list[Obj] | None:
    return None if values is None else [_struct(fields, one) for one in values]
