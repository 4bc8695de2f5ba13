"""The garbage collector, against a server in the process."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.garbage.controller import GarbageCollector
from kube_twisted.controlplane.controllers.runner import Controllers
from kube_twisted.server.loopback import EventStream
from tests.controlplane.controllers.case import CORE, MERGE, NAMESPACES, ControllerCase

CONFIG_MAPS = f"{NAMESPACES}/default/configmaps"
SECRETS = f"{NAMESPACES}/default/secrets"


def owner(obj: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A reference to an object."""
    return {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "name": obj["metadata"]["name"],
            "uid": obj["metadata"]["uid"], **more}


class GarbageCase(ControllerCase):
    """The server with the garbage collector alone."""

    controllers = ("garbagecollector",)

    def make(self, name: str, *owners: dict[str, Any], path: str = CONFIG_MAPS, **meta: Any) -> dict[str, Any]:
        """An object, with references to owners."""
        return self.ask("POST", path, {"metadata": {"name": name, "ownerReferences": list(owners), **meta}})

    def delete(self, name: str, policy: str = "Background", path: str = CONFIG_MAPS) -> None:
        self.ask("DELETE", f"{path}/{name}", {"propagationPolicy": policy})
        self.cluster.run(0.5)

    def names(self, path: str = CONFIG_MAPS) -> list[str]:
        found = [one["metadata"]["name"] for one in self.ask("GET", path)["items"]]
        return [one for one in found if one != "kubernetes"]

    def meta(self, name: str, path: str = CONFIG_MAPS) -> dict[str, Any]:
        meta: dict[str, Any] = self.ask("GET", f"{path}/{name}")["metadata"]
        return meta


class BackgroundTests(GarbageCase):
    """Owners that are deleted at once."""

    def test_cascade(self) -> None:
        """Dependents go after their owner, and theirs after them."""
        child = self.make("child", owner(self.make("top")))
        self.make("grandchild", owner(child), path=SECRETS)
        self.delete("top")
        self.assertEqual((self.names(), self.names(SECRETS)), ([], []))

    def test_owner_left(self) -> None:
        """A dependent stays while it has an owner; the reference to the one that is gone goes."""
        one, two = self.make("one"), self.make("two")
        self.make("child", owner(one), owner(two))
        self.delete("one")
        self.assertEqual(self.meta("child")["ownerReferences"], [owner(two)])
        self.delete("two")
        self.assertEqual(self.names(), [])

    def test_absent_owner(self) -> None:
        """A dependent of an owner that never was goes."""
        self.make("child", {"apiVersion": "v1", "kind": "ConfigMap", "name": "never", "uid": "0-0"})
        self.cluster.run(0.5)
        self.assertEqual(self.names(), [])

    def test_another_uid(self) -> None:
        """An owner of the same name but another uid is another object."""
        self.make("top")
        self.make("child", {**owner(self.make("other")), "name": "top"})
        self.cluster.run(0.5)
        self.assertEqual(self.names(), ["other", "top"])

    def test_unrelated(self) -> None:
        """Other objects stay."""
        self.make("top")
        self.make("other")
        self.delete("top")
        self.assertEqual(self.names(), ["other"])

    def test_finalizer_of_others(self) -> None:
        """A dependent with a finalizer is deleted, and its own dependents go when it is gone."""
        child = self.make("child", owner(self.make("top")), finalizers=["example.com/hold"])
        self.make("grandchild", owner(child))
        self.delete("top")
        self.assertEqual(self.names(), ["child", "grandchild"])
        self.assertIn("deletionTimestamp", self.meta("child"))
        self.ask("PATCH", f"{CONFIG_MAPS}/child", {"metadata": {"finalizers": None}}, MERGE)
        self.cluster.run(0.5)
        self.assertEqual(self.names(), [])

    def test_unknown_kind(self) -> None:
        """A dependent of an owner of an unknown kind stays: the kind may come yet."""
        self.make("child", {"apiVersion": "example.com/v1", "kind": "Thing", "name": "t", "uid": "0-0"})
        self.cluster.run(5)
        self.assertEqual(self.names(), ["child"])

    def test_workloads(self) -> None:
        """A Deployment takes its ReplicaSets and their Pods with it."""
        pod = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        spec = {"selector": {"matchLabels": {"a": "b"}}, "template": pod}
        apps = "/apis/apps/v1/namespaces/default"
        top = self.ask("POST", f"{apps}/deployments", {"metadata": {"name": "d"}, "spec": spec})
        middle = self.ask("POST", f"{apps}/replicasets", {
            "metadata": {"name": "r", "ownerReferences": [owner(top, controller=True)]}, "spec": spec})
        self.ask("POST", f"{NAMESPACES}/default/serviceaccounts", {"metadata": {"name": "default"}})
        pods = f"{NAMESPACES}/default/pods"
        self.ask("POST", pods, {**pod, "metadata": {
            "name": "p", "labels": {"a": "b"}, "ownerReferences": [owner(middle, controller=True)]}})
        self.delete("d", path=f"{apps}/deployments")
        self.assertEqual((self.names(f"{apps}/replicasets"), self.names(pods)), ([], []))


