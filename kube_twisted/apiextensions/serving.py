"""One custom resource at work: made from its definition when first asked for, and anew when that changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from attrs import evolve

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.apiextensions.admission import CustomResourceAdmission
from kube_twisted.apiextensions.cache import CustomResourceCache
from kube_twisted.apiextensions.definition import Definition, Version
from kube_twisted.apiextensions.owned_versions import OwnedVersions
from kube_twisted.apiextensions.parts import SUBRESOURCE_VERBS, VERBS, ServingParts
from kube_twisted.apiextensions.reading import CustomReading
from kube_twisted.apiextensions.scale import ScalePaths, custom_scale_scope, replicas_paths
from kube_twisted.apiextensions.schemas import VersionSchema
from kube_twisted.apiextensions.store import CustomResourceStore
from kube_twisted.apiextensions.strategy import CustomResourceStatusStrategy, CustomResourceStrategy
from kube_twisted.apiextensions.versions import CustomVersions
from kube_twisted.endpoints.deprecation import with_warning
from kube_twisted.endpoints.installer import handlers_for
from kube_twisted.endpoints.patch import CUSTOM_TYPES
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.registry.printers.custom import custom_printer
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.apply.plan import MapNode, Plans
from kube_twisted.schema.types import Struct
from kube_twisted.storage.cached import Encoding

_ROOT = "/registry/"


class Serving:
    """The endpoints of one custom resource.

    :ivar definition: as it is now; what it was made from is the same but for conditions and metadata.
    :ivar stores: by version.
    :ivar failure: why its objects can't be read.
    """

    def __init__(self, definition: Definition, parts: ServingParts) -> None:
        self.definition = definition
        self.failure: str | None = None
        self._parts = parts
        self._plans = Plans()
        self._schemas = {name: VersionSchema.make(one, definition, parts.schema)
                         for name, one in definition.versions.items()}
        self._structs: dict[str, Struct] = {}
        storage = definition.storage_version
        encoding = Encoding(definition.kind, str(storage.group_version))
        self.cache = CustomResourceCache(
            parts.storage, f"{_ROOT}{definition.group}/{definition.plural}/", definition.namespaced, encoding,
            self._renew, parts.clock)
        self._converter = parts.converter(definition)
        self._owned = OwnedVersions(definition, self._converter, self._struct)
        self.stores: dict[str, CustomResourceStore] = {}
        self._handlers: dict[tuple[str, str], Mapping[str, Handler]] = {}
        for version in definition.versions.values():
            if version.served or version.stored:
                self._install(version)

    @property
    def store(self) -> CustomResourceStore:
        """That of the storage version."""
        return self.stores[self.definition.storage_version.name]

    async def start(self) -> None:
        """Read the objects that there are.

        :raises StoreUnusable: for what is no object of the kind.
        """
        await self.cache.start()

    def stop(self) -> None:
        """End the watches."""
        self.cache.stop()

    def handlers(self, version: str, subresource: str) -> Mapping[str, Handler] | None:
        """By verb; None where there is no such subresource."""
        return self._handlers.get((version, subresource))

    # -- making ---------------------------------------------------------------------------------------------------

    def _install(self, version: Version) -> None:
        main = self._scope(version)
        self.stores[version.name] = store = main.store  # type: ignore[assignment]
        self._add(version, main)
        if version.status:
            strategy = CustomResourceStatusStrategy(self.definition, version, self._schemas[version.name])
            manager = self._manager(version, "status", strategy.reset_fields)
            self._add(version, evolve(main, subresource="status", strategy=strategy, verbs=SUBRESOURCE_VERBS,
                                      field_manager=manager, store=store))
        if version.scale is not None:
            scale = ScalePaths.of(version.scale)
            self._add(version, custom_scale_scope(main, self._plans, scale, replicas_paths(self.definition)))

    def _add(self, version: Version, scope: RequestScope) -> None:
        handlers: Mapping[str, Handler] = handlers_for(scope, self._parts.watches)
        warning = self.definition.deprecation(version)
        self._handlers[version.name, scope.subresource] = with_warning(handlers, warning) if warning else handlers

    def _scope(self, version: Version) -> RequestScope:
        definition, parts = self.definition, self._parts
        kind, schema = definition.gvk(version.name), self._schemas[version.name]
        strategy = CustomResourceStrategy(definition, version, schema)
        store = CustomResourceStore(
            definition.group_resource, kind, definition.namespaced, strategy, self.cache, parts.clock, self._converter,
            coerce=schema.coerce, coerce_stored=self._schemas[definition.storage_version.name].coerce,
            several=len(definition.versions) > 1)
        return RequestScope(
            resource=version.group_version.resource(definition.plural), kind=kind, namespaced=definition.namespaced,
            subresource="", store=store, strategy=strategy, schema=parts.schema, struct=self._struct(version.name),
            admission=CustomResourceAdmission(parts.admission, lambda: self.definition.is_terminating),
            printed_by=partial(custom_printer, version.columns), clock=parts.clock,
            field_manager=self._manager(version, "", strategy.reset_fields), verbs=VERBS, patch_types=CUSTOM_TYPES,
            read_by=CustomReading(kind, self._schemas), list_kind=definition.list_kind, is_custom=True,
            converted_by=CustomVersions(kind, self._schemas, self._converter))

    def _renew(self, obj: Obj) -> None:
        """What was stored under an older schema, as this one has it."""
        schema = self._schemas.get(GroupVersion.parse(obj.get("apiVersion", "")).version)
        if schema is not None:
            schema.renew(obj)

    # -- field ownership ------------------------------------------------------------------------------------------

    def _manager(self, version: Version, subresource: str, reset: tuple[tuple[str, ...], ...]) -> FieldManager:
        several = len(self.definition.versions) > 1
        return FieldManager(
            self._struct(version.name), str(version.group_version), subresource, reset, kind=self.definition.kind,
            convert=self._owned if several else None, empty={}, plans=self._plans)

    def type_of(self, version: str) -> MapNode:
        """The type of the objects of a version, for merging."""
        return self._plans.root(self._struct(version))

    def _struct(self, version: str) -> Struct:
        found = self._structs.get(version)
        if found is None:
            found = self._structs[version] = self._schemas[version].ownership(self.definition.gvk(version))
        return found
