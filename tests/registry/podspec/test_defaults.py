"""Tests of the defaults of pod specs."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.core.pod import STRATEGY
from kube_twisted.registry.podspec.defaults import default_pod_spec, default_template
from kube_twisted.registry.podspec.images import default_pull_policy
from kube_twisted.registry.podspec.volume_defaults import default_volume
from tests.registry.podspec.pods import Obj, container, pod


class SpecDefaultsTests(SynchronousTestCase):
    """What pods and templates have in common."""

    def test_minimal(self) -> None:
        """A spec with one container gets its policies, and the container where its last words go."""
        spec: Obj = {"containers": [container()]}
        default_pod_spec(spec)
        self.assertEqual(spec, {
            "containers": [container(imagePullPolicy="IfNotPresent",
                                     terminationMessagePath="/dev/termination-log",
                                     terminationMessagePolicy="File")],
            "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
            "securityContext": {}, "terminationGracePeriodSeconds": 30})

    def test_given_values_stay(self) -> None:
        """Defaults do not touch what is set."""
        given = {"dnsPolicy": "Default", "restartPolicy": "Never", "schedulerName": "own",
                 "securityContext": {"runAsUser": 1}, "terminationGracePeriodSeconds": 0}
        spec = {"containers": [], **given}
        default_pod_spec(spec)
        self.assertEqual(spec, {"containers": [], **given})

    def test_probes_and_hooks(self) -> None:
        """Probes get their times, HTTP actions a path and scheme, gRPC an empty service."""
        one = container(readinessProbe={"httpGet": {"port": 80}},
                        livenessProbe={"grpc": {"port": 1, "service": None}},
                        lifecycle={"preStop": {"httpGet": {"port": 81}}})
        default_pod_spec({"containers": [one]})
        times = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
        self.assertEqual(one["readinessProbe"],
                         {"httpGet": {"port": 80, "path": "/", "scheme": "HTTP"}} | times)
        self.assertEqual(one["livenessProbe"], {"grpc": {"port": 1, "service": ""}} | times)
        self.assertEqual(one["lifecycle"],
                         {"preStop": {"httpGet": {"port": 81, "path": "/", "scheme": "HTTP"}}})

    def test_ports_and_variables(self) -> None:
        """Ports are TCP; references to fields are of v1; files of variables are required."""
        one = container(ports=[{"containerPort": 53}, {"containerPort": 53, "protocol": "UDP"}],
                        env=[{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
                             {"name": "B", "valueFrom": {"fileKeyRef": {"key": "B"}}}])
        default_pod_spec({"containers": [], "initContainers": [one]})
        self.assertEqual([port["protocol"] for port in one["ports"]], ["TCP", "UDP"])
        self.assertEqual(one["env"][0]["valueFrom"]["fieldRef"]["apiVersion"], "v1")
        self.assertIs(one["env"][1]["valueFrom"]["fileKeyRef"]["optional"], False)

    def test_fine_quantities_are_rounded_up(self) -> None:
        """Resources finer than a thousandth are rounded up to one."""
        one = container(resources={"requests": {"cpu": "1500u", "memory": "1Gi"}})
        default_pod_spec({"containers": [one], "overhead": {}})
        self.assertEqual(one["resources"]["requests"], {"cpu": "2m", "memory": "1Gi"})

    def test_service_account_has_an_alias(self) -> None:
        """Both fields hold the account's name; the new one wins."""
        for given in ({"serviceAccountName": "a", "serviceAccount": "b"}, {"serviceAccount": "a"}):
            spec: Obj = {"containers": [], **given}
            default_pod_spec(spec)
            self.assertEqual((spec["serviceAccountName"], spec["serviceAccount"]), ("a", "a"))

    def test_template_drops_old_annotations(self) -> None:
        """Annotations that meant init containers go."""
        template: Obj = {"metadata": {"annotations": {"pod.beta.kubernetes.io/init-containers": "[]",
                                                      "a": "b"}},
                         "spec": {"containers": []}}
        default_template(template)
        self.assertEqual(template["metadata"]["annotations"], {"a": "b"})


