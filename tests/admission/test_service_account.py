"""ServiceAccount: the account of a pod, its token and its secrets."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred

from kube_twisted.admission.plugins import ServiceAccount
from tests.admission.world import AdmissionTestCase, Obj, container, pod

PATH = "/var/run/secrets/kubernetes.io/serviceaccount"


def account(name: str = "default", **fields: Any) -> Obj:
    meta = {"name": name, "namespace": "ns", "annotations": fields.pop("annotations", {})}
    return {"metadata": meta, **fields}


class ServiceAccountTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = ServiceAccount(self.world, self.clock)
        self.world.add("", "serviceaccounts", account())

    def test_default_account_and_token(self) -> None:
        """A pod without an account gets the default one, and its token in every container."""
        spec = self.admit(self.plugin, self.write(pod(initContainers=[container("init")])))["spec"]
        self.assertEqual((spec["serviceAccountName"], spec["serviceAccount"]), ("default", "default"))
        (volume,) = spec["volumes"]
        self.assertRegex(volume["name"], "^kube-api-access-[a-z0-9]{5}$")
        self.assertEqual([next(iter(one)) for one in volume["projected"]["sources"]],
                         ["serviceAccountToken", "configMap", "downwardAPI"])
        mount = {"name": volume["name"], "readOnly": True, "mountPath": PATH}
        self.assertEqual(spec["containers"][0]["volumeMounts"], [mount])
        self.assertEqual(spec["initContainers"][0]["volumeMounts"], [mount])

    def test_own_mount_stays(self) -> None:
        """A container that mounts something at the token's place keeps it; then no volume is needed."""
        own = [{"name": "own", "mountPath": PATH}]
        spec = self.admit(self.plugin, self.write(pod(containers=[container("a", volumeMounts=own)])))["spec"]
        self.assertEqual(spec["containers"][0]["volumeMounts"], own)
        self.assertNotIn("volumes", spec)

    def test_automount(self) -> None:
        """The pod's word on mounting the token goes before the account's."""
        self.world.add("", "serviceaccounts", account(automountServiceAccountToken=False))
        self.assertNotIn("volumes", self.admit(self.plugin, self.write(pod()))["spec"])
        self.assertIn("volumes", self.admit(self.plugin, self.write(pod(automountServiceAccountToken=True)))["spec"])

    def test_pull_secrets(self) -> None:
        """A pod without pull secrets gets those of the account, as its own copy."""
        robot = account("robot", imagePullSecrets=[{"name": "pull"}])
        self.world.add("", "serviceaccounts", robot)
        spec = self.admit(self.plugin, self.write(pod(serviceAccountName="robot")))["spec"]
        self.assertEqual(spec["imagePullSecrets"], [{"name": "pull"}])
        self.assertIsNot(spec["imagePullSecrets"][0], robot["imagePullSecrets"][0])
        spec = self.admit(self.plugin, self.write(pod(serviceAccountName="robot",
                                                      imagePullSecrets=[{"name": "mine"}])))["spec"]
        self.assertEqual(spec["imagePullSecrets"], [{"name": "mine"}])

    def test_missing_account(self) -> None:
        """An account that isn't there is refused at once, one of another server's making is found."""
        attributes = self.write(pod(serviceAccountName="robot"))
        self.assertEqual(self.refusal(self.plugin.admit, attributes).message,
                         'pods "p" is forbidden: error looking up service account ns/robot: '
                         'serviceaccount "robot" not found')
        self.world.add_elsewhere("", "serviceaccounts", account("robot"))
        self.admit(self.plugin, attributes)

    def test_default_account_is_waited_for(self) -> None:
        """A controller makes it after the namespace: a pod that comes too early waits for it, not for ever."""
        self.world.objects.pop(("", "serviceaccounts", "ns", "default"))
        early = Deferred.fromCoroutine(self.plugin.admit(self.write(pod())))
        self.time.advance(0.2)
        self.assertNoResult(early)
        self.world.add("", "serviceaccounts", account())
        self.time.advance(0.2)
        self.successResultOf(early)
        self.world.objects.pop(("", "serviceaccounts", "ns", "default"))
        late = Deferred.fromCoroutine(self.plugin.admit(self.write(pod())))
        self.time.pump([0.2] * 10)
        self.failureResultOf(late)

    def test_mirror_pods(self) -> None:
        """What the kubelet runs by itself is left as it is, and may use nothing of the API's."""
        mirror = pod()
        mirror["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "x"}
        self.assertNotIn("serviceAccountName", self.admit(self.plugin, self.write(mirror))["spec"])
        for spec, problem in (
                ({"serviceAccountName": "robot"}, "reference service accounts"),
                ({"volumes": [{"name": "s", "secret": {"secretName": "s"}}]}, "reference secrets"),
                ({"volumes": [{"name": "t", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]},
                 "use ServiceAccountToken volume projections")):
            with self.subTest(problem):
                bad = {"metadata": mirror["metadata"], "spec": {**mirror["spec"], **spec}}
                self.assertEqual(self.refusal(self.plugin.validate, self.write(bad)).message,
                                 f'pods "p" is forbidden: a mirror pod may not {problem}')

    def test_enforced_secrets(self) -> None:
        """An account may allow only the secrets that it lists, wherever a pod names them."""
        self.world.add("", "serviceaccounts", account(
            secrets=[{"name": "known"}], annotations={"kubernetes.io/enforce-mountable-secrets": "true"}))
        env = [{"name": "V", "valueFrom": {"secretKeyRef": {"name": "other", "key": "k"}}}]
        cases: list[tuple[Obj, str]] = [
            (pod(volumes=[{"name": "s", "secret": {"secretName": "other"}}]),
             'volume with secret.secretName="other" is not allowed'),
            (pod(containers=[container("a", env=env)]),
             'container a with envVar V referencing secret.secretName="other" is not allowed'),
            (pod(initContainers=[container("i", envFrom=[{"secretRef": {"name": "other"}}])]),
             'init container i with envFrom referencing secret.secretName="other" is not allowed'),
            (pod(imagePullSecrets=[{"name": "x"}]), 'imagePullSecrets[0].name="x" is not allowed'),
        ]
        for obj, problem in cases:
            with self.subTest(problem):
                self.assertIn(problem, self.refusal(self.plugin.admit, self.write(obj)).message)
        self.admit(self.plugin, self.write(pod(volumes=[{"name": "s", "secret": {"secretName": "known"}}])))
        debugged = pod(serviceAccountName="default", ephemeralContainers=[container("e", env=env)])
        self.assertIn("ephemeral container e with envVar V", self.refusal(
            self.plugin.validate, self.write(debugged, old=pod(), subresource="ephemeralcontainers")).message)

    def test_updates_are_left_alone(self) -> None:
        """An update gets no account: validation sees that it can't change."""
        self.assertEqual(self.admit(self.plugin, self.write(pod(), old=pod())), pod())
        self.validate(self.plugin, self.write(pod(), old=pod()))
