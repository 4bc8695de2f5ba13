"""AlwaysPullImages: no pod runs an image that was pulled with somebody else's credentials.

Source of the rule: the Kubernetes documentation, "Admission Control", AlwaysPullImages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import aggregate, forbidden
from kube_twisted.admission.resources import PODS
from kube_twisted.api import field
from kube_twisted.api.errors import plain_internal

Obj = dict[str, Any]


@implementer(IMutation, IValidation)
class AlwaysPullImages(Plugin):
    """Sets the pull policy of new images to ``Always``, and sees to it that it stays so."""

    name = "AlwaysPullImages"
    resources = frozenset({PODS})

    async def admit(self, attributes: Attributes) -> None:
        if not _brings_images(attributes):
            return
        assert attributes.obj is not None
        for _, owner, key in _policies(attributes.obj["spec"]):
            owner[key] = "Always"

    async def validate(self, attributes: Attributes) -> None:
        if not _brings_images(attributes):
            return
        assert attributes.obj is not None
        problems = [forbidden(attributes, str(field.not_supported(path, owner.get(key, ""), ["Always"]))).message
                    for path, owner, key in _policies(attributes.obj["spec"]) if owner.get(key) != "Always"]
        if problems:
            raise plain_internal(aggregate(problems))


def _policies(spec: Obj) -> Iterator[tuple[str, Obj, str]]:
    """Where pull policies are: the path, the object and its key."""
    for kind in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            yield f"spec.{kind}[{index}].imagePullPolicy", container, "imagePullPolicy"
    for index, volume in enumerate(spec.get("volumes") or ()):
        if "image" in volume:
            yield f"spec.volumes[{index}].image.pullPolicy", volume["image"], "pullPolicy"


def _brings_images(attributes: Attributes) -> bool:
    """Whether it is a new pod, or one with an image that it did not have."""
    if attributes.obj is None or attributes.old is None:
        return True
    return not _images(attributes.obj["spec"]) <= _images(attributes.old["spec"])


def _images(spec: Obj) -> set[str]:
    return {container.get("image", "") for kind in ("initContainers", "containers", "ephemeralContainers")
            for container in spec.get(kind) or ()}
