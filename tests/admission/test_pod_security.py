"""PodSecurity: levels and versions, and what each control says."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.admission.plugins import PodSecurity
from kube_twisted.admission.podsecurity.policy import LevelVersion, policy_of
from kube_twisted.admission.podsecurity.standards import violations
from kube_twisted.config import ConfigError, load_config
from kube_twisted.config.pod_security import PodSecuritySettings
from tests.admission.world import AdmissionTestCase, Obj, container, pod

PREFIX = "pod-security.kubernetes.io/"
HARDENED = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}, "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"}}


def hardened(**spec: Any) -> Obj:
    return pod(containers=[container("app", securityContext=dict(HARDENED))], **spec)


def secured(**context: Any) -> Obj:
    return pod(containers=[container("app", securityContext=context)])


class ControlTests(SynchronousTestCase):
    def found(self, obj: Obj, level: str = "baseline", minor: int = 36) -> list[str]:
        return [str(one) for one in violations(LevelVersion(level, minor), obj["metadata"], obj["spec"])]

    def test_harmless_pods(self) -> None:
        """A plain pod satisfies the baseline, a hardened one the restricted level, in every version."""
        for minor in range(40):
            self.assertEqual(self.found(pod(), "baseline", minor), [])
            self.assertEqual(self.found(hardened(), "restricted", minor), [])

    def test_privileged_allows_all(self) -> None:
        """The level "privileged" has no controls."""
        self.assertEqual(self.found(secured(privileged=True), "privileged"), [])

    def test_baseline(self) -> None:
        """Each control of the baseline names what it found and where."""
        probed = container("app", livenessProbe={"httpGet": {"host": "h"}},
                           lifecycle={"preStop": {"tcpSocket": {"host": "g"}}})
        cases: list[tuple[Obj, str]] = [
            (secured(capabilities={"add": ["SYS_ADMIN", "CHOWN"]}),
             'non-default capabilities (container "app" must not include "SYS_ADMIN" in '
             "securityContext.capabilities.add)"),
            (pod(hostNetwork=True, hostIPC=True), "host namespaces (hostNetwork=true, hostIPC=true)"),
            (pod(volumes=[{"name": "v", "hostPath": {"path": "/"}}]), 'hostPath volumes (volume "v")'),
            (pod(containers=[container("a", ports=[{"hostPort": 80}]), container("b", ports=[{"hostPort": 443}])]),
             'hostPort (containers "a", "b" use hostPorts 443, 80)'),
            (pod(containers=[probed]),
             'probe or lifecycle host (container "app" uses probe or lifecycle hosts "g", "h")'),
            (secured(privileged=True),
             'privileged (container "app" must not set securityContext.privileged=true)'),
            (secured(procMount="Unmasked"),
             'procMount (container "app" must not set securityContext.procMount to "Unmasked")'),
            (pod(securityContext={"sysctls": [{"name": "kernel.msgmax"}]}), "forbidden sysctls (kernel.msgmax)"),
            (pod(securityContext={"windowsOptions": {"hostProcess": True}}),
             "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)"),
            (secured(seccompProfile={"type": "Unconfined"}),
             'seccompProfile (container "app" must not set securityContext.seccompProfile.type to "Unconfined")'),
            (secured(appArmorProfile={"type": "Unconfined"}),
             'forbidden AppArmor profile (container "app" must not set AppArmor profile type to "Unconfined")'),
            (pod(securityContext={"seLinuxOptions": {"type": "spc_t", "user": "u", "role": "r"}}),
             'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; '
             "role may not be set)"),
        ]
        for obj, text in cases:
            with self.subTest(text):
                self.assertEqual(self.found(obj), [text])

    def test_restricted(self) -> None:
        """A plain pod violates what the restricted level asks for, in the original's order."""
        self.assertEqual(self.found(pod(volumes=[{"name": "n", "nfs": {}}]), "restricted"), [
            'allowPrivilegeEscalation != false (container "app" must set '
            "securityContext.allowPrivilegeEscalation=false)",
            'unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"])',
            'restricted volume types (volume "n" uses restricted volume type "nfs")',
            'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)',
            'seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" '
            'or "Localhost")'])

    def test_explicit_settings(self) -> None:
        """What is set wrongly is told apart from what is not set."""
        bad = container("app", securityContext={
            **HARDENED, "capabilities": {"drop": ["ALL"], "add": ["CHOWN"]}, "runAsNonRoot": False, "runAsUser": 0,
            "seccompProfile": {"type": "Unconfined"}})
        self.assertEqual(self.found(pod(containers=[bad], securityContext={"runAsUser": 0}), "restricted"), [
            'unrestricted capabilities (container "app" must not include "CHOWN" in securityContext.capabilities.add)',
            'runAsNonRoot != true (container "app" must not set securityContext.runAsNonRoot=false)',
            'runAsUser=0 (pod and container "app" must not set runAsUser=0)',
            'seccompProfile (container "app" must not set securityContext.seccompProfile.type to "Unconfined")'])

    def test_pinned_versions(self) -> None:
        """A version has the controls of its time."""
        self.assertEqual(len(self.found(pod(), "restricted", 0)), 1)
        self.assertEqual(len(self.found(pod(), "restricted", 8)), 2)
        self.assertEqual(len(self.found(pod(), "restricted", 19)), 3)
        self.assertEqual(len(self.found(pod(), "restricted", 22)), 4)
        reserved = pod(securityContext={"sysctls": [{"name": "net.ipv4.ip_local_reserved_ports"}]})
        self.assertEqual([len(self.found(reserved, "baseline", minor)) for minor in (26, 27)], [1, 0])
        engine = pod(securityContext={"seLinuxOptions": {"type": "container_engine_t"}})
        self.assertEqual([len(self.found(engine, "baseline", minor)) for minor in (30, 31)], [1, 0])
        annotated = pod()
        annotated["metadata"]["annotations"] = {"seccomp.security.alpha.kubernetes.io/pod": "unconfined"}
        self.assertEqual(self.found(annotated, "baseline", 18), [
            'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")'])
        self.assertEqual(self.found(annotated, "baseline", 19), [])

    def test_user_namespaces(self) -> None:
        """Since 1.35 a pod in its own user namespace may run as root in it."""
        rooted = pod(containers=[container("app", securityContext={**HARDENED, "runAsNonRoot": False})],
                     hostUsers=False)
        self.assertEqual([len(self.found(rooted, "restricted", minor)) for minor in (34, 35)], [1, 0])

    def test_windows(self) -> None:
        """Since 1.25 pods for Windows needn't say what makes no sense there."""
        windows = pod(os={"name": "windows"}, securityContext={"runAsNonRoot": True})
        self.assertEqual([len(self.found(windows, "restricted", minor)) for minor in (24, 25)], [3, 0])


