"""REST storage of an API group: what a provider brings, and how a table row becomes an installed resource."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen
from zope.interface import Attribute, Interface, implementer

from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.api.gvk import GroupResource, GroupVersion, GroupVersionKind
from kube_twisted.authentication.token_review import TokenReviewer
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.controlplane.resources import ResourceFacts, Resources, VersionFacts
from kube_twisted.controlplane.runtime_config import APIResourceConfig
from kube_twisted.controlplane.special.component_health import Probe
from kube_twisted.controlplane.special.host_lookup import HostLookup
from kube_twisted.controlplane.special.token_issuer import TokenIssuer
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.deprecation import deprecation_warning, removed_release, with_warning
from kube_twisted.endpoints.groupversion import APIGroupVersion, APIResource
from kube_twisted.endpoints.installer import handlers_for
from kube_twisted.endpoints.patch import BUILTIN_TYPES
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.scale import scale_scope
from kube_twisted.endpoints.scope import ConversionView, RequestScope, View
from kube_twisted.endpoints.watch import WatchSettings
from kube_twisted.registry.conversion import Conversion
from kube_twisted.registry.printers.finding import printer_of
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.apply.versions import Converter
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.types import Struct
from kube_twisted.server.generic import APIGroupInfo
from kube_twisted.util.clock import Clock


@frozen
class RESTOptions:
    """What every storage is made with (the RESTOptionsGetter of the original).

    :ivar plans: shared by all field managers.
    :ivar components: of the control plane, by name, as ``componentstatuses`` shows them.
    :ivar hosts: looks up the addresses of nodes.
    """

    resources: Resources
    stores: Stores
    schema: BuiltinSchema
    admission: AdmissionChain
    watches: WatchSettings
    clock: Clock
    plans: Plans
    authorizer: IAuthorizer
    token_reviewer: TokenReviewer
    token_issuer: TokenIssuer
    components: Mapping[str, Probe]
    hosts: HostLookup


class IRESTStorageProvider(Interface):
    """Brings one API group."""

    group_name = Attribute("The group; the core group is the empty string.")

    def new_rest_storage(api_resource_config: APIResourceConfig, options: RESTOptions) -> APIGroupInfo | None:
        """The group's enabled versions with their resources; None when all are switched off."""


#: Makes what answers the verbs of a resource that is no stored object, such as ``pods/binding``.
SpecialHandlers = Callable[[RESTOptions], Mapping[str, Handler]]


