"""ConversionReviews: what a conversion webhook is sent, and what it may answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.api.jsonvalue import json_kind
from kube_twisted.webhooks.reviews import read_review

_GROUP, _KIND = "apiextensions.k8s.io", "ConversionReview"
#: The versions of reviews that can be sent.
VERSIONS = ("v1", "v1beta1")
#: The original sends an empty response along.
_EMPTY_RESPONSE: dict[str, Any] = {"uid": "", "convertedObjects": None, "result": {"metadata": {}}}


class MalformedResponse(ValueError):
    """The webhook answered with a review that is no good, or says that it failed; the text says why."""


def choose_version(accepted: Sequence[str]) -> str:
    """The first of ``conversionReviewVersions`` that can be sent.

    :raises ValueError: when none can.
    """
    for one in accepted:
        if one in VERSIONS:
            return one
    raise ValueError("no supported conversion review versions")


def write_request(version: str, uid: str, api_version: str, objects: Sequence[bytes]) -> bytes:
    """A review that asks for objects in ``api_version``.

    :param objects: JSON.
    """
    request = {"uid": uid, "desiredAPIVersion": api_version, "objects": [orjson.Fragment(one) for one in objects]}
    return orjson.dumps({"kind": _KIND, "apiVersion": f"{_GROUP}/{version}", "request": request,
                         "response": _EMPTY_RESPONSE})


def read_response(body: bytes, version: str) -> dict[str, Any]:
    """The review in an answer.

    :raises ValueError: when the body isn't one.
    """
    review = read_review(body, GroupVersionKind(_GROUP, version, _KIND), VERSIONS)
    response = _member(review, "response", dict, "ConversionReview.response", f"{version}.ConversionResponse") or {}
    path = "ConversionResponse.response"
    _member(response, "uid", str, f"{path}.uid", "types.UID")
    _member(response, "convertedObjects", list, f"{path}.convertedObjects", "[]runtime.RawExtension")
    result = _member(response, "result", dict, f"{path}.result", "v1.Status") or {}
    for name in ("status", "message"):
        _member(result, name, str, f"Status.response.result.{name}", "string")
    return review


def converted_objects(review: dict[str, Any], version: str, uid: str) -> list[Any]:
    """What the webhook says that the objects became; not looked into yet.

    Reviews of v1beta1 need neither repeat the uid nor say what they are.

    :raises MalformedResponse: when it failed, or the answer is to another question.
    """
    if version == "v1":
        expected = f"{_GROUP}/v1, Kind={_KIND}"
        said = f"{_slashed(review.get('apiVersion') or '')}, Kind={review.get('kind') or ''}"
        if said != expected:
            raise MalformedResponse(f"expected webhook response of {expected}, got {said}")
    response = review.get("response")
    if response is None:
        raise MalformedResponse("no response provided")
    if version == "v1" and (response.get("uid") or "") != uid:
        raise MalformedResponse(f"expected response.uid={go_quote(uid)}, got {go_quote(response.get('uid') or '')}")
    result = response.get("result") or {}
    if result.get("status") != "Success":
        why = f"response.result.status was '{result.get('status') or ''}', not 'Success'"
        raise MalformedResponse(result.get("message") or why)
    return response.get("convertedObjects") or []


def _member(parent: dict[str, Any], name: str, wanted: type, path: str, go_type: str) -> Any:
    value = parent.get(name)
    if value is not None and not isinstance(value, wanted):
        raise ValueError(f"json: cannot unmarshal {json_kind(value)} into Go struct field {path} of type {go_type}")
    return value


def _slashed(api_version: str) -> str:
    return api_version if "/" in api_version else f"/{api_version}"
