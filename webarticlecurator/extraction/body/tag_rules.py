"""Names of elements, and the blocks that they stand for: the general table of usual HTML, and the rules of
all layers, compiled once into a lookup.

The table holds for any portal and any language; it is the farthest layer of every tag dictionary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.tag_dictionary import INLINES, REMOVALS, TagLayer, TagRule
from webarticlecurator.own_patterns import linear
from webarticlecurator.resources import read_word_lists
from webarticlecurator.selectors import Alternative, Scope, Selector, Test
from webarticlecurator.text import BREAKS, HEADINGS, short_text

SOURCE = "general table"
"""The source of the rules of this table, in the place of file and line."""

RUBY = "ruby"
"""The inline that no rule of a portal can make: words with their reading beside them."""

BLOCK_LEVEL = BREAKS - {"br"}
"""Elements that begin a new line in a browser: whatever becomes of them, the words before and after do not
grow together."""

NEUTRAL = frozenset(
    ("article", "body", "center", "div", "footer", "header", "html", "main", "section", "span"),
)
"""Elements without a meaning of their own: unwrapped. One with a class waits for a person's decision, so it
counts as unknown."""

EXACT = frozenset(("code", "listing", "plaintext", "pre", "textarea", "xmp"))
"""Elements whose white space is shown as it is written, where they are blocks of code: by every browser, or
by what style sheets say."""

ELEMENTS = read_word_lists(__file__, "element_names.txt", r"\s+")
VOID_MEDIA = frozenset(ELEMENTS["void media"])
"""Elements that show something from elsewhere; text in them is for browsers that cannot."""

GENERAL_TABLE = read_word_lists(__file__, "general_table.txt")
"""Operations, some with a remark behind a colon, with their selectors."""
_SAID_ALOUD = frozenset(selector.removeprefix(".") for selector in GENERAL_TABLE["decompose: said aloud"])


@cache
def general_layer() -> TagLayer:
    """Return the table as a layer like any other."""
    return TagLayer(
        rules=tuple(
            TagRule(operation=name.partition(":")[0], css=Selector.parse(css), source=SOURCE)
            for name, selectors in GENERAL_TABLE.items()
            for css in selectors
        )
    )


_INLINES = frozenset((*INLINES, RUBY))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The fate of an element."""

    operation: str = ""
    """The operation as in the tag dictionary, a split as "paragraph > bold"; "" where nobody decides."""
    drop: bool = False
    blocks: tuple[str, ...] = ()
    """Names of the blocks that it becomes, the outer one first."""
    inlines: tuple[str, ...] = ()
    simple: bool = False
    """All elements inside it go."""
    url: str | None = None
    """The attribute that holds its address."""
    rule: str = ""
    """Source and selector."""
    selector: str = ""
    general: bool = False
    """No rule of a portal decides."""
    known: bool = True
    """False where the general table does not decide either."""

    @property
    def gives_name(self) -> bool:
        """Return True if it says which block or inline it becomes."""
        return bool(self.blocks or self.inlines)


UNWRAP = Decision(operation="unwrap", general=True)
UNKNOWN = Decision(general=True, known=False)


def _names_in(rule: TagRule) -> Sequence[str]:
    """Return the blocks and inlines that a rule names."""
    return rule.split or tuple({rule.operation}.difference(REMOVALS))


def decision_by(rule: TagRule) -> Decision:
    """Return what a rule makes of the elements that it is about."""
    names = _names_in(rule)
    blocks = tuple(name for name in names if name not in _INLINES)
    inlines = tuple(name for name in names if name in _INLINES)
    selector = " ".join(rule.css.text.split())
    return Decision(
        operation=" > ".join((*blocks, *inlines)) or rule.operation,
        drop=rule.operation == "decompose",
        blocks=blocks,
        inlines=inlines,
        simple=rule.operation == "unwrap-all",
        url=rule.url,
        rule=" ".join(filter(None, (rule.source, selector))),
        selector=selector,
        general=rule.source == SOURCE,
    )


