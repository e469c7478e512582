"""A built corpus of articles that consist of what a test says, without a crawl."""

from __future__ import annotations

from pathlib import Path

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.results import BuildResult, Contents
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.model.article import Article, Block
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.outcome import PageOutcome


def invented(
    number: int, *paragraphs: str | Block, published: str | None = "2024-05-01", headline: str = "Headline", portal: str = "p"
) -> Article:
    """An article of these paragraphs."""
    given = {"headline": headline, "datePublished": published}
    return Article(
        id=f"{portal}-{number:016x}",
        url=f"https://{portal}.example/{number}",
        identity=str(number),
        outcome=PageOutcome.ARTICLE,
        metadata={name: (Found(value=value, raw=value, source="css"),) for name, value in given.items() if value},
        blocks=tuple(one if isinstance(one, Block) else Block(type="paragraph", children=(one,)) for one in paragraphs),
    )


def put(corpus: Corpus, *articles: Article) -> None:
    """Note them as built."""
    corpus.folder.mkdir(exist_ok=True)
    with BuildDatabase(corpus.build_database) as database, database.transaction():
        database.put((_result(one) for one in articles), rules="r", now="2024-06-01T00:00:00Z")


def built(folder: Path, *articles: Article) -> Corpus:
    """A corpus in which they are built."""
    corpus = Corpus(folder)
    put(corpus, *articles)
    return corpus


def _result(article: Article) -> BuildResult:
    return BuildResult(
        id=article.id,
        key=int(article.identity),
        identity=article.identity,
        url=article.url,
        outcome=article.outcome,
        reason="",
        captures="c",
        path=f"tei/{article.id}.xml",
        part="d",
        language=article.language,
        headline=article.title,
        published=article.date,
        contents=Contents.of(article),
    )
