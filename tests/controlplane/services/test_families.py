"""IP families and their policy: what is filled in, and what is refused (KEP-563)."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.services.families import settle_families

ONE, BOTH, SIX_FIRST = ("IPv4",), ("IPv4", "IPv6"), ("IPv6", "IPv4")
SELECTOR = {"selector": {"a": "b"}}
HEADLESS = {"clusterIP": "None", "clusterIPs": ["None"]}
FOUR = {"clusterIP": "10.0.0.9", "clusterIPs": ["10.0.0.9"]}
DUAL = {"clusterIP": "10.0.0.9", "clusterIPs": ["10.0.0.9", "fd00::9"], "ipFamilies": ["IPv4", "IPv6"]}


def spec(**fields: Any) -> dict[str, Any]:
    return {"type": "ClusterIP", **fields}


class SettleCase(SynchronousTestCase):
    def settled(self, new: dict[str, Any], old: dict[str, Any] | None = None,
                configured: tuple[str, ...] = ONE) -> tuple[str | None, list[str] | None]:
        """Policy and families."""
        self.assertEqual([str(one) for one in settle_families(new, old, configured)], [])
        return new.get("ipFamilyPolicy"), new.get("ipFamilies")

    def errors(self, new: dict[str, Any], old: dict[str, Any] | None = None,
               configured: tuple[str, ...] = ONE) -> list[tuple[str, str]]:
        return [(one.field, one.detail) for one in settle_families(new, old, configured)]


class NewServiceTests(SettleCase):
    def test_defaults(self) -> None:
        """One address of the cluster's first family, however many there are."""
        for configured in (ONE, BOTH, SIX_FIRST):
            self.assertEqual(self.settled(spec(**SELECTOR), None, configured), ("SingleStack", [configured[0]]))

    def test_external_name(self) -> None:
        """Has neither."""
        self.assertEqual(self.settled(spec(type="ExternalName")), (None, None))

    def test_headless_without_selector(self) -> None:
        """Has both families in any cluster, its endpoints are made by hand; with a policy it has what that says."""
        for configured, families in ((ONE, ["IPv4", "IPv6"]), (SIX_FIRST, ["IPv6", "IPv4"])):
            self.assertEqual(self.settled(spec(**HEADLESS), None, configured), ("RequireDualStack", families))
        self.assertEqual(self.settled(spec(**HEADLESS, ipFamilyPolicy="SingleStack")), ("SingleStack", ["IPv4"]))
        self.assertEqual(self.settled(spec(**HEADLESS, ipFamilies=["IPv6"])), ("RequireDualStack", ["IPv6", "IPv4"]))

    def test_headless_with_selector(self) -> None:
        """Is like any other Service."""
        self.assertEqual(self.settled(spec(**HEADLESS, **SELECTOR), None, BOTH), ("SingleStack", ["IPv4"]))

    def test_preference(self) -> None:
        """Two families where there are two."""
        for configured, families in ((ONE, ["IPv4"]), (BOTH, ["IPv4", "IPv6"]), (SIX_FIRST, ["IPv6", "IPv4"])):
            self.assertEqual(self.settled(spec(ipFamilyPolicy="PreferDualStack"), None, configured),
                             ("PreferDualStack", families))
        self.assertEqual(self.settled(spec(ipFamilyPolicy="PreferDualStack", ipFamilies=["IPv6"]), None, BOTH),
                         ("PreferDualStack", ["IPv6", "IPv4"]))

    def test_requirement(self) -> None:
        """Two families, or an error."""
        self.assertEqual(self.settled(spec(ipFamilyPolicy="RequireDualStack"), None, BOTH),
                         ("RequireDualStack", ["IPv4", "IPv6"]))
        self.assertEqual(self.errors(spec(ipFamilyPolicy="RequireDualStack")), [
            ("spec.ipFamilyPolicy", "this cluster is not configured for dual-stack services")])

    def test_from_addresses(self) -> None:
        """Families follow the addresses asked for."""
        six = {"clusterIP": "fd00::9", "clusterIPs": ["fd00::9"]}
        self.assertEqual(self.settled(spec(**six), None, BOTH), ("SingleStack", ["IPv6"]))
        self.assertEqual(self.settled(spec(ipFamilyPolicy="RequireDualStack", **six), None, BOTH),
                         ("RequireDualStack", ["IPv6", "IPv4"]))
        self.assertEqual(self.errors(spec(**six)), [("spec.clusterIPs[0]", "IPv6 is not configured on this cluster")])

    def test_not_configured(self) -> None:
        """Families that the cluster hasn't are refused."""
        self.assertEqual(self.errors(spec(ipFamilies=["IPv6"])), [
            ("spec.ipFamilies[0]", "not configured on this cluster")])

    def test_two_of_a_single_one(self) -> None:
        """Two of anything need another policy."""
        self.assertEqual(self.errors(spec(**DUAL, ipFamilyPolicy="SingleStack"), None, BOTH), [
            ("spec.ipFamilyPolicy",
             f"must be 'RequireDualStack' or 'PreferDualStack' when multiple {what} are specified")
            for what in ("cluster IPs", "IP families")])

    def test_nonsense(self) -> None:
        """What is no address or no family is told before anything is filled in."""
        new = spec(clusterIP="ten", clusterIPs=["ten"])
        self.assertEqual([one[0] for one in self.errors(new)], ["spec.clusterIPs[0]"])
        self.assertNotIn("ipFamilies", new)


class ChangedServiceTests(SettleCase):
    def test_policy_of_before(self) -> None:
        """A policy that an update leaves out stays."""
        old = spec(**DUAL, ipFamilyPolicy="RequireDualStack")
        self.assertEqual(self.settled(spec(**DUAL), old, BOTH), ("RequireDualStack", ["IPv4", "IPv6"]))

    def test_second_family_is_added(self) -> None:
        """By a change of the policy."""
        old = spec(**FOUR, ipFamilies=["IPv4"], ipFamilyPolicy="SingleStack")
        new = {**old, "ipFamilyPolicy": "PreferDualStack"}
        self.assertEqual(self.settled(new, old, BOTH), ("PreferDualStack", ["IPv4", "IPv6"]))

    def test_preference_is_not_revived(self) -> None:
        """A preference that could not be met stays so when the cluster gets a second family."""
        old = spec(**FOUR, ipFamilies=["IPv4"], ipFamilyPolicy="PreferDualStack")
        self.assertEqual(self.settled(dict(old), old, BOTH), ("PreferDualStack", ["IPv4"]))

    def test_second_family_goes(self) -> None:
        """With the policy of a single one; the lists of before are not touched."""
        old = spec(**DUAL, ipFamilyPolicy="PreferDualStack")
        new = {**old, "ipFamilyPolicy": "SingleStack"}
        self.assertEqual(self.settled(new, old, BOTH), ("SingleStack", ["IPv4"]))
        self.assertEqual((new["clusterIPs"], len(old["clusterIPs"])), (["10.0.0.9"], 2))

    def test_taken_out_without_policy(self) -> None:
        """Taking the second of anything out needs the policy to say so."""
        old = spec(**DUAL, ipFamilyPolicy="PreferDualStack")
        self.assertEqual(self.errors({**old, "clusterIPs": ["10.0.0.9"]}, old, BOTH), [
            ("spec.ipFamilyPolicy", "must be 'SingleStack' to release the secondary cluster IP")])
        self.assertEqual(self.errors({**old, "ipFamilies": ["IPv4"]}, old, BOTH), [
            ("spec.ipFamilyPolicy", "must be 'SingleStack' to release the secondary IP family")])
