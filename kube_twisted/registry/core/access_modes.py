"""How volumes can be used: access modes, volume modes, reclaim policies."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, forbidden, not_supported

ACCESS_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
VOLUME_MODES = ("Block", "Filesystem")
RECLAIM_POLICIES = ("Delete", "Recycle", "Retain")


def validate_access_modes(path: str, modes: list[str]) -> list[FieldError]:
    """Known modes; ReadWriteOncePod stands alone (KEP-2485)."""
    errors = [not_supported(path, mode, ACCESS_MODES) for mode in modes if mode not in ACCESS_MODES]
    others = set(modes) & set(ACCESS_MODES) - {"ReadWriteOncePod"}
    if "ReadWriteOncePod" in modes and others:
        errors.append(forbidden(path, "may not use ReadWriteOncePod with other access modes"))
    return errors
