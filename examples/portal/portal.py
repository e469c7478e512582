"""The example portal as one object: serve it, change it while it runs, and know what a complete crawl of it must find."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from threading import Event, RLock, Thread
from types import TracebackType
from typing import NamedTuple, Self

from .answers import Answer, RawAnswer, Request
from .behaviours import Visit
from .columns import COLUMNS
from .scripted import PREFIX, SCRIPTED, scripted
from .server import Server
from .shelves import Shelves
from .site import Site
from .switches import SWITCHES, Active
from .truth import Truth, article_urls, page_count, truth_of

PORTAL_FILE = Path(__file__).with_name("portal.yaml")
SCRIPTED_FILE = PORTAL_FILE.with_name("scripted.yaml")
TESTS_FILE = PORTAL_FILE.with_name("tests.yaml")
_ADDRESS_IN_FILE = "http://127.0.0.1:8765"
_PUBLISHING = tuple(name for name, column in COLUMNS.items() if not column.dated)


def portal_text(home: str, *, scripted: bool = False) -> str:
    """The complete portal file of an example portal at this address, or of its part that needs a browser."""
    file = SCRIPTED_FILE if scripted else PORTAL_FILE
    return file.read_text("utf-8").replace(_ADDRESS_IN_FILE, home)


class Asked(NamedTuple):
    """A line of the request log."""

    method: str
    target: str
    """Path and query."""
    time: float
    """Seconds of a monotonic clock."""


class ExamplePortal:
    """A portal on 127.0.0.1.

    `port` 0 takes a free one; `filling` adds so many bytes of script to each page, for pages as heavy as real ones.
    """

    def __init__(
        self,
        *,
        articles: int = 600,
        page_size: int = 10,
        port: int = 0,
        seed: int = 1,
        filling: int = 0,
        switches: Iterable[str] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.now = clock
        self._lock = RLock()
        self._server = Server(port, self._respond)
        self.home = f"http://127.0.0.1:{self._server.port}"
        self._page_size = page_size
        self._articles = articles
        self._seed = seed
        self._filling = filling
        self._switches = tuple(switches)
        self._thread: Thread | None = None
        self.begin_again()

    # Serving

    @property
    def url(self) -> str:
        """The portal's home page."""
        return f"{self.home}/"

    def start(self) -> None:
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="example portal", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.stopped.set()
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def serve(self, say: Callable[[str], object]) -> None:
        """Serve until Ctrl-C."""
        with self, suppress(KeyboardInterrupt):
            say(f"The example portal is at {self.url} (only this machine can see it). Ctrl-C ends it.\n")
            Event().wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def portal_file(self, folder: Path, *, delay: str | None = None, scripted: bool = False) -> Path:
        """Write the portal file (or that of the part that needs a browser) into the folder, with this portal's address and, if given,
        another `fetch.delay`."""
        text = portal_text(self.home, scripted=scripted)
        if delay is not None:
            text = re.sub(r"(?m)^(  delay:) \S+", rf"\g<1> {delay}", text)
        file = folder / "portal.yaml"
        file.write_text(text, "utf-8")
        return file

    def tests_file(self, folder: Path) -> Path:
        """Write what must come out of some of its pages beside that; it holds for a portal of 600 articles, ten to a page."""
        file = folder / "tests.yaml"
        file.write_text(TESTS_FILE.read_text("utf-8").replace(_ADDRESS_IN_FILE, self.home), "utf-8")
        return file

    # Misbehaving

    def switch_on(
        self,
        name: str,
        *urls: str,
        after: int | None = None,
        times: int | None = None,
        seconds: float | None = None,
    ) -> None:
        """Misbehave from now on. `urls` are URLs or paths, `*` stands for anything; without them the switch's own scope counts.

        `after` requests are answered properly first, `times` are touched; `seconds` is the pause of a slow switch.
        Where several switches claim a request, the one that was switched on last answers it.
        """
        table = SWITCHES[name]
        switch = replace(
            table,
            after=table.after if after is None else after,
            times=table.times if times is None else times,
            seconds=table.seconds if seconds is None else seconds,
        )
        targets = tuple(url.removeprefix(self.home) for url in urls)
        with self._lock:
            self._active.append(Active(switch, targets))

    def switch_off(self, name: str | None = None) -> None:
        """Behave again: this switch, or all."""
        with self._lock:
            self._active = [active for active in self._active if name is not None and active.switch.name != name]

    def touched(self, name: str) -> int:
        """How many requests a switch that is on has answered."""
        with self._lock:
            return sum(active.touched for active in self._active if active.switch.name == name)

    # Changing

    def begin_again(self) -> None:
        """Be as at the start: nothing is published, removed, edited, switched on or asked since."""
        with self._lock:
            self._log: list[Asked] = []
            self._active: list[Active] = []
            self._shelves = Shelves(self._articles, self._seed)
            self._site = Site(self._shelves, self.home, page_size=self._page_size, filling=self._filling)
        for name in self._switches:
            self.switch_on(name)

    def publish(self, count: int, *columns: str) -> tuple[str, ...]:
        """New articles of today at the head of these columns, in turn (all columns without dates); gives their URLs, oldest first."""
        chosen = columns or _PUBLISHING
        return tuple(self.home + self._shelves.publish(self._section(name)).path for name in islice(cycle(chosen), count))

    def remove(self, *urls: str, status: int = 404) -> None:
        """Take articles off the archive; they answer `status` from now on, with 200 the page itself stays."""
        for url in urls:
            self._shelves.remove(*self._place(url), status=status)

    def edit(self, *urls: str) -> None:
        """Add a paragraph to these articles."""
        for url in urls:
            self._shelves.edit(*self._place(url))

    # Knowing

    @property
    def articles(self) -> Mapping[str, tuple[str, ...]]:
        """By column the URLs of all articles that a complete crawl finds now, in the order of its pages."""
        return {name: article_urls(self._shelves, column, self.home) for name, column in COLUMNS.items()}

    @property
    def article_urls(self) -> frozenset[str]:
        """The URLs of all articles that a complete crawl finds now, in whichever column."""
        return frozenset(url for urls in self.articles.values() for url in urls)

    @property
    def page_counts(self) -> Mapping[str, int]:
        """By column the number of archive pages that have articles; of columns with dates, over all dates in the portal file."""
        return {name: page_count(self._shelves, column, self._page_size) for name, column in COLUMNS.items()}

    def truth(self, url: str) -> Truth:
        """What is to be known of an article: metadata, text, pages."""
        article = self._shelves.article(*self._place(url))
        return truth_of(scripted(article) if url.removeprefix(self.home).startswith(PREFIX) else article, self.home)

    @property
    def scripted_articles(self) -> Mapping[str, tuple[str, ...]]:
        """The same of the part that needs a browser, by its own columns."""
        shelves = self._shelves
        listed = {name: shelves.slice(column.section, 0, shelves.count(column.section)) for name, column in SCRIPTED.items()}
        return {name: tuple(self.home + scripted(article).path for article in articles) for name, articles in listed.items()}

    @property
    def requests(self) -> Sequence[Asked]:
        """Everything that was asked so far, in order."""
        with self._lock:
            return tuple(self._log)

    def asked(self, url: str) -> int:
        """How often this URL was asked for; `*` stands for anything."""
        pattern = re.compile(re.escape(url.removeprefix(self.home)).replace(r"\*", ".*"))
        return sum(pattern.fullmatch(line.target) is not None for line in self.requests)

    def forget_requests(self) -> None:
        """Begin a new request log."""
        with self._lock:
            self._log = []

    # What the switches ask of the portal

    def answer(self, request: Request) -> Answer:
        return self._site.answer(request)

    def last_page(self, request: Request) -> int:
        found = self._site.listing(request)
        return found.last if found else 0

    def change_archive(self, request: Request, *, remove: bool) -> None:
        found = self._site.listing(request)
        if found is None or found.column.dated:
            return
        section = self._section(found.column.name)
        if not remove:
            self._shelves.publish(section)
        elif self._shelves.count(section) > 1:
            self._shelves.remove(section, self._shelves.slice(section, 0, 1)[0].number, status=200)

    def _respond(self, request: Request) -> Answer | RawAnswer:
        active, visit = self._claim(request)
        return active.switch.behave(visit) if active and visit else self._site.answer(request)

    def _claim(self, request: Request) -> tuple[Active, Visit] | tuple[None, None]:
        """Log the request, and find the switch that answers it."""
        with self._lock:
            self._log.append(Asked(request.method, request.target, time.monotonic()))
            active = next((each for each in reversed(self._active) if each.claim(request)), None)
            if active is None:
                return None, None
            counts = {"count": active.touched, "url_count": active.by_url[request.target]}
            return active, Visit(request=request, inside=self, seconds=active.switch.seconds, **counts)

    def _section(self, column: str) -> str:
        if column not in _PUBLISHING:
            raise ValueError(f"{column!r} is no column that new articles go to; there are {', '.join(_PUBLISHING)}")
        return COLUMNS[column].shelves[0]

    def _place(self, url: str) -> tuple[str, int]:
        """Section and number of an article."""
        place = self._site.place(url.removeprefix(self.home))
        if place is None:
            raise ValueError(f"{url} is no article of the example portal")
        return place
