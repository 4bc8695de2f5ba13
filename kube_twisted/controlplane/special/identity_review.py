"""``tokenreviews``: who holds this token? And ``selfsubjectreviews``: who am I?

Source: the Kubernetes API reference of the group authentication.k8s.io; KEP-3325.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.api.user import UserInfo
from kube_twisted.authentication.token_review import TokenReviewer
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.scopes import posted_scope
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.special.posting import Posted, post_handler
from kube_twisted.registry.strategy import Obj

_GROUP_VERSION = GroupVersion("authentication.k8s.io", "v1")


def token_reviews(options: RESTOptions) -> Mapping[str, Handler]:
    scope = posted_scope(options, _GROUP_VERSION.resource("tokenreviews"), _GROUP_VERSION.kind("TokenReview"))
    return {"create": post_handler(scope, partial(_review_token, options.token_reviewer))}


def self_subject_reviews(options: RESTOptions) -> Mapping[str, Handler]:
    scope = posted_scope(options, _GROUP_VERSION.resource("selfsubjectreviews"),
                         _GROUP_VERSION.kind("SelfSubjectReview"))
    return {"create": post_handler(scope, _review_self)}


async def _review_token(reviewer: TokenReviewer, posted: Posted) -> Obj:
    """:raises StatusError: 400."""
    spec = posted.obj.get("spec", {})
    if not spec.get("token"):
        raise errors.bad_request("token is required for TokenReview in authentication")
    await posted.validate()
    review = await reviewer.review(spec["token"], spec.get("audiences") or ())
    status: dict[str, Any] = {"authenticated": True} if review.user is not None else {}
    status["user"] = _user_info(review.user) if review.user is not None else {}
    if review.audiences:
        status["audiences"] = list(review.audiences)
    if review.error:
        status["error"] = review.error
    return {**posted.obj, "status": status}


async def _review_self(posted: Posted) -> Obj:
    await posted.validate()
    kind = _GROUP_VERSION.kind("SelfSubjectReview")
    return {"kind": kind.kind, "apiVersion": kind.api_version,
            "metadata": {"creationTimestamp": posted.writing.now},
            "status": {"userInfo": _user_info(posted.request.user)}}


def _user_info(user: UserInfo) -> dict[str, Any]:
    info: dict[str, Any] = {"username": user.name, "uid": user.uid, "groups": list(user.groups),
                            "extra": {key: list(user.extra[key]) for key in sorted(user.extra)}}
    return {key: value for key, value in info.items() if value}
