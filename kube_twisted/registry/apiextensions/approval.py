"""Groups under k8s.io and kubernetes.io need an approval, given in an annotation."""

from __future__ import annotations

from urllib.parse import urlsplit

from kube_twisted.api.field import FieldError, go_quote, invalid, required
from kube_twisted.registry.apiextensions import conditions
from kube_twisted.registry.strategy import Obj

ANNOTATION = "api-approved.kubernetes.io"
_PATH = f"metadata.annotations[{ANNOTATION}]"
_NEEDED = f"protected groups must have approval annotation {go_quote(ANNOTATION)}"
_SEE = "see https://github.com/kubernetes/enhancements/pull/1111"
_MISSING = f"{_NEEDED}, {_SEE}"
_INVALID = f'{_NEEDED} with either a URL or a reason starting with "unapproved", {_SEE}'


def validate(obj: Obj, old: Obj | None) -> list[FieldError]:
    """An update that leaves the state of approval alone passes."""
    if not _is_protected(obj["spec"].get("group", "")):
        return []
    state = _state(obj)
    if old is not None and _state(old) == state:
        return []
    if state == "missing":
        return [required(_PATH, _MISSING)]
    if state == "invalid":
        return [invalid(_PATH, _annotation(obj), _INVALID)]
    return []


def condition(obj: Obj) -> Obj | None:
    """The condition that tells of the approval; None for groups that need none."""
    if not _is_protected(obj["spec"].get("group", "")):
        return None
    text = _annotation(obj)
    status, reason, message = {
        "missing": ("False", "MissingAnnotation", _MISSING),
        "invalid": ("False", "InvalidAnnotation", _INVALID),
        "bypassed": ("False", "UnapprovedAnnotation", f"not approved: {go_quote(text)}"),
        "approved": ("True", "ApprovedAnnotation", f"approved in {text}"),
    }[_state(obj)]
    return conditions.condition(conditions.API_APPROVAL, status, reason, message)


def _is_protected(group: str) -> bool:
    return group in ("k8s.io", "kubernetes.io") or group.endswith((".k8s.io", ".kubernetes.io"))


def _annotation(obj: Obj) -> str:
    annotations: dict[str, str] = obj["metadata"].get("annotations") or {}
    return annotations.get(ANNOTATION, "")


def _state(obj: Obj) -> str:
    text = _annotation(obj)
    if not text:
        return "missing"
    if text.startswith("unapproved"):
        return "bypassed"
    try:
        url = urlsplit(text)
    except ValueError:
        return "invalid"
    return "approved" if url.scheme and url.netloc else "invalid"
