"""Mutating policies: what they change, in which order, and what is wrong with them."""

from __future__ import annotations

from tests.admission.policies.kit import APPLY, GROUP, Obj, PolicyTestCase, applying, patching, rule
from tests.inprocess import CONFIG_MAPS


class ApplyTests(PolicyTestCase):
    def test_fields(self) -> None:
        """Fields are laid over the object; maps are merged, and later mutations see what earlier ones did."""
        self.mutating("p", "Object{metadata: Object.metadata{labels: {'a': 'new', 'c': 'd'}}}",
                      "Object{data: {'labels': string(size(object.metadata.labels))}}")
        made = self.create(labels={"a": "old", "b": "b"}, data={"x": "y"})
        self.assertEqual((made["metadata"]["labels"], made["data"]), (
            {"a": "new", "b": "b", "c": "d"}, {"x": "y", "labels": "3"}))

    def test_ownership(self) -> None:
        """What a policy sets has no owner, and stays only as long as the policy sets it."""
        self.mutating("p", "Object{data: {'extra': 'yes'}}")
        applied = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "b"}}
        made = self.ask("PATCH", f"{CONFIG_MAPS}/x?fieldManager=me", applied, APPLY)
        self.assertEqual(made["data"], {"a": "b", "extra": "yes"})
        (entry,) = made["metadata"]["managedFields"]
        self.assertEqual((entry["manager"], entry["fieldsV1"]), ("me", {"f:data": {"f:a": {}}}))

    def test_update_owner(self) -> None:
        """Nor does who updates an object own it."""
        self.create(data={"a": "b"})
        self.mutating("p", "Object{data: {'extra': 'yes'}}")
        changed = self.merge(f"{CONFIG_MAPS}/x?fieldManager=me", {"data": {"a": "c"}})
        owned = {one["manager"]: one["fieldsV1"] for one in changed["metadata"]["managedFields"]}
        self.assertEqual(owned["me"], {"f:data": {"f:a": {}}})

    def test_defaults(self) -> None:
        """What a mutation adds gets its defaults, which the next one sees."""
        self.mutating(
            "p", "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
                 "[Object.spec.template.spec.containers{name: 'side', image: 'side:1'}]}}}}",
            "Object{metadata: Object.metadata{annotations: {'policy': "
            "object.spec.template.spec.containers.filter(c, c.name == 'side')[0].imagePullPolicy}}}",
            rules=[rule("deployments", group="apps", operations=("CREATE",))])
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        made = self.ask("POST", "/apis/apps/v1/namespaces/default/deployments", {
            "metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}})
        self.assertEqual([one["name"] for one in made["spec"]["template"]["spec"]["containers"]], ["c", "side"])
        self.assertEqual(made["metadata"]["annotations"], {"policy": "IfNotPresent"})

    def test_validated(self) -> None:
        """The object is validated after that, by the kind's rules and by policies."""
        self.mutating("p", "Object{data: {'a b': 'c'}}")
        self.assertIn("a valid config key must consist", self.refused(
            "POST", CONFIG_MAPS, {"metadata": {"name": "x"}}).message)
        self.ask("DELETE", f"{GROUP}/mutatingadmissionpolicies/p")
        self.mutating("q", "Object{data: {'a': 'c'}}")
        self.validating("v", "!has(object.data.a)")
        self.assertIn("failed expression: !has(object.data.a)", self.denied())


class ApplyErrorTests(PolicyTestCase):
    def refusal(self, *mutations: str | Obj, **more: object) -> str:
        """What a policy is refused for, without its name."""
        self.mutating("p", *mutations, **more)
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}, "data": {"a": "b"}})
        self.assertEqual((error.code, error.reason), (403, "Invalid"))
        self.causes = [one["message"] for one in error.details["causes"]]
        self.assertEqual(error.message, self.causes[0])
        return error.message.removeprefix("policy 'p' with binding 'p' denied request: ")

    def test_unknown_field(self) -> None:
        """A field that the kind has not."""
        self.assertEqual(self.refusal("Object{nothing: 1}"), (
            "error applying patch: failed to convert patch object to typed object: .nothing: field not declared in "
            "schema"))

    def test_wrong_type(self) -> None:
        """A value of another type."""
        self.assertEqual(self.refusal("Object{data: 'x'}"), (
            "error applying patch: failed to convert patch object to typed object: .data: expected map, got &{x}"))

    def test_misplaced(self) -> None:
        """An object that is meant for another place."""
        self.assertEqual(self.refusal("Object{metadata: Object.spec{}}"), (
            'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name '
            "path from root Object type"))

    def test_atomic(self) -> None:
        """A list that can only be replaced as a whole."""
        self.assertIn("may not mutate atomic arrays, maps or structs: .metadata.ownerReferences[0]", self.refusal(
            "Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{uid: 'x', name: 'n', "
            "kind: 'K', apiVersion: 'v1'}]}}"))

    def test_runtime_error(self) -> None:
        """An expression without a value."""
        self.assertEqual(self.refusal("Object{data: {'a': object.nothing}}"), (
            "expression 'Object{data: {'a': object.nothing}}' resulted in error: no such key: nothing"))

    def test_all_told(self) -> None:
        """The other mutations are made nevertheless, and all problems are told."""
        self.refusal("Object{data: 1}", applying("Object{data: {'ok': 'yes'}}"), "Object{data: {'a': object.nothing}}")
        self.assertEqual(len(self.causes), 2)

    def test_ignored(self) -> None:
        """A policy that may fail does what it can."""
        self.mutating("p", "Object{data: 1}", "Object{data: {'ok': 'yes'}}", failurePolicy="Ignore")
        self.assertEqual(self.create()["data"], {"ok": "yes"})

    def test_conditions(self) -> None:
        """Conditions decide whether a policy is asked; one without a value refuses."""
        self.mutating("p", "Object{data: {'a': 'b'}}",
                      matchConditions=[{"name": "c", "expression": "object.data.want == 'yes'"}])
        self.assertEqual(self.create("a", {"want": "no"})["data"], {"want": "no"})
        self.assertEqual(self.create("b", {"want": "yes"})["data"], {"want": "yes", "a": "b"})
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}, "data": {"c": "d"}})
        self.assertEqual((error.reason, error.message), ("Invalid", (
            "policy 'p' with binding 'p' denied request: expression 'object.data.want == 'yes'' resulted in error: "
            "no such key: want")))

    def test_budget(self) -> None:
        """A mutation that costs too much is refused."""
        expensive = "object.data.a.split('').all(x, object.data.a.split('').all(y, x == y))"
        self.mutating("p", f"{expensive} ? Object{{}} : Object{{}}")
        self.create("y", {"a": "b"})
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}, "data": {"a": "a" * 2000}})
        self.assertIn("operation cancelled: actual cost limit exceeded", error.message)


