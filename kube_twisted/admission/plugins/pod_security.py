"""PodSecurity: pods keep to the Pod Security Standard that their namespace's labels ask for.

Source of the rules: the Kubernetes documentation, "Pod Security Admission" (KEP-2579).
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.podsecurity.exemptions import ignored_policy_warning
from kube_twisted.admission.podsecurity.existing import warnings_about_existing
from kube_twisted.admission.podsecurity.policy import PRIVILEGED, LevelVersion, Policy, minor_of, policy_of
from kube_twisted.admission.podsecurity.standards import violations
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import NAMESPACES, PODS
from kube_twisted.api import errors
from kube_twisted.api.field import to_aggregate
from kube_twisted.api.gvk import GroupResource
from kube_twisted.config.pod_security import PodSecurityDefaults, PodSecuritySettings

Obj = dict[str, Any]

#: Resources with a pod template, and where it is.
_TEMPLATES = {
    GroupResource("", "replicationcontrollers"): ("spec", "template"),
    GroupResource("", "podtemplates"): ("template",),
    GroupResource("apps", "replicasets"): ("spec", "template"),
    GroupResource("apps", "deployments"): ("spec", "template"),
    GroupResource("apps", "statefulsets"): ("spec", "template"),
    GroupResource("apps", "daemonsets"): ("spec", "template"),
    GroupResource("batch", "jobs"): ("spec", "template"),
    GroupResource("batch", "cronjobs"): ("spec", "jobTemplate", "spec", "template"),
}
_ANNOTATION = "pod-security.kubernetes.io/"
_EXEMPT = _ANNOTATION + "exempt"


@implementer(IValidation)
class PodSecurity(Plugin):
    """Refuses pods, warns about pods and templates, and checks the labels of namespaces.

    :param settings: what applies where labels say nothing, and who is exempt.
    """

    name = "PodSecurity"
    resources = frozenset({PODS, NAMESPACES, *_TEMPLATES})
    subresources = ("", "ephemeralcontainers", "resize")

    def __init__(self, reader: ObjectReader, settings: PodSecuritySettings) -> None:
        self._reader = reader
        self._defaults = _default_policy(settings.defaults)
        self._exempt = settings.exemptions

    async def validate(self, attributes: Attributes) -> None:
        resource = attributes.resource.group_resource
        if resource == NAMESPACES:
            self._validate_namespace(attributes)
        elif attributes.subresource and resource != PODS:
            return
        elif attributes.namespace in self._exempt.namespaces:
            attributes.annotate(_EXEMPT, "namespace")
        elif attributes.user.name in self._exempt.usernames:
            attributes.annotate(_EXEMPT, "user")
        elif resource == PODS:
            await self._validate_pod(attributes)
        else:
            await self._warn_about_template(attributes, _TEMPLATES[resource])

    # -- namespaces -----------------------------------------------------------------------------------------------

    def _validate_namespace(self, attributes: Attributes) -> None:
        obj, old = attributes.obj, attributes.old
        if attributes.subresource or obj is None:
            return
        labels = obj["metadata"].get("labels") or {}
        policy, failures = policy_of(labels, self._defaults)
        old_policy, old_failures = policy_of(
            old["metadata"].get("labels"), self._defaults) if old is not None else (None, [])
        if failures and failures != old_failures:
            raise errors.invalid(attributes.kind.group_kind, attributes.name, failures)
        if old_policy is not None and not _is_tighter(policy.enforce, old_policy.enforce):
            return
        if attributes.name in self._exempt.namespaces:
            warning = ignored_policy_warning(attributes.name, policy, self._defaults, labels)
            if warning:
                attributes.add_warning(warning)
        elif old is not None:
            self._warn_about_existing(attributes, policy)

    def _warn_about_existing(self, attributes: Attributes, policy: Policy) -> None:
        pods = [one for one in self._reader.peek_all("", "pods", attributes.name) if not self._is_exempt(one["spec"])]
        for warning in warnings_about_existing(pods, attributes.name, policy.enforce):
            attributes.add_warning(warning)

    # -- pods and templates ---------------------------------------------------------------------------------------

    async def _policy(self, attributes: Attributes) -> Policy:
        found = (self._reader.peek("", "namespaces", "", attributes.namespace)
                 or await self._reader.peek_latest("", "namespaces", "", attributes.namespace))
        if found is None:
            raise errors.internal_error(f'failed to lookup namespace "{attributes.namespace}"')
        policy, failures = policy_of(found["metadata"].get("labels"), self._defaults)
        if failures:
            attributes.annotate(_ANNOTATION + "error", "Failed to parse policy: " + to_aggregate(failures))
        return policy

    async def _validate_pod(self, attributes: Attributes) -> None:
        policy, pod = await self._policy(attributes), attributes.obj
        if policy.is_privileged or pod is None:
            attributes.annotate(_ANNOTATION + "enforce-policy", str(LevelVersion()))
            return
        if attributes.old is not None and not _changes_images(pod["spec"], attributes.old["spec"]):
            return
        if self._is_exempt(pod["spec"]):
            attributes.annotate(_EXEMPT, "runtimeClass")
            return
        attributes.annotate(_ANNOTATION + "enforce-policy", str(policy.enforce))
        judge = _Judge(attributes, pod["metadata"], pod["spec"])
        judge.audit(policy)
        judge.enforce(policy)
        judge.warn(policy)

    async def _warn_about_template(self, attributes: Attributes, path: tuple[str, ...]) -> None:
        policy = await self._policy(attributes)
        if not policy.warns_or_audits:
            return
        template: Obj | None = attributes.obj
        for key in path:
            template = template.get(key) if template is not None else None
        if template is None:
            return
        if self._is_exempt(template.get("spec") or {}):
            attributes.annotate(_EXEMPT, "runtimeClass")
        else:
            judge = _Judge(attributes, template.get("metadata") or {}, template.get("spec") or {})
            judge.audit(policy)
            judge.warn(policy)

    def _is_exempt(self, spec: Obj) -> bool:
        return spec.get("runtimeClassName") in self._exempt.runtime_classes


class _Judge:
    """Holds one pod against the standards of a policy, each once."""

    def __init__(self, attributes: Attributes, meta: Obj, spec: Obj) -> None:
        self._attributes = attributes
        self._meta = meta
        self._spec = spec
        self._found: dict[LevelVersion, str] = {}

    def _violations(self, standard: LevelVersion) -> str:
        """The standard and what violates it, in words; empty when nothing does."""
        if standard not in self._found:
            found = violations(standard, self._meta, self._spec)
            self._found[standard] = f'PodSecurity "{standard}": {", ".join(map(str, found))}' if found else ""
        return self._found[standard]

    def enforce(self, policy: Policy) -> None:
        found = self._violations(policy.enforce)
        if found:
            raise forbidden(self._attributes, f"violates {found}")

    def audit(self, policy: Policy) -> None:
        found = self._violations(policy.audit)
        if found:
            self._attributes.annotate(_ANNOTATION + "audit-violations", f"would violate {found}")

    def warn(self, policy: Policy) -> None:
        found = self._violations(policy.warn)
        if found:
            self._attributes.add_warning(f"would violate {found}")


def _default_policy(settings: PodSecurityDefaults) -> Policy:
    return Policy(LevelVersion(settings.enforce, minor_of(settings.enforce_version)),
                  LevelVersion(settings.audit, minor_of(settings.audit_version)),
                  LevelVersion(settings.warn, minor_of(settings.warn_version)))


def _is_tighter(new: LevelVersion, old: LevelVersion) -> bool:
    """Whether pods that are there may no longer be allowed."""
    if new == old or new.level == PRIVILEGED:
        return False
    return new.minor != old.minor or new.is_stricter_than(old)


def _changes_images(spec: Obj, old: Obj) -> bool:
    """Whether an update changes what a standard looks at: of what can change in a pod, images are a proxy for that."""
    for field in ("containers", "initContainers"):
        new_containers, old_containers = spec.get(field) or [], old.get(field) or []
        if [one.get("image") for one in new_containers] != [one.get("image") for one in old_containers]:
            return True
    known = {one["name"]: one.get("image") for one in old.get("ephemeralContainers") or ()}
    return any(one["name"] not in known or known[one["name"]] != one.get("image")
               for one in spec.get("ephemeralContainers") or ())

