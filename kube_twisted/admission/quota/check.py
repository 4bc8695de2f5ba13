"""Whether a write fits into the ResourceQuotas of its namespace, and what they have to note then.

Source of the rules: the Kubernetes documentation, "Resource Quotas", and upstream's quota admission.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.quota.evaluator import Evaluator, Obj
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resource_lists import (
    ResourceList,
    describe,
    more_than_before,
    only,
    parse_list,
    show_list,
    total_of,
)


class RunningQuota:
    """A ResourceQuota with what the writes of one batch have added to it so far.

    :param obj: the object as read; it is not changed.
    """

    def __init__(self, obj: Obj) -> None:
        self.obj = obj
        self.name: str = obj["metadata"]["name"]
        status = obj.get("status") or {}
        self.hard = parse_list(status.get("hard"))
        self.used = parse_list(status.get("used"))
        self.changed = False
        spec = obj.get("spec") or {}
        self._scopes: list[dict[str, Any]] = []
        self._scopes += ({"scopeName": one, "operator": "Exists"} for one in spec.get("scopes") or ())
        self._scopes += spec.get("scopeSelector", {}).get("matchExpressions") or ()

    def matches(self, evaluator: Evaluator, obj: Obj) -> bool:
        """Whether the object counts here."""
        return bool(evaluator.matching(self.hard)) and all(evaluator.in_scope(one, obj) for one in self._scopes)

    def updated(self) -> Obj:
        """The object to write."""
        return {**self.obj, "status": {**(self.obj.get("status") or {}), "used": show_list(self.used)}}


def charge(quotas: Sequence[RunningQuota], evaluator: Evaluator, attributes: Attributes) -> bool:
    """Add what the write uses to the quotas that it counts in, unless it is a dry run; tell whether that changed any.

    :raises StatusError: 403 when it doesn't fit; then no quota is changed.
    """
    obj = attributes.obj
    assert obj is not None
    concerned = [one for one in quotas if one.matches(evaluator, obj)]
    for one in concerned:
        _check_measurable(one, evaluator, attributes, obj)
    if not concerned:
        return False
    usage = evaluator.usage(obj)
    _check_negative(usage, attributes)
    growth = _growth(evaluator, attributes, usage)
    noted = []
    for one in concerned:
        counted_before = growth is not None and attributes.old is not None and one.matches(evaluator, attributes.old)
        added = growth if counted_before and growth is not None else usage
        asked = only({name: amount for name, amount in added.items() if amount}, one.hard)
        if asked:
            noted.append((one, _new_usage(one, asked, attributes)))
    if attributes.dry_run:
        return False
    for one, used in noted:
        one.used, one.changed = used, True
    return bool(noted)


def _check_measurable(quota: RunningQuota, evaluator: Evaluator, attributes: Attributes, obj: Obj) -> None:
    restricted = evaluator.matching(quota.hard)
    missing = evaluator.missing(restricted, obj)
    if missing:
        raise forbidden(attributes, f"failed quota: {quota.name}: {missing}")
    if any(name not in quota.used for name in restricted):
        raise forbidden(attributes, f"status unknown for quota: {quota.name}, resources: "
                                    f"{','.join(sorted(restricted))}")


def _check_negative(usage: ResourceList, attributes: Attributes) -> None:
    negative = sorted(name for name, amount in usage.items() if amount.sign < 0)
    if negative:
        raise forbidden(attributes, f"quota usage is negative for resource(s): {','.join(negative)}")


def _growth(evaluator: Evaluator, attributes: Attributes, usage: ResourceList) -> ResourceList | None:
    """What an update adds; None for a creation."""
    old = attributes.old
    if attributes.operation != "UPDATE" or old is None or not old["metadata"].get("resourceVersion"):
        return None
    return more_than_before(usage, evaluator.usage(old))


def _new_usage(quota: RunningQuota, asked: ResourceList, attributes: Attributes) -> ResourceList:
    used = total_of(quota.used, asked)
    exceeded = [name for name in asked if used[name] > quota.hard[name]]
    if exceeded and attributes.subresource != "status":
        raise forbidden(attributes, f"exceeded quota: {quota.name}, requested: {describe(only(asked, exceeded))}, "
                                    f"used: {describe(only(quota.used, exceeded))}, "
                                    f"limited: {describe(only(quota.hard, exceeded))}")
    return used
