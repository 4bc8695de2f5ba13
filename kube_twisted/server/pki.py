"""Keys, certificates and tokens in the data directory: made at the first start, kept, renewed in time.

==============================  ==================================================================
ca.crt, ca.key                  the authority behind the server's and the administrator's certificates
apiserver.crt, .key             the serving certificate
admin.crt, .key                 the administrator's client certificate
admin.token                     the administrator's bearer token
admin.kubeconfig                what kubectl needs to be the administrator
front-proxy-ca.crt, .key        an authority for nothing but the aggregator's certificate
front-proxy-client.crt, .key    what the aggregator shows the servers behind it
sa.key                          signs service account tokens
==============================  ==================================================================

A key is written before its certificate, so that an interrupted start leaves no certificate without its key.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from attrs import frozen
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from kube_twisted.api.user import SYSTEM_MASTERS
from kube_twisted.config import Config
from kube_twisted.config.server import ServerSettings
from kube_twisted.server import certificates
from kube_twisted.server.certificates import KeyPair
from kube_twisted.util.clock import Clock
from kube_twisted.util.files import make_private_directory, write_private
from kube_twisted.util.starting import StartError

AUTHORITY_NAME = "kube-twisted-ca"
#: Who has the second one speaks for any user to the servers behind the aggregator, so the first one must not issue it.
FRONT_PROXY_AUTHORITY_NAME, FRONT_PROXY_USER = "front-proxy-ca", "front-proxy-client"
ADMIN_USER = "kubernetes-admin"
#: Names by which pods reach the server.
IN_CLUSTER = ("kubernetes", "kubernetes.default", "kubernetes.default.svc",
              "kubernetes.default.svc.cluster.local")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = ("0.0.0.0", "::")


class PKIError(StartError):
    """Keys or certificates cannot be used; the text is one line that names the file."""


@frozen
class PKI:
    """What the server proves itself with, and what it issued.

    :ivar authority: the own authority.
    :ivar serving_chain_pem: the serving certificate, and intermediates after it.
    :ivar signing_key: of service account tokens.
    :ivar front_proxy_authority: whom the servers behind the aggregator trust to tell them who the aggregator is.
    :ivar front_proxy: the aggregator's client certificate.
    """

    directory: Path
    authority: KeyPair
    serving_chain_pem: bytes
    serving_key_pem: bytes
    admin: KeyPair
    admin_token: str
    signing_key: rsa.RSAPrivateKey
    front_proxy_authority: KeyPair
    front_proxy: KeyPair
    own_certificate: bool = False

    @property
    def trusted_pem(self) -> bytes:
        """What clients must trust to trust the server: its authority, or the certificates it was given."""
        return self.serving_chain_pem if self.own_certificate else self.authority.certificate_pem()


def open_pki(config: Config, clock: Clock) -> PKI:
    """Read what is in the data directory, and make or renew what is missing or too old.

    :raises PKIError: when the directory cannot be used or a file in it is no good.
    """
    directory = config.data_directory
    try:
        make_private_directory(directory)
        return _open(config, directory, clock.now())
    except OSError as error:
        raise PKIError(f"{error.filename or directory}: {error.strerror}") from error


def serving_names(config: Config) -> tuple[str, ...]:
    """The names and addresses that the serving certificate must have."""
    server = config.server
    configured = (server.external_hostname, *server.extra_names,
                  server.bind_address if server.bind_address not in ANY_ADDRESS else "")
    names = (*IN_CLUSTER, *LOOPBACK, config.services.api_server_ip, *configured)
    return tuple(dict.fromkeys(one for one in names if one))


def _open(config: Config, directory: Path, now: datetime) -> PKI:
    authority = _authority(directory, "ca", AUTHORITY_NAME, now)
    admin = _leaf(directory, "admin", authority, now, (),
                  lambda: certificates.new_client(authority, ADMIN_USER, [SYSTEM_MASTERS], now))
    chain, key = _serving(config, directory, authority, now)
    proxy_authority = _authority(directory, "front-proxy-ca", FRONT_PROXY_AUTHORITY_NAME, now)
    proxy = _leaf(directory, "front-proxy-client", proxy_authority, now, (),
                  lambda: certificates.new_client(proxy_authority, FRONT_PROXY_USER, [], now))
    return PKI(directory, authority, chain, key, admin, _token(directory / "admin.token"),
               _signing_key(directory / "sa.key"), proxy_authority, proxy,
               own_certificate=config.server.certificate_file is not None)


def _authority(directory: Path, name: str, common_name: str, now: datetime) -> KeyPair:
    certificate_file, key_file = directory / f"{name}.crt", directory / f"{name}.key"
    if not certificate_file.exists():
        return _written(directory, name, certificates.new_authority(common_name, now))
    pair = KeyPair(_certificate(certificate_file), _key(key_file))
    if not pair.belong_together():
        raise PKIError(f"{key_file}: is not the key of {certificate_file.name} beside it")
    if certificates.fresh(pair.certificate, now):
        return pair
    return _written(directory, name, certificates.new_authority(common_name, now, pair.key))


def _serving(config: Config, directory: Path, authority: KeyPair, now: datetime) -> tuple[bytes, bytes]:
    own = read_own_serving(config.server)
    if own is not None:
        return own
    names = serving_names(config)
    pair = _leaf(directory, "apiserver", authority, now, names,
                 lambda: certificates.new_serving(authority, names, now))
    return pair.certificate_pem(), pair.key_pem()


def read_own_serving(server: ServerSettings) -> tuple[bytes, bytes] | None:
    """The certificate chain and the key that are configured, None when none are.

    :raises PKIError: when they are no good. :raises OSError: when they can't be read.
    """
    certificate_file, key_file = server.certificate_file, server.key_file
    if certificate_file is None or key_file is None:
        return None
    if not KeyPair(_certificate(certificate_file), _key(key_file)).belong_together():
        raise PKIError(f"{key_file}: is not the key of {certificate_file}")
    return certificate_file.read_bytes(), key_file.read_bytes()


def _leaf(directory: Path, name: str, authority: KeyPair, now: datetime, names: tuple[str, ...],
          make: Callable[[], KeyPair]) -> KeyPair:
    certificate_file, key_file = directory / f"{name}.crt", directory / f"{name}.key"
    if certificate_file.exists() and key_file.exists():
        pair = KeyPair(_certificate(certificate_file), _key(key_file))
        if certificates.fit_for_use(pair, authority, now, names):
            return pair
    return _written(directory, name, make())


def _written(directory: Path, name: str, pair: KeyPair) -> KeyPair:
    write_private(directory / f"{name}.key", pair.key_pem())
    write_private(directory / f"{name}.crt", pair.certificate_pem())
    return pair


def _certificate(path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except ValueError as error:
        raise PKIError(f"{path}: holds no PEM certificate") from error


def _key(path: Path) -> certificates.PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), None, unsafe_skip_rsa_key_validation=True)
    except (ValueError, TypeError) as error:
        raise PKIError(f"{path}: holds no PEM private key without a passphrase") from error
    if not isinstance(key, (ec.EllipticCurvePrivateKey, rsa.RSAPrivateKey)):
        raise PKIError(f"{path}: must be an ECDSA or RSA key")
    return key


def _signing_key(path: Path) -> rsa.RSAPrivateKey:
    if not path.exists():
        made = rsa.generate_private_key(65537, 2048)
        write_private(path, certificates.key_pem(made))
        return made
    key = _key(path)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise PKIError(f"{path}: must be an RSA key")
    return key


def _token(path: Path) -> str:
    if not path.exists():
        write_private(path, secrets.token_urlsafe(32).encode())
    try:
        token = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError as error:
        raise PKIError(f"{path}: must be ASCII text") from error
    if not token:
        raise PKIError(f"{path}: is empty")
    return token
