"""Rules for paths of files in volumes."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid

Errors = list[FieldError]

_MODE = "must be a number between 0 and 0777 (octal), both inclusive"


def no_backsteps(path: str, target: str) -> Errors:
    """No ``..`` anywhere."""
    return [invalid(path, target, "must not contain '..'")] if ".." in target.split("/") else []


def descending(path: str, target: str) -> Errors:
    """A relative path that stays below where it begins."""
    errors = [invalid(path, target, "must be a relative path")] if target.startswith("/") else []
    return errors + no_backsteps(path, target)


def not_reserved(path: str, target: str) -> Errors:
    """A relative path whose first name may not begin with two dots: the kubelet's own names do."""
    errors = descending(path, target)
    if target.startswith("..") and not target.startswith("../"):
        errors.append(invalid(path, target, "must not start with '..'"))
    return errors


def file_mode(path: str, mode: int | None) -> Errors:
    """Permission bits."""
    return [] if mode is None or 0 <= mode <= 0o777 else [invalid(path, mode, _MODE)]
