"""Addresses of webhooks, as admission and conversion configurations have them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, go_quote, invalid, required

_FORM = "; desired format: https://host[/path]"
_BAD_ESCAPE = re.compile(r"%(?![0-9a-fA-F]{2}).{0,2}", re.DOTALL)
_ONE_OF = "exactly one of url or service is required"


def default_service(config: dict[str, Any]) -> None:
    """The port of a service reference is 443."""
    if "service" in config:
        config["service"].setdefault("port", 443)


def validate_client_config(path: str, config: dict[str, Any]) -> list[FieldError]:
    """An https URL or a service, not both."""
    url, service = config.get("url"), config.get("service")
    if (url is None) == (service is None):
        return [required(path, _ONE_OF)]
    if url is not None:
        return validate_url(f"{path}.url", url)
    return validate_service(f"{path}.service", service or {})


def validate_url(path: str, text: str) -> list[FieldError]:
    """``https://host[:port][/path]`` and nothing more."""
    try:
        url = urlsplit(text)
    except ValueError as error:
        return [required(path, f"url must be a valid URL: {error}{_FORM}")]
    escape = _BAD_ESCAPE.search(url.path)
    if escape is not None:
        problem = f"parse {go_quote(text)}: invalid URL escape {go_quote(escape.group())}"
        return [required(path, f"url must be a valid URL: {problem}{_FORM}")]
    errors = []
    if url.scheme != "https":
        errors.append(invalid(path, url.scheme, f"'https' is the only allowed URL scheme{_FORM}"))
    user, at, host = url.netloc.rpartition("@")
    if not host:
        errors.append(invalid(path, "", f"host must be specified{_FORM}"))
    if at:
        errors.append(invalid(path, user, "user information is not permitted in the URL"))
    if url.fragment:
        errors.append(invalid(path, url.fragment, "fragments are not permitted in the URL"))
    if url.query:
        errors.append(invalid(path, url.query, "query parameters are not permitted in the URL"))
    return errors


def validate_service(path: str, service: dict[str, Any]) -> list[FieldError]:
    """Name, namespace, port, and a path of DNS names.

    The original reports a missing name at ``namespace`` and the other way round; clients know it so.
    """
    swapped = (("namespace", "name"), ("name", "namespace"))
    errors = [required(f"{path}.{reported}") for missing, reported in swapped if not service.get(missing)]
    port = service.get("port", 0)
    wrong = names.port_number(port)
    if wrong:
        errors.append(invalid(f"{path}.port", port, f"port is not valid: {', '.join(wrong)}"))
    return errors + _validate_path(f"{path}.path", service.get("path", ""))


def _validate_path(path: str, text: str) -> list[FieldError]:
    if text in ("", "/"):
        return []
    if text == "//":
        return [invalid(path, text, "segment[0] may not be empty")]
    errors = [] if text.startswith("/") else [invalid(path, text, "must start with a '/'")]
    for index, step in enumerate(text[1:].removesuffix("/").split("/")):
        if not step:
            errors.append(invalid(path, text, f"segment[{index}] may not be empty"))
        else:
            errors += [invalid(path, text, f"segment[{index}]: {why}") for why in names.dns_subdomain(step)]
    return errors