class PatchTests(PolicyTestCase):
    def test_operations(self) -> None:
        """Operations are applied in order; keys can be escaped."""
        self.mutating("p", patching(
            "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}, "
            "JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('x/y'), value: string(1)}, "
            "JSONPatch{op: 'move', from: '/data/a', path: '/data/b'}, JSONPatch{op: 'remove', path: '/data/c'}, "
            "JSONPatch{op: 'replace', path: '/immutable', value: true}]"))
        made = self.create(data={"a": "1", "c": "2"})
        self.assertEqual((made["metadata"]["labels"], made["data"], made["immutable"]), (
            {"a": "b", "x/y": "1"}, {"b": "1"}, True))

    def test_objects(self) -> None:
        """A value may be an object, or a list of them."""
        container = "Object.spec.template.spec.containers"
        self.mutating("p", patching(
            f"[JSONPatch{{op: 'add', path: '/spec/template/spec/initContainers', value: [{container}{{name: 'init', "
            f"image: 'i', env: [{container}.env{{name: 'A', value: 'B'}}]}}]}}, JSONPatch{{op: 'add', path: "
            f"'/spec/template/spec/containers/-', value: {container}{{name: 'side', image: 's'}}}}]"),
            rules=[rule("deployments", group="apps", operations=("CREATE",))])
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        spec = self.ask("POST", "/apis/apps/v1/namespaces/default/deployments", {
            "metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
        })["spec"]["template"]["spec"]
        self.assertEqual(spec["initContainers"][0]["env"], [{"name": "A", "value": "B"}])
        self.assertEqual([one["name"] for one in spec["containers"]], ["c", "side"])

    def test_values(self) -> None:
        """Values are written as JSON has them: bytes, times and large integers as text."""
        self.mutating("p", patching(
            "[JSONPatch{op: 'add', path: '/data', value: {'bytes': dyn(b'ab'), "
            "'time': dyn(timestamp('2024-01-02T03:04:05Z')), 'length': dyn(duration('90s')), "
            "'large': dyn(9007199254740993)}}]"))
        self.assertEqual(self.create(data={"a": "b"})["data"], {
            "bytes": "YWI=", "time": "2024-01-02T03:04:05Z", "length": "90s", "large": "9007199254740993"})

    def test_numbers(self) -> None:
        """A whole number is an integer, whatever it was computed from."""
        self.mutating("p", patching("[JSONPatch{op: 'replace', path: '/spec/replicas', value: 6.0 / 2.0}]"),
                      rules=[rule("deployments", group="apps", operations=("CREATE",))])
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        made = self.ask("POST", "/apis/apps/v1/namespaces/default/deployments", {
            "metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}})
        self.assertEqual(made["spec"]["replicas"], 3)

    def test_failed_test(self) -> None:
        """When a test fails nothing of the patch is done, and nothing is wrong."""
        self.mutating("p", patching("[JSONPatch{op: 'add', path: '/data/b', value: 'c'}, "
                                    "JSONPatch{op: 'test', path: '/data/a', value: 'x'}]"))
        self.assertEqual(self.create(data={"a": "b"})["data"], {"a": "b"})
        self.assertEqual(self.create("y", {"a": "x"})["data"], {"a": "x", "b": "c"})

    def test_inapplicable(self) -> None:
        """A patch that does not apply refuses."""
        self.mutating("p", patching("[JSONPatch{op: 'remove', path: '/data/zzz'}]"))
        self.assertEqual(self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}, "data": {"a": "b"}}).message, (
            "policy 'p' with binding 'p' denied request: JSON Patch: error in remove for path: '/data/zzz': Unable to "
            "remove nonexistent key: zzz: missing value"))

    def test_unknown_field(self) -> None:
        """What it makes must be an object of the kind: 500."""
        self.mutating("p", patching("[JSONPatch{op: 'add', path: '/nothing', value: 1}]"))
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        self.assertEqual((error.code, error.reason, error.message), (
            500, "InternalError",
            'Internal error occurred: strict decoding error: unknown field "nothing"'))

    def test_wrong_type(self) -> None:
        """So is a value of another type."""
        self.mutating("p", patching("[JSONPatch{op: 'add', path: '/data', value: 1}]"))
        self.assertEqual(self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}}).code, 500)


