"""Tests of the validation of what stands beside containers and volumes in a pod spec."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.podspec.options import options_for_update
from kube_twisted.registry.podspec.scheduling_labels import merge_label_keys
from tests.registry.podspec.pods import Obj, container, errors_of, pod, spec_errors

SECCOMP = "seccomp.security.alpha.kubernetes.io/pod"
APPARMOR = "container.apparmor.security.beta.kubernetes.io/app"


class SpecTests(SynchronousTestCase):
    """Policies, names and times."""

    def test_policies(self) -> None:
        """Unknown policies are answered with the known ones."""
        self.assertEqual(spec_errors(restartPolicy="Sometimes", dnsPolicy="Nope"), [
            'restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
            'dnsPolicy: Unsupported value: "Nope": supported values: "ClusterFirstWithHostNet", '
            '"ClusterFirst", "Default", "None"'])

    def test_selinux_change(self) -> None:
        """Only a pod that has a policy about SELinux labels already may have any (KEP-1710)."""
        made = pod(securityContext={"seLinuxChangePolicy": "MountOption"})
        self.assertEqual(errors_of(made), ['spec.securityContext.seLinuxChangePolicy: Unsupported value: '
                                           '"MountOption": supported values: "Recursive"'])
        self.assertTrue(options_for_update(made).any_selinux_change)
        self.assertFalse(options_for_update(pod()).any_selinux_change)

    def test_deadline(self) -> None:
        """A deadline is a positive number of seconds."""
        self.assertEqual(spec_errors(activeDeadlineSeconds=0), [
            "activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"])

    def test_names(self) -> None:
        """Names of other objects are checked, those of hosts are labels."""
        for name in ("serviceAccountName", "nodeName", "priorityClassName", "runtimeClassName", "hostname",
                     "subdomain"):
            self.assertEqual([text.partition(": a lower")[0] for text in spec_errors(**{name: "A"})],
                             [f'{name}: Invalid value: "A"'])

    def test_gates(self) -> None:
        """A gated pod is not bound yet; gates have names of their own."""
        self.assertEqual(spec_errors(schedulingGates=[{"name": "a/b"}, {"name": "a/b"}], nodeName="n"), [
            'schedulingGates[1]: Duplicate value: "a/b"',
            "nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"])

    def test_dns(self) -> None:
        """The policy None needs a server; servers are addresses."""
        self.assertEqual(spec_errors(dnsPolicy="None"),
                         ["dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"])
        self.assertEqual(spec_errors(dnsConfig={"nameservers": ["here"], "options": [{}]}), [
            'dnsConfig.nameservers[0]: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or '
            "2001:db8::ffff)", "dnsConfig.options[0]: Required value: must not be empty"])

    def test_host_namespaces(self) -> None:
        """A pod with users of its own shares nothing with the host."""
        self.assertEqual(spec_errors(hostUsers=False, hostPID=True, hostNetwork=True), [
            "hostNetwork: Forbidden: when `hostUsers` is false",
            "HostPID: Forbidden: when `hostUsers` is false"])

    def test_hostname_override(self) -> None:
        """An own host name does not go with the host's network."""
        self.assertEqual(spec_errors(hostnameOverride="a.b", hostNetwork=True),
                         ["hostnameOverride: Forbidden: may not be specified when hostNetwork is true"])

    def test_operating_system(self) -> None:
        """What is Linux's is not for Windows, and the other way round."""
        context = {"windowsOptions": {"runAsUserName": "a"}}
        self.assertEqual(spec_errors(os={"name": "linux"}, securityContext=context), [
            "securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod"])
        self.assertEqual(spec_errors(os={"name": "windows"}, securityContext={"runAsUser": 1}, hostPID=True),
                         [
            "hostPID: Forbidden: cannot be set for a windows pod",
            "securityContext.runAsUser: Forbidden: cannot be set for a windows pod"])
        self.assertEqual(spec_errors(os={"name": "mac"}),
                         ['os: Unsupported value: "mac": supported values: "linux", "windows"'])

    def test_host_process(self) -> None:
        """Windows' HostProcess containers are in the host's network, all of them."""
        special = container(securityContext={"windowsOptions": {"hostProcess": True}})
        self.assertEqual(errors_of(pod(special, container(name="b"))), [
            'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be '
            "HostProcess containers",
            "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any "
            "hostProcess containers"])

    def test_windows_user_names(self) -> None:
        """A user name may have a domain, and no odd characters."""
        def errors(name: str) -> list[str]:
            return [text.partition(": runAsUserName")[2] for text in spec_errors(
                securityContext={"windowsOptions": {"runAsUserName": name}})]

        self.assertEqual(errors(r"DOMAIN\user"), [])
        self.assertEqual(errors("a\\b\\c"), [" cannot contain more than one backslash"])
        self.assertEqual(errors("a*b"),
                         ['\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]'])


