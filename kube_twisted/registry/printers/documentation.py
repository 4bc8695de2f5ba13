"""Documentation of API fields out of the published definitions: what most table columns are described by."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import orjson
from attrs import frozen

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
    """All documented fields by path; read once, when the first table is asked for."""
    return {
        f"{_short(name)}.{field}": schema["description"]
        for name, definition in _definitions().items()
        for field, schema in definition.get("properties", {}).items()
        if "description" in schema
    }


def _definitions() -> dict[str, Any]:
    """The definitions of the last patch release that the package which carries them knows.

    :raises LookupError: when it knows none.
    """
    folders = [one for one in (files("kubernetes_validate") / "kubernetes-json-schema").iterdir()
               if one.name.startswith(f"v{VERSION}.") and one.name.endswith("-local")]
    if not folders:
        raise LookupError(f"kubernetes-validate has no definitions of Kubernetes {VERSION}")
    newest = max(folders, key=lambda one: one.name)
    definitions: dict[str, Any] = orjson.loads((newest / "_definitions.json").read_bytes())["$defs"]
    return definitions


def _short(name: str) -> str:
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name
