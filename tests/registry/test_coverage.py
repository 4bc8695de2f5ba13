"""Every stored resource that is served by default has its rules, and the rules agree with what they select by."""

from __future__ import annotations

import importlib

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.strategy import StatusStrategy, Strategy

#: Package of the rules -> the resources that the server stores for its group.
STORED = {
    "core": "configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims "
            "persistentvolumes pods podtemplates replicationcontrollers resourcequotas secrets serviceaccounts "
            "services",
    "admissionregistration": "mutatingadmissionpolicies mutatingadmissionpolicybindings "
                             "mutatingwebhookconfigurations validatingadmissionpolicies "
                             "validatingadmissionpolicybindings validatingwebhookconfigurations",
    "apiextensions": "customresourcedefinitions",
    "apiregistration": "apiservices",
    "apps": "controllerrevisions daemonsets deployments replicasets statefulsets",
    "autoscaling": "horizontalpodautoscalers",
    "batch": "cronjobs jobs",
    "certificates": "certificatesigningrequests",
    "coordination": "leases",
    "discovery": "endpointslices",
    "events": "events",
    "flowcontrol": "flowschemas prioritylevelconfigurations",
    "networking": "ingressclasses ingresses ipaddresses networkpolicies servicecidrs",
    "node": "runtimeclasses",
    "policy": "poddisruptionbudgets",
    "rbac": "clusterrolebindings clusterroles rolebindings roles",
    "resource": "deviceclasses resourceclaims resourceclaimtemplates resourceslices",
    "scheduling": "priorityclasses",
    "storage": "csidrivers csinodes csistoragecapacities storageclasses volumeattachments "
               "volumeattributesclasses",
}
#: Resources with a ``status`` that is written apart.
WITH_STATUS = {
    "core": "namespaces nodes persistentvolumeclaims persistentvolumes pods replicationcontrollers resourcequotas "
            "services",
    "admissionregistration": "validatingadmissionpolicies",
    "apiextensions": "customresourcedefinitions",
    "apiregistration": "apiservices",
    "apps": "daemonsets deployments replicasets statefulsets",
    "autoscaling": "horizontalpodautoscalers",
    "batch": "cronjobs jobs",
    "certificates": "certificatesigningrequests",
    "flowcontrol": "flowschemas prioritylevelconfigurations",
    "networking": "ingresses servicecidrs",
    "policy": "poddisruptionbudgets",
    "resource": "resourceclaims",
    "storage": "volumeattachments",
}


def strategies(group: str) -> dict[str, Strategy]:
    found: dict[str, Strategy] = importlib.import_module(f"kube_twisted.registry.{group}").STRATEGIES
    return found


class CoverageTests(SynchronousTestCase):
    def test_stored(self) -> None:
        """Every resource has rules."""
        for group, resources in STORED.items():
            self.assertEqual(set(resources.split()) - set(strategies(group)), set(), group)

    def test_statuses(self) -> None:
        """Every status has rules that leave the rest alone."""
        for group, resources in WITH_STATUS.items():
            for resource in resources.split():
                found = strategies(group)[f"{resource}/status"]
                self.assertIsInstance(found, StatusStrategy, resource)
                self.assertNotIn(("status",), found.reset_fields, resource)

    def test_labels_have_values(self) -> None:
        """What objects can be selected by is what rules give values for."""
        for group in STORED:
            for resource, strategy in strategies(group).items():
                if strategy.field_labels is not None and "/" not in resource:
                    obj = {"metadata": {"name": "x"}, "spec": {}, "status": {}}
                    self.assertEqual(set(strategy.selectable_fields(obj)), strategy.field_labels, resource)
