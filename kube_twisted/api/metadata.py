"""Validation of ObjectMeta: on creation, on update, and the parts that other objects embed.

Source: apimachinery's ``pkg/api/validation`` and the API reference's "ObjectMeta". Times are RFC 3339 texts,
absent fields are missing keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, go_quote, invalid, required, too_long
from kube_twisted.api.labels import validate_labels
from kube_twisted.api.names import byte_length, dns_label, qualified_name
from kube_twisted.api.options import validate_field_manager

Meta = Mapping[str, Any]
#: Messages about a name, or about a generateName when the second argument is True.
NameCheck = Callable[[str, bool], list[str]]

IMMUTABLE = "field is immutable"
MAX_ANNOTATIONS_BYTES = 256 * 1024
ORPHAN, FOREGROUND = "orphan", "foregroundDeletion"

_MAX_SUBRESOURCE_BYTES = 256
_STANDARD_FINALIZERS = ("kubernetes", ORPHAN, FOREGROUND)
#: Immutable fields, and what a missing one is in a message.
_IMMUTABLE_FIELDS: tuple[tuple[str, str | None], ...] = (
    ("name", ""), ("namespace", ""), ("uid", ""), ("creationTimestamp", None), ("deletionTimestamp", None),
    ("deletionGracePeriodSeconds", None))
_OWNER_FIELDS = ("apiVersion", "kind", "name", "uid")
_OWNER_FLAGS = ("controller", "blockOwnerDeletion")


def validate_object_meta(meta: Meta, namespaced: bool, name_check: NameCheck,
                         path: str = "metadata") -> list[FieldError]:
    """All that is wrong with a new object's metadata, once its name has been generated."""
    errors = _name_errors(meta, name_check, path) + _namespace_errors(meta, namespaced, path)
    if (generation := meta.get("generation", 0)) < 0:
        errors.append(invalid(f"{path}.generation", generation, "must be greater than or equal to 0"))
    errors += _written_errors(meta, path)
    if finalizers := meta.get("finalizers"):
        errors += validate_finalizers(finalizers, f"{path}.finalizers")
    if entries := meta.get("managedFields"):
        errors += validate_managed_fields(entries, f"{path}.managedFields")
    return errors


def _name_errors(meta: Meta, name_check: NameCheck, path: str) -> list[FieldError]:
    errors: list[FieldError] = []
    prefix, name = meta.get("generateName", ""), meta.get("name", "")
    if prefix and (messages := name_check(prefix, True)):
        errors += [invalid(f"{path}.generateName", prefix, message) for message in messages]
    if name:
        if messages := name_check(name, False):
            errors += [invalid(f"{path}.name", name, message) for message in messages]
    else:
        errors.append(required(f"{path}.name", "name or generateName is required"))
    return errors


def _namespace_errors(meta: Meta, namespaced: bool, path: str) -> list[FieldError]:
    namespace = meta.get("namespace", "")
    if not namespaced:
        return [forbidden(f"{path}.namespace", "not allowed on this type")] if namespace else []
    if not namespace:
        return [required(f"{path}.namespace")]
    return [invalid(f"{path}.namespace", namespace, message) for message in dns_label(namespace)]


def validate_object_meta_update(new: Meta, old: Meta, path: str = "metadata") -> list[FieldError]:
    """All that is wrong with a change of an object's metadata."""
    errors = []
    if old.get("deletionTimestamp"):
        errors += _no_new_finalizers(new.get("finalizers") or (), old.get("finalizers") or (), path)
    if not new.get("resourceVersion"):
        errors.append(invalid(f"{path}.resourceVersion", "", "must be specified for an update"))
    if (generation := new.get("generation", 0)) < old.get("generation", 0):
        errors.append(invalid(f"{path}.generation", generation, "must not be decremented"))
    for name, missing in _IMMUTABLE_FIELDS:
        if (value := new.get(name, missing)) != old.get(name, missing):
            errors.append(invalid(f"{path}.{name}", value, IMMUTABLE))
    errors += _written_errors(new, path)
    if entries := new.get("managedFields"):
        errors += validate_managed_fields(entries, f"{path}.managedFields")
    return errors


def _written_errors(meta: Meta, path: str) -> list[FieldError]:
    """What people write: labels, annotations, owners."""
    errors: list[FieldError] = []
    if labels := meta.get("labels"):
        errors += validate_labels(labels, f"{path}.labels")
    if annotations := meta.get("annotations"):
        errors += validate_annotations(annotations, f"{path}.annotations")
    if references := meta.get("ownerReferences"):
        errors += validate_owner_references(references, f"{path}.ownerReferences")
    return errors


