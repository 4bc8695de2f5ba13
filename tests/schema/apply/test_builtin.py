"""Field ownership of real kinds, as a kube-apiserver records it."""

from __future__ import annotations

from typing import Any

from twisted.trial import unittest

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.schema.apply.conflict import ApplyConflict
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import decode
from tests.schema.apply.kinds import LATER, NOW, entries, entry

Object = dict[str, Any]
CONTAINER = {
    "name": "main",
    "image": "registry.example/app:1",
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "imagePullPolicy": "IfNotPresent",
}
OWNED_CONTAINER = {".": {}, **{f"f:{name}": {} for name in sorted(CONTAINER)}}
POD_SPEC = {
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30,
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
}
OWNED_POD_SPEC = {f"f:{name}": {} for name in POD_SPEC}


class BuiltinTests(unittest.SynchronousTestCase):
    """Objects after decoding and defaulting."""

    schema = BuiltinSchema.load()

    def manager(self, api_version: str, kind: str, reset: tuple[tuple[str, ...], ...] = ()) -> FieldManager:
        struct = self.schema.kind(GroupVersion.parse(api_version).kind(kind))
        return FieldManager(struct, api_version, reset_fields=reset, kind=kind)

    def decoded(self, obj: Object) -> Object:
        return decode(self.schema.kind(GroupVersion.parse(obj["apiVersion"]).kind(obj["kind"])), obj)

    def created(self, obj: Object, reset: tuple[tuple[str, ...], ...] = (("status",),)) -> Object:
        new = self.decoded(obj)
        self.manager(obj["apiVersion"], obj["kind"], reset).update(None, new, "a", NOW)
        return new

    def test_deployment(self) -> None:
        """Structs of Go are there by themselves, pointers, maps and lists are not."""
        deployment = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "d"},
            "spec": {
                "replicas": 1,
                "selector": {"matchLabels": {"app": "d"}},
                "template": {
                    "metadata": {"labels": {"app": "d"}},
                    "spec": {"containers": [CONTAINER], **POD_SPEC},
                },
                "strategy": {
                    "type": "RollingUpdate",
                    "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 1},
                },
            },
        }
        owned = {
            "f:replicas": {},
            "f:selector": {},
            "f:strategy": {
                "f:rollingUpdate": {".": {}, "f:maxSurge": {}, "f:maxUnavailable": {}},
                "f:type": {},
            },
            "f:template": {
                "f:metadata": {"f:labels": {".": {}, "f:app": {}}},
                "f:spec": {"f:containers": {'k:{"name":"main"}': OWNED_CONTAINER}, **OWNED_POD_SPEC},
            },
        }
        self.assertEqual(
            entries(self.created(deployment)), [entry("a", {"f:spec": owned}, version="apps/v1")]
        )

    def test_event(self) -> None:
        """Zero values that Go always writes are not owned."""
        event = {
            "apiVersion": "events.k8s.io/v1",
            "kind": "Event",
            "metadata": {"name": "e"},
            "regarding": {"kind": "Pod", "name": "p"},
            "reason": "Scheduled",
            "eventTime": "2026-01-02T03:04:05.000001Z",
        }
        new = self.created(event)
        self.assertIn("deprecatedFirstTimestamp", new)
        self.assertEqual(
            entries(new),
            [
                entry(
                    "a",
                    {f"f:{name}": {} for name in ("eventTime", "reason", "regarding")},
                    version="events.k8s.io/v1",
                )
            ],
        )

    def test_service_ports(self) -> None:
        """A port without a protocol is the TCP port; its owners share the item."""
        manager = self.manager("v1", "Service", (("status",),))
        service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}
        live = manager.apply(None, {**service, "spec": {"ports": [{"port": 80}]}}, "alpha", False, NOW)
        live["spec"]["ports"][0].update(protocol="TCP", targetPort=80)
        live = self.decoded(live)
        ports = [{"port": 80, "protocol": "TCP", "name": "x"}]
        result = manager.apply(live, {**service, "spec": {"ports": ports}}, "beta", False, LATER)
        self.assertEqual(
            result["spec"]["ports"], [{"port": 80, "protocol": "TCP", "targetPort": 80, "name": "x"}]
        )
        key = 'k:{"port":80,"protocol":"TCP"}'
        shared = [one["fieldsV1"]["f:spec"]["f:ports"] for one in entries(result)]
        self.assertEqual(
            shared,
            [
                {key: {".": {}, "f:port": {}}},
                {key: {".": {}, "f:name": {}, "f:port": {}, "f:protocol": {}}},
            ],
        )
        renamed = {**service, "spec": {"ports": [{"port": 80, "name": "y"}]}}
        error = self.assertRaises(ApplyConflict, manager.apply, result, renamed, "alpha", False, LATER)
        self.assertEqual(error.conflicts[0].field, '.spec.ports[port=80,protocol="TCP"].name')

    def test_owner_references(self) -> None:
        """An owner reference is owned as a whole, by its uid."""
        manager = self.manager("v1", "ConfigMap")
        reference = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u-1"}
        patch = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "c", "ownerReferences": [reference]},
        }
        result = manager.apply(None, patch, "a", False, NOW)
        owned = {"f:metadata": {"f:ownerReferences": {'k:{"uid":"u-1"}': {}}}}
        self.assertEqual(entries(result), [entry("a", owned, "Apply")])
