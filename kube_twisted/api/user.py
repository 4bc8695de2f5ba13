"""Who is asking, and the names of users and groups that the API server itself knows."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, frozen

from kube_twisted.api.names import dns_label, dns_subdomain

ANONYMOUS = "system:anonymous"
SYSTEM_MASTERS = "system:masters"
ALL_AUTHENTICATED = "system:authenticated"
ALL_UNAUTHENTICATED = "system:unauthenticated"
SERVICE_ACCOUNTS = "system:serviceaccounts"
SERVICE_ACCOUNT_PREFIX = "system:serviceaccount:"
NODES = "system:nodes"
NODE_PREFIX = "system:node:"

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


def with_authenticated_group(user: UserInfo) -> UserInfo:
    """The user as a member of ``system:authenticated``, unless anonymous or in such a group already.

    All who are recognised are in it in the end. An authenticator that remembers users remembers them so: then it is not
    done for each request.
    """
    if user.name == ANONYMOUS or ALL_AUTHENTICATED in user.groups or ALL_UNAUTHENTICATED in user.groups:
        return user
    return UserInfo(user.name, user.uid, (*user.groups, ALL_AUTHENTICATED), user.extra)


def service_account_name(namespace: str, name: str) -> str:
    """The user that a service account's tokens stand for."""
    return f"{SERVICE_ACCOUNT_PREFIX}{namespace}:{name}"


def service_account_groups(namespace: str) -> tuple[str, ...]:
    """The groups that a service account of the namespace is always in."""
    return SERVICE_ACCOUNTS, f"{SERVICE_ACCOUNTS}:{namespace}"


def split_service_account_name(username: str) -> tuple[str, str] | None:
    """Namespace and name of the service account that a user is; None for others."""
    if not username.startswith(SERVICE_ACCOUNT_PREFIX):
        return None
    namespace, separator, name = username[len(SERVICE_ACCOUNT_PREFIX):].partition(":")
    if not separator or ":" in name or dns_label(namespace, False) or dns_subdomain(name, False):
        return None
    return namespace, name
