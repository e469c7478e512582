"""The part of the example portal that only a browser shows: what the server itself says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.example_portal.scripted import SCRIPTED

Ask = Callable[..., object]
CONSENT = "Cookie: hozzajarulas=igen\r\n"


def _lists(ask: Ask, column: str) -> Iterator[list[str]]:
    page = 1
    while page:
        answer = json.loads(ask(f"/app/api/lista/{column}/{page}", headers=CONSENT).text)
        yield [one["link"] for one in answer["cikkek"]]
        page = answer["kovetkezo"]


@pytest.mark.parametrize("column", SCRIPTED)
def test_what_the_scripts_ask_for_leads_to_the_articles_that_the_truth_names(portal: ExamplePortal, ask: Ask, column: str) -> None:
    found = [portal.home + path for page in _lists(ask, column) for path in page]
    assert tuple(found) == portal.scripted_articles[column]
    assert found


@pytest.mark.parametrize("column", SCRIPTED)
def test_without_scripts_a_column_is_empty_whatever_its_page(portal: ExamplePortal, ask: Ask, column: str) -> None:
    for page in (f"/app/{column}", f"/app/{column}/2"):
        answer = ask(page)
        assert answer.status == 200
        assert 'class="teaser"' not in answer.text
        assert portal.scripted_articles[column][0].removeprefix(portal.home) not in answer.text


def test_an_article_is_the_same_empty_frame_whether_it_exists_or_not(portal: ExamplePortal, ask: Ask) -> None:
    url = portal.scripted_articles["hirek"][0]
    there, nowhere = ask(url), ask("/app/cikk/belfold/999999/nincs")
    assert there.status == nowhere.status == 200
    assert there.body == nowhere.body
    assert portal.truth(url).headline not in there.text
    assert ask("/app/api/cikk/belfold/999999").status == 404


def test_what_the_script_asks_for_is_all_of_the_article_on_one_page(portal: ExamplePortal, ask: Ask) -> None:
    for url in (urls[0] for urls in portal.scripted_articles.values()):
        truth = portal.truth(url)
        section, number = url.split("/")[5:7]
        answer = json.loads(ask(f"/app/api/cikk/{section}/{number}").text)
        assert truth.page_urls == (url,)
        assert f'<link rel="canonical" href="{url}">' in answer["fej"]
        assert truth.headline == answer["cim"]
        assert all(block.text in answer["html"] for block in truth.blocks if block.mark is None and "“" not in block.text)


def test_before_the_reader_has_agreed_nothing_is_listed(ask: Ask) -> None:
    assert ask("/app/api/lista/hozzajarulas/1").status == 403
    cookie = ask("/app/api/hozzajarulas", method="POST", body=b"x").headers["set-cookie"]
    assert ask("/app/api/lista/hozzajarulas/1", headers=f"Cookie: {cookie.partition(';')[0]}\r\n").status == 200


def test_new_and_removed_articles_change_these_columns_as_well(portal: ExamplePortal) -> None:
    (new,) = portal.publish(1, "english")
    assert portal.truth(portal.scripted_articles["gorgetett"][0]).headline == portal.truth(new).headline
    removed = portal.scripted_articles["gorgetett"][1]
    portal.remove(removed)
    assert removed not in portal.scripted_articles["gorgetett"]


def test_scripts_and_styles_may_be_kept_and_data_may_not(ask: Ask) -> None:
    for path, kept in (
        ("/app/app.js", "public, max-age=3600"),
        ("/app/app.css", "public, max-age=3600"),
        ("/app/api/lista/hirek/1", "no-store"),
    ):
        assert ask(path).headers["cache-control"] == kept


def test_nothing_else_is_there(ask: Ask) -> None:
    assert ask("/app/nincs").status == ask("/app/api/lista/nincs/1").status == ask("/app/cikk/nincs/1/x").status == 404
