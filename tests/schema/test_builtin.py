"""The schema of the built-in kinds and its cache."""

from __future__ import annotations

import marshal
from hashlib import sha256
from pathlib import Path

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.schema.builtin import BuiltinSchema, GoField, SchemaOr
from kube_twisted.schema.types import List, Map, Scalar, Struct, Untyped
from tests.schema.shared_schema import shared_schema

CORE = "io.k8s.api.core.v1."
META = "io.k8s.apimachinery.pkg.apis.meta.v1."


class SchemaTests(SynchronousTestCase):
    """What the schema says about kinds and fields."""

    def setUp(self) -> None:
        self.schema = shared_schema()

    def field(self, definition: str, name: str) -> GoField:
        found = self.schema.definition(definition).fields[name]
        assert isinstance(found, GoField)
        return found

    def list_of(self, definition: str, name: str) -> List:
        found = self.field(definition, name).type
        assert isinstance(found, List)
        return found

    def test_a_kind_has_its_fields_in_go_order(self) -> None:
        """A pod's fields stand as the Go struct has them, kind and version first."""
        pod = self.schema.kind(GroupVersionKind("", "v1", "Pod"))
        self.assertEqual(list(pod.fields), ["kind", "apiVersion", "metadata", "spec", "status"])
        self.assertEqual((pod.go_name, pod.go_type), ("Pod", "v1.Pod"))

    def test_an_unknown_kind_is_a_key_error(self) -> None:
        """A kind without definition can't be asked for."""
        self.assertRaises(KeyError, self.schema.kind, GroupVersionKind("", "v1", "Nonsense"))

    def test_kinds_of_subresources_have_definitions(self) -> None:
        """The kinds that subresources and errors speak are there as well."""
        for group, version, kind in [
            ("autoscaling", "v1", "Scale"),
            ("policy", "v1", "Eviction"),
            ("", "v1", "Binding"),
            ("authentication.k8s.io", "v1", "TokenRequest"),
            ("", "v1", "Status"),
            ("apps", "v1", "DeleteOptions"),
        ]:
            self.assertEqual(self.schema.kind(GroupVersionKind(group, version, kind)).go_name, kind)

    def test_every_kind_can_be_walked_to_its_leaves(self) -> None:
        """No field of any kind refers to something that is missing."""
        seen: set[str] = set()

        def walk(kind: object) -> None:
            if isinstance(kind, List):
                walk(kind.item)
            elif isinstance(kind, Map):
                walk(kind.value)
            elif isinstance(kind, Struct) and kind.name not in seen:
                seen.add(kind.name)
                for field in kind.fields.values():
                    walk(field.type)

        for gvk in self.schema.kinds():
            walk(self.schema.kind(gvk))
        self.assertGreater(len(seen), 700)

    def test_recursive_types_are_one_object(self) -> None:
        """A definition is the same object wherever it is used."""
        pod = self.schema.kind(GroupVersionKind("", "v1", "Pod"))
        self.assertIs(pod.fields["spec"].type, self.schema.definition(CORE + "PodSpec"))

    def test_go_flags(self) -> None:
        """Pointers, omitted empty fields and omitted zero fields are known."""
        replicas = self.field("io.k8s.api.apps.v1.DeploymentSpec", "replicas")
        self.assertEqual((replicas.pointer, replicas.omit_empty), (True, True))
        self.assertFalse(self.field(CORE + "PodSpec", "containers").omit_empty)
        self.assertTrue(self.field(META + "ObjectMeta", "creationTimestamp").omit_zero)

    def test_go_types(self) -> None:
        """Named Go types are known where the definitions do not tell them."""
        self.assertEqual(self.field(CORE + "Container", "imagePullPolicy").go_type, "v1.PullPolicy")
        self.assertEqual(self.field(CORE + "PodSpec", "containers").go_type, "[]v1.Container")
        self.assertEqual(self.field(CORE + "ConfigMap", "data").go_type, "map[string]string")
        self.assertEqual(self.field(CORE + "ResourceRequirements", "limits").go_type, "v1.ResourceList")

    def test_embedded_structs(self) -> None:
        """A field of an embedded struct knows in which one it sits."""
        self.assertEqual(self.field(CORE + "Volume", "configMap").embedded, "VolumeSource")
        self.assertEqual(self.field(CORE + "Volume", "name").embedded, "")

    def test_merge_keys_and_defaults(self) -> None:
        """Lists of apply have keys with defaults; strategic merge has a key of its own."""
        ports = self.list_of(CORE + "Container", "ports")
        self.assertEqual((ports.relation, ports.keys), ("map", ("containerPort", "protocol")))
        self.assertEqual(ports.key_defaults, {"containerPort": 0, "protocol": "TCP"})
        field = self.field(CORE + "Container", "ports")
        self.assertEqual((field.patch_strategy, field.patch_merge_key), (("merge",), "containerPort"))

    def test_list_relations(self) -> None:
        """Sets and atomic lists are told apart; a list is atomic when nothing is said."""
        self.assertEqual(self.list_of(META + "ObjectMeta", "finalizers").relation, "set")
        self.assertEqual(self.list_of(CORE + "Container", "command").relation, "atomic")

    def test_several_patch_strategies(self) -> None:
        """A field can have two patch strategies."""
        self.assertEqual(self.field(CORE + "PodSpec", "volumes").patch_strategy, ("merge", "retainKeys"))

    def test_atomic_structs(self) -> None:
        """Label selectors are owned as a whole."""
        self.assertTrue(self.schema.definition(META + "LabelSelector").atomic)

    def test_leaves(self) -> None:
        """Times, quantities and the like are leaves of their own kind."""
        for definition, name, kind in [
            (META + "ObjectMeta", "creationTimestamp", "time"),
            (CORE + "Event", "eventTime", "micro-time"),
            (CORE + "ServicePort", "targetPort", "int-or-string"),
            (CORE + "EmptyDirVolumeSource", "sizeLimit", "quantity"),
            (CORE + "ServicePort", "port", "int32"),
            (META + "ObjectMeta", "generation", "int64"),
            (CORE + "Container", "tty", "bool"),
        ]:
            found = self.field(definition, name).type
            assert isinstance(found, Scalar)
            self.assertEqual(found.kind, kind, name)

    def test_untyped_leaves(self) -> None:
        """Raw extensions, field sets and schemas inside schemas are kept as they are for field ownership."""
        self.assertIsInstance(self.field("io.k8s.api.apps.v1.ControllerRevision", "data").type, Untyped)
        self.assertIsInstance(self.field(META + "ManagedFieldsEntry", "fieldsV1").type, Untyped)
        schemas = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"
        items = self.field(schemas, "items").type
        assert isinstance(items, SchemaOr)
        self.assertEqual(items.other, "array")

    def test_registered_but_not_served(self) -> None:
        """Old versions are known to the original, so that its error about them differs."""
        self.assertTrue(self.schema.is_registered(GroupVersionKind("apps", "v1beta1", "Deployment")))
        self.assertTrue(self.schema.is_registered(GroupVersionKind("apps", "v1", "Deployment")))
        self.assertFalse(self.schema.is_registered(GroupVersionKind("apps", "v1", "ConfigMap")))

    def test_an_uncovered_version_is_a_clear_error(self) -> None:
        """A version without definitions is named."""
        error = self.assertRaises(LookupError, BuiltinSchema.load, None, "1.7")
        self.assertIn("Kubernetes 1.7", str(error))


