"""Applies a list of ``JSONPatch{...}`` to an object (KEP-3962)."""

from __future__ import annotations

import base64
from typing import Any

from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.policies.patched import Patched, PatchFailed, TypeOf
from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.cel.conversions import to_string
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.mutation import ObjectValue, PatchValue, misplaced, native
from kube_twisted.cel.values import Duration, Lists, Maps, Timestamp, entries
from kube_twisted.schema import json_patch

Obj = dict[str, Any]
#: The largest integer that a float has exactly.
_EXACT = (1 << 53) - 1


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
        return _written(value)
    except CelError as error:
        raise PatchFailed(
            f"JSONPath valueExpression evaluated to a type that could not marshal to JSON: {error}") from None


def _written(value: Any) -> Any:
    """JSON as protocol buffers would write it: what it has no form for, and large integers, as text.

    :raises CelError: for what has no text either.
    """
    if isinstance(value, (ObjectValue, PatchValue)):
        return {name: _written(one) for name, one in value.fields.items()}
    if isinstance(value, Lists):
        return [_written(one) for one in value]
    if isinstance(value, Maps):
        return {to_string(key): _written(one) for key, one in entries(value)}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (Timestamp, Duration)):
        return to_string(value)
    if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        return str(int(value))
    return native(value)
