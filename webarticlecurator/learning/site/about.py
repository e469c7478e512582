"""What a site is: whether it is a blog or a forum, and in which language it is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import PortalKind
from webarticlecurator.extraction.language_guess import identify
from webarticlecurator.learning.site.names import about_site
from webarticlecurator.learning.site.seen import SiteSeen
from webarticlecurator.learning.site.software import generators
from webarticlecurator.model.page import LINE, Page, type_names
from webarticlecurator.model.proposals import Choice, Proposal
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text, primary, squeeze

_MOST_CHOICES = 3

_GENERATORS = {
    PortalKind.FORUM: linear(r"(?:flarum|fluxbb|invision|vanilla|vbulletin)\b", re.IGNORECASE),
    PortalKind.BLOG: linear(
        r"(?:hexo|jekyll|movable type|nikola|pelican|publii|serendipity|typepad)\b", re.IGNORECASE
    ),
}
"""Software that has no preset, as pages name it."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What kind of site it is, and what tells that."""

    kind: PortalKind
    reason: str
    sure: bool = True


def kind_proposal(seen: SiteSeen) -> Proposal | None:
    """Return that it is a blog, or a forum; not sure where only names say so.

    None: nothing tells it, or a page of what is no forum calls itself news.
    """
    known = _by_software(seen) or _by_threads(seen)
    if known is None or known.kind is not PortalKind.FORUM:
        types = [_types_of(page) for page in seen.pages if page.tree is not None]
        if any(linear(r"\b(?:News|Reportage)").search(names) for names in types):
            return None
        known = _by_types(types, len(seen.pages)) or known or _by_name(seen) or _by_addresses(seen)
    if known is None:
        return None
    question = (
        f"Is it a {known.kind}? Else delete the line: documents are NewsArticle, where pages say no other "
        "type."
    )
    return Proposal.at(
        ("kind",), [Choice(value=known.kind.value, reason=known.reason)], None if known.sure else question
    )


def _by_software(seen: SiteSeen) -> _Kind | None:
    made = {seen.system.software: seen.system.kind} if seen.system is not None else {}
    if not made:
        made = {
            name: kind
            for name in generators(seen.home)
            for kind, pattern in _GENERATORS.items()
            if pattern.match(name)
        }
    for software, kind in made.items():
        if kind is not None:
            return _Kind(kind, f"it is made with {software}, which makes {kind}s")
    return None


def _by_threads(seen: SiteSeen) -> _Kind | None:
    if not seen.threads:
        return None
    reason = (
        f"{len(seen.threads)} of {amount(len(seen.articles), 'page')} that were looked at are threads with "
        "posts"
    )
    return _Kind(PortalKind.FORUM, reason, sure=len(seen.threads) == len(seen.articles) > 1)


def _types_of(page: Page) -> str:
    """Return what a page says for programs of what it is, a line each."""
    marked = (element.get("itemtype") or element.get("typeof") or "" for element in page.outline.elements)
    return "\n".join([*chain.from_iterable(map(type_names, page.json_ld_objects)), *marked])


def _by_types(types: Sequence[str], pages: int) -> _Kind | None:
    typed = sum(linear(r"\bBlog(?:Posting)?\b").search(names) is not None for names in types)
    reason = f"{typed} of {amount(pages, 'page')} call themselves posts of a blog"
    return _Kind(PortalKind.BLOG, reason) if typed else None


def _by_name(seen: SiteSeen) -> _Kind | None:
    in_words = linear(r"blog(?!s\b)\w{0,3}\b", re.IGNORECASE)  # "Reiseblog", "Anna blogja"
    for text in (*about_site(seen.home), seen.title_of_feed):
        if in_words.search(text):
            return _Kind(PortalKind.BLOG, f"it calls itself so: {text[:80]!r}", sure=False)
    return None


