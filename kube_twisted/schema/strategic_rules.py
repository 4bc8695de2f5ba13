"""What a type says about strategic merging of its fields, and the errors of patches that ask too much.

The original knows four errors as the client's fault; it answers all others with a bare 500, and so do we.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api.errors import StatusError, bad_request, plain_internal
from kube_twisted.api.jsonvalue import go_print, go_type
from kube_twisted.schema.patch_errors import rejected
from kube_twisted.schema.types import Field, List, Map, Scalar, Struct, Type

_OBJECT, _ARRAY = "map[string]interface {}", "[]interface {}"


@frozen
class Rule:
    """How a field is merged.

    :ivar type: of the value, or of the items when the value is a list.
    :ivar strategy: ``merge``, ``replace`` or empty.
    :ivar key: the field that tells items apart; empty for scalars.
    """

    type: Type
    strategy: str
    key: str


def map_rule(owner: Type, name: str) -> Rule:
    """How an object in a field is merged.

    :raises StatusError: 500 when there is no such field.
    """
    found = _field(owner, name)
    return Rule(found.type, _strategy(found), found.patch_merge_key)


def list_rule(owner: Type, name: str) -> Rule:
    """How a list in a field is merged.

    :raises StatusError: 500 when there is no such field, or it holds no list.
    """
    found = _field(owner, name)
    if isinstance(found.type, List):
        return Rule(found.type.item, _strategy(found), found.patch_merge_key)
    if found.pointer:
        return Rule(found.type, _strategy(found), found.patch_merge_key)
    raise plain_internal(f"expected slice or array type, but got: {kind_of(owner)}")


def _field(owner: Type, name: str) -> Field:
    if not isinstance(owner, Struct):
        raise plain_internal("merging an object in json but data type is not struct, instead is: "
                             f"{kind_of(owner)}")
    found = owner.fields.get(name)
    if found is None:
        found = next((one for key, one in owner.fields.items() if key.lower() == name.lower()), None)
    if found is None:
        struct = owner.go_name or owner.name.rpartition(".")[2]
        raise plain_internal(f'unable to find api field in struct {struct} for the json field "{name}"')
    return found


def _strategy(found: Field) -> str:
    return next((one for one in found.patch_strategy if one != "retainKeys"), "")


def kind_of(owner: Type) -> str:
    """The kind of Go type that the original has for a type."""
    if isinstance(owner, Map):
        return "map"
    if isinstance(owner, List):
        return "slice"
    return owner.kind if isinstance(owner, Scalar) else "struct"


def bad_list_deletion() -> StatusError:
    return bad_request("invalid patch format of primitive list")


def bad_retain_keys() -> StatusError:
    return bad_request("invalid patch format of retainKeys")


def bad_element_order() -> StatusError:
    return bad_request("invalid patch format of setElementOrder list")


def list_of_lists() -> StatusError:
    return rejected()


def no_object(value: Any) -> StatusError:
    return plain_internal(f"expected a {_OBJECT}, but received a {go_type(value)}")


def no_list(value: Any) -> StatusError:
    return plain_internal(f"expected a {_ARRAY}, but received a {go_type(value)}")


def no_merge_key(item: Mapping[str, Any], key: str) -> StatusError:
    return plain_internal(f"map: {go_print(item)} does not contain declared merge key: {key}")


def unknown_directive(item: Mapping[str, Any]) -> StatusError:
    """The directive is told as a string; one that is none gets Go's mark of a wrong verb."""
    directive = item["$patch"]
    shown = go_print(directive) if isinstance(directive, str) else f"%!s({_typed(directive)})"
    return plain_internal(f"unknown patch type: {shown} in map: {go_print(item)}")


def _typed(value: Any) -> str:
    return "<nil>" if value is None else f"{go_type(value)}={go_print(value)}"