def _no_new_finalizers(new: Sequence[str], old: Sequence[str], path: str) -> list[FieldError]:
    added = sorted(set(new) - set(old))
    if not added:
        return []
    listed = ", ".join(map(go_quote, added))
    return [forbidden(f"{path}.finalizers", "no new finalizers can be added if the object is being deleted, "
                                            f"found new finalizers []string{{{listed}}}")]


def validate_annotations(annotations: Mapping[str, str], path: str) -> list[FieldError]:
    """Keys are qualified names in any case; all keys and values together have up to 256 KiB."""
    errors: list[FieldError] = []
    size = 0
    for key, value in annotations.items():
        if messages := qualified_name(key.lower()):
            errors += [invalid(path, key, message) for message in messages]
        size += byte_length(key) + byte_length(value)
    if size > MAX_ANNOTATIONS_BYTES:
        errors.append(too_long(path, MAX_ANNOTATIONS_BYTES))
    return errors


def validate_owner_references(references: Sequence[Meta], path: str) -> list[FieldError]:
    """Each owner is named in full, is no Event, and only one is the controller."""
    errors = []
    controller = ""
    for reference in references:
        errors += _owner_errors(reference, path)
        if not reference.get("controller"):
            continue
        name = f"{reference.get('kind', '')}/{reference.get('name', '')}"
        if controller:
            errors.append(invalid(path, [_owner_value(one) for one in references],
                                  "Only one reference can have Controller set to true. "
                                  f'Found "true" in references for {controller} and {name}'))
        controller = controller or name
    return errors


def _owner_errors(reference: Meta, path: str) -> list[FieldError]:
    errors = []
    api_version = reference.get("apiVersion", "")
    version = api_version.rpartition("/")[2] if api_version.count("/") < 2 else ""
    if not version:
        errors.append(invalid(f"{path}.apiVersion", api_version, "version must not be empty"))
    errors += [invalid(f"{path}.{name}", "", "must not be empty")
               for name in _OWNER_FIELDS[1:] if not reference.get(name)]
    if api_version == "v1" and reference.get("kind") == "Event":
        errors.append(invalid(path, _owner_value(reference),
                              "/v1, Kind=Event is disallowed from being an owner"))
    return errors


def _owner_value(reference: Meta) -> dict[str, Any]:
    """The reference in the order of its fields, for a message."""
    return {**{name: reference.get(name, "") for name in _OWNER_FIELDS},
            **{name: reference[name] for name in _OWNER_FLAGS if name in reference}}


def validate_finalizers(finalizers: Sequence[str], path: str) -> list[FieldError]:
    """Finalizers are qualified names; the two of garbage collection exclude each other."""
    errors = [invalid(path, one, message) for one in finalizers for message in qualified_name(one)]
    if ORPHAN in finalizers and FOREGROUND in finalizers:
        errors.append(invalid(path, list(finalizers),
                              f"finalizer {ORPHAN} and {FOREGROUND} cannot be both set"))
    return errors


def validate_kube_finalizers(finalizers: Sequence[str],
                             path: str = "metadata.finalizers") -> list[FieldError]:
    """The further rule of many built-in kinds: a finalizer without a domain is one of the standard ones."""
    message = "name is neither a standard finalizer name nor is it fully qualified"
    return [invalid(f"{path}[{index}]", one, message)
            for index, one in enumerate(finalizers) if "/" not in one and one not in _STANDARD_FINALIZERS]


def validate_managed_fields(entries: Sequence[Meta], path: str) -> list[FieldError]:
    """The entries of server-side apply, as far as a client may write them."""
    errors: list[FieldError] = []
    for index, entry in enumerate(entries):
        here = f"{path}[{index}]"
        if (operation := entry.get("operation", "")) not in ("Apply", "Update"):
            errors.append(invalid(f"{here}.operation", operation, "must be `Apply` or `Update`"))
        if (fields_type := entry.get("fieldsType", "")) not in ("", "FieldsV1"):
            errors.append(invalid(f"{here}.fieldsType", fields_type, "must be `FieldsV1`"))
        errors += validate_field_manager(entry.get("manager", ""), f"{here}.manager")
        if "subresource" in entry and byte_length(entry["subresource"]) > _MAX_SUBRESOURCE_BYTES:
            errors.append(too_long(f"{here}.subresource", _MAX_SUBRESOURCE_BYTES))
    return errors
