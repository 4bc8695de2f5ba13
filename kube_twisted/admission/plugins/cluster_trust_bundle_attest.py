"""ClusterTrustBundleAttest: who publishes a signer's trust anchors must be allowed to attest for it.

Source of the rule: the Kubernetes documentation, "Cluster trust bundles" (KEP-3257).
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import CLUSTER_TRUST_BUNDLES
from kube_twisted.admission.signers import may_act_for
from kube_twisted.authorization.interfaces import IAuthorizer

#: Metadata that garbage collection and storage migration change.
_COLLECTED = ("ownerReferences", "finalizers", "managedFields")


@implementer(IValidation)
class ClusterTrustBundleAttest(Plugin):
    """Looks at bundles that name a signer."""

    name = "ClusterTrustBundleAttest"
    resources = frozenset({CLUSTER_TRUST_BUNDLES})
    subresources = None

    def __init__(self, authorizer: IAuthorizer) -> None:
        self._authorizer = authorizer

    async def validate(self, attributes: Attributes) -> None:
        bundle, old = attributes.obj, attributes.old
        assert bundle is not None
        signer = bundle.get("spec", {}).get("signerName", "")
        if not signer or (old is not None and _content(bundle) == _content(old)):
            return
        if not await may_act_for(self._authorizer, attributes.user, "attest", signer):
            raise forbidden(attributes, f'user not permitted to attest for signerName "{signer}"')


def _content(bundle: dict[str, Any]) -> dict[str, Any]:
    meta = {key: value for key, value in bundle["metadata"].items() if key not in _COLLECTED}
    return {**bundle, "metadata": meta}
