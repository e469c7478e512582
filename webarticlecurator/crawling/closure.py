"""Is every address that the crawl has seen, and that is written like an article's, somewhere in its lists?

Of each form of such addresses a few are asked for, once, and read as builds read them. Where one is an article of the portal, the portal
has more than its columns list: a gap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from itertools import chain, islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Column
from webarticlecurator.corpus.events import FormState, ProofGround, SeenEvent
from webarticlecurator.corpus.ledger_walks import EarlierWalks
from webarticlecurator.corpus.seen_addresses import SeenAddress, SeenForm, is_unlisted, missing_articles
from webarticlecurator.crawling.further_pages import ask_further_pages, paragraphs_of
from webarticlecurator.crawling.looks import article_of, look, page_in, pages_of, stored_pages
from webarticlecurator.crawling.requests import article_request
from webarticlecurator.crawling.run import Run
from webarticlecurator.dates import latest_moment
from webarticlecurator.extraction.address_forms import form_of
from webarticlecurator.extraction.article_pages import linked_from
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.http.message import mime_of
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.model.article import Article, Block, Inline, first_value, plain_text
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.urls import is_http, normalise
from webarticlecurator.warc.store import Series

MOST_OF_COLUMN = 12
"""Addresses asked for, of each column and crawl."""
MOST_OF_FORM = 3
_MOST_KEPT = 20
"""Addresses of a form that the ledger keeps."""
_ROUNDS = 3
"""What is asked for may lead to further forms."""
_ABOUT = ("headline", "author", "articleSection", "keywords")
_MOST_BEFORE = 10
"""The share of a text, one of so many, that may stand before the first entry of a list."""
_BESIDE = 3
"""Links on either side of one."""
_MOST_COMPARED = 6
"""Known articles whose text is compared with that of a page which leads to them."""
_SAMPLE = 5
"""Articles that show what all articles of the portal have."""


def close(run: Run) -> Iterator[str]:
    """Ask of each form a few, and write down what they are; give what is left open for the next crawl.

    While lists are not read to their end, what they do not name yet may stand on what is left of them: then nobody is asked.
    """
    run.seen.learn()
    summary = run.summary
    is_read = not (summary.failures or summary.drift or summary.incomplete or summary.blocked)
    asking = _Asking(run, MOST_OF_COLUMN * len(run.columns) if is_read else 0)
    for most in (1, MOST_OF_FORM, MOST_OF_FORM):  # one of each first; and what is asked for may lead to further forms
        for form in _in_order(run):
            asking.decide(form, most)
    if is_read and not run.options.offline:
        ask_further_pages(run)
    _write(run)
    if is_read and (unasked := [form for _, form in run.seen.unlisted() if form.state is FormState.UNASKED and run.seen.to_ask(form)]):
        addresses = amount(sum(form.number for form in unasked), "address that is", "addresses that are")
        yield f"{addresses} written like an article's, such as {next(iter(unasked[0].addresses))}: the next crawl asks what they are"


def gaps(run: Run) -> list[str]:
    """Return what pages lead to, is an article, and stands in no list, in words."""
    return list(map(str, missing_articles(run.portal, run.ledger)))


def _in_order(run: Run) -> list[SeenForm]:
    """Return the forms that may hide articles, those first that the fewest words speak against, and of these the largest."""
    forms = [form for _, form in run.seen.unlisted() if form.is_open and run.seen.to_ask(form)]
    return sorted(forms, key=lambda form: (link_kind(next(iter(form.addresses))) is not None, -form.number))


def _write(run: Run) -> None:
    """Write down what is known now, where that is something new."""
    kept = []
    for name, form in (*run.seen.unlisted(), *run.seen.further.items()):
        addresses = tuple((url, *seen) for url, seen in list(form.addresses.items())[:_MOST_KEPT])
        kept.append((name, form.number, form.state, addresses))
    if run.seen.has_changed(kept):
        event = SeenEvent(pages=run.seen.pages, forms=tuple(kept), **run.recorder.stamp())
        run.recorder.write(Series.ARCHIVE, run.portal.home, event)


@dataclass(slots=True)
class _Asking:
    """Asks for addresses while there is room."""

    run: Run
    left: int
    """Requests that may still be made."""
    _made_like: _MadeLike = field(init=False)
    _answers: dict[str, bool | None] = field(default_factory=dict)
    """What was found out in this crawl."""

    def __post_init__(self) -> None:
        self._made_like = _MadeLike(self.run)

    def decide(self, form: SeenForm, most: int) -> None:
        """Ask for addresses of a form until one is an article, or so many are none."""
        answered = 0
        for url in self.run.seen.to_ask(form):
            if answered == most:
                break
            if url not in self._answers:
                self._answers[url] = self._ask(url, form.addresses[url])
            is_article = self._answers[url]
            if is_article:
                form.state, form.addresses = FormState.ARTICLES, {url: form.addresses[url], **form.addresses}
                return
            answered += is_article is not None
        if answered:
            form.state, form.asked, form.asked_of = FormState.OTHERS, max(form.asked, answered), form.number

    def _ask(self, url: str, seen: SeenAddress) -> bool | None:
        """Whether an address is an article of the portal; None: nobody may be asked."""
        request = article_request(self.run.portal, url, identity_of(url, self.run.portal), first=True)
        is_new = not self.run.ledger.answers(request.key)
        if is_new and (self.left == 0 or self.run.options.offline or self.run.stopped):
            return None
        self.left -= is_new
        capture = look(self.run, request)
        if capture is None or not is_unlisted(self.run.portal, self.run.ledger, normalise(capture.url)):
            return False
        self.run.seen.take_page(capture)
        page = page_in(self.run, capture)
        article = article_of(self.run, page) if page is not None else None
        if page is None or article is None:
            return False
        if self._is_newer_than_crawl(article):
            return None
        return self._made_like.reason_against(_Found(page, article, seen)) is None

    def _is_newer_than_crawl(self, article: Article) -> bool:
        """Whether it was published since the crawl began: then the next one lists it."""
        moment = latest_moment(article.date) if article.date is not None and ":" in article.date else None
        return moment is not None and moment >= self.run.began


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands at an address that was asked for."""

    page: Page
    article: Article
    seen: SeenAddress


