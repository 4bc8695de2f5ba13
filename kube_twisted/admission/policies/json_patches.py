"""Applies a list of ``JSONPatch{...}`` to an object (KEP-3962)."""

from __future__ import annotations

from typing import Any

from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.policies.patched import Patched, PatchFailed, TypeOf
from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.mutation import ObjectValue, PatchValue, misplaced, native
from kube_twisted.schema import json_patch

Obj = dict[str, Any]


def apply_patches(value: Any, inputs: Inputs, type_of: TypeOf) -> Patched:
    """The object after all operations, or as it was when a ``test`` among them fails.

    :raises PatchFailed: when one does not apply.
    """
    operations = [_operation(one) for one in value]
    try:
        return Patched(json_patch.run(inputs.obj, operations), strict=True)
    except json_patch.TestFailed:
        return Patched(deep_copy(inputs.obj), strict=True)
    except json_patch.Inapplicable as error:
        raise PatchFailed(f"JSON Patch: {error}") from None


def _operation(patch: PatchValue) -> Obj:
    fields = patch.fields
    operation: Obj = {"op": fields.get("op", ""), "path": fields.get("path", "")}
    if fields.get("from"):
        operation["from"] = fields["from"]
    if "value" in fields:
        operation["value"] = _json(fields["value"])
    return operation


def _json(value: Any) -> Any:
    if isinstance(value, ObjectValue):
        complaints = misplaced(value, value.type_name)
        if complaints:
            raise PatchFailed("type mismatch: " + "\n".join(complaints))
    try:
        return native(value)
    except CelError as error:
        raise PatchFailed(
            f"JSONPath valueExpression evaluated to a type that could not marshal to JSON: {error}") from None
