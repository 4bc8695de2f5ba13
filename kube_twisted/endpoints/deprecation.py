"""Kinds that are on their way out: every answer about them carries a warning (KEP-1693)."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.endpoints.request import Handler, Request, Response

#: What the audit log is told.
_DEPRECATED, _REMOVED = "k8s.io/deprecated", "k8s.io/removed-release"


@frozen
class Deprecation:
    """When a kind was deprecated, in which version it is gone, and what to use in its place.

    :ivar use: such as ``discovery.k8s.io/v1 EndpointSlice``.
    """

    since: str
    gone: str = ""
    use: str = ""


_ADMISSION_ALPHA = Deprecation("1.35", "1.38")
_DRA_BETA1 = Deprecation("1.35", "1.38")
_DRA_BETA2 = Deprecation("1.36", "1.39")
_DRA_KINDS = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")
_NETWORKING = Deprecation("1.34", "1.37")

#: By apiVersion and kind. Source: the lifecycle methods of the API types.
DEPRECATED: Mapping[tuple[str, str], Deprecation] = {
    ("v1", "ComponentStatus"): Deprecation("1.19"),
    ("v1", "Endpoints"): Deprecation("1.33", use="discovery.k8s.io/v1 EndpointSlice"),
    ("admissionregistration.k8s.io/v1alpha1", "MutatingAdmissionPolicy"): _ADMISSION_ALPHA,
    ("admissionregistration.k8s.io/v1alpha1", "MutatingAdmissionPolicyBinding"): _ADMISSION_ALPHA,
    ("certificates.k8s.io/v1alpha1", "ClusterTrustBundle"): Deprecation("1.34", "1.37"),
    ("coordination.k8s.io/v1alpha2", "LeaseCandidate"): Deprecation("1.35", "1.38"),
    ("coordination.k8s.io/v1beta1", "LeaseCandidate"): Deprecation("1.36", "1.39"),
    ("networking.k8s.io/v1beta1", "IPAddress"): _NETWORKING,
    ("networking.k8s.io/v1beta1", "ServiceCIDR"): _NETWORKING,
    ("resource.k8s.io/v1alpha3", "DeviceTaintRule"): Deprecation("1.36", "1.39"),
    **{("resource.k8s.io/v1beta1", kind): _DRA_BETA1 for kind in _DRA_KINDS},
    **{("resource.k8s.io/v1beta2", kind): _DRA_BETA2 for kind in _DRA_KINDS},
    ("storage.k8s.io/v1beta1", "VolumeAttributesClass"): Deprecation(
        "1.34", "1.37", "storage.k8s.io/v1 VolumeAttributesClass"),
}


def removed_release(kind: GroupVersionKind) -> str:
    """The release that no longer has a kind; empty when none is known."""
    found = DEPRECATED.get((kind.api_version, kind.kind))
    return found.gone if found is not None else ""


def deprecation_warning(kind: GroupVersionKind) -> str:
    """The warning about a kind, empty when there is none."""
    found = DEPRECATED.get((kind.api_version, kind.kind))
    if found is None:
        return ""
    gone = f", unavailable in v{found.gone}+" if found.gone else ""
    use = f"; use {found.use}" if found.use else ""
    return f"{kind.api_version} {kind.kind} is deprecated in v{found.since}+{gone}{use}"


def with_warning(handlers: Mapping[str, Handler], text: str, gone: str = "") -> dict[str, Handler]:
    """The handlers, each of which warns first; refusals carry the warning as well.

    :param gone: the release that no longer has the kind, for the audit log.
    """
    return {verb: _warning(handler, text, gone) for verb, handler in handlers.items()}


def _warning(handler: Handler, text: str, gone: str) -> Handler:
    async def warn(request: Request) -> Response:
        request.add_warning(text)
        request.annotate(_DEPRECATED, "true")
        if gone:
            request.annotate(_REMOVED, gone)
        return await handler(request)

    return warn
