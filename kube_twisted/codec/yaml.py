"""YAML bodies in and out, as sigs.k8s.io/yaml does it: YAML 1.1 by way of JSON.

PyYAML parses and emits (through libyaml where it is there); what a plain scalar means, how duplicate and
merged keys behave and which texts are quoted is decided here, by the rules of go-yaml v2. PyYAML is imported
when it is first used, and not at all for a body that is JSON.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cmp_to_key, lru_cache
from typing import Any

import orjson

from kube_twisted.api.field import go_quote
from kube_twisted.codec.json import has_duplicates
from kube_twisted.codec.yaml_scalars import compare_keys, key_text, resolve

_TAG = "tag:yaml.org,2002:"
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_MAYBE_FLOAT = re.compile(rb"[0-9][.eE][0-9+-]")
_RESOLVABLE = ("", "str", "bool", "int", "float", "null", "timestamp")


class YAMLError(ValueError):
    """The document is no YAML, or can't become JSON; the message is the original's."""


def parse(body: bytes) -> tuple[Any, list[str]]:
    """Read the first document of a YAML stream; members come out sorted by name, as they do in the original.

    :returns: the value, and a message for each key that is set twice, such as
        ``line 3: key "data" already set in map``.
    :raises YAMLError: worded as the original's error.
    """
    if body.startswith(b"{"):
        value = _parse_json(body)
        if value is not None:
            return value, []
    reader = _Reader()
    try:
        node = _compose(body)
        value = None if node is None else reader.value(node)
    except RecursionError:
        raise YAMLError("yaml: exceeded max depth") from None
    return value, reader.duplicates


def duplicate_error(messages: list[str]) -> str:
    """The messages about duplicate keys as the one error of strict decoding."""
    return "yaml: unmarshal errors:\n  " + "\n  ".join(messages)


def _parse_json(body: bytes) -> Any:
    """Take the fast way if the body is JSON without duplicates, as that of most clients is; else nothing."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if has_duplicates(body, value):
        return None
    value = orjson.loads(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))
    return _without_fractions(value) if _MAYBE_FLOAT.search(body) else value


