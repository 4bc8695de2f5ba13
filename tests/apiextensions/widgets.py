"""Definitions of custom resources for tests, and a server that serves some."""

from __future__ import annotations

from typing import Any

from tests.inprocess import ClusterTestCase

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
GROUP = "example.com"
API = f"/apis/{GROUP}"
WIDGETS = f"{API}/v1/namespaces/default/widgets"
WIDGET_CRD = f"{DEFINITIONS}/widgets.{GROUP}"
JSON_PATCH = "application/json-patch+json"
APPLY = "application/apply-patch+yaml"


def obj(**properties: Any) -> dict[str, Any]:
    """The schema of an object with such fields."""
    return {"type": "object", "properties": properties}


def text(**more: Any) -> dict[str, Any]:
    return {"type": "string", **more}


def integer(**more: Any) -> dict[str, Any]:
    return {"type": "integer", **more}


#: Of a Widget, unless a test says otherwise.
SCHEMA = obj(spec=obj(color=text(), size=integer()), status=obj(phase=text(), ready=integer()))


def version(name: str = "v1", schema: dict[str, Any] | None = None, *, served: bool = True, storage: bool = True,
            **more: Any) -> dict[str, Any]:
    """A version of a definition; ``more`` are its other fields."""
    return {"name": name, "served": served, "storage": storage, "schema": {"openAPIV3Schema": schema or SCHEMA}, **more}


def definition(*versions: dict[str, Any], plural: str = "widgets", kind: str = "Widget", group: str = GROUP,
               scope: str = "Namespaced", names: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """A CustomResourceDefinition, with one version ``v1`` unless others are given."""
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group}"},
            "spec": {"group": group, "scope": scope, "names": {"plural": plural, "kind": kind, **(names or {})},
                     "versions": list(versions) or [version()], **spec}}


def widget(name: str = "a", *, api_version: str = f"{GROUP}/v1", metadata: dict[str, Any] | None = None,
           **fields: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": "Widget", "metadata": {"name": name, **(metadata or {})}, **fields}


class CustomCase(ClusterTestCase):
    """A fresh server, without controllers of the manager's."""

    def define(self, *versions: dict[str, Any], **more: Any) -> str:
        """Make a definition, and wait until it is served; its path. See :func:`definition`."""
        made = self.ask("POST", DEFINITIONS, definition(*versions, **more))
        self.cluster.run(0.1)
        return f"{DEFINITIONS}/{made['metadata']['name']}"

    def redefine(self, *versions: dict[str, Any], path: str = WIDGET_CRD) -> None:
        """Give a definition other versions."""
        self.merge(path, {"spec": {"versions": list(versions)}})
        self.cluster.run(0.1)

    def widget(self, name: str = "a", **fields: Any) -> dict[str, Any]:
        """Make one, in version ``v1``."""
        return self.ask("POST", WIDGETS, widget(name, **fields))

    def conditions(self, path: str = WIDGET_CRD) -> dict[str, tuple[str, str, str]]:
        """Status, reason and message of a definition's conditions by type."""
        found = self.ask("GET", path)["status"]["conditions"]
        return {one["type"]: (one["status"], one["reason"], one["message"]) for one in found}

    def missing(self, path: str) -> bool:
        """Whether there is nothing at a path."""
        return self.send("GET", path).code == 404
