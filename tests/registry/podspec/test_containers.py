"""Tests of the validation of containers."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.podspec.pods import Obj, container, container_errors, errors_of, pod, spec_errors

LABEL = ("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must "
         "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
         "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')")


class ContainerTests(SynchronousTestCase):
    """Names, images and policies."""

    def test_valid(self) -> None:
        """The smallest pod is valid."""
        self.assertEqual(errors_of(pod()), [])

    def test_no_containers(self) -> None:
        """A pod has at least one container."""
        made = pod()
        made["spec"]["containers"] = []
        self.assertEqual(errors_of(made), ["spec.containers: Required value"])

    def test_names(self) -> None:
        """A name is a DNS label, and one container's only."""
        self.assertEqual(container_errors(name=""), ["name: Required value"])
        self.assertEqual(container_errors(name="A"), [f'name: Invalid value: "A": {LABEL}'])
        self.assertEqual(errors_of(pod(container(), container())),
                         ['spec.containers[1].name: Duplicate value: "app"'])
        self.assertEqual(errors_of(pod(initContainers=[container()])),
                         ['spec.initContainers[0].name: Duplicate value: "app"'])

    def test_image(self) -> None:
        """There is an image, in a pod without spaces around."""
        self.assertEqual(container_errors(image=""), ["image: Required value"])
        self.assertEqual(container_errors(image=" a"),
                         ['image: Invalid value: " a": must not have leading or trailing whitespace'])

    def test_policies(self) -> None:
        """Unknown values are answered with the known ones."""
        self.assertEqual(container_errors(imagePullPolicy="Maybe", terminationMessagePolicy="X"), [
            'terminationMessagePolicy: Unsupported value: "X": supported values: "File", '
            '"FallbackToLogsOnError"',
            'imagePullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", '
            '"Never"'])

    def test_init_container_rules(self) -> None:
        """Rules without a policy are not looked at in init containers, but in others."""
        rules: Obj = {"restartPolicyRules": [{"action": "Jump"}]}
        missing = "restartPolicy: Required value: must specify restartPolicy when restart rules are used"
        self.assertEqual(spec_errors(initContainers=[container(name="i", **rules)]), [f"initContainers[0].{missing}"])
        self.assertEqual(container_errors(**rules)[0], missing)
        self.assertEqual(len(container_errors(**rules)), 3)

    def test_ports(self) -> None:
        """Ports have numbers in range, known protocols, names of their own."""
        self.assertEqual(container_errors(ports=[{}]), ["ports[0].containerPort: Required value"])
        self.assertEqual(
            container_errors(ports=[{"containerPort": 70000, "hostPort": -1, "protocol": "X"}]),
            ["ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
             "ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive",
             'ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"'])
        self.assertEqual(container_errors(ports=[{"name": "a", "containerPort": 1},
                                                 {"name": "a", "containerPort": 2}]),
                         ['ports[1].name: Duplicate value: "a"'])
        self.assertEqual(
            container_errors(ports=[{"containerPort": 1, "hostPort": 9},
                                    {"containerPort": 2, "hostPort": 9}]),
            ['ports[1].hostPort: Duplicate value: "TCP//9"'])

    def test_init_containers_have_no_probes(self) -> None:
        """Only those that always restart are probed and have hooks."""
        init = container(name="i", livenessProbe={"exec": {"command": ["x"]}}, lifecycle={})
        why = "Forbidden: may not be set for init containers without restartPolicy=Always"
        self.assertEqual(errors_of(pod(initContainers=[init])),
                         [f"spec.initContainers[0].lifecycle: {why}",
                          f"spec.initContainers[0].livenessProbe: {why}"])
        self.assertEqual(errors_of(pod(initContainers=[init | {"restartPolicy": "Always"}])), [])

    def test_restart_rules(self) -> None:
        """Rules need a policy, an action and exit codes."""
        self.assertEqual(container_errors(restartPolicyRules=[{"action": "Stop"}]), [
            "restartPolicy: Required value: must specify restartPolicy when restart rules are used",
            'restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", '
            '"RestartAllContainers"',
            "restartPolicyRules[0].exitCodes: Required value: must be specified"])

    def test_resize_policy(self) -> None:
        """Only cpu and memory can be resized; a pod that never restarts does not restart for it."""
        self.assertEqual(spec_errors(restartPolicy="Never", containers=[container(
            resizePolicy=[{"resourceName": "disk", "restartPolicy": "RestartContainer"}])]), [
            'containers[0].resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
            "containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod "
            "`restartPolicy` is 'Never'"])

    def test_ephemeral_on_create(self) -> None:
        """Nobody creates a pod with ephemeral containers, and these have neither ports nor resources."""
        one = container(name="dbg", ports=[{"containerPort": 1}], targetContainerName="nobody")
        self.assertEqual(spec_errors(ephemeralContainers=[one]), [
            'ephemeralContainers[0].targetContainerName: Not found: "nobody"',
            "ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container",
            "ephemeralContainers: Forbidden: cannot be set on create"])
        empty = container(name="dbg", lifecycle={}, restartPolicy="", resources={})
        self.assertEqual(spec_errors(ephemeralContainers=[empty])[:-1], [
            f"ephemeralContainers[0].{field}: Forbidden: cannot be set for an Ephemeral Container"
            for field in ("restartPolicy", "lifecycle")])


