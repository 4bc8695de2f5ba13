"""From the spec of an access review to the attributes that authorizers decide on (KEP-4601 for selectors)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from kube_twisted.api import fields, labels
from kube_twisted.api.errors import StatusError
from kube_twisted.api.fields import FieldRequirement
from kube_twisted.api.label_requirements import (
    DOES_NOT_EXIST,
    EXISTS,
    IN,
    NOT_IN,
    Requirement,
    requirement_errors,
)
from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import Attributes
from kube_twisted.registry.strategy import Obj

_LABEL_OPERATORS = {"In": IN, "NotIn": NOT_IN, "Exists": EXISTS, "DoesNotExist": DOES_NOT_EXIST}
_FIELD_OPERATORS = {"In": "=", "NotIn": "!="}


@frozen
class Question:
    """What to ask the authorizers, and which part of what was sent could not be understood."""

    attributes: Attributes
    problems: tuple[str, ...] = ()


def question(spec: Obj, user: UserInfo) -> Question:
    """The question that a valid spec asks about ``user``."""
    url = spec.get("nonResourceAttributes")
    wanted = spec.get("resourceAttributes")
    if wanted is None:
        url = url or {}
        return Question(Attributes(user=user, verb=url.get("verb", ""), path=url.get("path", ""),
                                   resource_request=False))
    problems: list[str] = []
    by_field = _selector(wanted, "fieldSelector", fields.parse, _field_requirement, problems)
    by_label = _selector(wanted, "labelSelector", labels.parse, _label_requirement, problems)
    attributes = Attributes(
        user=user, verb=wanted.get("verb", ""), group=wanted.get("group", ""),
        version=wanted.get("version", "") or "*", resource=wanted.get("resource", ""),
        subresource=wanted.get("subresource", ""), namespace=wanted.get("namespace", ""),
        name=wanted.get("name", ""), field_selector=by_field, label_selector=by_label)
    return Question(attributes, tuple(problems))


def _selector(wanted: Obj, key: str, parse: Callable[[str], object],
              requirement: Callable[[Obj], str | None], problems: list[str]) -> str:
    """The selector as text; what can't be understood is left out, which only makes the question broader."""
    selector = wanted.get(key) or {}
    raw = selector.get("rawSelector", "")
    ignored = f"spec.resourceAttributes.{key} ignored due to parse error"
    if raw:
        try:
            return str(parse(raw))
        except StatusError:
            problems.append(ignored)
            return ""
    requirements: Sequence[Obj] = selector.get("requirements") or ()
    found = [text for text in map(requirement, requirements) if text is not None]
    if len(found) < len(requirements):
        problems.append(ignored.replace("ignored", "partially ignored") if found else ignored)
    return ",".join(found)


def _field_requirement(one: Obj) -> str | None:
    operator = _FIELD_OPERATORS.get(one.get("operator", ""))
    values: Sequence[str] = one.get("values") or ()
    if operator is None or len(values) != 1:
        return None
    return str(FieldRequirement(one.get("key", ""), operator, values[0]))


def _label_requirement(one: Obj) -> str | None:
    operator = _LABEL_OPERATORS.get(one.get("operator", ""))
    if operator is None:
        return None
    found = Requirement(one.get("key", ""), operator, tuple(one.get("values") or ()))
    return None if requirement_errors(found) else str(found)
