"""LeaseCandidates: who would take a coordinated lease (KEP-4355)."""

from __future__ import annotations

import re

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")


class LeaseCandidateStrategy(Strategy):
    """Rules of ``leasecandidates``."""

    allow_create_on_update = True
    allow_unconditional_update = False
    field_labels = frozenset({"spec.leaseName"})

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return names.config_map_key(name)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec, errors = obj.get("spec", {}), []
        if not spec.get("leaseName"):
            errors.append(required("spec.leaseName"))
        emulation, binary = spec.get("emulationVersion", ""), spec.get("binaryVersion", "")
        for field, version in (("emulationVersion", emulation), ("binaryVersion", binary)):
            if version and not _VERSION.fullmatch(version):
                errors.append(invalid(f"spec.{field}", version, "must be a valid semantic version"))
        if not binary:
            errors.append(required("spec.binaryVersion"))
        elif emulation and not errors and _parts(binary) < _parts(emulation):
            errors.append(invalid("spec.binaryVersion", binary,
                                  "must be greater than or equal to `emulationVersion`"))
        if not spec.get("strategy"):
            errors.append(required("spec.strategy"))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        name, before = (one.get("spec", {}).get("leaseName", "") for one in (obj, old))
        return self.validate(ctx, obj) + rules.immutable("spec.leaseName", name, before)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"spec.leaseName": obj.get("spec", {}).get("leaseName", "")}


def _parts(version: str) -> tuple[int, ...]:
    match = _VERSION.fullmatch(version)
    return tuple(int(part) for part in match.groups()[:3]) if match else ()


STRATEGY = LeaseCandidateStrategy()
