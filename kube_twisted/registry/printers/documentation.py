"""Documentation of API fields out of the published definitions: what most table columns are described by."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import orjson
from attrs import frozen

#: Where the definitions of the emulated Kubernetes version lie inside the package that carries them.
DEFINITIONS = ("kubernetes_validate", "kubernetes-json-schema/v1.36.0-local/_definitions.json")
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
    """All documented fields by path; read once, when the first table is asked for."""
    package, path = DEFINITIONS
    definitions = orjson.loads((files(package) / path).read_bytes())["$defs"]
    return {
        f"{_short(name)}.{field}": schema["description"]
        for name, definition in definitions.items()
        for field, schema in definition.get("properties", {}).items()
        if "description" in schema
    }


def _short(name: str) -> str:
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name
