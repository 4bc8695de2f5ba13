"""What custom resources are served with."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.apiextensions.conversion.converter import Converter
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.endpoints.watch import WatchSettings
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.storage.interfaces import IStore
from kube_twisted.util.clock import Clock

#: What the resources, and their subresources, can be asked.
VERBS = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
SUBRESOURCE_VERBS = ("get", "patch", "update")


@frozen
class ServingParts:
    """What custom resources are served with.

    :ivar converter: makes what converts the objects of a definition between its versions.
    """

    storage: IStore
    schema: BuiltinSchema
    clock: Clock
    admission: AdmissionChain
    watches: WatchSettings
    converter: Callable[[Definition], Converter]
