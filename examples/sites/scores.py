"""How much of a site's truth a portal file gives: crawled, built and compared, field by field."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webarticlecurator import Article, CrawlSummary, Outcome, build, crawl, load_portal, read_corpus
from webarticlecurator.config.portal import Portal
from webarticlecurator.example_portal.answers import Request
from webarticlecurator.model.article import Block, Post, plain_text
from webarticlecurator.stages.pipeline import import_warcs
from webarticlecurator.tei.document import validate

from .content import Said
from .site import RunningSite, Truth

FIELDS = ("posts", "titles", "dates", "authors", "texts", "comments", "parents", "links", "tei")
FLOORS: Mapping[str, float] = {
    "titles": 0.98, "dates": 0.98, "authors": 0.98, "texts": 0.98, "comments": 0.97, "parents": 0.97, "links": 1.0, "tei": 1.0,
}  # fmt: skip


@dataclass(slots=True)
class Count:
    """Of one field: what is right, what was given, what there is."""

    right: int = 0
    given: int = 0
    wanted: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, given: Iterable[object], wanted: Iterable[object], where: str) -> None:
        got, meant = Counter(given), Counter(wanted)
        common = (got & meant).total()
        self.right, self.given, self.wanted = self.right + common, self.given + got.total(), self.wanted + meant.total()
        if got != meant:
            self.failures.append(f"{where}\n    there: {_shown(meant - got)}\n    given: {_shown(got - meant)}")

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.given + self.wanted) if self.given + self.wanted else 1.0


@dataclass(slots=True)
class Score:
    name: str
    counts: dict[str, Count] = field(default_factory=lambda: {name: Count() for name in FIELDS})
    trouble: str = ""
    """Why there is nothing to compare."""
    summary: CrawlSummary | None = None
    requests: int = 0

    @property
    def missed(self) -> list[str]:
        """Which of the figures that must be held are not."""
        posts = self.counts["posts"]
        short = [f"posts P {posts.precision:.3f} R {posts.recall:.3f}"] if posts.precision < 1 or posts.recall < 0.99 else []
        short += [f"{name} {self.counts[name].f1:.3f}" for name, floor in FLOORS.items() if self.counts[name].f1 < floor]
        return [self.trouble] if self.trouble else short


def score(site: RunningSite, folder: Path) -> Score:
    """Crawl the site into the folder, build it, compare."""
    score, identity = Score(site.variation.name), site.made.identity

    def collect(portal: Portal, corpus: Path) -> None:
        score.summary = crawl(portal, corpus=corpus)

    corpus = _compare_all(score, site, folder, collect, site.made.truths)
    score.requests = len(site.requests)
    if not score.trouble:
        with closing(sqlite3.connect(corpus / "ledger.sqlite")) as ledger:
            found = {_key(url, identity) for (url,) in ledger.execute("SELECT url FROM urls WHERE walk IS NOT NULL")}
        score.counts["links"].add(found, {_key(truth.url, identity) for truth in site.made.truths}, "archive")
    return score


def score_indexes(site: RunningSite, folder: Path) -> Score:
    """What the index pages give, imported from a WARC file without any page of one post."""
    score, warc = Score(site.variation.name), folder / "indexes.warc.gz"
    with warc.open("wb") as output:
        writer = WARCWriter(output, gzip=True)
        for target in site.made.indexes:
            path = site.made.folder + target
            answer = site.answer(Request(target=path))
            assert answer is not None
            head = StatusAndHeaders("200 OK", list(answer.headers), protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(site.root + path, "response", payload=BytesIO(answer.body), http_headers=head))
    truths = [truth for truths in site.made.indexes.values() for truth in truths]
    _compare_all(score, site, folder, lambda portal, corpus: import_warcs(portal, [warc], corpus=corpus), truths)
    return score


def _compare_all(score: Score, site: RunningSite, folder: Path, collect: Callable[[Portal, Path], object], truths: Sequence[Truth]) -> Path:
    """Collect by the site's portal file, build and compare; gives the corpus."""
    file, corpus = folder / "portal.yaml", folder / "corpus"
    file.write_text(f"{site.portal_file()}fetch: {{delay: 0s, retries: 0}}\n", "utf-8")
    try:
        portal = load_portal(file)
        collect(portal, corpus)
        build(portal, corpus=corpus)
        articles = [one for one in read_corpus(portal, corpus=corpus) if one.outcome in (Outcome.ARTICLE, Outcome.PAYWALL)]
    except Exception as error:  # whatever it is, the other sites are still scored
        score.trouble = f"{type(error).__name__}: {error}"
        return corpus
    compare(score, articles, truths, site.made.identity)
    for path in sorted((corpus / "tei").rglob("*.xml")):
        score.counts["tei"].add([not validate(path.read_bytes())], [True], path.name)
    return corpus


