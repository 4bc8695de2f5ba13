"""``subjectaccessreviews``, and the ones for a namespace and for oneself: may somebody do it?

Source: the Kubernetes API reference of SubjectAccessReview.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError
from kube_twisted.api.gvk import GroupKind, GroupVersion
from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special import access_review_validation as validation
from kube_twisted.controlplane.special.access_review_attributes import Question, question
from kube_twisted.controlplane.special.scopes import posted_scope
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.special.posting import Posted, post_handler
from kube_twisted.registry.strategy import Obj

_GROUP_VERSION = GroupVersion("authorization.k8s.io", "v1")
#: The original leaves the kind's name out of these errors.
_NAMELESS = GroupKind(_GROUP_VERSION.group, "")
Validate = Callable[[Obj], list[FieldError]]
Subject = Callable[[Posted], UserInfo]


def subject_access_reviews(options: RESTOptions) -> Mapping[str, Handler]:
    return _reviews(options, "SubjectAccessReview", validation.subject_access_review, _named_subject)


def local_subject_access_reviews(options: RESTOptions) -> Mapping[str, Handler]:
    return _reviews(options, "LocalSubjectAccessReview", validation.local_subject_access_review,
                    _named_subject, namespaced=True)


def self_subject_access_reviews(options: RESTOptions) -> Mapping[str, Handler]:
    return _reviews(options, "SelfSubjectAccessReview", validation.self_subject_access_review,
                    _asking_subject)


def _reviews(options: RESTOptions, kind: str, validate: Validate, subject: Subject, *,
             namespaced: bool = False) -> Mapping[str, Handler]:
    resource = _GROUP_VERSION.resource(kind.lower() + "s")
    scope = posted_scope(options, resource, _GROUP_VERSION.kind(kind), namespaced=namespaced)
    return {"create": post_handler(scope, partial(_review, options.authorizer, validate, subject))}


async def _review(authorizer: IAuthorizer, validate: Validate, subject: Subject, posted: Posted) -> Obj:
    failures = validate(posted.obj)
    if failures:
        raise errors.invalid(_NAMELESS, "", failures)
    await posted.validate()
    return {**posted.obj, "status": await _answer(authorizer, question(posted.obj["spec"], subject(posted)))}


async def _answer(authorizer: IAuthorizer, asked: Question) -> dict[str, Any]:
    decision = await authorizer.authorize(asked.attributes)
    status: dict[str, Any] = {"allowed": decision.allowed}
    if decision.denied:
        status["denied"] = True
    if decision.reason:
        status["reason"] = decision.reason
    if asked.problems:
        status["evaluationError"] = "; ".join(asked.problems)
    return status


def _named_subject(posted: Posted) -> UserInfo:
    spec = posted.obj["spec"]
    extra = {key: tuple(values) for key, values in (spec.get("extra") or {}).items()}
    return UserInfo(spec.get("user", ""), spec.get("uid", ""), tuple(spec.get("groups") or ()), extra)


def _asking_subject(posted: Posted) -> UserInfo:
    return posted.request.user
