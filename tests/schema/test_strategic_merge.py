"""Strategic merge patch, on hand-made types in the manner of a Deployment."""

from __future__ import annotations

import copy
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.schema import strategic_merge
from kube_twisted.schema.types import Field, List, Map, Scalar, Struct, Type, Untyped

_TEXT, _INT = Scalar("string"), Scalar("int32")


def struct(name: str, *fields: Field) -> Struct:
    return Struct(name, go_name=name, load=lambda: {one.name: one for one in fields})


def merged(name: str, item: Type, key: str = "", *more: str) -> Field:
    return Field(name, List(item), patch_strategy=("merge", *more), patch_merge_key=key)


_ENV = struct("EnvVar", Field("name", _TEXT), Field("value", _TEXT))
_PORT = struct("ContainerPort", Field("containerPort", _INT), Field("name", _TEXT))
_CONTAINER = struct("Container", Field("name", _TEXT), Field("image", _TEXT), Field("args", List(_TEXT)),
                    merged("env", _ENV, "name"), merged("ports", _PORT, "containerPort"))
_PATH = struct("HostPathVolumeSource", Field("path", _TEXT))
_VOLUME = struct("Volume", Field("name", _TEXT), Field("hostPath", _PATH, pointer=True),
                 Field("emptyDir", struct("EmptyDirVolumeSource"), pointer=True))
_STRATEGY = struct("DeploymentStrategy", Field("type", _TEXT),
                   Field("rollingUpdate", struct("RollingUpdateDeployment", Field("maxSurge", _TEXT))))
_SPEC = struct("Spec", Field("replicas", _INT), merged("containers", _CONTAINER, "name"),
               merged("volumes", _VOLUME, "name", "retainKeys"), merged("keyless", _ENV),
               Field("strategy", _STRATEGY, patch_strategy=("retainKeys",)),
               Field("whole", _STRATEGY, patch_strategy=("replace",)), Field("raw", Untyped()))
_META = struct("ObjectMeta", Field("name", _TEXT), Field("annotations", Map(_TEXT)),
               merged("finalizers", _TEXT))
_KIND = struct("Kind", Field("metadata", _META), Field("spec", _SPEC))


class StrategicMergeTestCase(SynchronousTestCase):
    """Helps to patch one part of an object."""

    def patched(self, part: str, live: Any, patch: Any) -> Any:
        """The part after the patch; the arguments are checked to be as before."""
        document, change = {part: live}, {part: patch}
        before = copy.deepcopy((document, change))
        result = strategic_merge.apply(document, change, _KIND)
        self.assertEqual((document, change), before)
        return result.get(part)

    def error(self, part: str, live: Any, patch: Any) -> tuple[int, str]:
        error = self.assertRaises(StatusError, strategic_merge.apply, {part: live}, {part: patch}, _KIND)
        return error.code, error.message


class ObjectTests(StrategicMergeTestCase):
    """Objects and their directives."""

    def test_merge(self) -> None:
        """Fields are set, replaced and, with null, removed; lists without a strategy are replaced."""
        self.assertEqual(self.patched("metadata", {"name": "a", "annotations": {"x": "1", "y": "2"}},
                                      {"annotations": {"x": None, "z": "3"}}),
                         {"name": "a", "annotations": {"y": "2", "z": "3"}})
        self.assertEqual(self.patched("spec", {"containers": [{"name": "a", "args": ["x", "y"]}]},
                                      {"containers": [{"name": "a", "args": ["z"]}]}),
                         {"containers": [{"name": "a", "args": ["z"]}]})

    def test_replace(self) -> None:
        """``$patch: replace`` keeps nothing of the old object; a field may be so by its type."""
        self.assertEqual(self.patched("metadata", {"annotations": {"a": "1"}},
                                      {"annotations": {"$patch": "replace", "z": "26"}}),
                         {"annotations": {"z": "26"}})
        self.assertEqual(self.patched("spec", {"whole": {"type": "A", "rollingUpdate": {}}},
                                      {"whole": {"type": "B"}}), {"whole": {"type": "B"}})

    def test_delete(self) -> None:
        """``$patch: delete`` empties an object."""
        self.assertEqual(self.patched("metadata", {"annotations": {"a": "1"}},
                                      {"annotations": {"$patch": "delete"}}), {"annotations": {}})

    def test_unknown_directive(self) -> None:
        """Another directive is an error, but only where there is something to merge with."""
        patch = {"annotations": {"$patch": "explode", "q": "1"}}
        self.assertEqual(self.patched("metadata", {"name": "a"}, patch), {"name": "a"})
        self.assertEqual(self.error("metadata", {"annotations": {}}, patch),
                         (500, "unknown patch type: explode in map: map[$patch:explode q:1]"))

    def test_retain_keys(self) -> None:
        """``$retainKeys`` drops what it does not list, and must list what the patch sets."""
        live = {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "1"}}}
        patch: dict[str, Any] = {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}
        self.assertEqual(self.patched("spec", live, patch), {"strategy": {"type": "Recreate"}})
        for bad in ({"$retainKeys": ["rollingUpdate"], "type": "X"}, {"$retainKeys": "type"}):
            self.assertEqual(self.error("spec", live, {"strategy": bad}),
                             (400, "invalid patch format of retainKeys"))

    def test_new_values(self) -> None:
        """What is new in the document comes without nulls and without deleted items."""
        patch = {"strategy": {"type": None, "rollingUpdate": {}},
                 "containers": [{"name": "a", "image": None}, {"name": "b", "$patch": "delete"}]}
        self.assertEqual(self.patched("spec", {}, patch),
                         {"strategy": {"rollingUpdate": {}}, "containers": [{"name": "a"}]})

    def test_other_types(self) -> None:
        """A value of another type takes the old one's place, for decoding to refuse."""
        self.assertEqual(self.patched("spec", {"containers": []}, {"containers": "none"}),
                         {"containers": "none"})
        self.assertEqual(self.patched("spec", {"replicas": 1}, "x"), "x")

    def test_no_object(self) -> None:
        """A patch is an object; null changes nothing."""
        error = self.assertRaises(StatusError, strategic_merge.apply, {}, [], _KIND)
        self.assertEqual((error.code, error.message),
                         (400, "json: cannot unmarshal array into Go value of type map[string]interface {}"))
        self.assertEqual(strategic_merge.apply({"spec": {}}, None, _KIND), {"spec": {}})


