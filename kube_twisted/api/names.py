"""Rules for names, label keys and other short texts: each check lists what is wrong, as sentences.

The sentences are those of apimachinery's ``util/validation`` and ``api/validate/content``; clients and their
users know them. Rules: the Kubernetes page "Object Names and IDs", RFC 1123, RFC 1035, RFC 6335. Lengths are
in bytes. A check of an object's name takes ``prefix``: True when the text is a ``generateName``, which may
end in a dash.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL_UNDERSCORE = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_SUBDOMAIN_UNDERSCORE = rf"{_LABEL_UNDERSCORE}(\.{_LABEL_UNDERSCORE})*"
_WILDCARD = rf"\*\.{_SUBDOMAIN}"
_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_LABEL_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE = f"({_LABEL_KEY})?"
_ENV_VAR = "[-._a-zA-Z][-._a-zA-Z0-9]*"
_CONFIG_MAP_KEY = "[-._a-zA-Z0-9]+"
_C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*"
_HTTP_HEADER = "[-A-Za-z0-9]+"
_PERCENT = "[0-9]+%"

_is_label = re.compile(_LABEL).fullmatch
_is_subdomain = re.compile(_SUBDOMAIN).fullmatch
_is_subdomain_underscore = re.compile(_SUBDOMAIN_UNDERSCORE).fullmatch
_is_wildcard = re.compile(_WILDCARD).fullmatch
_is_label_1035 = re.compile(_LABEL_1035).fullmatch
_is_label_key = re.compile(_LABEL_KEY).fullmatch
_is_label_value = re.compile(_LABEL_VALUE).fullmatch
_is_printable_name = re.compile("[ -<>-~]+").fullmatch
_is_env_var = re.compile(_ENV_VAR).fullmatch
_is_config_map_key = re.compile(_CONFIG_MAP_KEY).fullmatch
_is_c_identifier = re.compile(_C_IDENTIFIER).fullmatch
_is_http_header = re.compile(_HTTP_HEADER).fullmatch
_is_percent = re.compile(_PERCENT).fullmatch
_is_port_charset = re.compile("[-a-z0-9]+").fullmatch

_LABEL_KEY_TEXT = ("must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
                   "alphanumeric character")
_LABEL_KEY_EXAMPLES = ("MyName", "my.name", "123-abc")

EMPTY = "must be non-empty"


def regex_error(text: str, expression: str, *examples: str) -> str:
    """A sentence with examples and the expression that was not matched."""
    if not examples:
        return f"{text} (regex used for validation is '{expression}')"
    listed = " or ".join(f"'{one}', " for one in examples)
    return f"{text} (e.g. {listed}regex used for validation is '{expression}')"


def max_length_error(maximum: int, unit: str = "characters") -> str:
    return f"must be no more than {maximum} {unit}"


def range_error(low: int, high: int) -> str:
    return f"must be between {low} and {high}, inclusive"


def byte_length(text: str) -> int:
    """The length as UTF-8, which is what all limits count."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _too_long(text: str, maximum: int, unit: str = "characters") -> list[str]:
    return [max_length_error(maximum, unit)] if byte_length(text) > maximum else []


def _mask_trailing_dash(name: str) -> str:
    """A generated name goes on after the dash, so that the dash itself is fine."""
    return name[:-2] + "a" if len(name) > 1 and name.endswith("-") else name


def dns_subdomain(name: str, prefix: bool = False) -> list[str]:
    """The rule for most objects' names: DNS-1123 subdomain, up to 253 bytes."""
    if prefix:
        name = _mask_trailing_dash(name)
    if len(name) <= 253 and _is_subdomain(name):
        return []
    return _too_long(name, 253) + _subdomain_syntax(name)


def _subdomain_syntax(name: str) -> list[str]:
    if _is_subdomain(name):
        return []
    return [regex_error(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "
        "must start and end with an alphanumeric character", _SUBDOMAIN, "example.com")]


def dns_subdomain_with_underscore(name: str) -> list[str]:
    """A DNS-1123 subdomain whose labels may hold underscores (a pod's DNS search paths)."""
    errors = _too_long(name, 253)
    if not _is_subdomain_underscore(name):
        errors.append(regex_error(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or "
            "'.', and must start and end with an alphanumeric character", _SUBDOMAIN_UNDERSCORE,
            "example.com"))
    return errors


def wildcard_dns_subdomain(name: str) -> list[str]:
    """A host of an Ingress such as ``*.example.com`` (RFC 1034 section 4.3.3)."""
    errors = _too_long(name, 253)
    if not _is_wildcard(name):
        errors.append(regex_error(
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which "
            "must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric "
            "character", _WILDCARD, "*.example.com"))
    return errors


def dns_label(name: str, prefix: bool = False) -> list[str]:
    """The rule for namespaces, containers and volumes: DNS-1123 label, up to 63 bytes."""
    if prefix:
        name = _mask_trailing_dash(name)
    is_label = _is_label(name)
    if is_label and len(name) <= 63:
        return []
    errors = _too_long(name, 63)
    if is_label:
        return errors
    if _is_subdomain(name):
        return [*errors, "must not contain dots"]
    return [*errors, regex_error(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must "
        "start and end with an alphanumeric character", _LABEL, "my-name", "123-abc")]


