"""The rules of a portal file that are others than at the last build, and the pages that they can touch.

Two portals are compared rule by rule. A rule that matches nothing changes nothing, so what differs touches
the pages on which it may match. Where that does not hold, or is not clear, a change touches all pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from difflib import SequenceMatcher
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.build_options import of_reading, plain_setting, rules_digest
from webarticlecurator.building.kept_rules import KeptRules
from webarticlecurator.building.page_names import Numbers, PageNames
from webarticlecurator.config.article_rules import BodyRules, Layout, PostKind, PostRules, SkipRules
from webarticlecurator.config.load import FILE_NAME
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.rule_needs import (
    ANYTHING,
    ASKED,
    Need,
    Needs,
    needs_of_elements,
    needs_of_selector,
    needs_of_values,
    together,
)
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.body.tag_rules import decision_by
from webarticlecurator.patterns import Pattern
from webarticlecurator.text import folded
from webarticlecurator.urls import normalise

if TYPE_CHECKING:
    from webarticlecurator.corpus.stored_articles import StoredArticle

_OF_ALL = b""
"""Stands for all that is not compared rule by rule."""
_LONGEST_NAME = 500
"""Characters of a rule's name that what was dropped by it is counted under."""


@dataclass(slots=True)
class ChangedRules:
    """The differences between the rules of two portals, and the pages that they touch."""

    since: str
    """Digest of the rules that were."""
    portal: Portal
    """The portal that they are of."""
    needs: set[Numbers] = field(default_factory=set)
    """A page that has none of this is read as before."""
    here: set[bytes] = field(default_factory=set)
    """The rules that are there now and were not, or stood elsewhere."""
    gone: set[bytes] = field(default_factory=set)
    """The rules that were there."""
    of_documents: bool = False
    """True if what all documents say of their portal is something else, or is said in another way."""
    by_address: list[Pattern] = field(default_factory=list)
    """Patterns that leave out articles by their addresses, now and not before, or before and not now."""
    moved: dict[str, str] = field(default_factory=dict)
    """Rules that stand in another line: their names, with file and line, as they were -> as they are now."""
    _named: dict[str, str] = field(default_factory=dict)
    """Names of all rules that are there still, as they were -> as they are now."""

    @property
    def holds_for_all(self) -> bool:
        """True if something else than single rules differs, which is no matter of names on pages."""
        return _OF_ALL in self.here

    @property
    def touches_all(self) -> bool:
        """True if no names on a page keep it from being read by something else now."""
        return any(not need.names for need in self.needs)

    def may_touch(self, names: bytes) -> bool:
        """Say whether pages may be read in another way that have these names, as these are kept."""
        return PageNames.unpack(names).may_match(self.needs)

    @property
    def number(self) -> int:
        """How many rules are others."""
        return max(len(self.here), len(self.gone))

    @property
    def in_words(self) -> str:
        """Return how much changed."""
        return "what holds for all pages" if self.holds_for_all else amount(self.number, "rule")

    def touch(self, needs: Needs) -> None:
        """Note that pages are touched which have what one of these needs."""
        self.needs.update(map(Numbers.of, needs))

    def leave_out(self, source: StoredArticle) -> bool:
        """Say whether what differs leaves out the article by its address, or did before."""
        addresses = [normalise(stored.asked) for stored in source.stored]
        with suppress(PatternTimeout):
            return any(pattern.in_address(address) for pattern in self.by_address for address in addresses)
        return True

    def differing(self, place: str, old: Sequence[Any], new: Sequence[Any]) -> list[Any]:
        """Return the rules of one place that are not in both, in one order, and count them."""
        in_both = _pairs(old, new)
        gone = _others(old, {pair.old for pair in in_both})
        here = _others(new, {pair.new for pair in in_both})
        self.gone.update(place.encode() + _as_bytes(rule) for rule in gone)
        self.here.update(place.encode() + _as_bytes(rule) for rule in here)
        return [*gone, *here]

    def name_anew(self, old: TagRule, new: TagRule) -> None:
        """Note how a rule is named that may stand in another line."""
        before, now = decision_by(old).rule, decision_by(new).rule
        is_clear = self._named.setdefault(before, now) == now
        if before != now:
            self.moved[before] = now
        if not is_clear or max(len(before), len(now)) > _LONGEST_NAME:
            self.touch(ANYTHING)