class ListOfObjectsTests(StrategicMergeTestCase):
    """Lists that merge by a key."""

    def containers(self, live: list[Any], patch: list[Any]) -> list[Any]:
        spec: dict[str, list[Any]] = self.patched("spec", {"containers": live}, {"containers": patch})
        return spec["containers"]

    def test_by_key(self) -> None:
        """Items with the same key merge, at any depth; the type of the key counts."""
        self.assertEqual(
            self.containers([{"name": "a", "image": "i", "ports": [{"containerPort": 80, "name": "http"}]},
                             {"name": "b", "image": "j"}],
                            [{"name": "a", "ports": [{"containerPort": 80, "name": "web"},
                                                     {"containerPort": 80.0, "name": "x"}]}]),
            [{"name": "a", "image": "i", "ports": [{"containerPort": 80, "name": "web"},
                                                   {"containerPort": 80.0, "name": "x"}]},
             {"name": "b", "image": "j"}])

    def test_new_first(self) -> None:
        """Without an order, new items stand before old ones."""
        live = [{"name": "a"}, {"name": "b"}]
        self.assertEqual([one["name"] for one in self.containers(live, [{"name": "c"}])], ["c", "a", "b"])

    def test_new_behind_old(self) -> None:
        """A new item that the patch names behind an old one follows it."""
        live = [{"name": "A"}, {"name": "B"}]
        self.assertEqual([one["name"] for one in self.containers(live, [{"name": "B"}, {"name": "C"}])],
                         ["A", "B", "C"])

    def test_delete_and_replace(self) -> None:
        """Items are deleted by key; ``replace`` leaves just what the patch has."""
        live = [{"name": "a"}, {"name": "b"}]
        self.assertEqual(self.containers(live, [{"name": "a", "$patch": "delete"}]), [{"name": "b"}])
        self.assertEqual(self.containers(live, [{"name": "z", "$patch": "delete"}]), live)
        self.assertEqual(self.containers(live, [{"$patch": "replace"}, {"name": "c"}]), [{"name": "c"}])
        self.assertEqual(self.containers(live, [{"$patch": "replace", "name": "c"}]), [])

    def test_retained_in_items(self) -> None:
        """``$retainKeys`` works inside an item."""
        self.assertEqual(self.patched("spec", {"volumes": [{"name": "v", "emptyDir": {}}]}, {"volumes": [
            {"name": "v", "$retainKeys": ["name", "hostPath"], "hostPath": {"path": "/x"}}]}),
            {"volumes": [{"name": "v", "hostPath": {"path": "/x"}}]})

    def test_errors(self) -> None:
        """What cannot be merged is refused as the original does, mostly with a 500."""
        live = {"containers": [{"name": "a"}], "keyless": [{"name": "a"}]}
        for patch, expected in (
                ({"containers": [{"image": "i"}]},
                 (500, "map: map[image:i] does not contain declared merge key: name")),
                ({"containers": [{"name": "a", "$patch": "merge"}]},
                 (500, "merging lists cannot yet be specified in the patch")),
                ({"containers": [{"name": "a", "$patch": "weird"}]},
                 (500, "unknown patch type: weird in map: map[$patch:weird name:a]")),
                ({"containers": ["a"]}, (500, "list element types are not identical: [[map[name:a]] [a]]")),
                ({"keyless": [{"name": "a"}]}, (500, "cannot merge lists without merge key for struct")),
                ({"$setElementOrder/nothing": []},
                 (500, 'unable to find api field in struct Spec for the json field "nothing"'))):
            self.assertEqual(self.error("spec", live, patch), expected)
        self.assertEqual(self.error("metadata", {"finalizers": [["a"]]}, {"finalizers": [["b"]]})[0], 422)


