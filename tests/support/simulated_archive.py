"""An archive that exists only in memory, and walks over it that are recorded in a real ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from webarticlecurator.config.portal import Column, Order, Paging, PagingMode, StopRules
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.corpus.earlier_walks import EarlierWalks
from webarticlecurator.corpus.events import ArchivePlace, EndKind, PageEvent, PageResult, WalkEndEvent
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.paging import WALKS
from webarticlecurator.crawling.walk_steps import ArchiveAnswer, Note, WalkEnd
from webarticlecurator.model.links import ArchivePage, ArticleLink, Stated
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.rendering import Rendering, Scrolling

GOOD = Verdict(FetchOutcome.FETCHED, "HTTP 200")
BROKEN = Verdict(FetchOutcome.ERROR, "HTTP 500")
GONE = Verdict(FetchOutcome.GONE, "HTTP 404")


@dataclass
class SimulatedArchive:
    """A column of a portal: articles in listing order, so many to a page."""

    mode: PagingMode = PagingMode.INFINITE
    order: Order = Order.NEWEST_FIRST
    page_size: int = 5
    sidebar: int = 0
    """Links that stand on every page, whatever it lists; a step shows only what is new."""
    known_pages: int | None = 3
    broken: set[int] = field(default_factory=set)
    """Indexes of pages that answer 500."""
    ends_with_404: bool = False
    fixed_last: int | None = None
    stated: int | None = None
    """How many articles the first page says that there are."""
    counter: int | None = None
    """How many articles each page says that there are, beside how many were shown so far."""
    most_steps: int = 200
    tells_end: bool = True
    """A page that grows says when it grows no more."""
    articles: list[int] = field(default_factory=list)
    """Oldest first."""
    published: int = 0
    asked: list[str] = field(default_factory=list)
    before_each: Callable[[SimulatedArchive], None] | None = None
    """Called before each request: what happens to the archive meanwhile."""

    def publish(self, number: int) -> None:
        for _ in range(number):
            self.published += 1
            self.articles.append(self.published)

    def remove(self, *articles: int) -> None:
        self.articles = [one for one in self.articles if one not in articles]

    def column(self) -> Column:
        last = self.fixed_last if self.fixed_last is not None else _ANY_PICK
        return Column(
            name="news",
            template=UrlTemplate.parse(f"https://pelda.example/hirek/{'' if self.mode.in_steps else '{page}'}"),
            paging=Paging(mode=self.mode, last=last if self.mode is PagingMode.NUMBERED else None, order=self.order),
            stop=StopRules(known_pages=self.known_pages),
            rendering=Rendering(scroll=Scrolling(most=self.most_steps), steps="scroll") if self.mode.in_steps else None,
        )

    def answer(self, place: ArchivePlace) -> ArchiveAnswer:
        if self.before_each is not None:
            self.before_each(self)
        self.asked.append(place.url)
        index = place.index if self.mode.in_steps else int(place.url.rsplit("/", 1)[1]) - 1
        if index in self.broken:
            return ArchiveAnswer(BROKEN, place.url, None)
        listing = self.articles if self.order is Order.OLDEST_FIRST else self.articles[::-1]
        if self.mode is PagingMode.NONE:
            shown, pages = listing, 1
        else:
            shown = listing[index * self.page_size : (index + 1) * self.page_size]
            pages = -(-len(listing) // self.page_size)
        if not shown and self.ends_with_404 and not self.mode.in_steps:
            return ArchiveAnswer(GONE, place.url, None)
        links = [_link(article) for article in shown]
        links += [_link(-number) for number in range(1, self.sidebar + 1) if index == 0 or not self.mode.in_steps]
        more = f"https://pelda.example/hirek/{index + 2}" if self.mode is PagingMode.NEXT_LINK and index + 1 < pages else None
        last = pages if self.mode is PagingMode.NUMBERED else None
        stated = (Stated(f"{self.stated} articles", None, self.stated, items=True),) if self.stated is not None and index == 0 else ()
        if self.counter is not None:
            here = min((index + 1) * self.page_size, len(listing))
            stated = (Stated(f"{here} / {self.counter}", here, self.counter),)
        end = "nothing new after 3 attempts" if self.mode.in_steps and not shown and self.tells_end else None
        return ArchiveAnswer(GOOD, place.url, ArchivePage(articles=tuple(links), next_url=more, last_page=last, stated=stated), end)


_ANY_PICK = None
_KILLED = WalkEnd(kind=EndKind.INTERRUPTED, reason="killed")


def _link(article: int) -> ArticleLink:
    url = f"https://pelda.example/cikk/{article}"
    return ArticleLink(url=url, identity=url)


@dataclass
class WalkingCrawl:
    """Walks a simulated archive, run after run, as `crawling.archive` does."""

    archive: SimulatedArchive
    folder: Path
    ledger: Ledger = field(init=False)
    _seq: int = 0
    _run: int = 0
    _span: int = 0

    def __post_init__(self) -> None:
        self.ledger = Ledger.open(self.folder / "ledger.sqlite")

    def found(self) -> set[int]:
        return {int(url.rsplit("/", 1)[1]) for (url,) in self.ledger.rows("SELECT url FROM urls")}

    def walk(self, *, interrupt_after: int | None = None, kill_after: int | None = None, full: bool = False) -> WalkEnd:
        """One run; interrupted, or killed without a word, when so many pages have been read."""
        self._run += 1
        walk_id = self.ledger.last_walk() + 1
        self._span = self.ledger.last_span()
        walk = WALKS[self.archive.mode](
            column=self.archive.column(),
            home="https://pelda.example/",
            earlier=EarlierWalks(self.ledger, "news", "", None, walk_id),
            new_span=self._new_span,
            full=full,
        )
        steps = walk.run()
        place, pages = next(steps).next, 0
        while not isinstance(place, WalkEnd):
            answer = self.archive.answer(place)
            pages += 1
            step = steps.send(answer)
            assert step.note is not None
            self._record(walk_id, place, answer, step.note)
            if pages == kill_after:
                return _KILLED
            place = step.next
            if pages == interrupt_after and not isinstance(place, WalkEnd):
                place = WalkEnd(kind=EndKind.INTERRUPTED, reason="interrupted")
        end = place
        self._apply(
            WalkEndEvent(
                seq=self._next(), run=self._run, at="2024-05-01T00:00:00+00:00", walk=walk_id, column="news", interval=None,
                end=end.kind.value, reason=end.reason, proves=end.proves, whole=end.whole,
            )
        )  # fmt: skip
        return end

    def _new_span(self) -> int:
        self._span += 1
        return self._span

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _record(self, walk: int, place: ArchivePlace, answer: ArchiveAnswer, note: Note) -> None:
        page = answer.page if note.result is not PageResult.EMPTY else None
        self._apply(
            PageEvent(
                seq=self._next(), run=self._run, at="2024-05-01T00:00:00+00:00",
                walk=walk, column="news", interval=None, mode=self.archive.mode.value,
                index=place.index, page=place.page, url=place.url, request=f"GET {place.url}", outcome=answer.verdict.outcome.value,
                result=note.result.value, reason=note.reason, span=note.span, covers=note.covers,
                bottom=(note.bottom.index, note.bottom.page, note.bottom.url) if note.bottom else None,
                bottom_links=note.bottom_links, joined=note.joined,
                links=tuple((link.url, None, {}) for link in page.articles) if page else (),
            )
        )  # fmt: skip

    def _apply(self, event: PageEvent | WalkEndEvent) -> None:
        with self.ledger.transaction():
            self.ledger.apply(event, None)
