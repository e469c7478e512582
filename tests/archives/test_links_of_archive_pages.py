"""What the rules of `archive` read of a page: links, addresses, fields of the listing, the way on."""

from __future__ import annotations

import pytest
from seams import archive_of
from working_time import at_most


def test_times_that_an_archive_tells_in_utc_are_told_by_the_portal_s_clock() -> None:
    listed = [{"link": "/cikk/1", "mikor": "2024-05-01T22:30:00Z"}, {"link": "/cikk/2", "mikor": "2024-05-01T22:30:00-04:00"}]
    found = archive_of(listed, item={"json": "@"}, link={"json": "link"}, fields={"datePublished": {"json": "mikor"}})
    dates = [link.fields["datePublished"] for link in found.articles]
    assert dates == [("2024-05-02T00:30:00+02:00",), ("2024-05-01T22:30:00-04:00",)]


def test_url_rules_work_in_their_order() -> None:
    page = archive_of(
        "<a href='/regi/1?token=x&amp;oldal=2#k'>1</a><a href='/uj/2'>2</a><a href='/pr/3'>3</a><a href='/halott'>4</a>"
        "<a href='/kizart'>5</a>"
        "<a href='https://masik.example/uj/1'>6</a><a href='https://a.harmadik.example/uj/2'>7</a>",
        link="a",
        urls={
            "replace": [["/regi/(\\d+)", "/uj/\\1"]],
            "drop_params": ["tok*"],
            "map_file": "terkep.tsv",
            "only": ["/uj/", "/kizart"],
            "exclude": ["\\?oldal=3", "/kizart$"],
            "hosts": ["*.harmadik.example"],
        },
        files={"terkep.tsv": "https://pelda.example/halott\thttps://pelda.example/uj/elo\n"},
    )
    assert [link.url for link in page.articles] == [
        "https://pelda.example/uj/1?oldal=2",
        "https://pelda.example/uj/2",
        "https://pelda.example/uj/elo",
        "https://a.harmadik.example/uj/2",
    ]
    assert [(link.url, link.reason) for link in page.refused] == [
        ("https://pelda.example/pr/3", "urls.only"),
        ("https://pelda.example/kizart", "urls.exclude"),
        ("https://masik.example/uj/1", "other host"),
    ]


@pytest.mark.parametrize(("written", "left"), [("/hír/", "34"), ("/h%C3%ADr/", "34"), ("/(sport|képek)/", "12")])
def test_patterns_fit_addresses_as_browsers_show_them_and_as_they_are_asked_for(written: str, left: str) -> None:
    links = "<a href=/h%C3%ADr/1>1</a><a href=/hír/2>2</a><a href=/sport/3>3</a><a href=/képek/4>4</a>"
    page = archive_of(links, link="a", urls={"exclude": [written]})
    assert [link.url[-1] for link in page.articles] == list(left)
    assert [link.url[-1] for link in archive_of(links, link="a", urls={"only": [written]}).articles] == sorted({*"1234"} - {*left})


def test_of_a_hundred_thousand_links_twenty_thousand_are_taken_and_it_is_told() -> None:
    content = "".join(f"<a href=/{number}>x</a>" for number in range(100_000))
    with at_most(20):
        page = archive_of(content, link="a")
    assert (len(page.articles), page.overfull) == (20_000, True)
    assert not archive_of("<a href=/1>x</a><a href=/2>x</a>", link="a").overfull
