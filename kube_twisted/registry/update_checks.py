"""What the generic store checks of any update: versions that the client saw, and metadata."""

from __future__ import annotations

from typing import Protocol

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, go_quote, invalid
from kube_twisted.api.gvk import GroupKind, GroupResource
from kube_twisted.api.metadata import validate_kube_finalizers, validate_object_meta, validate_object_meta_update
from kube_twisted.api.names import path_segment
from kube_twisted.registry.repeated_checks import UPDATE, repeated_checks
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.registry.write import Write
from kube_twisted.storage.watch_cache import WatchCache

#: Before all keys; what a dry run tells is without it.
_ROOT = "/registry"


class Checked(Protocol):
    """What the checks need of a store."""

    resource: GroupResource
    namespaced: bool
    strategy: Strategy
    cache: WatchCache


def check_versions(store: Checked, write: Write, strategy: Strategy, meta: Obj, old: Obj) -> None:
    """Optimistic concurrency: the uid and resourceVersion that the client saw, where it says so.

    :param strategy: of the endpoint.
    :raises StatusError: 409; 422 for a missing version where one must be given.
    """
    name = old["name"]
    if write.uid and write.uid != old["uid"]:
        raise uid_mismatch(store, write, name, old["uid"])
    version = meta.get("resourceVersion", "")
    if version and not version.isdecimal():
        raise errors.plain_internal(f"strconv.ParseUint: parsing {go_quote(version)}: invalid syntax")
    if version in ("", "0"):
        if not strategy.allow_unconditional_update:
            missing = invalid("metadata.resourceVersion", 0, "must be specified for an update")
            raise errors.invalid(GroupKind(store.resource.group, store.resource.resource), name, [missing])
        meta["resourceVersion"] = old["resourceVersion"]
    elif version != old["resourceVersion"]:
        raise errors.conflict(store.resource, name, errors.MODIFIED)


def uid_mismatch(store: Checked, write: Write, name: str, uid: str) -> errors.StatusError:
    """409: the object is another one than the client means."""
    return not_as_thought(store, write, name, f"UID in precondition: {write.uid}, UID in object meta: {uid}")


def not_as_thought(store: Checked, write: Write, name: str, why: str) -> errors.StatusError:
    """409: the object is not what the client thinks it is."""
    key = store.cache.key(write.namespace, name)
    if write.dry_run:
        key = key.removeprefix(_ROOT)
    return errors.conflict(
        store.resource, name, f"StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, "
        f"AdditionalErrorMsg: Precondition failed: {why}")


def metadata_failures(store: Checked, strategy: Strategy, meta: Obj, old: Obj) -> list[FieldError]:
    """What is wrong with changed metadata, as often as the original says so.

    :param strategy: of the endpoint.
    """
    update = validate_object_meta_update(meta, old)
    finalizers = finalizer_failures(store, meta)
    failures = validate_object_meta(meta, store.namespaced, path_segment) + update
    if failures or finalizers or meta.get("generateName"):
        for check in repeated_checks(store.resource, strategy is not store.strategy):
            failures += update if check == UPDATE else validate_object_meta(
                meta, store.namespaced, store.strategy.validate_name)
            failures += finalizers
    return failures


def finalizer_failures(store: Checked, meta: Obj) -> list[FieldError]:
    """Finalizers without a domain, where they are refused."""
    finalizers = meta.get("finalizers")
    if not finalizers or not store.strategy.strict_finalizers:
        return []
    return validate_kube_finalizers(finalizers, "metadata.finalizers")


def check_preconditions(resource: GroupResource, preconditions: Obj, meta: Obj) -> None:
    """What a DELETE of something that is deleted in two steps means.

    :raises StatusError: 409 when the object is not the one that the client means.
    """
    for asked, field in (("uid", "UID"), ("resourceVersion", "ResourceVersion")):
        wanted = preconditions.get(asked)
        if wanted is not None and wanted != meta[asked]:
            raise errors.conflict(resource, meta["name"], f"Precondition failed: {field} in precondition: {wanted}, "
                                                          f"{field} in object meta: {meta[asked]}")
