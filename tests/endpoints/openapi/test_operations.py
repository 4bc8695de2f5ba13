"""Operations of resources: their paths, names, parameters and bodies."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroupVersion, APIResource
from kube_twisted.endpoints.openapi.operations import Operation
from kube_twisted.endpoints.openapi.paths import OTHERS, group_version_operations
from tests.endpoints.openapi.shared import DEFINITIONS, installed, v2, v3

POD = "/api/v1/namespaces/{namespace}/pods/{name}"
METHODS = ("get", "put", "post", "delete", "patch", "head", "options")


def operation(path: str, method: str = "get", group_version: str = "v1") -> Any:
    return v3(group_version)["paths"][path][method]


def parameters(path: str, method: str = "get", group_version: str = "v1") -> list[str]:
    """The names of the parameters of an operation and of its path."""
    item = v3(group_version)["paths"][path]
    return sorted(one["name"] for one in (*item.get("parameters", ()), *item[method].get("parameters", ())))


class IdentityTests(SynchronousTestCase):
    """Names by which client generators know operations."""

    def test_ids(self) -> None:
        """Verb, group, version, scope, kind and subresource, as the original composes them."""
        for group_version, path, method, expected in (
            ("v1", "/api/v1/", "get", "getCoreV1APIResources"),
            ("v1", POD, "get", "readCoreV1NamespacedPod"),
            ("v1", POD, "put", "replaceCoreV1NamespacedPod"),
            ("v1", POD + "/status", "patch", "patchCoreV1NamespacedPodStatus"),
            ("v1", POD + "/ephemeralcontainers", "get", "readCoreV1NamespacedPodEphemeralcontainers"),
            ("v1", POD + "/exec", "post", "connectCoreV1PostNamespacedPodExec"),
            ("v1", POD + "/proxy/{path}", "head", "connectCoreV1HeadNamespacedPodProxyWithPath"),
            ("v1", "/api/v1/pods", "get", "listCoreV1PodForAllNamespaces"),
            ("v1", "/api/v1/watch/pods", "get", "watchCoreV1PodListForAllNamespaces"),
            ("v1", "/api/v1/watch/namespaces/{namespace}/pods", "get", "watchCoreV1NamespacedPodList"),
            ("v1", "/api/v1/watch/namespaces/{namespace}/pods/{name}", "get", "watchCoreV1NamespacedPod"),
            ("v1", "/api/v1/namespaces/{namespace}/pods", "delete", "deleteCoreV1CollectionNamespacedPod"),
            ("v1", "/api/v1/nodes", "post", "createCoreV1Node"),
            ("apps/v1", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale", "get",
             "readAppsV1NamespacedDeploymentScale"),
            ("rbac.authorization.k8s.io/v1", "/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}",
             "delete", "deleteRbacAuthorizationV1ClusterRole"),
        ):
            self.assertEqual(operation(path, method, group_version)["operationId"], expected)

    def test_tags(self) -> None:
        """The tag is the group, without its common ending, and the version."""
        for group_version, path, tag in (
            ("v1", "/api/v1/nodes", "core_v1"),
            ("rbac.authorization.k8s.io/v1", "/apis/rbac.authorization.k8s.io/v1/roles",
             "rbacAuthorization_v1"),
            ("flowcontrol.apiserver.k8s.io/v1", "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
             "flowcontrolApiserver_v1"),
        ):
            self.assertEqual(operation(path, "get", group_version)["tags"], [tag])

    def test_other_paths(self) -> None:
        """Paths outside of the API have the path as their tag."""
        self.assertEqual(OTHERS["version"].identify(), ("getCodeVersion", "version"))
        self.assertEqual(OTHERS[".well-known/openid-configuration"].identify(),
                         ("getServiceAccountIssuerOpenIDConfiguration", "WellKnown"))

    def test_custom_group(self) -> None:
        """Group names with dots and digits become camel case."""
        one = Operation("get", "/apis/stable2.example.com/v1beta1/crons", "listCron", "", {})
        self.assertEqual(one.identify(), ("listStable2ExampleComV1beta1Cron", "stable2ExampleCom_v1beta1"))

    def test_ids_are_unique(self) -> None:
        """No two operations of a document share an ID."""
        for group_version in ("v1", "apps/v1", "autoscaling/v2"):
            ids = [item[method]["operationId"] for item in v3(group_version)["paths"].values()
                   for method in METHODS if method in item]
            self.assertEqual(len(ids), len(set(ids)))


class PathTests(SynchronousTestCase):
    """Which paths a resource has."""

    def test_verbs_decide(self) -> None:
        """Only what a resource can do is described: reviews are created and nothing else."""
        paths = v3("authentication.k8s.io/v1")["paths"]
        self.assertEqual(list(paths), ["/apis/authentication.k8s.io/v1/",
                                       "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                                       "/apis/authentication.k8s.io/v1/tokenreviews"])
        self.assertEqual(set(paths["/apis/authentication.k8s.io/v1/tokenreviews"]), {"post", "parameters"})

    def test_namespaces_have_no_deletecollection(self) -> None:
        """A missing verb leaves its method out."""
        self.assertEqual(set(v3("v1")["paths"]["/api/v1/namespaces"]), {"get", "post", "parameters"})

    def test_list_without_watch(self) -> None:
        """What can't be watched says so, and has no watch paths."""
        paths = v3("v1")["paths"]
        self.assertEqual(paths["/api/v1/componentstatuses"]["get"]["description"],
                         "list objects of kind ComponentStatus")
        self.assertNotIn("/api/v1/watch/componentstatuses", paths)

    def test_connect(self) -> None:
        """Each method of a connect subresource is one operation; proxies take any path and more methods."""
        paths = v3("v1")["paths"]
        self.assertEqual(set(paths[POD + "/exec"]), {"get", "post", "parameters"})
        self.assertEqual(set(paths[POD + "/proxy/{path}"]), {*METHODS, "parameters"})

    def test_kind_without_a_definition(self) -> None:
        """A resource whose kind has no schema is left out."""
        widget = APIResource("widgets", "Widget", True, ("get", "list"), {}, "widget")
        version = APIGroupVersion(GroupVersion("x.example", "v1"), {"widgets": widget})
        (root,) = group_version_operations(version, DEFINITIONS.name)
        self.assertEqual(root.path, "/apis/x.example/v1/")

    def test_nothing_that_is_not_installed(self) -> None:
        """A document follows the resources, not a list of its own."""
        version = installed("apps/v1")
        del version.resources["deployments/scale"]
        paths = {one.path for one in group_version_operations(version, DEFINITIONS.name)}
        prefix = "/apis/apps/v1/namespaces/{namespace}/deployments/{name}"
        self.assertEqual([path in paths for path in (prefix, prefix + "/scale")], [True, False])