@dataclass(slots=True)
class _MadeLike:
    """Tells an article from what else stands at an address like an article's, by what all articles of the portal have."""

    run: Run
    usual: Set[PageOutcome] = field(init=False)
    """What known articles are as they are read: the general reader may take those of a portal for something else."""
    is_dated: bool = field(init=False)
    """All known articles say when they were published."""

    oldest: str | None = field(init=False)
    """The date of the oldest article before which a person's rule stops the lists; None: no rule does."""
    tells_lists: bool = field(init=False)
    """No known article begins as a list of others does."""
    forms: Set[str] = field(init=False)
    """How the addresses of known articles are written."""
    types: Set[str] = field(init=False)
    """Of the files in which known articles stand."""
    shared: Set[str] = field(init=False)
    """Paragraphs that stand in several known articles."""

    def __post_init__(self) -> None:
        known = [url for column in self.run.columns for url in self.run.ledger.listed_by(column.name, _SAMPLE)]
        pages = stored_pages(self.run, known[:: max(1, len(known) // _SAMPLE)])
        read = [(page, article) for page in pages if (article := article_of(self.run, page)) is not None]
        articles = [article for _, article in read]
        paragraphs = Counter(chain.from_iterable(map(paragraphs_of, articles)))
        self.shared = {paragraph for paragraph, number in paragraphs.items() if number > 1}
        self.forms = set(map(form_of, known))
        self.types = {mime_of(page.headers) for page, _ in read}
        self.tells_lists = not any(self.is_list(page, article) for page, article in read)
        outcomes = Counter(article.outcome for article in articles)
        self.usual = frozenset(outcome for outcome, number in outcomes.items() if 2 * number >= len(articles)) or {PageOutcome.ARTICLE}
        usual = [article for article in articles if article.outcome in self.usual]
        self.is_dated = bool(usual) and all(article.date for article in usual)
        oldest = map(self._oldest_of, filter(self._is_stopped, self.run.columns))
        self.oldest = min(oldest, default=None)

    def _is_stopped(self, column: Column) -> bool:
        is_stopped = EarlierWalks.of(self.run.ledger, column).ended_on(ProofGround.STOP_RULE)
        return is_stopped or (column.dates is not None and any(days.start is not None for days in column.dates.ranges))

    def _oldest_of(self, column: Column) -> str:
        last = stored_pages(self.run, self.run.ledger.listed_by(column.name, _SAMPLE, last=True))
        return min((read.date for page in last if (read := article_of(self.run, page)) and read.date), default="")

    def is_list(self, page: Page, article: Article) -> bool:
        """Whether headlines that lead to other articles of the portal part a text from its beginning on."""
        before = 0
        for block in article.blocks:
            url = _leads_to(block)
            if url is not None and not page.is_at(url) and not is_unlisted(self.run.portal, self.run.ledger, normalise(url)):
                return before * _MOST_BEFORE <= article.extent.characters
            before += len(plain_text(block)) if block.type != "heading" else 0
        return False

    def reason_against(self, found: _Found) -> str | None:
        """Return why it is no article of the portal that is missing; None: it is one."""
        return next((reason for reason, holds in _AGAINST.items() if holds(self, found)), None)


def _leads_to(block: Block) -> str | None:
    """Return where a heading leads that is a link from end to end."""
    link = block.children[0] if block.type == "heading" and len(block.children) == 1 else None
    return link.url if isinstance(link, Inline) and link.type == "link" else None


def _is_none(known: _MadeLike, found: _Found) -> bool:
    return found.article.outcome not in known.usual


def _is_other_file(known: _MadeLike, found: _Found) -> bool:
    """The source that an article was made from, a calendar's entry."""
    return bool(known.types) and mime_of(found.page.headers) not in known.types


def _has_no_date(known: _MadeLike, found: _Found) -> bool:
    return known.is_dated and not found.article.date


def _lies_behind_stop(known: _MadeLike, found: _Found) -> bool:
    """Without a date, what is written as the articles of the lists may be older; what is written otherwise is of another section."""
    if known.oldest is None:
        return False
    date = found.article.date
    return date <= known.oldest if date is not None else form_of(found.page.url) in known.forms


def _is_of_menu(known: _MadeLike, found: _Found) -> bool:
    """Where articles have no dates, what most pages lead to is the portal's own: its imprint, its terms."""
    return not known.is_dated and found.seen.pages > max(2, known.run.seen.pages // 2)


def _is_list(known: _MadeLike, found: _Found) -> bool:
    return known.tells_lists and known.is_list(found.page, found.article)


def _is_known_by_another_address(known: _MadeLike, found: _Found) -> bool:
    url = first_value(found.article.metadata, "url")
    return bool(url) and is_http(url) and not is_unlisted(known.run.portal, known.run.ledger, normalise(url))


def _is_about_what_led_there(known: _MadeLike, found: _Found) -> bool:
    """A form to print it, a page about its author or its topic, or what it calls its own address.

    The same headline in another language is that of another article.
    """
    answer = next(iter(known.run.ledger.answers(Request(url=found.seen.via).key)), None)
    leading = page_in(known.run, known.run.stored(answer)) if answer is not None else None
    article = article_of(known.run, leading) if leading is not None else None
    if leading is None or article is None:
        return False
    if normalise(found.article.url) in [normalise(value.value) for value in article.metadata.get("url", ())]:
        return True
    names = [value.value for name in _ABOUT for value in article.metadata.get(name, ())]
    return found.article.title in names and not _differ_in_language(leading, found.page)


def _shows_known_article(known: _MadeLike, found: _Found) -> bool:
    """A form to print it, under another headline, or a list with the whole text of its only entry."""
    own = paragraphs_of(found.article) - known.shared
    near = (found.seen.via, *_led_to_beside(known.run, found), *linked_from(found.page))
    urls = dict.fromkeys(filter(known.run.ledger.is_there, near))
    return any(_has_text(known.run, url, own, found.page) for url in islice(urls, _MOST_COMPARED))


def _has_text(run: Run, url: str, paragraphs: Set[str], other: Page) -> bool:
    """Whether most of these paragraphs stand on the pages of a known article, in the same language."""
    pages = [page for page in pages_of(run, url) if not _differ_in_language(page, other)]
    articles = [article for page in pages if (article := article_of(run, page)) is not None]
    text = frozenset[str]().union(*map(paragraphs_of, articles))
    return 2 * len(paragraphs & text) > len(paragraphs)


def _led_to_beside(run: Run, found: _Found) -> list[str]:
    """Return where the links before and behind the one lead by which a page was found.

    In a row of a board they are those of the thread and of its last post.
    """
    answer = next(iter(run.ledger.answers(Request(url=found.seen.via).key)), None)
    leading = page_in(run, run.stored(answer)) if answer is not None else None
    urls = linked_from(leading) if leading is not None else []
    place = urls.index(found.page.url) if found.page.url in urls else len(urls)
    return urls[max(0, place - _BESIDE) : place + _BESIDE]


def _differ_in_language(page: Page, other: Page) -> bool:
    """Whether two pages say themselves that they are in different languages, whatever the portal file does."""
    written = [each.tree.get("lang") or "" for each in (page, other) if each.tree is not None]
    return len({language.partition("-")[0].lower() for language in written if language}) > 1


_AGAINST = {
    "it is no article": _is_none,
    "it is a file of another kind": _is_other_file,
    "it has no date, and all articles have one": _has_no_date,
    "it is older than a rule of the portal file lets the lists be": _lies_behind_stop,
    "most pages lead there": _is_of_menu,
    "it lists articles": _is_list,
    "it names another address, which is known": _is_known_by_another_address,
    "it is the article that leads there, or about a name in it": _is_about_what_led_there,
    "it has the text of a known article that it leads to, or that leads there": _shows_known_article,
}