_Candidate = tuple[Test | None, Decision]
"""A test that an element still has to pass; None where its tag, class and id are enough."""
_Signature = tuple[str, str, str, tuple[str, ...]]
"""An element's tag, class, id (if a rule names it), and which attributes it has that some rule names."""


class _Entry(NamedTuple):
    """One selector of one rule."""

    strength: tuple[int, tuple[int, int, int], int]
    """The nearer layer, then the more specific selector, then the later rule is stronger."""
    needs: frozenset[str]
    """Marks that each element has which it selects."""
    alternative: Alternative
    decision: Decision


def _marks(
    tag: str | None,
    ids: Iterable[str],
    classes: Iterable[str],
    attributes: Iterable[str],
) -> frozenset[str]:
    """Return the marks of an element, or those that a selector asks for: the smallest one is the rarest."""
    kinds = (("id", ids), ("is", classes), ("tag", filter(None, (tag,))), ("with", attributes))
    return frozenset(f"{kind} {name}" for kind, names in kinds for name in names)


class Lookup:
    """Looks up what a portal's rules (of one layout) make of its elements. Nearer layer, then specificity,
    then the later rule."""

    def __init__(self, layers: Sequence[TagLayer], general: TagLayer | None = None) -> None:
        """`general`: what stands below all layers, if that is not the general table itself."""
        self._entries: dict[str, list[_Entry]] = defaultdict(list)
        """By the rarest mark that the selector asks for; "" where it asks for none."""
        self._remembered: dict[_Signature, Decision | tuple[_Candidate, ...]] = {}
        self._ids: set[str] = set()
        self._attributes: set[str] = set()
        """The attributes that some rule names; no others are looked at."""
        self._drops = False
        forgotten: set[str] = set()
        for distance, layer in enumerate((*layers, general or general_layer())):
            for number, rule in enumerate(layer.rules):
                if rule.operation not in forgotten:
                    self._add(rule, distance, number)
            forgotten |= layer.forgotten

    def _add(self, rule: TagRule, distance: int, number: int) -> None:
        decision = decision_by(rule)
        self._drops |= decision.drop and not decision.general
        for alternative in rule.css.alternatives:
            subject = alternative.subject
            needs = _marks(subject.tag, subject.ids, subject.classes, subject.attributes)
            entry = _Entry((-distance, alternative.specificity, number), needs, alternative, decision)
            self._entries[min(needs, default="")].append(entry)
            self._ids |= subject.ids
            self._attributes |= subject.attributes

    def decide(self, element: Element, scope: Scope) -> Decision:
        """Return the decision of the first matching rule; what `unwrap-all` makes simple is still named by
        the next one."""
        # Asked of every element: no calls but to lxml.
        signature: _Signature = (element.tag, "", "", ())
        if names := element.keys():
            get, attributes = element.get, self._attributes
            id = get("id", "")
            is_ruled = not attributes.isdisjoint(names)
            ruled = tuple([name for name in names if name in attributes]) if is_ruled else ()
            signature = element.tag, get("class", ""), id if id in self._ids else "", ruled
        known = self._remembered.get(signature)
        if known is None:
            known = self._remember(signature, element, scope)
        return (
            known if isinstance(known, Decision) else _first(known, element, scope) or _undecided(signature)
        )

    def is_dropped_by_file(self, element: Element) -> bool:
        """Return True if a rule of a portal file, or of what that extends, says that an element goes,
        wherever it stands."""
        if not self._drops:
            return False
        decision = self.decide(element, Scope(None))
        return decision.drop and not decision.general

    def _fitting(self, signature: _Signature) -> list[_Entry]:
        """Return the rules that elements like this may match."""
        tag, names, id, attributes = signature
        has = _marks(tag, (id,), names.split(), attributes)
        return [entry for mark in ("", *has) for entry in self._entries.get(mark, ()) if entry.needs <= has]

    def _remember(
        self,
        signature: _Signature,
        element: Element,
        scope: Scope,
    ) -> Decision | tuple[_Candidate, ...]:
        """Remember the rules that can matter for elements like this, the strongest first; the decision, where
        nothing else has to be asked."""
        candidates = _candidates(sorted(self._fitting(signature), key=attrgetter("strength"), reverse=True))
        decided: Decision | tuple[_Candidate, ...] = candidates
        if all(test is None for test, _ in candidates):
            decided = _first(candidates, element, scope) or _undecided(signature)
        if len(self._remembered) >= 20_000:  # class names made by machines may never come again
            self._remembered.clear()
        self._remembered[signature] = decided
        return decided


