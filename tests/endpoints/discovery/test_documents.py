"""What discovery says about installed groups, and in which form."""

from __future__ import annotations

import json
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.discovery import DiscoveryDocuments, install_discovery
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion, APIResource
from kube_twisted.endpoints.request import Response
from kube_twisted.server.layer import LayerTree
from tests.endpoints.discovery.fakes import ask, builtin_groups, builtin_priority, headers_of, nothing_there

AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]


class DocumentsTestCase(SynchronousTestCase):
    """Asks a tree on which the built-in groups are installed."""

    def setUp(self) -> None:
        self.tree = LayerTree("front")
        self.groups = builtin_groups()
        for group in self.groups:
            for version in group.versions:
                prefix = f"/apis/{version.group_version}" if group.name else f"/api/{version.group_version}"
                self.tree.mount(prefix, nothing_there)
        self.documents: DiscoveryDocuments = install_discovery(
            self.tree, lambda: self.groups, nothing_there, server_address=lambda: "192.0.2.7:6443",
            priority=builtin_priority)

    def ask(self, path: str, method: str = "GET", **headers: str) -> Response:
        return ask(self.tree, path, method, **headers)

    def read(self, path: str, **headers: str) -> Any:
        response = self.ask(path, **headers)
        self.assertEqual(response.code, 200)
        return json.loads(response.body)


class PlainTests(DocumentsTestCase):
    """Discovery for clients that ask for nothing special."""

    def test_core_versions(self) -> None:
        """/api lists the versions of the core group and where the server is reached."""
        self.assertEqual(self.read("/api"), {
            "kind": "APIVersions", "versions": ["v1"],
            "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": "192.0.2.7:6443"}]})

    def test_groups_by_priority(self) -> None:
        """/apis lists groups in order of priority, the aggregator's own first, without the core group."""
        document = self.read("/apis")
        self.assertEqual((document["kind"], document["apiVersion"]), ("APIGroupList", "v1"))
        names = [group["name"] for group in document["groups"]]
        self.assertEqual(names[:3], ["apiregistration.k8s.io", "apps", "events.k8s.io"])
        self.assertLess(names.index("admissionregistration.k8s.io"), names.index("apiextensions.k8s.io"))
        self.assertNotIn("", names)

    def test_group_with_several_versions(self) -> None:
        """A group's versions stand in order of priority, and the first is the preferred one."""
        self.assertEqual(self.read("/apis/autoscaling"), {
            "kind": "APIGroup", "apiVersion": "v1", "name": "autoscaling",
            "versions": [{"groupVersion": "autoscaling/v2", "version": "v2"},
                         {"groupVersion": "autoscaling/v1", "version": "v1"}],
            "preferredVersion": {"groupVersion": "autoscaling/v2", "version": "v2"}})

    def test_resources(self) -> None:
        """A group-version's document tells names, verbs, and of a subresource the foreign kind."""
        document = self.read("/apis/apps/v1")
        self.assertEqual((document["apiVersion"], document["groupVersion"]), ("v1", "apps/v1"))
        rows = {one["name"]: one for one in document["resources"]}
        self.assertEqual(list(rows), sorted(rows))
        self.assertEqual(rows["deployments"], {
            "name": "deployments", "singularName": "deployment", "namespaced": True, "kind": "Deployment",
            "verbs": ALL_VERBS, "shortNames": ["deploy"], "categories": ["all"],
            "storageVersionHash": "8aSe+NMegvE="})
        self.assertEqual(rows["deployments/scale"], {
            "name": "deployments/scale", "singularName": "", "namespaced": True, "group": "autoscaling",
            "version": "v1", "kind": "Scale", "verbs": ["get", "patch", "update"]})

    def test_core_resources_have_no_api_version(self) -> None:
        """The list at /api/v1 has a kind and no apiVersion."""
        document = self.read("/api/v1")
        self.assertEqual(list(document), ["kind", "groupVersion", "resources"])

    def test_trailing_slash(self) -> None:
        """Every document is also found with a slash behind its path."""
        for path in ("/api", "/apis", "/apis/apps", "/apis/apps/v1", "/api/v1"):
            self.assertEqual(self.ask(path + "/").body, self.ask(path).body, path)

    def test_below_a_group_version(self) -> None:
        """Paths below a group-version go to the group-version, also after its document was read."""
        self.ask("/apis/apps/v1/")
        self.assertEqual(self.ask("/apis/apps/v1/deployments").code, 404)

    def test_yaml(self) -> None:
        """Documents come as YAML to those who accept nothing else."""
        response = self.ask("/apis/apps", accept="application/yaml")
        self.assertEqual(response.content_type, "application/yaml")
        self.assertTrue(response.body.startswith(b"apiVersion: v1\nkind: APIGroup\nname: apps\n"))

    def test_pretty(self) -> None:
        """?pretty=true indents the document."""
        self.assertIn(b'\n  "kind": "APIGroup"', self.ask("/apis/apps?pretty=true").body)

    def test_other_methods(self) -> None:
        """Other methods than GET are refused with 405, HEAD among them; the groups are for all of them."""
        for path in ("/apis", "/apis/apps"):
            self.assertEqual(self.ask(path, "POST").code, 200)
        for path in ("/api", "/apis/apps/v1"):
            for method in ("HEAD", "POST", "OPTIONS", "DELETE"):
                error = self.assertRaises(StatusError, self.ask, path, method)
                self.assertEqual(error.code, 405, (path, method))

    def test_unknown_group(self) -> None:
        """Groups and versions that are not installed are left to the next server."""
        for path in ("/apis/nosuch", "/apis/nosuch/v1", "/apis/apps/v2", "/api/v2"):
            self.assertEqual(self.ask(path).body, b"404 page not found\n", path)

    def test_not_acceptable(self) -> None:
        """A client that accepts no form of a document is told so with 406."""
        error = self.assertRaises(StatusError, self.ask, "/apis/apps/v1", accept=AGGREGATED)
        self.assertEqual((error.code, error.reason), (406, "NotAcceptable"))


