"""kubectl with what the server does for it: apply with field managers, dry runs, chunks, subresources, waiting."""

from __future__ import annotations

import json
from typing import Any

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase

APPLY = ("apply", "--server-side", "--filename", "-")


def config_map(**data: str) -> dict[str, Any]:
    """A whole manifest."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": data}


class FieldManagerTests(KubectlTestCase):
    def owners(self) -> dict[str, list[str]]:
        """Which keys of the data each manager that applies has."""
        found = self.get_json("configmap", "a", "--show-managed-fields")
        return {one["manager"]: sorted(name.removeprefix("f:") for name in one["fieldsV1"]["f:data"] if name != ".")
                for one in found["metadata"]["managedFields"] if one["operation"] == "Apply"}

    def apply_as(self, manager: str, *options: str, **data: str) -> str:
        return self.kubectl(*APPLY, f"--field-manager={manager}", *options, stdin=config_map(**data))

    def test_managers(self) -> None:
        """Each manager owns what it applied; one that leaves a key out gives it up."""
        self.assertEqual(self.apply_as("one", a="1", b="1"), "configmap/a serverside-applied")
        self.apply_as("two", b="1", c="1")
        self.assertEqual(self.owners(), {"one": ["a", "b"], "two": ["b", "c"]})
        self.apply_as("one", a="1")
        self.assertEqual(self.owners(), {"one": ["a"], "two": ["b", "c"]})
        self.apply_as("two", c="1")
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "1", "c": "1"})

    def test_conflicts(self) -> None:
        """All conflicts are told with their owners and what to do about them."""
        self.apply_as("one", a="1")
        self.apply_as("two", b="1", c="1")
        text = self.error(*APPLY, "--field-manager=three", stdin=config_map(a="2", b="2", c="1"))
        self.assertEqual(text.splitlines()[:6], [
            'error: Apply failed with 2 conflicts: conflicts with "one":', "- .data.a",
            'conflicts with "two":', "- .data.b",
            "Please review the fields above--they currently have other managers. Here",
            "are the ways you can resolve this warning:"], text)
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "1", "b": "1", "c": "1"})

    def test_force(self) -> None:
        """Forcing takes what is in conflict from the others, and nothing else."""
        self.apply_as("one", a="1", b="1")
        self.apply_as("two", "--force-conflicts", a="2")
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "2", "b": "1"})
        self.assertEqual(self.owners(), {"one": ["b"], "two": ["a"]})

    def test_updates_own_too(self) -> None:
        """What another client wrote is in conflict with what is applied, and named with its way of writing."""
        self.apply_as("one", a="1")
        self.kubectl("patch", "configmap", "a", "--field-manager=editor", "--patch", '{"data": {"a": "2"}}')
        text = self.error(*APPLY, "--field-manager=one", stdin=config_map(a="1"))
        self.assertIn('conflict with "editor" using v1: .data.a', text)

    def test_managed_fields_are_hidden(self) -> None:
        """Ownership is shown to those who ask."""
        self.apply_as("one", a="1")
        self.assertNotIn("managedFields", self.get_json("configmap", "a")["metadata"])
        self.assertEqual(self.owners(), {"one": ["a"]})

    def test_manifests(self) -> None:
        """Whole applications: applying them again changes nothing."""
        for manifest in ("shop", "database"):
            file = str(MANIFESTS / f"{manifest}.yaml")
            apply = ("apply", "--server-side", "--filename", file)
            first = self.kubectl(*apply).splitlines()
            self.assertTrue(all(line.endswith(" serverside-applied") for line in first), first)
            versions = [one["metadata"]["resourceVersion"] for one in self.get_json("-f", file)["items"]]
            self.assertEqual(self.kubectl(*apply).splitlines(), first)
            again = [one["metadata"]["resourceVersion"] for one in self.get_json("-f", file)["items"]]
            self.assertEqual(again, versions)


class DiffTests(KubectlTestCase):
    def changes(self, *options: str, **data: str) -> list[str]:
        ended = self.run_kubectl(["diff", *options, "-f", "-"], stdin=config_map(**data))
        self.assertIn(ended.returncode, (0, 1), ended.stderr)
        return [line for line in ended.stdout.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]

    def test_server_side(self) -> None:
        """The server's own merge is shown, and nothing is written."""
        self.kubectl(*APPLY, stdin=config_map(a="1", b="1"))
        self.assertEqual(self.changes("--server-side", a="1", b="1"), [])
        self.assertEqual(self.changes("--server-side", a="2"), ['-  a: "1"', '-  b: "1"', '+  a: "2"'])
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "1", "b": "1"})

    def test_not_there(self) -> None:
        """An object that isn't there is all new."""
        self.assertIn('+  a: "1"', self.changes(a="1"))
        self.assertEqual(self.kubectl("get", "configmaps", "--output=name"), "")

    def test_conflict(self) -> None:
        """A diff has conflicts as the apply would."""
        self.kubectl(*APPLY, "--field-manager=one", stdin=config_map(a="1"))
        ended = self.run_kubectl(["diff", "--server-side", "--field-manager=two", "-f", "-"], stdin=config_map(a="2"))
        self.assertGreater(ended.returncode, 1, ended.stdout)
        self.assertIn('conflict with "one": .data.a', ended.stderr)


