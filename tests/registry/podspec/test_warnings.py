"""Tests of the warnings about pods and templates."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.podspec.warnings import pod_warnings
from tests.registry.podspec.pods import Obj, container, pod


def warnings(*containers: Obj, metadata: Obj | None = None, **spec: object) -> list[str]:
    """Warnings about a pod."""
    return pod_warnings(pod(*containers, metadata=metadata, **spec))


class WarningTests(SynchronousTestCase):
    """What is valid but probably not meant so."""

    def test_none(self) -> None:
        """An ordinary pod gives none."""
        self.assertEqual(warnings(), [])

    def test_deprecated_node_labels(self) -> None:
        """Old labels of nodes, wherever pods choose nodes."""
        self.assertEqual(warnings(nodeSelector={"beta.kubernetes.io/os": "linux"}), [
            'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" '
            "instead"])
        self.assertEqual(warnings(topologySpreadConstraints=[{"topologyKey": "beta.kubernetes.io/arch"}]), [
            "spec.topologySpreadConstraints[0].topologyKey: beta.kubernetes.io/arch is deprecated since "
            'v1.14; use "kubernetes.io/arch" instead',
            "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no "
            "pod"])

    def test_deprecated_volumes(self) -> None:
        """Volumes that no node can mount any more."""
        self.assertEqual(warnings(volumes=[{"name": "a", "gitRepo": {}}, {"name": "b", "storageos": {}}]), [
            "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
            "spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+"])

    def test_annotations(self) -> None:
        """Annotations that were replaced by fields."""
        key = "seccomp.security.alpha.kubernetes.io/pod"
        self.assertEqual(warnings(metadata={"annotations": {key: "unconfined"}}), [
            f'metadata.annotations[{key}]: non-functional in v1.27+; use the "seccompProfile" field instead'])

    def test_fractional_bytes(self) -> None:
        """Half a byte of memory."""
        self.assertEqual(warnings(container(resources={"requests": {"memory": "500m"}})), [
            'spec.containers[0].resources.requests[memory]: fractional byte value "500m" is invalid, must be '
            "an integer"])

    def test_bytes_past_all_measure(self) -> None:
        """Thousandths that overflow 64 bits look like fractions, those of the largest number do not."""
        for memory, fraction in (("9223372036854775", False), ("9223372036854776", True),
                                 ("9223372036854775807", False), ("12345678901234567890", True)):
            found = warnings(container(resources={"requests": {"memory": memory}}))
            self.assertEqual(bool(found), fraction, memory)

    def test_hidden_variables(self) -> None:
        """A variable that is set twice, unless the second builds upon the first."""
        env = [{"name": "A", "value": "1"}, {"name": "A", "value": "$(A)2"}, {"name": "A", "value": "3"}]
        self.assertEqual(warnings(container(env=env)), [
            'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using '
            "apply"])

    def test_ports(self) -> None:
        """Ports and port names that are taken twice."""
        ports = [{"containerPort": 80, "name": "a"}, {"containerPort": 80, "hostPort": 8}]
        self.assertEqual(warnings(container(ports=ports),
                                  container(name="b", ports=[{"containerPort": 1, "name": "a"}])), [
            "spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]",
            'spec.containers[1].ports[0]: duplicate port name "a" with spec.containers[0].ports[0], services '
            "and probes that select ports by name will use spec.containers[0].ports[0]"])
        self.assertEqual(warnings(container(ports=[{"containerPort": 80, "hostIP": "127.0.0.1"}])), [
            "spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 "
            "Protocol:TCP HostIP:127.0.0.1}"])

    def test_overlapping_paths(self) -> None:
        """Files of a volume that lie in one another's way."""
        items = [{"key": "a", "path": "p"}, {"key": "b", "path": "p/q"}]
        self.assertEqual(warnings(volumes=[{"name": "v", "configMap": {"name": "c", "items": items}}]), [
            'volume "v" (ConfigMap "c"): overlapping paths: "p/q" with "p"'])
        sources = [{"secret": {"name": "s", "items": items[:1]}}, {"serviceAccountToken": {"path": "p"}}, {}]
        self.assertEqual(warnings(volumes=[{"name": "v", "projected": {"sources": sources}}]), [
            'volume "v" (Projected) has no sources provided',
            'volume "v" (Projected): overlapping paths: "p" (ServiceAccountToken) with "p" (Secret "s")'])

    def test_repeated_references(self) -> None:
        """Secrets and host aliases that are named twice, or not at all."""
        self.assertEqual(warnings(imagePullSecrets=[{"name": "a"}, {"name": "a"}, {}],
                                  hostAliases=[{"ip": "1.2.3.4"}, {"ip": "1.2.3.4"}]), [
            'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"',
                                      'spec.imagePullSecrets[1].name: duplicate name "a"',
            'spec.imagePullSecrets[2].name: invalid empty name ""'])

    def test_grace_period_of_a_template(self) -> None:
        """In a template a negative grace period stays, and is warned about under the template's path."""
        self.assertEqual(pod_warnings({"spec": {"terminationGracePeriodSeconds": -1}}, "spec.template"), [
            "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and "
            "will be treated as 1"])

    def test_addresses(self) -> None:
        """Addresses in an unusual spelling."""
        self.assertEqual(warnings(dnsConfig={"nameservers": ["fd00:0::1"]}), [
            'spec.dnsConfig.nameservers[0]: IPv6 address "fd00:0::1" should be in RFC 5952 canonical format '
            '("fd00::1")'])
