"""OwnerReferencesPermissionEnforcement: only who may delete an object says who owns it, and only who may finalise an
owner keeps it from going.

Source of the rule: the Kubernetes documentation, "Admission Control", OwnerReferencesPermissionEnforcement.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve
from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation, ResourcesOfKind
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import PODS
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.authorization.interfaces import Attributes as Question
from kube_twisted.authorization.interfaces import IAuthorizer

Obj = dict[str, Any]


@implementer(IValidation)
class OwnerReferencesPermissionEnforcement(Plugin):
    """Looks at changes of ``metadata.ownerReferences``.

    :param resources_of: finds the resources whose objects are of a kind.
    """

    name = "OwnerReferencesPermissionEnforcement"
    subresources = None

    def __init__(self, authorizer: IAuthorizer, resources_of: ResourcesOfKind) -> None:
        self._authorizer = authorizer
        self._resources_of = resources_of

    async def validate(self, attributes: Attributes) -> None:
        new, old = _owners(attributes.obj), _owners(attributes.old)
        if new == old or (attributes.resource.group_resource == PODS and attributes.subresource == "status"):
            return
        if attributes.operation != "CREATE":
            await self._check_deletion(attributes)
        blocking = _newly_blocking(new, old)
        if blocking and not await self._may_finalise_anything(attributes):
            for reference in blocking:
                await self._check_owner(attributes, reference)

    async def _check_deletion(self, attributes: Attributes) -> None:
        resource = attributes.resource
        decision = await self._authorizer.authorize(Question(
            user=attributes.user, verb="delete", group=resource.group, version=resource.version,
            resource=resource.resource, subresource=attributes.subresource, namespace=attributes.namespace,
            name=attributes.name))
        if not decision.allowed:
            raise forbidden(attributes, "cannot set an ownerRef on a resource you can't delete: "
                                        f"{decision.reason}, <nil>")

    async def _may_finalise_anything(self, attributes: Attributes) -> bool:
        decision = await self._authorizer.authorize(Question(
            user=attributes.user, verb="update", group="*", version="*", resource="*", subresource="finalizers",
            name="*"))
        return decision.allowed

    async def _check_owner(self, attributes: Attributes, reference: Obj) -> None:
        group_version = GroupVersion.parse(reference.get("apiVersion", ""))
        kind = reference.get("kind", "")
        found = self._resources_of(group_version.kind(kind))
        if not found:
            raise forbidden(attributes, "cannot set blockOwnerDeletion in this case because cannot find RESTMapping "
                                        f"for APIVersion {group_version} Kind {kind}: "
                                        f'no matches for kind "{kind}" in version "{group_version}"')
        question = Question(user=attributes.user, verb="update", group=group_version.group,
                            version=group_version.version, subresource="finalizers", name=reference.get("name", ""))
        for resource, namespaced in found:
            decision = await self._authorizer.authorize(evolve(
                question, resource=resource, namespace=attributes.namespace if namespaced else ""))
            if not decision.allowed:
                raise forbidden(attributes, "cannot set blockOwnerDeletion if an ownerReference refers to a resource "
                                            f"you can't set finalizers on: {decision.reason}, <nil>")


def _owners(obj: Obj | None) -> list[Obj]:
    return (obj["metadata"].get("ownerReferences") or []) if obj is not None and "metadata" in obj else []


def _newly_blocking(new: list[Obj], old: list[Obj]) -> list[Obj]:
    blocked = {one.get("uid") for one in old if one.get("blockOwnerDeletion")}
    return [one for one in new if one.get("blockOwnerDeletion") and one.get("uid") not in blocked]
