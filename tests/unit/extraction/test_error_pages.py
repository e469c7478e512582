"""A page that says that it is not there is no article, though the answer was 200; an article about such pages is one."""

from __future__ import annotations

import pytest
from trial_portal import page_of, portal_of

from webarticlecurator.extraction.article import read_article
from webarticlecurator.model.article import Article

SENTENCE = "Kérjük, használja a keresőt, vagy térjen vissza a kezdőlapra, ahol legfrissebb híreinket olvashatja. "
DATE = '<meta property="article:published_time" content="2024-05-01T10:00:00+02:00">'


def read(title: str, heading: str = "", *, text: str = SENTENCE, head: str = "", url: str = "https://pelda.example/cikk/1") -> Article:
    page = page_of(f"<head><title>{title}</title>{head}</head><body><main><h1>{heading}</h1><p>{text}</p></main></body>", url)
    listing = {"headline": ("Új híd épül",), "datePublished": ("2024-05-01",)}
    return read_article([page], portal_of(), id="pelda-1", identity=url, url=url, listing=listing)


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("Az oldal nem található | Példa", "Példa"),
        ("Példa", "A keresett cikk nem létezik"),
        ("404 – Page not found", ""),
        ("Oops! That page can’t be found.", ""),
        ("Error 404", "Es tut uns leid"),
        ("404", "Hoppá"),
        ("Page not found (404) - Example", ""),
        ("Seite nicht gefunden – Beispiel", ""),
        ("Página no encontrada", ""),
        ("Exemple", "Cette page n’existe plus"),
        ("Страница не найдена", ""),
        ("お探しのページが見つかりませんでした", ""),
    ],
)
def test_a_page_that_says_that_it_is_not_there_is_no_article(title: str, heading: str) -> None:
    article = read(title, heading)
    assert article.outcome == "not-article"
    assert "not there" in article.reason


def test_a_date_in_the_address_does_not_make_it_one() -> None:
    assert read("404 Not Found", url="https://pelda.example/2024/05/01/hid").outcome == "not-article"


@pytest.mark.parametrize(
    "article",
    [
        read("Page not found", head=DATE),
        read("Page not found", text=SENTENCE * 20),
        read("Page not found: what 404 means", "What 404 means"),
        read("404 new jobs at the port", "404 new jobs at the port"),
        read("Új híd épül", "Nem található a híd"),
    ],
    ids=["with a date", "with a text", "a longer title", "another number", "another thing"],
)
def test_an_article_is_one_whatever_it_is_called(article: Article) -> None:
    assert article.outcome == "article"


def test_a_dated_page_is_known_by_its_address() -> None:
    url = "https://pelda.example/404.html"
    assert read("Nincs ilyen oldal | Példa", head=DATE, url=url).outcome == "not-article"
    assert read("Új híd épül | Példa", head=DATE, url=url).outcome == "article"