class LastAppliedTests(KubectlTestCase):
    def applied(self) -> Any:
        return json.loads(self.kubectl("apply", "view-last-applied", "configmap", "a", "--output=json"))

    def test_view(self) -> None:
        """What was applied last, not what others changed since."""
        self.kubectl("apply", "-f", "-", stdin=config_map(a="1"))
        self.kubectl("patch", "configmap", "a", "--patch", '{"data": {"a": "2"}}')
        self.assertEqual(self.applied()["data"], {"a": "1"})

    def test_view_of_none(self) -> None:
        """An object that was never applied on the client's side has none."""
        self.kubectl(*APPLY, stdin=config_map(a="1"))
        self.assertEqual(self.kubectl("apply", "view-last-applied", "configmap", "a"), "")

    def test_edit(self) -> None:
        """The annotation is edited; the object is not."""
        self.kubectl("apply", "-f", "-", stdin=config_map(a="before"))
        editor = {"KUBE_EDITOR": "sed -i s/before/after/"}
        done = self.kubectl("apply", "edit-last-applied", "configmap", "a", environment=editor)
        self.assertEqual(done, "configmap/a edited")
        self.assertEqual(self.applied()["data"], {"a": "after"})
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "before"})

    def test_set(self) -> None:
        """It is set from a file, and made on request."""
        self.config_map("a", a="1")
        set_ = ("apply", "set-last-applied", "-f", "-")
        self.assertIn("no last-applied-configuration annotation found", self.error(*set_, stdin=config_map(a="1")))
        self.kubectl(*set_, "--create-annotation", stdin=config_map(a="1"))
        self.assertEqual(self.applied()["data"], {"a": "1"})
        self.kubectl("apply", "-f", "-", stdin=config_map(b="1"))
        self.assertEqual(self.get_json("configmap", "a")["data"], {"b": "1"})


class DryRunTests(KubectlTestCase):
    def test_apply(self) -> None:
        """The server decides as if it were so, and writes nothing."""
        self.assertEqual(self.kubectl("apply", "--dry-run=server", "-f", "-", stdin=config_map(a="1")),
                         "configmap/a created (server dry run)")
        self.assertEqual(self.kubectl("get", "configmaps", "--output=name"), "")
        made = json.loads(self.kubectl(*APPLY, "--dry-run=server", "--output=json", stdin=config_map(a="1")))
        self.assertTrue(made["metadata"]["uid"])
        self.assertEqual(self.kubectl("get", "configmaps", "--output=name"), "")

    def test_other_verbs(self) -> None:
        """Patches, replacements, deletions."""
        self.config_map("a", a="1")
        before = self.get_json("configmap", "a")
        self.kubectl("patch", "cm", "a", "--dry-run=server", "--patch", '{"data": {"a": "2"}}')
        self.kubectl("replace", "--dry-run=server", "-f", "-", stdin=config_map(b="1"))
        self.assertEqual(self.kubectl("label", "cm", "a", "x=1", "--dry-run=server"),
                         "configmap/a labeled (server dry run)")
        self.assertEqual(self.kubectl("delete", "cm", "a", "--dry-run=server"),
                         f'configmap "a" deleted from {self.namespace} namespace (server dry run)')
        self.assertEqual(self.get_json("configmap", "a"), before)

    def test_refused(self) -> None:
        """What would be refused is refused."""
        bad = {**config_map(), "data": {"a b": "1"}}
        self.assertIn('The ConfigMap "a" is invalid: data[a b]: Invalid value: "a b"',
                      self.error("create", "--dry-run=server", "-f", "-", stdin=bad))


