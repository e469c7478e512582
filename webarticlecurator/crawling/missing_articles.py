"""Is what stands at an address that no list names an article of the portal, which is missing?

It is compared with known articles: what all of these have, and which text stands on their pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice

from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.corpus.events import ProofGround
from webarticlecurator.corpus.ledger_walks import EarlierWalks
from webarticlecurator.corpus.seen_addresses import SeenAddress, is_unlisted
from webarticlecurator.crawling.further_pages import paragraphs_of
from webarticlecurator.crawling.looks import article_of, articles_of, page_in, pages_of, stored_pages
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.address_forms import form_of
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.article_pages import linked_from
from webarticlecurator.model.article import Article, Block, Inline, first_value, plain_text
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.protocol.message import mime_of
from webarticlecurator.urls import is_http, normalise

_ABOUT = ("headline", "author", "articleSection", "keywords")
_MOST_BEFORE = 10
"""The share of a text, one of so many, that may stand before the first entry of a list."""
_BESIDE = 3
"""Links on either side of one."""
_MOST_COMPARED = 6
"""Known articles whose text is compared with that of a page which leads to them."""
_SAMPLE = 5
"""Articles that show what all articles of the portal have."""
_FEWEST_LISTED = 2
"""Known articles that make a page a list, where the rules for lists find none on articles."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page at an address that was asked for."""

    page: Page
    article: Article
    seen: SeenAddress


