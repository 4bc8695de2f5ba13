"""``selfsubjectrulesreviews``: all that the asking user may do in a namespace."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.authorization.interfaces import IAuthorizer, IRuleResolver, Rules
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.scopes import posted_scope
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.special.posting import Posted, post_handler
from kube_twisted.registry.strategy import Obj

_GROUP_VERSION = GroupVersion("authorization.k8s.io", "v1")
_KIND = _GROUP_VERSION.kind("SelfSubjectRulesReview")


def self_subject_rules_reviews(options: RESTOptions) -> Mapping[str, Handler]:
    scope = posted_scope(options, _GROUP_VERSION.resource("selfsubjectrulesreviews"), _KIND)
    return {"create": post_handler(scope, partial(_review, options.authorizer))}


async def _review(authorizer: IAuthorizer, posted: Posted) -> Obj:
    """:raises StatusError: 400."""
    namespace = (posted.obj.get("spec") or {}).get("namespace")
    if not namespace:
        raise errors.bad_request("no namespace on request")
    await posted.validate()
    resolver = IRuleResolver(authorizer, None)
    rules = await resolver.rules_for(posted.request.user, namespace) if resolver is not None \
        else Rules(incomplete=True)
    return {"kind": _KIND.kind, "apiVersion": _KIND.api_version, "metadata": {}, "spec": {},
            "status": _status(rules)}


def _status(rules: Rules) -> dict[str, Any]:
    status: dict[str, Any] = {
        "resourceRules": [
            _without_empty({"verbs": one.verbs, "apiGroups": one.groups, "resources": one.resources,
                            "resourceNames": one.names}) for one in rules.resources],
        "nonResourceRules": [_without_empty({"verbs": one.verbs, "nonResourceURLs": one.urls})
                             for one in rules.urls],
        "incomplete": rules.incomplete}
    if rules.error:
        status["evaluationError"] = rules.error
    return status


def _without_empty(rule: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """A rule always has verbs; what else is empty is left out."""
    return {key: list(value) for key, value in rule.items() if value or key == "verbs"}
