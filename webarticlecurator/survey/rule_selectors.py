"""The selectors of a portal's rules, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from cssselect import parser as css

from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer
from webarticlecurator.extraction.body.general_table import general_layer
from webarticlecurator.selectors import Selector


def layers_of(portal: Portal) -> Mapping[str, Sequence[TagLayer]]:
    """The tag dictionary of each layout, nearest layer first, with the general table as the last; "" stands for the base rules."""
    dictionaries = {"": portal.body.tags, **{layout.name: layout.body.tags for layout in reversed(portal.layouts)}}
    return {name: (*layers, general_layer()) for name, layers in dictionaries.items()}


@cache
def selectors_in(group: str) -> tuple[Selector, ...]:
    """The selectors between the commas of a group, in order."""
    return tuple(Selector.parse(text) for text in _split(group))


def _split(group: str) -> Iterator[str]:
    depth = start = 0
    for token in css.tokenize(group):
        if token.type == "DELIM" and token.value in ("(", "["):
            depth += 1
        elif token.type == "DELIM" and token.value in (")", "]"):
            depth -= 1
        elif token.is_delim(",") and not depth:
            yield " ".join(group[start : token.pos].split())
            start = token.pos + 1
    yield " ".join(group[start:].split())
