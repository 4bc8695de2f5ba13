"""AdmissionReviews as webhooks are sent them (admission.k8s.io/v1 and v1beta1, which have the same fields)."""

from __future__ import annotations

from typing import Any

import orjson

from kube_twisted.admission.attributes import Attributes
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.api.user import UserInfo

GROUP, KIND = "admission.k8s.io", "AdmissionReview"
Obj = dict[str, Any]
#: The kinds of options, and what of them a webhook is shown.
_OPTIONS = {"CREATE": "CreateOptions", "UPDATE": "UpdateOptions", "DELETE": "DeleteOptions"}
_OPTIONS_VERSION = "meta.k8s.io/v1"


def write_review(version: str, uid: str, kind: GroupVersionKind, resource: GroupVersionResource,
                 attributes: Attributes, obj: Obj | None, old: Obj | None) -> bytes:
    """The review that asks a webhook about a write.

    :param version: of the review.
    :param kind: and ``resource``: which the webhook's rules name.
    :param obj: the object as the webhook wants to see it; ``old`` likewise.
    """
    return orjson.dumps({
        "kind": KIND, "apiVersion": f"{GROUP}/{version}",
        "request": request_of(uid, kind, resource, attributes, obj, old)})


def request_of(uid: str, kind: GroupVersionKind, resource: GroupVersionResource, attributes: Attributes,
               obj: Obj | None, old: Obj | None) -> Obj:
    """The ``request`` of a review."""
    request: Obj = {"uid": uid, "kind": kind_of(kind), "resource": resource_of(resource)}
    if attributes.subresource:
        request["subResource"] = attributes.subresource
    request |= {"requestKind": kind_of(attributes.kind), "requestResource": resource_of(attributes.resource)}
    if attributes.subresource:
        request["requestSubResource"] = attributes.subresource
    request |= {key: value for key, value in (("name", attributes.name), ("namespace", attributes.namespace)) if value}
    request |= {"operation": attributes.operation, "userInfo": _user(attributes.user), "object": obj,
                "oldObject": old, "dryRun": attributes.dry_run, "options": options_of(attributes)}
    return request


def options_of(attributes: Attributes) -> Obj | None:
    """The options of the write as an object; those of a patch are an update's, or a creation's.

    What connections are made with is their object.
    """
    kind = _OPTIONS.get(attributes.operation)
    if kind is None:
        return None
    options = {name: value for name, value in attributes.options.items() if name != "force"}
    return {"kind": kind, "apiVersion": _OPTIONS_VERSION, **options}


def kind_of(kind: GroupVersionKind) -> Obj:
    return {"group": kind.group, "version": kind.version, "kind": kind.kind}


def resource_of(resource: GroupVersionResource) -> Obj:
    return {"group": resource.group, "version": resource.version, "resource": resource.resource}


def _user(user: UserInfo) -> Obj:
    shown: Obj = {}
    if user.name:
        shown["username"] = user.name
    if user.uid:
        shown["uid"] = user.uid
    if user.groups:
        shown["groups"] = list(user.groups)
    if user.extra:
        shown["extra"] = {key: list(values) for key, values in user.extra.items()}
    return shown
