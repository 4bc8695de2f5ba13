"""AdmissionReviews as webhooks answer them: read, and checked to be an answer to what was asked."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.admission.webhooks.request import GROUP, KIND
from kube_twisted.admission.webhooks.webhook import REVIEW_VERSIONS
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.api.jsonvalue import json_kind
from kube_twisted.webhooks.reviews import read_review

Obj = dict[str, Any]
_JSON_PATCH = "JSONPatch"
#: Members of a response and of the Status in it: their types here, and as the original names them.
_RESPONSE: Mapping[str, tuple[type, str]] = {
    "uid": (str, "types.UID"), "allowed": (bool, "bool"), "status": (dict, "v1.Status"), "patch": (str, "[]uint8"),
    "patchType": (str, "v1.PatchType"), "auditAnnotations": (dict, "map[string]string"), "warnings": (list, "[]string")}
_STATUS: Mapping[str, tuple[type, str]] = {
    "status": (str, "string"), "message": (str, "string"), "reason": (str, "v1.StatusReason"), "code": (int, "int32"),
    "details": (dict, "v1.StatusDetails"), "metadata": (dict, "v1.ListMeta")}


class InvalidResponse(ValueError):
    """The webhook's answer is a review, but not one that answers; the text says why."""


@frozen
class Verdict:
    """What a webhook says.

    :ivar patch: JSON, empty for none.
    :ivar status: why it is not allowed, as a ``Status``.
    :ivar annotations: for the audit log.
    """

    allowed: bool
    patch: bytes
    patch_type: str
    status: Obj | None
    warnings: tuple[str, ...]
    annotations: Mapping[str, str]


def read_response(body: bytes, version: str) -> Obj:
    """The review in an answer.

    :raises ValueError: when the body isn't one.
    """
    review = read_review(body, GroupVersionKind(GROUP, version, KIND), REVIEW_VERSIONS)
    response = review.get("response")
    if response is None:
        return review
    path = "AdmissionReview.response"
    _check(response, dict, path, f"{version}.AdmissionResponse")
    _check_members(response, _RESPONSE, "AdmissionResponse.response")
    _check_members(response.get("status") or {}, _STATUS, "Status.response.status")
    for text in response.get("warnings") or ():
        _check(text, str, "AdmissionResponse.response.warnings", "string")
    for text in (response.get("auditAnnotations") or {}).values():
        _check(text, str, "AdmissionResponse.response.auditAnnotations", "string")
    _patch(response)
    return review


def verified(review: Obj, version: str, uid: str, *, mutating: bool) -> Verdict:
    """What the review says. Those of v1beta1 need neither repeat the uid nor say what they are.

    :param mutating: whether the webhook may change the object.
    :raises InvalidResponse: when it is no answer to the question.
    """
    response = review.get("response")
    if response is None:
        raise InvalidResponse("webhook response was absent")
    patch, patch_type = _patch(response), response.get("patchType")
    if version == "v1":
        _check_identity(review, response, uid)
        _check_patch(patch, patch_type, mutating)
    else:
        patch_type = _JSON_PATCH if patch else ""
    return Verdict(
        response.get("allowed") or False, patch if mutating else b"", patch_type or "", response.get("status"),
        tuple(response.get("warnings") or ()), response.get("auditAnnotations") or {})


def _check_identity(review: Obj, response: Obj, uid: str) -> None:
    if (response.get("uid") or "") != uid:
        raise InvalidResponse(f"expected response.uid={go_quote(uid)}, got {go_quote(response.get('uid') or '')}")
    expected = f"{GROUP}/v1, Kind={KIND}"
    group_version = GroupVersion.parse(review.get("apiVersion") or "")
    said = f"{group_version.group}/{group_version.version}, Kind={review.get('kind') or ''}"
    if said != expected:
        raise InvalidResponse(f"expected webhook response of {expected}, got {said}")


def _check_patch(patch: bytes, patch_type: str | None, mutating: bool) -> None:
    if not mutating:
        if patch:
            raise InvalidResponse("validating webhook may not return response.patch")
        if patch_type is not None:
            raise InvalidResponse("validating webhook may not return response.patchType")
        return
    if patch and patch_type is None:
        raise InvalidResponse("webhook returned response.patch but not response.patchType")
    if patch_type is not None and not patch:
        raise InvalidResponse("webhook returned response.patchType but not response.patch")
    if patch_type == "":
        raise InvalidResponse('webhook returned invalid response.patchType of ""')


def _patch(response: Obj) -> bytes:
    """The patch out of its base64.

    :raises ValueError: when it is none.
    """
    text = (response.get("patch") or "").replace("\n", "").replace("\r", "")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(f"illegal base64 data at input byte {_first_wrong(text)}") from None


def _first_wrong(text: str) -> int:
    """Where base64 stops to be some."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for index, letter in enumerate(text):
        if letter not in alphabet:
            return index
    return len(text) // 4 * 4


def _check_members(value: Obj, members: Mapping[str, tuple[type, str]], path: str) -> None:
    for name, (wanted, go_type) in members.items():
        _check(value.get(name), wanted, f"{path}.{name}", go_type)


def _check(value: Any, wanted: type, path: str, go_type: str) -> None:
    fits = value is None or (type(value) is int if wanted is int else isinstance(value, wanted))
    if not fits:
        raise ValueError(f"json: cannot unmarshal {json_kind(value)} into Go struct field {path} of type {go_type}")