class OrderTests(StrategicMergeTestCase):
    """``$setElementOrder``."""

    live = [{"name": "main"}, {"name": "side"}]

    def names(self, order: list[str], patch: list[Any] | None = None) -> list[str]:
        change: dict[str, Any] = {"$setElementOrder/containers": [{"name": one} for one in order]}
        if patch is not None:
            change["containers"] = patch
        return [one["name"] for one in self.patched("spec", {"containers": self.live}, change)["containers"]]

    def test_order(self) -> None:
        """Items stand in the given order, with or without changes to them."""
        self.assertEqual(self.names(["side", "main"]), ["side", "main"])
        self.assertEqual(self.names(["side", "new", "main"], [{"name": "new"}]), ["side", "new", "main"])

    def test_unnamed(self) -> None:
        """Items that the order does not name keep their place before what followed them."""
        self.assertEqual(self.names(["new", "side"], [{"name": "new"}]), ["new", "main", "side"])

    def test_nested(self) -> None:
        """An order inside an item of a list."""
        live = {"containers": [{"name": "a", "env": [{"name": "A"}, {"name": "B"}]}]}
        patch = {"containers": [{"name": "a", "$setElementOrder/env": [{"name": "B"}, {"name": "A"}]}]}
        self.assertEqual(self.patched("spec", live, patch),
                         {"containers": [{"name": "a", "env": [{"name": "B"}, {"name": "A"}]}]})

    def test_new_list(self) -> None:
        """A list that is new is put in order too; an order of nothing does nothing."""
        self.assertEqual(self.patched("metadata", {}, {"$setElementOrder/finalizers": ["b", "a"],
                                                       "finalizers": ["b", "a"]}), {"finalizers": ["b", "a"]})
        self.assertEqual(self.patched("metadata", {}, {"$setElementOrder/finalizers": ["b"]}), {})

    def test_errors(self) -> None:
        """The order must be a list that names all that the patch changes, in the same order."""
        live = {"containers": self.live}
        self.assertEqual(self.error("spec", live, {"$setElementOrder/containers": ["main"]}),
                         (500, "value for key 0 is not a map"))
        self.assertEqual(self.error("spec", live, {"$setElementOrder/containers": "main"}),
                         (500, "expected a []interface {}, but received a string"))
        self.assertEqual(self.error("spec", live, {"$setElementOrder": []}),
                         (400, "invalid patch format of setElementOrder list"))
        self.assertEqual(self.error("spec", live, {"$setElementOrder/containers": [{"name": "main"}],
                                                   "containers": [{"name": "other", "image": "o"}]}),
                         (500, "The order in patch list:\n[map[image:o name:other]]\n doesn't match "
                               "$setElementOrder list:\n[map[name:main]]\n"))


class ListOfScalarsTests(StrategicMergeTestCase):
    """Lists of scalars that merge."""

    def finalizers(self, live: list[Any], **patch: Any) -> Any:
        change = {key.replace("__", "/").replace("_", "$", 1) if key.startswith("_") else key: value
                  for key, value in patch.items()}
        return self.patched("metadata", {"finalizers": live}, change).get("finalizers")

    def test_union(self) -> None:
        """New scalars stand first, each once."""
        self.assertEqual(self.finalizers(["a", "b"], finalizers=["c", "a"]), ["c", "a", "b"])

    def test_delete(self) -> None:
        """``$deleteFromPrimitiveList`` takes scalars out; what is not there is no error."""
        self.assertEqual(self.finalizers(["a", "b"], _deleteFromPrimitiveList__finalizers=["a", "z"]), ["b"])
        self.assertEqual(self.finalizers(["a"], _deleteFromPrimitiveList__finalizers=["a"],
                                         finalizers=["b"]), ["b"])

    def test_order(self) -> None:
        """Deletion, addition and order in one patch, as kubectl sends them."""
        self.assertEqual(self.finalizers(["a", "b", "c"], _setElementOrder__finalizers=["d", "c", "a"],
                                         _deleteFromPrimitiveList__finalizers=["b"], finalizers=["d"]),
                         ["d", "c", "a"])

    def test_bad_directive(self) -> None:
        """A deletion must name its list."""
        self.assertEqual(self.error("metadata", {}, {"$deleteFromPrimitiveList": ["a"]}),
                         (400, "invalid patch format of primitive list"))
