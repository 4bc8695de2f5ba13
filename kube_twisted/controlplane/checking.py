"""What ``--check-config`` looks at besides the settings themselves: the names and the files that they speak of."""

from __future__ import annotations

from kube_twisted.authentication.tokens import TokenFile
from kube_twisted.authentication.x509 import load_authorities
from kube_twisted.config import Config
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.runtime_config import check_switches
from kube_twisted.server.pki import read_own_serving
from kube_twisted.util.starting import StartError


def check_config(config: Config) -> None:
    """Look for what would prevent the start, without making or changing anything.

    :raises StartError: for an API that is switched and does not exist, and for certificates, keys and tokens that
        can't be read.
    """
    check_switches(config.runtime_config, Resources.load())
    if config.authentication.client_ca_file is not None:
        load_authorities(config.authentication.client_ca_file)
    if config.authentication.token_file is not None:
        TokenFile(config.authentication.token_file)
    try:
        read_own_serving(config.server)
    except OSError as error:
        raise StartError(f"{error.filename}: {error.strerror}") from error