def _by_addresses(seen: SiteSeen) -> _Kind | None:
    pages = seen.articles or [seen.home]
    says_blog = linear(r"(?:^|[/.])(?:web)?blogs?[/.]", re.IGNORECASE)
    if all(says_blog.search(page.url.partition("://")[2]) for page in pages):
        return _Kind(PortalKind.BLOG, f"its addresses say so, such as {pages[0].url}", sure=False)
    return None


def several_languages(pages: Sequence[Page]) -> tuple[str, ...]:
    """Those of the site's paragraphs, the most frequent first, if there is none that nearly all are in."""
    lines = (squeeze(line) for page in pages for line in "".join(page.outline.strings).split(LINE))
    guesses = (
        identify(line) for line in islice((line for line in lines if len(line) >= 60), 500)
    )  # long enough to tell
    languages = Counter(guess.language for guess in guesses if guess is not None and guess.certainty != "low")
    common = [tag for tag, count in languages.most_common() if count >= 0.05 * languages.total()]
    several = languages.total() > 5 and max(languages.values()) < 0.7 * languages.total()
    return tuple(common) if several and len(common) > 1 else ()


@dataclass(frozen=True, slots=True)
class _LanguagesShown:
    """In which languages pages are, as they say themselves and as their words show."""

    pages: int
    stated: Counter[str]
    """Language -> pages that say it."""
    read: int
    """Pages whose words were looked at."""
    shown: tuple[tuple[str, int], ...]
    """Languages of words, the most frequent first, with how many pages show them."""

    @classmethod
    def of(cls, pages: Sequence[Page]) -> _LanguagesShown:
        stated = Counter(filter(None, map(stated_language, pages)))
        texts = sorted(map(body_text, pages), key=len, reverse=True)[:5]  # those that say most
        guesses = (identify(text) for text in texts)
        by_words = Counter(
            guess.language for guess in guesses if guess is not None and guess.certainty != "low"
        )
        shown = by_words.most_common()
        if not stated:
            shown = [(tag, count) for tag, count in shown if 2 * count > len(texts)]
        return cls(len(pages), stated, len(texts), tuple(shown))

    @property
    def contradicts_template(self) -> bool:
        """Say whether words show one language that no page states: they are likelier right than a
        template."""
        is_one = len(self.shown) == 1 and self.shown[0][1] > 1
        return bool(self.stated) and is_one and self.shown[0][0] not in set(map(primary, self.stated))

    @property
    def choices(self) -> Iterator[Choice]:
        for tag, count in self.stated.most_common():
            yield Choice(value=tag, reason=f"`<html lang>` of {count} of {self.pages} pages")
        for tag, count in self.shown:
            yield Choice(value=tag, reason=f"the words of {count} of {self.read} pages show it")


def language_proposal(home: Page, pages: Sequence[Page]) -> Proposal | None:
    """Return the language that the pages state; that of their words where these say something else, or where
    most have the same."""
    if several_languages(pages):
        return None
    languages = _LanguagesShown.of(pages)
    likeliest = languages.shown[0][0] if languages.contradicts_template else stated_language(home)
    by_tag: dict[str, Choice] = {}
    for choice in sorted(languages.choices, key=lambda choice: choice.value != likeliest):
        by_tag.setdefault(str(choice.value).lower(), choice)
    kept = tuple(by_tag.values())[:_MOST_CHOICES]
    if not kept:
        return None
    is_first_shown = not languages.shown or primary(str(kept[0].value)) == languages.shown[0][0]
    sure = is_first_shown and not languages.contradicts_template
    return Proposal.at(("language",), kept, None if sure else "In which language is the portal?")


def stated_language(page: Page) -> str | None:
    """Return what a page says of itself by `<html lang>`."""
    tag = (page.tree.get("lang") or "").strip() if page.tree is not None else ""
    return tag if linear_at(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*").fullmatch(tag) else None


def body_text(page: Page) -> str:
    """All text between its tags."""
    body = page.tree.find("body") if page.tree is not None else None
    return element_text(body) if body is not None else ""
