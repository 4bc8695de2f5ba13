"""All settings of a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.admission import AdmissionSettings
from kube_twisted.config.audit import AuditSettings
from kube_twisted.config.authentication import AuthenticationSettings
from kube_twisted.config.authorization import AuthorizationSettings
from kube_twisted.config.flow_control import FlowControlSettings
from kube_twisted.config.reading import section, setting
from kube_twisted.config.server import ServerSettings
from kube_twisted.config.services import ServiceAccountSettings, ServiceSettings
from kube_twisted.config.storage import StorageSettings

#: The small controllers that the server can run by itself.
CONTROLLERS = ("serviceaccount", "namespace", "root-ca-publisher", "garbagecollector",
               "validatingadmissionpolicy-status")


@frozen
class Config:
    """Everything that can be set, with kube-apiserver's defaults where it has the setting."""

    data_directory: Path = setting("dataDirectory", Path("./data"), reading.path)
    """Where the database, keys and certificates are kept; relative to the current directory."""

    server: ServerSettings = section("server", ServerSettings)
    storage: StorageSettings = section("storage", StorageSettings)
    authentication: AuthenticationSettings = section("authentication", AuthenticationSettings)
    authorization: AuthorizationSettings = section("authorization", AuthorizationSettings)
    audit: AuditSettings = section("audit", AuditSettings)
    admission: AdmissionSettings = section("admission", AdmissionSettings)
    flow_control: FlowControlSettings = section("flowControl", FlowControlSettings)
    services: ServiceSettings = section("services", ServiceSettings)
    service_accounts: ServiceAccountSettings = section("serviceAccounts", ServiceAccountSettings)

    runtime_config: Mapping[str, bool] = setting("runtimeConfig", {}, reading.switches)
    """Switches API groups, versions and resources on and off: ``apps/v1``, ``api/all``,
    ``apps/v1/deployments``."""

    controllers: tuple[str, ...] = setting("controllers", CONTROLLERS, reading.choices(*CONTROLLERS))
    """Which small controllers run."""

    @property
    def database_file(self) -> Path:
        """Where the sqlite backend keeps its file."""
        return self.storage.file or self.data_directory / "state.db"
