"""Which kinds check metadata a second time on update.

The original checks the metadata of every changed object, and then most kinds check it again by themselves: a mistake
in it shows as often in the causes of a 422.
"""

from __future__ import annotations

from kube_twisted.api.gvk import GroupResource

UPDATE, WHOLE = "update", "whole"
_BOTH = (UPDATE, WHOLE)
_RBAC, _ADMISSION = "rbac.authorization.k8s.io", "admissionregistration.k8s.io"
_NOT_USUAL: dict[tuple[str, str], tuple[str, ...]] = {
    **{("", resource): _BOTH for resource in (
        "configmaps", "endpoints", "nodes", "pods", "secrets", "serviceaccounts")},
    **{(_RBAC, resource): _BOTH for resource in ("clusterrolebindings", "clusterroles", "rolebindings", "roles")},
    **{("certificates.k8s.io", resource): _BOTH for resource in ("certificatesigningrequests", "clustertrustbundles")},
    **{("apps", resource): _BOTH for resource in ("controllerrevisions", "statefulsets")},
    **{("networking.k8s.io", resource): _BOTH for resource in ("ingressclasses", "ingresses")},
    ("resource.k8s.io", "resourceclaims"): _BOTH,
    **{(_ADMISSION, resource): (WHOLE,) for resource in (
        "mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "mutatingwebhookconfigurations",
        "validatingadmissionpolicies", "validatingadmissionpolicybindings", "validatingwebhookconfigurations")},
    ("discovery.k8s.io", "endpointslices"): (WHOLE,),
    ("flowcontrol.apiserver.k8s.io", "flowschemas"): (WHOLE,),
    ("storage.k8s.io", "csinodes"): (WHOLE,),
    ("storage.k8s.io", "volumeattachments"): (),
    ("", "persistentvolumes"): (),
}


def repeated_checks(resource: GroupResource) -> tuple[str, ...]:
    """``update`` (what may not change) and ``whole`` (names, labels and the rest), in the order in which they come."""
    return _NOT_USUAL.get((resource.group, resource.resource), (UPDATE,))
