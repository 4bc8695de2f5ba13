"""``status.storedVersions``: versions that objects may still be stored in."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid

_MISSING = ("missing from spec.versions; {0} was previously a storage version, and must remain in "
            "spec.versions until a storage migration ensures no data remains persisted in {0} and removes "
            "{0} from status.storedVersions")


def storage_version(spec: dict[str, Any]) -> list[str]:
    """The first version marked as the storage version, as a list of one, or of none."""
    return [one["name"] for one in spec.get("versions") or [] if one.get("storage")][:1]


def validate(path: str, stored: list[str] | None, versions: list[dict[str, Any]]) -> list[FieldError]:
    if not stored:
        return [invalid(path, stored, "must have at least one stored version")]
    errors = []
    left = {name: index for index, name in enumerate(stored)}
    for version in versions:
        # A name that repeats is found once, as upstream finds it.
        if left.pop(version["name"], None) is None and version.get("storage"):
            errors.append(invalid(path, stored, f"must have the storage version {version['name']}"))
    return errors + [invalid(f"{path}[{index}]", name, _MISSING.format(name)) for name, index in left.items()]