class AggregatedTests(DocumentsTestCase):
    """Discovery in one document."""

    def test_core(self) -> None:
        """/api holds the core group alone, without a name, its subresources inside their resources."""
        response = self.ask("/api", accept=AGGREGATED)
        self.assertEqual(response.content_type, AGGREGATED)
        document = json.loads(response.body)
        self.assertEqual((document["kind"], document["apiVersion"]),
                         ("APIGroupDiscoveryList", "apidiscovery.k8s.io/v2"))
        (group,) = document["items"]
        self.assertEqual(group["metadata"], {})
        (version,) = group["versions"]
        self.assertEqual((version["version"], version["freshness"]), ("v1", "Current"))
        rows = {one["resource"]: one for one in version["resources"]}
        self.assertEqual(rows["serviceaccounts"], {
            "resource": "serviceaccounts",
            "responseKind": {"group": "", "version": "", "kind": "ServiceAccount"},
            "scope": "Namespaced", "singularResource": "serviceaccount", "verbs": ALL_VERBS,
            "shortNames": ["sa"],
            "subresources": [{
                "subresource": "token", "verbs": ["create"], "responseKind": {
                    "group": "authentication.k8s.io", "version": "v1", "kind": "TokenRequest"}}]})
        self.assertEqual(rows["nodes"]["scope"], "Cluster")

    def test_named_groups(self) -> None:
        """/apis holds all other groups, in the order of plain discovery."""
        items = self.read("/apis", accept=AGGREGATED)["items"]
        self.assertEqual([one["metadata"]["name"] for one in items],
                         [one["name"] for one in self.read("/apis")["groups"]])

    def test_subresource_without_its_resource(self) -> None:
        """A subresource whose resource is not installed stands in an entry that tells nothing else."""
        scale = APIResource("boxes/scale", "Scale", True, ("get",), {}, group="autoscaling", version="v1")
        version = APIGroupVersion(GroupVersion("x.example", "v1"), {"boxes/scale": scale})
        tree = LayerTree("front")
        install_discovery(tree, lambda: [APIGroup("x.example", [version])], nothing_there,
                          server_address=lambda: "")
        (group,) = json.loads(ask(tree, "/apis", accept=AGGREGATED).body)["items"]
        self.assertEqual(group["versions"][0]["resources"], [{
            "resource": "boxes", "scope": "Namespaced", "singularResource": "", "verbs": [],
            "subresources": [{"subresource": "scale", "verbs": ["get"], "responseKind": {
                "group": "autoscaling", "version": "v1", "kind": "Scale"}}]}])

    def test_entity_tag(self) -> None:
        """Who has the document already is told so with 304; who has another one gets it."""
        headers = headers_of(self.ask("/apis", accept=AGGREGATED))
        self.assertEqual((headers["Vary"], headers["Cache-Control"]), ("Accept", "public"))
        again = self.ask("/apis", accept=AGGREGATED, if_none_match=headers["ETag"])
        self.assertEqual((again.code, again.body, headers_of(again)["ETag"]), (304, b"", headers["ETag"]))
        self.assertEqual(self.ask("/apis", accept=AGGREGATED, if_none_match='"other"').code, 200)

    def test_preferences(self) -> None:
        """The aggregated form wins over plain JSON wherever it stands, and whatever its quality."""
        for accept, kind in (
            (f"{AGGREGATED},application/json", "APIGroupDiscoveryList"),
            (f"application/json, {AGGREGATED}", "APIGroupDiscoveryList"),
            (f"{AGGREGATED};q=0.5,application/json", "APIGroupDiscoveryList"),
            (f"{AGGREGATED.replace('v2', 'v2beta1')},application/json", "APIGroupList"),
            (f"{AGGREGATED.replace('v2', 'v2beta1')},{AGGREGATED},application/json", "APIGroupDiscoveryList"),
            ("*/*", "APIGroupList"),
        ):
            self.assertEqual(self.read("/apis", accept=accept)["kind"], kind, accept)

    def test_unknown_version_alone(self) -> None:
        """A version of the aggregated form that is not there, and nothing else, is 406."""
        error = self.assertRaises(StatusError, self.ask, "/api", accept=AGGREGATED.replace("v2", "v9"))
        self.assertEqual(error.code, 406)

    def test_only_at_the_roots(self) -> None:
        """A single group has no aggregated form: plain JSON, if accepted, answers."""
        self.assertEqual(self.read("/apis/apps", accept=f"{AGGREGATED},application/json")["kind"], "APIGroup")

    def test_yaml(self) -> None:
        """The aggregated document exists in YAML too."""
        response = self.ask("/api", accept=AGGREGATED.replace("json", "yaml"))
        self.assertEqual(response.content_type, AGGREGATED.replace("json", "yaml"))
        self.assertTrue(response.body.startswith(b"apiVersion: apidiscovery.k8s.io/v2\nitems:\n"))


