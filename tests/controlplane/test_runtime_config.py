"""Which groups, versions and resources are served."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.controlplane.resources import Resources, VersionFacts
from kube_twisted.controlplane.runtime_config import APIResourceConfig, check_switches
from kube_twisted.util.starting import StartError
from tests.inprocess import ClusterTestCase


def facts(version: str, default: bool) -> VersionFacts:
    return VersionFacts(GroupVersion.parse(version), default, (1, 1), {})


class SwitchesTests(SynchronousTestCase):
    def enabled(self, version: str, default: bool, **switches: bool) -> bool:
        config = APIResourceConfig({name.replace("_", "/"): on for name, on in switches.items()})
        return config.version_enabled(facts(version, default))

    def test_defaults(self) -> None:
        """Without switches the defaults hold."""
        self.assertEqual([self.enabled("apps/v1", True), self.enabled("apps/v2alpha1", False)], [True, False])

    def test_the_more_particular_wins(self) -> None:
        """A group-version before its stage, its stage before all."""
        self.assertFalse(self.enabled("apps/v1", True, api_all=False))
        self.assertTrue(self.enabled("apps/v1", True, api_all=False, api_ga=True))
        self.assertFalse(self.enabled("apps/v1", True, api_ga=True, apps_v1=False))
        self.assertTrue(self.enabled("apps/v1beta1", False, api_beta=True))
        self.assertFalse(self.enabled("apps/v1alpha1", False, api_beta=True))
        self.assertTrue(self.enabled("apps/v1alpha1", False, api_alpha=True, api_all=False))
        self.assertTrue(self.enabled("v1", True, api_all=False, v1=True))

    def test_resources(self) -> None:
        """Single resources can be switched off."""
        config = APIResourceConfig({"apps/v1/deployments": False})
        version = GroupVersion("apps", "v1")
        enabled = [config.resource_enabled(version, one) for one in ("deployments", "daemonsets")]
        self.assertEqual(enabled, [False, True])


class CheckTests(SynchronousTestCase):
    def test_known(self) -> None:
        """Stages, group-versions and resources can be switched, those that are off by default as well."""
        check_switches({"api/all": True, "api/beta": False, "v1": True, "v1/pods": True, "apps/v1": True,
                        "apps/v1/deployments": False, "internal.apiserver.k8s.io/v1alpha1": True}, Resources.load())

    def test_unknown(self) -> None:
        """A switch of something that does not exist prevents the start."""
        for name in ("apps/v9", "foo/v1", "apps/v1/deploymentz", "api/gamma", ""):
            error = self.assertRaises(StartError, check_switches, {name: True}, Resources.load())
            self.assertEqual(str(error), f"runtimeConfig: {name}: there is no such API version or resource")


class ServedTests(ClusterTestCase):
    """A server with switches."""

    overrides = {"runtimeConfig": {"batch/v1": False, "apps/v1/daemonsets": False, "api/alpha": True}}

    def test_group_version(self) -> None:
        """What is switched off is neither served nor listed; what is switched on is."""
        self.assertEqual(self.send("GET", "/apis/batch/v1/jobs").code, 404)
        groups = {one["name"] for one in self.ask("GET", "/apis")["groups"]}
        self.assertNotIn("batch", groups)
        self.assertIn("internal.apiserver.k8s.io", groups)
        self.assertEqual(self.ask("GET", "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions")["items"], [])

    def test_resource(self) -> None:
        """A resource that is switched off is gone with its subresources; the others of its version stay."""
        self.assertEqual(self.send("GET", "/apis/apps/v1/daemonsets").code, 404)
        names = {one["name"] for one in self.ask("GET", "/apis/apps/v1")["resources"]}
        self.assertFalse({one for one in names if one.startswith("daemonsets")})
        self.assertIn("deployments/scale", names)