def dns1035_label(name: str, prefix: bool = False) -> list[str]:
    """A DNS-1035 label: like a DNS label, but the first character is a letter."""
    if prefix:
        name = _mask_trailing_dash(name)
    errors = _too_long(name, 63)
    if not _is_label_1035(name):
        errors.append(regex_error(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
            "alphabetic character, and end with an alphanumeric character", _LABEL_1035, "my-name",
            "abc-123"))
    return errors


def path_segment(name: str, prefix: bool = False) -> list[str]:
    """The rule for roles and bindings: whatever can be one segment of a URL path."""
    if not prefix and name in (".", ".."):
        return [f"may not be '{name}'"]
    return [f"may not contain '{one}'" for one in "/%" if one in name]


#: Longer texts are wrong anyway, and would only fill the memory.
_LONGEST_REMEMBERED = 320


def _remembered(check: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    """The check with a memory: the same few label keys and values come with nearly every object."""
    known = lru_cache(4096)(lambda text: tuple(check(text)))

    @wraps(check)
    def remembered(text: str) -> list[str]:
        if len(text) > _LONGEST_REMEMBERED:
            return check(text)
        messages = known(text)
        return list(messages) if messages else []

    return remembered


@_remembered
def qualified_name(name: str) -> list[str]:
    """A label key: a name of up to 63 bytes behind an optional DNS subdomain and a slash."""
    head, slash, tail = name.partition("/")
    if not slash:
        return _name_part(name)
    if "/" in tail:
        return [f"a valid label key {regex_error(_LABEL_KEY_TEXT, _LABEL_KEY, *_LABEL_KEY_EXAMPLES)} with an "
                "optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    return _prefix_part(head) + _name_part(tail)


def _prefix_part(text: str) -> list[str]:
    if not text:
        return [f"prefix part {EMPTY}"]
    return [f"prefix part {one}" for one in _too_long(text, 253, "bytes") + _subdomain_syntax(text)]


def _name_part(text: str) -> list[str]:
    errors = []
    if not text:
        errors.append(f"name part {EMPTY}")
    elif byte_length(text) > 63:
        errors.append(f"name part {max_length_error(63, 'bytes')}")
    if not _is_label_key(text):
        errors.append(f"name part {regex_error(_LABEL_KEY_TEXT, _LABEL_KEY, *_LABEL_KEY_EXAMPLES)}")
    return errors


@_remembered
def label_value(value: str) -> list[str]:
    """A label's value: empty, or up to 63 bytes that begin and end with a letter or digit."""
    errors = _too_long(value, 63, "bytes")
    if not _is_label_value(value):
        errors.append(regex_error(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
            "and must start and end with an alphanumeric character", _LABEL_VALUE, "MyValue", "my_value",
            "12345"))
    return errors


def c_identifier(value: str) -> list[str]:
    if _is_c_identifier(value):
        return []
    return [regex_error(
        "a valid C identifier must start with alphabetic character or '_', followed by a string of "
        "alphanumeric characters or '_'", _C_IDENTIFIER, "my_name", "MY_NAME", "MyName")]


def port_number(port: int) -> list[str]:
    return [] if 1 <= port <= 65535 else [range_error(1, 65535)]


def port_name(name: str) -> list[str]:
    """An IANA service name (RFC 6335), lower case only: up to 15 of ``-a-z0-9`` with at least one letter."""
    errors = _too_long(name, 15)
    if not _is_port_charset(name):
        errors.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not any("a" <= one <= "z" for one in name):
        errors.append("must contain at least one letter (a-z)")
    if "--" in name:
        errors.append("must not contain consecutive hyphens")
    if name.startswith("-") or name.endswith("-"):
        errors.append("must not begin or end with a hyphen")
    return errors


def percent(text: str) -> list[str]:
    """``25%``."""
    if _is_percent(text):
        return []
    return [regex_error(
        "a valid percent string must be a numeric string followed by an ending '%'", _PERCENT, "1%", "93%")]


def http_header_name(name: str) -> list[str]:
    if _is_http_header(name):
        return []
    return [regex_error("a valid HTTP header must consist of alphanumeric characters or '-'", _HTTP_HEADER,
                        "X-Header-Name")]


def env_var_name(name: str) -> list[str]:
    """An environment variable: any printable ASCII but ``=`` (relaxed validation, the rule since 1.34)."""
    if _is_printable_name(name):
        return []
    if not name:
        return [f"environment variable name {EMPTY}"]
    return ["a valid environment variable name must consist only of printable ASCII characters other than "
            "'='"]


def strict_env_var_name(name: str) -> list[str]:
    """An environment variable's name as the rule was before 1.34."""
    errors = []
    if not _is_env_var(name):
        errors.append(regex_error(
            "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or "
            "'.', and must not start with a digit", _ENV_VAR, "my.env-name", "MY_ENV.NAME", "MyEnvName1"))
    return errors + _parent_directory(name)


def config_map_key(key: str) -> list[str]:
    """A key of a ConfigMap's or Secret's data, which must be good for a file's name."""
    if _is_config_map_key(key) and len(key) <= 253 and not key.startswith("."):
        return []
    errors = _too_long(key, 253)
    if not _is_config_map_key(key):
        errors.append(regex_error(
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'", _CONFIG_MAP_KEY,
            "key.name", "KEY_NAME", "key-name"))
    return errors + _parent_directory(key)


def _parent_directory(text: str) -> list[str]:
    if text in (".", ".."):
        return [f"must not be '{text}'"]
    return ["must not start with '..'"] if text.startswith("..") else []
