"""kubectl get and describe: output forms, selectors and watches."""

from __future__ import annotations

import json

import yaml

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase


class GetTests(KubectlTestCase):
    def test_table(self) -> None:
        """The columns of a kind; wide has more."""
        self.config_map("a", x="1", y="2")
        self.assertEqual(self.lines("get", "configmaps")[0], "NAME DATA AGE")
        self.assertRegex(self.lines("get", "cm", "a")[1], r"\Aa 2 \d+s\Z")
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))
        self.assertEqual(self.lines("get", "deployments")[0], "NAME READY UP-TO-DATE AVAILABLE AGE")
        header, row = self.lines("get", "deploy", "shop", "--output=wide")
        self.assertEqual(header, "NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR")
        self.assertRegex(row, r"\Ashop 0/2 0 0 \d+s web,shop nginx:1.27,example.com/shop:1.4.2 "
                              r"app.kubernetes.io/name=shop\Z")

    def test_show_labels(self) -> None:
        """Labels as a column."""
        self.config_map("a", {"tier": "web"})
        self.assertRegex(self.lines("get", "cm", "a", "--show-labels")[1], r"\Aa 0 \d+s tier=web\Z")
        self.assertRegex(self.lines("get", "cm", "a", "-L", "tier")[1], r"\Aa 0 \d+s web\Z")

    def test_formats(self) -> None:
        """YAML and JSON are the same object; names, JSON paths, templates and columns of choice."""
        self.config_map("a", x="1")
        document = json.loads(self.kubectl("get", "configmap", "a", "--output=json"))
        self.assertEqual(document["data"], {"x": "1"})
        self.assertEqual(yaml.safe_load(self.kubectl("get", "configmap", "a", "--output=yaml")), document)
        self.assertEqual(self.kubectl("get", "configmap", "a", "--output=name"), "configmap/a")
        self.assertEqual(self.kubectl("get", "configmap", "a", "--output=jsonpath={.data.x}"), "1")
        self.assertEqual(self.kubectl("get", "cm", "a", "--output=go-template={{.metadata.name}}"), "a")
        self.assertEqual(self.lines("get", "cm", "--output=custom-columns=N:.metadata.name,X:.data.x"),
                         ["N X", "a 1"])

    def test_several_kinds(self) -> None:
        """Several kinds at once, and the category ``all``."""
        self.kubectl("create", "-f", str(MANIFESTS / "database.yaml"))
        self.assertEqual(self.kubectl("get", "cronjobs,statefulsets", "--output=name").splitlines(),
                         ["cronjob.batch/backup", "statefulset.apps/database"])
        self.assertEqual(self.kubectl("get", "all", "--output=name").splitlines(),
                         ["service/database", "statefulset.apps/database", "cronjob.batch/backup"])

    def test_selectors(self) -> None:
        """Labels and fields choose; so do sets of labels."""
        for name, tier in [("a", "web"), ("b", "web"), ("c", "db")]:
            self.config_map(name, {"tier": tier})
        names = ("get", "configmaps", "--output=name")
        self.assertEqual(self.kubectl(*names, "--selector=tier=web"), "configmap/a\nconfigmap/b")
        self.assertEqual(self.kubectl(*names, "-l", "tier in (db, cache),tier"), "configmap/c")
        self.assertEqual(self.kubectl(*names, "-l", "tier!=web"), "configmap/c")
        self.assertEqual(self.kubectl(*names, "--field-selector=metadata.name=b"), "configmap/b")
        self.assertEqual(self.error("get", "configmaps", "--field-selector=data.x=1"), (
            'Error from server (BadRequest): Unable to find "/v1, Resource=configmaps" that match label selector "", '
            'field selector "data.x=1": "data.x" is not a known field selector: only "metadata.name", '
            '"metadata.namespace"'))

    def test_all_namespaces(self) -> None:
        """The objects of all namespaces have their namespace in front."""
        self.config_map("a", {"test": "all-namespaces"})
        header, row = self.lines("get", "configmaps", "--all-namespaces", "-l", "test=all-namespaces")
        self.assertEqual(header, "NAMESPACE NAME DATA AGE")
        self.assertRegex(row, rf"\A{self.namespace} a 0 \d+s\Z")

    def test_chunks(self) -> None:
        """A list in chunks is whole, and sorted as asked."""
        for number in range(7):
            self.config_map(f"a{number}", n=str(9 - number))
        names = self.kubectl("get", "configmaps", "--chunk-size=3", "--output=name", "--sort-by={.data.n}")
        self.assertEqual(names.splitlines(), [f"configmap/a{number}" for number in range(6, -1, -1)])

    def test_nothing(self) -> None:
        """Nothing found is no error, unless a name was asked for."""
        self.assertEqual(self.kubectl("get", "configmaps", "--output=name"), "")
        self.assertEqual(self.run_kubectl(["get", "cm"]).stderr,
                         f"No resources found in {self.namespace} namespace.\n")
        self.assertEqual(self.error("get", "configmap", "none"),
                         'Error from server (NotFound): configmaps "none" not found')
        self.assertEqual(self.kubectl("get", "configmap", "none", "--ignore-not-found"), "")
        self.assertEqual(self.error("get", "foos"), 'error: the server doesn\'t have a resource type "foos"')

    def test_raw(self) -> None:
        """Any path as the server answers it."""
        self.assertEqual(self.kubectl("get", "--raw", "/readyz"), "ok")
        self.config_map("a")
        raw = json.loads(self.kubectl("get", "--raw", f"{self.path}/configmaps/a"))
        self.assertEqual((raw["kind"], raw["metadata"]["name"]), ("ConfigMap", "a"))


