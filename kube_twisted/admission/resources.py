"""The resources that plugins look at, and those they read."""

from __future__ import annotations

from kube_twisted.api.gvk import GroupResource

PODS = GroupResource("", "pods")
SERVICES = GroupResource("", "services")
NAMESPACES = GroupResource("", "namespaces")
NODES = GroupResource("", "nodes")
PERSISTENT_VOLUMES = GroupResource("", "persistentvolumes")
PERSISTENT_VOLUME_CLAIMS = GroupResource("", "persistentvolumeclaims")
INGRESSES = GroupResource("networking.k8s.io", "ingresses")
PRIORITY_CLASSES = GroupResource("scheduling.k8s.io", "priorityclasses")
VOLUME_ATTRIBUTES_CLASSES = GroupResource("storage.k8s.io", "volumeattributesclasses")
RESOURCE_CLAIMS = GroupResource("resource.k8s.io", "resourceclaims")
CERTIFICATE_SIGNING_REQUESTS = GroupResource("certificates.k8s.io", "certificatesigningrequests")
CLUSTER_TRUST_BUNDLES = GroupResource("certificates.k8s.io", "clustertrustbundles")