def compare(score: Score, articles: Iterable[Article], truths: Iterable[Truth], identity: str = "") -> None:
    """Article by article, by their addresses."""
    counts, there = score.counts, {_key(truth.url, identity): truth for truth in truths}
    given = Counter(_key(article.url, identity) for article in articles)
    counts["posts"].add(given.elements(), list(there), "posts")
    done = set()
    for article in articles:
        key = _key(article.url, identity)
        if key in there and key not in done:
            done.add(key)
            for name, got, wanted in _fields(article, there[key]):
                counts[name].add(got, wanted, f"{name} of {article.url}")


def _fields(article: Article, truth: Truth) -> Iterator[tuple[str, Iterable[object], Iterable[object]]]:
    if truth.title:  # what is done where there is none is up to the reader
        yield "titles", _given(_spaced(article.title)), [_spaced(truth.title)]
    only_day = "T" not in truth.date  # who knows more knows more
    yield "dates", _given((article.date or "")[:10] if only_day else _moment(article.date)), [_moment(truth.date)]
    yield "authors", article.authors, truth.authors
    comments = [post for post in article.posts if post.kind != "blog"]
    if truth.text:
        yield "texts", [" ".join(words(_text_of(article.blocks)))], [" ".join(words(truth.text))]
    elif not truth.loose_text:
        yield "texts", [" ".join(words(_text_of(article.blocks)))], [""]
    told, said = {_id(post): _post(post) for post in comments}, {one.id: _said(one) for one in truth.said}
    yield "comments", map(_post, comments), map(_said, truth.said)
    if truth.parents:
        yield (
            "parents",
            [(_post(one), told.get(one.reply_to or "")) for one in comments],
            [(_said(one), said.get(one.parent or 0)) for one in truth.said],
        )


def _id(post: Post) -> str:
    return post.id or f"none-{id(post)}"


def _post(post: Post) -> tuple[str, str, str]:
    return post.author or "", _moment(post.when), " ".join(words(_text_of(post.blocks)))


def _said(one: Said) -> tuple[str, str, str]:
    return one.author, _moment(one.time.isoformat()), " ".join(words(one.text))


def _text_of(blocks: Iterable[Block]) -> str:
    return "\n".join(plain_text(_without_sources(block)) for block in blocks)


def _without_sources(block: Block) -> Block:
    """Who is quoted is no word of who quotes."""
    kept = tuple(
        _without_sources(child) if isinstance(child, Block) else child
        for child in block.children
        if not (isinstance(child, Block) and child.type == "source")
    )
    return Block(type=block.type, children=kept, attributes=block.attributes)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _spaced(text: str | None) -> str:
    return " ".join((text or "").split())


def _given(value: str) -> list[str]:
    return [value] if value else []


def _moment(told: str | None) -> str:
    """The same minute everywhere; a day without a time stays one."""
    if not told or "T" not in told:
        return told or ""
    return datetime.fromisoformat(told).astimezone(UTC).isoformat(timespec="minutes")


def _key(url: str, identity: str) -> str:
    found = re.search(identity, url) if identity else None
    return "/".join(filter(None, found.groups())) if found else unquote(url)


def _shown(values: Counter[object]) -> str:
    return "; ".join(str(value)[:300] for value in list(values)[:3]) + (f" ... ({len(values)})" if len(values) > 3 else "") or "-"