def _candidates(entries: Iterable[_Entry]) -> tuple[_Candidate, ...]:
    """Return what has to be asked of an element, of rules that fit it, the strongest first: nothing behind a
    rule that surely decides."""
    candidates: list[_Candidate] = []
    is_certain = False
    for _, _, alternative, decision in entries:
        if is_certain and not decision.gives_name:
            continue  # behind `unwrap-all` only rules that give a name are asked
        is_plain = alternative.subject.plain
        candidates.append((None if is_plain else alternative.matches, decision))
        if is_plain and not decision.simple:
            break
        is_certain |= is_plain
    return tuple(candidates)


def _first(candidates: tuple[_Candidate, ...], element: Element, scope: Scope) -> Decision | None:
    simple: Decision | None = None
    for test, decision in candidates:
        if test is not None:
            if not decision.general:  # what we wrote ourselves costs little
                scope.rule = decision.rule
                scope.step()
            if not test(element, scope):
                continue
        if simple is None:
            if not decision.simple:
                return decision
            simple = decision
        elif decision.gives_name:
            return replace(simple, blocks=decision.blocks, inlines=decision.inlines, url=decision.url)
    return simple


def _undecided(signature: _Signature) -> Decision:
    tag, classes, *_ = signature
    return UNWRAP if tag in NEUTRAL and not classes.strip() else UNKNOWN


MARK = "heading: the link to itself"
"""The mark such as ¶ at a heading or a caption: software writes it, and says it aloud at most."""
_OF_NOTES = linear(r"[^\W_]|[*†‡]")
"""Letters, digits, and the signs of notes."""
_TITLES = {*HEADINGS, "caption", "figcaption"}


def marks_in(element: Element) -> Iterator[Element]:
    """Return all in the headings of an element, or of a heading."""
    return filter(is_mark, element.iter("a"))


def is_mark(link: Element) -> bool:
    """Return True if it is a link within the page without a letter or a digit that is seen, in a heading or
    beside one, and not to a note."""
    return link.get("href", "").startswith("#") and _says_nothing(link) and _is_of_title(link)


def _says_nothing(link: Element) -> bool:
    spans = link.iterchildren("span")
    aloud = [span for span in spans if not _SAID_ALOUD.isdisjoint(span.get("class", "").split())]
    text = short_text(link, 4, aloud)
    return text is not None and _OF_NOTES.search(text) is None


def _is_of_title(link: Element) -> bool:
    near = (
        *islice(link.iterancestors(), 4),
        *islice(link.itersiblings(), 1),
        *islice(link.itersiblings(preceding=True), 1),
    )
    return "headerlink" in link.get("class", "").split() or not _TITLES.isdisjoint(
        [element.tag for element in near],
    )


def is_own_link(link: Element) -> bool:
    """Return True if it leads to the heading that it stands in, as software makes of whole headings."""
    href = link.get("href", "")
    if not href.startswith("#"):
        return False
    headings = (around for around in islice(link.iterancestors(), 4) if around.tag in HEADINGS)
    return href[1:] in [heading.get("id") for heading in headings]
