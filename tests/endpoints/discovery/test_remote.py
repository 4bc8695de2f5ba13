"""What other servers tell of their group-versions."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.discovery.remote import STALE, RemoteGroupVersion, from_resource_list, told_versions

_NO_KIND = {"group": "", "version": "", "kind": ""}


def resource(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "singularName": "", "namespaced": True, "kind": "Thing", "verbs": ["get"], **more}


class RemoteTests(SynchronousTestCase):
    def test_unknown(self) -> None:
        """Of a server that does not answer nothing is known but that it should be there."""
        self.assertEqual(RemoteGroupVersion(GroupVersion("g", "v1"), None, STALE).document,
                         {"version": "v1", "freshness": "Stale"})

    def test_aggregated(self) -> None:
        """Kinds are in all places, also where the server has none."""
        told = told_versions({"items": [{"metadata": {"name": "g"}, "versions": [{"version": "v1", "resources": [
            {"resource": "things", "scope": "Cluster", "verbs": ["get"], "subresources": [{"subresource": "x"}]}]}]}]})
        self.assertEqual(told, {GroupVersion("g", "v1"): {"resources": [{
            "resource": "things", "scope": "Cluster", "verbs": ["get"], "singularResource": "",
            "responseKind": _NO_KIND, "subresources": [{"subresource": "x", "responseKind": _NO_KIND}]}]}})

    def test_plain(self) -> None:
        """A plain list says the same, with subresources below their resources."""
        told = from_resource_list([resource("things/status", kind="Thing", verbs=["update"]),
                                   resource("things", shortNames=["t"], categories=[]),
                                   resource("lone/scale", kind="")])
        self.assertEqual(told["resources"], [
            {"resource": "things", "responseKind": {"group": "", "version": "", "kind": "Thing"},
             "scope": "Namespaced", "singularResource": "", "verbs": ["get"], "shortNames": ["t"],
             "subresources": [{"subresource": "status", "responseKind": {"group": "", "version": "", "kind": "Thing"},
                               "verbs": ["update"]}]},
            {"resource": "lone", "responseKind": _NO_KIND, "scope": "Namespaced", "singularResource": "", "verbs": [],
             "subresources": [{"subresource": "scale", "responseKind": _NO_KIND, "verbs": ["get"]}]}])

    def test_not_such_documents(self) -> None:
        """What isn't such a document is refused, with the reason."""
        for document in ({"items": [1]}, {"items": [{"versions": [{}]}]}, {"items": 7}):
            self.assertRaises(ValueError, told_versions, document)
        for resources in ([1], [{}], 7):
            self.assertRaises(ValueError, from_resource_list, resources)
        error = self.assertRaises(ValueError, from_resource_list, [
            resource("things"), resource("things/x", namespaced=False)])
        self.assertEqual(str(error), "parent things (scope: Namespaced) and subresource x (scope: Cluster) scope "
                         "do not match")