class ForegroundTests(GarbageCase):
    """Owners that wait for their dependents."""

    def test_dependents_first(self) -> None:
        """The owner stays until its blocking dependents are gone."""
        top = self.make("top")
        self.make("child", owner(top, blockOwnerDeletion=True), finalizers=["example.com/hold"])
        self.delete("top", "Foreground")
        self.assertEqual(self.names(), ["child", "top"])
        self.assertIn("deletionTimestamp", self.meta("child"))
        self.ask("PATCH", f"{CONFIG_MAPS}/child", {"metadata": {"finalizers": None}}, MERGE)
        self.cluster.run(0.5)
        self.assertEqual(self.names(), [])

    def test_not_blocking(self) -> None:
        """It does not wait for a dependent that does not block, though that goes as well."""
        self.make("child", owner(self.make("top")), finalizers=["example.com/hold"])
        self.delete("top", "Foreground")
        self.assertEqual(self.names(), ["child"])
        self.assertIn("deletionTimestamp", self.meta("child"))

    def test_deep(self) -> None:
        """Dependents with dependents are deleted in the foreground themselves: the lowest goes first."""
        middle = self.make("middle", owner(self.make("top"), blockOwnerDeletion=True))
        self.make("low", owner(middle, blockOwnerDeletion=True), finalizers=["example.com/hold"])
        self.delete("top", "Foreground")
        self.assertEqual(self.meta("middle")["finalizers"], ["foregroundDeletion"])
        self.ask("PATCH", f"{CONFIG_MAPS}/low", {"metadata": {"finalizers": None}}, MERGE)
        self.cluster.run(0.5)
        self.assertEqual(self.names(), [])

    def test_circle(self) -> None:
        """Objects that own each other go, too."""
        one = self.make("one")
        two = self.make("two", owner(one, blockOwnerDeletion=True))
        self.ask("PATCH", f"{CONFIG_MAPS}/one", {
            "metadata": {"ownerReferences": [owner(two, blockOwnerDeletion=True)]}}, MERGE)
        self.cluster.run(0.5)
        self.delete("one", "Foreground")
        self.cluster.run(5)
        self.assertEqual(self.names(), [])

    def test_own_owner(self) -> None:
        """An object that owns itself does not wait for itself."""
        one = self.make("one")
        self.ask("PATCH", f"{CONFIG_MAPS}/one", {
            "metadata": {"ownerReferences": [owner(one, blockOwnerDeletion=True)]}}, MERGE)
        self.delete("one", "Foreground")
        self.assertEqual(self.names(), [])

    def test_other_owner(self) -> None:
        """A dependent with another owner stays, and no longer holds the one that waits."""
        one, two = self.make("one"), self.make("two")
        self.make("child", owner(one, blockOwnerDeletion=True), owner(two))
        self.delete("one", "Foreground")
        self.assertEqual(self.names(), ["child", "two"])
        self.assertEqual(self.meta("child")["ownerReferences"], [owner(two)])

    def test_without_dependents(self) -> None:
        """An owner without dependents goes."""
        self.make("top")
        self.delete("top", "Foreground")
        self.assertEqual(self.names(), [])


