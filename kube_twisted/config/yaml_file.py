"""YAML of which nothing is lost silently: a key that is given twice is an error."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.constructor import ConstructorError


def load_unique(text: str) -> Any:
    """The plain data of one document; None for an empty one.

    :raises yaml.YAMLError: for bad YAML. It is a :class:`yaml.MarkedYAMLError` for the second of two equal keys, and
        for what holds itself.
    """
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, {})
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _check(node: yaml.Node, checked: dict[yaml.Node, bool]) -> None:
    """:param checked: the nodes met before; False for those that are being checked."""
    if node in checked:
        if not checked[node]:
            raise ConstructorError(None, None, "a value holds itself", node.start_mark)
        return
    checked[node] = False
    if isinstance(node, yaml.SequenceNode):
        for one in node.value:
            _check(one, checked)
    elif isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise ConstructorError(None, None, f"{key.value} is given twice", key.start_mark)
                seen.add(key.value)
            _check(value, checked)
    checked[node] = True