class WatchTests(KubectlTestCase):
    def test_watch(self) -> None:
        """A watch begins with what is there and goes on with additions, changes and deletions."""
        self.config_map("a", x="1")
        watched = self.watch("get", "configmaps", "--watch", "--output-watch-events")
        self.assertEqual(watched.next(), "EVENT NAME DATA AGE")
        self.assertRegex(watched.next(), r"\AADDED a 1 \d+s\Z")
        self.config_map("b")
        self.assertRegex(watched.next(), r"\AADDED b 0 \d+s\Z")
        self.kubectl("patch", "configmap", "b", "--patch", '{"data": {"x": "1", "y": "2"}}')
        self.assertRegex(watched.next(), r"\AMODIFIED b 2 \d+s\Z")
        self.kubectl("delete", "configmap", "a")
        self.assertRegex(watched.next(), r"\ADELETED a 1 \d+s\Z")

    def test_selector(self) -> None:
        """What begins to match appears, what ceases to match is gone."""
        self.config_map("a", {"tier": "web"})
        watched = self.watch("get", "configmaps", "--watch", "--output-watch-events", "--no-headers",
                             "-l", "tier=web")
        self.assertRegex(watched.next(), r"\AADDED a ")
        self.config_map("b", {"tier": "db"})
        self.config_map("c", {"tier": "web"})
        self.assertRegex(watched.next(), r"\AADDED c ")
        self.kubectl("label", "configmap", "b", "tier=web", "--overwrite")
        self.assertRegex(watched.next(), r"\AADDED b ")
        self.kubectl("label", "configmap", "b", "tier-")
        self.assertRegex(watched.next(), r"\ADELETED b ")


class DescribeTests(KubectlTestCase):
    def test_deployment(self) -> None:
        """A Deployment with what belongs to it."""
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))
        text = self.lines("describe", "deployment", "shop")
        for line in ("Name: shop", f"Namespace: {self.namespace}", "Selector: app.kubernetes.io/name=shop",
                     "Replicas: 2 desired | 0 updated | 0 total | 0 available | 0 unavailable",
                     "StrategyType: RollingUpdate", "Events: <none>"):
            self.assertIn(line, text)

    def test_pod(self) -> None:
        """A pod, with the events about it."""
        container = {"name": "main", "image": "nginx", "resources": {"requests": {"cpu": "100m"}}}
        pod = self.create(f"{self.path}/pods",
                          {"metadata": {"name": "a"}, "spec": {"containers": [container]}})
        reference = {"kind": "Pod", "name": "a", "namespace": self.namespace, "uid": pod["metadata"]["uid"]}
        self.create(f"{self.path}/events", {
            "metadata": {"name": "a.1"}, "involvedObject": reference, "reason": "FailedScheduling",
            "message": "no nodes available", "type": "Warning", "source": {"component": "default-scheduler"}})
        text = self.lines("describe", "pod", "a")
        for line in ("Status: Pending", "QoS Class: Burstable", "cpu: 100m"):
            self.assertIn(line, text)
        self.assertTrue(text[-1].endswith("default-scheduler no nodes available"), text[-1])

    def test_others(self) -> None:
        """Every object of the manifests can be described."""
        for manifest in ("shop", "database"):
            file = str(MANIFESTS / f"{manifest}.yaml")
            made = self.kubectl("create", "-f", file).splitlines()
            described = [line for line in self.lines("describe", "-f", file)
                         if line == f"Namespace: {self.namespace}"]
            self.assertGreaterEqual(len(described), len(made) - 2)
