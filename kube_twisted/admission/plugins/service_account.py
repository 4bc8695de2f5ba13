"""ServiceAccount: every pod runs as a service account that exists, and gets its token and its pull secrets.

Source of the rules: the Kubernetes documentation, "Managing Service Accounts", ServiceAccount admission controller.
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import PODS
from kube_twisted.admission.secret_references import (
    has_token_projection,
    refers_to_secrets,
    unlisted_ephemeral_secret,
    unlisted_secret,
)
from kube_twisted.admission.token_volume import mount_token
from kube_twisted.api.errors import StatusError
from kube_twisted.util.clock import Clock

_DEFAULT = "default"
_MIRROR = "kubernetes.io/config.mirror"
_ENFORCE_SECRETS = "kubernetes.io/enforce-mountable-secrets"
#: What Go's ParseBool takes for true.
_TRUE = ("1", "t", "T", "true", "TRUE", "True")
#: The account "default" is made by a controller right after its namespace: it is waited for.
_WAIT_SECONDS, _WAIT_ATTEMPTS = 0.15, 9


@implementer(IMutation, IValidation)
class ServiceAccount(Plugin):
    """Fills in and checks the service account of new pods, and the secrets of new ephemeral containers."""

    name = "ServiceAccount"
    resources = frozenset({PODS})
    subresources = ("", "ephemeralcontainers")

    def __init__(self, reader: ObjectReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def admit(self, attributes: Attributes) -> None:
        if attributes.operation != "CREATE":
            return
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        if _is_mirror(attributes.obj):
            _check_mirror(attributes, spec)
            return
        spec["serviceAccountName"] = spec["serviceAccount"] = spec.get("serviceAccountName") or _DEFAULT
        account = await self._account(attributes, spec["serviceAccountName"])
        if spec.get("automountServiceAccountToken", account.get("automountServiceAccountToken", True)):
            mount_token(spec)
        if not spec.get("imagePullSecrets") and account.get("imagePullSecrets"):
            spec["imagePullSecrets"] = [dict(one) for one in account["imagePullSecrets"]]
        _check_secrets(attributes, spec, account)

    async def validate(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        ephemeral = attributes.subresource == "ephemeralcontainers"
        if attributes.operation != "CREATE" and not ephemeral:
            return
        if not ephemeral and _is_mirror(attributes.obj):
            _check_mirror(attributes, spec)
            return
        if not spec.get("serviceAccountName"):
            raise forbidden(attributes, f"no service account specified for pod {attributes.namespace}/"
                                        f"{attributes.obj['metadata'].get('name', '')}")
        account = await self._account(attributes, spec["serviceAccountName"])
        _check_secrets(attributes, spec, account)

    async def _account(self, attributes: Attributes, name: str) -> dict[str, Any]:
        namespace, read = attributes.namespace, self._reader
        try:
            found = (read.peek("", "serviceaccounts", namespace, name)
                     or await read.peek_latest("", "serviceaccounts", namespace, name))
        except StatusError as unfit:
            raise forbidden(attributes, f"error looking up service account {namespace}/{name}: "
                                        f"{unfit.message}") from None
        if found is None and name == _DEFAULT:
            found = await self._wait_for_default(namespace)
        if found is None:
            raise forbidden(attributes, f'error looking up service account {namespace}/{name}: '
                                        f'serviceaccount "{name}" not found')
        return found

    async def _wait_for_default(self, namespace: str) -> dict[str, Any] | None:
        for _ in range(_WAIT_ATTEMPTS):
            await self._clock.sleep(_WAIT_SECONDS)
            found = await self._reader.peek_latest("", "serviceaccounts", namespace, _DEFAULT)
            if found is not None:
                return found
        return None


def _is_mirror(pod: dict[str, Any]) -> bool:
    return _MIRROR in (pod["metadata"].get("annotations") or ())


def _check_mirror(attributes: Attributes, spec: dict[str, Any]) -> None:
    """The kubelet shows a static pod: nothing that comes from the API server may be in it."""
    if spec.get("serviceAccountName"):
        raise forbidden(attributes, "a mirror pod may not reference service accounts")
    if refers_to_secrets(spec):
        raise forbidden(attributes, "a mirror pod may not reference secrets")
    if has_token_projection(spec):
        raise forbidden(attributes, "a mirror pod may not use ServiceAccountToken volume projections")


def _check_secrets(attributes: Attributes, spec: dict[str, Any], account: dict[str, Any]) -> None:
    annotations = account["metadata"].get("annotations") or {}
    if annotations.get(_ENFORCE_SECRETS) not in _TRUE:
        return
    ephemeral = attributes.subresource == "ephemeralcontainers"
    problem = unlisted_ephemeral_secret(spec, account) if ephemeral else unlisted_secret(spec, account)
    if problem:
        raise forbidden(attributes, problem)
