"""From a YAML file and command line overrides to a ``Config``, or to one clear line about what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from kube_twisted.config.error import ConfigError
from kube_twisted.config.reading import KEY, READER, SECTION
from kube_twisted.config.settings import Config


def load_config(path: Path | None = None, overrides: Mapping[str, Any] | None = None) -> Config:
    """The settings of the file, or all defaults without one.

    :param overrides: values that win over the file's, by dotted key: ``{"server.securePort": 0}``.
    :raises ConfigError: for a file that cannot be read, bad YAML, an unknown key or a bad value.
    """
    document = _read(path) if path is not None else {}
    for key, value in (overrides or {}).items():
        _override(document, key.split("."), value)
    reader = _Reader(str(path) if path is not None else "", frozenset(overrides or ()))
    config: Config = reader.settings(Config, document, "")
    _check_together(config, reader)
    return config


def _check_together(config: Config, reader: _Reader) -> None:
    """Settings that are good by themselves, and not with each other. :class:`ConfigError`."""
    server = config.server
    if (server.certificate_file is None) != (server.key_file is None):
        raise reader.error("server", "certificateFile and keyFile need each other")
    audit = config.audit
    if audit.policy_file is None and (audit.log.path or audit.webhook.kubeconfig is not None):
        raise reader.error("audit.policyFile", "is needed: it says what is recorded")
    if config.flow_control.priority_and_fairness and not config.flow_control.seats:
        raise reader.error("flowControl", "maxRequestsInFlight and maxMutatingRequestsInFlight must not both be 0 with "
                           "priorityAndFairness")
    etcd = config.storage.etcd
    if (etcd.certificate_file is None) != (etcd.key_file is None):
        raise reader.error("storage.etcd", "certificateFile and keyFile need each other")
    services = config.services
    if services.secondary_cluster_ip_range and not services.is_dual_stack:
        raise reader.error("services.secondaryClusterIPRange",
                           f"must be of the other IP family than clusterIPRange, {services.cluster_ip_range}")
    if server.endpoint_reconciler == "none" or not server.own_address:
        return
    if ip_address(server.own_address).version != ip_network(services.cluster_ip_range).version:
        raise reader.error(f"server.{server.own_address_key}", (
            f"must be of the IP family of services.clusterIPRange, {services.cluster_ip_range}, "
            f"unless endpointReconciler is none; not {_shown(server.own_address)}"))


@frozen
class _Reader:
    """Reads settings, and knows whom to name when they are wrong."""

    file: str
    overridden: frozenset[str]

    def error(self, key: str, problem: str) -> ConfigError:
        origin = "command line" if key in self.overridden or not self.file else self.file
        return ConfigError(f"{origin}: {key}: {problem}" if key else f"{origin}: {problem}")

    def settings(self, kind: type[Any], values: Any, prefix: str) -> Any:
        """An instance of the attrs class ``kind``; a section that is left empty has its defaults."""
        if values is None:
            values = {}
        if not isinstance(values, dict):
            raise self.error(prefix.rstrip("."), "must be a map of settings")
        fields = {one.metadata[KEY]: one for one in attrs.fields(kind)}
        for key in values:
            if key not in fields:
                raise self.error(f"{prefix}{key}", _unknown(str(key), list(fields)))
        return kind(**{fields[key].name: self._value(fields[key], value, f"{prefix}{key}")
                       for key, value in values.items()})

    def _value(self, field: attrs.Attribute[Any], value: Any, key: str) -> Any:
        if SECTION in field.metadata:
            return self.settings(field.metadata[SECTION], value, f"{key}.")
        try:
            return field.metadata[READER](value)
        except ValueError as error:
            raise self.error(key, f"{error}, not {_shown(value)}") from None


def _read(path: Path) -> dict[str, Any]:
    """The file's document."""
    import yaml

    from kube_twisted.config.yaml_file import load_unique

    try:
        document = load_unique(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text") from error
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise ConfigError(f"{path}: {line}{error.problem}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from error
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise ConfigError(f"{path}: must be a map of settings")
    return document


def _override(document: dict[str, Any], keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        inner = document.get(key)
        if inner is None:
            inner = document[key] = {}
        if not isinstance(inner, dict):
            return  # reading the file's value tells what is wrong with it
        document = inner
    document[keys[-1]] = value


def _unknown(key: str, known: list[str]) -> str:
    from difflib import get_close_matches

    by_lower_case = {one.lower(): one for one in known}
    near = get_close_matches(key.lower(), by_lower_case, n=1)
    return f"unknown setting; did you mean {by_lower_case[near[0]]}?" if near else "unknown setting"


def _shown(value: Any) -> str:
    """A value as YAML would write it, on one line and cut when long."""
    import json

    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
