"""What Pod Security does not look at, and what users of an exempt namespace are told.

Source of the rules: the Kubernetes documentation, "Pod Security Admission", exemptions.
"""

from __future__ import annotations

from collections.abc import Mapping

from kube_twisted.admission.podsecurity.policy import LABEL_PREFIX, PRIVILEGED, Policy


def ignored_policy_warning(namespace: str, policy: Policy, defaults: Policy, labels: Mapping[str, str]) -> str:
    """Says that the labels of an exempt namespace are without effect; empty when they ask for nothing."""
    if policy.is_privileged or policy.is_equivalent_to(defaults):
        return ""
    asked = [f"{mode}={standard}" for mode, standard in (
                 ("enforce", policy.enforce), ("audit", policy.audit), ("warn", policy.warn))
             if standard.level != PRIVILEGED
             and (LABEL_PREFIX + mode in labels or f"{LABEL_PREFIX}{mode}-version" in labels)]
    return (f'namespace "{namespace}" is exempt from Pod Security, and the policy ({", ".join(asked)}) '
            "will be ignored")
