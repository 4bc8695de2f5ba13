"""Which controls make up a level in which version, in the order in which they are reported."""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from kube_twisted.admission.podsecurity import baseline, profiles, restricted
from kube_twisted.admission.podsecurity.baseline import Check, unless_in_user_namespace, unless_windows
from kube_twisted.admission.podsecurity.policy import BASELINE, PRIVILEGED, LevelVersion
from kube_twisted.admission.podsecurity.wording import Obj, Violation

_SYSCTLS_0 = ("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies",
              "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start")
_SYSCTLS_27 = (*_SYSCTLS_0, "net.ipv4.ip_local_reserved_ports")
_SYSCTLS_29 = (*_SYSCTLS_27, "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout",
               "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes")
_SYSCTLS_32 = (*_SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")
_SE_LINUX_0 = ("container_t", "container_init_t", "container_kvm_t")
_SE_LINUX_31 = (*_SE_LINUX_0, "container_engine_t")


@frozen
class _Control:
    """A control.

    :ivar versions: from which minor version on which check is made, oldest first.
    :ivar replaces: the control of the baseline that it makes superfluous.
    """

    id: str
    versions: tuple[tuple[int, Check], ...]
    replaces: str = ""

    def at(self, minor: int) -> Check | None:
        """The check of a version, None when the control wasn't there yet."""
        return next((check for since, check in reversed(self.versions) if since <= minor), None)


_BASELINE = (
    _Control("appArmorProfile", ((0, profiles.app_armor),)),
    _Control("capabilities_baseline", ((0, baseline.capabilities),)),
    _Control("hostNamespaces", ((0, baseline.host_namespaces),)),
    _Control("hostPathVolumes", ((0, baseline.host_path_volumes),)),
    _Control("hostPorts", ((0, baseline.host_ports),)),
    _Control("hostProbesAndHostLifecycle", ((34, baseline.host_probes),)),
    _Control("privileged", ((0, baseline.privileged),)),
    _Control("procMount", ((0, baseline.proc_mount), (35, unless_in_user_namespace(baseline.proc_mount)))),
    _Control("seLinuxOptions", ((0, profiles.se_linux(_SE_LINUX_0)), (31, profiles.se_linux(_SE_LINUX_31)))),
    _Control("seccompProfile_baseline", ((0, profiles.seccomp_annotations), (19, profiles.seccomp))),
    _Control("sysctls", ((0, baseline.sysctls(_SYSCTLS_0)), (27, baseline.sysctls(_SYSCTLS_27)),
                         (29, baseline.sysctls(_SYSCTLS_29)), (32, baseline.sysctls(_SYSCTLS_32)))),
    _Control("windowsHostProcess", ((0, baseline.windows_host_process),)),
)
_RESTRICTED = (
    _Control("allowPrivilegeEscalation", ((8, restricted.privilege_escalation),
                                          (25, unless_windows(restricted.privilege_escalation)))),
    _Control("capabilities_restricted", ((22, restricted.capabilities), (25, unless_windows(restricted.capabilities))),
             "capabilities_baseline"),
    _Control("procMount_restricted", ((35, baseline.proc_mount),), "procMount"),
    _Control("restrictedVolumes", ((0, restricted.volumes),), "hostPathVolumes"),
    _Control("runAsNonRoot", ((0, restricted.run_as_non_root),
                              (35, unless_in_user_namespace(restricted.run_as_non_root)))),
    _Control("runAsUser", ((23, restricted.run_as_user), (35, unless_in_user_namespace(restricted.run_as_user)))),
    _Control("seccompProfile_restricted", ((19, restricted.seccomp), (25, unless_windows(restricted.seccomp))),
             "seccompProfile_baseline"),
)


@lru_cache(maxsize=128)
def _checks(standard: LevelVersion) -> tuple[Check, ...]:
    if standard.level == PRIVILEGED:
        return ()
    added = () if standard.level == BASELINE else tuple(
        (control, check) for control in _RESTRICTED if (check := control.at(standard.minor)) is not None)
    replaced = {control.replaces for control, _ in added}
    kept = tuple(check for control in _BASELINE if control.id not in replaced
                 and (check := control.at(standard.minor)) is not None)
    return kept + tuple(check for _, check in added)


def violations(standard: LevelVersion, meta: Obj, spec: Obj) -> list[Violation]:
    """All that a pod's metadata and spec do that the standard does not allow."""
    found = (check(meta, spec) for check in _checks(standard))
    return [one for one in found if one is not None]
