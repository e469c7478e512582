"""The kind of a site, as a blog or a forum, and the language in which it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PortalKind
from webarticlecurator.extraction.language_guess import identify
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.model.page import LINE, Page
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.text import element_text, primary, squeeze

_MOST_CHOICES = 3
_TELLING = 60
"""Characters of a paragraph that are enough to tell its language."""
_MOST_PARAGRAPHS = 500
_NEARLY_ALL = 0.7
"""Share of the paragraphs that are in the language of a site."""
_SOME = 0.05
"""Share of the paragraphs from which on a language is one of several."""


def kind_proposal(seen: SiteSeen) -> Proposal | None:
    """Return that it is made with what makes blogs or forums, or has threads of a forum; None: neither."""
    system = seen.system
    if system is not None and system.kind is not None:
        reason = f"it is made with {system.software}, which makes {system.kind}s"
        return Proposal.at(("kind",), [Choice(value=system.kind.value, reason=reason)])
    if not seen.threads:
        return None
    pages = amount(len(seen.articles), "page")
    reason = f"{len(seen.threads)} of {pages} that were looked at are threads with posts"
    question = (
        "Is it a forum? Else delete the line: documents are NewsArticle, where pages say no other type."
    )
    is_sure = len(seen.threads) == len(seen.articles) > 1
    choice = Choice(value=PortalKind.FORUM.value, reason=reason)
    return Proposal.at(("kind",), [choice], question, sure=is_sure)


def several_languages(pages: Sequence[Page]) -> tuple[str, ...]:
    """Return the languages of the site's paragraphs, the most frequent first; nothing if nearly all are in
    one."""
    languages = _languages_of_paragraphs(pages)
    common = [tag for tag, count in languages.most_common() if count >= _SOME * languages.total()]
    is_mixed = languages.total() > 5 and max(languages.values()) < _NEARLY_ALL * languages.total()
    return tuple(common) if is_mixed and len(common) > 1 else ()


def language_proposal(home: Page, pages: Sequence[Page]) -> Proposal | None:
    """Return the language that the pages state, unless their paragraphs are in another one."""
    if several_languages(pages):
        return None
    stated = list(filter(None, map(stated_language, (home, *pages))))
    reasons = {tag: f"`<html lang>` of {stated.count(tag)} pages" for tag in stated}
    otherwise = (tag for tag in _shown_language(pages) if tag not in set(map(primary, stated)))
    shown = dict.fromkeys(otherwise, "the words of most paragraphs show it")
    choices = [Choice(value=tag, reason=reason) for tag, reason in {**shown, **reasons}.items()]
    if not choices:
        return None
    question = "In which language is the portal?" if stated and shown else None
    return Proposal.at(("language",), choices[:_MOST_CHOICES], question)


def _shown_language(pages: Sequence[Page]) -> Iterator[str]:
    """Give the language of most paragraphs, where more than one show it."""
    for tag, count in _languages_of_paragraphs(pages).most_common(1):
        if count > 1:
            yield tag


def _languages_of_paragraphs(pages: Sequence[Page]) -> Counter[str]:
    """Return how many paragraphs show each language."""
    lines = (squeeze(line) for page in pages for line in "".join(page.outline.strings).split(LINE))
    long = (line for line in lines if len(line) >= _TELLING)
    guesses = map(identify, islice(long, _MOST_PARAGRAPHS))
    told = (guess for guess in guesses if guess is not None)
    return Counter(guess.language for guess in told if guess.certainty != "low")


def stated_language(page: Page) -> str | None:
    """Return what a page says of itself by `<html lang>`."""
    tag = (page.tree.get("lang") or "").strip() if page.tree is not None else ""
    return tag if linear_at(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*").fullmatch(tag) else None


def body_text(page: Page) -> str:
    """Return all text between the tags of a page."""
    return "".join(map(element_text, page.outline.named("body")))
