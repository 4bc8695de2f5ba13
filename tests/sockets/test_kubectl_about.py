"""kubectl about the server itself: what it serves, and what it knows about its kinds."""

from __future__ import annotations

import json
import re

from tests.sockets.support.kubectl import KubectlTestCase


class AboutTests(KubectlTestCase):
    def test_version(self) -> None:
        """The server says that it is a 1.36, and kubectl finds nothing to warn of."""
        ended = self.run_kubectl(["version", "--output=json"])
        version = json.loads(ended.stdout)["serverVersion"]
        self.assertEqual((version["major"], version["minor"]), ("1", "36"))
        self.assertRegex(version["gitVersion"], r"\Av1\.36\.\d+")
        self.assertEqual(ended.stderr, "")

    def test_api_versions(self) -> None:
        """The group-versions, sorted."""
        versions = self.kubectl("api-versions").splitlines()
        self.assertEqual(versions, sorted(versions))
        self.assertLessEqual({"v1", "apps/v1", "batch/v1", "networking.k8s.io/v1", "autoscaling/v2",
                              "rbac.authorization.k8s.io/v1", "apiextensions.k8s.io/v1"}, set(versions))

    def test_api_resources(self) -> None:
        """The resources with their short names, versions, scopes and kinds."""
        lines = self.lines("api-resources", "--output=wide")
        self.assertEqual(lines[0], "NAME SHORTNAMES APIVERSION NAMESPACED KIND VERBS CATEGORIES")
        self.assertIn("deployments deploy apps/v1 true Deployment "
                      "create,delete,deletecollection,get,list,patch,update,watch all", lines)
        self.assertIn("nodes no v1 false Node "
                      "create,delete,deletecollection,get,list,patch,update,watch", lines)
        names = self.kubectl("api-resources", "--namespaced=true", "--api-group=batch", "--output=name")
        self.assertEqual(names.splitlines(), ["cronjobs.batch", "jobs.batch"])

    def test_explain(self) -> None:
        """Kinds and fields are explained from the server's OpenAPI documents."""
        lines = self.lines("explain", "pods")
        self.assertEqual(lines[:2], ["KIND: Pod", "VERSION: v1"])
        self.assertIn("spec <PodSpec>", lines)
        lines = self.lines("explain", "deployment.spec.strategy.type")
        self.assertEqual(lines[:2], ["GROUP: apps", "KIND: Deployment"])
        self.assertIn("FIELD: type <string>", lines)
        self.assertIn("Possible enum values:", self.kubectl("explain", "deployment.spec.strategy.type"))

    def test_explain_recursive(self) -> None:
        """All fields at once."""
        text = self.kubectl("explain", "deployment", "--recursive")
        field = re.compile(r"^ +topologySpreadConstraints\t<\[\]TopologySpreadConstraint>$", re.MULTILINE)
        self.assertRegex(text, field)
        self.assertGreater(text.count("\n"), 800)

    def test_explain_everything(self) -> None:
        """Every kind that is served is explained, with all its fields."""
        for name in self.kubectl("api-resources", "--output=name").splitlines():
            if name == "events.events.k8s.io":  # kubectl takes this for a field of the core group's events
                name = "events"
            lines = self.lines("explain", name, "--recursive")
            self.assertIn("FIELDS:", lines, name)
            self.assertIn("kind <string>", lines, name)

    def test_explain_unknown(self) -> None:
        """A field that is not there."""
        self.assertEqual(self.error("explain", "pod.spec.nothing"), 'error: field "nothing" does not exist')

    def test_cluster_info(self) -> None:
        """Where the control plane is."""
        text = re.sub(r"\x1b\[[0-9;]*m", "", self.kubectl("cluster-info"))
        self.assertEqual(text.splitlines()[0], f"Kubernetes control plane is running at {self.server.url}")

    def test_whoami(self) -> None:
        """Who the server takes the caller for."""
        review = json.loads(self.kubectl("auth", "whoami", "--output=json"))
        self.assertEqual(review["status"]["userInfo"]["username"], "kubernetes-admin")
        self.assertIn("system:masters", review["status"]["userInfo"]["groups"])

    def test_can_i(self) -> None:
        """The administrator may do everything."""
        self.assertEqual(self.kubectl("auth", "can-i", "delete", "nodes"), "yes")
