"""The pages of articles say what the truth says, in every layout and encoding."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from webarticlecurator.example_portal import ExamplePortal, Form
from webarticlecurator.example_portal.articles import Article, write_article
from webarticlecurator.example_portal.jsonld import FLAVOURS
from webarticlecurator.example_portal.sections import SECTIONS, TODAY, share_out

Ask = Callable[..., object]


def _visible(text: str) -> str:
    return " ".join(html.fromstring(text).text_content().split())


def test_all_pages_of_an_article_together_show_all_of_its_text(portal: ExamplePortal, ask: Ask) -> None:
    for url in portal.article_urls:
        truth = portal.truth(url)
        shown = " ".join(_visible(ask(page).body.decode(truth.encoding)) for page in truth.page_urls)
        assert truth.headline in shown
        assert all(author in shown for author in truth.author)
        for line in truth.text.split("\n"):
            assert line in shown, url


def test_the_portal_has_every_form_of_article_in_both_layouts_and_several_languages() -> None:
    with ExamplePortal(articles=200) as portal:
        truths = [portal.truth(url) for url in portal.article_urls]
    assert {truth.form for truth in truths} == set(Form)
    assert {truth.layout for truth in truths} == {"old", "new"}
    assert {truth.inLanguage for truth in truths} == {"hu", "en", "de", "fr"}
    assert any(truth.comments for truth in truths)
    assert any(post.parent for truth in truths for post in truth.posts)


def test_beside_the_next_page_there_is_a_link_to_the_next_article(portal: ExamplePortal, ask: Ask) -> None:
    older = [url for name in ("belfold", "kultura", "english") for url in portal.articles[name][1:]]
    long = next(truth for url in older if (truth := portal.truth(url)).form is Form.LONG)
    for number, page in enumerate(long.page_urls, 1):
        tree = html.fromstring(ask(page).text)
        onward = [portal.home + link for link in tree.xpath('//a[@class="kovetkezo-oldal"]/@href')]
        assert onward == list(long.page_urls[number : number + 1])
        assert tree.xpath('//a[@class="kovetkezo-cikk"][@rel="next"]')


@pytest.mark.parametrize(
    ("column", "previous", "following"),
    [("belfold", '//a[@rel="prev"]', '//a[@rel="next"]'), ("blog", '//*[@class="nav-previous"]/a', '//*[@class="nav-next"]/a')],
)
def test_articles_lead_to_those_that_appeared_before_and_after_them(
    portal: ExamplePortal, ask: Ask, column: str, previous: str, following: str
) -> None:
    portal.publish(4, column)
    newest, gone, third, fourth = portal.articles[column][:4]
    portal.remove(gone)

    for url, expected in ((newest, ([third], [])), (third, ([fourth], [newest]))):
        tree = html.fromstring(ask(url).text)
        assert tuple([portal.home + link for link in tree.xpath(f"{path}/@href")] for path in (previous, following)) == expected


def test_the_latin_2_section_declares_its_encoding_in_three_ways(ask: Ask) -> None:
    ways = set()
    for number in (1, 2, 3):
        page = ask(f"/regi/cikk.php?id={number}")
        with pytest.raises(UnicodeDecodeError):
            page.body.decode("utf-8")
        ways.add((page.headers["content-type"], b"charset=iso-8859-2" in page.body))
    assert ways == {("text/html", True), ("text/html; charset=iso-8859-2", False), ("text/html; charset=utf-8", True)}


def test_json_ld_comes_good_and_broken(portal: ExamplePortal, ask: Ask) -> None:
    reports = portal.publish(3 * len(FLAVOURS), "podcast")
    broken = good = 0
    for url in reports:
        for script in html.fromstring(ask(url).text).xpath('//script[@type="application/ld+json"]/text()'):
            try:
                json.loads(script)
                good += 1
            except ValueError:
                broken += 1
    assert good and broken


def test_the_words_in_a_url_do_not_matter_but_its_number_does(ask: Ask) -> None:
    assert ask("/belfold/cikk/1/egeszen-mas").body == ask("/belfold/cikk/1/valami").body
    assert ask("/belfold/cikk/999999/valami").status == 404
    assert ask("/belfold/cikk/1/valami?oldal=99").status == 404


def test_an_edited_article_says_more_and_has_another_tag(portal: ExamplePortal, ask: Ask) -> None:
    url = portal.articles["english"][0]
    before = ask(url)
    assert ask(url, headers=f"If-None-Match: {before.headers['etag']}\r\n").status == 304
    portal.edit(url)
    after = ask(url, headers=f"If-None-Match: {before.headers['etag']}\r\n")
    assert after.status == 200
    assert "Update:" in after.text
    assert "Update:" not in before.text


def test_two_portals_have_the_same_pages(portal: ExamplePortal) -> None:
    with ExamplePortal(articles=60, page_size=3) as twin:
        paths = [url.removeprefix(portal.home) for url in portal.articles["belfold"]]
        assert paths == [url.removeprefix(twin.home) for url in twin.articles["belfold"]]
        assert portal.truth(paths[0]).text == twin.truth(paths[0]).text
    with ExamplePortal(articles=60, page_size=3, seed=2) as other:
        assert portal.truth(paths[0]).text != other.truth(paths[0]).text


@given(st.integers(len(SECTIONS), 1_000_000))
def test_articles_are_shared_out_to_the_last_one(articles: int) -> None:
    counts = share_out(articles)
    assert sum(counts.values()) == articles
    assert min(counts.values()) >= 1


@given(st.sampled_from(list(SECTIONS.values())), st.integers(1, 100_000), st.data())
def test_a_higher_number_is_never_older(section, total: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(1, total + 100))
    earlier, later = (section.published(n, total) for n in (number, number + 1))
    assert section.since < earlier <= later
    assert later.date() <= TODAY.date()


@given(st.sampled_from(list(SECTIONS.values())), st.integers(1, 10**9))
def test_an_article_is_made_of_its_number_alone(section, number: int) -> None:
    def written() -> Article:
        return write_article(section, number, section.since, seed=1)

    assert written() == written()
    assert written().title
    assert written().authors


def test_too_few_articles_are_refused_with_a_reason() -> None:
    with pytest.raises(ValueError, match="at least 11"):
        ExamplePortal(articles=5)