class CacheTests(SynchronousTestCase):
    """The compiled table on disk."""

    def setUp(self) -> None:
        self.directory = Path(self.mktemp())
        BuiltinSchema.load(self.directory)
        self.cache = self.directory / "schema-1.36.cache"

    def assert_works(self, schema: BuiltinSchema) -> None:
        self.assertIn("spec", schema.kind(GroupVersionKind("", "v1", "Pod")).fields)

    def test_a_start_leaves_the_cache_alone(self) -> None:
        """A second start reads the file and does not write it again."""
        before = self.cache.stat()
        self.assert_works(BuiltinSchema.load(self.directory))
        self.assertEqual(self.cache.stat().st_ino, before.st_ino)

    def test_a_damaged_cache_is_rebuilt(self) -> None:
        """Cut off or overwritten, the file is written anew."""
        good = self.cache.read_bytes()
        for damaged in (b"", b"nonsense", good[:1000], good[:-1] + b"\x00"):
            self.cache.write_bytes(damaged)
            self.assert_works(BuiltinSchema.load(self.directory))
            self.assertEqual(self.cache.read_bytes(), good)

    def test_a_cache_of_other_sources_is_rebuilt(self) -> None:
        """A file that was made from other definitions or tables does not count."""
        good = self.cache.read_bytes()
        content = marshal.dumps([["other"], {"kinds": {}, "structs": {}}])
        self.cache.write_bytes(sha256(content).hexdigest().encode() + b"\n" + content)
        self.assert_works(BuiltinSchema.load(self.directory))
        self.assertEqual(self.cache.read_bytes(), good)

    def test_nothing_else_is_left_in_the_directory(self) -> None:
        """The file is moved into place; the one it was written to is gone."""
        self.assertEqual([path.name for path in self.directory.iterdir()], ["schema-1.36.cache"])
