"""The outcome of a page: an article, or a listing, a teaser before a paywall, a page that is not there,
nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.body.signs import Sign, constantly, reason_by
from webarticlecurator.extraction.not_there import title_of_missing
from webarticlecurator.model.article import Block, Post, blocks_in, first_value, plain_text
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.outcome import NOT_THERE, PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear

_GATE = linear(
    r"(?<!no-)(?<!without-)(?:pay-?wall|reg-?wall|piano-(?:offer|container|inline)|tp-container-inner"
    r"|subscribers?-only|content-gate|article-gate|premium-(?:gate|wall|lock|overlay)|locked-content|paid-content"
    r"|subscription-(?:gate|wall|offer)|betal(?:nings)?-?(?:v[aä]gg|vegg|mur)|betaalmuur|bezahlschranke"
    r"|fizet[oő]fal|maksumuuri|mur-?(?:de-?)?paiement"
    r"|mur-?payant|muro-?(?:de-?)?pago)",
    re.IGNORECASE,
)
"""Names of gates."""
_OFFER = linear(
    r"(?<![a-z])(?:abo|abonn\w*|abon[ae]\w*|assin(?:e|a[nr])\w*|odber\w*|premium|prenumer\w*|predplat\w*"
    r"|pretplat\w*|subscri(?:be|ption)\w*|subskry\w*|suscri\w*|elofizet\w*|tilaa\w*)(?![a-z])",
    re.IGNORECASE,
)
"""Said of much on a page; of what stands behind a text that breaks off, it is a gate."""
_GATES_OF_SOFTWARE = frozenset({"gh-post-upgrade-cta"})
"""Classes of `aside` that one software gives to what it puts in place of the rest of a text (Ghost)."""
_WHOLE_SENTENCE = linear(r"""[.!?:;。！？।۔)][\W\d]*$""")
_BREAKS_OFF = linear(r"(?:…|\.\.\.|\[…\])\W*$")
_WHOLE_PAGE = ("body", "html")
_FEWEST_IN_GATE = 20
"""Characters of what a gate says."""
_SHOWN = frozenset(("figure", "gallery", "embed", "social"))
"""Kinds of blocks that are something to see without a text."""


_WITHOUT_CONTAINER = {
    False: "no container of an article's text was found on the page",
    True: "body.root finds nothing in the JSON",
}
"""Reasons of pages without a text, by whether they are JSON."""


class Judgement(NamedTuple):
    """The outcome of a page that could be read."""

    outcome: PageOutcome
    reason: str = ""
    observed: tuple[str, ...] = ()
    """Flags of the text as it was seen, where access may be limited; it is no field of the publisher's."""


_ARTICLE = Judgement(PageOutcome.ARTICLE)
_SAW_ALL = ("access as observed: full text",)
_SAW_TEASER = ("access as observed: teaser only",)


class _Access(NamedTuple):
    """A statement of a page that its text may not be free for all."""

    words: str
    longest_teaser: int
    """Characters of a teaser: no text that is longer is one."""
    saw_all: tuple[str, ...] = ()
    """Flags of a text that is longer."""


_NOT_FREE = {
    "false": _Access("declared not free", 1_500, _SAW_ALL),
    "": _Access("declared nothing about access", 1_000),
}
"""Statements of pages that may show a teaser."""
_FREE = _Access("declared free", 0)
"""Any other statement."""


class ReadPage(NamedTuple):
    """An article as it was read, with the page that it begins on."""

    page: Page
    container: Container | None
    blocks: Sequence[Block]
    posts: Sequence[Post]
    metadata: Metadata
    listing: str | None
    """The reason to take it for a listing; None if it may be an article."""
    length: int
    """Characters of all text, posts included, but no comments."""

    @property
    def declared(self) -> str:
        """Return whether it says that it is free; empty where it says nothing."""
        return first_value(self.metadata, "isAccessibleForFree")


def judge(read: ReadPage) -> Judgement:
    """Return the outcome of a page that could be read, with its reason."""
    answers = (question(read) for question in _QUESTIONS)
    return next(filter(None, answers), _ARTICLE)


# --- the questions ---


def _is_it_not_there(read: ReadPage) -> Judgement | None:
    title = title_of_missing(read.page, read.metadata, read.length) if not read.posts else None
    return Judgement(PageOutcome.NOT_ARTICLE, f"{NOT_THERE}: “{title}”") if title else None


