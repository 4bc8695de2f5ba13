"""Which resources are answered specially, by group."""

from __future__ import annotations

from collections.abc import Mapping

from kube_twisted.controlplane.rest import SpecialHandlers
from kube_twisted.controlplane.special.access_review import (
    local_subject_access_reviews,
    self_subject_access_reviews,
    subject_access_reviews,
)
from kube_twisted.controlplane.special.binding import bindings, pod_binding
from kube_twisted.controlplane.special.component_status import component_statuses
from kube_twisted.controlplane.special.eviction import pod_eviction
from kube_twisted.controlplane.special.identity_review import self_subject_reviews, token_reviews
from kube_twisted.controlplane.special.pod_log import pod_log
from kube_twisted.controlplane.special.pod_streams import pod_attach, pod_exec, pod_port_forward
from kube_twisted.controlplane.special.proxies import node_proxy, pod_proxy, service_proxy
from kube_twisted.controlplane.special.rules_review import self_subject_rules_reviews
from kube_twisted.controlplane.special.service_account_token import service_account_token

SPECIAL: Mapping[str, Mapping[str, SpecialHandlers]] = {
    "": {
        "bindings": bindings,
        "componentstatuses": component_statuses,
        "nodes/proxy": node_proxy,
        "pods/attach": pod_attach,
        "pods/binding": pod_binding,
        "pods/eviction": pod_eviction,
        "pods/exec": pod_exec,
        "pods/log": pod_log,
        "pods/portforward": pod_port_forward,
        "pods/proxy": pod_proxy,
        "serviceaccounts/token": service_account_token,
        "services/proxy": service_proxy,
    },
    "authentication.k8s.io": {
        "selfsubjectreviews": self_subject_reviews,
        "tokenreviews": token_reviews,
    },
    "authorization.k8s.io": {
        "localsubjectaccessreviews": local_subject_access_reviews,
        "selfsubjectaccessreviews": self_subject_access_reviews,
        "selfsubjectrulesreviews": self_subject_rules_reviews,
        "subjectaccessreviews": subject_access_reviews,
    },
}