class SecurityTests(SynchronousTestCase):
    """Security contexts."""

    def test_identifiers(self) -> None:
        """Users and groups are 31-bit numbers."""
        self.assertEqual(spec_errors(securityContext={"runAsUser": -1, "supplementalGroups": [2**31]}), [
            "securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
            "securityContext.supplementalGroups[0]: Invalid value: 2147483648: must be between 0 and "
            "2147483647, inclusive"])

    def test_privilege_escalation(self) -> None:
        """Who is privileged can't be kept from more; the context is shown in its internal form."""
        found = errors_of(pod(container(securityContext={"privileged": True,
                                                         "allowPrivilegeEscalation": False})))
        self.assertEqual(found, [
            "spec.containers[0].securityContext: Invalid value: "
            '{"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,'
            '"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,'
            '"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}'
            ': cannot set `allowPrivilegeEscalation` to false and `privileged` to true'])

    def test_profiles(self) -> None:
        """A profile of the node's is named, others are not."""
        self.assertEqual(spec_errors(securityContext={"seccompProfile": {"type": "Localhost"}}), [
            "securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type "
            "is Localhost"])
        self.assertEqual(spec_errors(securityContext={"appArmorProfile": {"type": "Odd"}}), [
            'securityContext.appArmorProfile.type: Unsupported value: "Odd": supported values: "Localhost", '
            '"RuntimeDefault", "Unconfined"'])

    def test_annotations_match_fields(self) -> None:
        """An annotation and a field do not say different things."""
        metadata = {"annotations": {SECCOMP: "unconfined"}}
        self.assertEqual(errors_of(pod(metadata=metadata,
                                       securityContext={"seccompProfile": {"type": "RuntimeDefault"}})), [
            "spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must "
            "match"])

    def test_apparmor_annotation(self) -> None:
        """AppArmor's annotation names a container and a known profile."""
        made = pod(metadata={"annotations": {f"{APPARMOR}x": "odd"}})
        self.assertEqual(errors_of(made), [
            f'metadata.annotations[{APPARMOR}x]: Invalid value: "appx": container not found',
            f'metadata.annotations[{APPARMOR}x]: Invalid value: "odd": invalid AppArmor profile name: "odd"'])

    def test_sysctls(self) -> None:
        """Parameters of a namespace that is the host's are not for a pod."""
        sysctls = [{"name": "net.core.somaxconn"}, {"name": "kernel/shmmax"}, {"name": "A"}]
        found = spec_errors(securityContext={"sysctls": sysctls}, hostNetwork=True, hostIPC=True)
        self.assertEqual(found[:2], [
            'securityContext.sysctls[0].name: Invalid value: "net.core.somaxconn": may not be specified when '
            "'hostNetwork' is true",
            'securityContext.sysctls[1].name: Invalid value: "kernel/shmmax": may not be specified when '
            "'hostIPC' is true"])
        self.assertIn("must have at most 253 characters and match regex ^(", found[2])

    def test_unmasked_proc(self) -> None:
        """The whole of /proc is for pods with users of their own."""
        one = container(securityContext={"procMount": "Unmasked"})
        self.assertEqual(spec_errors(containers=[one]), [
            'containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false '
            "to use `Unmasked`"])
        self.assertEqual(spec_errors(containers=[one], hostUsers=False), [])


class SchedulingTests(SynchronousTestCase):
    """Affinity, tolerations and spread."""

    def test_tolerations(self) -> None:
        """Without a key all is tolerated; seconds are for NoExecute."""
        self.assertEqual(spec_errors(tolerations=[{"operator": "Equal", "tolerationSeconds": 1}]), [
            'tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, '
            'which means "match all values and all keys"',
            "tolerations[0].effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` "
            "is set"])
        self.assertEqual(spec_errors(tolerations=[{"key": "a", "operator": "Lt", "effect": "Never"}]), [
            'tolerations[0].operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", '
            '"Gt"',
            'tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", '
            '"PreferNoSchedule", "NoExecute"'])

    def test_node_affinity(self) -> None:
        """Required terms exist; weights go to a hundred."""
        required = {"requiredDuringSchedulingIgnoredDuringExecution": {}}
        self.assertEqual(spec_errors(affinity={"nodeAffinity": required}), [
            "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: "
            "Required value: must have at least one node selector term"])
        preferred: Obj = {"preferredDuringSchedulingIgnoredDuringExecution": [
            {"weight": 101, "preference": {"matchExpressions": [{"key": "a", "operator": "In"}]}}]}
        place = "affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
        self.assertEqual(spec_errors(affinity={"nodeAffinity": preferred}), [
            f"{place}.weight: Invalid value: 101: must be in the range 1-100",
            f"{place}.preference.matchExpressions[0].values: Required value: must be specified when "
            "`operator` is 'In' or 'NotIn'"])

    def test_pod_affinity(self) -> None:
        """A term has a topology key; label keys need a selector."""
        term = {"matchLabelKeys": ["a"]}
        place = "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]"
        rules = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
        found = spec_errors(affinity={"podAffinity": rules})
        self.assertEqual(found[:2], [
            f"{place}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set",
            f"{place}.topologyKey: Required value: can not be empty"])

    def test_spread(self) -> None:
        """Constraints are complete and not repeated."""
        good = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}
        self.assertEqual(spec_errors(topologySpreadConstraints=[good | {"minDomains": 2}, good]), [
            'topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, '
            'ScheduleAnyway}"',
            "topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if "
            "whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"])
        self.assertEqual(spec_errors(topologySpreadConstraints=[{}]), [
            "topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
            "topologySpreadConstraints[0].topologyKey: Required value: can not be empty",
            'topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "": supported values: '
            '"DoNotSchedule", "ScheduleAnyway"'])

    def test_label_keys_are_merged(self) -> None:
        """On creation label keys become expressions with the pod's own values."""
        constraint: Obj = {"labelSelector": {}, "matchLabelKeys": ["hash", "none"]}
        merge_label_keys({"topologySpreadConstraints": [constraint]}, {"hash": "abc"})
        self.assertEqual(constraint["labelSelector"],
                         {"matchExpressions": [{"key": "hash", "operator": "In", "values": ["abc"]}]})