class PodDefaultsTests(SynchronousTestCase):
    """What only pods get."""

    def test_service_links(self) -> None:
        """A pod sees Services as variables."""
        self.assertIs(pod()["spec"]["enableServiceLinks"], True)

    def test_requests_from_limits(self) -> None:
        """A limit without a request is the request too."""
        one = container(resources={"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m"}})
        made = pod(one)["spec"]["containers"][0]["resources"]
        self.assertEqual(made["requests"], {"cpu": "500m", "memory": "1Gi"})

    def test_host_network_ports(self) -> None:
        """In the host's network a port is the host's."""
        made = pod(container(ports=[{"containerPort": 80}]), hostNetwork=True)
        self.assertEqual(made["spec"]["containers"][0]["ports"][0]["hostPort"], 80)

    def test_negative_grace_is_one(self) -> None:
        """A negative grace period is a second."""
        self.assertEqual(pod(terminationGracePeriodSeconds=-3)["spec"]["terminationGracePeriodSeconds"], 1)

    def test_pod_level_requests(self) -> None:
        """With pod-level limits, missing requests come from the containers together, else from the limits."""
        containers = [container(resources={"requests": {"cpu": "100m"}}),
                      container(name="b", resources={"requests": {"cpu": "150m"}})]
        made = pod(*containers, resources={"limits": {"cpu": "1", "memory": "1Gi"}})
        self.assertEqual(made["spec"]["resources"]["requests"], {"cpu": "250m", "memory": "1Gi"})

    def test_sidecars_count_with_the_containers(self) -> None:
        """Requests together: sidecars run beside the containers, other init containers before them."""
        made = pod(container(resources={"requests": {"cpu": "100m"}}),
                   initContainers=[container(name="s", restartPolicy="Always",
                                             resources={"requests": {"cpu": "50m"}}),
                                   container(name="i", resources={"requests": {"cpu": "400m"}})],
                   resources={"limits": {"cpu": "1"}})
        self.assertEqual(made["spec"]["resources"]["requests"], {"cpu": "450m"})

    def test_pod_ips_follow_the_old_field(self) -> None:
        """podIP and the first of podIPs are one thing; the old field wins."""
        made = pod()
        for status, wanted in (({"podIP": "10.0.0.1"}, ["10.0.0.1"]),
                               ({"podIPs": [{"ip": "10.0.0.2"}]}, ["10.0.0.2"]),
                               ({"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.2"}]}, ["10.0.0.1"])):
            made["status"] = status
            STRATEGY.default(made)
            self.assertEqual([one["ip"] for one in made["status"]["podIPs"]], wanted)
            self.assertEqual(made["status"]["podIP"], wanted[0])


class ImageTests(SynchronousTestCase):
    """The pull policy that an image's tag asks for."""

    def test_latest_is_always_pulled(self) -> None:
        """No tag means latest, unless there is a digest."""
        for image in ("nginx", "nginx:latest", "registry.example:5000/a/b", "localhost/a",
                      "index.docker.io/nginx"):
            self.assertEqual(default_pull_policy(image), "Always", image)

    def test_others_are_not(self) -> None:
        """A tag, a digest, or something that is no image."""
        digest = "sha256:" + "a" * 64
        for image in ("nginx:1", f"nginx@{digest}", "Upper", "", "a//b", "nginx@sha256:" + "a" * 32, "b" * 64,
                      "registry.example:5000/a/b:v1"):
            self.assertEqual(default_pull_policy(image), "IfNotPresent", image)


class VolumeDefaultsTests(SynchronousTestCase):
    """Defaults of volume sources."""

    def test_no_source_is_an_empty_dir(self) -> None:
        """A volume of which only the name is known is an empty directory."""
        volume: Obj = {"name": "v"}
        default_volume(volume)
        self.assertEqual(volume, {"name": "v", "emptyDir": {}})

    def test_modes(self) -> None:
        """Files get mode 0644."""
        for kind in ("secret", "configMap", "downwardAPI", "projected"):
            volume: Obj = {"name": "v", kind: {}}
            default_volume(volume)
            self.assertEqual(volume[kind]["defaultMode"], 0o644)

    def test_sources(self) -> None:
        """Sources with defaults of their own."""
        for kind, given, wanted in (
                ("hostPath", {"path": "/x"}, {"path": "/x", "type": ""}),
                ("image", {"reference": "a:1"}, {"reference": "a:1", "pullPolicy": "IfNotPresent"}),
                ("iscsi", {}, {"iscsiInterface": "default"}),
                ("rbd", {"pool": "p"}, {"pool": "p", "user": "admin", "keyring": "/etc/ceph/keyring"}),
                ("scaleIO", {}, {"storageMode": "ThinProvisioned", "fsType": "xfs"}),
                ("ephemeral", {"volumeClaimTemplate": {"spec": {}}},
                 {"volumeClaimTemplate": {"spec": {"volumeMode": "Filesystem"}}})):
            volume: Obj = {"name": "v", kind: given}
            default_volume(volume)
            self.assertEqual(volume[kind], wanted)

    def test_projected_tokens(self) -> None:
        """Tokens live an hour; references to fields are of v1."""
        volume: Obj = {"name": "v", "projected": {"sources": [
            {"serviceAccountToken": {"path": "t"}},
            {"downwardAPI": {"items": [{"path": "n", "fieldRef": {"fieldPath": "metadata.name"}}]}}]}}
        default_volume(volume)
        sources = volume["projected"]["sources"]
        self.assertEqual(sources[0]["serviceAccountToken"]["expirationSeconds"], 3600)
        self.assertEqual(sources[1]["downwardAPI"]["items"][0]["fieldRef"]["apiVersion"], "v1")