class PolicyTests(SynchronousTestCase):
    def test_labels(self) -> None:
        """Each mode has its level and version; warnings follow what is enforced unless they have their own level."""
        policy, failures = policy_of({PREFIX + "enforce": "baseline", PREFIX + "enforce-version": "v1.25"})
        self.assertEqual((str(policy.enforce), str(policy.warn), str(policy.audit), failures),
                         ("baseline:v1.25", "baseline:v1.25", "privileged:latest", []))
        policy, _ = policy_of({PREFIX + "enforce": "baseline", PREFIX + "warn": "privileged"})
        self.assertEqual(str(policy.warn), "privileged:latest")
        policy, _ = policy_of({PREFIX + "enforce": "restricted", PREFIX + "warn-version": "v1.3"})
        self.assertEqual(str(policy.warn), "restricted:v1.3")

    def test_bad_labels(self) -> None:
        """A bad level is enforced as the strictest, but not warned about."""
        policy, failures = policy_of({PREFIX + "enforce": "strict", PREFIX + "warn": "loud",
                                      PREFIX + "audit-version": "1.2"})
        self.assertEqual((policy.enforce.level, policy.warn.level), ("restricted", "privileged"))
        self.assertEqual(list(map(str, failures)), [
            f'metadata.labels[{PREFIX}enforce]: Invalid value: "strict": must be one of privileged, baseline, '
            "restricted",
            f'metadata.labels[{PREFIX}audit-version]: Invalid value: "1.2": must be "latest" or "v1.x"',
            f'metadata.labels[{PREFIX}warn]: Invalid value: "loud": must be one of privileged, baseline, restricted'])


class PluginTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = PodSecurity(self.world, PodSecuritySettings())

    def namespace(self, **levels: str) -> Obj:
        obj = {"metadata": {"name": "ns", "labels": {PREFIX + mode.replace("_", "-"): level
                                                     for mode, level in levels.items()}}}
        self.world.add("", "namespaces", obj)
        return obj

    def test_enforced(self) -> None:
        """A pod that violates what is enforced is refused, without warnings; the audit log is told."""
        self.namespace(enforce="baseline", audit="baseline")
        error = self.refusal(self.plugin.validate, self.write(pod(hostPID=True)))
        self.assertEqual(error.message, 'pods "p" is forbidden: violates PodSecurity "baseline:latest": '
                                        "host namespaces (hostPID=true)")
        self.assertEqual(self.warnings, [])
        self.assertEqual(self.annotations, {
            PREFIX + "enforce-policy": "baseline:latest",
            PREFIX + "audit-violations": 'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)'})

    def test_warned(self) -> None:
        """What is only warned about is let through; of templates all is only warned about."""
        self.namespace(enforce="baseline", warn="restricted", warn_version="v1.0")
        self.validate(self.plugin, self.write(pod()))
        text = ('would violate PodSecurity "restricted:v1.0": runAsNonRoot != true (pod or container "app" must set '
                "securityContext.runAsNonRoot=true)")
        self.assertEqual(self.warnings, [text])
        deployment = {"metadata": {"name": "d"}, "spec": {"template": pod(hostPID=True)}}
        self.validate(self.plugin, self.write(deployment, "deployments", group="apps"))
        self.assertEqual(self.warnings[1:], [text.replace(": runAs", ": host namespaces (hostPID=true), runAs")])
        cron_job = {"metadata": {"name": "c"}, "spec": {"jobTemplate": {"spec": {"template": pod()}}}}
        self.validate(self.plugin, self.write(cron_job, "cronjobs", group="batch"))
        self.assertEqual(self.warnings[2:], [text])

    def test_updates(self) -> None:
        """A pod that is there stays until its images change or a container is added."""
        self.namespace(enforce="restricted")
        old = pod()
        self.validate(self.plugin, self.write(pod(activeDeadlineSeconds=3), old=old))
        self.refusal(self.plugin.validate, self.write(pod(containers=[container("app", image="new")]), old=old))
        debugged = pod(ephemeralContainers=[container("debug")])
        self.refusal(self.plugin.validate, self.write(debugged, old=old, subresource="ephemeralcontainers"))

    def test_labels_of_namespaces(self) -> None:
        """A namespace with bad labels is invalid, unless it had them before."""
        bad = self.namespace(enforce="strict")
        attributes = self.write(bad, "namespaces", namespace="ns")
        self.assertIn("must be one of privileged, baseline, restricted",
                      self.refusal(self.plugin.validate, attributes, 422).message)
        self.validate(self.plugin, self.write(bad, "namespaces", old=bad))

    def test_existing_pods(self) -> None:
        """When a stricter level is enforced, the user is told which pods would not be allowed, by reason."""
        old = self.namespace()
        for name, spec in (("a", {}), ("b", {}), ("c", {"hostPID": True}), ("d", {}), ("e", {"hostPID": True})):
            self.world.add("", "pods", {**pod(**spec), "metadata": {"name": name, "namespace": "ns"}})
        self.world.add("", "pods", {**hardened(), "metadata": {"name": "fine", "namespace": "ns"}})
        new = self.namespace(enforce="restricted", enforce_version="v1.0")
        self.validate(self.plugin, self.write(new, "namespaces", old=old))
        self.assertEqual(self.warnings, [
            'existing pods in namespace "ns" violate the new PodSecurity enforce level "restricted:v1.0"',
            "a (and 2 other pods): runAsNonRoot != true",
            "c (and 1 other pod): host namespaces, runAsNonRoot != true"])
        self.validate(self.plugin, self.write(old, "namespaces", old=new))
        self.assertEqual(len(self.warnings), 3)

    # -- settings -------------------------------------------------------------------------------------------------

    def configured(self, **settings: Any) -> PodSecurity:
        """The plugin with settings by dotted key."""
        keys = {"admission.podSecurity." + key.replace("__", "."): value for key, value in settings.items()}
        return PodSecurity(self.world, load_config(None, keys).admission.pod_security)

    def test_defaults(self) -> None:
        """What the settings say applies where the labels of a namespace don't say otherwise."""
        plugin = self.configured(defaults__enforce="baseline", defaults__enforceVersion="v1.20",
                                 defaults__warn="restricted", defaults__warnVersion="v1.0")
        error = self.refusal(plugin.validate, self.write(pod(hostPID=True)))
        self.assertIn('violates PodSecurity "baseline:v1.20"', error.message)
        self.validate(plugin, self.write(pod()))
        self.assertIn('would violate PodSecurity "restricted:v1.0"', self.warnings[0])
        self.namespace(enforce="privileged", warn_version="latest")
        self.validate(plugin, self.write(pod(hostPID=True)))
        self.assertIn('would violate PodSecurity "restricted:latest"', self.warnings[1])

    def test_exemptions(self) -> None:
        """Pods of exempt users, namespaces and RuntimeClasses are let through in silence; the audit log is told."""
        self.namespace(enforce="restricted", warn="restricted")
        exempt = {"user": self.configured(exemptions__usernames=["jane"]),
                  "namespace": self.configured(exemptions__namespaces=["ns"]),
                  "runtimeClass": self.configured(exemptions__runtimeClasses=["vm"])}
        bad = pod(hostPID=True, runtimeClassName="vm")
        deployment = {"metadata": {"name": "d"}, "spec": {"template": bad}}
        for reason, plugin in exempt.items():
            for attributes in (self.write(bad), self.write(deployment, "deployments", group="apps")):
                self.annotations.clear()
                self.validate(plugin, attributes)
                self.assertEqual(self.annotations, {PREFIX + "exempt": reason})
        self.assertEqual(self.warnings, [])
        self.refusal(exempt["user"].validate, self.write(bad, user="joe"))
        self.refusal(exempt["namespace"].validate, self.write(bad, namespace="other"), 500)
        self.refusal(exempt["runtimeClass"].validate, self.write(pod(hostPID=True)))

    def test_labels_of_exempt_namespaces(self) -> None:
        """They are without effect, and the user is told so; pods of an exempt RuntimeClass are not told about."""
        plugin = self.configured(exemptions__namespaces=["ns"], exemptions__runtimeClasses=["vm"])
        old = self.namespace()
        new = self.namespace(enforce="baseline", enforce_version="v1.25", audit="restricted")
        text = ('namespace "ns" is exempt from Pod Security, and the policy (enforce=baseline:v1.25, '
                "audit=restricted:latest) will be ignored")
        self.validate(plugin, self.write(new, "namespaces"))
        self.validate(plugin, self.write(new, "namespaces", old=old))
        self.validate(plugin, self.write(old, "namespaces"))
        self.assertEqual(self.warnings, [text, text])
        self.world.add("", "pods", pod(hostPID=True, runtimeClassName="vm"))
        self.validate(self.configured(exemptions__runtimeClasses=["vm"]), self.write(new, "namespaces", old=old))
        self.assertEqual(len(self.warnings), 2)

    def test_bad_settings(self) -> None:
        """A wrong level, version or list of names is a configuration error that names the setting."""
        for key, value in (("defaults__enforce", "strict"), ("defaults__warnVersion", "1.2"),
                           ("exemptions__usernames", [""]), ("exemptions__namespaces", ["a", "a"])):
            with self.assertRaisesRegex(ConfigError, "admission.podSecurity." + key.replace("__", "[.]")):
                self.configured(**{key: value})