def changed_rules(kept: KeptRules, portal: Portal, template: str) -> ChangedRules:
    """Return what differs from the rules that are kept. Raises UnknownRules."""
    old = kept.portal(next((file.path for file in portal.sources), Path(FILE_NAME)))
    changed = ChangedRules(since=kept.rules, portal=old)
    if _rest_of(old) != _rest_of(portal):
        changed.here.add(_OF_ALL)
        changed.touch(ANYTHING)
    _compare_documents(changed, _said_of(old, kept.template), _said_of(portal, template))
    _compare_skipped(changed, old.articles.skip, portal.articles.skip)
    _compare_metadata(changed, old.metadata, portal.metadata, ANYTHING)
    _compare_posts(changed, old.posts, portal.posts)
    _compare_body(changed, old.body, portal.body, ANYTHING)
    _compare_ways(changed, "articles.next", old.articles.next, portal.articles.next, ANYTHING)
    _compare_layouts(changed, old, portal)
    return changed


def _rest_of(portal: Portal) -> str:
    """Return a digest of all that is not compared rule by rule, and that articles depend on."""
    articles = replace(portal.articles, skip=SkipRules(), next=None)
    rest = replace(of_reading(portal), articles=articles, body=BodyRules(), metadata={}, posts={}, layouts=())
    return rules_digest(rest, "")


def _said_of(portal: Portal, template: str) -> dict[str, Any]:
    """Return what documents say of their portal, and no page is read by; but a title is a name of the
    portal."""
    said = {"title": portal.title, "creator": portal.creator, "publisher.place": portal.publisher.place}
    return {"template": template, **said}


