"""The year of a page, told cheaply: by the listing, the URL, or what the page says first."""

from __future__ import annotations

import pytest
from decided_on_pages import page_of

from webarticlecurator.survey.stored_page import dates_in, year_before_reading, year_of


@pytest.mark.parametrize(
    ("url", "listed", "year"),
    [
        ("https://pelda.example/2019/05/01/cikk", (), 2019),
        ("https://pelda.example/2019/05/01/cikk", ("2020-01-02T10:00:00",), 2020),
        ("https://pelda.example/2021/06/hidavatas", (), 2021),
        ("https://pelda.example/belfold/2021/6/hidavatas/", (), 2021),
        ("https://pelda.example/2021-06/hidavatas.html", (), 2021),
        ("https://pelda.example/2021/06/hidavatas", ("2020-12-31",), 2020),
        ("https://pelda.example/2021/06/", (), None),
        ("https://pelda.example/forum/2021/6", (), None),
        ("https://pelda.example/2021/13/hidavatas", (), None),
        ("https://pelda.example/cikk/12021/06/hidavatas", (), None),
        ("https://pelda.example/cikk/2021/hidavatas", (), None),
        ("https://pelda.example/cikk/1999", (), None),
        ("https://pelda.example/cikk", ("tegnap",), None),
        ("https://pelda.example/cikk", ("0019-01-01",), None),
    ],
)
def test_before_the_page_is_read(url: str, listed: tuple[str, ...], year: int | None) -> None:
    assert year_before_reading(url, {"datePublished": listed}) == year


@pytest.mark.parametrize(
    ("head", "body", "year"),
    [
        ('<meta property="article:published_time" content="2018-03-04T05:06:07Z">', "", 2018),
        ('<meta itemprop="datePublished" content="2017-01-01">', "", 2017),
        ('<script type="application/ld+json">{"@type": "Article", "datePublished" : "2016-07-08"}</script>', "", 2016),
        ("", '<time datetime="2015-12-31">Silvester</time>', 2015),
        ('<meta name="description" content="2014">', "<time>2013-01-01</time>", None),
        ('<meta name="date" content="20140101">', '<time datetime="2012-01-01"></time>', 2012),
    ],
)
def test_what_the_page_says(head: str, body: str, year: int | None) -> None:
    tree = page_of(f"<html><head>{head}</head><body>{body}<p>x</p></body></html>").tree
    assert tree is not None

    assert year_of(dates_in(tree)) == year
