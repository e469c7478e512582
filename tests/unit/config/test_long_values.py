"""Whatever stands in a portal file, a message about it shows at most a line of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

MistakesOf = Callable[[str], list[str]]

LONG = "x" * 900


@pytest.mark.parametrize("long", ["x" * 900, "xx " * 300], ids=["word", "words"])
@pytest.mark.parametrize(
    "text",
    [
        "language: 'LONG'",
        "timezone: 'LONG'",
        "kind: 'LONG'",
        "title: {'LONG': 1}",
        "'LONG': 1",
        "'LONG': 1\n'LONG': 2",
        "extends: 'LONG'",
        "extends: 'LONG.yaml'",
        "fetch: {delay: 'LONG'}",
        "fetch: {delay: LONG}",
        "fetch: {retries: LONG}",
        "fetch: {encoding: 'LONG'}",
        "fetch: {proxy: 'LONG'}",
        "fetch: {cookies_file: '../LONG'}",
        "fetch: {cookies_file: 'LONG'}",
        "fetch: {headers: {'LONG': {env: 'LONG'}}}",
        "fetch: {private_hosts: ['LONG LONG']}",
        "archive: {url: 'https://pelda.example/{LONG}', link: a}",
        "archive: {url: 'https://LONG:/', link: a}",
        "archive: {url: 'https://pelda.example/', item: 'LONG..'}",
        "archive: {url: 'https://pelda.example/', item: 'LONG:LONG'}",
        "archive: {url: 'https://pelda.example/', format: json, link: LONG}",
        "archive: {url: 'https://pelda.example/', link: #LONG LONG\n  }",
        "archive:\n  url: https://pelda.example/\n  link: #LONG",
        "archive:\n  url: https://pelda.example/\n  link: > LONG",
        "archive: {link: a}\ncolumns: {a: 'https://pelda.example/LONG', b: 'https://pelda.example/LONG'}",
        "metadata: {author: {css: a, match: 'LONG('}}",
        "metadata: {author: {json: 'LONG['}}",
        "metadata: {author: {css: a, 'LONG': 1}}",
        "metadata: {author: {css: a, replace: [[LONG, '\\5 LONG']]}}",
        "metadata: {author: {css: a, take: 'LONG'}}",
        "metadata: {author: {css: a, route: {'LONG': a}}}",
        "metadata: {author: {html_in: 'LONG', css: a}}",
        "metadata: {datePublished: {css: a, date: 'LONG'}}",
        "body: {tags: {box: ['LONG'], lead: ['LONG']}}",
        "body: {tags: {split: {'LONG': [LONG, bold]}}}",
        "body: {root: *LONG}",
        "body: {root: !LONG a}",
    ],
)
def test_a_message_shows_at_most_a_line_of_a_long_value(mistakes_of: MistakesOf, text: str, long: str) -> None:
    for message in mistakes_of(text.replace("LONG", long) + "\n"):
        assert "x" * 130 not in message
        assert "xx " * 60 not in message
        assert len(message) < 700
