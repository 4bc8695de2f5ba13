"""Objects that use everything special about the wire format, in the form in which they are stored."""

from __future__ import annotations

from typing import Any

_TIME = "2026-05-01T12:34:56Z"

POD: dict[str, Any] = {
    "kind": "Pod", "apiVersion": "v1",
    "metadata": {
        "name": "web-0", "namespace": "default", "generation": 3, "creationTimestamp": _TIME,
        "labels": {"app": "web", "empty": ""},
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "u",
                             "controller": True, "blockOwnerDeletion": False}],
        "managedFields": [{"manager": "m", "operation": "Update", "apiVersion": "v1", "time": _TIME,
                           "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:containers": {}}}}],
    },
    "spec": {
        "volumes": [{"name": "a", "emptyDir": {"sizeLimit": "1Gi"}}, {"name": "b", "configMap": {
            "name": "c", "defaultMode": 420, "optional": False}}],
        "containers": [{
            "name": "app", "image": "app:1", "command": ["run", ""],
            "ports": [{"containerPort": 8080, "protocol": "TCP"}],
            "env": [{"name": "A", "value": "é✓"},
                    {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
            "resources": {"limits": {"cpu": "100m", "memory": "1Gi"}},
            "livenessProbe": {"httpGet": {"path": "/", "port": "http"}, "periodSeconds": 10},
            "readinessProbe": {"tcpSocket": {"port": 80}, "terminationGracePeriodSeconds": 0},
            "securityContext": {"runAsUser": 0, "privileged": False},
        }],
        "terminationGracePeriodSeconds": 0, "securityContext": {"supplementalGroups": [1, 0, 4294967296]},
        "tolerations": [{"operator": "Exists", "tolerationSeconds": -1}],
    },
    "status": {"phase": "Running", "startTime": _TIME, "conditions": [
        {"type": "Ready", "status": "True", "lastProbeTime": None, "lastTransitionTime": _TIME}]},
}

CUSTOM_RESOURCE_DEFINITION: dict[str, Any] = {
    "kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1", "metadata": {"name": "a.b.c"},
    "spec": {
        "group": "b.c", "names": {"plural": "a", "kind": "A"}, "scope": "Cluster",
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
            "type": "object", "maximum": 1.5, "minimum": -2, "maxLength": 0, "default": {"x": [1, None]},
            "enum": ["a", 1, None], "x-kubernetes-preserve-unknown-fields": False,
            "properties": {
                "list": {"type": "array", "items": {"type": "string"}},
                "open": {"type": "object", "additionalProperties": True},
                "closed": {"type": "object", "additionalProperties": False},
                "typed": {"type": "object", "additionalProperties": {"$ref": "#"}},
            },
            "dependencies": {"p": ["q"], "r": {"type": "string"}},
        }}}],
    },
    "status": {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": None},
}

OBJECTS: list[dict[str, Any]] = [
    POD,
    CUSTOM_RESOURCE_DEFINITION,
    {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s"}, "data": {"empty": "", "key": "AP8="}},
    {"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "d"}, "spec": {
        "replicas": 0, "selector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]},
        "strategy": {"rollingUpdate": {"maxUnavailable": "25%", "maxSurge": 1}}, "template": {}}},
    {"kind": "Lease", "apiVersion": "coordination.k8s.io/v1", "metadata": {"name": "l"}, "spec": {
        "leaseDurationSeconds": 15, "renewTime": "2026-05-01T12:34:56.000789Z"}},
    {"kind": "ControllerRevision", "apiVersion": "apps/v1", "metadata": {"name": "r"},
     "data": {"spec": {"x": [True]}}, "revision": 2},
    {"kind": "PodDisruptionBudget", "apiVersion": "policy/v1", "metadata": {"name": "p"},
     "spec": {"minAvailable": 0}, "status": {"disruptedPods": {"a": _TIME}, "expectedPods": 1}},
    {"kind": "Role", "apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": "r"},
     "rules": [{"verbs": ["get", "*"], "apiGroups": [""], "resources": ["pods"]}]},
    {"kind": "TokenReview", "apiVersion": "authentication.k8s.io/v1", "spec": {"token": "t"},
     "status": {"user": {"username": "u", "extra": {"k": ["a", "b"], "n": ["c"]}}}},
    {"kind": "APIService", "apiVersion": "apiregistration.k8s.io/v1", "metadata": {"name": "v1.a"},
     "spec": {"caBundle": "YWJj", "groupPriorityMinimum": 1, "versionPriority": 2}},
    {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "no", "reason": "Invalid", "code": 422,
     "details": {"name": "x", "causes": [{"reason": "FieldValueInvalid", "field": "spec"}]}},
    {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "v1", "resources": [
        {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list"]}]},
    {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": "7", "remainingItemCount": 0},
     "items": [{"metadata": {"name": "a"}, "data": {"k": "v"}, "immutable": False}, {"metadata": {"name": "b"}}]},
]
