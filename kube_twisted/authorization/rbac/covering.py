"""Whether somebody's rules include all that other rules would give, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from kube_twisted.api.field import go_quote
from kube_twisted.authorization.rbac.rules import ALL, Rule, path_matches


def not_covered(held: Sequence[Rule], wanted: Iterable[Rule]) -> list[Rule]:
    """The smallest parts of the wanted rules that no single held rule covers."""
    return [part for rule in wanted for part in _parts(rule) if not any(_covers(one, part) for one in held)]


def _parts(rule: Rule) -> Iterator[Rule]:
    """The rule taken apart: one verb on one resource of one group, or on one path."""
    for group in rule.groups:
        for resource in rule.resources:
            for verb in rule.verbs:
                for name in rule.names or ("",):
                    yield Rule((verb,), (group,), (resource,), (name,) if rule.names else ())
    for url in rule.urls:
        for verb in rule.verbs:
            yield Rule((verb,), urls=(url,))


def _covers(held: Rule, part: Rule) -> bool:
    return (_has(held.verbs, part.verbs) and _has(held.groups, part.groups)
            and all(_has_resource(held.resources, one) for one in part.resources)
            and (not held.names or (bool(part.names) and set(part.names) <= set(held.names)))
            and all(any(path_matches(pattern, url) for pattern in held.urls) for url in part.urls))


def _has(held: Sequence[str], wanted: Sequence[str]) -> bool:
    return ALL in held or set(wanted) <= set(held)


def _has_resource(held: Sequence[str], wanted: str) -> bool:
    if ALL in held or wanted in held:
        return True
    _, slash, subresource = wanted.partition("/")
    return bool(slash) and f"*/{subresource}" in held


def described(parts: Iterable[Rule]) -> list[str]:
    """The parts for people, those that differ in their verbs alone together, in alphabetical order."""
    together: dict[Rule, list[str]] = {}
    for part in parts:
        together.setdefault(evolve(part, verbs=()), []).extend(part.verbs)
    return sorted({_text(evolve(rule, verbs=tuple(verbs))) for rule, verbs in _split_urls(together)})


def _split_urls(together: dict[Rule, list[str]]) -> Iterator[tuple[Rule, Sequence[str]]]:
    """Verbs on paths are told one by one."""
    for rule, verbs in together.items():
        if rule.urls:
            yield from ((rule, (verb,)) for verb in verbs)
        else:
            yield rule, verbs


def _text(rule: Rule) -> str:
    shown = (("APIGroups", rule.groups), ("Resources", rule.resources), ("NonResourceURLs", rule.urls),
             ("ResourceNames", rule.names), ("Verbs", rule.verbs))
    return "{" + ", ".join(f"{title}:{quoted(values)}" for title, values in shown if values) + "}"


def quoted(values: Iterable[str]) -> str:
    """A list as Go's ``%q`` shows it."""
    return "[" + " ".join(map(go_quote, values)) + "]"
