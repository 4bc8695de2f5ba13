"""The administrator's kubeconfig."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from urllib.parse import urlsplit

from kube_twisted.config.server import ServerSettings
from kube_twisted.server.certificates import names_in
from kube_twisted.server.pki import ANY_ADDRESS, PKI, PKIError
from kube_twisted.util.files import write_private

FILE_NAME = "admin.kubeconfig"

_TEMPLATE = """\
apiVersion: v1
kind: Config
clusters:
- name: kube-twisted
  cluster:
    server: {server}
    certificate-authority-data: {authority}{server_name}
users:
- name: kubernetes-admin
  user:
    client-certificate-data: {certificate}
    client-key-data: {key}
contexts:
- name: kubernetes-admin@kube-twisted
  context:
    cluster: kube-twisted
    user: kubernetes-admin
current-context: kubernetes-admin@kube-twisted
"""


def write_admin_kubeconfig(pki: PKI, server_url: str) -> Path:
    """Write ``admin.kubeconfig`` in the data directory, unless it is as it must be already.

    :param server_url: such as ``https://127.0.0.1:6443``; with the port that was really bound.
    :raises PKIError: when it cannot be written.
    """
    path = pki.directory / FILE_NAME
    admin = pki.admin
    text = _TEMPLATE.format(server=server_url, authority=_base64(pki.trusted_pem),
                            server_name=_server_name(pki, urlsplit(server_url).hostname or ""),
                            certificate=_base64(admin.certificate_pem()), key=_base64(admin.key_pem()))
    try:
        if not path.exists() or path.read_bytes() != text.encode():
            write_private(path, text.encode())
    except OSError as error:
        raise PKIError(f"{path}: {error.strerror}") from error
    return path


def server_url(settings: ServerSettings, port: int) -> str:
    """How to reach the server from its own machine."""
    host = "127.0.0.1" if settings.bind_address in ANY_ADDRESS else settings.bind_address
    return f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"


def _server_name(pki: PKI, host: str) -> str:
    """The line with the name to look for in the certificate, where an own one is not for the host of the URL."""
    names = names_in(pki.serving_chain_pem)
    if host in names:
        return ""
    fit = [name for name in names if "*" not in name]
    return f"\n    tls-server-name: {fit[0]}" if fit else ""


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")
