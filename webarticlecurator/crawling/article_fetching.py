"""Level two: asks for every article that waits, page by page, each host at its own pace; and again for those
that may have changed."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, NamedTuple

from webarticlecurator.amounts import amount, if_any
from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal, rules_of
from webarticlecurator.corpus.events import ArticleEvent
from webarticlecurator.corpus.ledger import QueuedPage
from webarticlecurator.corpus.problems import damaged_records
from webarticlecurator.crawling.article_ways import as_read, page_of, way_on
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.requests import article_request, conditional
from webarticlecurator.crawling.run import Run, repeated
from webarticlecurator.document.decode import MAX_UNPACKED
from webarticlecurator.document.rights import rights_signals
from webarticlecurator.document.walls import is_login
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.outcome import FEWEST_GONE, NOT_THERE, FetchOutcome, PageOutcome, Verdict
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.patterns import first_in_address
from webarticlecurator.protocol.message import unpacked_body
from webarticlecurator.urls import normalise
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import StoredResponse

_MOST_GONE = 0.9
"""The share of new articles that are not there, at which the rules are doubted that made their addresses."""
_MOST_NOT_THERE = 3
"""Articles that are not there, and that are kept as examples."""
FEW_CHANGED = 20
"""So many may be all there are. Where there are more, they are most of the articles, and most of them changed
in one minute or just now, `lastmod` says when the list was made: then no more than these are asked for in one
crawl."""


def crawl_waiting(run: Run) -> None:
    """Fetch the articles that wait; and, where all are wanted, those that stand whole on index pages."""
    ledger, crawl, summary = run.ledger, ArticleCrawl(run), run.summary
    crawl.crawl(ledger.queues("waiting", run.number, run.since))
    summary.failures += _wrong_addresses(run, crawl.answers["gone"])
    if (number := crawl.to_others.total()) >= 3:
        led = f"{number:,} listed addresses redirect to articles that are listed by another one, too, such as"
        same = (
            "if it is the same article in the list, `articles.identity` can make them one; else it is missing"
        )
        summary.remarks.append(f"{led} {next(iter(crawl.to_others))}: {same}")
    if run.portal.reads_index_pages and run.portal.articles.fetch == "all":
        ArticleCrawl(run).crawl(ledger.queues("whole posts", run.number))


def _wrong_addresses(run: Run, gone: int) -> Iterator[str]:
    """Say that nearly all new articles of an older corpus are not there."""
    summary = run.summary
    look = (
        "if a browser shows them at another address, look at `link`, and at `replace` and `drop_params` "
        "under `archive: urls`"
    )
    if gone >= max(FEWEST_GONE, _MOST_GONE * (gone + summary.fetched)):
        new = amount(gone + summary.fetched, "new article")
        run.are_new_gone = True
        yield f"{gone:,} of {new} are not there, such as {summary.gone_such_as}; {look}"


def crawl_recent(run: Run, since: datetime) -> None:
    """--recheck: fetched articles that were first seen since then."""
    run.ask_again()
    crawl = ArticleCrawl(run)
    crawl.crawl(run.ledger.queues("recent", run.number, since))
    run.summary.asked_again.append(
        f"{amount(crawl.asked, 'article')} asked for again: {crawl.answers_in_words()}"
    )


def crawl_damaged(run: Run) -> None:
    """Articles, and archive pages with posts on them, that a build found damaged in the store: asked for as
    if they were new."""
    damaged = damaged_records(run.corpus)
    if not damaged:
        return
    for url in run.ledger.damaged_archive_pages([record for _, record in damaged]):
        run.keep_look(run.source.fetch(Request(url=url)))
        run.summary.failures.append(
            f"the archive page {url} is damaged in the WARC files; it was asked for again: a build reads "
            "what came"
        )
    pages = run.ledger.damaged(damaged, run.number)
    if not pages:
        return
    crawl = _asked_as_if_new(run, pages)
    stored = amount(
        len(pages), "article is damaged in the WARC files", "articles are damaged in the WARC files"
    )
    run.summary.failures.append(
        f"a page of {stored}, such as that of {pages[0].url}; {crawl.asked:,} asked for again: a build makes "
        "their documents of what came"
    )


def crawl_changed(run: Run) -> None:
    """Articles that were changed after their last capture, by the `lastmod` of what lists them: asked for as
    --recheck does, but whole; a new version is kept beside the old one."""
    changed, alike, dated = run.ledger.count_changed(run.number)
    if not changed:
        return
    doubtful = changed > FEW_CHANGED and 2 * changed > dated and 2 * alike > changed
    most = FEW_CHANGED if doubtful else 10_000  # the others wait for the next crawl
    crawl = _asked_as_if_new(run, run.ledger.changed(run.number, most))
    articles = amount(
        changed,
        "article has changed by the `lastmod` of its listing",
        "articles have changed by the `lastmod` of their listing",
    )
    sentence = f"{articles}: {crawl.asked:,} asked for again, {crawl.answers_in_words()}"
    if changed > crawl.asked:
        why = (
            ", since so many at one time are rather the list's; a recheck of a hundred years asks for all"
            if doubtful
            else ""
        )
        sentence += f"; the other {changed - crawl.asked:,} wait for the next crawl{why}"
    run.summary.asked_again.append(sentence)


def _asked_as_if_new(run: Run, pages: Iterable[QueuedPage]) -> ArticleCrawl:
    """Ask for stored articles as if nothing of them were stored."""
    by_host: dict[str, deque[QueuedPage]] = defaultdict(deque)
    for page in pages:
        by_host[page.host].append(page)
    run.ask_again()
    crawl = ArticleCrawl(run, whole=True)
    crawl.crawl({host: iter(of_host) for host, of_host in by_host.items()})
    return crawl


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The meaning of an answer."""

    verdict: Verdict
    capture: Capture | None = None
    """The answer, where it is a page, or says that there is no newer one."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of its event."""


