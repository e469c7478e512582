"""What exports and statistics read of a build."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from built_corpora import put

from webarticlecurator.building.built_articles import BuiltArticles
from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.results import BuildResult, Contents
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import Article, Block, CaptureRef, Inline, Post
from webarticlecurator.model.article_json import stored_line
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.outcome import PageOutcome

CAPTURE = CaptureRef(
    record_id="<urn:uuid:1>", digest="sha1:A", file="a.warc.gz", offset=5, length=9, url="https://p.example/1", date="2024-05-02T00:00:00Z"
)


def article(number: int, published: str | None) -> Article:
    metadata = {"headline": (Found(value=f"Title {number}", raw=f" Title {number}", source="css"),)}
    if published:
        metadata["datePublished"] = (Found(value=published, raw=published, source="meta"),)
    return Article(
        id=f"p-{number:016x}",
        url=f"https://p.example/{number}",
        identity=str(number),
        outcome=PageOutcome.ARTICLE,
        metadata=metadata,
        blocks=(Block(type="paragraph", children=("Bold ", Inline(type="bold", children=("words",)), ".")),),
        posts=(Post(kind="comments", author="Ada", blocks=(Block(type="paragraph", children=("Well said.",)),)),),
        captures=(CAPTURE,),
        versions=(replace(CAPTURE, offset=99),),
    )


def test_articles_are_read_the_oldest_first_with_all_that_was_understood(tmp_path: Path) -> None:
    late, early, undated = article(1, "2024-05-02"), article(2, "2023-01-01"), article(3, None)
    put(tmp_path, late, early, undated)
    with BuiltArticles.of(tmp_path / "build.sqlite", "p") as built:
        read = list(built.read())
        assert [one.id for one in read] == [undated.id, early.id, late.id]
        assert read[2].article == replace(late, type=read[2].type)
        assert orjson.loads(read[2].line) == stored_line(late)
        assert built.count("a.published >= ?", ("2024",)) == 1


def test_an_article_without_a_document_is_not_among_them_and_one_that_lost_it_goes(tmp_path: Path) -> None:
    one = article(1, "2024-05-02")
    put(tmp_path, one)
    with BuildDatabase(tmp_path / "build.sqlite") as database:
        gone = BuildResult(id=one.id, key=0, identity="1", url=one.url, outcome=PageOutcome.LISTING, reason="a list", captures="c")
        database.put([gone], rules="r", now="2024-06-02T00:00:00Z")
    with BuiltArticles.of(tmp_path / "build.sqlite", "p") as built:
        assert built.count() == 0
        assert built.by_id(one.id) is None


def test_half_a_character_in_a_page_does_not_keep_the_article_out(tmp_path: Path) -> None:
    one = replace(article(1, None), blocks=(Block(type="paragraph", children=("odd \ud83d end",)),))
    put(tmp_path, one)
    with BuiltArticles.of(tmp_path / "build.sqlite", "p") as built:
        assert next(built.read()).article.text == "odd ? end"


def test_nor_does_one_in_the_address_of_a_version() -> None:
    kept = Contents.of(replace(article(1, None), versions=(replace(CAPTURE, url="https://p.example/\ud83d"),)))
    assert orjson.loads(kept.versions)[0]["url"] == "https://p.example/?"


def test_where_nothing_is_built_the_command_to_give_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="curator build"):
        BuiltArticles.of(tmp_path / "build.sqlite", "p")
