"""What can be wrong with an access review."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.api.labels import validate_label_name
from kube_twisted.api.names import label_value
from kube_twisted.registry.strategy import Obj

_RESOURCE = "spec.resourceAttributes"
_URL = "spec.nonResourceAttributes"


def subject_access_review(review: Obj) -> list[FieldError]:
    return [*_attributes(review), *_subject(review), *_selectors(review), *_metadata(review, "must be empty")]


def self_subject_access_review(review: Obj) -> list[FieldError]:
    return [*_attributes(review), *_selectors(review), *_metadata(review, "must be empty")]


def local_subject_access_review(review: Obj) -> list[FieldError]:
    failures = [*_attributes(review), *_subject(review), *_selectors(review),
                *_metadata(review, "must be empty except for namespace", "namespace")]
    spec = review.get("spec", {})
    wanted = spec.get("resourceAttributes")
    if wanted is not None and wanted.get("namespace", "") != review["metadata"].get("namespace", ""):
        failures.append(invalid(f"{_RESOURCE}.namespace", wanted.get("namespace", ""),
                                "must match metadata.namespace"))
    if spec.get("nonResourceAttributes") is not None:
        failures.append(invalid(_URL, _go_url(spec), "disallowed on this kind of request"))
    return failures


def _attributes(review: Obj) -> list[FieldError]:
    spec = review.get("spec", {})
    of_resource, of_url = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    if of_resource is not None and of_url is not None:
        return [invalid(_URL, _go_url(spec), "cannot be specified in combination with resourceAttributes")]
    if of_resource is None and of_url is None:
        return [invalid(_RESOURCE, None, "exactly one of nonResourceAttributes or resourceAttributes must be "
                        "specified")]
    return []


def _go_url(spec: Obj) -> dict[str, Any]:
    """The URL attributes as the original's message shows them."""
    url = spec["nonResourceAttributes"]
    return {"Path": url.get("path", ""), "Verb": url.get("verb", "")}


def _subject(review: Obj) -> list[FieldError]:
    spec = review.get("spec", {})
    if spec.get("user") or spec.get("groups"):
        return []
    return [invalid("spec.user", "", "at least one of user or group must be specified")]


def _metadata(review: Obj, message: str, *allowed: str) -> list[FieldError]:
    meta = review["metadata"]
    if any(value for key, value in meta.items() if key not in ("managedFields", *allowed)):
        return [invalid("metadata", meta, message)]
    return []


def _selectors(review: Obj) -> list[FieldError]:
    wanted = review.get("spec", {}).get("resourceAttributes") or {}
    return [*_selector(wanted.get("fieldSelector"), f"{_RESOURCE}.fieldSelector", _field_requirement),
            *_selector(wanted.get("labelSelector"), f"{_RESOURCE}.labelSelector", _label_requirement)]


def _selector(selector: Obj | None, path: str,
              requirement: Callable[[Obj, str], list[FieldError]]) -> list[FieldError]:
    if selector is None:
        return []
    raw, requirements = selector.get("rawSelector"), selector.get("requirements") or ()
    failures = []
    if raw and requirements:
        failures.append(invalid(f"{path}.rawSelector", raw,
                                "may not specified at the same time as requirements"))
    if not raw and not requirements:
        failures.append(required(f"{path}.requirements",
                                 f"when {path} is specified, requirements or rawSelector is required"))
    for index, one in enumerate(requirements):
        failures += requirement(one, f"{path}.requirements[{index}]")
    return failures


def _field_requirement(one: Obj, path: str) -> list[FieldError]:
    failures = [] if one.get("key") else [required(f"{path}.key", "must be specified")]
    return failures + _values(one, path)


def _label_requirement(one: Obj, path: str) -> list[FieldError]:
    failures = _values(one, path) + validate_label_name(one.get("key", ""), f"{path}.key")
    for index, value in enumerate(one.get("values") or ()):
        failures += [invalid(f"{path}.values[{index}]", value, message) for message in label_value(value)]
    return failures


def _values(one: Obj, path: str) -> list[FieldError]:
    """Operators that this server does not know may come from newer clients: they are let through."""
    operator, values = one.get("operator"), one.get("values")
    if operator in ("In", "NotIn") and not values:
        return [required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")]
    if operator in ("Exists", "DoesNotExist") and values:
        return [forbidden(f"{path}.values",
                          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    return []
