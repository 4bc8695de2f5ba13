"""Volume mounts and block devices of a container."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_found, not_supported, required
from kube_twisted.registry.podspec.paths import descending, no_backsteps

Obj = dict[str, Any]
Errors = list[FieldError]

_PROPAGATIONS = ("Bidirectional", "HostToContainer", "None")
_RECURSIVE = ("Disabled", "Enabled", "IfPossible")


def validate_mounts(path: str, container: Obj, volumes: dict[str, Obj]) -> Errors:
    """The ``volumeMounts`` of a container.

    :param volumes: the pod's valid volumes by name.
    """
    errors: Errors = []
    devices = container.get("volumeDevices") or ()
    device_names = {one.get("name", "") for one in devices}
    device_paths = {one.get("devicePath", "") for one in devices}
    seen: set[str] = set()
    for index, mount in enumerate(container["volumeMounts"] or ()):
        here, name, target = f"{path}[{index}]", mount.get("name", ""), mount.get("mountPath", "")
        if not name:
            errors.append(required(f"{here}.name"))
        if name not in volumes:
            errors.append(not_found(f"{here}.name", name))
        if not target:
            errors.append(required(f"{here}.mountPath"))
        if target in seen:
            errors.append(invalid(f"{here}.mountPath", target, "must be unique"))
        seen.add(target)
        if name in device_names:
            errors.append(invalid(f"{here}.name", name, "must not already exist in volumeDevices"))
        if target in device_paths:
            errors.append(invalid(f"{here}.mountPath", target,
                                  "must not already exist as a path in volumeDevices"))
        if len(mount) > 2:
            errors += _details(path, here, mount, container)
    return errors


def _details(path: str, here: str, mount: Obj, container: Obj) -> Errors:
    errors: Errors = []
    sub_path, expression = mount.get("subPath", ""), mount.get("subPathExpr", "")
    if sub_path:
        errors += descending(f"{path}.subPath", sub_path)
    if expression:
        if sub_path:
            errors.append(invalid(f"{here}.subPathExpr", expression,
                                  "subPathExpr and subPath are mutually exclusive"))
        errors += descending(f"{path}.subPathExpr", expression)
    if "mountPropagation" in mount:
        errors += _propagation(f"{path}.mountPropagation", mount["mountPropagation"], container)
    if "recursiveReadOnly" in mount:
        errors += _recursive(f"{path}.recursiveReadOnly", mount)
    return errors


def _propagation(path: str, propagation: str, container: Obj) -> Errors:
    errors: Errors = []
    if propagation not in _PROPAGATIONS:
        errors.append(not_supported(path, propagation, _PROPAGATIONS))
    if propagation == "Bidirectional" and not (container.get("securityContext") or {}).get("privileged"):
        errors.append(forbidden(path,
                                "Bidirectional mount propagation is available only to privileged containers"))
    return errors


def _recursive(path: str, mount: Obj) -> Errors:
    mode = mount["recursiveReadOnly"]
    if mode not in _RECURSIVE:
        return [not_supported(path, mode, _RECURSIVE)]
    errors: Errors = []
    if mode != "Disabled" and not mount.get("readOnly"):
        errors.append(forbidden(path, "may only be specified when readOnly is true"))
    if mode != "Disabled" and mount.get("mountPropagation", "None") != "None":
        errors.append(forbidden(path, "may only be specified when mountPropagation is None or not specified"))
    return errors


def validate_devices(path: str, container: Obj, volumes: dict[str, Obj]) -> Errors:
    """The ``volumeDevices`` of a container."""
    errors: Errors = []
    mounts = container.get("volumeMounts") or ()
    mount_names = {one.get("name", "") for one in mounts}
    mount_paths = {one.get("mountPath", "") for one in mounts}
    names: set[str] = set()
    paths: set[str] = set()
    for index, device in enumerate(container["volumeDevices"] or ()):
        here, name, target = f"{path}[{index}]", device.get("name", ""), device.get("devicePath", "")
        errors += _device_name(f"{here}.name", name, names, volumes)
        errors += _device_path(f"{here}.devicePath", target, paths)
        if name in mount_names:
            errors.append(invalid(f"{here}.name", name, "must not already exist in volumeMounts"))
        if target in mount_paths:
            errors.append(invalid(f"{here}.devicePath", target,
                                  "must not already exist as a path in volumeMounts"))
        if name:
            names.add(name)
    return errors


def _device_name(path: str, name: str, names: set[str], volumes: dict[str, Obj]) -> Errors:
    errors = [] if name else [required(path)]
    if name in names:
        errors.append(invalid(path, name, "must be unique"))
    volume = volumes.get(name)
    if volume is None:
        errors.append(not_found(path, name))
    elif "persistentVolumeClaim" not in volume and "ephemeral" not in volume:
        errors.append(invalid(path, name,
                              "can only use volume source type of PersistentVolumeClaim or Ephemeral for "
                              "block mode"))
    return errors


def _device_path(path: str, target: str, paths: set[str]) -> Errors:
    errors = [] if target else [required(path)]
    if target in paths:
        errors.append(invalid(path, target, "must be unique"))
    if no_backsteps(path, target):
        errors.append(invalid(path, target, "can not contain backsteps ('..')"))
    else:
        paths.add(target)
    return errors