def _is_it_a_listing(read: ReadPage) -> Judgement | None:
    return Judgement(PageOutcome.LISTING, read.listing) if read.listing and not read.posts else None


def _does_software_end_it(read: ReadPage) -> Judgement | None:
    """Ask for the gate that a software puts in place of the rest of a text."""
    around, elements = _around(read), read.page.outline.elements
    asides = set(read.page.outline.rows("aside")).intersection(around)
    names = " ".join(elements[row].get("class", "") for row in sorted(asides)).split()
    for name in filter(_GATES_OF_SOFTWARE.__contains__, names):
        reason = f"the text ends at a gate (aside.{name}) after {read.length} characters"
        return Judgement(PageOutcome.PAYWALL, reason, _SAW_TEASER)
    return None


def _is_it_empty(read: ReadPage) -> Judgement | None:
    if read.length or any(map(_shows, read.blocks)):
        return None
    if read.container is not None:
        return Judgement(PageOutcome.EMPTY, f"there is no text in it (container by {read.container.how})")
    return Judgement(PageOutcome.EMPTY, _WITHOUT_CONTAINER[read.page.tree is None])


def _is_it_no_teaser(read: ReadPage) -> Judgement | None:
    """Ask whether its text is free, or longer than any teaser."""
    access = _NOT_FREE.get(read.declared, _FREE)
    return _ARTICLE._replace(observed=access.saw_all) if read.length >= access.longest_teaser else None


def _is_it_behind_a_gate(read: ReadPage) -> Judgement | None:
    gate = _gate(read, _GATE)
    if gate is None and _is_text_broken_off(read):
        gate = _gate(read, _OFFER)
    if gate is None and not read.declared:
        return None
    seen = f"and there is a gate ({gate})" if gate else "and no gate was recognised"
    reason = f"{_NOT_FREE[read.declared].words}; observed {read.length} characters of text, {seen}"
    return Judgement(PageOutcome.PAYWALL, reason, _SAW_TEASER)


_QUESTIONS: tuple[Callable[[ReadPage], Judgement | None], ...] = (
    _is_it_not_there,
    _is_it_a_listing,
    _does_software_end_it,
    _is_it_empty,
    _is_it_no_teaser,
    _is_it_behind_a_gate,
)
"""In the order in which they are asked; the first that is answered counts."""


def _shows(block: Block) -> bool:
    """Say whether there is something to see in a block: a gallery without captions is an article, too."""
    return block.type in _SHOWN or any(map(_shows, blocks_in(block)))


def _is_text_broken_off(read: ReadPage) -> bool:
    """Say whether the last paragraph is no whole sentence."""
    paragraphs = [block for block in read.blocks if block.type == "paragraph"]
    last = "".join(map(plain_text, paragraphs[-1:])).rstrip()
    return not read.posts and reason_by(_SIGNS_OF_END, last) is not None


def _says_something(last: str) -> bool:
    return last != ""


def _breaks_off(last: str) -> bool:
    return _BREAKS_OFF.search(last) is not None


def _is_no_whole_sentence(last: str) -> bool:
    return _WHOLE_SENTENCE.search(last) is None


_SIGNS_OF_END: tuple[Sign[str], ...] = (
    Sign(constantly("it ends with dots"), (_says_something, _breaks_off)),
    Sign(constantly("it ends within a sentence"), (_says_something, _is_no_whole_sentence)),
)
"""Signs that a text breaks off behind its last paragraph."""


def _around(read: ReadPage) -> range:
    """Return the rows of the elements around, in and behind the text."""
    outline = read.page.outline
    last = outline.row_of.get(read.container.elements[-1]) if read.container is not None else None
    if last is None:
        return range(0)
    whole = max(outline.parents[last], 0)
    return range(whole, outline.ends[whole])


def _gate(read: ReadPage, names: re.Pattern[str]) -> str | None:
    """Return the name of what stands in or behind the text and asks for money."""
    outline = read.page.outline
    for row in sorted(set(_around(read)).difference(outline.rows(*_WHOLE_PAGE))):
        element = outline.elements[row]
        gate = names.search(f"{element.get('class', '')} {element.get('id', '')}")
        if gate is not None and outline.length(row) >= _FEWEST_IN_GATE:
            return f"{outline.tags[row]}.{gate[0]}"
    return None
