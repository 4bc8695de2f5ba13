"""The JSON patch of a mutating webhook, applied to the object as the webhook saw it."""

from __future__ import annotations

from typing import Any

import orjson
from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.webhooks.configurations import Candidate
from kube_twisted.admission.webhooks.failures import CallingFailed
from kube_twisted.admission.webhooks.response import Verdict
from kube_twisted.api import errors
from kube_twisted.api.field import go_quote
from kube_twisted.codec import json
from kube_twisted.schema import json_patch

Obj = dict[str, Any]
JSON_PATCH = "JSONPatch"
_UNAVAILABLE, _LEAST_ERROR = 503, 400


@frozen
class Patched:
    """What a patch did.

    :ivar obj: the object in the webhook's version, without new defaults.
    :ivar changed: whether it is another than before.
    """

    patch: list[Any]
    obj: Obj
    changed: bool


def apply(verdict: Verdict, candidate: Candidate, attributes: Attributes, shown: Obj | None) -> Patched | None:
    """The object after the patch of a verdict; None without one.

    :param shown: the object that the webhook was sent, which stays as it is.
    :raises CallingFailed: when the patch can't be read. :raises StatusError: 500 when it can't be applied.
    """
    patch = _read(verdict, candidate) if verdict.patch else []
    if not patch:
        return None
    name = candidate.webhook.name
    if shown is None:
        raise errors.internal_error(f"admission webhook {go_quote(name)} attempted to modify the object, which is "
                                    "not supported for this operation")
    if verdict.patch_type != JSON_PATCH:
        code = max((verdict.status or {}).get("code") or 0, _LEAST_ERROR)
        raise CallingFailed(name, f"unsupported patch type {go_quote(verdict.patch_type)}", code)
    try:
        patched = json_patch.run(shown, patch)
        obj = attributes.versions.decode(patched, candidate.kind)
    except ValueError as error:
        raise errors.internal_error(str(error)) from None
    return Patched(patch, obj, obj != shown)


def _read(verdict: Verdict, candidate: Candidate) -> list[Any]:
    """
    :raises CallingFailed: when it is no list of operations.
    """
    try:
        patch = json.parse(verdict.patch)
        json_patch.check(patch, lenient=True)
    except (ValueError, errors.StatusError) as error:
        raise CallingFailed(candidate.webhook.name,
                            f"received undecodable patch in webhook response: {error}", _UNAVAILABLE) from None
    return patch or []


def annotation(candidate: Candidate, patch: list[Any]) -> str:
    """What the audit log is told about a patch."""
    webhook = candidate.webhook
    return orjson.dumps({"configuration": webhook.configuration, "webhook": webhook.name, "patch": patch,
                         "patchType": JSON_PATCH}).decode()