class ValidateTests(KubectlTestCase):
    def misspelt(self) -> dict[str, Any]:
        return {**config_map(a="1"), "dat": {"b": "1"}}

    def test_strict(self) -> None:
        """An unknown field is refused."""
        self.assertIn('unknown field "dat"',
                      self.error("create", "--validate=strict", "-f", "-", stdin=self.misspelt()))
        self.assertIn('unknown field "dat"',
                      self.error("apply", "--validate=strict", "-f", "-", stdin=self.misspelt()))

    def test_warn(self) -> None:
        """Or warned of."""
        ended = self.run_kubectl(["create", "--validate=warn", "-f", "-"], stdin=self.misspelt())
        self.assertEqual((ended.returncode, ended.stdout), (0, "configmap/a created\n"), ended.stderr)
        self.assertIn('Warning: unknown field "dat"', ended.stderr)

    def test_ignore(self) -> None:
        """Or passed over in silence."""
        ended = self.run_kubectl(["create", "--validate=ignore", "-f", "-"], stdin=self.misspelt())
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "configmap/a created\n", ""))
        self.assertNotIn("dat", self.get_json("configmap", "a"))

    def test_duplicate(self) -> None:
        """A key that is there twice is refused as well."""
        text = json.dumps(config_map(x="1")).replace('"x": "1"', '"x": "1", "x": "2"')
        path = f"{self.path}/configmaps?fieldValidation=Strict"
        self.assertIn('duplicate field "data.x"', self.error("create", "--raw", path, "-f", "-", stdin=text))


class ChunkTests(KubectlTestCase):
    def test_get(self) -> None:
        """Seven objects in chunks of two: the requests and the whole."""
        for number in range(7):
            self.config_map(f"a{number}")
        ended = self.run_kubectl(["get", "configmaps", "--chunk-size=2", "--output=name", "-v=6"])
        self.assertEqual(ended.stdout.splitlines(), [f"configmap/a{number}" for number in range(7)])
        self.assertEqual(ended.stderr.count("limit=2"), 4, ended.stderr)
        rows = self.lines("get", "configmaps", "--chunk-size=2", "--no-headers")
        self.assertEqual([row.split()[0] for row in rows], [f"a{number}" for number in range(7)])

    def test_watch(self) -> None:
        """A watch after a list in chunks begins with all of it, and misses nothing."""
        for number in range(5):
            self.config_map(f"a{number}")
        watched = self.watch("get", "configmaps", "--chunk-size=2", "--watch", "--output=name")
        self.assertEqual([watched.next() for _ in range(5)], [f"configmap/a{number}" for number in range(5)])
        self.config_map("b")
        self.assertEqual(watched.next(), "configmap/b")

    def test_delete(self) -> None:
        """All of them are deleted at once."""
        for number in range(5):
            self.config_map(f"a{number}")
        self.kubectl("delete", "configmaps", "--all", "--wait")
        self.assertEqual(self.kubectl("get", "configmaps", "--output=name"), "")


class ReplaceTests(KubectlTestCase):
    def test_version(self) -> None:
        """A replacement with the version that it was made from goes through once."""
        self.config_map("a", a="1")
        read = self.get_json("configmap", "a")
        read["data"] = {"a": "2"}
        self.assertEqual(self.kubectl("replace", "-f", "-", stdin=read), "configmap/a replaced")
        read["data"] = {"a": "3"}
        self.assertIn("Error from server (Conflict): error when replacing",
                      self.error("replace", "-f", "-", stdin=read))
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "2"})

    def test_uid(self) -> None:
        """A replacement of an object that was another then is a conflict."""
        self.config_map("a", a="1")
        read = self.get_json("configmap", "a")
        read["metadata"] = {"name": "a", "uid": "b4d2a7a0-52a6-4d73-8a3f-0d0f4d4f5b6c"}
        self.assertIn("Precondition failed: UID in precondition: ", self.error("replace", "-f", "-", stdin=read))


