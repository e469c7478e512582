"""Built corpora of articles that a test invents: a portal file, a ledger and build.sqlite, without a crawl."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.kept_article import Contents, row_of
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.stored_articles import StoredArticle
from webarticlecurator.model.article import Article, Block, CaptureRef, Inline, Post
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.outcome import PageOutcome

RULES = "d" * 64
CAPTURE = CaptureRef(
    record_id="urn:uuid:00000000-0000-4000-8000-000000000001",
    digest="sha1:ABC",
    file="pelda-articles-20240601T000000Z-00001.warc.gz",
    offset=500,
    length=900,
    url="https://pelda.example/1",
    date="2024-06-01T00:00:00Z",
)


def block(type: str, *children: Block | Inline | str, url: str | None = None, **attributes: str) -> Block:
    return Block(type=type, children=children, url=url, attributes=attributes)


def paragraph(*children: Inline | str, **attributes: str) -> Block:
    return block("paragraph", *children, **attributes)


def post(text: str, kind: str = "comments", **told: Any) -> Post:
    return Post(kind=kind, blocks=(paragraph(text),), **told)


def article(
    number: int = 1,
    *blocks: Block | str,
    title: str | None = "A bridge",
    date: str | None = "2024-05-01T10:00:00+02:00",
    metadata: Mapping[str, Iterable[str] | str] | None = None,
    portal: str = "pelda",
    counted: bool = False,
    **told: Any,
) -> Article:
    """One article; `metadata` are values by Schema.org's names, blocks may be texts of paragraphs; `counted`: its id tells its number."""
    url = f"https://{portal}.example/{number}"
    given: dict[str, Iterable[str] | str | None] = {"headline": title, "datePublished": date, **(metadata or {})}
    values = {name: (one,) if isinstance(one, str) else tuple(one) for name, one in given.items() if one is not None}
    told = {"language": "en", "outcome": PageOutcome.ARTICLE, "captures": (CAPTURE,), **told}
    return Article(
        id=f"{portal}-{number:016x}" if counted else f"{portal}-{sha256(url.encode()).hexdigest()[:16]}",
        url=url,
        identity=url,
        metadata={name: tuple(Found(value=one, raw=one, source="css") for one in texts) for name, texts in values.items()},
        blocks=tuple(paragraph(one) if isinstance(one, str) else one for one in blocks),
        **told,
    )


def built_corpus(
    folder: Path, articles: Iterable[Article], *, portal: str = "pelda", more: str = "", columns: Mapping[str, Iterable[int]] | None = None
) -> Path:
    """The portal file; the corpus lies beside it, as built. `columns`: name of one -> numbers of the articles that it lists."""
    file = folder / f"{portal}.yaml"
    corpus = folder / "corpora" / portal
    corpus.mkdir(parents=True)
    file.write_text(
        f"portal: {portal}\ntitle: Example\nhome: https://{portal}.example/\nlanguage: en\ntimezone: Europe/Budapest\n{more}",
        encoding="utf-8",
    )
    given = list(articles)
    with closing(Ledger.open(corpus / "ledger.sqlite")) as ledger:
        for number, one in enumerate(given, start=1):
            _list(ledger, number, one, [name for name, listed in (columns or {}).items() if number in listed])
    put(corpus, *given)
    return file


def put(corpus: Path, *articles: Article) -> None:
    """Note them as built; their keys are their numbers."""
    corpus.mkdir(exist_ok=True)
    with BuildDatabase(corpus / "build.sqlite") as database, database.transaction():
        for number, one in enumerate(articles, start=1):
            row = row_of(one, StoredArticle(id=one.id, key=number, identity=one.identity, listing={}, stored=()))
            row.path, row.part = f"tei/{one.folder}/{one.id}.xml", "p" * 64
            row.rules, row.made_by, row.since = RULES, RULES, "2024-06-02T00:00:00+00:00"
            database.put(row, Contents.of(one))


def _list(ledger: Ledger, number: int, one: Article, columns: Iterable[str]) -> None:
    db = ledger._db
    db.execute(
        "INSERT INTO urls (id, key, url, identity_key, host, outcome, reason, first_seen, since)"
        " VALUES (?, ?, ?, ?, 'pelda.example', 'fetched', '', '2024-06-01', '2024-06-01')",
        (number, number, one.url, number),
    )
    for name in columns:
        db.execute("INSERT OR IGNORE INTO columns (name) VALUES (?)", (name,))
        db.execute("INSERT INTO listings SELECT ?, id, 0, 0, NULL, '{}' FROM columns WHERE name = ?", (number, name))
