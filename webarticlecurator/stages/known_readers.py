"""Ask known readers for a page, each in a process of its own, which is ended where it takes too long; and
count how much of our text another reader has, how much more, which words only one of both, and whether its
metadata are right."""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.metadata import distributions
from itertools import chain
from typing import NamedTuple, Self

from webarticlecurator.databases import Row
from webarticlecurator.errors import UsageError
from webarticlecurator.labelling.text_blocks import text_blocks, words_of
from webarticlecurator.own_patterns import linear
from webarticlecurator.tei.markup import language_name
from webarticlecurator.text import folded, normalised, visible, word_count
from webarticlecurator.workers.worker_process import ProcessDied, WorkerProcess, pickled

_CONTROLS = linear(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LANGUAGE = linear(r"<html[^>]{0,2000}\slang=[\"']?([a-zA-Z]{2})")


class Given(NamedTuple):
    """A page as a reader gets it: its content as it was received, where it was, and its text in the encoding
    that we found."""

    url: str
    content: bytes | str
    text: str


Values = Mapping[str, Sequence[str | None]]
"""Metadata by Schema.org's names; where there is no value, empty or None."""


class ToolReading(NamedTuple):
    """The text and metadata that a reader gives of a page, or why it gives nothing."""

    text: str
    metadata: Values
    failed: str = ""


# Each is called as the module that it imports.


def trafilatura(page: Given) -> ToolReading:
    """Read a page by trafilatura, which has a call for the text and one for the metadata."""
    from trafilatura import bare_extraction, extract

    document = bare_extraction(page.content, url=page.url, with_metadata=True, include_comments=False)
    text = extract(page.content, url=page.url, include_comments=False) or ""
    if document is None:
        return ToolReading(text, {})
    several = {
        "author": (document.author or "").split("; "),
        "keywords": ", ".join(document.tags or ()).split(", "),
    }
    return ToolReading(text, {"headline": [document.title], "datePublished": [document.date], **several})


def justext(page: Given) -> ToolReading:
    """Read a page by jusText. Its list of stop words is that of the language which the page declares; English
    without one."""
    from justext import get_stoplist, get_stoplists, justext

    declared = _LANGUAGE.search(page.text)
    language = language_name(declared[1]) if declared is not None else "English"
    words = get_stoplist(language if language in get_stoplists() else "English")
    paragraphs = justext(page.text.encode("utf-8", "replace"), words, encoding="utf-8")
    return ToolReading(
        "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate), {}
    )


def readability(page: Given) -> ToolReading:
    """Read a page by readability; what it gives is HTML: each block of that is a line."""
    from lxml import html
    from readability import Document

    document = Document(_CONTROLS.sub("", page.text))
    text = "\n".join(block.text for block in text_blocks(html.fromstring(document.summary())))
    return ToolReading(text, {"headline": [document.title().replace("[no-title]", "")]})


def newspaper(page: Given) -> ToolReading:
    """Read a page by newspaper4k, which asks nothing of the network where it is given the page."""
    from newspaper import Article

    article = Article(page.url, fetch_images=False)
    article.download(input_html=page.text)
    article.parse()
    dates = [article.publish_date.isoformat()] if article.publish_date else []
    several = {"author": article.authors, "keywords": sorted(article.tags or ()) or article.meta_keywords}
    return ToolReading(article.text, {"headline": [article.title], "datePublished": dates, **several})


TOOLS = {
    "trafilatura": trafilatura,
    "jusText": justext,
    "readability-lxml": readability,
    "newspaper4k": newspaper,
}
"""The readers by the names of their packages."""


class _ToolJob(NamedTuple):
    """The job of a tool's process: no page may lead it to a network, and what it would tell its developers is
    not shown."""

    name: str

    def worker(self) -> Self:
        sys.addaudithook(_refuse_network)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        with suppress(Exception):  # a package that lacks another one: told of each page
            import_module(TOOLS[self.name].__name__)
        return self

    def make(self, pages: list[Given]) -> list[ToolReading]:
        return list(map(self._read, pages))

    def _read(self, page: Given) -> ToolReading:
        try:
            return TOOLS[self.name](page)
        except Exception as error:
            return ToolReading("", {}, str(error) if isinstance(error, ImportError) else type(error).__name__)


def _refuse_network(event: str, _: object) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise OSError("a page that is compared asks nothing of a network")


class ToolProcesses:
    """The tools that are installed, each in a process of its own, and in a new one after a page that took too
    long or ended it."""

    def __init__(self, seconds: float) -> None:
        self.versions = {name: package.version for name in TOOLS for package in distributions(name=name)}
        installs = "`pip install 'webarticlecurator[compare]'` installs them all."
        if not self.versions:
            raise UsageError(f"None of {', '.join(TOOLS)} is installed. {installs}")
        self._processes = {name: WorkerProcess(pickled(_ToolJob(name))) for name in self.versions}
        self._threads, self._seconds = ThreadPoolExecutor(len(self._processes)), seconds
        self.failures = {name: Counter[str]() for name in self.versions}
        """The number of pages that each tool gave nothing of, by the reason."""

    def read(self, versions: list[Given]) -> dict[str, list[ToolReading]]:
        """Return what each says of each version of one page; where it takes too long, nothing of any."""
        return dict(
            zip(
                self._processes,
                self._threads.map(partial(self._read, versions), self._processes),
                strict=True,
            )
        )

    def _read(self, versions: list[Given], name: str) -> list[ToolReading]:
        try:
            readings: list[ToolReading] = self._processes[name].answer(versions, self._seconds)
        except ProcessDied as death:
            readings = [ToolReading("", {}, str(death))] * len(versions)
        self.failures[name].update(filter(None, [readings[0].failed]))
        return readings

    def close(self) -> None:
        for process in self._processes.values():
            process.end()
        self._threads.shutdown()


ALL = "all there is"
VERSIONS = ("page", "container", "kept")
"""The parts of a page that a reader is given: the whole page, the container of the article alone, and what we
kept alone."""
FIELDS = ("author", "headline", "keywords", "datePublished")
_SHARES, _KINDS = ("precision", "recall", "f1"), ("surplus", "lacking")
_MOST_WORDS, _TOLD = 100_000, 12
"""Different words that are counted, beyond which the rarer half is forgotten; and those that are told."""


class ComparedReaders:
    """Adds up, over pages, the counts of ourselves (or of whoever is `right`) and of readers."""

    def __init__(self, right: str, readers: Sequence[str]) -> None:
        self.pages = 0
        self._right, self._readers = right, readers
        self._words = {name: Counter[str]() for name in (ALL, right, *readers)}
        self._shares: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._only = {(name, kind): Counter[str]() for name in readers for kind in _KINDS}
        self._values = {(name, field): Counter[str]() for name in (right, *readers) for field in FIELDS}

    def add(
        self,
        ours: ToolReading,
        texts: Sequence[str],
        readings: Mapping[str, Sequence[ToolReading]],
        known: Values,
    ) -> dict[str, float]:
        """Count one page: `texts` is all that its versions have, `known` what its metadata are. Gives the F1
        of each reader's text."""
        own = {ALL: [ours._replace(text=text) for text in texts], self._right: [ours] * len(texts)}
        for name, versions in {**own, **readings}.items():
            self._count_words(name, versions)
        judged = readings if known is ours.metadata else {self._right: [ours], **readings}
        for name, versions in judged.items():
            self._judge_metadata(name, versions[0].metadata, known)
        self.pages += 1
        wanted = _bag(ours.text)
        return {
            name: self._judge_text(name, _bag(versions[0].text), wanted)
            for name, versions in readings.items()
        }

    def _count_words(self, name: str, versions: Sequence[ToolReading]) -> None:
        for version, reading in zip(VERSIONS, versions, strict=False):
            beside = filter(None, chain.from_iterable(reading.metadata.values()))
            words, more = word_count(reading.text), word_count(" ".join(beside))
            self._words[name].update({version: words, f"{version}_with_metadata": words + more})

    def _judge_metadata(self, name: str, metadata: Values, known: Values) -> None:
        for field in known.keys() & set(FIELDS):
            given, right = _comparable(field, metadata.get(field, ())), _comparable(field, known[field])
            self._values[name, field].update(right=len(given & right), said=len(given), wanted=len(right))

    def _judge_text(self, name: str, given: Counter[str], wanted: Counter[str]) -> float:
        """Count the words, whatever their order, and return F1; two empty texts are the same."""
        share = 0.0
        wholes = (given.total(), wanted.total(), (given.total() + wanted.total()) / 2)
        for measure, whole in zip(_SHARES, wholes, strict=True):
            share = (given & wanted).total() / whole if whole else float(not (given or wanted))
            self._shares[name, measure] += share
        for kind, surplus in zip(_KINDS, (given - wanted, wanted - given), strict=True):
            self._only[name, kind].update(surplus)
            if len(self._only[name, kind]) > _MOST_WORDS:
                self._only[name, kind] = Counter(dict(self._only[name, kind].most_common(_MOST_WORDS // 2)))
        return share

    def tables(self) -> dict[str, list[Row]]:
        """Return the tables: means over the pages for texts, sums for words and metadata; without the fields
        that a reader does not read."""
        text, metadata = [], []
        for name in self._readers:
            shares = {share: round(self._shares[name, share] / self.pages, 4) for share in _SHARES}
            text.append(
                Row(
                    reader=name,
                    **shares,
                    **{kind: self._only[name, kind].most_common(_TOLD) for kind in _KINDS},
                )
            )
        for (name, field), row in self._values.items():
            if row["said"]:
                shares = {
                    share: round(row["right"] / (row[of] or 1), 4)
                    for share, of in zip(_SHARES, ("said", "wanted"), strict=False)
                }
                metadata.append(Row(reader=name, field=field, **shares, **row))
        return {
            "words": [Row(reader=name, **words) for name, words in self._words.items()],
            "text": text,
            "metadata": metadata,
        }


def _comparable(field: str, values: Iterable[str | None]) -> set[str]:
    """Return of dates the day, of other values letters and digits."""
    return {value[:10] if field == "datePublished" else folded(value) for value in values if value}


def _bag(text: str) -> Counter[str]:
    return Counter(words_of(normalised("NFKC", visible(text))))