class EnvTests(SynchronousTestCase):
    """Environment variables."""

    def test_names(self) -> None:
        """Anything printable but the equals sign."""
        self.assertEqual(container_errors(env=[{"name": ""}]), ["env[0].name: Required value"])
        self.assertEqual(len(container_errors(env=[{"name": "a=b"}])), 1)
        self.assertEqual(container_errors(env=[{"name": "1 odd.name"}]), [])

    def test_one_source(self) -> None:
        """A variable has a value or one source."""
        reference = {"fieldRef": {"fieldPath": "metadata.name"}}
        secret = {"secretKeyRef": {"name": "s", "key": "k"}}
        self.assertEqual(container_errors(env=[{"name": "A", "valueFrom": {}}]), [
            'env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, '
            "`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"])
        self.assertEqual(container_errors(env=[{"name": "A", "value": "x", "valueFrom": reference}]), [
            'env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'])
        self.assertEqual(container_errors(env=[{"name": "A", "valueFrom": reference | secret}]), [
            'env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time'])

    def test_field_references(self) -> None:
        """Only fields that are known at the start, labels and annotations by their key."""
        def errors(path: str) -> list[str]:
            return [text.removeprefix("env[0].valueFrom.fieldRef") for text in container_errors(
                env=[{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": path}}}])]

        self.assertEqual(errors("status.podIP"), [])
        self.assertEqual(errors("metadata.labels['app']"), [])
        self.assertEqual(errors("spec.image"),
                         ['.fieldPath: Invalid value: "spec.image": error converting fieldPath: field label '
                          "not supported: spec.image"])
        self.assertIn('.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", ',
                      errors("metadata.labels")[0])
        self.assertIn("field label does not support subscript: metadata.name",
                      errors("metadata.name['x']")[0])

    def test_resource_references(self) -> None:
        """A resource of limits or requests, in a unit that fits."""
        def errors(**reference: str) -> list[str]:
            return [text.removeprefix("env[0].valueFrom.resourceFieldRef") for text in container_errors(
                env=[{"name": "A", "valueFrom": {"resourceFieldRef": reference}}])]

        self.assertEqual(errors(resource="limits.cpu", divisor="1m"), [])
        self.assertEqual(errors(), [".resource: Required value"])
        self.assertEqual(errors(resource="limits.cpu", divisor="2"), [
            '.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the '
            "cpu resource"])

    def test_env_from(self) -> None:
        """Each entry names one ConfigMap or Secret."""
        self.assertEqual(container_errors(envFrom=[{}]), [
            'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'])
        self.assertEqual(container_errors(envFrom=[{"secretRef": {}}]),
                         ["envFrom[0].secretRef.name: Required value"])

    def test_files_of_variables(self) -> None:
        """Variables from files come from emptyDir volumes."""
        env = [{"name": "A", "valueFrom": {"fileKeyRef": {"key": "A", "volumeName": "v", "path": "f"}}}]
        place = "containers[0].env[0].valueFrom.fileKeyRef.volumeName"
        self.assertEqual(spec_errors(containers=[container(env=env)]), [f'{place}: Not found: "v"'])
        self.assertEqual(spec_errors(containers=[container(env=env)],
                                     volumes=[{"name": "v", "configMap": {"name": "c"}}]),
                         [f'{place}: Invalid value: "v": referenced volume must be of type emptyDir'])


class MountTests(SynchronousTestCase):
    """Volume mounts and devices."""

    def test_unknown_volume(self) -> None:
        """A mount names a volume of the pod."""
        self.assertEqual(container_errors(volumeMounts=[{"name": "v", "mountPath": "/v"}]),
                         ['volumeMounts[0].name: Not found: "v"'])

    def test_paths(self) -> None:
        """Paths are given once, sub-paths go down only."""
        mounts = [{"name": "v", "mountPath": "/v"}, {"name": "v", "mountPath": "/v", "subPath": "../x"}]
        self.assertEqual(spec_errors(containers=[container(volumeMounts=mounts)], volumes=[{"name": "v"}]), [
            'containers[0].volumeMounts[1].mountPath: Invalid value: "/v": must be unique',
            'containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain \'..\''])

    def test_propagation(self) -> None:
        """Only privileged containers propagate mounts to the host."""
        mounts = [{"name": "v", "mountPath": "/v", "mountPropagation": "Bidirectional"}]
        self.assertEqual(spec_errors(containers=[container(volumeMounts=mounts)], volumes=[{"name": "v"}]), [
            "containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is "
            "available only to privileged containers"])

    def test_devices(self) -> None:
        """Block devices are claims."""
        devices = [{"name": "v", "devicePath": "/dev/x"}, {"name": "w", "devicePath": "/dev/x"}]
        self.assertEqual(spec_errors(containers=[container(volumeDevices=devices)], volumes=[{"name": "v"}]),
                         [
            'containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of '
            "PersistentVolumeClaim or Ephemeral for block mode",
            'containers[0].volumeDevices[1].name: Not found: "w"',
            'containers[0].volumeDevices[1].devicePath: Invalid value: "/dev/x": must be unique'])


class ProbeTests(SynchronousTestCase):
    """Probes and hooks."""

    def test_one_handler(self) -> None:
        """A probe does exactly one thing."""
        self.assertEqual(container_errors(readinessProbe={}),
                         ["readinessProbe: Required value: must specify a handler type"])
        two = {"exec": {"command": ["x"]}, "tcpSocket": {"port": 1}}
        self.assertEqual(container_errors(readinessProbe=two),
                         ["readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"])

    def test_thresholds(self) -> None:
        """Liveness succeeds at once; readiness has no grace period; times are not negative."""
        action = {"exec": {"command": ["x"]}}
        self.assertEqual(container_errors(livenessProbe=action
                                          | {"successThreshold": 2, "periodSeconds": -1}), [
            "livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0",
            "livenessProbe.successThreshold: Invalid value: 2: must be 1"])
        self.assertEqual(container_errors(readinessProbe=action | {"terminationGracePeriodSeconds": 1}), [
            "readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for "
            "readinessProbes"])

    def test_http(self) -> None:
        """An HTTP action has a port, a known scheme and header names."""
        action = {"port": 0, "scheme": "FTP", "httpHeaders": [{"name": "a b", "value": ""}]}
        self.assertEqual(container_errors(lifecycle={"preStop": {"httpGet": action}}), [
            "lifecycle.preStop.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive",
            'lifecycle.preStop.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
            'lifecycle.preStop.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist '
            "of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is "
            "'[-A-Za-z0-9]+')"])

    def test_sleep(self) -> None:
        """A hook sleeps no longer than the pod may take to end."""
        self.assertEqual(container_errors(lifecycle={"preStop": {"sleep": {"seconds": 31}}}), [
            "lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than "
            "terminationGracePeriodSeconds (30)"])
