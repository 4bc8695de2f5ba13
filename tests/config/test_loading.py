"""Settings from files and the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import yaml
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config import Config, ConfigError, load_config
from kube_twisted.config.etcd import Endpoint
from kube_twisted.config.reading import KEY, SECTION
from kube_twisted.config.settings import CONTROLLERS

_CONTROLLERS = ", ".join(CONTROLLERS)
SAMPLE = Path(__file__).parents[2] / "etc" / "apiserver.yaml"


def keys_of_class(kind: type[Any], prefix: str = "") -> Iterator[str]:
    for one in attrs.fields(kind):
        key = prefix + one.metadata[KEY]
        if SECTION in one.metadata:
            yield from keys_of_class(one.metadata[SECTION], f"{key}.")
        else:
            yield key


def keys_of_document(values: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from keys_of_document(value, f"{prefix}{key}.")
        else:
            yield prefix + key


class SampleTests(SynchronousTestCase):
    def test_lists_every_setting_once(self) -> None:
        """The sample file has all settings there are, in the order of the classes, and no other."""
        document = yaml.safe_load(SAMPLE.read_text())
        self.assertEqual(list(keys_of_document(document)), list(keys_of_class(Config)))

    def test_shows_the_defaults(self) -> None:
        """Its values are those of a server without a file."""
        self.assertEqual(load_config(SAMPLE), load_config())
        self.assertEqual(load_config(), Config())

    def test_every_setting_has_a_comment(self) -> None:
        """Each setting is explained in the line above, alone or together with the one before."""
        lines = SAMPLE.read_text().splitlines()
        for number, line in enumerate(lines):
            if re.match(r"\s*\w+: ?\S", line):
                above = lines[number - 1].strip()
                self.assertTrue(above.startswith(("#", "certificateFile")), line)


class LoadTests(SynchronousTestCase):
    def load(self, text: str | bytes, **overrides: Any) -> Config:
        self.path = Path(self.mktemp())
        self.path.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_config(self.path, {key.replace("__", "."): value for key, value in overrides.items()})

    def problem(self, text: str | bytes, **overrides: Any) -> str:
        message = str(self.assertRaises(ConfigError, self.load, text, **overrides))
        self.assertNotIn("\n", message)
        return message.replace(str(self.path), "FILE")

    def test_two_families(self) -> None:
        """The second range of Services must be of the other IP family than the first."""
        services = self.load("services: {secondaryClusterIPRange: 'fd00::/112'}").services
        self.assertEqual((services.cluster_ip_ranges, services.is_dual_stack), (("10.0.0.0/24", "fd00::/112"), True))
        self.assertEqual(self.load("").services.cluster_ip_ranges, ("10.0.0.0/24",))
        self.assertEqual(self.problem("services: {secondaryClusterIPRange: 10.1.0.0/24}"), (
            "FILE: services.secondaryClusterIPRange: must be of the other IP family than clusterIPRange, 10.0.0.0/24"))

    def test_family_of_own_address(self) -> None:
        """The server's address is of the family of the first range of Services, as the Endpoints are; or has none."""
        problem, rest = "must be of the IP family of services.clusterIPRange", "unless endpointReconciler is none; not"
        self.assertEqual(self.problem("server: {bindAddress: '::1'}"),
                         f'FILE: server.bindAddress: {problem}, 10.0.0.0/24, {rest} "::1"')
        self.assertEqual(self.problem("services: {clusterIPRange: 'fd00::/112'}", server__bindAddress="192.0.2.1"),
                         f'command line: server.bindAddress: {problem}, fd00::/112, {rest} "192.0.2.1"')
        self.assertIn("server.advertiseAddress: must be of", self.problem("server: {advertiseAddress: 'fd00::1'}"))
        for good in ("server: {bindAddress: '::'}", "server: {bindAddress: '::1', advertiseAddress: 192.0.2.1}",
                     "server: {bindAddress: '::1', endpointReconciler: none}", "server: {advertiseAddress: '::'}",
                     "server: {bindAddress: '::1'}\nservices: {clusterIPRange: 'fd00::/112'}"):
            self.load(good)

    def test_values(self) -> None:
        """Settings of a file are read by type; the rest keeps its defaults."""
        config = self.load("""
            dataDirectory: /var/lib/x
            server: {securePort: 7443, requestTimeout: 1m30s, maxRequestBody: 1Mi, extraNames: [a, 10.1.1.1]}
            storage: {backend: memory, eventTTL: 20}
            authentication: {anonymous: false, tokenFile: tokens.csv}
            authorization: {modes: [AlwaysAllow]}
            services: {clusterIPRange: 10.96.0.0/12, nodePortRange: 31000-31999}
            runtimeConfig: {api/beta: true, apps/v1/deployments: false}
            controllers: [namespace]
        """)
        self.assertEqual(config.data_directory, Path("/var/lib/x"))
        self.assertEqual((config.server.secure_port, config.server.request_timeout), (7443, 90.0))
        self.assertEqual(config.server.max_request_body, 2**20)
        self.assertEqual(config.server.extra_names, ("a", "10.1.1.1"))
        self.assertEqual((config.storage.backend, config.storage.event_ttl), ("memory", 20.0))
        self.assertEqual(config.authentication.token_file, Path("tokens.csv"))
        self.assertFalse(config.authentication.anonymous)
        self.assertEqual(config.authorization.modes, ("AlwaysAllow",))
        self.assertEqual(config.services.api_server_ip, "10.96.0.1")
        self.assertEqual(config.services.node_port_range, (31000, 31999))
        self.assertEqual(config.runtime_config, {"api/beta": True, "apps/v1/deployments": False})
        self.assertEqual(config.controllers, ("namespace",))
        self.assertEqual(config.server.bind_address, "0.0.0.0")

    def test_empty_file_and_empty_sections(self) -> None:
        """An empty file, section or path leaves the defaults."""
        self.assertEqual(self.load(""), Config())
        self.assertEqual(self.load("server:\nstorage: {file: }\n"), Config())

    def test_database_file(self) -> None:
        """The database lies in the data directory unless the file is set."""
        self.assertEqual(self.load("dataDirectory: d").database_file, Path("d/state.db"))
        self.assertEqual(self.load("storage: {file: x.db}").database_file, Path("x.db"))

    def test_etcd(self) -> None:
        """The members of an etcd cluster are given as URLs."""
        text = "storage: {etcd: {endpoints: ['https://e1:2379/', 'http://[::1]:1'], prefix: /a/b}}"
        etcd = self.load(text).storage.etcd
        self.assertEqual(etcd.endpoints, (Endpoint("e1", 2379, True), Endpoint("::1", 1)))
        self.assertEqual([str(one) for one in etcd.endpoints], ["e1:2379", "[::1]:1"])

    def test_overrides_win(self) -> None:
        """A value of the command line replaces the file's, in sections that the file lacks as well."""
        config = self.load("server: {securePort: 1}", server__securePort=2, storage__backend="memory",
                           dataDirectory="there")
        self.assertEqual(config.server.secure_port, 2)
        self.assertEqual(config.storage.backend, "memory")
        self.assertEqual(config.data_directory, Path("there"))

    def test_unreadable_file(self) -> None:
        """A missing file and a folder are named with the system's reason."""
        missing = self.assertRaises(ConfigError, load_config, Path("no-such.yaml"))
        self.assertEqual(str(missing), "no-such.yaml: No such file or directory")
        os.mkdir("folder")
        folder = self.assertRaises(ConfigError, load_config, Path("folder"))
        self.assertEqual(str(folder), "folder: Is a directory")
        self.assertEqual(self.problem(b"\xff"), "FILE: is not UTF-8 text")

    def test_bad_yaml(self) -> None:
        """Bad YAML is reported with its line."""
        self.assertEqual(self.problem("server:\n  securePort: [1\n"),
                         "FILE: line 3: expected ',' or ']', but got '<stream end>'")
        self.assertEqual(self.problem("- a\n"), "FILE: must be a map of settings")
        self.assertTrue(self.problem("a: \x00").startswith("FILE: unacceptable character"))

    def test_keys_given_twice(self) -> None:
        """A key that is given twice, in a section or at the top, is an error."""
        self.assertEqual(self.problem("storage:\n  file: a\n  file: b\n"), "FILE: line 3: file is given twice")
        self.assertEqual(self.problem("server: {}\nserver: {}\n"), "FILE: line 2: server is given twice")

    def test_anchors(self) -> None:
        """A value can be used again by its anchor, but not within itself."""
        config = self.load("storage: &empty {}\nserver: *empty\n")
        self.assertEqual(config, Config())
        self.assertEqual(self.problem("storage: {}\ncontrollers: &a [*a]\n"), "FILE: line 2: a value holds itself")
        self.assertEqual(self.problem("server: &a {extraNames: *a}\n"), "FILE: line 1: a value holds itself")

    def test_unknown_keys(self) -> None:
        """An unknown key is an error, and the nearest known one is suggested."""
        self.assertEqual(self.problem("server: {bindAdress: x}"),
                         "FILE: server.bindAdress: unknown setting; did you mean bindAddress?")
        self.assertEqual(self.problem("Server: {}"), "FILE: Server: unknown setting; did you mean server?")
        self.assertEqual(self.problem("zzz: 1"), "FILE: zzz: unknown setting")
        self.assertEqual(self.problem("7: 1"), "FILE: 7: unknown setting")

    def test_bad_values(self) -> None:
        """A value of a wrong type or out of range is shown beside what it must be."""
        for text, message in BAD_VALUES.items():
            self.assertEqual(self.problem(text), f"FILE: {message}")

    def test_bad_overrides_name_the_command_line(self) -> None:
        """A bad value of the command line isn't blamed on the file; a bad file under an override is."""
        self.assertEqual(self.problem("", server__securePort=70000),
                         "command line: server.securePort: must be a whole number from 0 to 65535, not 70000")
        self.assertEqual(self.problem("server: 1", server__securePort=1),
                         "FILE: server: must be a map of settings")


