"""What a CustomResourceDefinition says about the resource that it defines, as the server serves it."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

from attrs import frozen

from kube_twisted.api.gvk import GroupResource, GroupVersion, GroupVersionKind
from kube_twisted.endpoints.discovery.order import version_rank
from kube_twisted.registry.apiextensions.conditions import ESTABLISHED, NAMES_ACCEPTED, TERMINATING, is_true
from kube_twisted.registry.strategy import Obj


@frozen
class Version:
    """One version of a custom resource.

    :ivar group_version: group and version.
    :ivar facts: the item of ``spec.versions``.
    """

    group_version: GroupVersion
    facts: Mapping[str, Any]

    @property
    def name(self) -> str:
        return self.group_version.version

    @property
    def served(self) -> bool:
        return bool(self.facts.get("served"))

    @property
    def stored(self) -> bool:
        """Whether new objects are stored in this version."""
        return bool(self.facts.get("storage"))

    @property
    def schema(self) -> dict[str, Any]:
        """The structural schema; empty where there is none."""
        found: dict[str, Any] | None = (self.facts.get("schema") or {}).get("openAPIV3Schema")
        return found or {}

    @property
    def status(self) -> bool:
        """Whether there is a status subresource."""
        return self._subresource("status") is not None

    @property
    def scale(self) -> dict[str, Any] | None:
        """The paths of the scale subresource."""
        return self._subresource("scale")

    def _subresource(self, name: str) -> dict[str, Any] | None:
        found: dict[str, Any] | None = (self.facts.get("subresources") or {}).get(name)
        return found

    @property
    def columns(self) -> list[dict[str, Any]]:
        """Of Tables."""
        return list(self.facts.get("additionalPrinterColumns") or ())

    @property
    def selectable(self) -> list[str]:
        """The paths of selectable fields, such as ``.spec.color``."""
        return [one["jsonPath"] for one in self.facts.get("selectableFields") or ()]


@frozen
class Definition:
    """A CustomResourceDefinition.

    :ivar crd: the object; shared, not to be changed.
    """

    crd: Obj

    @property
    def name(self) -> str:
        """Of the definition: ``widgets.example.com``."""
        return str(self.crd["metadata"]["name"])

    @property
    def spec(self) -> Obj:
        found: Obj = self.crd["spec"]
        return found

    @property
    def group(self) -> str:
        return str(self.spec["group"])

    @property
    def names(self) -> Obj:
        """Those that no other definition has: accepted ones."""
        return self.crd.get("status", {}).get("acceptedNames") or {}

    @property
    def plural(self) -> str:
        return str(self.names.get("plural", ""))

    @property
    def kind(self) -> str:
        return str(self.names.get("kind", ""))

    @property
    def list_kind(self) -> str:
        return str(self.names.get("listKind", ""))

    @property
    def group_resource(self) -> GroupResource:
        return GroupResource(self.group, self.plural)

    @property
    def namespaced(self) -> bool:
        return bool(self.spec["scope"] == "Namespaced")

    @property
    def preserves_unknown_fields(self) -> bool:
        """A leftover of v1beta1: nothing is pruned."""
        return bool(self.spec.get("preserveUnknownFields"))

    @cached_property
    def versions(self) -> dict[str, Version]:
        """All versions by name."""
        return {one["name"]: Version(GroupVersion(self.group, one["name"]), one) for one in self.spec["versions"]}

    @property
    def served(self) -> Iterator[Version]:
        return (one for one in self.versions.values() if one.served)

    @property
    def storage_version(self) -> Version:
        return next(one for one in self.versions.values() if one.stored)

    @property
    def is_answered(self) -> bool:
        """Whether requests for its objects are answered."""
        return bool(self.names) and (is_true(self.crd, NAMES_ACCEPTED) or is_true(self.crd, ESTABLISHED))

    @property
    def is_discovered(self) -> bool:
        """Whether discovery and OpenAPI tell of it."""
        return is_true(self.crd, ESTABLISHED)

    @property
    def is_terminating(self) -> bool:
        return is_true(self.crd, TERMINATING)

    def gvk(self, version: str) -> GroupVersionKind:
        return GroupVersionKind(self.group, version, self.kind)

    def serves_like(self, other: Definition) -> bool:
        """Whether what is made for one definition is right for the other too."""
        return (self.crd["metadata"]["uid"] == other.crd["metadata"]["uid"] and self.spec == other.spec
                and self.names == other.names)

    @property
    def storage_version_hash(self) -> str:
        """Changes with the version in which objects are stored (KEP-2339)."""
        text = f"{self.group}/{self.storage_version.name}/{self.spec['names']['kind']}"
        return base64.b64encode(sha256(text.encode()).digest()[:8]).decode()

    def deprecation(self, version: Version) -> str:
        """The warning that all answers of a deprecated version carry; empty for others."""
        if not version.facts.get("deprecated"):
            return ""
        given = version.facts.get("deprecationWarning")
        if given is not None:
            return str(given)
        kind = self.spec["names"]["kind"]
        text = f"{self.group}/{version.name} {kind} is deprecated"
        newer = [one.name for one in self.served
                 if not one.facts.get("deprecated") and _order(one.name) > _order(version.name)]
        return f"{text}; use {self.group}/{max(newer, key=_order)} {kind}" if newer else text


def _order(version: str) -> tuple[tuple[int, int, int], str]:
    """A key: newer and more stable versions are greater; of other names, those that come first."""
    return version_rank(version), "".join(chr(0x10FFFF - ord(one)) for one in version)
