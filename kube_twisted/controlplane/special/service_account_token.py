"""``serviceaccounts/token``: TokenRequest.

Source: KEP-1205; the Kubernetes API reference of TokenRequest.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, invalid
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.api.timefmt import format_time, parse_time
from kube_twisted.authentication.jwt import parse
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.scopes import posted_scope
from kube_twisted.controlplane.special.token_issuer import TokenIssuer
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.special.posting import Posted, post_handler
from kube_twisted.registry.strategy import Obj, Strategy

_KIND = GroupVersion("authentication.k8s.io", "v1").kind("TokenRequest")
#: What the audit log is told of the token.
_ISSUED = "authentication.kubernetes.io/issued-credential-id"
_DEFAULT_SECONDS = 60 * 60
_LEAST_SECONDS = 10 * 60
_MOST_SECONDS = 1 << 32
#: Kind of what a token may be bound to -> its resource.
_BINDABLE = {"Pod": "pods", "Node": "nodes", "Secret": "secrets"}


class _Defaults(Strategy):
    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        if spec.get("expirationSeconds") is None:
            spec["expirationSeconds"] = _DEFAULT_SECONDS


def service_account_token(options: RESTOptions) -> Mapping[str, Handler]:
    """The subresource of a service account."""
    scope = posted_scope(options, GroupVersion("", "v1").resource("serviceaccounts"), _KIND, namespaced=True,
                         subresource="token", strategy=_Defaults())
    requests = _TokenRequests(options.stores, options.token_issuer)
    return {"create": post_handler(scope, requests.answer, keep_system_fields=True)}


@frozen
class _TokenRequests:
    stores: Stores
    issuer: TokenIssuer

    async def answer(self, posted: Posted) -> Obj:
        """:raises StatusError: 400, 404, 409, 422."""
        account = self._account(posted)
        request = posted.obj
        spec = request["spec"]
        if not spec.get("audiences"):
            spec["audiences"] = list(self.issuer.audiences)
        self._complete(request["metadata"], account["metadata"], posted.writing.now)
        failures = _validate(spec["expirationSeconds"])
        if failures:
            raise errors.invalid(_KIND.group_kind, "", failures)
        await posted.validate()
        bound = self._bound(posted, spec.get("boundObjectRef"))
        token = self.issuer.issue(account, bound, spec["audiences"], spec["expirationSeconds"])
        if posted.request.recording is not None:
            posted.request.annotate(_ISSUED, f"JTI={parse(token).claims['jti']}")
        expiry = parse_time(posted.writing.now) + timedelta(seconds=spec["expirationSeconds"])
        return {**request, "spec": _shown(spec),
                "status": {"token": token, "expirationTimestamp": format_time(expiry)}}

    def _account(self, posted: Posted) -> Obj:
        """The service account that the URL names."""
        name, meta = posted.name, posted.obj["metadata"]
        if meta.get("name") and meta["name"] != name:
            raise errors.invalid(_KIND.group_kind, name, [invalid(
                "metadata.name", meta["name"], "must match the service account name if specified")])
        account = self._get("serviceaccounts", posted.namespace, name)
        uid = account["metadata"]["uid"]
        if meta.get("uid") and meta["uid"] != uid:
            raise errors.conflict(GroupResource(_KIND.group, _KIND.kind), name,
                                  f"the UID in the token request ({meta['uid']}) does not match the UID of "
                                  f"the service account ({uid})")
        return account

    @staticmethod
    def _complete(meta: Obj, account: Obj, now: str) -> None:
        managed = meta.pop("managedFields", None)
        for key in ("name", "namespace", "uid"):
            meta[key] = account[key]
        meta["creationTimestamp"] = now
        if managed:
            meta["managedFields"] = managed

    def _bound(self, posted: Posted, reference: Obj | None) -> Mapping[str, Obj]:
        """What the token is bound to: by pod, node or secret."""
        if reference is None:
            return {}
        group_version = GroupVersion.parse(reference.get("apiVersion", ""))
        kind, name = reference.get("kind", ""), reference.get("name", "")
        if group_version.group or kind not in _BINDABLE:
            raise errors.bad_request(f"cannot bind token to object of type {_go_kind(group_version, kind)}")
        obj = self._get(_BINDABLE[kind], "" if kind == "Node" else posted.namespace, name)
        bound = {kind.lower(): obj}
        if kind == "Pod":
            bound.update(self._node_of(obj, posted.name))
        uid = obj["metadata"]["uid"]
        if reference.get("uid") and reference["uid"] != uid:
            raise errors.conflict(GroupResource("", kind), name,
                                  f"the UID in the bound object reference ({reference['uid']}) does not "
                                  "match the UID in record. The object might have been deleted and then "
                                  "recreated")
        return bound

    def _node_of(self, pod: Obj, account: str) -> dict[str, Obj]:
        """The node that the pod runs on; its name alone when it is not there."""
        if pod["spec"].get("serviceAccountName") != account:
            raise errors.bad_request(f'cannot bind token for serviceaccount "{account}" to pod running with '
                                     "different serviceaccount name.")
        name = pod["spec"].get("nodeName")
        if not name:
            return {}
        return {"node": self.stores.peek("", "nodes", "", name) or {"metadata": {"name": name}}}

    def _get(self, resource: str, namespace: str, name: str) -> Obj:
        if not name:
            raise errors.bad_request("Name parameter required.")
        obj = self.stores.peek("", resource, namespace, name)
        if obj is None:
            raise errors.not_found(GroupResource("", resource), name)
        return obj


def _validate(seconds: int) -> list[FieldError]:
    path = "spec.expirationSeconds"
    if seconds < _LEAST_SECONDS:
        return [invalid(path, seconds, "may not specify a duration less than 10 minutes")]
    if seconds > _MOST_SECONDS:
        return [invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")]
    return []


def _shown(spec: Obj) -> Obj:
    """The spec as answered: a token that is bound to nothing says so."""
    return {"audiences": spec["audiences"], "expirationSeconds": spec["expirationSeconds"],
            "boundObjectRef": spec.get("boundObjectRef")}


def _go_kind(group_version: GroupVersion, kind: str) -> str:
    return f"{group_version.group}/{group_version.version}, Kind={kind}"
