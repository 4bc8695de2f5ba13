"""Mutating webhooks in a server: what their patches do to objects."""

from __future__ import annotations

from typing import Any

from tests.admission.webhooks.hooks import HookTestCase, Raw, allow, patched, setting
from tests.inprocess import CONFIG_MAPS, NAMESPACE

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
ON_DEPLOYMENTS = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["*"], "resources": ["deployments"]}
APPLY = "application/apply-patch+yaml"


def deployment(name: str = "web") -> dict[str, Any]:
    pod = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
            "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": pod}}


class PatchTests(HookTestCase):
    def test_create_update_patch_apply(self) -> None:
        """A webhook changes whatever way an object is written."""
        self.mutating("set", setting("/data", {"by": "hook"}))
        created = self.config_map("a")
        self.assertEqual(created["data"], {"by": "hook"})
        self.assertEqual(self.ask("PUT", f"{CONFIG_MAPS}/a", {**created, "data": {"x": "y"}})["data"], {"by": "hook"})
        self.assertEqual(self.merge(f"{CONFIG_MAPS}/a", {"data": {"x": "y"}})["data"], {"by": "hook"})
        applied = self.ask("PATCH", f"{CONFIG_MAPS}/b?fieldManager=m", {
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "data": {"x": "y"}}, APPLY)
        self.assertEqual(applied["data"], {"by": "hook"})
        self.assertEqual([request["operation"] for _, request in self.hooks.requests],
                         ["CREATE", "UPDATE", "UPDATE", "CREATE"])

    def test_one_after_the_other(self) -> None:
        """Webhooks are asked by the names of their configurations; each sees what those before it did."""
        self.mutating("b", setting("/data/b", "2"))
        self.mutating("a", setting("/data", {"a": "1"}))
        self.assertEqual(self.config_map("x")["data"], {"a": "1", "b": "2"})
        self.assertEqual(self.hooks.names, ["a", "b"])
        self.assertEqual(self.last("b")["object"]["data"], {"a": "1"})

    def test_defaults_again(self) -> None:
        """What a patch brings gets its defaults; fields that the kind has not are dropped."""
        self.mutating("sidecar", lambda _request: patched(
            {"op": "add", "path": "/spec/template/spec/containers/-", "value": {"name": "s", "image": "i", "odd": 1}}),
            rules=[ON_DEPLOYMENTS])
        created = self.ask("POST", DEPLOYMENTS, deployment())
        sidecar = created["spec"]["template"]["spec"]["containers"][1]
        self.assertEqual(sidecar, {"name": "s", "image": "i", "imagePullPolicy": "Always", "resources": {},
                                   "terminationMessagePath": "/dev/termination-log",
                                   "terminationMessagePolicy": "File"})

    def test_validated(self) -> None:
        """An object that a webhook made invalid is refused like any other."""
        self.mutating("break", setting("/metadata/labels", {"a b": "c"}))
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        self.assertEqual((error.code, error.reason), (422, "Invalid"))

    def test_nothing_to_do(self) -> None:
        """An empty patch, and none, change nothing."""
        self.mutating("empty", lambda _request: patched())
        self.mutating("none", allow)
        self.assertNotIn("data", self.config_map("x"))

    def test_owners(self) -> None:
        """What a webhook changes is nobody's."""
        self.mutating("set", setting("/data", {"by": "hook"}))
        created = self.config_map("a")
        self.assertNotIn("managedFields", created["metadata"])

    def test_malformed_owners(self) -> None:
        """Managed fields that can't be read are put back, with a warning."""
        broken = [{"manager": "x", "operation": "Odd", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {}}]
        self.mutating("break", setting("/metadata/managedFields", broken))
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata":{"name":"x"},"data":{"a":"b"}}')
        self.assertEqual(answer.code, 201, answer.body)
        (entry,) = answer.json["metadata"]["managedFields"]
        self.assertEqual(entry["manager"], "test")
        (warning,) = answer.warnings
        self.assertTrue(warning.startswith(".metadata.managedFields was in an invalid state after admission; "))


