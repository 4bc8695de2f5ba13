"""What webhooks are asked: operations, subresources, versions, options, who asks."""

from __future__ import annotations

from typing import Any

import orjson

from tests.admission.webhooks.hooks import GROUP, HookTestCase, allow, deny, patched, setting
from tests.inprocess import CONFIG_MAPS, NAMESPACE

EVERYTHING = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*/*"]}
AUTOSCALERS = "/apis/autoscaling/{}/namespaces/default/horizontalpodautoscalers"
V1, V2 = AUTOSCALERS.format("v1"), AUTOSCALERS.format("v2")
PODS = f"{NAMESPACE}/pods"


def rule(group: str, version: str, *resources: str) -> dict[str, Any]:
    return {"apiGroups": [group], "apiVersions": [version], "operations": ["*"], "resources": list(resources)}


class ReviewTests(HookTestCase):
    def test_creation(self) -> None:
        """All that a review says of a creation."""
        self.validating("see", allow)
        self.send("POST", f"{CONFIG_MAPS}?fieldManager=m&fieldValidation=Strict&dryRun=All",
                  b'{"metadata":{"name":"x"},"data":{"a":"b"}}')
        request = self.last("see")
        kind = {"group": "", "version": "v1", "kind": "ConfigMap"}
        resource = {"group": "", "version": "v1", "resource": "configmaps"}
        obj = request.pop("object")
        self.assertEqual((obj["kind"], obj["apiVersion"], obj["data"]), ("ConfigMap", "v1", {"a": "b"}))
        self.assertRegex(request.pop("uid"), "^[0-9a-f-]{36}$")
        self.assertEqual(request, {
            "kind": kind, "resource": resource, "requestKind": kind, "requestResource": resource, "name": "x",
            "namespace": "default", "operation": "CREATE", "oldObject": None, "dryRun": True,
            "userInfo": {"username": "system:apiserver", "groups": ["system:masters", "system:authenticated"],
                         **{key: request["userInfo"][key] for key in ("uid", "extra") if key in request["userInfo"]}},
            "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1", "fieldManager": "m",
                        "fieldValidation": "Strict", "dryRun": ["All"]}})

    def test_update(self) -> None:
        """An update comes with the old object; the options of a patch are those of an update."""
        self.config_map("x")
        self.validating("see", allow)
        self.ask("PATCH", f"{CONFIG_MAPS}/x?fieldManager=m&force=true", {
            "apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}}, "application/apply-patch+yaml")
        request = self.last("see")
        self.assertEqual((request["operation"], request["object"]["data"]), ("UPDATE", {"a": "b"}))
        self.assertNotIn("data", request["oldObject"])
        self.assertEqual(request["options"], {"kind": "UpdateOptions", "apiVersion": "meta.k8s.io/v1",
                                              "fieldManager": "m"})

    def test_deletion(self) -> None:
        """A deletion has an old object only, as it was before."""
        self.config_map("x", finalizers=["example.com/f"])
        self.validating("see", allow)
        self.ask("DELETE", f"{CONFIG_MAPS}/x", {"propagationPolicy": "Background"})
        request = self.last("see")
        self.assertEqual((request["operation"], request["name"], request["object"]), ("DELETE", "x", None))
        self.assertNotIn("deletionTimestamp", request["oldObject"]["metadata"])
        self.assertEqual(request["options"], {"kind": "DeleteOptions", "apiVersion": "meta.k8s.io/v1",
                                              "propagationPolicy": "Background"})

    def test_collection(self) -> None:
        """The deletion of a collection asks about each object; the request has no name."""
        self.config_map("x")
        self.config_map("y")
        self.validating("see", allow)
        self.ask("DELETE", CONFIG_MAPS)
        self.assertEqual([request["oldObject"]["metadata"]["name"] for _, request in self.hooks.requests], ["x", "y"])
        self.assertNotIn("name", self.last("see"))

    def test_old_versions_of_reviews(self) -> None:
        """A webhook of v1beta1 is sent that; it need not repeat the uid, and patches without type."""
        self.mutating("old", lambda _request: {**patched({"op": "add", "path": "/data", "value": {"a": "b"}}),
                                               "uid": "", "patchType": None}, admissionReviewVersions=["v0", "v1beta1"])
        self.assertEqual(self.config_map("x")["data"], {"a": "b"})

    def test_exempt(self) -> None:
        """Nobody can lock out those who would remove the webhook; everything else can be locked."""
        self.validating("no", deny, rules=[{**EVERYTHING, "resources": ["*"]}])
        self.assertEqual(self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}}).code, 400)
        self.assertEqual(self.refused("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
            "spec": {"nonResourceAttributes": {"path": "/", "verb": "get"}}}).code, 400)
        self.ask("DELETE", f"{GROUP}/validatingwebhookconfigurations/no")


class SubresourceTests(HookTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})

    def pod(self, name: str = "p") -> None:
        self.ask("POST", PODS, {"metadata": {"name": name}, "spec": {"containers": [{"name": "c", "image": "i"}]}})

    def test_status(self) -> None:
        """A status is asked about by those who name it; the resource's own rules don't."""
        self.pod()
        self.validating("pods", allow, rules=[rule("", "v1", "pods")])
        self.validating("status", allow, rules=[rule("", "v1", "pods/status")])
        self.merge(f"{PODS}/p/status", {"status": {"message": "m"}})
        self.assertEqual(self.hooks.names, ["status"])
        request = self.last("status")
        self.assertEqual((request["subResource"], request["requestSubResource"]), ("status", "status"))
        self.assertEqual(request["object"]["status"]["message"], "m")

    def test_scale(self) -> None:
        """A Scale is shown as one, and can be changed as one."""
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        self.ask("POST", "/apis/apps/v1/namespaces/default/deployments", {
            "metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}})
        self.mutating("set", setting("/spec/replicas", 7), rules=[rule("apps", "v1", "deployments/scale")])
        self.validating("see", allow, rules=[rule("apps", "v1", "deployments/scale")])
        path = "/apis/apps/v1/namespaces/default/deployments/d"
        scale = self.merge(f"{path}/scale", {"spec": {"replicas": 3}})
        self.assertEqual(scale["spec"], {"replicas": 7})
        self.assertEqual(self.ask("GET", path)["spec"]["replicas"], 7)
        seen = self.last("see")
        self.assertEqual(seen["kind"], {"group": "autoscaling", "version": "v1", "kind": "Scale"})
        self.assertEqual((seen["object"]["kind"], seen["object"]["spec"], seen["oldObject"]["spec"]),
                         ("Scale", {"replicas": 7}, {"replicas": 1}))
        self.assertEqual(self.last("set")["object"]["spec"], {"replicas": 3})

    def test_binding_and_eviction(self) -> None:
        """What is posted below a pod is a creation of what it is."""
        self.pod()
        self.validating("see", allow, rules=[rule("", "v1", "pods/*")])
        self.ask("POST", f"{PODS}/p/binding", {"target": {"kind": "Node", "name": "n"}, "metadata": {"name": "p"}})
        request = self.last("see")
        self.assertEqual((request["kind"]["kind"], request["operation"], request["name"]), ("Binding", "CREATE", "p"))
        self.ask("POST", f"{PODS}/p/eviction", {"apiVersion": "policy/v1", "kind": "Eviction",
                                                "metadata": {"name": "p"}})
        request = self.last("see")
        self.assertEqual(request["kind"], {"group": "policy", "version": "v1", "kind": "Eviction"})
        self.assertEqual(request["object"]["apiVersion"], "policy/v1")

    def test_refused_eviction(self) -> None:
        """A refused eviction deletes nothing."""
        self.pod()
        self.validating("no", deny, rules=[rule("", "v1", "pods/eviction")])
        self.assertEqual(self.refused("POST", f"{PODS}/p/eviction", {"metadata": {"name": "p"}}).code, 400)
        self.ask("GET", f"{PODS}/p")

    def test_connect(self) -> None:
        """A connection is asked about with its options."""
        self.pod()
        self.validating("see", deny, rules=[rule("", "v1", "pods/exec")])
        error = self.refused("POST", f"{PODS}/p/exec?command=ls&command=-l&stdin=true&container=c")
        self.assertEqual(error.message, 'admission webhook "see.example.com" denied the request without explanation')
        request = self.last("see")
        self.assertEqual((request["operation"], request["name"], request["options"], request["oldObject"]),
                         ("CONNECT", "p", None, None))
        self.assertEqual(request["kind"]["kind"], "PodExecOptions")
        self.assertEqual(request["object"]["command"], ["ls", "-l"])

    def test_connect_otherwise(self) -> None:
        """What a webhook makes of the options is what counts."""
        self.pod()
        self.mutating("set", setting("/container", "other"), rules=[rule("", "v1", "pods/exec")])
        error = self.refused("POST", f"{PODS}/p/exec?command=ls&stdin=true&container=c")
        self.assertIn("container other is not valid for pod p", error.message)


class VersionTests(HookTestCase):
    def autoscaler(self, name: str = "h", path: str = V1) -> Any:
        spec = {"maxReplicas": 3, "targetCPUUtilizationPercentage": 50,
                "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"}}
        return self.ask("POST", path, {"metadata": {"name": name}, "spec": spec})

    def test_equivalent(self) -> None:
        """Who knows another version is shown that, and patches that."""
        self.mutating("v2", setting("/spec/metrics/0/resource/target/averageUtilization", 70),
                      rules=[rule("autoscaling", "v2", "horizontalpodautoscalers")])
        created = self.autoscaler()
        self.assertEqual(created["spec"]["targetCPUUtilizationPercentage"], 70)
        request = self.last("v2")
        self.assertEqual((request["kind"]["version"], request["resource"]["version"]), ("v2", "v2"))
        self.assertEqual((request["requestKind"]["version"], request["requestResource"]["version"]), ("v1", "v1"))
        self.assertEqual(request["object"]["apiVersion"], "autoscaling/v2")

    def test_broken_conversion(self) -> None:
        """What a webhook makes of an object must fit the form in which it is handled."""
        self.mutating("set", setting("/metadata/annotations", {"deprecated.deployment.rollback.revision": "x"}),
                      rules=[rule("apps", "v1", "deployments")])
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        error = self.refused("POST", "/apis/apps/v1/namespaces/default/deployments", {
            "metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}})
        self.assertEqual((error.code, error.reason), (500, ""))

    def test_own_version_first(self) -> None:
        """The version of the request is preferred, whatever the order of rules."""
        self.validating("both", allow, rules=[rule("autoscaling", "v2", "horizontalpodautoscalers"),
                                              rule("autoscaling", "v1", "horizontalpodautoscalers")])
        self.autoscaler()
        self.assertEqual(self.last("both")["object"]["apiVersion"], "autoscaling/v1")
        self.assertEqual(self.last("both")["object"]["spec"]["targetCPUUtilizationPercentage"], 50)

    def test_exact(self) -> None:
        """Who wants exactly what it names is not asked about other versions."""
        self.validating("v2", deny, rules=[rule("autoscaling", "v2", "horizontalpodautoscalers")], matchPolicy="Exact")
        self.autoscaler()
        self.assertEqual(self.hooks.names, [])

    def test_other_group(self) -> None:
        """Events of one group are those of the other."""
        self.validating("events", allow, rules=[rule("events.k8s.io", "v1", "events")])
        self.ask("POST", f"{NAMESPACE}/events", {
            "metadata": {"name": "e"}, "involvedObject": {"namespace": "default"}, "reason": "r", "message": "m"})
        request = self.last("events")
        self.assertEqual((request["object"]["apiVersion"], request["object"]["note"]), ("events.k8s.io/v1", "m"))
        self.assertEqual(request["requestResource"], {"group": "", "version": "v1", "resource": "events"})


class CustomKindTests(HookTestCase):
    def setUp(self) -> None:
        super().setUp()

        def version(name: str, stored: bool) -> dict[str, Any]:
            spec = {"type": "object", "properties": {"size": {"type": "integer"},
                                                     "color": {"type": "string", "default": f"{name}ish"}}}
            schema = {"type": "object", "properties": {"spec": spec}}
            return {"name": name, "served": True, "storage": stored, "schema": {"openAPIV3Schema": schema},
                    "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.size",
                                                             "statusReplicasPath": ".status.size"}}}

        self.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
            "metadata": {"name": "cars.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "cars", "kind": "Car"},
                     "versions": [version("v1", True), version("v2", False)]}})
        self.cluster.run()

    def create(self, version: str, **spec: Any) -> dict[str, Any]:
        return self.ask("POST", f"/apis/example.com/{version}/namespaces/default/cars", {
            "apiVersion": f"example.com/{version}", "kind": "Car", "metadata": {"name": "c"}, "spec": spec})

    def test_pruned_and_defaulted(self) -> None:
        """What a webhook brings is cut to the schema and gets its defaults."""
        self.mutating("set", setting("/spec", {"size": 2, "odd": 1}), rules=[rule("example.com", "v1", "cars")])
        self.assertEqual(self.create("v1")["spec"], {"size": 2, "color": "v1ish"})

    def test_equivalent(self) -> None:
        """Versions of a custom kind are converted for those who want another."""
        self.mutating("set", setting("/spec/size", 5), rules=[rule("example.com", "v2", "cars")])
        created = self.create("v1", size=1)
        self.assertEqual((created["apiVersion"], created["spec"]), ("example.com/v1", {"size": 5, "color": "v1ish"}))
        self.assertEqual(self.last("set")["object"]["apiVersion"], "example.com/v2")
        self.assertEqual(self.last("set")["requestKind"]["version"], "v1")

    def test_versions_come(self) -> None:
        """A new version of the definition is known at once."""
        self.mutating("set", setting("/spec/size", 5), rules=[rule("example.com", "v3", "cars")])
        self.assertEqual(self.create("v1", size=1)["spec"]["size"], 1)
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cars.example.com"
        versions = self.ask("GET", path)["spec"]["versions"]
        self.merge(path, {"spec": {"versions": [*versions, {**versions[1], "name": "v3"}]}})
        self.cluster.run()
        car = self.merge("/apis/example.com/v1/namespaces/default/cars/c", {"spec": {"color": "red"}})
        self.assertEqual(car["spec"], {"size": 5, "color": "red"})

    def test_subresources(self) -> None:
        """Status and scale of custom resources are asked about like those of others."""
        self.create("v1", size=1)
        self.mutating("set", setting("/spec/replicas", 9), rules=[rule("example.com", "v2", "cars/scale")])
        path = "/apis/example.com/v1/namespaces/default/cars/c"
        self.assertEqual(self.merge(f"{path}/scale", {"spec": {"replicas": 3}})["spec"], {"replicas": 9})
        self.assertEqual(self.ask("GET", path)["spec"]["size"], 9)

    def test_refused(self) -> None:
        """Custom resources can be refused."""
        self.validating("no", deny, rules=[rule("*", "*", "*")])
        answer = self.send("POST", "/apis/example.com/v1/namespaces/default/cars", orjson.dumps(
            {"apiVersion": "example.com/v1", "kind": "Car", "metadata": {"name": "d"}}))
        self.assertEqual(answer.code, 400, answer.body)
