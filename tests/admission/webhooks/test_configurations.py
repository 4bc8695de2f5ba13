"""Configurations are compiled when they change, not when something is written."""

from __future__ import annotations

from typing import Any

from kube_twisted.admission.webhooks.configurations import Configurations
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.webhooks.target import BadClientConfig
from tests.admission.world import AdmissionTestCase, World, pod

GROUP, RESOURCE = "admissionregistration.k8s.io", "validatingwebhookconfigurations"
BETA = GroupVersionResource("", "v1beta1", "pods"), GroupVersionKind("", "v1beta1", "Pod")


class Relatives:
    """Every resource has a beta version."""

    changed = 0
    found: tuple[Any, ...] = (BETA,)

    def __call__(self, resource: GroupVersionResource, subresource: str) -> Any:
        return self.found


class CountingWorld(World):
    reads = 0

    def peek_all(self, group: str, resource: str, namespace: str = "") -> Any:
        self.reads += 1
        return super().peek_all(group, resource, namespace)


class ConfigurationTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.world: CountingWorld = CountingWorld()
        self.relatives = Relatives()
        self.configurations = Configurations(RESOURCE, self.world, self.relatives, self.target)

    def target(self, config: Any) -> Any:
        if not config:
            raise BadClientConfig("nowhere")
        return config["url"]

    def configure(self, name: str, *hooks: dict[str, Any]) -> None:
        self.world.add(GROUP, RESOURCE, {"metadata": {"name": name}, "webhooks": list(hooks)})

    def hook(self, name: str, versions: tuple[str, ...] = ("v1",), **more: Any) -> dict[str, Any]:
        rule = {"operations": ["*"], "apiGroups": ["*"], "apiVersions": list(versions), "resources": ["*"]}
        return {"name": name, "rules": [rule], "clientConfig": {"url": name}, **more}

    def found(self) -> list[str]:
        return [one.webhook.uid for one in self.configurations.candidates(self.write(pod()))]

    def test_order(self) -> None:
        """By configuration, and in it as they stand; each is somebody, also when names are the same."""
        self.configure("b", self.hook("x"))
        self.configure("a", self.hook("y"), self.hook("x"), self.hook("y"))
        self.assertEqual(self.found(), ["a/y/0", "a/x/0", "a/y/1", "b/x/0"])
        self.assertEqual([one.webhook.index for one in self.configurations.candidates(self.write(pod()))], [0, 1, 2, 3])

    def test_compiled_once(self) -> None:
        """Configurations are read again only after a change."""
        self.configure("a", self.hook("x"))
        for _ in range(3):
            self.found()
        self.assertEqual(self.world.reads, 1)
        self.configure("a", self.hook("z"))
        self.assertEqual(self.found(), ["a/z/0"])
        self.assertEqual(self.world.reads, 2)

    def test_equivalents(self) -> None:
        """Other versions are known as of now; for those who want them."""
        self.configure("a", self.hook("x", ("v1beta1",), matchPolicy="Equivalent"),
                       self.hook("y", ("v1beta1",), matchPolicy="Exact"))
        (candidate,) = self.configurations.candidates(self.write(pod()))
        self.assertEqual((candidate.resource, candidate.kind), BETA)
        self.relatives.found, self.relatives.changed = (), 1
        self.assertEqual(self.found(), [])
        self.assertEqual(self.world.reads, 1)

    def test_settings(self) -> None:
        """What a webhook is compiled to."""
        self.configure("a", self.hook("x", failurePolicy="Ignore", sideEffects="NoneOnDryRun", timeoutSeconds=3,
                                      admissionReviewVersions=["v7", "v1beta1", "v1"],
                                      reinvocationPolicy="IfNeeded"),
                       self.hook("y", clientConfig={}, sideEffects="Some", admissionReviewVersions=["v7"],
                                 objectSelector={"matchExpressions": [{"key": "a", "operator": "Odd"}]}))
        first, second = (one.webhook for one in self.configurations.candidates(self.write(pod())))
        self.assertEqual((first.opens, first.dry_runs, first.timeout, first.review_version, first.reinvocable,
                          first.target), (True, True, 3, "v1beta1", True, "x"))
        self.assertEqual((second.opens, second.dry_runs, second.timeout, second.review_version, second.reinvocable,
                          str(second.target)), (False, False, 10, "", False, "nowhere"))
        self.assertEqual(second.broken, '"Odd" is not a valid label selector operator')

    def test_nothing(self) -> None:
        """Without configurations nobody is asked, and nothing is read again."""
        self.assertEqual(self.found(), [])
        self.assertEqual(self.found(), [])
        self.assertEqual(self.world.reads, 1)

