"""Whether a user may act for a signer of certificates: for that one, or for all of its domain.

Source of the rule: the Kubernetes documentation, "Certificates and Certificate Signing Requests", authorization.
"""

from __future__ import annotations

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer


async def may_act_for(authorizer: IAuthorizer, user: UserInfo, verb: str, signer: str) -> bool:
    """:param verb: ``approve``, ``sign`` or ``attest``."""
    for name in (signer, signer.split("/", 1)[0] + "/*"):
        decision = await authorizer.authorize(Attributes(
            user=user, verb=verb, group="certificates.k8s.io", version="*", resource="signers", name=name))
        if decision.allowed:
            return True
    return False