@dataclass(slots=True)
class ArticleCrawl:
    """Articles of one run of one portal."""

    run: Run
    whole: bool = False
    """An article that is asked for again is asked for as if it were new, since another page says that it has
    changed: some servers know nothing of that, and would answer that it has not."""
    asked: int = 0
    answers: Counter[str] = field(default_factory=lambda: Counter(asked=0, other_bytes=0, gone=0))
    """`asked`, `other_bytes` than before, `gone`."""
    to_others: Counter[str] = field(default_factory=Counter)
    """The first address that redirects to an article that lists name by another one, and where -> how many
    there are."""
    _requests: ParallelRequests[tuple[QueuedPage, StoredResponse | None, tuple[str, ...]]] = field(init=False)
    """Each for a page; with the stored answer to the same request, and the pages of the article so far, the
    last of them is this one."""
    _whole_posts: Callable[[str], Mapping[str, int]] = field(init=False)
    """Index page -> identities of the whole posts on it, and their lengths."""
    _probed: set[int] = field(default_factory=set)
    _identities: set[str] = field(default_factory=set)
    _followups: dict[str, deque[tuple[QueuedPage, tuple[str, ...]]]] = field(
        default_factory=lambda: defaultdict(deque)
    )
    """Host -> next pages of articles that have begun, each with the pages before it: they go first."""
    _deferred: dict[str, dict[tuple[str, QueuedPage], None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """Article on its way -> other addresses of the same identity, each with its host."""

    def __post_init__(self) -> None:
        self._whole_posts = lru_cache(8)(partial(whole_posts, self.run))  # one after the other, on each host

    def crawl(self, queues: Mapping[str, Iterator[QueuedPage]]) -> None:
        """Empty the queues: host -> its pages."""
        with self.run.requests() as self._requests, self.run.recorder.together(Series.ARTICLES):
            for host, (page, older, asked), fetched in self._requests.answers(
                partial(self._fill, queues), self._look
            ):
                if fetched.verdict.outcome is not FetchOutcome.QUEUED:
                    meaning = self.run.guarded(
                        page.asked, partial(self._understand, fetched, page, older, asked), _Meaning
                    )
                    self._write(page, fetched, meaning, older)
                    if (following := meaning.told.get("next")) is not None:
                        self._followups[host].appendleft(
                            (replace(page, asked=following, part=page.part + 1), asked)
                        )
                        continue
                self._identities.discard(page.identity)
                for other_host, other in self._deferred.pop(page.identity, ()):
                    self._followups[other_host].append((other, ()))
        if self.run.again:
            self.run.summary.asked_again_counts.update(self.answers)

    def _look(self) -> None:
        """Store the answers so far, unless more of them wait to be stored with them; tell of what is
        stored."""
        if not self._requests.has_answer:
            self.run.recorder.settle()
        if self.run.recorder.is_settled:
            self.run.show()

    def _fill(self, queues: Mapping[str, Iterator[QueuedPage]]) -> None:
        for host, pages in queues.items():
            while self._may_ask(host):
                following = self._following(host, pages)
                if following is None:
                    break
                page, asked = following
                is_alarmed = self.run.watches[host].alarm is not None
                if not (is_alarmed or asked) and page.id in self._probed:
                    continue
                if not self._ask(host, page, asked) and is_alarmed:
                    break  # else the same page would be probed for ever

    def _may_ask(self, host: str) -> bool:
        """Say whether one more page of a host may be asked for now."""
        return not first_reason(_NO_ROOM, _HostOfCrawl(self, host))

    def has_room(self, host: str) -> bool:
        """Say whether a host takes one more request; after a block it is one at a time."""
        is_alarmed = self.run.watches[host].alarm is not None
        return self._requests.room(host) > 0 and not (is_alarmed and self._requests.busy[host])

    def has_begun(self, host: str) -> bool:
        """Say whether next pages of articles that have begun wait for a host."""
        return bool(self._followups[host])

    def _following(self, host: str, pages: Iterator[QueuedPage]) -> tuple[QueuedPage, tuple[str, ...]] | None:
        """Return the page to ask for next, with the pages of the same article before it."""
        if self.run.watches[host].alarm is not None and not self.run.again:
            # from the far end of the queue, to see whether the whole host keeps us out
            probe = self.run.ledger.furthest(host, self.run.number, self.run.since)
            if probe is not None:
                self._probed.add(probe.id)
                return probe, ()
        if self._followups[host]:
            return self._followups[host].popleft()
        page = next(pages, None)
        return (page, ()) if page is not None else None

    def _ask(self, host: str, page: QueuedPage, asked: tuple[str, ...]) -> bool:
        """Ask for a page; gives whether it is on its way, or needs not be asked."""
        if asked:
            self._submit(host, page, asked)
            return True
        return self._begin(host, page)

    def _begin(self, host: str, page: QueuedPage) -> bool:
        """Ask for an article, or for the next page of one that an earlier crawl began; gives the same."""
        if page.identity in self._identities:
            self._deferred[page.identity].setdefault((host, page))
            return False
        if self._needs_no_request(page):
            return True
        if self.run.asked == self.run.options.limit:
            self.run.limited = True
            return False
        self.run.asked += 1
        self.asked += 1
        self._identities.add(page.identity)
        pages_before = self.run.ledger.stored_pages(page.id)[: page.part - 1] if page.part > 1 else ()
        self._submit(host, page, pages_before)
        return True

    def _submit(self, host: str, page: QueuedPage, pages_before: Sequence[str]) -> None:
        request, older = self._request(page)
        self.run.doing = host
        self._requests.submit(host, (page, older, (*pages_before, page.asked)), request)

    def _needs_no_request(self, page: QueuedPage) -> bool:
        """Write down what is known of a page before anyone is asked, if that is enough."""
        with Budget():
            known = self.run.guarded(page.asked, lambda: self._without_asking(page), _Meaning)
        if known is None:
            return False
        # what is stored of a refused one stays
        if not self.run.again or known.verdict.outcome is not FetchOutcome.REFUSED:
            self._write(page, Fetched(request=Request(url=page.asked), verdict=known.verdict), known)
        return True

    def _request(self, page: QueuedPage) -> tuple[Request, StoredResponse | None]:
        """Return the request for a page, and the stored answer that the new one may be the same as."""
        request = article_request(self.run.portal, page.asked, page.identity, first=page.part == 1)
        older = self.run.ledger.latest_response(request.key, article=page.id) if page.is_stored else None
        if older is None or not self.run.again:
            return request, older
        before = self.run.stored(older)
        if (
            before is None
        ):  # what comes is stored whole: nothing that says only "as before" may lean on a damaged record
            return request, None
        may_be_conditional = older.kind == "response" and request.rendering is None
        return conditional(request, before) if may_be_conditional and not self.whole else request, older

    def _without_asking(self, page: QueuedPage) -> _Meaning | None:
        """Return what is known of a URL before anyone is asked."""
        if page.part > 1:
            return None
        duplicate = None if self.run.again else self._duplicate(page)
        if duplicate is not None:
            return duplicate
        pattern = first_in_address(self.run.portal.articles.skip.url, page.url)
        return (
            _Meaning(Verdict(FetchOutcome.REFUSED, f"articles.skip.url: {pattern.text}")) if pattern else None
        )

    def _duplicate(self, page: QueuedPage) -> _Meaning | None:
        """Say where the same article was fetched, or stands whole."""
        elsewhere = self.run.ledger.fetched_elsewhere(page)
        if elsewhere is not None:
            return _Meaning(Verdict(FetchOutcome.DUPLICATE, f"the same article was fetched as {elsewhere}"))
        truncated = self.run.portal.articles.fetch == "truncated"
        if truncated and page.via and page.identity in self._whole_posts(page.via):
            return _Meaning(
                Verdict(FetchOutcome.DUPLICATE, f"the whole post stands on {page.via}"),
                told={"whole_post": True},
            )
        return None

    def _understand(
        self, fetched: Fetched, page: QueuedPage, older: StoredResponse | None, asked: tuple[str, ...]
    ) -> _Meaning:
        fetched = _without_lacking_data(fetched)
        verdict = self.run.verdict_of(fetched, article=True)
        capture = fetched.capture if verdict.outcome is FetchOutcome.FETCHED else None
        rights = _rights(fetched) or None
        if capture is None:
            return _Meaning(verdict, None, {"rights": rights})
        came = _Came(capture, page.asked, older, self.run.portal)
        why = first_reason(_NO_VERSION if self.run.again else _NO_ARTICLE, came)
        if why:  # it was an article before, or may be one for others
            return _Meaning(Verdict(FetchOutcome.GONE if self.run.again else FetchOutcome.ERROR, why))
        self._note_another(capture, page)
        body = unpacked_body(capture, MAX_UNPACKED)
        self.run.seen.take_article(body, capture.url, page.url, is_first=page.part == 1)
        way = way_on(self.run, capture, body, older, page, asked)
        return _Meaning(verdict, capture, {**way, "rights": rights})

    def _note_another(self, capture: Capture, page: QueuedPage) -> None:
        """Count an article that redirects to what is known as another one."""
        final = normalise(capture.url)
        if page.part > 1 or final == normalise(page.asked):
            return
        another = self.run.ledger.known_as_another(final, identity_of(final, self.run.portal), page)
        if another is not None:
            self.to_others[next(iter(self.to_others), f"{page.url} to {another}")] += 1

    def _write(
        self, page: QueuedPage, fetched: Fetched, meaning: _Meaning, older: StoredResponse | None = None
    ) -> None:
        verdict = meaning.verdict
        limit = fetched.shown.limit if verdict.outcome is FetchOutcome.FETCHED else None
        reason = verdict.reason
        if limit is not None:
            reason = f"{reason}; perhaps shown in part: {limit}"
            self.run.in_part[next(iter(self.run.in_part), f"{fetched.request.url} ({limit})")] += 1
        event = ArticleEvent(
            **self.run.recorder.stamp(),
            url=page.url,
            asked=page.asked,
            request=fetched.request.key,
            part=page.part,
            again=self.run.again,
            outcome=verdict.outcome,
            reason=reason,
            **meaning.told,
            via=page.via,
        )
        same = repeated(older, meaning.capture)
        if page.part == 1:
            is_gone = verdict.outcome is FetchOutcome.GONE
            self.answers.update(
                asked=1, other_bytes=meaning.capture is not None and same is None, gone=is_gone
            )
            if is_gone:
                self._note_gone(page, verdict.reason)
        if fetched.fault and fetched.exchanges:  # a failure that is stored already
            self.run.recorder.write(Series.ARTICLES, page.url, event)
        else:
            self.run.recorder.write_fetched(Series.ARTICLES, fetched, event, revisit_of=same)
        if meaning.told.get("next") is None:
            self.run.count(verdict.outcome)

    def _note_gone(self, page: QueuedPage, reason: str) -> None:
        """Count an article that is not there, and keep a few of those that were never stored."""
        run, summary = self.run, self.run.summary
        summary.gone += 1
        summary.gone_such_as = summary.gone_such_as or f"{page.url} ({reason})"
        if not page.is_stored:
            summary.not_there += 1
            if len(run.not_there) < _MOST_NOT_THERE:
                run.not_there.append(page)

    def answers_in_words(self) -> str:
        """Return what became of articles that were asked for once more; those that are gone are told of
        all."""
        other = self.answers["other_bytes"]
        where = if_any(
            other, " (perhaps only around the article: after a build, `curator status` counts changed texts)"
        )
        return f"{other:,} of them with other bytes than before{where}"


class _Came(NamedTuple):
    """An answer to the request for a page of an article."""

    capture: Capture
    asked: str
    older: StoredResponse | None
    portal: Portal

    @property
    def is_elsewhere(self) -> bool:
        return normalise(self.capture.url) != normalise(self.asked)


def _is_login(came: _Came) -> bool:
    return came.is_elsewhere and is_login(came.capture, came.asked)


def _is_home(came: _Came) -> bool:
    return came.is_elsewhere and normalise(came.capture.url) == normalise(came.portal.home)


def _is_no_article(came: _Came) -> bool:
    if repeated(came.older, came.capture) is not None:
        return False
    page = page_of(came.capture, came.portal)
    return isinstance(page, Page) and as_read(page, came.portal).outcome is PageOutcome.NOT_ARTICLE


_NO_ARTICLE: tuple[Check[_Came], ...] = (Check("it redirects to a login page", _is_login),)
"""Why what came is not the article that was asked for."""
_NO_VERSION: tuple[Check[_Came], ...] = (
    *_NO_ARTICLE,
    Check("it redirects to the home page", _is_home),
    Check(NOT_THERE, _is_no_article),
)
"""Why it is no other version of a stored one."""


class _HostOfCrawl(NamedTuple):
    """A host that may be asked for one more page."""

    crawl: ArticleCrawl
    host: str


_NO_ROOM: tuple[Check[_HostOfCrawl], ...] = (
    Check("a person has stopped the crawl", lambda asked: asked.crawl.run.stopped),
    Check("the host is closed", lambda asked: asked.crawl.run.watches[asked.host].closed is not None),
    Check(
        "as many requests as it takes are on their way", lambda asked: not asked.crawl.has_room(asked.host)
    ),
    Check(
        "all that may be begun have begun",
        lambda asked: asked.crawl.run.limited and not asked.crawl.has_begun(asked.host),
    ),
)
"""Why no more pages of a host are asked for now."""


def whole_posts(run: Run, page: str) -> dict[str, int]:
    """The identities of posts that stand whole on a stored index page, and how long they are there."""
    from webarticlecurator.extraction.index_posts import index_page_of  # few crawls have a need of it

    def posts() -> Iterator[tuple[str, int]]:
        column = rules_of(run.portal, run.ledger.column_of_page(page))
        for response in run.ledger.latest_responses(
            Request(url=page).key, most=5
        ):  # what slid to the next page stood there before
            capture = run.stored(response)
            index = (
                index_page_of(capture, run.portal, column) if capture is not None else NoPage("it is damaged")
            )
            if not isinstance(index, NoPage):
                yield from (
                    (identity, post.characters) for identity, post in index.by_identity.items() if post.whole
                )

    return run.guarded(page, lambda: dict(posts()), lambda _: {})


def _without_lacking_data(fetched: Fetched) -> Fetched:
    """Return the answer as an error where data of the article may still be had: it is no article yet."""
    if fetched.shown.lack is None or fetched.capture is None:
        return fetched
    reason = (
        f"{fetched.shown.lack}; where the article is whole without it, name what is enough in "
        "`articles.fetch.wait`"
    )
    return replace(fetched, verdict=Verdict(FetchOutcome.ERROR, reason), capture=None)


def _rights(fetched: Fetched) -> dict[str, str]:
    """Return what the answer, and the robots.txt of its host, say of what may be done with the article."""
    own = {"robots.txt": "disallowed"} if fetched.disallowed else {}
    capture = fetched.capture
    if capture is None:
        return own
    if capture.is_rendered and fetched.exchanges:
        capture = replace(capture, headers=(*fetched.exchanges[-1].headers, *capture.headers))
    return {**rights_signals(capture), **own}
