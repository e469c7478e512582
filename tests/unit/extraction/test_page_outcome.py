"""A page of teasers is a listing, and nothing that may be an article is taken for one."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from trial_portal import page_of, portal_of

from webarticlecurator.extraction.article import read_article
from webarticlecurator.model.article import Article

SENTENCE = "A tanács hétfőn ülésezett, és hosszú vita után megszavazta az új hidat. "
SECTION = "https://pelda.example/hirek"


def teasers(count: int = 10, *, heading: str = "b", text: str = SENTENCE, to: str = "/cikk/") -> str:
    return "".join(
        f"<div class=elem><{heading}><a href='{to}{n}'>A város {n}. híre a hídról</a></{heading}><p>{text}</p></div>" for n in range(count)
    )


def read(body: str, url: str = SECTION, *, head: str = "", listing: dict[str, tuple[str, ...]] | None = None, **rules: Any) -> Article:
    page = page_of(f"<html><head>{head}</head><body><h1>Hírek</h1>{body}</body></html>", url)
    return read_article([page], portal_of(**rules), id="pelda-1", identity=url, url=url, listing=listing)


@pytest.mark.parametrize(
    "body",
    [
        teasers(heading="h3"),
        teasers(),
        "".join(f"<div><a href=/cikk/{n}><b>A város {n}. híre a hídról</b><p>{SENTENCE}</p></a></div>" for n in range(9)) + SENTENCE,
        f"<table>{''.join(f'<tr><td><a href=/c/{n}>A város {n}. híre a hídról</a><br>{SENTENCE}</td></tr>' for n in range(9))}</table>",
        f"<main><p>{SENTENCE}</p>{teasers(30)}<p>{SENTENCE}</p></main>",
    ],
    ids=["headings", "no headings", "links around teasers", "table", "with an introduction"],
)
def test_a_page_of_teasers_is_a_listing(body: str) -> None:
    article = read(body)
    assert article.outcome == "listing"
    assert article.reason


@pytest.mark.parametrize(
    "path",
    [
        *("/hirek", "/hirek/", "/entertainment_and_arts", "/hirek/3", "/hirek?oldal=126", "/hirek/page/300/", "/2024/05/02", "/2024/05/"),
        *("/tag/a-duna-menten-fekvo-varosok", "/category/valasztas-2024/", "/lista/?page=7&sort=new"),
    ],
)
def test_the_address_may_be_that_of_a_listing(path: str) -> None:
    assert read(teasers(), f"https://pelda.example{path}").outcome == "listing"


@pytest.mark.parametrize(
    "path",
    [
        *("/hirek/megnyilt-az-uj-hid-vacon", "/cikk/379018", "/hirek-21302969", "/hirek.html", "/cikk.php?id=1", "/?p=3289"),
        *("/cikk?id=3289", "/t/mi-mind-sokan-vagyunk-itt/58", "/2024/05/02/megnyilt-az-uj-hid"),
    ],
)
def test_the_address_may_be_that_of_an_article(path: str) -> None:
    assert read(teasers(), f"https://pelda.example{path}").outcome == "article"


@pytest.mark.parametrize(
    "head",
    [
        "<meta property=og:type content=article>",
        "<meta property=article:published_time content=2024-05-01T10:00:00Z>",
        f"<script type=application/ld+json>{json.dumps({'@type': 'NewsArticle', 'datePublished': '2024-05-01'})}</script>",
    ],
)
def test_a_page_that_says_that_it_is_an_article_is_one(head: str) -> None:
    assert read(teasers(), head=head).outcome == "article"


def test_so_is_one_whose_date_the_archive_or_a_rule_tells() -> None:
    assert read(teasers(), listing={"datePublished": ("2024-05-01",)}).outcome == "article"
    assert read(f"<i>2024. május 1.</i>{teasers()}", metadata={"datePublished": "i"}).outcome == "article"


def test_a_date_on_the_page_says_nothing() -> None:
    assert read(teasers(text=f"<i class=datum>2024. május 1.</i> {SENTENCE}")).outcome == "listing"


@pytest.mark.parametrize(
    "body",
    [
        f"<article>{f'<p>{SENTENCE * 3}</p>' * 6}<div>{teasers(8)}</div></article>",
        f"<article>{f'<p>{SENTENCE * 3}</p>' * 3}{teasers(8, text='')}{f'<p>{SENTENCE * 3}</p>' * 3}</article>",
        teasers(text=SENTENCE * 12),
        teasers(to="https://mas.example/cikk/"),
        teasers(to="#bejegyzes-"),
        teasers(count=5),
        "".join(f"<p>{SENTENCE}<a href=/cikk/{n}>A város {n}. híre a hídról</a>, {SENTENCE}</p>" for n in range(9)),
        "".join(f"<div><a href=/hozzaszolas/{n}>2024. május 1., 10:{n}</a><p>{SENTENCE}</p></div>" for n in range(9)),
    ],
    ids=[
        *("teasers behind the article", "links in it", "whole posts", "a press review", "a live blog", "a few", "links in sentences"),
        "posts of a forum",
    ],
)
def test_text_that_hangs_together_is_an_article_whatever_its_address(body: str) -> None:
    assert read(body).outcome == "article"


def test_posts_are_no_teasers() -> None:
    rules = {"posts": {"liveblog": {"item": "div.elem", "title": "h3", "text": "p"}}}
    assert read(teasers(), **rules).outcome == "article"


@pytest.mark.parametrize("body", ["<a href=/x>" * 1_900 + SENTENCE * 50_000, teasers(5_000)], ids=["links in links", "many"])
def test_a_hostile_page_is_judged_in_time(body: str) -> None:
    page = f"<p>{SENTENCE * 3}</p>{body}"
    begin = time.process_time()
    assert read(page).outcome in ("article", "listing")
    assert time.process_time() - begin < 6
