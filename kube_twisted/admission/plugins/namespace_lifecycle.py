"""NamespaceLifecycle: nothing is created in a namespace that is missing or going, and some namespaces stay.

Source of the rules: the Kubernetes documentation, "Admission Control", NamespaceLifecycle.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import NAMESPACES
from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource
from kube_twisted.util.clock import Clock

#: Namespaces that may not be deleted.
IMMORTAL = frozenset({"default", "kube-system", "kube-public"})
#: For how many seconds after its deletion was asked for a namespace's cached state is not trusted.
_DISTRUST_SECONDS = 30.0
#: Saying that the namespace isn't there would tell about it to people who only ask what they may do.
_ACCESS_REVIEWS = GroupResource("authorization.k8s.io", "localsubjectaccessreviews")


@implementer(IMutation)
class NamespaceLifecycle(Plugin):
    """Holds creations against the phase of their namespace.

    Reads go to the watch cache. It may lag behind other servers of the same store, so what it doesn't have, and
    a namespace whose deletion went through here a moment ago, is looked at again with all that is acknowledged.
    """

    name = "NamespaceLifecycle"
    operations = ("CREATE", "UPDATE", "DELETE")
    subresources = None

    def __init__(self, reader: ObjectReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        #: when the cached state of a namespace is to be trusted again
        self._distrusted: dict[str, float] = {}

    async def admit(self, attributes: Attributes) -> None:
        resource = attributes.resource.group_resource
        if resource == NAMESPACES:
            if attributes.operation == "DELETE":
                self._deleting(attributes)
            return
        namespace = attributes.namespace
        if not namespace or attributes.operation == "DELETE" or resource == _ACCESS_REVIEWS:
            return
        found = self._reader.peek("", "namespaces", "", namespace)
        if found is None or (self._distrusted and self._distrusts(namespace)):
            found = await self._reader.peek_latest("", "namespaces", "", namespace)
        if found is None:
            raise errors.not_found(NAMESPACES, namespace)
        if attributes.operation == "CREATE" and found.get("status", {}).get("phase") == "Terminating":
            raise _terminating(attributes)

    def _deleting(self, attributes: Attributes) -> None:
        name = attributes.name
        if name in IMMORTAL:
            raise forbidden(attributes, "this namespace may not be deleted")
        now = self._clock.seconds()
        self._distrusted = {one: until for one, until in self._distrusted.items() if until > now}
        self._distrusted[name] = now + _DISTRUST_SECONDS

    def _distrusts(self, namespace: str) -> bool:
        until = self._distrusted.get(namespace)
        return until is not None and until > self._clock.seconds()


def _terminating(attributes: Attributes) -> errors.StatusError:
    namespace = attributes.namespace
    cause = {"reason": "NamespaceTerminating", "message": f"namespace {namespace} is being terminated",
             "field": "metadata.namespace"}
    return forbidden(attributes, f"unable to create new content in namespace {namespace} "
                                 "because it is being terminated", [cause])