class FailureTests(HookTestCase):
    def refusal(self, answer: Any) -> str:
        self.mutating("x", lambda _request: answer)
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        self.assertEqual((error.code, error.reason), (500, "InternalError"))
        self.assertEqual(error.details, {"causes": [{"message": error.message.removeprefix(
            "Internal error occurred: ")}]})
        return error.message.removeprefix("Internal error occurred: ")

    def test_undecodable(self) -> None:
        """A patch that is no list of operations."""
        self.assertEqual(
            self.refusal({"allowed": True, "patchType": "JSONPatch", "patch": "e30="}),
            'failed calling webhook "x.example.com": received undecodable patch in webhook response: '
            "json: cannot unmarshal object into Go value of type jsonpatch.Patch")

    def test_inapplicable(self) -> None:
        """A patch of something that the object does not have."""
        self.assertEqual(self.refusal(patched({"op": "remove", "path": "/data/a"})),
                         'remove operation does not apply: doc is missing path: "/data/a": missing value')

    def test_type(self) -> None:
        """Patches of other types."""
        self.assertEqual(self.refusal({"allowed": True, "patchType": "Merge", "patch": "W3t9XQ=="}),
                         'failed calling webhook "x.example.com": unsupported patch type "Merge"')

    def test_other_kind(self) -> None:
        """A patch can't make another kind of it."""
        self.assertEqual(self.refusal(patched({"op": "replace", "path": "/kind", "value": "Secret"})),
                         "converting (v1.Secret) to (core.ConfigMap): unknown conversion")

    def test_answers(self) -> None:
        """Answers that are no reviews, or no answers to the question."""
        prefix = 'failed calling webhook "x.example.com": '
        self.assertEqual(
            self.refusal(Raw(b'{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}')),
            prefix + "received invalid webhook response: webhook response was absent")

    def test_deletion(self) -> None:
        """There is nothing to patch in a deletion."""
        self.config_map("x")
        self.mutating("x", setting("/data", {}), rules=[{
            "apiGroups": [""], "apiVersions": ["v1"], "operations": ["DELETE"], "resources": ["configmaps"]}])
        error = self.refused("DELETE", f"{CONFIG_MAPS}/x")
        self.assertEqual(error.message, 'Internal error occurred: admission webhook "x.example.com" attempted to modify'
                         " the object, which is not supported for this operation")


class ReinvocationTests(HookTestCase):
    def test_if_needed(self) -> None:
        """Who wants to is asked again when a later webhook changed the object; once."""
        self.mutating("a", setting("/metadata/labels", {"a": "1"}), reinvocationPolicy="IfNeeded")
        self.mutating("b", setting("/data", {"b": "2"}))
        self.config_map("x")
        self.assertEqual(self.hooks.names, ["a", "b", "a"])
        self.assertEqual(self.last("a")["object"]["data"], {"b": "2"})

    def test_not_needed(self) -> None:
        """Nobody is asked again when nobody changed anything after them."""
        self.mutating("a", setting("/data", {"a": "1"}), reinvocationPolicy="IfNeeded")
        self.mutating("b", allow, reinvocationPolicy="IfNeeded")
        self.config_map("x")
        self.assertEqual(self.hooks.names, ["a", "b"])

    def test_never(self) -> None:
        """By default nobody is."""
        self.mutating("a", allow)
        self.mutating("b", setting("/data", {"b": "2"}))
        self.config_map("x")
        self.assertEqual(self.hooks.names, ["a", "b"])

    def test_other_plugins(self) -> None:
        """What built-in plugins do to the changed object calls webhooks again as well."""
        rules = [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}]
        claim = {"name": "x", "image": "i", "resources": {}}
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})
        self.ask("POST", f"{NAMESPACE}/limitranges", {"metadata": {"name": "l"}, "spec": {"limits": [
            {"type": "Container", "default": {"cpu": "1"}}]}})
        self.mutating("a", lambda request: patched({"op": "add", "path": "/spec/containers/-", "value": claim})
                      if len(request["object"]["spec"]["containers"]) == 1 else {"allowed": True},
                      rules=rules, reinvocationPolicy="IfNeeded")
        created = self.ask("POST", f"{NAMESPACE}/pods", {
            "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}})
        self.assertEqual(self.hooks.names, ["a", "a"])
        self.assertEqual([one["resources"]["limits"] for one in self.last("a")["object"]["spec"]["containers"]],
                         [{"cpu": "1"}] * 2)
        self.assertEqual(len(created["spec"]["containers"]), 2)
