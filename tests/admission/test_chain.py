"""The order of plugins, which of them look at a write, and the chain of a configuration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred
from zope.interface import implementer
from zope.interface.verify import verifyObject

from kube_twisted.admission import plugins
from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.admission.interfaces import IMutation, IValidation
from kube_twisted.admission.order import PluginParts, build_chain
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import PODS
from kube_twisted.authorization.interfaces import Decision
from kube_twisted.config import ConfigError, load_config
from kube_twisted.config.admission import ON_BY_DEFAULT, PLUGINS
from tests.admission.world import AdmissionTestCase, pod


@implementer(IMutation, IValidation)
class Noted(Plugin):
    """Says when it is asked."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self._log = log

    async def admit(self, attributes: Attributes) -> None:
        self._log.append(f"{self.name} admits")

    async def validate(self, attributes: Attributes) -> None:
        self._log.append(f"{self.name} validates")


class PodsOnly(Noted):
    operations = ("CREATE",)
    resources = frozenset({PODS})


@implementer(IMutation)
class Slow(Plugin):
    """Takes a second, and lets nobody delete."""

    operations = ("CREATE", "DELETE")

    def __init__(self, name: str, wait: Callable[[float], None]) -> None:
        self.name = name
        self._wait = wait

    async def admit(self, attributes: Attributes) -> None:
        self._wait(1.0)
        if attributes.operation == "DELETE":
            raise forbidden(attributes, "no")


class AllowAll:
    async def authorize(self, attributes: Any) -> Decision:
        return Decision(True)


class ChainTests(AdmissionTestCase):
    def run_chain(self, chain: AdmissionChain, attributes: Attributes) -> None:
        self.successResultOf(Deferred.fromCoroutine(chain.admit(attributes)))
        self.successResultOf(Deferred.fromCoroutine(chain.validate(attributes)))

    def test_asks_in_order(self) -> None:
        """All mutations come before all validations, each in the order of the plugins."""
        log: list[str] = []
        self.run_chain(AdmissionChain([Noted("a", log), Noted("b", log)], self.clock), self.write(pod()))
        self.assertEqual(log, ["a admits", "b admits", "a validates", "b validates"])

    def test_asks_only_whom_it_concerns(self) -> None:
        """Plugins are left out of operations, resources and subresources that they don't look at."""
        log: list[str] = []
        chain = AdmissionChain([PodsOnly("pods", log)], self.clock)
        self.run_chain(chain, self.write(pod(), "services"))
        self.run_chain(chain, self.write(pod(), old=pod()))
        self.run_chain(chain, self.write(pod(), subresource="binding"))
        self.assertEqual(log, [])
        self.run_chain(chain, self.write(pod()))
        self.assertEqual(log, ["pods admits", "pods validates"])


    def test_times(self) -> None:
        """What each plugin and each step took is known, by operation and by whether the write was rejected."""
        chain = AdmissionChain([Slow("a", self.time.advance), Slow("b", self.time.advance)], self.clock)
        self.run_chain(chain, self.write(pod()))
        self.refusal(chain.admit, self.write(None, old=pod("wrong"), operation="DELETE"))
        self.run_chain(chain, self.write(pod(), "nodes"))
        self.assertEqual({labels: (sum(one.counts), one.total) for labels, one in chain.times.plugins()
                          if one.total}, {
            ("a", "admit", "CREATE", "false"): (2, 2.0), ("b", "admit", "CREATE", "false"): (2, 2.0),
            ("a", "admit", "DELETE", "true"): (1, 1.0)})
        self.assertEqual({labels: (sum(one.counts), one.total) for labels, one in chain.times.steps()
                          if sum(one.counts)}, {
            ("admit", "CREATE", "false"): (2, 4.0), ("validate", "CREATE", "false"): (2, 0.0),
            ("admit", "DELETE", "true"): (1, 1.0)})


class OrderTests(AdmissionTestCase):
    def parts(self) -> PluginParts:
        async def nothing(_: Any) -> Any:
            return None

        return PluginParts(reader=self.world, clock=self.clock, authorizer=AllowAll(), write_quota_status=nothing,
                           create_namespace=nothing, resources_of_kind=lambda kind: [])

    def names(self, *args: Any) -> list[str]:
        return [one.name for one in build_chain(self.parts(), *args).plugins]

    def test_default_chain(self) -> None:
        """Without settings the plugins that are on by default run, quota last."""
        names = self.names()
        self.assertLessEqual(set(names), ON_BY_DEFAULT)
        self.assertEqual(names, sorted(names, key=PLUGINS.index))
        self.assertEqual((names[0], names[-1]), ("NamespaceLifecycle", "ResourceQuota"))

    def test_enabled_and_disabled(self) -> None:
        """Enabled plugins take their place in the order; disabled ones are gone, also those made elsewhere."""
        further = {"MutatingAdmissionWebhook": Noted("MutatingAdmissionWebhook", [])}
        names = self.names(["AlwaysPullImages"], ["Priority"], further)
        self.assertEqual(names.index("AlwaysPullImages"), names.index("TaintNodesByCondition") + 1)
        self.assertNotIn("Priority", names)
        self.assertEqual(names[-2], "MutatingAdmissionWebhook")
        self.assertNotIn("MutatingAdmissionWebhook", self.names([], ["MutatingAdmissionWebhook"], further))

    def test_every_plugin_provides_its_contract(self) -> None:
        """Each plugin has a place in the order and provides mutation, validation or both."""
        chain = build_chain(self.parts(), [name for name in PLUGINS if name not in ON_BY_DEFAULT])
        self.assertEqual({type(one).__name__ for one in chain.plugins}, set(plugins.__all__))
        for one in chain.plugins:
            for contract in (IMutation, IValidation):
                if contract.providedBy(one):
                    verifyObject(contract, one)
            self.assertTrue(IMutation.providedBy(one) or IValidation.providedBy(one), one.name)
            self.assertEqual(one.name, type(one).__name__)

    def test_unknown_plugin_is_a_configuration_error(self) -> None:
        """A name that is no plugin's, or of one the server doesn't have, can't be enabled."""
        for name in ("PodSecurty", "ImagePolicyWebhook"):
            with self.assertRaisesRegex(ConfigError, "admission.enablePlugins"):
                load_config(None, {"admission.enablePlugins": [name]})
        settings = load_config(None, {"admission.disablePlugins": ["ImagePolicyWebhook"]}).admission
        self.assertEqual(settings.disable_plugins, ("ImagePolicyWebhook",))
