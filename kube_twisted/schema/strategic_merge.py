"""Strategic merge patch: a merge patch that knows the types, so that lists of named things merge by name.

Directives in the patch: ``$patch`` (``replace``, ``delete``) in an object or in an item of a list,
``$retainKeys``, ``$setElementOrder/<list>``, ``$deleteFromPrimitiveList/<list>``. Source: the Kubernetes page
"Update API Objects in Place Using kubectl patch" and the community's "Strategic Merge Patch".
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import bad_request, plain_internal
from kube_twisted.api.jsonvalue import deep_copy, go_print, identity, json_kind
from kube_twisted.schema.strategic_order import DELETE, DIRECTIVE, arrange, check_order, find, key_of
from kube_twisted.schema.strategic_rules import (
    Rule,
    bad_element_order,
    bad_list_deletion,
    bad_retain_keys,
    kind_of,
    list_of_lists,
    list_rule,
    map_rule,
    no_list,
    no_merge_key,
    unknown_directive,
)
from kube_twisted.schema.types import Struct, Type

_REPLACE, _MERGE = "replace", "merge"
_RETAIN_KEYS = "$retainKeys"
_ELEMENT_ORDER = "$setElementOrder"
_LIST_DELETION = "$deleteFromPrimitiveList"
_NOTHING = object()


def apply(document: dict[str, Any], patch: Any, struct: Struct) -> dict[str, Any]:
    """The patched document; the arguments stay as they are.

    :param struct: the document's type.
    :raises StatusError: 400 for what is no patch or misuses a directive, 500 where the original gives up.
    """
    if patch is not None and not isinstance(patch, dict):
        raise bad_request(f"json: cannot unmarshal {json_kind(patch)} into Go value of type "
                          "map[string]interface {}")
    return _merge_map(deep_copy(document), deep_copy(patch or {}), struct)


def _merge_map(live: dict[str, Any], patch: dict[str, Any], schema: Type) -> dict[str, Any]:
    """Merge ``patch`` into ``live``; both are used up."""
    if DIRECTIVE in patch:
        return _directed(patch)
    if _RETAIN_KEYS in patch:
        _retain_keys(live, patch)
    for key in [key for key in patch if key.startswith(_ELEMENT_ORDER)]:
        _merge_ordered(live, patch, key, schema)
    for key, value in patch.items():
        if key.startswith(_LIST_DELETION):
            _delete_from_list(live, _target(key, _LIST_DELETION), value, schema)
        else:
            _merge_field(live, key, value, schema)
    return live


def _directed(patch: dict[str, Any]) -> dict[str, Any]:
    """What an object with ``$patch`` becomes."""
    if patch[DIRECTIVE] == DELETE:
        return {}
    if patch[DIRECTIVE] != _REPLACE:
        raise unknown_directive(patch)
    del patch[DIRECTIVE]
    return patch


def _retain_keys(live: dict[str, Any], patch: dict[str, Any]) -> None:
    """Drop the fields that ``$retainKeys`` does not list; it must list all that the patch sets."""
    listed = patch.pop(_RETAIN_KEYS)
    if not isinstance(listed, list):
        raise bad_retain_keys()
    retained = set(map(identity, listed))
    for key, value in patch.items():
        if value is not None and not key.startswith((_LIST_DELETION, _ELEMENT_ORDER)) \
                and identity(key) not in retained:
            raise bad_retain_keys()
    for key in [key for key in live if identity(key) not in retained]:
        del live[key]


def _target(key: str, prefix: str) -> str:
    """The list that a directive with a name is about."""
    head, slash, name = key.partition("/")
    if not slash or head != prefix:
        raise bad_list_deletion() if prefix == _LIST_DELETION else bad_element_order()
    return name


def _merge_ordered(live: dict[str, Any], patch: dict[str, Any], directive: str, schema: Type) -> None:
    """Merge the list that a ``$setElementOrder`` is about, and put it in that order."""
    order = patch.pop(directive)
    if not isinstance(order, list):
        raise no_list(order)
    name = _target(directive, _ELEMENT_ORDER)
    current, change = live.get(name, _NOTHING), patch.pop(name, _NOTHING)
    for one in (current, change):
        if one is not _NOTHING and not isinstance(one, list):
            raise no_list(one)
    rule = list_rule(schema, name)
    before = [] if current is _NOTHING else list(current)
    check_order([] if change is _NOTHING else change, order, rule.key)
    if change is _NOTHING:
        merged = current
    else:
        merged = _cleaned(change) if current is _NOTHING else _merge_list(current, change, rule)
    if merged is not _NOTHING:
        _element_kind(before, [] if change is _NOTHING else change)
        live[name] = arrange(merged, order, before, rule.key)


def _merge_field(live: dict[str, Any], key: str, value: Any, schema: Type) -> None:
    if value is None:
        live.pop(key, None)
        return
    current: Any = live.get(key)
    if type(current) is not type(value):
        value = _cleaned(value)
    elif isinstance(value, dict):
        rule = map_rule(schema, key)
        value = value if rule.strategy == _REPLACE else _merge_map(current, value, rule.type)
    elif isinstance(value, list):
        value = _merge_list(current, value, list_rule(schema, key))
    if value is _NOTHING:
        live.pop(key, None)
    else:
        live[key] = value


def _cleaned(value: Any) -> Any:
    """A value that is new in the document: without nulls, and without objects that hold a directive."""
    if isinstance(value, dict):
        if value.get(DIRECTIVE) is not None:
            return _NOTHING
        cleaned = {key: _cleaned(one) for key, one in value.items() if one is not None}
        return {key: one for key, one in cleaned.items() if one is not _NOTHING}
    if isinstance(value, list):
        return [one for one in map(_cleaned, value) if one is not _NOTHING]
    return value


def _delete_from_list(live: dict[str, Any], name: str, values: Any, schema: Type) -> None:
    """Take scalars out of a list."""
    if values is None:
        live.pop(name, None)
    current = live.get(name)
    if not isinstance(current, list) or not isinstance(values, list):
        return
    rule = list_rule(schema, name)
    if not current and not values:
        return
    if _element_kind(current, values) is dict:
        live[name] = _merge_objects(current, values, rule)
        return
    deleted = set(map(identity, values))
    live[name] = [one for one in current if identity(one) not in deleted]


def _merge_list(live: list[Any], patch: list[Any], rule: Rule) -> list[Any]:
    if rule.strategy != _MERGE:
        return patch
    if not live and not patch:
        return live
    if _element_kind(live, patch) is dict:
        return _merge_objects(live, patch, rule)
    merged = list({identity(one): one for one in live + patch}.values())
    return arrange(merged, patch, live, "")


def _element_kind(*lists: list[Any]) -> type:
    """The one type of all items.

    :raises StatusError: 422 for lists of lists, 500 when there are no items or of several types.
    """
    kinds = {type(item) for items in lists for item in items}
    if not kinds:
        raise plain_internal("no elements in any of the given slices")
    kind = type(next(item for items in lists for item in items))
    if kind is list:
        raise list_of_lists()
    if len(kinds) > 1:
        raise plain_internal(f"list element types are not identical: {go_print(list(lists))}")
    return kind


def _merge_objects(live: list[dict[str, Any]], patch: list[dict[str, Any]], rule: Rule) -> list[Any]:
    """Merge a list of objects by their key."""
    if not rule.key:
        raise plain_internal(f"cannot merge lists without merge key for {kind_of(rule.type)}")
    live, patch = _follow_directives(live, patch, rule.key)
    merged = list(live)
    for item in patch:
        index = find(merged, rule.key, key_of(item, rule.key))
        if index < 0:
            merged.append(item)
        else:
            merged[index] = _merge_map(merged[index], item, rule.type)
    return arrange(merged, patch, live, rule.key)


def _follow_directives(live: list[dict[str, Any]], patch: list[dict[str, Any]],
                       key: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The live list without what the patch deletes or replaces, and the patch without directives."""
    replaced = False
    plain = [item for item in patch if DIRECTIVE not in item]
    for item in patch:
        directive = item.get(DIRECTIVE, _NOTHING)
        if directive == DELETE:
            if key not in item:
                raise no_merge_key(item, key)
            live = [one for one in live if identity(one.get(key)) != identity(item[key])]
        elif directive == _REPLACE:
            replaced = True
        elif directive == _MERGE:
            raise plain_internal("merging lists cannot yet be specified in the patch")
        elif directive is not _NOTHING:
            raise unknown_directive(item)
    return (plain, []) if replaced else (live, plain)
