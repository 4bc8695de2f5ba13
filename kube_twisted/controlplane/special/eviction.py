"""``pods/eviction``: delete a pod, unless a disruption budget needs it.

Source: the Kubernetes documentation on API-initiated eviction.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from attrs import evolve

from kube_twisted.api import errors
from kube_twisted.api.field import invalid
from kube_twisted.api.gvk import GroupKind, GroupVersion
from kube_twisted.api.options import validate_delete_options
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.eviction_budget import Budgets, still_processed
from kube_twisted.controlplane.special.scopes import posted_scope
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.options import refuse_invalid
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.special.posting import Posted, post_handler, success
from kube_twisted.registry.core.pod import STATUS
from kube_twisted.registry.core.pod_conditions import set_pod_condition
from kube_twisted.registry.deletion import check_preconditions
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.write import Transform, Write, accept_create, accept_update

_POLICY = GroupVersion("policy", "v1")
_ACCEPTED = (_POLICY, GroupVersion("policy", "v1beta1"))
_UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential"
_ATTEMPTS = 20


def pod_eviction(options: RESTOptions) -> Mapping[str, Handler]:
    """The subresource of a pod."""
    scope = posted_scope(options, GroupVersion("", "v1").resource("pods"), _POLICY.kind("Eviction"),
                         namespaced=True, subresource="eviction")
    evictions = _Evictions(options.stores, Budgets(options.stores, options.schema, options.plans))
    return {"create": post_handler(scope, evictions.evict, accepts=_ACCEPTED)}


class _Evictions:
    def __init__(self, stores: Stores, budgets: Budgets) -> None:
        self._stores = stores
        self._budgets = budgets

    async def evict(self, posted: Posted) -> Obj:
        """:raises StatusError: 400, 404, 409, 422; 429 when a budget does not allow it."""
        if posted.obj["metadata"].get("name", "") != posted.name:
            raise errors.bad_request("name in URL does not match name in Eviction object")
        options = _delete_options(posted)
        await posted.validate()
        write = _write(posted, options)
        pod = await self._delete_if_ended(posted, write)
        if pod is None:
            return success()
        permission = await self._budgets.ask(write, pod)
        exact = permission.exact_version and not _wants_version(options)
        try:
            await self._delete(_at_version(write, pod) if exact else write, posted.name)
        except errors.StatusError as error:
            if exact and error.reason == "Conflict":
                raise still_processed(permission.budget) from error
            raise
        return success()

    async def _delete_if_ended(self, posted: Posted, write: Write) -> Obj | None:
        """Delete a pod that serves nobody, whatever the budgets; a pod that does is returned."""
        store = self._stores.store("", "pods")
        assert store is not None
        once = _wants_version(write.options)
        for attempt in range(_ATTEMPTS):
            pod = store.lookup(posted.namespace, posted.name).parse()
            if not _serves_nobody(pod):
                return pod
            exact = not once and not _has_ended(pod)
            try:
                await self._delete(_at_version(write, pod) if exact else write, posted.name)
            except errors.StatusError as error:
                if error.reason != "Conflict" or once or attempt == _ATTEMPTS - 1:
                    raise
            else:
                break
        return None

    async def _delete(self, write: Write, name: str) -> None:
        """Say in the pod's status why it goes, then delete it."""
        store = self._stores.store("", "pods")
        assert store is not None
        options = write.options
        if not write.dry_run:
            update = evolve(write, options={})
            item, _ = await store.update(update, name, _marked(store, options, write.ctx.now), accept_create,
                                         accept_update, strategy=STATUS)
            if _wants_version(options):
                options["preconditions"]["resourceVersion"] = str(item.revision)
        refuse_invalid("DeleteOptions", validate_delete_options(options))
        await store.delete(write, name, _accept_delete)


def _marked(store: Store, options: dict[str, Any], now: str) -> Transform:
    async def marked(old: Obj | None) -> Obj:
        assert old is not None
        check_preconditions(store, options.get("preconditions") or {}, old["metadata"])
        pod = deepcopy(old)
        set_pod_condition(pod, now, "DisruptionTarget", "EvictionByEvictionAPI", "Eviction API: evicting")
        return pod

    return marked


async def _accept_delete(_obj: Obj) -> None:
    """The eviction was admitted; the deletion is not asked about again."""


def _delete_options(posted: Posted) -> dict[str, Any]:
    """The DeleteOptions of the body, with the dry run of the query.

    :raises StatusError: 422 for one that no eviction may have, 500 when they contradict each other.
    """
    options: dict[str, Any] = posted.obj.get("deleteOptions") or {}
    if options.get(_UNSAFE):
        failure = invalid(f"deleteOptions.{_UNSAFE}", True,
                          "can not be set for pod eviction, try after removing the option")
        raise errors.invalid(GroupKind("policy", "Eviction"), posted.name, [failure])
    asked, wanted = posted.writing.options.get("dryRun") or [], options.get("dryRun") or []
    if asked and wanted and asked != wanted:
        raise errors.plain_internal("Non-matching dry-run options in request and content: "
                                    f"[{' '.join(asked)}] and [{' '.join(wanted)}]")
    return {**options, "dryRun": wanted or asked}


def _write(posted: Posted, options: dict[str, Any]) -> Write:
    write = posted.writing.write
    return evolve(write, ctx=evolve(write.ctx, dry_run=bool(options["dryRun"])), options=options, uid="")


def _at_version(write: Write, pod: Obj) -> Write:
    """The write with the pod's present version as a precondition."""
    preconditions = {**(write.options.get("preconditions") or {}),
                     "resourceVersion": pod["metadata"]["resourceVersion"]}
    return evolve(write, options={**write.options, "preconditions": preconditions})


def _wants_version(options: dict[str, Any]) -> bool:
    return (options.get("preconditions") or {}).get("resourceVersion") is not None


def _has_ended(pod: Obj) -> bool:
    phase = (pod.get("status") or {}).get("phase")
    return phase in ("Succeeded", "Failed") or bool(pod["metadata"].get("deletionTimestamp"))


def _serves_nobody(pod: Obj) -> bool:
    return _has_ended(pod) or (pod.get("status") or {}).get("phase") == "Pending"
