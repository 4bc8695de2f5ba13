"""StorageVersions: in which version each server stores a resource (KEP-2339)."""

from __future__ import annotations

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, duplicate, invalid
from kube_twisted.registry import rules
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext


class StorageVersionStrategy(Strategy):
    """Rules of ``storageversions``, which are named ``<group>.<resource>``."""

    allow_unconditional_update = False
    reset_fields = (("status",),)

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        group, dot, resource = name.rpartition(".")
        if not dot:
            return ["name must be in the form of <group>.<resource>"]
        return [f"the group segment {one}" for one in names.dns_subdomain(group)] + [
            f"the resource segment {one}" for one in names.dns1035_label(resource)]

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})


class StorageVersionStatusStrategy(IsolatedStatusStrategy):
    """Rules of ``storageversions/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status, errors = obj.get("status", {}), []
        servers = status.get("storageVersions", [])
        known = [one.get("apiServerID", "") for one in servers]
        for index, one in enumerate(servers):
            path = f"status.storageVersions[{index}]"
            if known[index] in known[:index]:
                errors.append(duplicate(f"{path}.apiServerID", known[index]))
            errors += rules.dns_subdomain(f"{path}.apiServerID", known[index])
            encoding, decodable = one.get("encodingVersion", ""), one.get("decodableVersions", [])
            if encoding not in decodable:
                errors.append(invalid(f"{path}.decodableVersions", decodable or None,
                                      f"decodableVersions must include encodingVersion {encoding}"))
        return errors + _validate_common(status)


def _validate_common(status: Obj) -> list[FieldError]:
    encodings = {one.get("encodingVersion", "") for one in status.get("storageVersions", [])}
    actual = encodings.pop() if len(encodings) == 1 else None
    given, path = status.get("commonEncodingVersion"), "status.commonEncodingVersion"
    if actual == given:
        return []
    if actual is None:
        return [invalid(path, given,
                        "should be nil if servers do not agree on the same encoding version, or if "
                        "there is no server reporting the supported versions yet")]
    what = "the common" if given is None else "the actual common"
    return [invalid(path, given, f"{what} encoding version is {actual}")]


STRATEGY = StorageVersionStrategy()
STATUS = StorageVersionStatusStrategy(STRATEGY)
