"""Tests of resources: validation and quality of service."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.podspec.qos import qos_class
from tests.registry.podspec.pods import container, container_errors, pod, spec_errors


class ResourceTests(SynchronousTestCase):
    """Requests and limits."""

    def test_request_above_limit(self) -> None:
        """A request is at most the limit."""
        self.assertEqual(
            container_errors(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}),
            ['resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'])

    def test_names(self) -> None:
        """Containers ask for cpu, memory, storage of the node, huge pages, and resources with a domain."""
        self.assertEqual(container_errors(resources={"limits": {"example.com/gpu": "1",
                                                                "ephemeral-storage": "1Gi"}}), [])
        self.assertEqual(container_errors(resources={"requests": {"pods": "1"}}), [
            'resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers'])
        self.assertEqual(container_errors(resources={"requests": {"thing": "1"}}), [
            'resources.requests[thing]: Invalid value: "thing": must be a standard resource type or fully '
            "qualified",
            'resources.requests[thing]: Invalid value: "thing": must be a standard resource for containers'])

    def test_amounts(self) -> None:
        """No negative amounts, no fractions of devices."""
        self.assertEqual(container_errors(resources={"requests": {"cpu": "-1"}}), [
            'resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0'])
        self.assertEqual(container_errors(resources={"limits": {"example.com/gpu": "500m"}})[0],
                         'resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer')

    def test_extended_resources_are_not_overcommitted(self) -> None:
        """Devices need a limit that is the request."""
        self.assertEqual(container_errors(resources={"requests": {"example.com/gpu": "1"}}), [
            "resources.limits: Required value: Limit must be set for non overcommitable resources"])
        self.assertEqual(
            container_errors(resources={"requests": {"example.com/gpu": "1"},
                                        "limits": {"example.com/gpu": "2"}}),
            ['resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'])

    def test_huge_pages(self) -> None:
        """Huge pages are whole, and go with cpu or memory."""
        self.assertEqual(container_errors(resources={"limits": {"hugepages-2Mi": "3Mi"}}), [
            'resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of '
            "hugepages-2Mi",
            'resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple '
            "of hugepages-2Mi",
            "resources: Forbidden: HugePages require cpu or memory"])

    def test_claims(self) -> None:
        """A container uses claims that its pod has."""
        self.assertEqual(container_errors(resources={"claims": [{"name": "gpu"}]}), [
            'resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims '
            "which is empty"])
        self.assertEqual(spec_errors(resourceClaims=[{"name": "gpu"}]), [
            "resourceClaims[0]: Invalid value: "
            '{"Name":"gpu","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: '
            "`resourceClaimName`, `resourceClaimTemplateName`"])

    def test_pod_level(self) -> None:
        """A pod's own requests cover those of its containers, its limits theirs."""
        one = container(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "4"}})
        self.assertEqual(spec_errors(containers=[one],
                                     resources={"requests": {"cpu": "1"}, "limits": {"cpu": "3"}}), [
            'resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate '
            "container requests of 2",
            'resources.containers[0][cpu].limits: Invalid value: "4": must be less than or equal to pod '
            "limits of 3"])


class QosTests(SynchronousTestCase):
    """The class of service that resources make."""

    def test_classes(self) -> None:
        """None at all, all limited alike, anything between."""
        full = {"limits": {"cpu": "1", "memory": "1Gi"}}
        for resources, wanted in (({}, "BestEffort"), ({"requests": {"cpu": "0"}}, "BestEffort"),
                                  (full, "Guaranteed"), (full | {"requests": {"cpu": "500m"}}, "Burstable"),
                                  ({"limits": {"cpu": "1"}}, "Burstable"),
                                  ({"requests": {"cpu": "1"}}, "Burstable")):
            self.assertEqual(qos_class(pod(container(resources=resources))["spec"]), wanted, resources)

    def test_every_container_counts(self) -> None:
        """One container without limits makes the pod burstable."""
        limited = container(resources={"limits": {"cpu": "1", "memory": "1Gi"}})
        self.assertEqual(qos_class(pod(limited, container(name="b"))["spec"]), "Burstable")

    def test_pod_level(self) -> None:
        """Resources of the pod itself decide when there are some."""
        spec = pod(resources={"limits": {"cpu": "1", "memory": "1Gi"}})["spec"]
        self.assertEqual(qos_class(spec), "Guaranteed")
