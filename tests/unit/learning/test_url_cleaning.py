"""Parameters of addresses that change nothing are found by what links and stored pages show."""

from __future__ import annotations

from typing import Any

from trial_portal import page_of, portal_of

from webarticlecurator.extraction.url_rules import cleaned
from webarticlecurator.learning.url_cleaning import find_url_cleaning
from webarticlecurator.model.page import Page
from webarticlecurator.urls import normalise, without_fragment

AT = "https://pelda.example"
TITLE = "Megnyílt az új híd a folyón"


def listing(*links: tuple[str, str]) -> Page:
    return page_of("".join(f'<h2><a href="{href}">{text}</a></h2>' for href, text in links), f"{AT}/lista")


def article(path: str, *, title: str = TITLE, text: str = "Ma reggel megnyílt a híd. " * 20, canonical: str = "") -> Page:
    head = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return page_of(f"<html><head><title>{title}</title>{head}</head><body><h1>{title}</h1><p>{text}</p></body></html>", AT + path)


def dropped(archive: list[Page], articles: list[Page] = []) -> list[Any]:  # noqa: B006
    """The choices for `drop_params`, the sure one first."""
    found = {one.name: one for one in find_url_cleaning(archive, articles)}
    proposal = found.get("archive.urls.drop_params")
    return [] if proposal is None else [(choice.value, proposal.sure) for choice in proposal.choices]


def test_what_only_counts_visits_goes_where_links_have_it() -> None:
    pages = [listing(("/cikk/1?utm_source=lista&utm_medium=web", TITLE), ("/cikk/2?fbclid=x", "Másik cikk a hídról"))]
    assert dropped(pages) == [(["fbclid", "utm_*"], True)]
    assert dropped([listing(("/cikk/1", TITLE))]) == []


def test_links_of_the_same_words_that_differ_only_in_a_parameter_show_that_it_changes_nothing() -> None:
    links = [(f"/cikk/{number}?hely={place}", f"{TITLE} {number}") for number in (1, 2) for place in ("fent", "lent")]
    (proposal,) = find_url_cleaning([listing(*links)])
    assert (proposal.path, proposal.choices[0].value, proposal.sure) == (("archive", "urls", "drop_params"), ["hely"], True)
    assert proposal.choices[0].reason == "hely: 2 addresses are linked with and without it, or with other values, by the same words"
    assert proposal.choices[0].samples == (f"{AT}/cikk/1?hely=fent",)


def test_a_parameter_that_tells_articles_apart_stays() -> None:
    assert dropped([listing(*((f"/cikk.php?id={number}", f"{TITLE} {number}") for number in range(5)))]) == []
    assert dropped([], [article("/cikk.php?id=1"), article("/cikk.php?id=2", title="Másik")]) == []


def test_two_stored_pages_with_the_same_article_show_that_what_parts_their_addresses_changes_nothing() -> None:
    assert dropped([], [article("/cikk/1"), article("/cikk/1?nezet=mobil")]) == [(["nezet"], True)]
    assert dropped([], [article("/cikk/1"), article("/cikk/1?nezet=mobil", text="Egészen más szöveg. " * 20)]) == []


def test_the_address_that_a_page_names_as_its_own_counts_and_once_is_not_sure() -> None:
    pages = [article(f"/cikk/{number}?forras=rss", canonical=f"/cikk/{number}") for number in (1, 2)]
    assert dropped([], pages[:1]) == [(["forras"], False)]
    assert dropped([], pages) == [(["forras"], True)]
    assert dropped([], [*pages, article("/cikk/9?forras=rss", canonical="/cikk/9?forras=rss")]) == []


def test_the_number_of_a_page_is_no_such_parameter() -> None:
    assert dropped([], [article(f"/cikk/{number}?oldal=2", canonical=f"/cikk/{number}") for number in (1, 2)]) == []


def test_a_session_is_known_by_one_long_value_in_all_links() -> None:
    links = [(f"/tema.php?t={number}&sid=0123456789abcdef0123456789abcdef", f"{TITLE} {number}") for number in range(6)]
    assert dropped([listing(*links)]) == [(["sid"], True)]


def test_only_links_to_articles_count_where_those_are_known() -> None:
    page = listing(("/cikk/1", TITLE), ("/hirdetes?utm_source=x", "Vegyen egy szép új autót"))
    assert find_url_cleaning([page], links_of=lambda _: frozenset([f"{AT}/cikk/1"])) == ()


def test_pages_of_other_sites_say_nothing_of_this_one() -> None:
    html = "<html><head><title>x</title></head><body><h1>x</h1><p>Szöveg.</p></body></html>"
    others = [page_of(html, f"https://masik.example/t/1{query}") for query in ("", "?nezet=1")]
    assert dropped([listing(("/cikk/1", TITLE))], others) == []
    assert dropped([], others) == [(["nezet"], True)]


def test_fragments_go_where_links_to_articles_have_them() -> None:
    page = listing(("/cikk/1#hozzaszolasok", TITLE), ("#fel", "Vissza az oldal tetejére"))
    (proposal,) = find_url_cleaning([page], links_of=lambda _: frozenset([f"{AT}/cikk/1"]))
    assert (proposal.path, proposal.choices[0].value) == (("archive", "urls", "drop_fragment"), True)


def test_what_is_proposed_is_what_the_portal_file_takes() -> None:
    (proposal,) = find_url_cleaning([listing(("/cikk/1?utm_source=a", TITLE))])
    portal = portal_of(archive={"url": f"{AT}/lista", "link": "a", "urls": {"drop_params": proposal.choices[0].value}})
    assert cleaned(f"{AT}/cikk/1?utm_source=a", portal.columns[0].urls) == normalise(without_fragment(f"{AT}/cikk/1"))