@dataclass(slots=True)
class KnownArticles:
    """Tells an article from what else stands at an address like an article's, by what all articles of the
    portal have."""

    run: Run
    usual: Set[PageOutcome] = field(init=False)
    """Outcomes of known articles as they are read: the general reader may take those of a portal for
    something else."""
    is_dated: bool = field(init=False)
    """All known articles say when they were published."""
    oldest: str | None = field(init=False)
    """The date of the oldest article before which a person's rule stops the lists; None: no rule does."""
    tells_lists: bool = field(init=False)
    """No known article begins as a list of others does."""
    most_listed: int = field(init=False)
    """Other known articles that the rules for lists find on a known article, at most."""
    forms_of_stopped: Set[str] = field(init=False)
    """How those are written of the columns that such a rule stops."""
    kinds: Set[str] = field(init=False)
    """The names that the pages of known articles give themselves (`og:type`); empty where one of them has
    none."""
    types: Set[str] = field(init=False)
    """Types of the files in which known articles stand."""
    shared: Set[str] = field(init=False)
    """Paragraphs that stand in several known articles."""

    def __post_init__(self) -> None:
        stopped = list(filter(self._is_stopped, self.run.columns))
        known = _listed_by(self.run, self.run.columns)
        pages = stored_pages(self.run, known[:: max(1, len(known) // _SAMPLE)])
        read = [(page, article) for page in pages for article in articles_of(self.run, [page])]
        articles = [article for _, article in read]
        self.forms_of_stopped = set(map(form_of, _listed_by(self.run, stopped)))
        kinds = [_kind_of(page) for page, _ in read]
        self.kinds = set(kinds) if all(kinds) else set()
        self.types = {mime_of(page.headers) for page, _ in read}
        self.shared = _in_several(map(paragraphs_of, articles))
        self.tells_lists = not any(self.is_list(page, article) for page, article in read)
        self.most_listed = max((len(self.listed_on(page)) for page, _ in read), default=0)
        self.usual = _usual_outcomes(articles)
        usual = [article for article in articles if article.outcome in self.usual]
        self.is_dated = bool(usual) and all(article.date for article in usual)
        self.oldest = min(map(self._oldest_of, stopped), default=None)

    def _is_stopped(self, column: Column) -> bool:
        is_stopped = EarlierWalks.of(self.run.ledger, column).ended_on(ProofGround.STOP_RULE)
        return is_stopped or (column.dates is not None and column.dates.start is not None)

    def _oldest_of(self, column: Column) -> str:
        last = stored_pages(self.run, self.run.ledger.listed_by(column.name, _SAMPLE, last=True))
        return min(filter(None, (article.date for article in articles_of(self.run, last))), default="")

    def is_list(self, page: Page, article: Article) -> bool:
        """Say whether headlines that lead to other articles of the portal part a text from its beginning
        on."""
        before = 0
        for block in article.blocks:
            url = _leads_to(block)
            if (
                url is not None
                and not page.is_at(url)
                and not is_unlisted(self.run.portal, self.run.ledger, normalise(url))
            ):
                return before * _MOST_BEFORE <= article.extent.characters
            before += len(plain_text(block)) if block.type != "heading" else 0
        return False

    def listed_on(self, page: Page) -> Set[str]:
        """Return the other known articles that the rules of a column find on a page."""
        columns = (column for column in self.run.columns if column.format is ArchiveFormat.HTML)
        urls = set(chain.from_iterable(map(partial(self._taken_on, page), columns)))
        return {
            url
            for url in urls
            if not page.is_at(url) and not is_unlisted(self.run.portal, self.run.ledger, url)
        }

    def _taken_on(self, page: Page, column: Column) -> Sequence[str]:
        return self.run.guarded(page.url, partial(article_urls, page, column, self.run.portal), lambda _: ())

    def reason_against(self, found: FoundPage) -> str | None:
        """Return why it is no article of the portal that is missing; None: it is one."""
        return next((reason for reason, holds in _AGAINST.items() if holds(self, found)), None)


def is_page_of_list(run: Run, url: str) -> bool:
    """Say whether a column would ask for an address, if its list went on so far; where articles are written
    alike, an address says nothing."""
    is_made_by_column = any(column.template.match(url) is not None for column in run.columns)
    return is_made_by_column and form_of(url) not in map(form_of, _listed_by(run, run.columns))


def _listed_by(run: Run, columns: Iterable[Column]) -> list[str]:
    """Return some of the newest articles of each column."""
    return list(chain.from_iterable(run.ledger.listed_by(column.name, _SAMPLE) for column in columns))


def _in_several(texts: Iterable[frozenset[str]]) -> Set[str]:
    """Return the paragraphs that stand in several texts."""
    counts = Counter(chain.from_iterable(texts))
    return {paragraph for paragraph, number in counts.items() if number > 1}


def _usual_outcomes(articles: Sequence[Article]) -> Set[PageOutcome]:
    """Return what half of the articles, or more, are as they are read."""
    counts = Counter(article.outcome for article in articles)
    return {outcome for outcome, number in counts.items() if 2 * number >= len(articles)} or {
        PageOutcome.ARTICLE
    }


def _leads_to(block: Block) -> str | None:
    """Return where a heading leads that is a link from end to end."""
    link = block.children[0] if block.type == "heading" and len(block.children) == 1 else None
    return link.url if isinstance(link, Inline) and link.type == "link" else None


def _kind_of(page: Page) -> str:
    """Return what a page calls itself."""
    kinds = (
        meta.get("content", "") for meta in page.outline.named("meta") if meta.get("property") == "og:type"
    )
    return next(map(str.casefold, kinds), "")


def _is_none(known: KnownArticles, found: FoundPage) -> bool:
    return found.article.outcome not in known.usual


def _is_other_file(known: KnownArticles, found: FoundPage) -> bool:
    """The source that an article was made from, a calendar's entry."""
    return bool(known.types) and mime_of(found.page.headers) not in known.types


def _calls_itself_otherwise(known: KnownArticles, found: FoundPage) -> bool:
    """A page of the site's own, such as that about it, which makers of sites write as they write articles."""
    kind = _kind_of(found.page)
    return bool(known.kinds and kind) and kind not in known.kinds


def _has_no_date(known: KnownArticles, found: FoundPage) -> bool:
    return known.is_dated and not found.article.date


def _lies_behind_stop(known: KnownArticles, found: FoundPage) -> bool:
    """Without a date, what is written as the articles of such a list may be older; what is written otherwise
    is of another section."""
    if known.oldest is None:
        return False
    date = found.article.date
    return date <= known.oldest if date is not None else form_of(found.page.url) in known.forms_of_stopped


def _is_of_menu(known: KnownArticles, found: FoundPage) -> bool:
    """Where articles have no dates, what most pages lead to is the portal's own: its imprint, its terms."""
    return not known.is_dated and found.seen.pages > max(2, known.run.seen.pages // 2)


def _is_list(known: KnownArticles, found: FoundPage) -> bool:
    return known.tells_lists and known.is_list(found.page, found.article)


def _is_list_by_rules(known: KnownArticles, found: FoundPage) -> bool:
    """Articles may lead to some others, as each of the portal does."""
    return len(known.listed_on(found.page)) >= max(_FEWEST_LISTED, 2 * known.most_listed + 1)


def _is_known_by_another_address(known: KnownArticles, found: FoundPage) -> bool:
    url = first_value(found.article.metadata, "url")
    return bool(url) and is_http(url) and not is_unlisted(known.run.portal, known.run.ledger, normalise(url))


def _is_about_what_led_there(known: KnownArticles, found: FoundPage) -> bool:
    """A form to print it, a page about its author or its topic, or what it calls its own address.

    The same headline in another language is that of another article.
    """
    leading = _leading_page(known.run, found)
    article = article_of(known.run, leading)
    if article is None:
        return False
    assert leading is not None  # it was read
    if normalise(found.article.url) in map(normalise, _values(article, "url")):
        return True
    return found.article.title in _values(article, *_ABOUT) and not _differ_in_language(leading, found.page)


def _values(article: Article, *fields: str) -> list[str]:
    return [value.value for name in fields for value in article.metadata.get(name, ())]


def _shows_known_article(known: KnownArticles, found: FoundPage) -> bool:
    """A form to print it, under another headline, or a list with the texts of its entries, or their
    beginnings."""
    own = paragraphs_of(found.article) - known.shared
    near = (found.seen.via, *_led_to_beside(known.run, found), *linked_from(found.page))
    urls = dict.fromkeys(filter(known.run.ledger.is_there, near))
    texts = (_text_of(known.run, url, found.page) for url in islice(urls, _MOST_COMPARED))
    shown = own.intersection(chain.from_iterable(texts))
    return 2 * sum(map(len, shown)) > sum(map(len, own))


def _text_of(run: Run, url: str, other: Page) -> Set[str]:
    """Return the paragraphs on the pages of a known article, but of those in another language."""
    pages = [page for page in pages_of(run, url) if not _differ_in_language(page, other)]
    return frozenset[str]().union(*map(paragraphs_of, articles_of(run, pages)))


def _leading_page(run: Run, found: FoundPage) -> Page | None:
    """Return the stored page by which an address was found."""
    answer = next(iter(run.ledger.answers(Request(url=found.seen.via).key)), None)
    return page_in(run, run.stored(answer))


def _led_to_beside(run: Run, found: FoundPage) -> list[str]:
    """Return where the links before and behind the one lead by which a page was found.

    In a row of a board they are those of the thread and of its last post.
    """
    leading = _leading_page(run, found)
    urls = linked_from(leading) if leading is not None else []
    place = urls.index(found.page.url) if found.page.url in urls else len(urls)
    return urls[max(0, place - _BESIDE) : place + _BESIDE]


def _differ_in_language(page: Page, other: Page) -> bool:
    """Say whether two pages say themselves that they are in different languages, whatever the portal file
    does."""
    written = {each.tree.get("lang", "") for each in (page, other) if each.tree is not None}
    return len({language.partition("-")[0].lower() for language in written - {""}}) > 1


_AGAINST = {
    "it is no article": _is_none,
    "it is a file of another kind": _is_other_file,
    "it calls itself something else than all articles do": _calls_itself_otherwise,
    "it has no date, and all articles have one": _has_no_date,
    "it is older than a rule of the portal file lets the lists be": _lies_behind_stop,
    "most pages lead there": _is_of_menu,
    "it lists articles": _is_list,
    "the rules for lists find articles there, and more than on an article": _is_list_by_rules,
    "it names another address, which is known": _is_known_by_another_address,
    "it is the article that leads there, or about a name in it": _is_about_what_led_there,
    "it has the text of a known article that it leads to, or that leads there": _shows_known_article,
}
