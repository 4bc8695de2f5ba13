"""Renders the v3 document of a group-version of custom resources, and its part of the v2 document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha512
from typing import Any

import orjson
from attrs import asdict, define

from kube_twisted.endpoints.openapi.custom.operations import CustomOperations
from kube_twisted.endpoints.openapi.custom.resource import CustomResource
from kube_twisted.endpoints.openapi.custom.schemas import own_schemas
from kube_twisted.endpoints.openapi.definitions import Definitions
from kube_twisted.endpoints.openapi.operations import Operation
from kube_twisted.endpoints.openapi.v3 import render_v3

_INFO = {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"}
_META = "io.k8s.apimachinery.pkg.apis.meta.v1."
_KINDS = "x-kubernetes-group-version-kind"
#: Groups whose options kinds are not told here: those that clients of custom resources don't know.
_UNKNOWN = ("admission.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "imagepolicy.k8s.io")


@define(eq=False)
class CustomVersion:
    """The custom resources of a group-version; what is rendered of them is kept."""

    resources: Sequence[CustomResource]
    definitions: Definitions

    @cached_property
    def digest(self) -> str:
        """Changes whenever something about them does."""
        return sha512(orjson.dumps([asdict(one, recurse=False) for one in self.resources])).hexdigest()

    def v3(self) -> bytes:
        """The document of the group-version."""
        return render_custom(self.resources, self.definitions)

    def operations(self) -> Iterator[Operation]:
        for one in self.resources:
            yield from CustomOperations(one).all()

    @cached_property
    def v2_definitions(self) -> dict[str, Any]:
        """The definitions for the v2 document, as bytes."""
        return {name: orjson.Fragment(orjson.dumps(schema)) for one in self.resources
                for name, schema in own_schemas(one, self.definitions, "v2").items()}


def render_custom(resources: Sequence[CustomResource], definitions: Definitions) -> bytes:
    """The v3 document of a group-version.

    :param resources: all of its custom resources.
    """
    operations = [operation for one in resources for operation in CustomOperations(one).all()]
    own = {name: schema for one in resources for name, schema in own_schemas(one, definitions, "v3").items()}

    def schemas(names: Iterable[str]) -> dict[str, Any]:
        builtin = definitions.v3([*names, _META + "ObjectMeta", _META + "ListMeta"])
        if _META + "DeleteOptions" in builtin:
            builtin[_META + "DeleteOptions"] = _known_kinds(builtin[_META + "DeleteOptions"])
        return dict(sorted({**builtin, **own}.items()))

    return render_v3(operations, schemas, _INFO, security=False)


def _known_kinds(fragment: Any) -> dict[str, Any]:
    schema: dict[str, Any] = orjson.loads(orjson.dumps(fragment))
    schema[_KINDS] = [one for one in schema[_KINDS] if one["group"] not in _UNKNOWN]
    return schema
