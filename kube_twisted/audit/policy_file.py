"""A policy from its file: an audit.k8s.io/v1 Policy in YAML or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from twisted.logger import Logger

from kube_twisted.api.names import dns_subdomain
from kube_twisted.audit.levels import LEVELS, STAGES
from kube_twisted.audit.policy import AuditPolicy, GroupResources, Rule
from kube_twisted.util.starting import StartError

_API_VERSION, _KIND = "audit.k8s.io/v1", "Policy"
_POLICY_FIELDS = {"apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields"}
_RULE_FIELDS = {"level", "users", "userGroups", "verbs", "resources", "namespaces", "nonResourceURLs", "omitStages",
                "omitManagedFields"}
_RESOURCE_FIELDS = {"group", "resources", "resourceNames"}
_log = Logger()
_Fields = Mapping[str, Any]


def read_policy(path: Path) -> AuditPolicy:
    """:raises StartError: for a file that can't be read, or is no policy."""
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StartError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise StartError(f"{path}: is no YAML: {' '.join(str(error).split())}") from error
    try:
        return _policy(document, path)
    except ValueError as error:
        raise StartError(f"{path}: {error}") from None


def _policy(document: Any, path: Path) -> AuditPolicy:
    if not isinstance(document, dict) or (document.get("apiVersion"), document.get("kind")) != (_API_VERSION, _KIND):
        raise ValueError(f"must be a {_KIND} of {_API_VERSION}")
    if unknown := [*_unknown(document)]:
        _log.warn("{path}: unknown fields of the audit policy are passed over: {fields}", path=path,
                  fields=", ".join(unknown))
    problems = [*_stage_problems(document, "")]
    rules = document.get("rules") or []
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise ValueError("rules: must be a list of rules")
    for index, rule in enumerate(rules):
        problems += _problems(rule, f"rules[{index}].")
    if problems:
        raise ValueError("; ".join(problems))
    if not rules:
        raise ValueError("must have at least one rule")
    stages, omits = frozenset(document.get("omitStages") or ()), bool(document.get("omitManagedFields"))
    return AuditPolicy(tuple(_rule(rule, stages, omits) for rule in rules))


def _rule(rule: _Fields, stages: frozenset[str], omits: bool) -> Rule:
    own = rule.get("omitManagedFields")
    return Rule(
        LEVELS[rule["level"]], stages | _set(rule, "omitStages"), omits if own is None else bool(own),
        users=_set(rule, "users"), groups=_set(rule, "userGroups"), verbs=_set(rule, "verbs"),
        namespaces=_set(rule, "namespaces"), paths=tuple(rule.get("nonResourceURLs") or ()),
        resources=tuple(GroupResources(one.get("group") or "", tuple(one.get("resources") or ()),
                                       tuple(one.get("resourceNames") or ())) for one in rule.get("resources") or ()))


def _set(rule: _Fields, key: str) -> frozenset[str]:
    return frozenset(rule.get(key) or ())


# -- what can be wrong ----------------------------------------------------------------------------------------------

def _unknown(document: _Fields) -> Iterator[str]:
    yield from (key for key in document if key not in _POLICY_FIELDS)
    for index, rule in enumerate(document.get("rules") or ()):
        if isinstance(rule, dict):
            yield from (f"rules[{index}].{key}" for key in rule if key not in _RULE_FIELDS)


def _problems(rule: _Fields, path: str) -> Iterator[str]:
    level = rule.get("level")
    if level is None:
        yield f"{path}level: Required value"
    elif level not in LEVELS:
        yield f"{path}level: must be one of {', '.join(LEVELS)}"
    for key in ("users", "userGroups", "verbs", "namespaces", "nonResourceURLs"):
        if not _are_texts(rule.get(key)):
            yield f"{path}{key}: must be a list of texts"
    yield from _path_problems(rule, path)
    yield from _resource_problems(rule, path)
    yield from _stage_problems(rule, path)


def _stage_problems(fields: _Fields, path: str) -> Iterator[str]:
    stages = fields.get("omitStages") or []
    if not isinstance(stages, list) or not set(stages) <= set(STAGES):
        yield f"{path}omitStages: allowed stages are {','.join(STAGES)}"


def _path_problems(rule: _Fields, path: str) -> Iterator[str]:
    urls = rule.get("nonResourceURLs") or []
    if not _are_texts(urls):
        return
    for index, url in enumerate(urls):
        if url != "*" and not url.startswith("/"):
            yield f"{path}nonResourceURLs[{index}]: must begin with a '/' character"
        if "*" in url[:-1]:
            yield f"{path}nonResourceURLs[{index}]: wildcards '*' must be the final character of the rule"
    if urls and (rule.get("resources") or rule.get("namespaces")):
        yield f"{path}nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs"


def _resource_problems(rule: _Fields, path: str) -> Iterator[str]:
    for index, one in enumerate(rule.get("resources") or ()):
        place = f"{path}resources[{index}]"
        if not isinstance(one, dict) or not set(one) <= _RESOURCE_FIELDS:
            yield f"{place}: must have group, resources and resourceNames"
            continue
        group = one.get("group") or ""
        if group not in ("", "*") and (faults := dns_subdomain(group, False)):
            yield f"{place}.group: {','.join(faults)}"
        if not _are_texts(one.get("resources")) or not _are_texts(one.get("resourceNames")):
            yield f"{place}: resources and resourceNames must be lists of texts"
        elif one.get("resourceNames") and not one.get("resources"):
            yield f"{place}.resourceNames: using resourceNames requires at least one resource"


def _are_texts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))
