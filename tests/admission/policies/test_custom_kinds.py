"""Policies about custom resources."""

from __future__ import annotations

from tests.admission.policies.kit import Obj, PolicyTestCase, patching, rule
from tests.apiextensions.widgets import API, DEFINITIONS, WIDGETS, definition, integer, obj, text, version, widget

SPEC = obj(size=integer(), color=text(default="blue"), tags={"type": "array", "items": text()},
           parts={"type": "array", "items": {**obj(name=text(), count=integer()), "required": ["name"]},
                  "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
           any={"type": "object", "x-kubernetes-preserve-unknown-fields": True})


def about(*operations: str, resources: tuple[str, ...] = ("widgets",)) -> list[Obj]:
    return [rule(*resources, group="example.com", operations=operations or ("*",))]


class CustomTests(PolicyTestCase):
    def setUp(self) -> None:
        super().setUp()
        schema = obj(spec=SPEC, status=obj(ready=integer()))
        self.define(version(schema=schema, subresources={"status": {}, "scale": {
            "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.ready"}}))

    def define(self, *versions: Obj) -> None:
        self.ask("POST", DEFINITIONS, definition(*versions))
        self.cluster.run(0.1)

    def widget(self, **spec: object) -> Obj:
        return self.ask("POST", WIDGETS, widget(spec=spec))

    def test_validated(self) -> None:
        """Custom objects are seen with their defaults."""
        self.validating("p", "object.spec.color == 'blue' && object.spec.size < 5", rules=about("CREATE"))
        self.widget(size=4)
        error = self.refused("POST", WIDGETS, widget("b", spec={"size": 5}))
        self.assertEqual(error.message, (
            "widgets.example.com \"b\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: "
            "failed expression: object.spec.color == 'blue' && object.spec.size < 5"))

    def test_applied(self) -> None:
        """Fields, keyed lists and open objects are merged by the schema."""
        parts = "[Object.spec.parts{name: 'b', count: 3}, Object.spec.parts{name: 'c'}]"
        self.mutating("p", f"Object{{spec: Object.spec{{size: 7, any: Object.spec.any{{x: 1}}, parts: {parts}}}}}",
                      rules=about("CREATE"))
        made = self.widget(any={"y": 2}, parts=[{"name": "a"}, {"name": "b", "count": 2}])
        self.assertEqual(made["spec"], {
            "size": 7, "color": "blue", "any": {"x": 1, "y": 2},
            "parts": [{"name": "a"}, {"name": "b", "count": 3}, {"name": "c"}]})
        self.assertEqual(made["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:any"], {".": {}, "f:y": {}})

    def test_apply_errors(self) -> None:
        """Lists that are not keyed can't be merged; unknown fields and other types are refused."""
        for expression, why in (
                ("Object{spec: Object.spec{tags: ['a']}}",
                 "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.tags"),
                ("Object{spec: Object.spec{nothing: 1}}",
                 "failed to convert patch object to typed object: .spec.nothing: field not declared in schema"),
                ("Object{spec: Object.spec{size: 'x'}}",
                 "failed to convert patch object to typed object: .spec.size: expected numeric (int or float), got "
                 "string")):
            self.mutating("p", expression, rules=about("CREATE"))
            error = self.refused("POST", WIDGETS, widget(spec={}))
            self.assertEqual(error.message, f"policy 'p' with binding 'p' denied request: error applying patch: {why}")
            self.ask("DELETE", "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/p")
            self.ask("DELETE", "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings/p")

    def test_patched(self) -> None:
        """JSON patches change custom objects; what the schema does not know is dropped."""
        self.mutating("p", patching("[JSONPatch{op: 'add', path: '/spec/tags', value: ['a', 'b']}, "
                                    "JSONPatch{op: 'add', path: '/spec/nothing', value: 1}]"), rules=about("CREATE"))
        self.assertEqual(self.widget()["spec"], {"tags": ["a", "b"], "color": "blue"})

    def test_subresources(self) -> None:
        """Status and scale have rules of their own; a Scale is seen as one."""
        self.widget(size=1)
        self.validating("status", "object.status.ready < 5", rules=about("UPDATE", resources=("widgets/status",)))
        self.validating("scale", "object.kind == 'Scale' && object.spec.replicas < 5",
                        rules=about("UPDATE", resources=("widgets/scale",)))
        path = f"{WIDGETS}/a"
        self.merge(path, {"spec": {"size": 9}})
        self.merge(f"{path}/status", {"status": {"ready": 4}})
        self.merge(f"{path}/scale", {"spec": {"replicas": 4}})
        self.refused("PATCH", f"{path}/status", {"status": {"ready": 5}}, "application/merge-patch+json")
        self.refused("PATCH", f"{path}/scale", {"spec": {"replicas": 5}}, "application/merge-patch+json")

    def test_scale_without_replicas(self) -> None:
        """A Scale of an object that had no replicas before shows none of them as the old ones."""
        self.widget()
        self.validating("scale", "!has(oldObject.spec.replicas) || oldObject.spec.replicas == 0",
                        rules=about("UPDATE", resources=("widgets/scale",)))
        scaled = self.merge(f"{WIDGETS}/a/scale", {"spec": {"replicas": 4}})
        self.assertEqual(scaled["spec"], {"replicas": 4})

    def test_deleted(self) -> None:
        """Deletions show the old object, those of collections too."""
        self.widget(size=1)
        self.validating("p", "oldObject.spec.size != 1", rules=about("DELETE"))
        self.refused("DELETE", f"{WIDGETS}/a")
        self.refused("DELETE", WIDGETS)
        self.merge(f"{WIDGETS}/a", {"spec": {"size": 2}})
        self.ask("DELETE", WIDGETS)

    def test_versions(self) -> None:
        """A policy that names another version sees, and changes, objects in it."""
        self.merge(f"{DEFINITIONS}/widgets.example.com", {"spec": {"versions": [
            version("v1", obj(spec=SPEC)), version("v2", obj(spec=obj(size=integer(), color=text())), storage=False)]}})
        self.cluster.run(0.1)
        second = [{**about()[0], "apiVersions": ["v2"], "operations": ["CREATE"]}]
        self.validating("v", "object.apiVersion == 'example.com/v2' && object.spec.size == 3", rules=second)
        self.mutating("m", "Object{spec: Object.spec{size: 3}}", rules=second)
        self.assertEqual(self.widget(size=1)["spec"]["size"], 3)
        second_path = f"{API}/v2/namespaces/default/widgets"
        self.assertEqual(self.ask("POST", second_path, widget("b", api_version="example.com/v2"))["spec"]["size"], 3)
