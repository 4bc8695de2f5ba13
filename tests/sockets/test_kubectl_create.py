"""kubectl create: subcommands, files, and what it says when the server refuses."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase


class CreateFromFileTests(KubectlTestCase):
    def test_yaml(self) -> None:
        """A YAML file with several documents makes them all, in their order."""
        self.assertEqual(self.kubectl("create", "--filename", str(MANIFESTS / "shop.yaml")).splitlines(), [
            "configmap/shop created",
            "secret/shop-database created",
            "deployment.apps/shop created",
            "service/shop created",
            "ingress.networking.k8s.io/shop created",
            "horizontalpodautoscaler.autoscaling/shop created",
            "poddisruptionbudget.policy/shop created",
        ])
        spec = self.get_json("deployment", "shop")["spec"]
        self.assertEqual(spec["progressDeadlineSeconds"], 600)
        self.assertEqual(spec["template"]["spec"]["containers"][1]["resources"]["requests"]["cpu"], "250m")

    def test_json(self) -> None:
        """So does a JSON list on standard input."""
        items = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}} for name in ("a", "b")]
        made = self.kubectl("create", "-f", "-", stdin={"apiVersion": "v1", "kind": "List", "items": items})
        self.assertEqual(made, "configmap/a created\nconfigmap/b created")

    def test_generated_name(self) -> None:
        """A name can be left to the server."""
        made = self.kubectl("create", "-f", "-", stdin={"apiVersion": "v1", "kind": "ConfigMap",
                                                        "metadata": {"generateName": "made-"}})
        self.assertRegex(made, r"\Aconfigmap/made-[bcdfghjklmnpqrstvwxz2456789]{5} created\Z")

    def test_dry_run(self) -> None:
        """A dry run of the server shows the object with its defaults, and makes nothing."""
        shown = self.kubectl("create", "--dry-run=server", "--output=json", "-f", "-", stdin=service("dry"))
        self.assertEqual(json.loads(shown)["spec"]["sessionAffinity"], "None")
        self.assertEqual(self.kubectl("get", "services", "--output=name"), "")


class CreateSubcommandTests(KubectlTestCase):
    """Their bodies are protobuf."""

    def check(self, line: str, *arguments: str) -> None:
        """It says what it made."""
        self.assertEqual(self.kubectl(*arguments), line)

    def test_configmap(self) -> None:
        """A ConfigMap from literals."""
        self.check("configmap/a created",
                   "create", "configmap", "a", "--from-literal=x=1", "--from-literal=y=ü")
        self.assertEqual(self.get_json("configmap", "a")["data"], {"x": "1", "y": "ü"})

    def test_secret(self) -> None:
        """A Secret: its values are base64."""
        self.check("secret/a created", "create", "secret", "generic", "a", "--from-literal=x=1")
        secret = self.get_json("secret", "a")
        self.assertEqual((secret["type"], base64.b64decode(secret["data"]["x"])), ("Opaque", b"1"))

    def test_deployment(self) -> None:
        """A Deployment with replicas and a port."""
        self.check("deployment.apps/web created",
                   "create", "deployment", "web", "--image=nginx:1.27", "--replicas=2", "--port=80")
        spec = self.get_json("deployment", "web")["spec"]
        self.assertEqual(spec["replicas"], 2)
        container = spec["template"]["spec"]["containers"][0]
        self.assertEqual((container["name"], container["image"]), ("nginx", "nginx:1.27"))
        self.assertEqual(container["ports"], [{"containerPort": 80, "protocol": "TCP"}])

    def test_service(self) -> None:
        """A Service gets an address."""
        self.check("service/web created", "create", "service", "clusterip", "web", "--tcp=80:8080")
        spec = self.get_json("service", "web")["spec"]
        self.assertRegex(spec["clusterIP"], r"\A10\.0\.0\.\d+\Z")
        self.assertEqual(spec["ports"],
                         [{"name": "80-8080", "port": 80, "protocol": "TCP", "targetPort": 8080}])

    def test_namespace(self) -> None:
        """A namespace is active at once."""
        self.check("namespace/made-by-kubectl created", "create", "namespace", "made-by-kubectl")
        self.assertEqual(self.get_json("namespace", "made-by-kubectl")["status"], {"phase": "Active"})

    def test_job(self) -> None:
        """A Job from an image and a command."""
        self.check("job.batch/once created", "create", "job", "once", "--image=busybox", "--", "date")
        self.assertEqual(self.get_json("job", "once")["spec"]["template"]["spec"]["restartPolicy"], "Never")

    def test_run(self) -> None:
        """A bare pod."""
        self.check("pod/one created", "run", "one", "--image=nginx", "--labels=a=b")
        pod = self.get_json("pod", "one")
        self.assertEqual((pod["status"]["phase"], pod["metadata"]["labels"]), ("Pending", {"a": "b"}))


class RefusalTests(KubectlTestCase):
    def test_already_exists(self) -> None:
        """An object that is there already."""
        self.config_map("a")
        self.assertEqual(self.error("create", "-f", "-", stdin=config_map("a")), (
            'Error from server (AlreadyExists): error when creating "STDIN": configmaps "a" already exists'))

    def test_invalid_name(self) -> None:
        """A bad name is explained."""
        self.assertEqual(self.error("create", "-f", "-", stdin=config_map("A_b")), (
            'The ConfigMap "A_b" is invalid: metadata.name: Invalid value: "A_b": a lowercase RFC 1123 '
            "subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an "
            "alphanumeric character (e.g. 'example.com', regex used for validation is "
            "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"))

    def test_invalid_spec(self) -> None:
        """All that is wrong is said at once."""
        text = self.error("create", "-f", "-", stdin=service("a", ports=[{"port": 99999, "name": "A"}]))
        self.assertEqual(text.splitlines()[0], 'The Service "a" is invalid: ')
        self.assertEqual({line.split(":")[0] for line in text.splitlines()[1:]},
                         {"* spec.ports[0].name", "* spec.ports[0].port", "* spec.ports[0].targetPort"})

    def test_unknown_field(self) -> None:
        """A field that the kind does not have."""
        self.assertEqual(self.error("create", "-f", "-", stdin={**config_map("a"), "dat": {}}), (
            'Error from server (BadRequest): error when creating "STDIN": ConfigMap in version "v1" cannot be '
            'handled as a ConfigMap: strict decoding error: unknown field "dat"'))

    def test_unknown_namespace(self) -> None:
        """A namespace that is not there."""
        self.assertEqual(self.error("create", "-f", "-", "--namespace=none", stdin=config_map("a")), (
            'Error from server (NotFound): error when creating "STDIN": namespaces "none" not found'))

    def test_unknown_kind(self) -> None:
        """A kind that nobody serves."""
        text = self.error("create", "-f", "-", stdin={**config_map("a"), "kind": "Konfig"})
        self.assertIn('no matches for kind "Konfig" in version "v1"', text)


def config_map(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}


def service(name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
            "spec": {"ports": [{"port": 80}], **spec}}
