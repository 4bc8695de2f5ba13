"""What a change of a definition may go on doing, because the stored definition does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.registry.apiextensions import ca_bundle, conversion_rules, structural, unsupported
from kube_twisted.registry.apiextensions.internal import InternalSpec
from kube_twisted.registry.apiextensions.keywords import TYPES
from kube_twisted.registry.apiextensions.list_types import has_incomplete_items, is_set_of_parts
from kube_twisted.registry.apiextensions.strictness import Strictness
from kube_twisted.registry.apiextensions.version import MAX_SELECTABLE_FIELDS
from kube_twisted.registry.apiextensions.walk import Schema, schemas
from kube_twisted.schema.structural.default_pruning import prune_defaults
from kube_twisted.schema.structural.model import compile_schema
from kube_twisted.schema.types import Struct

Spec = dict[str, Any]


def strictness_of_change(new: Spec, old: Spec, established: bool, meta: Struct) -> Strictness:
    """How a change is validated.

    :param established: whether the stored definition is served.
    :param meta: the type of metadata.
    """
    before = _schemas_by_version(old)
    now = _schemas_by_version(new)

    def nowhere(is_so: Callable[[Schema], bool]) -> bool:
        return not any(is_so(one) for root in before.values() for one in schemas(root))

    return Strictness(
        valid_ca=established and not ca_bundle.is_bad(old),
        known_reviews=conversion_rules.has_known_review(old.get("conversion") or {}),
        known_types=nowhere(lambda schema: schema.get("type", "") not in ("", *TYPES)),
        pruned_defaults=not any(_has_unpruned_defaults(one, meta) for one in before.values()),
        atomic_sets=nowhere(is_set_of_parts),
        complete_items=nowhere(has_incomplete_items),
        unchanged_schemas=frozenset(name for name in now if now[name] == before.get(name)),
        many_fields=_kept_fields(InternalSpec.of(new), InternalSpec.of(old)))


def _schemas_by_version(spec: Spec) -> dict[str, Schema]:
    found = {one["name"]: (one.get("schema") or {}).get("openAPIV3Schema") for one in spec.get("versions") or []}
    return {name: schema for name, schema in found.items() if schema is not None}


def _has_unpruned_defaults(root: Schema, meta: Struct) -> bool:
    if not any("default" in one for one in schemas(root)):
        return False
    if unsupported.find(root) is not None or structural.validate("", root):
        return False
    node = compile_schema(root)
    return prune_defaults(node, meta) is not node


def _kept_fields(new: InternalSpec, old: InternalSpec) -> frozenset[str]:
    """Where there were too many selectable fields, and still are the same."""
    fields, before = _selectable_fields(new), _selectable_fields(old)
    return frozenset(name for name, held in fields.items()
                     if held == before.get(name) and len(held) > MAX_SELECTABLE_FIELDS)


def _selectable_fields(form: InternalSpec) -> dict[str, list[Any]]:
    return {"": form.shared.get("selectableFields") or []} | {
        one["name"]: one.get("selectableFields") or [] for one in form.versions}