def _compare_documents(changed: ChangedRules, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    for place in old:
        differing = changed.differing(place, [old[place]], [new[place]])
        changed.of_documents |= bool(differing)
        if place == "title":
            names = filter(None, map(folded, differing))
            changed.touch(tuple(Need(frozenset({f"{ASKED}{name}"})) for name in names))


def _compare_skipped(changed: ChangedRules, old: SkipRules, new: SkipRules) -> None:
    for selector in changed.differing("articles.skip.when", old.when, new.when):
        changed.touch(needs_of_selector(selector))
    changed.by_address += changed.differing("articles.skip.url", old.url, new.url)


# --- metadata and posts ---


def _compare_metadata(
    changed: ChangedRules, old: Mapping[str, Picks], new: Mapping[str, Picks], around: Needs
) -> None:
    """Compare the picks of all fields. `around`: what a page needs to be read by them."""
    if changed.differing("metadata", list(old), list(new)):
        changed.touch(around)  # a field without a rule is read by others, whatever the rule gives
    for name in old.keys() & new.keys():
        both = old[name], new[name]
        for alternative in changed.differing(f"metadata.{name}", *(picks.alternatives for picks in both)):
            picks = Picks(alternatives=(alternative,))
            changed.touch(together(needs_of_values(picks), around))
            if any(pick.drop for pick in picks.each()):
                changed.touch(around)  # who says that a value is none says it of all sources
            if any(pick.date for pick in picks.each()):
                # where no date can be read, all patterns are told
                dated = [pick for each in both for pick in each.each() if pick.date]
                changed.touch(together(needs_of_values(Picks(alternatives=tuple(dated))), around))


def _compare_posts(
    changed: ChangedRules, old: Mapping[PostKind, PostRules], new: Mapping[PostKind, PostRules]
) -> None:
    """Compare the rules for posts; those of layouts are asked of other pages, too."""
    if changed.differing("posts", list(old), list(new)):
        changed.touch(ANYTHING)
    for kind in old.keys() & new.keys():
        _compare_kind(changed, kind, old[kind], new[kind])


def _compare_kind(changed: ChangedRules, kind: PostKind, old: PostRules, new: PostRules) -> None:
    """Compare the rules for posts of one kind, which are asked of its items alone."""
    items = (*needs_of_elements(old.item), *needs_of_elements(new.item))
    for name in [key.name for key in fields(PostRules)]:
        before, now = getattr(old, name), getattr(new, name)
        differing = changed.differing(f"posts.{kind}.{name}", _alternatives(before), _alternatives(now))
        if differing and kind is PostKind.BLOG:
            changed.touch(ANYTHING)  # posts of a blog are looked for on index pages, too
        elif differing and None in (before, now):
            changed.touch(items)
        for alternative in differing:
            needs = needs_of_elements(Picks(alternatives=(alternative,)))
            changed.touch(needs if name == "item" else together(items, needs))


def _alternatives(picks: Picks | None) -> tuple[Any, ...]:
    return picks.alternatives if picks is not None else ()


# --- the body ---


def _compare_body(changed: ChangedRules, old: BodyRules, new: BodyRules, around: Needs) -> None:
    """Compare where the body is, and what becomes of its tags. `around`: what a page needs to be read so."""
    if changed.differing("body.labeller", [old.labeller], [new.labeller]):
        changed.touch(around)
    for name in ("root", "within"):
        _compare_ways(changed, f"body.{name}", getattr(old, name), getattr(new, name), around)
    _compare_tags(changed, old.tags, new.tags, around)


def _compare_ways(
    changed: ChangedRules, place: str, old: Picks | None, new: Picks | None, around: Needs
) -> None:
    """Compare the ways to an element; without any, it is looked for otherwise."""
    for alternative in changed.differing(place, _alternatives(old), _alternatives(new)):
        is_only = None in (old, new)
        picks = Picks(alternatives=(alternative,))
        changed.touch(around if is_only else together(needs_of_elements(picks), around))


def _compare_tags(
    changed: ChangedRules, old: Sequence[TagLayer], new: Sequence[TagLayer], around: Needs
) -> None:
    """Compare layer by layer. `around`: what a page needs to be read by them."""
    for before, now in _layers(old, new):
        if changed.differing("body.tags: null", sorted(before.forgotten), sorted(now.forgotten)):
            changed.touch(around)
        for rule in changed.differing("body.tags", before.rules, now.rules):
            changed.touch(together(needs_of_selector(rule.css), around))
        for pair in _pairs(before.rules, now.rules):
            changed.name_anew(before.rules[pair.old], now.rules[pair.new])


def _layers(old: Sequence[TagLayer], new: Sequence[TagLayer]) -> Iterator[tuple[TagLayer, TagLayer]]:
    """Yield the layers that stand in one place; of two dictionaries with other numbers of layers, those that
    are in both, and each other one beside an empty one."""
    if len(old) == len(new):
        yield from zip(old, new, strict=True)
        return
    in_both = _pairs(old, new)
    yield from ((old[pair.old], new[pair.new]) for pair in in_both)
    yield from ((layer, TagLayer()) for layer in _others(old, {pair.old for pair in in_both}))
    yield from ((TagLayer(), layer) for layer in _others(new, {pair.new for pair in in_both}))


# --- layouts ---


def _compare_layouts(changed: ChangedRules, old: Portal, new: Portal) -> None:
    """Compare the layouts that have the same conditions; others are asked of all pages with the elements that
    they name."""
    before, now = (list(map(_conditions, portal.layouts)) for portal in (old, new))
    for layout in changed.differing("layouts", before, now):
        changed.touch(needs_of_selector(layout.when))
    for pair in _pairs(before, now):
        _compare_layout(changed, old.layouts[pair.old], new.layouts[pair.new])
    _compare_items(changed, old, new)


def _conditions(layout: Layout) -> Layout:
    """Return a layout without rules."""
    return replace(layout, metadata={}, body=BodyRules(), posts={})


def _compare_layout(changed: ChangedRules, old: Layout, new: Layout) -> None:
    around = needs_of_selector(new.when)
    _compare_metadata(changed, old.metadata, new.metadata, around)
    _compare_body(changed, old.body, new.body, around)
    _compare_posts(changed, old.posts, new.posts)


def _compare_items(changed: ChangedRules, old: Portal, new: Portal) -> None:
    """Compare which posts there are in any layout: where a rule finds one on a page, that page is no thread
    of a forum which no rule knows."""
    before, now = map(_items, (old, new))
    is_alike = old.reads_index_pages == new.reads_index_pages
    if not is_alike or {kind for kind, _ in before} != {kind for kind, _ in now}:
        changed.touch(ANYTHING)
    for key in before.keys() ^ now.keys():
        changed.touch(needs_of_elements({**before, **now}[key]))


def _items(portal: Portal) -> dict[tuple[PostKind, bytes], Picks]:
    """Return what holds posts, in any layout."""
    rules = chain(portal.posts.items(), *(layout.posts.items() for layout in portal.layouts))
    return {(kind, _as_bytes(posts.item)): posts.item for kind, posts in rules}


# --- what is in both of two sequences ---


class _Pair(NamedTuple):
    """The places of a rule that is in both of two sequences."""

    old: int
    new: int


def _pairs(old: Sequence[Any], new: Sequence[Any]) -> list[_Pair]:
    """Return where the rules stand that are in both sequences, in the same order."""
    before, now = list(map(_as_bytes, old)), list(map(_as_bytes, new))
    blocks = SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
    return [_Pair(block.a + place, block.b + place) for block in blocks for place in range(block.size)]


def _others(rules: Sequence[Any], places: Iterable[int]) -> list[Any]:
    """Return the rules that stand elsewhere than in these places."""
    known = set(places)
    return [rule for place, rule in enumerate(rules) if place not in known]


def _as_bytes(rule: Any) -> bytes:
    """Return a rule as bytes, whatever line it stands in."""
    return orjson.dumps(plain_setting(rule))
