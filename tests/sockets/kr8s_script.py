"""Scripts of a kr8s user, run in a process of their own; each prints what it saw as one JSON document.

``python -m tests.sockets.kr8s_script life KUBECONFIG NAMESPACE``
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import kr8s
from kr8s.objects import APIObject, ConfigMap, Deployment, new_class

_PATIENCE = 30
Lease: Any = new_class("Lease", "coordination.k8s.io/v1", asyncio=False)
Widget: Any = new_class("Widget", "example.com/v1", asyncio=False, scalable=True, scalable_spec="size")


class Script:
    """What they need; objects go to the namespace of the test."""

    def __init__(self, kubeconfig: str, namespace: str) -> None:
        self.namespace = namespace
        self.api = kr8s.api(kubeconfig=kubeconfig, namespace=namespace)

    def config_map(self, name: str, labels: dict[str, str] | None = None, **data: str) -> ConfigMap:
        made = ConfigMap({"metadata": {"name": name, "namespace": self.namespace, "labels": labels or {}},
                          "data": data}, api=self.api)
        made.create()
        return made

    def deployment(self, name: str) -> Deployment:
        template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "a", "image": "nginx"}]}}
        made = Deployment({"metadata": {"name": name, "namespace": self.namespace}, "spec": {
            "replicas": 1, "selector": {"matchLabels": {"app": name}}, "template": template}}, api=self.api)
        made.create()
        return made

    # -- scripts -------------------------------------------------------------------------------------------------

    def life(self) -> Any:
        """Make, read, change in every way that there is, delete."""
        made = self.config_map("a", x="1")
        read = ConfigMap.get("a", namespace=self.namespace, api=self.api)
        seen: dict[str, Any] = {"same": read.metadata.uid == made.metadata.uid}
        read.patch({"data": {"y": "1"}})
        read.patch([{"op": "remove", "path": "/data/x"}], type="json")
        read.label({"tier": "web", "zone": "a"})
        read.label("zone-")
        read.annotate(note="mine")
        made.refresh()
        seen |= {"data": made.data, "labels": made.labels, "annotations": made.annotations, "there": made.exists()}
        made.delete()
        seen["gone"] = not made.exists()
        try:
            made.refresh()
        except kr8s.NotFoundError as error:
            seen["error"] = str(error)
        return seen

    def listing(self) -> Any:
        """Choose by labels, by fields, by name; look kinds up."""
        for name, tier in ("a", "web"), ("b", "web"), ("c", "db"):
            self.config_map(name, {"tier": tier})

        def names(*arguments: str, **options: Any) -> list[str]:
            return [one.name for one in self.api.get(*arguments, **options)]

        return {
            "labels": names("configmaps", label_selector={"tier": "web"}),
            "fields": names("cm", field_selector={"metadata.name": "b"}),
            "names": names("configmap", "a", "c"),
            "everywhere": names("configmaps", namespace=kr8s.ALL, label_selector="tier=db"),
            "kinds": [self.api.lookup_kind(kind) for kind in ("deploy", "ingress", "leases.coordination.k8s.io")],
            "who": self.api.whoami(),
            "version": self.api.version()["minor"],
        }

    def errors(self) -> Any:
        """What the server refuses arrives with its status."""
        self.config_map("a")
        return [self._refused(lambda: self.config_map("a")), self._refused(lambda: self.config_map("A")),
                self._refused(lambda: self.deployment("a").patch({"spec": {"selector": {"matchLabels": {"b": "1"}}}}))]

    @staticmethod
    def _refused(action: Callable[[], object]) -> Any:
        try:
            action()
        except kr8s.ServerError as error:
            assert isinstance(error.status, dict)
            return [error.response.status_code if error.response else 0, error.status["reason"]]
        return None

    def watching(self) -> Any:
        """A watch begins with what is there, then tells of what another does."""
        self.config_map("a", {"watched": "yes"})
        seen: list[list[str]] = []
        for kind, one in self.api.watch("configmaps", namespace=self.namespace, label_selector={"watched": "yes"}):
            seen.append([kind, one.name])
            if len(seen) == 1:
                threading.Thread(target=self._changes, args=(one,)).start()
            if kind == "DELETED":
                break
        return seen

    def _changes(self, one: APIObject) -> None:
        one.patch({"data": {"x": "1"}})
        self.config_map("b", {"watched": "yes"})
        one.delete()

    def waiting(self) -> Any:
        """Wait for a condition, a value and a deletion that somebody else brings about; scale."""
        made = self.deployment("a")
        status = {"replicas": 3, "readyReplicas": 3, "conditions": [{"type": "Available", "status": "True"}]}
        other = Deployment.get("a", namespace=self.namespace, api=self.api)
        self._later(lambda: other.patch({"status": status}, subresource="status"))
        made.wait("condition=Available", timeout=_PATIENCE)
        made.wait("jsonpath='{.status.readyReplicas}'=3", timeout=_PATIENCE)
        made.scale(3)
        seen = {"replicas": made.replicas, "ready": made.status.readyReplicas}
        self._later(other.delete)
        made.wait("delete", timeout=_PATIENCE)
        return {**seen, "gone": not made.exists()}

    @staticmethod
    def _later(action: Callable[[], object]) -> None:
        threading.Timer(0.2, action).start()

    def owning(self) -> Any:
        """An owner is written into what it adopts; the time of a Lease survives."""
        owner, child = self.config_map("owner"), self.config_map("child")
        owner.adopt(child)
        child.refresh()
        lease = Lease({"metadata": {"name": "a", "namespace": self.namespace},
                       "spec": {"holderIdentity": "me", "acquireTime": "2026-01-02T03:04:05.000006Z"}}, api=self.api)
        lease.create()
        return {"owners": [one.name for one in child.metadata.ownerReferences], "time": lease.spec.acquireTime}

    def custom(self) -> Any:
        """A custom kind: make, patch, scale, wait for a status that somebody else sets, find, delete."""
        def made(name: str, color: str) -> Any:
            return Widget({"metadata": {"name": name, "namespace": self.namespace}, "spec": {"color": color}},
                          api=self.api)

        one, bad = made("a", "red"), made("b", "pink")
        one.create()
        one.patch({"spec": {"color": "blue"}})
        one.patch({"status": {"phase": "new"}}, subresource="status")  # without a status it can't wait for one
        self._later(lambda: made("a", "red").patch({"status": {
            "phase": "up", "conditions": [{"type": "Ready", "status": "True"}]}}, subresource="status"))
        one.wait("condition=Ready", timeout=_PATIENCE)
        one.patch({"spec": {"size": 3}})
        (found,) = self.api.get("widgets.example.com", namespace=self.namespace)
        seen = {"spec": dict(one.spec), "phase": one.status.phase, "names": [found.name], "kind": found.kind,
                "found": self.api.lookup_kind("wd"), "error": self._refused(bad.create)}
        one.delete()
        one.wait("delete", timeout=_PATIENCE)
        return {**seen, "gone": not one.exists()}


if __name__ == "__main__":
    print(json.dumps(getattr(Script(*sys.argv[2:]), sys.argv[1])()))