@implementer(IRESTStorageProvider)
@frozen
class GroupProvider:
    """A group whose resources are rows of the table with a strategy each.

    :ivar strategies: by resource or resource/subresource.
    :ivar conversions: by ``resource@version``, for versions that are not the stored one.
    :ivar special: handlers of resources that are not objects in a store.
    :ivar relatives: by resource, the kinds of other groups that are stored as it is.
    """

    group_name: str
    strategies: Mapping[str, Strategy]
    conversions: Mapping[str, Conversion] = {}
    special: Mapping[str, SpecialHandlers] = {}
    relatives: Mapping[str, Mapping[GroupVersionKind, Conversion]] = {}

    def new_rest_storage(self, api_resource_config: APIResourceConfig, options: RESTOptions) -> APIGroupInfo | None:
        versions = []
        for facts in options.resources.groups.get(self.group_name, ()):
            if api_resource_config.version_enabled(facts):
                version = APIGroupVersion(facts.group_version)
                for name, row in facts.resources.items():
                    if api_resource_config.resource_enabled(facts.group_version, name.partition("/")[0]):
                        resource = self._resource(options, facts, row)
                        if resource is not None:
                            version.resources[name] = resource
                if version.resources:
                    versions.append(version)
        return APIGroupInfo(self.group_name, versions) if versions else None

    def _resource(self, options: RESTOptions, facts: VersionFacts, row: ResourceFacts) -> APIResource | None:
        """The row as something to install; None when nothing stands behind it."""
        name, _, subresource = row.name.partition("/")
        if row.name in self.special:
            return _installed(facts, row, self.special[row.name](options))
        if subresource == "scale" and name in self.strategies:
            main = facts.resources[name]
            scope = scale_scope(self._scope(options, facts.group_version, main, "scale"), row.verbs, options.plans)
            return _installed(facts, row, handlers_for(scope, options.watches))
        if row.name not in self.strategies:
            return None
        scope = self._scope(options, facts.group_version, row, subresource)
        return _installed(facts, row, handlers_for(scope, options.watches))

    def _scope(self, options: RESTOptions, version: GroupVersion, row: ResourceFacts, subresource: str) -> RequestScope:
        name = row.name.partition("/")[0]
        conversion = self.conversions.get(f"{name}@{version.version}")
        kind = version.kind(row.kind)
        struct = options.schema.kind(kind)
        strategy = self.strategies[row.name].for_kind(struct)
        stored_kind = self._stored_kind(options, name, kind)
        store = options.stores.obtain(
            GroupResource(self.group_name, name), stored_kind, row.namespaced, self.strategies[name])
        manager = FieldManager(struct, kind.api_version, subresource, strategy.reset_fields, kind=kind.kind,
                               convert=_converter(options.schema, kind, self._versions(name)),
                               plans=options.plans)
        view: View | None = ConversionView(conversion) if conversion is not None else None
        return RequestScope(
            resource=version.resource(name), kind=kind, namespaced=row.namespaced, subresource=subresource,
            store=store, strategy=strategy, schema=options.schema, struct=struct, admission=options.admission,
            printed_by=printer_of(store.resource.group, row.name), clock=options.clock, field_manager=manager,
            view=view, verbs=row.verbs, patch_types=BUILTIN_TYPES, relatives=self._relatives(name, kind, stored_kind))

    def _relatives(self, name: str, kind: GroupVersionKind,
                   stored_kind: GroupVersionKind) -> dict[GroupVersionKind, Conversion | None]:
        """The other versions of a kind, in this group and in others."""
        found: dict[GroupVersionKind, Conversion | None] = {
            GroupVersion(self.group_name, version).kind(kind.kind): one
            for version, one in self._versions(name).items()}
        found |= self.relatives.get(name, {})
        if found:
            found[stored_kind] = None
        return {one: conversion for one, conversion in found.items() if one != kind}

    def _versions(self, name: str) -> dict[str, Conversion]:
        prefix = name + "@"
        return {key[len(prefix):]: one for key, one in self.conversions.items() if key.startswith(prefix)}

    def _stored_kind(self, options: RESTOptions, name: str, kind: GroupVersionKind) -> GroupVersionKind:
        home = options.stores.home(GroupResource(self.group_name, name))
        for facts in options.resources.groups[home.group]:
            if home.resource in facts.resources and f"{name}@{facts.group_version.version}" not in (
                    self.conversions if home.group == self.group_name else ()):
                return facts.group_version.kind(facts.resources[home.resource].kind)
        return kind


def _installed(facts: VersionFacts, row: ResourceFacts, handlers: Mapping[str, Handler]) -> APIResource:
    response = row.response
    kind = (response or facts.group_version).kind(row.kind)
    warning = deprecation_warning(kind)
    if warning:
        handlers = with_warning(handlers, warning, removed_release(kind))
    return APIResource(
        row.name, row.kind, row.namespaced, row.verbs, handlers, row.singular, row.short_names, row.categories,
        response.group if response is not None else "", response.version if response is not None else "",
        row.storage_version_hash)


def _converter(schema: BuiltinSchema, kind: GroupVersionKind,
               conversions: Mapping[str, Conversion]) -> Converter | None:
    """Lets field ownership look at an object in another version of its kind.

    :param conversions: by version; a version without one is the stored one.
    """
    if not conversions:
        return None

    def convert(obj: Obj, api_version: str) -> tuple[Struct, Obj] | None:
        target = GroupVersion.parse(api_version)
        try:
            struct = schema.kind(target.kind(kind.kind))
        except KeyError:
            return None
        source = conversions.get(GroupVersion.parse(obj.get("apiVersion", kind.api_version)).version)
        hub = source.to_hub(obj) if source is not None else obj
        wanted = conversions.get(target.version)
        return struct, wanted.from_hub(hub) if wanted is not None else hub

    return convert
