"""Makes the tokens of service accounts.

Source: KEP-1205 (bound tokens), KEP-4193 (ids of tokens, nodes in them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from kube_twisted.authentication.jwt import Signer
from kube_twisted.authentication.service_account import service_account_user
from kube_twisted.registry.objectmeta import new_uid
from kube_twisted.registry.strategy import Obj
from kube_twisted.util.clock import Clock

#: What kubelets ask for in the name of pods; such tokens live longer, and count as stale after it.
PROJECTED_SECONDS = 60 * 60 + 7
#: How long those tokens live.
EXTENDED_SECONDS = 365 * 24 * 60 * 60


@frozen
class TokenIssuer:
    """Signs tokens in the name of an issuer.

    :ivar audiences: the API server's own, for requests that name none.
    """

    signer: Signer
    issuer: str
    audiences: tuple[str, ...]
    clock: Clock

    def issue(self, account: Obj, bound: Mapping[str, Obj], audiences: Sequence[str], seconds: int) -> str:
        """A token of the account.

        :param bound: what it is bound to, by ``pod``, ``node`` or ``secret``.
        """
        now = int(self.clock.seconds())
        meta = account["metadata"]
        private: dict[str, Any] = {"namespace": meta["namespace"], "serviceaccount": _reference(account)}
        private.update((what, _reference(obj)) for what, obj in bound.items())
        lifetime = seconds
        if seconds == PROJECTED_SECONDS and "pod" in bound and set(audiences) <= set(self.audiences):
            private["warnafter"] = now + seconds
            lifetime = EXTENDED_SECONDS
        return self.signer.sign({
            "iss": self.issuer, "sub": service_account_user(meta["namespace"], meta["name"]).name,
            "aud": list(audiences), "iat": now, "nbf": now, "exp": now + lifetime, "jti": new_uid(),
            "kubernetes.io": private})


def _reference(obj: Obj) -> dict[str, str]:
    """Name and uid; a node that a pod names but that is not there has no uid."""
    meta = obj["metadata"]
    return {key: meta[key] for key in ("name", "uid") if meta.get(key)}
