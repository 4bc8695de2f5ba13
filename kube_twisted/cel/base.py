"""The environment that all expressions in Kubernetes 1.36 share."""

from __future__ import annotations

from kube_twisted.cel.environment import Environment
from kube_twisted.cel.library.authorization import AUTHORIZATION
from kube_twisted.cel.library.collections import COLLECTIONS
from kube_twisted.cel.library.lists import LISTS
from kube_twisted.cel.library.named_formats import NAMED_FORMATS
from kube_twisted.cel.library.networks import NETWORKS
from kube_twisted.cel.library.optionals import OPTIONALS
from kube_twisted.cel.library.quantity import QUANTITY
from kube_twisted.cel.library.regex import REGEX
from kube_twisted.cel.library.semver import SEMVER
from kube_twisted.cel.library.standard import STANDARD
from kube_twisted.cel.library.strings import STRINGS
from kube_twisted.cel.library.urls import URLS
from kube_twisted.cel.types import opaque, type_of

BASE = Environment().with_libraries(
    STANDARD, OPTIONALS, URLS, REGEX, LISTS, AUTHORIZATION, QUANTITY, STRINGS, COLLECTIONS, NETWORKS, NAMED_FORMATS,
    SEMVER).with_variables({name: type_of(opaque(name)) for name in ("net.IP", "net.CIDR")})