class SubresourceTests(KubectlTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))

    def patch_status(self, status: dict[str, Any]) -> str:
        return self.kubectl("patch", "deployment", "shop", "--subresource=status", "--type=merge",
                            "--patch", json.dumps({"status": status, "spec": {"replicas": 9}}))

    def test_status(self) -> None:
        """A patch of the status changes nothing else."""
        self.assertEqual(self.patch_status({"replicas": 2, "readyReplicas": 1}), "deployment.apps/shop patched")
        found = self.get_json("deployment", "shop", "--subresource=status")
        self.assertEqual((found["spec"]["replicas"], found["status"]),
                         (2, {"replicas": 2, "readyReplicas": 1}))
        self.assertEqual(found["metadata"]["generation"], 1)
        self.assertRegex(self.lines("get", "deployment", "shop")[1], r"\Ashop 1/2 0 0 \d+s\Z")

    def test_scale(self) -> None:
        """The scale is an object of its own, with columns of its own."""
        header, row = self.lines("get", "deployment", "shop", "--subresource=scale")
        self.assertEqual(header, "NAME DESIRED AVAILABLE AGE")
        self.assertRegex(row, r"\Ashop 2 0 \d+s\Z")
        found = self.get_json("deployment", "shop", "--subresource=scale")
        self.assertEqual((found["apiVersion"], found["kind"], found["spec"]),
                         ("autoscaling/v1", "Scale", {"replicas": 2}))
        self.kubectl("patch", "deployment", "shop", "--subresource=scale", "--type=merge",
                     "--patch", '{"spec": {"replicas": 4}}')
        self.assertEqual(self.get_json("deployment", "shop")["spec"]["replicas"], 4)

    def test_replace_and_apply(self) -> None:
        """The status is replaced, and applied by its manager."""
        read = self.get_json("deployment", "shop")
        read["status"] = {"replicas": 3}
        self.kubectl("replace", "--subresource=status", "-f", "-", stdin=read)
        self.assertEqual(self.get_json("deployment", "shop")["status"], {"replicas": 3})
        status = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "shop"},
                  "status": {"updatedReplicas": 2}}
        self.kubectl(*APPLY, "--subresource=status", "--field-manager=controller", stdin=status)
        self.assertEqual(self.get_json("deployment", "shop")["status"], {"replicas": 3, "updatedReplicas": 2})

    def test_unknown(self) -> None:
        """A subresource that the kind has not."""
        self.assertIn("the server could not find the requested resource",
                      self.error("get", "configmap", "shop", "--subresource=status"))

    def test_wait_for_condition(self) -> None:
        """Waiting ends with the condition, or with the patience."""
        wait = ("wait", "deployment", "shop", "--for=condition=Available")
        self.assertIn("timed out waiting for the condition", self.error(*wait, "--timeout=1s"))
        waiting = self.watch(*wait, "--timeout=30s")
        self.patch_status({"conditions": [{"type": "Available", "status": "True"}]})
        self.assertEqual(waiting.next(), "deployment.apps/shop condition met")

    def test_wait_for_value(self) -> None:
        """For a value at a JSON path, and for a creation."""
        waiting = self.watch("wait", "deployment/shop", "--for=jsonpath={.status.readyReplicas}=2", "--timeout=30s")
        self.patch_status({"replicas": 2, "readyReplicas": 2})
        self.assertEqual(waiting.next(), "deployment.apps/shop condition met")
        created = self.watch("wait", "configmap/b", "--for=create", "--timeout=30s")
        self.config_map("b")
        self.assertEqual(created.next(), "configmap/b condition met")

    def test_wait_for_deletion(self) -> None:
        """A deletion that waits for a finalizer is waited for."""
        self.config_map("b")
        for finalizers in (["example.com/hold"], None):
            self.kubectl("patch", "configmap", "b", "--type=merge",
                         "--patch", json.dumps({"metadata": {"finalizers": finalizers}}))
            if finalizers:
                self.kubectl("delete", "configmap", "b", "--wait=false")
                self.assertIn("timed out waiting", self.error("wait", "cm/b", "--for=delete", "--timeout=1s"))
        self.kubectl("wait", "configmap/b", "--for=delete", "--timeout=30s")
        self.assertIn("NotFound", self.error("get", "configmap", "b"))

    def test_rollout_status(self) -> None:
        """A rollout is done when the status says so."""
        waiting = self.watch("rollout", "status", "deployment/shop", "--timeout=30s")
        self.assertIn("Waiting for deployment", waiting.next())
        self.patch_status({"observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 2,
                           "availableReplicas": 2})
        self.assertEqual(waiting.next(), 'deployment "shop" successfully rolled out')