class ContentTests(SynchronousTestCase):
    """What operations take and answer."""

    def test_kind(self) -> None:
        """An operation names the verb and the kind that it is about, a foreign one for some subresources."""
        create = operation("/api/v1/namespaces/{namespace}/pods", "post")
        self.assertEqual(create["x-kubernetes-action"], "post")
        self.assertEqual(create["x-kubernetes-group-version-kind"],
                         {"group": "", "version": "v1", "kind": "Pod"})
        self.assertEqual(operation(POD + "/eviction", "post")["x-kubernetes-group-version-kind"],
                         {"group": "policy", "version": "v1", "kind": "Eviction"})
        self.assertEqual(operation("/api/v1/watch/pods")["x-kubernetes-action"], "watchlist")

    def test_descriptions(self) -> None:
        """Sentences are composed as the original's, articles included."""
        for path, method, expected in (
            ("/api/v1/namespaces/{namespace}/pods", "get", "list or watch objects of kind Pod"),
            ("/api/v1/namespaces/{namespace}/events", "post", "create an Event"),
            ("/api/v1/namespaces/{namespace}/endpoints", "post", "create Endpoints"),
            (POD, "patch", "partially update the specified Pod"),
            (POD + "/log", "get", "read log of the specified Pod"),
            (POD + "/eviction", "post", "create eviction of a Pod"),
            (POD + "/attach", "get", "connect GET requests to attach of Pod"),
        ):
            self.assertEqual(operation(path, method)["description"], expected)

    def test_writes_take_field_validation(self) -> None:
        """kubectl looks for this parameter before it leaves validation to the server."""
        for path, method in (("/api/v1/namespaces/{namespace}/pods", "post"), (POD, "put"), (POD, "patch")):
            self.assertIn("fieldValidation", parameters(path, method))
        self.assertNotIn("fieldValidation", parameters(POD, "get"))
        self.assertIn("force", parameters(POD, "patch"))

    def test_parameters_of_the_path(self) -> None:
        """Parameters that all operations of a path have are told once, in order."""
        item = v3("v1")["paths"][POD]
        self.assertEqual([one["name"] for one in item["parameters"]], ["name", "namespace", "pretty"])
        self.assertEqual(item["parameters"][0], {
            "name": "name", "in": "path", "description": "name of the Pod", "required": True,
            "schema": {"type": "string", "uniqueItems": True}})
        self.assertNotIn("parameters", item["get"])

    def test_delete_collection(self) -> None:
        """It selects like a list, but can't be watched, and takes the options of a deletion."""
        names = set(parameters("/api/v1/namespaces/{namespace}/pods", "delete"))
        self.assertEqual({"labelSelector", "limit", "propagationPolicy", "gracePeriodSeconds"} - names, set())
        self.assertEqual({"watch", "allowWatchBookmarks", "preconditions"} & names, set())

    def test_patch_types(self) -> None:
        """The media types of patches are those of the four kinds of patch."""
        self.assertEqual(list(operation(POD, "patch")["requestBody"]["content"]), [
            "application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json",
            "application/strategic-merge-patch+json"])

    def test_deletion(self) -> None:
        """Deleting a Pod answers with it, deleting a ConfigMap with a Status; a body is optional."""
        for resource, expected in (("pods", "io.k8s.api.core.v1.Pod"),
                                   ("configmaps", "io.k8s.apimachinery.pkg.apis.meta.v1.Status")):
            delete = operation(f"/api/v1/namespaces/{{namespace}}/{resource}/{{name}}", "delete")
            content = delete["responses"]["202"]["content"]["application/json"]
            self.assertEqual(content["schema"], {"$ref": f"#/components/schemas/{expected}"})
            self.assertNotIn("required", delete["requestBody"])

    def test_log(self) -> None:
        """The log is text, and has parameters of its own."""
        content = operation(POD + "/log")["responses"]["200"]["content"]
        self.assertEqual(content["text/plain"], {"schema": {"type": "string"}})
        self.assertIn("tailLines", parameters(POD + "/log"))

    def test_watch_streams(self) -> None:
        """Lists can also be streams."""
        content = operation("/api/v1/pods")["responses"]["200"]["content"]
        self.assertIn("application/json;stream=watch", content)

    def test_all_references_resolve(self) -> None:
        """Every schema that a document refers to is in it."""
        for document, prefix, schemas in (
            (v3("v1"), "#/components/schemas/", v3("v1")["components"]["schemas"]),
            (v2("v1"), "#/definitions/", v2("v1")["definitions"]),
        ):
            missing = [one for one in _references(document)
                       if one.startswith(prefix) and one.removeprefix(prefix) not in schemas]
            self.assertEqual(missing, [])


