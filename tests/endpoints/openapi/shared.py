"""One set of definitions and of built-in groups for all tests of OpenAPI: reading them takes a moment."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import Any

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroupVersion
from kube_twisted.endpoints.openapi.definitions import Definitions
from kube_twisted.endpoints.openapi.paths import group_version_operations
from kube_twisted.endpoints.openapi.v2 import render_v2
from kube_twisted.endpoints.openapi.v3 import render_v3
from tests.endpoints.discovery.fakes import builtin_groups
from tests.schema.shared_schema import shared_schema

DEFINITIONS = Definitions(shared_schema(), "1.36")


def installed(group_version: str) -> APIGroupVersion:
    """A group-version with all its resources."""
    wanted = GroupVersion.parse(group_version)
    return next(version for group in builtin_groups() for version in group.versions
                if version.group_version == wanted)


@cache
def v3(group_version: str) -> Any:
    """The v3 document of a group-version, read back."""
    version = installed(group_version)
    operations = group_version_operations(version, DEFINITIONS.name)
    schemas = partial(DEFINITIONS.v3, group_version=version.group_version)
    return json.loads(render_v3(operations, schemas, {"title": "Kubernetes", "version": "1.36"}))


@cache
def v2(group_version: str) -> Any:
    """A v2 document with a single group-version in it, read back."""
    operations = group_version_operations(installed(group_version), DEFINITIONS.name)
    return json.loads(render_v2(operations, DEFINITIONS, "1.36"))
