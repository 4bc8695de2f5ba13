"""Connecting to a member of an etcd cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import frozen
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from twisted.internet.defer import CancelledError
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory
from twisted.protocols.tls import TLSMemoryBIOFactory

from kube_twisted.config.etcd import Endpoint, EtcdSettings
from kube_twisted.storage.etcd.connection import Connection
from kube_twisted.storage.etcd.errors import not_connected
from kube_twisted.storage.interfaces import StoreUnusable
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import finished_within
from kube_twisted.util.dial import DialError, connect_tcp
from kube_twisted.util.http_words import words
from kube_twisted.util.tls import BadAuthorities, ClientTLS, Identity

#: Seconds for a connection to be there; the original's.
DIAL_TIMEOUT = 20.0


@frozen
class Credentials:
    """Whom to trust, and what to show; from the files of the settings."""

    authorities_pem: bytes | None = None
    identity: Identity | None = None

    @classmethod
    def read(cls, settings: EtcdSettings) -> Credentials:
        """:raises StoreUnusable: naming the file that can't be read, or holds something else."""
        authorities = _read(settings.ca_file, x509.load_pem_x509_certificates) if settings.ca_file else None
        if settings.certificate_file is None or settings.key_file is None:
            return cls(authorities)
        chain = _read(settings.certificate_file, x509.load_pem_x509_certificates)
        key = _read(settings.key_file, lambda pem: load_pem_private_key(pem, None))
        return cls(authorities, Identity(chain, key))


def _read(path: Path, load: Callable[[bytes], Any]) -> bytes:
    try:
        content = path.read_bytes()
        load(content)
    except OSError as error:
        raise StoreUnusable(f"{path}: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise StoreUnusable(f"{path}: holds not the PEM that storage.etcd needs there") from error
    return content


class Dialer:
    """Connects to members.

    :param reactor: does TCP and resolves names.
    :param settings: name the files with certificates, which are read anew for each connection.
    """

    def __init__(self, reactor: Any, clock: Clock, settings: EtcdSettings) -> None:
        self._reactor = reactor
        self._clock = clock
        self._settings = settings

    async def connect(self, endpoint: Endpoint, lost: Callable[[Connection, str], None]) -> Connection:
        """A connection over which the member has answered.

        :param lost: see :class:`Connection`.
        :raises RPCError: when there is none in time.
        """
        scheme = "https" if endpoint.is_tls else "http"
        connection = Connection(str(endpoint), scheme, self._clock, lost)
        try:
            in_time = await finished_within(self._clock, DIAL_TIMEOUT, self._open(endpoint, connection))
        except DialError as error:
            raise not_connected(f"Error while dialing: {error}") from error
        except CancelledError:
            connection.abort()
            raise
        except Exception as error:
            raise not_connected(self._reason(endpoint, error)) from error
        if not in_time:
            connection.abort()
            raise not_connected(f"Error while dialing: dial tcp {endpoint}: i/o timeout")
        return connection

    async def _open(self, endpoint: Endpoint, connection: Connection) -> None:
        factory: Any = _Only(connection)
        if endpoint.is_tls:
            credentials = Credentials.read(self._settings)
            tls = ClientTLS(endpoint.host, self._clock, credentials.authorities_pem, credentials.identity, (b"h2",))
            factory = TLSMemoryBIOFactory(tls, True, factory, self._reactor)
        await connect_tcp(self._reactor, endpoint.host, endpoint.port, factory)
        await connection.ready

    def _reason(self, endpoint: Endpoint, error: Exception) -> str:
        if isinstance(error, (BadAuthorities, StoreUnusable)):
            return str(error)
        what = "authentication handshake failed" if endpoint.is_tls else "error reading server preface"
        return f"{what}: {words(error)}"


class _Only(Factory):
    """Makes the one protocol that there is already."""

    noisy = False

    def __init__(self, protocol: Connection) -> None:
        self._protocol = protocol

    def buildProtocol(self, addr: IAddress | None) -> Connection:
        return self._protocol