BAD_VALUES = {
    "server: [1]": "server: must be a map of settings",
    "server: {securePort: true}": "server.securePort: must be a whole number from 0 to 65535, not true",
    "server: {securePort: '6443'}": 'server.securePort: must be a whole number from 0 to 65535, not "6443"',
    "server: {bindAddress: host}": 'server.bindAddress: must be an IP address, not "host"',
    "server: {externalHostname: 1}": "server.externalHostname: must be a DNS name or an IP address, not 1",
    "server: {extraNames: a}": 'server.extraNames: must be a list of texts, not "a"',
    "server: {extraNames: ['']}": 'server.extraNames: must be a list without empty names, not [""]',
    "server: {extraNames: [a b]}": 'server.extraNames: must be a DNS name or an IP address, not ["a b"]',
    "serviceAccounts: {issuer: 1}": "serviceAccounts.issuer: must be text, not 1",
    "server: {requestTimeout: 5x}":
        'server.requestTimeout: must be a duration such as 60s or 1h30m, not "5x"',
    "server: {requestTimeout: -1}": "server.requestTimeout: must be a duration such as 60s or 1h30m, not -1",
    "server: {maxRequestBody: 3MB}": 'server.maxRequestBody: must be a size in bytes such as 3Mi, not "3MB"',
    "server: {keyFile: k}": "server: certificateFile and keyFile need each other",
    "dataDirectory: ''": 'dataDirectory: must be a path, not ""',
    "storage: {backend: mysql}": 'storage.backend: must be one of sqlite, etcd, memory, not "mysql"',
    "storage: {etcd: {endpoints: []}}":
        "storage.etcd.endpoints: must be a list of URLs such as https://etcd.example.com:2379, not []",
    "storage: {etcd: {endpoints: ['127.0.0.1:2379']}}":
        'storage.etcd.endpoints: must be a list of URLs such as https://etcd.example.com:2379, not ["127.0.0.1:2379"]',
    "storage: {etcd: {prefix: registry}}":
        'storage.etcd.prefix: must be a path of keys such as /registry, not "registry"',
    "storage: {etcd: {keyFile: k}}": "storage.etcd: certificateFile and keyFile need each other",
    "storage: {historyLimit: 0}": "storage.historyLimit: must be a whole number of at least 1, not 0",
    "authentication: {anonymous: 'no'}": 'authentication.anonymous: must be true or false, not "no"',
    "authorization: {modes: []}": "authorization.modes: must have at least one mode, not []",
    "authorization: {modes: [RBAC, RBAC]}":
        'authorization.modes: must be a list of some of Node, RBAC, AlwaysAllow, AlwaysDeny, not ["RBAC", "RBAC"]',
    "services: {clusterIPRange: 10.0.0.1/24}":
        'services.clusterIPRange: must be an IP range such as 10.0.0.0/24, not "10.0.0.1/24"',
    "services: {clusterIPRange: 10.0.0.0/30}":
        'services.clusterIPRange: must be an IP range of at least 8 addresses, not "10.0.0.0/30"',
    "services: {nodePortRange: 9-1}":
        'services.nodePortRange: must be a range of ports such as 30000-32767, not "9-1"',
    "runtimeConfig: {a: 1}": 'runtimeConfig: a must be true or false, not {"a": 1}',
    "runtimeConfig: [a]": 'runtimeConfig: must be a map from names to true or false, not ["a"]',
    "controllers: [nodes]": f'controllers: must be a list of some of {_CONTROLLERS}, not ["nodes"]',
    "controllers: [namespace, namespace]":
        f'controllers: must be a list of some of {_CONTROLLERS}, not ["namespace", "namespace"]',
    f"runtimeConfig: [{'a' * 80}]":
        f'runtimeConfig: must be a map from names to true or false, not ["{"a" * 55}...',
}
