"""How strictly a definition is validated: what the stored one does already, a change of it may go on doing."""

from __future__ import annotations

from attrs import evolve, frozen


@frozen
class Strictness:
    """What is asked of a definition. The values here are for a new one.

    :ivar valid_ca: the certificates of the conversion webhook can be read.
    :ivar known_reviews: the conversion webhook speaks a version of ConversionReview that the server speaks.
    :ivar known_types: types are those of OpenAPI.
    :ivar pruned_defaults: defaults have no unknown fields.
    :ivar atomic_sets: items of sets are values, or are written as a whole.
    :ivar complete_items: items of sets and maps are not null, and the keys of map items are always there.
    :ivar unchanged_schemas: versions that have the schema that they had. Single rules of theirs may cost too much.
    :ivar many_fields: where there may be too many selectable fields: in versions, "" is the common part.
    :ivar cheap_rules: no single rule costs too much.
    """

    valid_ca: bool = False
    known_reviews: bool = True
    known_types: bool = True
    pruned_defaults: bool = True
    atomic_sets: bool = True
    complete_items: bool = True
    unchanged_schemas: frozenset[str] = frozenset()
    many_fields: frozenset[str] = frozenset()
    cheap_rules: bool = True

    def for_version(self, name: str) -> Strictness:
        """For the schema of a version."""
        return evolve(self, cheap_rules=name not in self.unchanged_schemas)