def _without_fractions(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_fractions(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_fractions(item) for item in value]
    return _json_number(value)


@lru_cache(maxsize=1)
def _loader() -> Any:
    """A loader that leaves plain scalars without a tag: what they are is decided later."""
    import yaml

    base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    class Loader(base):  # type: ignore[misc]
        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            return "" if kind is yaml.ScalarNode and implicit[0] else super().resolve(kind, value, implicit)

    return Loader


def _compose(body: bytes) -> Any:
    import yaml

    try:
        loader = _loader()(body)
        return loader.get_node() if loader.check_node() else None
    except yaml.MarkedYAMLError as error:
        raise YAMLError(_syntax_error(error, isinstance(error, yaml.scanner.ScannerError))) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise YAMLError(f"yaml: {getattr(error, 'reason', error)}") from None


def _syntax_error(error: Any, in_scanner: bool) -> str:
    """Go counts lines from zero and says nothing about line zero, except that its scanner counts from one."""
    line = 0
    if error.problem_mark is not None and error.problem_mark.line:
        line = error.problem_mark.line + in_scanner
    elif error.context_mark is not None:
        line = error.context_mark.line
    where = f"line {line}: " if line else ""
    return f"yaml: {where}{error.problem or 'unknown problem parsing YAML content'}"


class _Reader:
    """Turns nodes into JSON values.

    :ivar duplicates: messages about keys that were set twice.
    """

    def __init__(self) -> None:
        self.duplicates: list[str] = []

    def value(self, node: Any) -> Any:
        if node.id == "mapping":
            return dict(sorted(self._mapping(node, {}).items()))
        if node.id == "sequence":
            return [self.value(item) for item in node.value]
        return _json_number(self._scalar(node))

    def _mapping(self, node: Any, into: dict[str, Any]) -> dict[str, Any]:
        for key_node, value_node in node.value:
            if key_node.id == "scalar" and key_node.tag in ("", _TAG + "merge") and key_node.value == "<<":
                self._merge(value_node, into)
                continue
            key = self._key(key_node)
            value = self.value(value_node)
            if key in into:
                shown = go_quote(key) if isinstance(self._scalar(key_node), str) else key
                line = value_node.start_mark.line + 1
                self.duplicates.append(f"line {line}: key {shown} already set in map")
            into[key] = value
        return into

    def _merge(self, node: Any, into: dict[str, Any]) -> None:
        """Of several maps the first one wins, so they are merged from the last."""
        maps = reversed(node.value) if node.id == "sequence" else [node]
        for one in maps:
            if one.id != "mapping":
                raise YAMLError("yaml: map merge requires map or sequence of maps as the value")
            into.update(self._mapping(one, {}))

    def _key(self, node: Any) -> str:
        if node.id != "scalar":
            raise YAMLError(f"yaml: invalid map key: {'map[]' if node.id == 'mapping' else '[]'}")
        text = key_text(self._scalar(node))
        if text is None:
            raise YAMLError("unsupported map key of type: %!s(<nil>), key: <nil>")
        return text

    @staticmethod
    def _scalar(node: Any) -> Any:
        tag = node.tag.removeprefix(_TAG)
        if tag == "str" or tag not in _RESOLVABLE:
            return node.value
        value = resolve(node.value)
        kinds = {"bool": bool, "int": int, "float": int | float, "null": type(None), "timestamp": str}
        if tag and not (isinstance(value, kinds[tag]) and (tag == "bool") == isinstance(value, bool)):
            raise YAMLError(f"yaml: unmarshal errors:\n  line {node.start_mark.line + 1}: "
                            f"cannot decode `{node.value}` as a !!{tag}")
        return value


def _json_number(value: Any) -> Any:
    """A float as Go writes it in JSON: a whole one without a fraction.

    :raises YAMLError: for infinities and what is no number.
    """
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        shown = "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
        raise YAMLError(f"json: unsupported value: {shown}")
    return int(value) if value.is_integer() and abs(value) < 1e18 else value


def dump(value: Any) -> bytes:
    """Write a JSON value as a YAML document in block style with sorted keys."""
    import yaml

    dumper: Any = getattr(yaml, "CDumper", yaml.Dumper)
    text: str = yaml.emit(_events(value), Dumper=dumper, allow_unicode=True)
    return text.removesuffix("...\n").encode()


def _events(value: Any) -> Iterator[Any]:
    import yaml

    yield yaml.StreamStartEvent(encoding=None)
    yield yaml.DocumentStartEvent(explicit=False)
    yield from _value_events(value, yaml)
    yield yaml.DocumentEndEvent(explicit=False)
    yield yaml.StreamEndEvent()


def _value_events(value: Any, yaml: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield yaml.MappingStartEvent(None, None, True, flow_style=False)
        for key in sorted(value, key=cmp_to_key(compare_keys)):
            yield _text_event(key, yaml)
            yield from _value_events(value[key], yaml)
        yield yaml.MappingEndEvent()
    elif isinstance(value, list):
        yield yaml.SequenceStartEvent(None, None, True, flow_style=False)
        for item in value:
            yield from _value_events(item, yaml)
        yield yaml.SequenceEndEvent()
    elif isinstance(value, str):
        yield _text_event(value, yaml)
    else:
        yield yaml.ScalarEvent(None, None, (True, True), _plain_text(value), style=None)


def _text_event(text: str, yaml: Any) -> Any:
    """Several lines as a literal block; quoted when it would be read back as something else."""
    if "\n" in text:
        style = "|"
    elif isinstance(resolve(text, timestamps=False), str) and text != "<<" and not _BASE_60.fullmatch(text):
        style = None
    else:
        style = '"'
    return yaml.ScalarEvent(None, None, (True, True), text, style=style)


def _plain_text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    return text.removesuffix(".0")
