"""Validation of a request's options: ListOptions, CreateOptions, UpdateOptions, PatchOptions, DeleteOptions.

Options are dicts as decoded from the query or the body: ``dryRun`` is a list of texts, flags are booleans, an
option that was not given is a missing key. Source: apimachinery's ``meta/v1/validation`` and
``meta/internalversion``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required, too_long
from kube_twisted.api.names import byte_length

Options = Mapping[str, Any]

APPLY_PATCH_TYPES = ("application/apply-patch+yaml", "application/apply-patch+cbor")

_MAX_MANAGER_BYTES = 128
_PROPAGATION_POLICIES = ("Foreground", "Background", "Orphan")
_FIELD_VALIDATION = ("", "Ignore", "Strict", "Warn")
_EXACT, _NOT_OLDER = "Exact", "NotOlderThan"


def validate_create_options(options: Options) -> list[FieldError]:
    return _validate_write_options(options)


def validate_update_options(options: Options) -> list[FieldError]:
    return _validate_write_options(options)


def validate_patch_options(options: Options, patch_type: str) -> list[FieldError]:
    """Server-side apply needs a field manager and may be forced; other patches may not.

    :param patch_type: the patch's media type.
    """
    apply = patch_type in APPLY_PATCH_TYPES
    errors = []
    if apply and not options.get("fieldManager"):
        errors.append(required("fieldManager", "is required for apply patch"))
    if not apply and options.get("force") is not None:
        errors.append(forbidden("force", "may not be specified for non-apply patch"))
    return errors + _validate_write_options(options)


def _validate_write_options(options: Options) -> list[FieldError]:
    return [*validate_field_manager(options.get("fieldManager", ""), "fieldManager"),
            *validate_dry_run(options.get("dryRun") or (), "dryRun"),
            *validate_field_validation(options.get("fieldValidation", ""), "fieldValidation")]


def validate_delete_options(options: Options) -> list[FieldError]:
    """Without ``ignoreStoreReadErrorWithClusterBreakingPotential``, whose gate is off: it is not looked at."""
    policy = options.get("propagationPolicy")
    errors = []
    if options.get("orphanDependents") is not None and policy is not None:
        errors.append(invalid("propagationPolicy", policy,
                              "orphanDependents and deletionPropagation cannot be both set"))
    if policy is not None and policy not in _PROPAGATION_POLICIES:
        errors.append(not_supported("propagationPolicy", policy, (*_PROPAGATION_POLICIES, "nil")))
    return errors + validate_dry_run(options.get("dryRun") or (), "dryRun")


def validate_field_manager(manager: str, path: str) -> list[FieldError]:
    """Up to 128 bytes of printable characters."""
    if manager.isprintable() and len(manager) <= _MAX_MANAGER_BYTES and manager.isascii():
        return []
    errors = []
    if byte_length(manager) > _MAX_MANAGER_BYTES:
        errors.append(too_long(path, _MAX_MANAGER_BYTES))
    for index, character in enumerate(manager):
        if not character.isprintable():
            position = byte_length(manager[:index])
            errors.append(invalid(path, manager,
                                  f"invalid character U+{ord(character):04X} (at position {position})"))
    return errors


def validate_dry_run(values: Sequence[str], path: str) -> list[FieldError]:
    """The only value is ``All``."""
    return [not_supported(path, list(values), ["All"])] if any(one != "All" for one in values) else []


def validate_field_validation(value: str, path: str) -> list[FieldError]:
    return [] if value in _FIELD_VALIDATION else [not_supported(path, value, _FIELD_VALIDATION)]


def validate_list_options(options: Options, is_watch: bool,
                          watch_list_enabled: bool = True) -> list[FieldError]:
    """What resourceVersion, resourceVersionMatch, continue and sendInitialEvents exclude (KEP-3157)."""
    if is_watch:
        return _validate_watch_options(options, watch_list_enabled)
    match, version = options.get("resourceVersionMatch", ""), options.get("resourceVersion", "")
    errors = []
    if match:
        if not version:
            errors.append(_match_forbidden("is forbidden unless resourceVersion is provided"))
        if options.get("continue"):
            errors.append(_match_forbidden("is forbidden when continue is provided"))
        if match not in (_EXACT, _NOT_OLDER):
            errors.append(not_supported("resourceVersionMatch", match, (_EXACT, _NOT_OLDER, "")))
        if match == _EXACT and version == "0":
            errors.append(_match_forbidden('"exact" is forbidden for resourceVersion "0"'))
    if options.get("sendInitialEvents") is not None:
        errors.append(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"))
    return errors


def _validate_watch_options(options: Options, watch_list_enabled: bool) -> list[FieldError]:
    match, initial = options.get("resourceVersionMatch", ""), options.get("sendInitialEvents") is not None
    errors = []
    if initial and match != _NOT_OLDER:
        errors.append(forbidden("resourceVersionMatch", "sendInitialEvents requires setting "
                                                        f"resourceVersionMatch to {_NOT_OLDER}"))
    if initial and not watch_list_enabled:
        errors.append(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for watch unless the "
                                                     "WatchList feature gate is enabled"))
    if match:
        if not initial:
            errors.append(_match_forbidden("is forbidden for watch unless "
                                           "sendInitialEvents is provided"))
        if match != _NOT_OLDER:
            errors.append(not_supported("resourceVersionMatch", match, (_NOT_OLDER,)))
        if options.get("continue"):
            errors.append(_match_forbidden("is forbidden when continue is provided"))
    return errors


def _match_forbidden(text: str) -> FieldError:
    return forbidden("resourceVersionMatch", f"resourceVersionMatch {text}")
