"""Documentation of API fields out of the published definitions: what most table columns are described by."""

from __future__ import annotations

from functools import cache

from attrs import frozen

from kube_twisted.schema.definitions import read_definitions

#: The Kubernetes version whose documentation it is.
VERSION = "1.36"
_PREFIXES = ("io.k8s.api.", "io.k8s.apimachinery.pkg.apis.")


@frozen
class Doc:
    """A reference to the documentation of one API field.

    :ivar path: group, version, type and field, such as ``core.v1.PodSpec.nodeName``.
    """

    path: str

    def text(self) -> str:
        """The documentation.

        :raises KeyError: when the definitions know no such field.
        """
        return field_documentation()[self.path]


@cache
def field_documentation() -> dict[str, str]:
    """All documented fields by path; read once, when the first table is asked for.

    :raises LookupError: when there are no definitions of the version.
    """
    return {
        f"{_short(name)}.{field}": schema["description"]
        for name, definition in read_definitions(VERSION).items()
        for field, schema in definition.get("properties", {}).items()
        if "description" in schema
    }


def _short(name: str) -> str:
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name
