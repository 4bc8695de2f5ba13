"""The spec of a claim inside a claim template."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.api.labels import validate_label_selector, validate_labels
from kube_twisted.api.names import dns_label, dns_subdomain
from kube_twisted.registry.podspec.annotations import validate_annotations
from kube_twisted.registry.podspec.quantities import parsed
from kube_twisted.registry.rules import messages

Obj = dict[str, Any]
Errors = list[FieldError]

_ACCESS_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
#: Fields whose names errors spell in another way: Go's, with a small first letter.
_SPELT = {"uid": "uID"}
#: The one number among them that is told from nothing.
_ZERO_IS_SET = "deletionGracePeriodSeconds"
_VOLUME_MODES = ("Block", "Filesystem")


def validate_claim_template(path: str, template: Obj) -> Errors:
    """The template of a generic ephemeral volume: of its metadata only labels and annotations may be set."""
    metadata = template.get("metadata") or {}
    errors = validate_annotations(f"{path}.metadata.annotations", metadata.get("annotations") or {})
    errors += validate_labels(metadata.get("labels") or {}, f"{path}.metadata.labels")
    errors += [forbidden(f"{path}.metadata.{_SPELT.get(name, name)}", "cannot be set")
               for name, content in metadata.items()
               if (content or name == _ZERO_IS_SET) and name not in ("annotations", "labels")]
    return errors + validate_claim_spec(f"{path}.spec", template.get("spec") or {})


def validate_claim_spec(path: str, spec: Obj) -> Errors:
    """Source: the API reference of PersistentVolumeClaimSpec."""
    errors = _access_modes(f"{path}.accessModes", spec)
    storage = f"{path}.resources[storage]"
    requested = ((spec.get("resources") or {}).get("requests") or {}).get("storage")
    if requested is None:
        errors.append(required(storage))
    elif parsed(requested).sign <= 0:
        errors.append(invalid(storage, requested, "must be greater than zero"))
    errors += _class_name(f"{path}.storageClassName", spec.get("storageClassName"))
    mode = spec.get("volumeMode")
    if mode is not None and mode not in _VOLUME_MODES:
        errors.append(not_supported(f"{path}.volumeMode", mode, _VOLUME_MODES))
    errors += _data_sources(path, spec)
    return errors + _class_name(f"{path}.volumeAttributesClassName", spec.get("volumeAttributesClassName"))


def _access_modes(path: str, spec: Obj) -> Errors:
    modes = spec.get("accessModes") or ()
    errors = [] if modes else [required(path, "at least 1 access mode is required")]
    if "selector" in spec:
        errors += validate_label_selector(spec["selector"], f"{path.rpartition('.')[0]}.selector")
    errors += [not_supported(path, mode, _ACCESS_MODES) for mode in modes if mode not in _ACCESS_MODES]
    known = {mode for mode in modes if mode in _ACCESS_MODES}
    if "ReadWriteOncePod" in known and len(known) > 1:
        errors.append(forbidden(path, "may not use ReadWriteOncePod with other access modes"))
    return errors


def _class_name(path: str, name: str | None) -> Errors:
    return messages(path, name, dns_subdomain(name)) if name else []


def _data_sources(path: str, spec: Obj) -> Errors:
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    errors: Errors = []
    if source is not None:
        errors += _reference(f"{path}.dataSource", source)
    if reference is not None:
        errors += _reference(f"{path}.dataSourceRef", reference)
        namespace = reference.get("namespace")
        if namespace:
            errors += messages(f"{path}.dataSourceRef.namespace", namespace, dns_label(namespace))
    if source is None or reference is None:
        return errors
    if reference.get("namespace"):
        errors.append(invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified"))
    elif any(source.get(name) != reference.get(name) for name in ("apiGroup", "kind", "name")):
        errors.append(invalid(path, {}, "must match dataSourceRef"))
    return errors


def _reference(path: str, reference: Obj) -> Errors:
    group, kind = reference.get("apiGroup") or "", reference.get("kind", "")
    errors = [required(f"{path}.{name}") for name in ("name", "kind") if not reference.get(name)]
    if not group and kind != "PersistentVolumeClaim":
        errors.append(invalid(path, kind,
                              "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
    return errors + (messages(f"{path}.apiGroup", group, dns_subdomain(group)) if group else [])
