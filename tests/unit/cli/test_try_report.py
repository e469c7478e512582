"""What `curator try` suggests: a command that fits what was seen, and works as it stands there."""

from __future__ import annotations

from typing import Any

import pytest

from webarticlecurator.cli.try_report import Source, Tried, next_step

URL, ARTICLE = "https://pelda.example/?a=1&b=2", "https://pelda.example/cikk/1"
QUOTED = f"'{URL}'"
LISTED = {"url": URL, "articles": [{"url": ARTICLE}]}
READ = {"url": URL, "outcome": "article", "metadata": {}, "unknown_tags": []}
UNDECIDED = {**READ, "unknown_tags": [{"tag": "div.x"}]}
FLAGS = {Source.PORTAL: " --fetch", Source.HTML: " --html a.html", Source.WARC: " --warc a.warc.gz", Source.CORPUS: ""}


@pytest.mark.parametrize(
    ("line", "source", "step"),
    [
        (LISTED, Source.PORTAL, f"`curator try p.yaml {ARTICLE} --fetch --as article` shows"),
        (LISTED, Source.CORPUS, f"`curator try p.yaml {ARTICLE} --as article` shows"),
        (LISTED, Source.WARC, f"`curator try p.yaml {ARTICLE} --warc a.warc.gz --as article` shows"),
        (LISTED, Source.HTML, "`curator crawl p.yaml --limit 20` gets"),
        ({"url": URL, "articles": [], "sections": [ARTICLE]}, Source.PORTAL, f"`curator try p.yaml {ARTICLE} --fetch --as archive` shows"),
        ({"url": URL, "articles": []}, Source.PORTAL, f"mend `item` and `link` in the portal file, then `curator try p.yaml {QUOTED}"),
        (READ, Source.PORTAL, "`curator crawl p.yaml --limit 20` gets"),
        (READ, Source.CORPUS, "`curator build p.yaml` brings"),
        (READ, Source.WARC, "`curator audit p.yaml --warc a.warc.gz` looks"),
        (UNDECIDED, Source.CORPUS, "`curator tags p.yaml` shows"),
        (UNDECIDED, Source.WARC, "`curator tags p.yaml --warc a.warc.gz` shows"),
        ({**READ, "outcome": "listing"}, Source.CORPUS, f"if this page lists articles, `curator try p.yaml {QUOTED} --as archive`"),
        ({**READ, "outcome": "empty"}, Source.HTML, "if this is an article, mend `body` in the portal file, then `curator try"),
        ({"url": URL, "outcome": "error"}, Source.CORPUS, f"`curator try p.yaml {QUOTED} --fetch` gets the page from the portal"),
        ({"url": "posts/1", "outcome": "bad-url"}, Source.CORPUS, "`curator try p.yaml URL` with the whole address of the page"),
        ({"url": URL, "outcome": "error"}, Source.PORTAL, f"when that is put right, `curator try p.yaml {QUOTED} --fetch`"),
    ],
)
def test_the_next_step_fits_what_was_seen_and_where_it_came_from(line: dict[str, Any], source: Source, step: str) -> None:
    tried = Tried(portal="p.yaml", pages=FLAGS[source], source=source, has_archive=True)
    assert next_step(line, tried, lambda url: url == ARTICLE).startswith(step)


def test_an_article_that_is_not_stored_is_crawled_first() -> None:
    tried = Tried(portal="p.yaml", pages="", source=Source.CORPUS, has_archive=True)
    assert next_step(LISTED, tried, lambda _: False).startswith("`curator crawl p.yaml --limit 20`")


@pytest.mark.parametrize("source", [Source.PORTAL, Source.HTML])
@pytest.mark.parametrize(
    ("line", "step"),
    [
        (READ, "`curator build p.yaml` brings"),
        (UNDECIDED, "`curator tags p.yaml` shows"),
    ],
)
def test_the_first_articles_are_crawled_once(line: dict[str, Any], source: Source, step: str) -> None:
    tried = Tried(portal="p.yaml", pages=FLAGS[source], source=source, has_archive=True, has_articles=True)
    assert next_step(line, tried, lambda _: False).startswith(step)


@pytest.mark.parametrize("source", [Source.CORPUS, Source.PORTAL, Source.HTML])
def test_documents_that_are_up_to_date_are_not_to_be_built(source: Source) -> None:
    tried = Tried(portal="p.yaml", pages=FLAGS[source], source=source, has_archive=True, has_articles=True, is_built=True)
    assert next_step(READ, tried, lambda _: True) == "`curator audit p.yaml` looks at all pages"


def test_an_article_that_is_not_stored_beside_those_that_are_is_fetched_by_the_next_crawl() -> None:
    tried = Tried(portal="p.yaml", pages="", source=Source.CORPUS, has_archive=True, has_articles=True)
    assert next_step(LISTED, tried, lambda _: False) == "`curator crawl p.yaml` gets the articles that are not stored yet"


def test_a_portal_without_archive_is_never_told_to_crawl() -> None:
    tried = Tried(portal="p.yaml", pages=" --html a.html", source=Source.HTML, has_archive=False)
    assert next_step(READ, tried, lambda _: False).startswith("`curator warc import p.yaml FILES`")