class ChangeTests(DocumentsTestCase):
    """Groups that come and go."""

    def test_invalidate(self) -> None:
        """A new group shows up in all documents, with a new entity tag, once they are invalidated."""
        before = headers_of(self.ask("/apis", accept=AGGREGATED))["ETag"]
        widgets = APIResource("widgets", "Widget", True, ("get", "list"), {}, "widget")
        version = APIGroupVersion(GroupVersion("dd.example.com", "v1"), {"widgets": widgets})
        self.groups.remove(next(group for group in self.groups if group.name == "apps"))
        self.groups.append(APIGroup("dd.example.com", [version]))
        self.documents.invalidate()
        self.assertEqual(self.read("/apis")["groups"][-1]["name"], "dd.example.com")
        self.assertEqual(self.read("/apis/dd.example.com/v1")["resources"][0]["kind"], "Widget")
        self.assertEqual(self.ask("/apis/apps").code, 404)
        self.assertNotEqual(headers_of(self.ask("/apis", accept=AGGREGATED))["ETag"], before)

    def test_rendered_once(self) -> None:
        """Until then the same bytes are served, whatever is installed."""
        first = self.ask("/apis/apps/v1").body
        self.groups.clear()
        self.assertIs(self.ask("/apis/apps/v1").body, first)

    def test_paths(self) -> None:
        """The paths of all documents are known, for the index page."""
        paths = self.documents.paths()
        self.assertEqual({"/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1"} - set(paths), set())
        self.assertEqual([path for path in paths if not path.startswith("/")], [])
