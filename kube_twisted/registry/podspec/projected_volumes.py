"""Volumes made of files: ConfigMaps, Secrets, the downward API, and projections of several sources."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, required
from kube_twisted.registry.podspec.faultless import remembering_faultless
from kube_twisted.registry.podspec.paths import file_mode, not_reserved
from kube_twisted.registry.podspec.references import FILE_FIELDS, field_reference, resource_reference

Obj = dict[str, Any]
Errors = list[FieldError]

_KINDS = ("secret", "configMap", "downwardAPI", "serviceAccountToken")
_CONFLICT = "conflicting duplicate paths"
_SHORTEST_TOKEN = 600
_LONGEST_TOKEN = 1 << 32


def validate_files(path: str, source: Obj, name: str) -> Errors:
    """A ``secret`` or ``configMap`` volume; ``name`` is the field that names the object."""
    errors = [] if source.get(name) else [required(f"{path}.{name}")]
    errors += file_mode(f"{path}.defaultMode", source.get("defaultMode"))
    return errors + _items(path, source)


def _items(path: str, source: Obj) -> Errors:
    errors: Errors = []
    for index, item in enumerate(source.get("items") or ()):
        errors += _item(f"{path}.items[{index}]", item)
    return errors


def _item(path: str, item: Obj) -> Errors:
    errors = [required(f"{path}.{name}") for name in ("key", "path") if not item.get(name)]
    errors += not_reserved(f"{path}.path", item.get("path", ""))
    return errors + file_mode(f"{path}.mode", item.get("mode"))


def validate_downward(path: str, source: Obj) -> Errors:
    """A ``downwardAPI`` volume."""
    errors = file_mode(f"{path}.defaultMode", source.get("defaultMode"))
    for item in source.get("items") or ():
        errors += _downward_file(path, item)
    return errors


def _downward_file(path: str, item: Obj) -> Errors:
    target = item.get("path", "")
    errors = [] if target else [required(f"{path}.path")]
    errors += not_reserved(f"{path}.path", target)
    if "fieldRef" in item:
        errors += field_reference(f"{path}.fieldRef", item["fieldRef"], FILE_FIELDS)
        if "resourceFieldRef" in item:
            errors.append(invalid(path, "resource",
                                  "fieldRef and resourceFieldRef can not be specified simultaneously"))
    elif "resourceFieldRef" in item:
        errors += resource_reference(f"{path}.resourceFieldRef", item["resourceFieldRef"], in_file=True)
    else:
        errors.append(required(path, "one of fieldRef and resourceFieldRef is required"))
    return errors + file_mode(f"{path}.mode", item.get("mode"))


@remembering_faultless
def validate_projected(path: str, source: Obj, any_token_path: bool) -> Errors:
    """A ``projected`` volume.

    :param any_token_path: paths of tokens may leave the volume, since the stored ones do.
    """
    errors = file_mode(f"{path}.defaultMode", source.get("defaultMode"))
    taken: set[str] = set()
    for index, projection in enumerate(source.get("sources") or ()):
        here = f"{path}.sources[{index}]"
        for kind in ("secret", "configMap"):
            if kind in projection:
                errors += _projected_files(path, f"{here}.{kind}", projection[kind], taken)
        if "downwardAPI" in projection:
            for item in projection["downwardAPI"].get("items") or ():
                errors += _downward_file(f"{here}.downwardAPI", item)
                errors += _conflicts(path, item.get("path", ""), item.get("path", ""), taken)
        if "serviceAccountToken" in projection:
            errors += _token(path, f"{here}.serviceAccountToken", projection["serviceAccountToken"],
                             any_token_path)
        if len(projection) > 1 and sum(kind in projection for kind in _KINDS) > 1:
            errors.append(forbidden(here, "may not specify more than 1 volume type per source"))
    return errors


def _projected_files(volume: str, path: str, source: Obj, taken: set[str]) -> Errors:
    name = source.get("name", "")
    errors = [] if name else [required(f"{path}.name")]
    for index, item in enumerate(source.get("items") or ()):
        errors += _item(f"{path}.items[{index}]", item)
        errors += _conflicts(volume, item.get("path", ""), name, taken)
    return errors


def _conflicts(volume: str, target: str, named: str, taken: set[str]) -> Errors:
    if target in taken:
        return [invalid(volume, named, _CONFLICT)]
    if target:
        taken.add(target)
    return []


def _token(volume: str, path: str, token: Obj, any_path: bool) -> Errors:
    seconds, target = token.get("expirationSeconds", 0), token.get("path", "")
    errors: Errors = []
    if seconds < _SHORTEST_TOKEN:
        errors.append(invalid(f"{path}.expirationSeconds", seconds,
                              "may not specify a duration less than 10 minutes"))
    if seconds > _LONGEST_TOKEN:
        errors.append(invalid(f"{path}.expirationSeconds", seconds,
                              "may not specify a duration larger than 2^32 seconds"))
    if not target:
        errors.append(required(f"{volume}.path"))
    elif not any_path:
        errors += not_reserved(f"{volume}.path", target)
    return errors
