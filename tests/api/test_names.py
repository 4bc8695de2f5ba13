"""Names, label keys and other short texts."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api import names
from kube_twisted.api.domains import domain_prefixed_key, domain_prefixed_path, fully_qualified_name

_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')")
_KEY_TEXT = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')")


class ObjectNameTests(SynchronousTestCase):
    """Names of objects."""

    def test_subdomain(self) -> None:
        """Most names are lower case letters, digits, dashes and dots, with a letter or digit at both ends."""
        for good in ("a", "a.b-c.9", "x" * 253):
            self.assertEqual(names.dns_subdomain(good), [], good)
        for bad in ("UPPER", "under_score", "-lead", "trail-", "a..b", "a/b", "sp ace", "é", "", "a\n"):
            self.assertEqual(names.dns_subdomain(bad), [_SUBDOMAIN_TEXT], bad)

    def test_subdomain_length(self) -> None:
        """A name has up to 253 bytes; more is said apart from bad characters."""
        self.assertEqual(names.dns_subdomain("x" * 254), ["must be no more than 253 characters"])
        self.assertEqual(names.dns_subdomain("é" * 127),
                         ["must be no more than 253 characters", _SUBDOMAIN_TEXT])

    def test_generated(self) -> None:
        """A generateName may end in a dash, as something follows; a name may not."""
        self.assertEqual(names.dns_subdomain("auto-", prefix=True), [])
        self.assertEqual(names.dns_label("auto-", prefix=True), [])
        self.assertEqual(names.dns_subdomain("Bad_", prefix=True), [_SUBDOMAIN_TEXT])
        self.assertEqual(names.dns_subdomain("-", prefix=True), [_SUBDOMAIN_TEXT])

    def test_label(self) -> None:
        """A label has no dots, and says so when that is all that is wrong."""
        self.assertEqual(names.dns_label("1abc"), [])
        self.assertEqual(names.dns_label("a.b"), ["must not contain dots"])
        self.assertEqual(names.dns_label("x" * 64), ["must be no more than 63 characters"])
        self.assertIn("'my-name',  or '123-abc'", names.dns_label("A")[0])

    def test_label_1035(self) -> None:
        """A DNS-1035 label starts with a letter."""
        self.assertEqual(names.dns1035_label("abc-1"), [])
        self.assertIn("start with an alphabetic character", names.dns1035_label("1abc")[0])

    def test_path_segment(self) -> None:
        """Names of roles are nearly free; a generateName may even be dots."""
        self.assertEqual(names.path_segment("system:Any_Thing"), [])
        self.assertEqual(names.path_segment("a/b"), ["may not contain '/'"])
        self.assertEqual(names.path_segment("a%b/"), ["may not contain '/'", "may not contain '%'"])
        self.assertEqual(names.path_segment(".."), ["may not be '..'"])
        self.assertEqual(names.path_segment("..", prefix=True), [])


class LabelTests(SynchronousTestCase):
    """Label keys and values."""

    def test_keys(self) -> None:
        """A key is a name of up to 63 bytes, behind an optional domain in lower case."""
        for good in ("app", "example.com/Ok_1.2", "k" * 63):
            self.assertEqual(names.qualified_name(good), [], good)
        self.assertEqual(names.qualified_name(""), ["name part must be non-empty", f"name part {_KEY_TEXT}"])
        self.assertEqual(names.qualified_name("a b"), [f"name part {_KEY_TEXT}"])
        self.assertEqual(names.qualified_name("/b"), ["prefix part must be non-empty"])
        self.assertEqual(names.qualified_name("EXAMPLE.com/b"), [f"prefix part {_SUBDOMAIN_TEXT}"])
        self.assertEqual(names.qualified_name("k" * 64), ["name part must be no more than 63 bytes"])
        self.assertEqual(names.qualified_name("a" * 254 + "/b"),
                         ["prefix part must be no more than 253 bytes"])

    def test_key_with_two_slashes(self) -> None:
        """More than one slash is explained with the whole form."""
        self.assertEqual(names.qualified_name("a/b/c"), [
            f"a valid label key {_KEY_TEXT} with an optional DNS subdomain prefix and '/' (e.g. "
            "'example.com/MyName')"])

    def test_values(self) -> None:
        """A value may be empty, and is limited to 63 bytes."""
        for good in ("", "A.b_c-9", "v" * 63):
            self.assertEqual(names.label_value(good), [], good)
        self.assertEqual(names.label_value("v" * 64), ["must be no more than 63 bytes"])
        self.assertIn("a valid label must be an empty string", names.label_value("-x")[0])


class OtherTextTests(SynchronousTestCase):
    """Ports, keys of data, variables."""

    def test_port_names(self) -> None:
        """A port's name is an IANA service name."""
        self.assertEqual(names.port_name("http-2"), [])
        self.assertEqual(names.port_name("8080"), ["must contain at least one letter (a-z)"])
        self.assertEqual(names.port_name("a--b-"),
                         ["must not contain consecutive hyphens", "must not begin or end with a hyphen"])
        self.assertEqual(names.port_name("A" * 16), [
            "must be no more than 15 characters",
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
            "must contain at least one letter (a-z)"])
        self.assertEqual(names.port_number(0), ["must be between 1 and 65535, inclusive"])

    def test_config_keys(self) -> None:
        """A key of a ConfigMap can be a file's name."""
        self.assertEqual(names.config_map_key("a_b-c.d"), [])
        self.assertEqual(names.config_map_key(".."), ["must not be '..'"])
        self.assertEqual(names.config_map_key("..a"), ["must not start with '..'"])
        self.assertIn("a valid config key must consist of", names.config_map_key("a b")[0])

    def test_variables(self) -> None:
        """A variable's name is printable ASCII without an equals sign; the older rule was narrower."""
        self.assertEqual(names.env_var_name("any thing 1"), [])
        self.assertEqual(names.env_var_name(""), ["environment variable name must be non-empty"])
        for bad in ("a=b", "é", "a\tb"):
            self.assertEqual(names.env_var_name(bad), [
                "a valid environment variable name must consist only of printable ASCII characters other "
                "than '='"])
        self.assertIn("must not start with a digit", names.strict_env_var_name("1A")[0])

    def test_percent(self) -> None:
        """A percentage is digits and the sign."""
        self.assertEqual(names.percent("25%"), [])
        self.assertIn("(e.g. '1%',  or '93%', ", names.percent("25")[0])

    def test_domains(self) -> None:
        """Fields with domains name the part that is wrong."""
        self.assertEqual(fully_qualified_name("a.example.com", "name"), [])
        self.assertEqual(str(fully_qualified_name("example.com", "name")[0]),
                         'name: Invalid value: "example.com": should be a domain with at least three '
                         "segments separated by dots")
        self.assertEqual(domain_prefixed_path("example.com/x y", "f")[0].value, "x y")
        self.assertEqual(str(domain_prefixed_path("thing", "f")[0]),
                         'f: Invalid value: "thing": must be a domain-prefixed path (such as "acme.io/foo")')
        self.assertEqual(str(domain_prefixed_key("", "f")[0]), "f: Required value")
        self.assertEqual(str(domain_prefixed_key("k", "f")[0]),
                         'f: Invalid value: "k": must be a domain-prefixed key (such as "acme.io/foo")')