class ReinvocationTests(PolicyTestCase):
    def test_if_needed(self) -> None:
        """A policy that may be asked again is, after others have changed something; others are not."""
        count = "Object{data: {'%s': string(has(object.data.%s) ? int(object.data.%s) + 1 : 1)}}"
        self.mutating("a", count % (("a",) * 3), reinvocationPolicy="IfNeeded")
        self.mutating("b", count % (("b",) * 3))
        self.assertEqual(self.create(data={"x": "y"})["data"], {"x": "y", "a": "2", "b": "1"})

    def test_not_needed(self) -> None:
        """Nobody is asked again when nothing was changed."""
        self.mutating("a", "Object{data: {'a': string(size(object.data))}}", reinvocationPolicy="IfNeeded",
                      matchConditions=[{"name": "c", "expression": "object.metadata.name == 'never'"}])
        self.assertEqual(self.create(data={"x": "y"})["data"], {"x": "y"})

    def test_order(self) -> None:
        """Policies are asked by name."""
        for name in ("b", "a", "c"):
            self.mutating(name, f"Object{{data: {{'order': (has(object.data.order) ? object.data.order : '') + "
                                f"'{name}'}}}}")
        self.assertEqual(self.create(data={"x": "y"})["data"], {"x": "y", "order": "abc"})


class OperationTests(PolicyTestCase):
    def test_update(self) -> None:
        """Updates and patches are changed too, with the old object at hand."""
        self.create(data={"n": "1"})
        self.mutating("p", "Object{data: {'old': oldObject.data.n}}",
                      rules=[rule("configmaps", operations=("UPDATE",))])
        self.assertEqual(self.merge(f"{CONFIG_MAPS}/x", {"data": {"n": "2"}})["data"], {"n": "2", "old": "1"})
        found = self.ask("GET", f"{CONFIG_MAPS}/x")
        found["data"] = {"n": "3"}
        self.assertEqual(self.ask("PUT", f"{CONFIG_MAPS}/x", found)["data"], {"n": "3", "old": "2"})

    def test_status(self) -> None:
        """Subresources have rules of their own."""
        self.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n"}})
        self.mutating("p", "Object{status: Object.status{phase: 'Running'}}",
                      rules=[rule("nodes/status", operations=("UPDATE",))])
        self.assertEqual(self.merge("/api/v1/nodes/n/status", {"status": {"phase": "Pending"}})["status"]["phase"],
                         "Running")

    def test_scale(self) -> None:
        """A Scale is seen as one."""
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        self.ask("POST", "/apis/apps/v1/namespaces/default/deployments", {
            "metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}})
        self.mutating("p", "object.spec.replicas > 3 ? Object{spec: Object.spec{replicas: 3}} : Object{}",
                      rules=[rule("deployments/scale", group="apps", operations=("UPDATE",))])
        path = "/apis/apps/v1/namespaces/default/deployments/d/scale"
        self.assertEqual(self.merge(path, {"spec": {"replicas": 9}})["spec"], {"replicas": 3})