def _references(document: Any) -> list[str]:
    if isinstance(document, dict):
        own = [document["$ref"]] if isinstance(document.get("$ref"), str) else []
        return own + [one for value in document.values() for one in _references(value)]
    if isinstance(document, list):
        return [one for value in document for one in _references(value)]
    return []


class V2Tests(SynchronousTestCase):
    """The same in OpenAPI v2."""

    def test_shared_parameters(self) -> None:
        """Parameters that many operations have are told once, under the original's names."""
        document = v2("v1")
        self.assertEqual({"namespace-vgWSWtn3", "pretty-tJGM1-ng", "labelSelector-5Zw57w4C", "limit-1NfNmdNH",
                          "watch-XNNPZGbK", "body-2Y1dVQaQ"} - set(document["parameters"]), set())
        self.assertEqual(document["paths"]["/api/v1/pods"]["parameters"][0],
                         {"$ref": "#/parameters/allowWatchBookmarks-HC2hJt-J"})

    def test_parameters_that_clients_look_for(self) -> None:
        """dryRun and fieldValidation stay in the operation, where older kubectls look for them."""
        create = v2("v1")["paths"]["/api/v1/namespaces/{namespace}/pods"]["post"]
        names = [one.get("name") for one in create["parameters"]]
        self.assertEqual(names, ["body", "dryRun", None, "fieldValidation"])

    def test_media_types(self) -> None:
        """Both sides' media types are listed, also for operations without a body."""
        create = v2("v1")["paths"]["/api/v1/namespaces/{namespace}/pods"]["post"]
        self.assertEqual((create["consumes"], create["produces"][0], create["schemes"]),
                         (["*/*"], "application/json", ["https"]))
        self.assertEqual(v2("v1")["paths"]["/api/v1/"]["get"]["consumes"][0], "application/json")
        self.assertEqual(OTHERS["version"].consumes, ("application/json",))

    def test_document(self) -> None:
        """The document says what it is and how to authenticate."""
        document = v2("v1")
        self.assertEqual((document["swagger"], document["info"]), ("2.0", {"title": "Kubernetes",
                                                                         "version": "1.36"}))
        self.assertEqual(document["security"], [{"BearerToken": []}])
        self.assertEqual(document["securityDefinitions"]["BearerToken"]["name"], "authorization")
