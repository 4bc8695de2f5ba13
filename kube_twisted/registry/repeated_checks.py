"""Which kinds check metadata a second time on update.

The original checks the metadata of every changed object, and then most kinds check it again by themselves: a mistake
in it shows as often in the causes of a 422.
"""

from __future__ import annotations

from kube_twisted.api.gvk import GroupResource

UPDATE, WHOLE = "update", "whole"
_BOTH, _TURNED = (UPDATE, WHOLE), (WHOLE, UPDATE)
_RBAC, _ADMISSION = "rbac.authorization.k8s.io", "admissionregistration.k8s.io"
_NOT_USUAL: dict[tuple[str, str], tuple[str, ...]] = {
    **{("", resource): _BOTH for resource in (
        "configmaps", "endpoints", "persistentvolumeclaims", "pods", "secrets", "serviceaccounts")},
    **{("", resource): (WHOLE, UPDATE) for resource in ("namespaces", "nodes")},
    ("", "persistentvolumes"): (WHOLE, WHOLE),
    ("", "limitranges"): (WHOLE,),
    ("", "events"): (),
    **{(_RBAC, resource): _BOTH for resource in ("clusterrolebindings", "clusterroles", "rolebindings", "roles")},
    **{("certificates.k8s.io", resource): _BOTH for resource in ("certificatesigningrequests", "clustertrustbundles")},
    ("apps", "controllerrevisions"): _BOTH,
    ("apiregistration.k8s.io", "apiservices"): _BOTH,
    **{("networking.k8s.io", resource): _BOTH for resource in ("ingressclasses", "ingresses")},
    ("networking.k8s.io", "ipaddresses"): _TURNED,
    **{("resource.k8s.io", resource): _TURNED for resource in (
        "deviceclasses", "resourceclaims", "resourceclaimtemplates")},
    **{("storage.k8s.io", resource): _TURNED for resource in ("csistoragecapacities", "storageclasses")},
    ("batch", "jobs"): _TURNED,
    ("node.k8s.io", "runtimeclasses"): _TURNED,
    **{(_ADMISSION, resource): (WHOLE,) for resource in (
        "mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "mutatingwebhookconfigurations",
        "validatingadmissionpolicies", "validatingadmissionpolicybindings", "validatingwebhookconfigurations")},
    ("discovery.k8s.io", "endpointslices"): (WHOLE,),
    **{("flowcontrol.apiserver.k8s.io", resource): (WHOLE,) for resource in (
        "flowschemas", "prioritylevelconfigurations")},
    **{("storage.k8s.io", resource): (WHOLE,) for resource in ("csinodes", "volumeattachments")},
    ("policy", "poddisruptionbudgets"): (),
}


def repeated_checks(resource: GroupResource, part: bool = False) -> tuple[str, ...]:
    """What is checked once more.

    :param part: the change is of a part of the object only, such as its status; matters in the core group.
    :returns: ``update`` (what may not change) and ``whole`` (names, labels and the rest), in the order in which
        they come.
    """
    if part and not resource.group:
        return (UPDATE,)
    return _NOT_USUAL.get((resource.group, resource.resource), (UPDATE,))
