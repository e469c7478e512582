"""Requests as the portal file shapes them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from webarticlecurator.config.article_rules import ArticleRules
from webarticlecurator.config.portal import Column, Paging, PagingMode, Portal
from webarticlecurator.config.request_rules import RequestShape
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.crawling.requests import archive_request, article_request, conditional
from webarticlecurator.model.capture import Capture, Request

URL = "https://pelda.example/api"


def column(shape: RequestShape) -> Column:
    return Column(name="hirek", template=UrlTemplate.parse(URL), paging=Paging(mode=PagingMode.INFINITE), request=shape)


def portal(rules: ArticleRules) -> Portal:
    return Portal(name="pelda", title="Példa", home="https://pelda.example/", language="hu", timezone=ZoneInfo("UTC"), articles=rules)


def test_a_form_is_filled_in_like_the_url() -> None:
    shape = RequestShape(method="POST", form={"page": UrlTemplate.parse("{page}"), "day": UrlTemplate.parse("{date}")})
    request = archive_request(column(shape), URL, {"page": "3"}, start=date(2024, 5, 1), end=date(2024, 5, 2))
    assert request.method == "POST"
    assert request.body == b"page=3&day=2024-05-01"
    assert dict(request.headers)["Content-Type"] == "application/x-www-form-urlencoded"


def test_json_keeps_its_shape_and_fills_in_its_strings() -> None:
    shape = RequestShape(
        method="POST", json={"filter": {"page": UrlTemplate.parse("p{page}"), "size": 20, "tags": [UrlTemplate.parse("{column}")]}}
    )
    request = archive_request(column(shape), URL, {"page": "2", "column": "hirek"})
    assert request.body == b'{"filter":{"page":"p2","size":20,"tags":["hirek"]}}'


def test_two_pages_of_a_posted_archive_are_two_requests() -> None:
    shape = RequestShape(method="POST", form={"page": UrlTemplate.parse("{page}")})
    assert archive_request(column(shape), URL, {"page": "1"}).key != archive_request(column(shape), URL, {"page": "2"}).key


def test_a_json_article_is_asked_for_by_its_identity() -> None:
    rules = ArticleRules(make_url=UrlTemplate.parse("https://pelda.example/json?id={value}", names=frozenset({"value"})))
    assert article_request(portal(rules), "https://pelda.example/cikk/7/", "7", first=True).url == "https://pelda.example/json?id=7"


def test_the_next_page_of_an_article_is_asked_for_where_the_link_leads() -> None:
    assert (
        article_request(portal(ArticleRules()), "https://pelda.example/cikk/7/2", "7", first=False).url == "https://pelda.example/cikk/7/2"
    )


def test_a_page_is_asked_again_by_its_etag_and_its_date() -> None:
    older = Capture(
        url=URL, requested_url=URL, status=200, headers=(("ETag", '"abc"'),), entity=b"", date=datetime(2024, 5, 1, 12, tzinfo=UTC)
    )
    headers = dict(conditional(Request(url=URL), older).headers)
    assert headers == {"If-None-Match": '"abc"', "If-Modified-Since": "Wed, 01 May 2024 12:00:00 GMT"}
