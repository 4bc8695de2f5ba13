"""kubectl with workloads: creating them, changing them, rolling them out, and looking at them.

No controllers run; where one would act, a test writes what it would write.
"""

from __future__ import annotations

from typing import Any

from tests.sockets.support.kubectl import KubectlTestCase

MERGE = {"Content-Type": "application/merge-patch+json"}
TIME = "2026-01-01T10:00:00Z"


class WorkloadTestCase(KubectlTestCase):
    """Has what controllers would do."""

    def setUp(self) -> None:
        super().setUp()
        self.apps = f"/apis/apps/v1/namespaces/{self.namespace}"

    def check(self, line: str, *arguments: str) -> None:
        """It says what it did."""
        self.assertEqual(self.kubectl(*arguments), line)

    def deploy(self, image: str = "nginx:1") -> None:
        """A Deployment ``web`` of two replicas."""
        self.kubectl("create", "deployment", "web", f"--image={image}", "--replicas=2")

    def merge(self, path: str, change: Any) -> Any:
        answer = self.client.request("PATCH", path, change, MERGE)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json()

    def observe(self, ready: int = 2, resource: str = "deployments", name: str = "web", **more: Any) -> None:
        """Write the status of a workload that has so many ready replicas."""
        found = self.client.request("GET", f"{self.apps}/{resource}/{name}").json()
        replicas = found["spec"]["replicas"]
        status = {"observedGeneration": found["metadata"]["generation"], "replicas": replicas,
                  "updatedReplicas": replicas, "readyReplicas": ready, "availableReplicas": ready, **more}
        self.merge(f"{self.apps}/{resource}/{name}/status", {"status": status})

    def revision(self, number: int) -> None:
        """Make the ReplicaSet of the Deployment's template, as a controller does."""
        deployment = self.get_json("deployment", "web")
        template = deployment["spec"]["template"]
        template["metadata"]["labels"]["pod-template-hash"] = f"h{number}"
        marks = {"deployment.kubernetes.io/revision": str(number)}
        owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "controller": True,
                 "uid": deployment["metadata"]["uid"]}
        labels = template["metadata"]["labels"]
        self.create(f"{self.apps}/replicasets", {
            "metadata": {"name": f"web-h{number}", "labels": labels, "annotations": marks, "ownerReferences": [owner]},
            "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}})
        self.merge(f"{self.apps}/deployments/web", {"metadata": {"annotations": marks}})


class CreateTests(WorkloadTestCase):
    """Subcommands of create."""

    def test_cronjob(self) -> None:
        """A CronJob, and a Job made of it by hand, which it owns."""
        self.check("cronjob.batch/nightly created",
                   "create", "cronjob", "nightly", "--image=busybox", "--schedule=0 2 * * *", "--", "date")
        self.check("job.batch/now created", "create", "job", "now", "--from=cronjob/nightly")
        (owner,) = self.get_json("job", "now")["metadata"]["ownerReferences"]
        self.assertEqual((owner["kind"], owner["name"], owner["controller"]), ("CronJob", "nightly", True))
        self.assertIn("Invalid value: \"never\"", self.error("create", "cronjob", "x", "--image=i", "--schedule=never"))

    def test_services(self) -> None:
        """Services of all types."""
        self.check("service/a created", "create", "service", "nodeport", "a", "--tcp=80", "--node-port=30080")
        self.check("service/b created", "create", "service", "loadbalancer", "b", "--tcp=80:8080")
        self.check("service/c created", "create", "service", "externalname", "c", "--external-name=example.com")
        self.check("service/d created", "create", "service", "clusterip", "d", "--clusterip=None")
        rows = [line.split()[:5] for line in self.lines("get", "services", "--no-headers")]
        self.assertEqual([(row[0], row[1], row[3]) for row in rows], [
            ("a", "NodePort", "<none>"), ("b", "LoadBalancer", "<pending>"), ("c", "ExternalName", "example.com"),
            ("d", "ClusterIP", "<none>")])
        self.assertEqual(rows[0][4], "80:30080/TCP")
        self.assertIn("provided port is already allocated",
                      self.error("create", "service", "nodeport", "e", "--tcp=81", "--node-port=30080"))

    def test_ingress(self) -> None:
        """Rules, a certificate and a default backend."""
        self.check("ingress.networking.k8s.io/i created", "create", "ingress", "i", "--class=nginx",
                   "--rule=shop.example.com/api*=web:80,tls=cert", "--default-backend=web:http")
        spec = self.get_json("ingress", "i")["spec"]
        self.assertEqual(spec["tls"], [{"hosts": ["shop.example.com"], "secretName": "cert"}])
        self.assertEqual(spec["rules"][0]["http"]["paths"][0]["pathType"], "Prefix")
        self.assertRegex(self.lines("get", "ingress", "i")[1], r"\Ai nginx shop.example.com 80, 443 \d+s\Z")

    def test_quota_and_budget(self) -> None:
        """A quota that counts, and a disruption budget."""
        self.check("resourcequota/q created", "create", "quota", "q", "--hard=pods=1,requests.cpu=2")
        self.assertEqual(self.get_json("quota", "q")["spec"]["hard"], {"pods": "1", "requests.cpu": "2"})
        self.check("poddisruptionbudget.policy/p created",
                   "create", "pdb", "p", "--selector=app=web", "--max-unavailable=25%")
        self.assertRegex(self.lines("get", "pdb", "p")[1], r"\Ap N/A 25% 0 \d+s\Z")

    def test_secrets(self) -> None:
        """Credentials for a registry, and a certificate with its key."""
        self.check("secret/pull created", "create", "secret", "docker-registry", "pull", "--docker-username=u",
                   "--docker-password=p", "--docker-server=registry.example.com")
        self.assertEqual(self.get_json("secret", "pull")["type"], "kubernetes.io/dockerconfigjson")
        data = self.server.folder / "data"
        self.check("secret/cert created", "create", "secret", "tls", "cert", f"--cert={data / 'ca.crt'}",
                   f"--key={data / 'ca.key'}")
        self.assertRegex(self.lines("get", "secret", "cert")[1], r"\Acert kubernetes.io/tls 2 \d+s\Z")

    def test_priority_class(self) -> None:
        """A class of priority, which pods then have."""
        self.check("priorityclass.scheduling.k8s.io/high created",
                   "create", "priorityclass", "high", "--value=1000", "--description=first")
        self.addCleanup(self.kubectl, "delete", "priorityclass", "high")
        self.kubectl("run", "one", "--image=i", '--overrides={"spec":{"priorityClassName":"high"}}')
        self.assertEqual(self.get_json("pod", "one")["spec"]["priority"], 1000)

    def test_run_and_expose(self) -> None:
        """A pod with its Service."""
        made = self.kubectl("run", "one", "--image=nginx", "--port=80", "--env=A=b", "--expose")
        self.assertEqual(sorted(made.splitlines()), ["pod/one created", "service/one created"])
        self.assertEqual(self.get_json("service", "one")["spec"]["selector"], {"run": "one"})


class ChangeTests(WorkloadTestCase):
    """What is changed in place."""

    def test_expose(self) -> None:
        """Services for a Deployment and of another Service."""
        self.kubectl("create", "deployment", "web", "--image=nginx", "--port=80")
        self.check("service/web exposed", "expose", "deployment", "web", "--port=8080", "--target-port=80")
        self.check("service/again exposed", "expose", "service", "web", "--port=443", "--name=again")
        self.assertEqual(self.get_json("service", "again")["spec"]["selector"], {"app": "web"})

    def test_autoscale(self) -> None:
        """An autoscaler shows its target; the same one can be read in both versions."""
        self.deploy()
        self.check("horizontalpodautoscaler.autoscaling/web autoscaled",
                   "autoscale", "deployment", "web", "--min=2", "--max=5", "--cpu=70%")
        self.assertRegex(self.lines("get", "hpa", "web")[1], r"\Aweb Deployment/web cpu: <unknown>/70% 2 5 0 \d+s\Z")
        old = self.get_json("horizontalpodautoscalers.v1.autoscaling", "web")
        self.assertEqual(old["spec"]["targetCPUUtilizationPercentage"], 70)

    def test_set(self) -> None:
        """Images, variables, resources, account, selector and subjects."""
        self.deploy()
        for arguments, line in (
                (["image", "deployment/web", "nginx=nginx:2"], "deployment.apps/web image updated"),
                (["env", "deployment/web", "A=b", "C=d"], "deployment.apps/web env updated"),
                (["env", "deployment/web", "C-"], "deployment.apps/web env updated"),
                (["resources", "deployment/web", "--limits=cpu=200m,memory=512Mi", "--requests=cpu=100m"],
                 "deployment.apps/web resource requirements updated"),
                (["serviceaccount", "deployment/web", "deployer"], "deployment.apps/web serviceaccount updated")):
            self.check(line, "set", *arguments)
        spec = self.get_json("deployment", "web")["spec"]["template"]["spec"]
        (container,) = spec["containers"]
        self.assertEqual((container["image"], container["env"]), ("nginx:2", [{"name": "A", "value": "b"}]))
        self.assertEqual(container["resources"], {"limits": {"cpu": "200m", "memory": "512Mi"},
                                                  "requests": {"cpu": "100m"}})
        self.assertEqual(spec["serviceAccountName"], "deployer")
        self.assertEqual(self.kubectl("set", "env", "deployment/web", "--list").splitlines()[-1], "A=b")

    def test_set_selector(self) -> None:
        """The selector of a Service."""
        self.kubectl("create", "service", "clusterip", "s", "--tcp=80")
        self.check("service/s selector updated", "set", "selector", "service", "s", "a=b")
        self.assertEqual(self.get_json("service", "s")["spec"]["selector"], {"a": "b"})

    def test_scale(self) -> None:
        """StatefulSets, ReplicaSets and ReplicationControllers, one by one and together."""
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        for version, kind, selector in (("apps/v1", "StatefulSet", {"matchLabels": {"a": "b"}}),
                                        ("apps/v1", "ReplicaSet", {"matchLabels": {"a": "b"}}),
                                        ("v1", "ReplicationController", {"a": "b"})):
            self.kubectl("create", "-f", "-", stdin={"apiVersion": version, "kind": kind, "metadata": {"name": "x"},
                                                     "spec": {"selector": selector, "template": template}})
        self.check("statefulset.apps/x scaled", "scale", "sts", "x", "--replicas=4")
        self.check("replicaset.apps/x scaled\nreplicationcontroller/x scaled",
                   "scale", "rs/x", "rc/x", "--replicas=3", "--current-replicas=1")
        counts = "--output=jsonpath={.items[*].spec.replicas}"
        self.check("4 3 3", "get", "statefulset,replicaset,replicationcontroller", counts)


class RolloutTests(WorkloadTestCase):
    """Deployments, seen by those who roll them out."""

    def test_status(self) -> None:
        """It waits for what a controller says, until the rollout is done."""
        self.deploy()
        self.assertEqual(self.error("rollout", "status", "deployment/web", "--timeout=200ms"),
                         "error: timed out waiting for the condition")
        self.observe(ready=1)
        watched = self.watch("rollout", "status", "deployment/web")
        self.assertEqual(watched.next(), 'Waiting for deployment "web" rollout to finish: 1 of 2 updated replicas are '
                                         "available...")
        self.observe(ready=2)
        self.assertEqual(watched.next(), 'deployment "web" successfully rolled out')

    def test_progress_deadline(self) -> None:
        """A rollout that failed is said to have."""
        self.deploy()
        condition = {"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded",
                     "lastUpdateTime": TIME, "lastTransitionTime": TIME}
        self.observe(ready=0, conditions=[condition])
        self.assertEqual(self.error("rollout", "status", "deployment/web"),
                         'error: deployment "web" exceeded its progress deadline')

    def test_pause(self) -> None:
        """Pause and resume, each once."""
        self.deploy()
        self.check("deployment.apps/web paused", "rollout", "pause", "deployment/web")
        self.assertEqual(self.error("rollout", "pause", "deployment/web"),
                         'error: deployments.apps "web" is already paused')
        self.check("deployment.apps/web resumed", "rollout", "resume", "deployment/web")
        self.assertNotIn("paused", self.get_json("deployment", "web")["spec"])

    def test_history_and_undo(self) -> None:
        """The past is in the ReplicaSets; an undo brings back the template of one."""
        self.deploy("nginx:1")
        self.revision(1)
        self.kubectl("set", "image", "deployment/web", "nginx=nginx:2")
        self.kubectl("annotate", "deployment/web", "kubernetes.io/change-cause=newer")
        self.revision(2)
        history = self.lines("rollout", "history", "deployment/web")
        self.assertEqual(history[:3], ["deployment.apps/web", "REVISION CHANGE-CAUSE", "1 <none>"])
        self.assertIn("Image: nginx:1", self.lines("rollout", "history", "deployment/web", "--revision=1"))
        self.check("deployment.apps/web rolled back", "rollout", "undo", "deployment/web", "--to-revision=1")
        (container,) = self.get_json("deployment", "web")["spec"]["template"]["spec"]["containers"]
        self.assertEqual(container["image"], "nginx:1")

    def test_restart_of_others(self) -> None:
        """StatefulSets and DaemonSets restart too, and have a history of ControllerRevisions."""
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        for kind in ("StatefulSet", "DaemonSet"):
            self.kubectl("create", "-f", "-", stdin={
                "apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "x"},
                "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}})
        self.check("statefulset.apps/x restarted", "rollout", "restart", "statefulset/x")
        self.check("daemonset.apps/x restarted", "rollout", "restart", "daemonset/x")
        made = self.get_json("daemonset", "x")["metadata"]
        self.assertEqual(made["annotations"]["deprecated.daemonset.template.generation"], "2")
        self.observe(ready=1, resource="statefulsets", name="x", currentReplicas=1, updateRevision="x-1",
                     currentRevision="x-1")
        self.check("partitioned roll out complete: 1 new pods have been updated...",
                   "rollout", "status", "statefulset/x")

    def test_wait(self) -> None:
        """Waiting for a condition, for a value and for an end."""
        self.deploy()
        self.assertEqual(self.error("wait", "--for=condition=Available", "deployment/web", "--timeout=100ms"),
                         "error: timed out waiting for the condition on deployments/web")
        watched = self.watch("wait", "--for=condition=Available", "deployment/web")
        self.observe(conditions=[{"type": "Available", "status": "True", "lastUpdateTime": TIME,
                                  "lastTransitionTime": TIME}])
        self.assertEqual(watched.next(), "deployment.apps/web condition met")
        self.check("deployment.apps/web condition met", "wait", "--for=jsonpath={.status.readyReplicas}=2",
                   "deployment/web")
        watched = self.watch("wait", "--for=delete", "deployment/web")
        self.kubectl("delete", "deployment", "web")
        self.assertEqual(watched.status(), 0)
