"""``pods/binding`` and ``bindings``: put a pod on a node, once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, not_supported, required, to_aggregate
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.special.scopes import posted_scope
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.special.posting import Posted, post_handler, success
from kube_twisted.registry.core.pod_conditions import set_pod_condition
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.update_checks import not_as_thought
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import PreconditionFailed

_V1 = GroupVersion("", "v1")
_BINDING = GroupResource("", "pods/binding")
_ATTEMPTS = 30


def pod_binding(options: RESTOptions) -> Mapping[str, Handler]:
    """The subresource of a pod."""
    scope = posted_scope(options, _V1.resource("pods"), _V1.kind("Binding"), namespaced=True,
                         subresource="binding")
    return {"create": post_handler(scope, partial(_bind, options.stores), keep_system_fields=True)}


def bindings(options: RESTOptions) -> Mapping[str, Handler]:
    """The resource from before there were subresources."""
    scope = posted_scope(options, _V1.resource("bindings"), _V1.kind("Binding"), namespaced=True)
    return {"create": post_handler(scope, partial(_bind, options.stores))}


async def _bind(stores: Stores, posted: Posted) -> Obj:
    """:raises StatusError: 400, 404, 409; 500 for a target that is none, as the original answers."""
    binding = posted.obj
    if binding["metadata"].get("name", "") != posted.name:
        raise errors.bad_request("name in URL does not match name in Binding object")
    failures = _validate(binding.get("target") or {})
    if failures:
        raise errors.plain_internal(to_aggregate(failures))
    await posted.validate()
    await _assign(stores, posted)
    return success()


def _validate(target: Obj) -> list[FieldError]:
    failures = []
    if target.get("kind") not in (None, "", "Node"):
        failures.append(not_supported("target.kind", target["kind"], ("Node", "<empty>")))
    if not target.get("name"):
        failures.append(required("target.name"))
    return failures


async def _assign(stores: Stores, posted: Posted) -> None:
    store = stores.store("", "pods")
    assert store is not None
    item: CachedObject | None = store.lookup(posted.namespace, posted.name)
    for _ in range(_ATTEMPTS):
        if item is None:
            raise errors.not_found(store.resource, posted.name)
        pod = item.parse()
        _check_preconditions(store, posted, pod["metadata"])
        _assigned(pod, posted.obj, posted.writing.now)
        try:
            await store.save(posted.writing.write, item, pod)
        except PreconditionFailed as failure:
            item = store.cache.cached(failure.current) if failure.current is not None else None
        else:
            return
    raise errors.conflict(store.resource, posted.name, errors.MODIFIED)


def _check_preconditions(store: Store, posted: Posted, meta: Obj) -> None:
    """The uid and resourceVersion of the binding, where it has them, are those of the pod it is about."""
    wanted = posted.obj["metadata"]
    failure = ""
    if wanted.get("uid") and wanted["uid"] != meta["uid"]:
        failure = f"UID in precondition: {wanted['uid']}, UID in object meta: {meta['uid']}"
    elif wanted.get("resourceVersion") and wanted["resourceVersion"] != meta["resourceVersion"]:
        failure = (f"ResourceVersion in precondition: {wanted['resourceVersion']}, ResourceVersion in object "
                   f"meta: {meta['resourceVersion']}")
    if failure:
        raise not_as_thought(store, posted.writing.write, posted.name, failure)


def _assigned(pod: Obj, binding: Obj, now: str) -> None:
    """Change the pod as the binding wants it; its labels and annotations are added to the pod's."""
    meta, spec, name = pod["metadata"], pod["spec"], pod["metadata"]["name"]
    if meta.get("deletionTimestamp"):
        raise errors.conflict(_BINDING, name, f"pod {name} is being deleted, cannot be assigned to a host")
    if spec.get("nodeName"):
        raise errors.conflict(_BINDING, name, f'pod {name} is already assigned to node "{spec["nodeName"]}"')
    if spec.get("schedulingGates"):
        raise errors.conflict(_BINDING, name, f"pod {name} has non-empty .spec.schedulingGates")
    spec["nodeName"] = binding["target"]["name"]
    (pod.get("status") or {}).pop("nominatedNodeName", None)
    for key in ("annotations", "labels"):
        added = binding["metadata"].get(key)
        if added:
            meta[key] = {**meta.get(key, {}), **added}
    set_pod_condition(pod, now, "PodScheduled")
