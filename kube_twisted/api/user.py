"""Who is asking, and the names of users and groups that the API server itself knows."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, frozen

ANONYMOUS = "system:anonymous"
SYSTEM_MASTERS = "system:masters"
ALL_AUTHENTICATED = "system:authenticated"
ALL_UNAUTHENTICATED = "system:unauthenticated"
SERVICE_ACCOUNTS = "system:serviceaccounts"

#: The ``extra`` key that names the credential used, for audit and SelfSubjectReview.
CREDENTIAL_ID = "authentication.kubernetes.io/credential-id"


@frozen
class UserInfo:
    """A user, as authentication found out or impersonation asked for.

    :ivar extra: what the authenticator knows besides, such as the credential's id; keys are lower case.
    """

    name: str
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = Factory(dict)
