"""The rules by which the articles of a corpus were built, as its database keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import orjson

from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.config.article_rules import BodyRules
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagRule
from webarticlecurator.errors import CuratorError
from webarticlecurator.version import VERSION


class UnknownRules(Exception):
    """Says why it is not known by which rules the last build read pages."""


class KeptRules(NamedTuple):
    """The rules of one build, in the form in which a later build can compare them with its own."""

    rules: str
    """Their digest."""
    template: str
    """The digest of the template."""
    version: str
    """The version of the program."""
    effective: str
    """The effective portal file."""
    places: list[str]
    """File and line of each rule of the tag dictionary."""

    @classmethod
    def of(cls, portal: Portal, rules: str, template: str) -> KeptRules:
        """Return what is kept of a portal, whose rules have that digest."""
        return cls(rules, template, VERSION, portal.effective, [rule.source for rule in _tag_rules(portal)])

    @classmethod
    def read(cls, note: str) -> KeptRules:
        """Return what was noted. Raises UnknownRules."""
        try:
            return cls(*orjson.loads(note))
        except (orjson.JSONDecodeError, TypeError):
            raise UnknownRules("what it noted of its rules is damaged") from None

    @property
    def note(self) -> str:
        """Return them for the database."""
        return orjson.dumps(list(self)).decode()

    def portal(self, path: Path) -> Portal:
        """Return the portal that they are of, whose file lay at that path. Raises UnknownRules where it
        cannot be made again."""
        if self.version != VERSION:
            raise UnknownRules(f"that was done by curator {self.version}, and this is {VERSION}")
        try:
            portal = load_portal(path, content=self.effective.encode())
        except (CuratorError, OSError) as problem:
            raise UnknownRules(f"its portal file cannot be read any more ({problem})") from None
        if len(list(_tag_rules(portal))) != len(self.places):
            raise UnknownRules("what it noted of its rules is damaged")
        if rules_digest(portal, self.template) != self.rules:
            raise UnknownRules("its portal file, or a file that this names, says something else now")
        return _with_places(portal, iter(self.places))


def _bodies(portal: Portal) -> list[BodyRules]:
    return [portal.body, *(layout.body for layout in portal.layouts)]


def _tag_rules(portal: Portal) -> Iterator[TagRule]:
    """Yield the rules of all tag dictionaries, those of layouts too."""
    layers = chain.from_iterable(body.tags for body in _bodies(portal))
    return chain.from_iterable(layer.rules for layer in layers)


def _with_places(portal: Portal, places: Iterator[str]) -> Portal:
    """Return a portal with the places of the rules of its tag dictionaries, in their order."""

    def placed(body: BodyRules) -> BodyRules:
        layers = []
        for layer in body.tags:
            rules = tuple(replace(rule, source=next(places)) for rule in layer.rules)
            layers.append(replace(layer, rules=rules))
        return replace(body, tags=tuple(layers))

    own = placed(portal.body)
    layouts = tuple(replace(layout, body=placed(layout.body)) for layout in portal.layouts)
    return replace(portal, body=own, layouts=layouts)
