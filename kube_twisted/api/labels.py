"""Label selectors: reading them from query strings and from LabelSelector objects, matching, writing.

Rules: the Kubernetes page "Labels and Selectors"; the sentences are those of apimachinery's ``labels``
package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field

from kube_twisted.api.errors import bad_request
from kube_twisted.api.field import FieldError, forbidden, invalid, required, to_aggregate
from kube_twisted.api.label_parser import parse_requirements
from kube_twisted.api.label_requirements import (
    DOES_NOT_EXIST,
    DOUBLE_EQUALS,
    EQUALS,
    EXISTS,
    IN,
    NOT_IN,
    Labels,
    Predicate,
    Requirement,
    requirement_errors,
)
from kube_twisted.api.names import label_value, qualified_name

#: Operators of LabelSelector objects.
_OBJECT_OPERATORS = {"In": IN, "NotIn": NOT_IN, "Exists": EXISTS, "DoesNotExist": DOES_NOT_EXIST}


def _compile(requirements: tuple[Requirement, ...]) -> Predicate:
    predicates = tuple(one.compiled() for one in requirements)
    if not predicates:
        return lambda labels: True
    if len(predicates) == 1:
        return predicates[0]
    return lambda labels: all(predicate(labels) for predicate in predicates)


def _sorted(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    return tuple(sorted(requirements, key=lambda one: one.key))


@define(eq=False)
class Selector:
    """All of some requirements; without any, everything matches.

    :ivar requirements: sorted by key.
    :ivar matches: tells whether a mapping of labels is selected.
    """

    requirements: tuple[Requirement, ...] = field(converter=_sorted)
    matches: Predicate = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.matches = _compile(self.requirements)

    @property
    def empty(self) -> bool:
        """Whether everything matches."""
        return not self.requirements

    def __str__(self) -> str:
        return ",".join(map(str, self.requirements))

    def requires_exact(self, key: str) -> str | None:
        """The one value that the label must have, if the first requirement about it says so."""
        for one in self.requirements:
            if one.key == key:
                exact = one.operator in (EQUALS, DOUBLE_EQUALS, IN) and len(one.values) == 1
                return one.values[0] if exact else None
        return None


class Nothing(Selector):
    """Selects nothing: what a missing LabelSelector object means."""

    def __init__(self) -> None:
        super().__init__(())
        self.matches = lambda labels: False

    @property
    def empty(self) -> bool:
        return False


def everything() -> Selector:
    return Selector(())


def nothing() -> Selector:
    return Nothing()


def from_labels(labels: Labels) -> Selector:
    """A selector of exactly these labels, such as a ReplicationController's or a Service's; not validated."""
    return Selector(Requirement(key, EQUALS, (value,)) for key, value in labels.items())


def parse(text: str) -> Selector:
    """Read a ``labelSelector`` such as ``app=web,tier in (a,b),!canary,size>3``.

    :raises StatusError: 400 for a selector that does not parse.
    """
    try:
        return Selector(parse_requirements(text))
    except ValueError as error:
        raise bad_request(str(error)) from None


def from_label_selector(selector: Mapping[str, Any] | None) -> Selector:
    """The selector that a LabelSelector object means: none selects nothing, an empty one everything.

    :raises ValueError: for an operator, key or value that is not valid.
    """
    if selector is None:
        return nothing()
    requirements = [Requirement(key, EQUALS, (value,))
                    for key, value in (selector.get("matchLabels") or {}).items()]
    for expression in selector.get("matchExpressions") or ():
        operator = _OBJECT_OPERATORS.get(expression.get("operator", ""))
        if operator is None:
            raise ValueError(f'"{expression.get("operator", "")}" is not a valid label selector operator')
        requirements.append(Requirement(expression.get("key", ""), operator,
                                        tuple(expression.get("values") or ())))
    for one in requirements:
        if errors := requirement_errors(one):
            raise ValueError(to_aggregate(errors))
    return Selector(requirements)


def format_label_selector(selector: Mapping[str, Any] | None) -> str:
    """A LabelSelector object as Tables show it: ``<none>`` when empty, ``<error>`` when not valid."""
    try:
        return str(from_label_selector(selector)) or "<none>"
    except ValueError:
        return "<error>"


def validate_labels(labels: Labels, path: str) -> list[FieldError]:
    """All that is wrong with an object's labels."""
    errors: list[FieldError] = []
    for key, value in labels.items():
        if messages := qualified_name(key):
            errors += [invalid(path, key, message) for message in messages]
        if messages := label_value(value):
            errors += [invalid(path, value, message) for message in messages]
    return errors


def validate_label_name(name: str, path: str) -> list[FieldError]:
    """What is wrong with a label's key."""
    return [invalid(path, name, message) for message in qualified_name(name)]


def validate_label_selector(selector: Mapping[str, Any] | None, path: str, *,
                            allow_invalid_values: bool = False) -> list[FieldError]:
    """All that is wrong with a LabelSelector object.

    :param allow_invalid_values: for updates of objects whose stored selector has values that are no labels.
    """
    if selector is None:
        return []
    errors = validate_labels(selector.get("matchLabels") or {}, f"{path}.matchLabels")
    for index, expression in enumerate(selector.get("matchExpressions") or ()):
        errors += _expression_errors(expression, f"{path}.matchExpressions[{index}]", allow_invalid_values)
    return errors


def _expression_errors(expression: Mapping[str, Any], path: str,
                       allow_invalid_values: bool) -> list[FieldError]:
    operator, values = expression.get("operator", ""), expression.get("values") or ()
    errors = []
    if operator in ("In", "NotIn"):
        if not values:
            errors.append(required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'"))
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            errors.append(forbidden(f"{path}.values",
                                    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
    else:
        errors.append(invalid(f"{path}.operator", operator, "not a valid selector operator"))
    errors += validate_label_name(expression.get("key", ""), f"{path}.key")
    if not allow_invalid_values:
        errors += _value_errors(values, f"{path}.values")
    return errors


def _value_errors(values: Iterable[str], path: str) -> list[FieldError]:
    return [invalid(f"{path}[{index}]", value, message)
            for index, value in enumerate(values) for message in label_value(value)]


def has_invalid_values(selector: Mapping[str, Any] | None) -> bool:
    """Whether an expression of a stored LabelSelector object has a value that is no label's value."""
    expressions = (selector or {}).get("matchExpressions") or ()
    return any(label_value(value) for one in expressions for value in one.get("values") or ())
