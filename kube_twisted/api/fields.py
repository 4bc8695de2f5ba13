"""Field selectors: reading ``status.phase!=Running,metadata.name=a``, matching, refusing unknown fields.

Rules: the Kubernetes page "Field Selectors"; the sentences are those of apimachinery's ``fields`` package.
All values are texts; a field that an object does not have is the empty text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter

from attrs import define, field, frozen

from kube_twisted.api.errors import bad_request

Fields = Mapping[str, str]

METADATA = frozenset(("metadata.name", "metadata.namespace"))

_TERM = re.compile(r"(.*?)(!=|==|=)(.*)", re.DOTALL)
_UNESCAPED = re.compile(r"\\(.?)|([,=])", re.DOTALL)


@frozen
class FieldRequirement:
    """A field and the value that it has, or has not when ``operator`` is ``!=``."""

    field: str
    operator: str
    value: str

    def __str__(self) -> str:
        return f"{self.field}{self.operator}{escape(self.value)}"


def _compile(requirements: tuple[FieldRequirement, ...]) -> Callable[[Fields], bool]:
    equal = tuple((one.field, one.value) for one in requirements if one.operator == "=")
    unequal = tuple((one.field, one.value) for one in requirements if one.operator == "!=")

    def matches(fields: Fields) -> bool:
        for name, value in equal:
            if fields.get(name, "") != value:
                return False
        return all(fields.get(name, "") != value for name, value in unequal)

    return matches


def _tuple(requirements: Iterable[FieldRequirement]) -> tuple[FieldRequirement, ...]:
    return tuple(requirements)


@define(eq=False)
class FieldSelector:
    """All of some requirements; without any, everything matches.

    :ivar matches: tells whether a mapping of field values is selected.
    """

    requirements: tuple[FieldRequirement, ...] = field(converter=_tuple)
    matches: Callable[[Fields], bool] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.matches = _compile(self.requirements)

    @property
    def empty(self) -> bool:
        """Whether everything matches."""
        return not self.requirements

    def __str__(self) -> str:
        return ",".join(map(str, self.requirements))

    def requires_exact(self, name: str) -> str | None:
        """The one value that the field must have, if there is one."""
        for one in self.requirements:
            if one.field == name and one.operator == "=":
                return one.value
        return None

    def renamed(self, names: Mapping[str, str]) -> FieldSelector:
        """The same with old names of fields, such as a Pod's ``spec.host``, replaced by today's."""
        return FieldSelector(FieldRequirement(names.get(one.field, one.field), one.operator, one.value)
                             for one in self.requirements)


def everything() -> FieldSelector:
    return FieldSelector(())


def name_is(name: str) -> FieldSelector:
    """Selects the one object of this name."""
    return FieldSelector([FieldRequirement("metadata.name", "=", name)])


def escape(value: str) -> str:
    """Write a value so that it can stand in a selector."""
    return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=")


def unescape(value: str) -> str:
    """Read a value as it stands in a selector.

    :raises ValueError: for a bad escape, or a comma or equals sign that is not escaped.
    """
    def plain(match: re.Match[str]) -> str:
        escaped, bare = match.groups()
        if bare:
            raise ValueError(f"invalid field selector: unescaped character in value: {ord(bare)}")
        if escaped not in ("\\", ",", "="):
            raise ValueError(f"invalid field selector: invalid escape sequence: \\{escaped}")
        return str(escaped)

    return _UNESCAPED.sub(plain, value)


def _terms(text: str) -> list[str]:
    """Split at the commas that are not escaped."""
    return [match.group() for match in re.finditer(r"(?:\\.|[^,\\]|\\\Z)+", text, re.DOTALL)]


def parse(text: str) -> FieldSelector:
    """Read a ``fieldSelector``.

    :raises StatusError: 400 for a selector that does not parse.
    """
    requirements = []
    for term in sorted(_terms(text)):
        match = _TERM.fullmatch(term)
        if match is None:
            raise bad_request(f"invalid selector: '{text}'; can't understand '{term}'")
        name, operator, text_value = match.groups()
        try:
            value = unescape(text_value)
        except ValueError as error:
            raise bad_request(str(error)) from None
        if name or value:  # of nothing, nothing is asked
            requirements.append(FieldRequirement(name, "!=" if operator == "!=" else "=", value))
    return FieldSelector(requirements)


def check_labels(selector: FieldSelector, allowed: frozenset[str] | None, namespaced: bool = True,
                 unknown: str = "field label not supported: {}") -> None:
    """Refuse fields that the resource cannot be selected by.

    :param allowed: fields beside ``metadata.name`` and, if ``namespaced``, ``metadata.namespace``; None for a
        resource without fields of its own, which accepts just these two.
    :param unknown: what is said of an unknown field where there are fields of its own.
    :raises StatusError: 400 that names the first unknown field.
    """
    if allowed is None:
        known = METADATA
        text = '"{}" is not a known field selector: only "metadata.name", "metadata.namespace"'
    else:
        known = allowed | (METADATA if namespaced else {"metadata.name"})
        text = unknown
    for name in map(attrgetter("field"), selector.requirements):
        if name not in known:
            raise bad_request(text.format(name))