class OrphanTests(GarbageCase):
    """Owners whose dependents shall stay."""

    def test_set_free(self) -> None:
        """The dependents lose the reference, and the owner goes."""
        top, other = self.make("top"), self.make("other")
        self.make("child", owner(top), owner(other))
        self.make("lonely", owner(top))
        self.delete("top", "Orphan")
        self.assertEqual(self.names(), ["child", "lonely", "other"])
        self.assertEqual(self.meta("child")["ownerReferences"], [owner(other)])
        self.assertNotIn("ownerReferences", self.meta("lonely"))

    def test_other_finalizers(self) -> None:
        """Only the finalizer ``orphan`` is taken away."""
        self.make("top", finalizers=["example.com/hold"])
        self.delete("top", "Orphan")
        self.assertEqual(self.meta("top")["finalizers"], ["example.com/hold"])


class NamespaceRuleTests(GarbageCase):
    """Owners in other namespaces and in none."""

    def test_cluster_owner(self) -> None:
        """An owner of the cluster may have dependents in any namespace."""
        nodes = f"{CORE}/nodes"
        self.make("child", owner(self.make("n", path=nodes)))
        self.cluster.run(0.5)
        self.assertEqual(self.names(), ["child"])
        self.delete("n", path=nodes)
        self.assertEqual(self.names(), [])

    def test_other_namespace(self) -> None:
        """An owner in another namespace is none: the dependent goes, and an Event tells why."""
        top = self.make("top", path=f"{self.namespace('x')}/configmaps")
        self.make("anchor", owner(top), path=f"{NAMESPACES}/x/configmaps")
        self.cluster.run(0.5)
        self.make("child", owner(top))
        self.cluster.run(0.5)
        self.assertEqual(self.names(), [])
        event = self.ask("GET", f"{NAMESPACES}/default/events")["items"][0]
        self.assertEqual((event["reason"], event["type"], event["involvedObject"]["name"]),
                         ("OwnerRefInvalidNamespace", "Warning", "child"))
        self.assertEqual(event["message"], (
            f"ownerRef [v1/ConfigMap, namespace: default, name: top, uid: {top['metadata']['uid']}] "
            'does not exist in namespace "default"'))

    def test_namespaced_owner(self) -> None:
        """An object of the cluster with an owner in a namespace stays for ever."""
        nodes = f"{CORE}/nodes"
        self.make("n", {"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "0-0"}, path=nodes)
        self.cluster.run(5)
        self.assertEqual(self.names(nodes), ["n"])


class LifeTests(GarbageCase):
    """What was before the collector, what comes later, and its end."""

    def test_before(self) -> None:
        """What happened before it started is made up for."""
        self.cluster.result(self.cluster.server._controllers.stop())
        self.make("child", owner(self.make("top")))
        self.make("kept", owner(self.make("other")))
        self.delete("top")
        self.assertEqual(self.names(), ["child", "kept", "other"])
        again = Controllers(("garbagecollector",), self.cluster.client, self.cluster.server.clock, "")
        again.start()
        self.cluster.run(0.5)
        self.assertEqual(self.names(), ["kept", "other"])
        self.cluster.result(again.stop())

    def test_deleted_unseen(self) -> None:
        """An owner whose deletion no watch has told is missed when all is listed anew."""
        self.make("child", owner(self.make("top")))
        self.cluster.run(0.5)
        client = self.cluster.server._controllers._informers._client
        watch, ended = client.watch, self.cluster.clock.seconds() + 1

        async def expired(path: str, stream: EventStream) -> None:
            if self.cluster.clock.seconds() < ended:
                raise StatusError(410, "Expired", "too old resource version")
            await watch(path, stream)

        self.patch(client, "watch", expired)
        self.cluster.server.watches.end_all()
        self.ask("DELETE", f"{CONFIG_MAPS}/top")
        self.cluster.run(3)
        self.assertEqual(self.names(), [])

    def test_light(self) -> None:
        """When all dependents are gone, nothing is remembered of them."""
        collector = self.cluster.server._controllers._controllers[0]
        assert isinstance(collector, GarbageCollector)
        for number in range(5):
            self.make(f"child{number}", owner(self.make(f"top{number}")))
        self.cluster.run(0.5)
        self.assertEqual(len(collector.graph.nodes), 10)
        for number in range(5):
            self.delete(f"top{number}")
        self.assertEqual(collector.graph.nodes, {})

    def test_stop(self) -> None:
        """After its end nothing is collected, and no watch is left open."""
        child = owner(self.make("top"))
        self.make("child", child)
        self.cluster.result(self.cluster.server._controllers.stop())
        self.delete("top")
        self.assertEqual((self.names(), self.cluster.server.watches.running), (["child"], set()))
