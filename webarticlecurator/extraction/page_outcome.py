"""The outcome of a page: an article, or a listing, a teaser before a paywall, a page that is not there, nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.not_there import title_of_missing
from webarticlecurator.model.article import Block, Post, first_value, plain_text
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
_NOT_FREE = "false"
"""The statement of a page whose text is not free for all."""
_LONGEST_TEASER = {_NOT_FREE: 1_500, None: 1_000}
"""Characters of a teaser, by what the page declares: no text that is longer is one."""
_WHOLE_PAGE = ("body", "html")
_FEWEST_IN_GATE = 20
"""Characters of what a gate says."""
_SHOWN = frozenset(("figure", "gallery", "embed", "social"))
"""Kinds of blocks that are something to see without a text."""


class Judgement(NamedTuple):
    """The outcome of a page that could be read."""

    outcome: PageOutcome
    reason: str = ""
    observed: tuple[str, ...] = ()
    """Flags of the text as it was seen, where access may be limited; it is no field of the publisher's."""


_ARTICLE = Judgement(PageOutcome.ARTICLE)
_SAW_ALL = ("access as observed: full text",)
_SAW_TEASER = ("access as observed: teaser only",)


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
    def declared(self) -> str | None:
        """Return whether it says that it is free; None where it says nothing."""
        return first_value(self.metadata, "isAccessibleForFree") or None


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
    asides = [elements[row] for row in read.page.outline.rows("aside") if row in around]
    names = " ".join(aside.get("class", "") for aside in asides).split()
    for name in filter(_GATES_OF_SOFTWARE.__contains__, names):
        reason = f"the text ends at a gate (aside.{name}) after {read.length} characters"
        return Judgement(PageOutcome.PAYWALL, reason, _SAW_TEASER)
    return None


def _is_it_empty(read: ReadPage) -> Judgement | None:
    if read.length or any(map(_shows, read.blocks)):
        return None
    return Judgement(PageOutcome.EMPTY, _why_empty(read))


def _why_empty(read: ReadPage) -> str:
    if read.container is not None:
        return f"there is no text in it (container by {read.container.how})"
    if read.page.tree is not None:
        return "no container of an article's text was found on the page"
    return "body.root finds nothing in the JSON"


def _is_it_no_teaser(read: ReadPage) -> Judgement | None:
    """Ask whether its text is free, or longer than any teaser."""
    if read.declared not in _LONGEST_TEASER:
        return _ARTICLE
    is_long = read.length >= _LONGEST_TEASER[read.declared]
    return _ARTICLE._replace(observed=_SAW_ALL if read.declared else ()) if is_long else None


def _is_it_behind_a_gate(read: ReadPage) -> Judgement | None:
    gate = _gate(read, _GATE)
    if gate is None and _is_text_broken_off(read):
        gate = _gate(read, _OFFER)
    if gate is None and not read.declared:
        return None
    declared = "declared not free" if read.declared else "declared nothing about access"
    seen = f"and there is a gate ({gate})" if gate else "and no gate was recognised"
    reason = f"{declared}; observed {read.length} characters of text, {seen}"
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
    children = [child for child in block.children if isinstance(child, Block)]
    return block.type in _SHOWN or any(map(_shows, children))


def _is_text_broken_off(read: ReadPage) -> bool:
    """Say whether the last paragraph is no whole sentence."""
    paragraphs = [block for block in read.blocks if block.type == "paragraph"]
    last = "".join(map(plain_text, paragraphs[-1:])).rstrip()
    is_broken_off = _BREAKS_OFF.search(last) is not None or _WHOLE_SENTENCE.search(last) is None
    return is_broken_off and bool(last) and not read.posts


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
    elements = ((row, outline.elements[row]) for row in _around(read) if outline.tags[row] not in _WHOLE_PAGE)
    for row, element in elements:
        gate = names.search(f"{element.get('class', '')} {element.get('id', '')}")
        if gate is not None and outline.length(row) >= _FEWEST_IN_GATE:
            return f"{outline.tags[row]}.{gate[0]}"
    return None
