from __future__ import annotations

import pytest
from trial_portal import URL, page_of

from webarticlecurator.extraction.structured_data import json_ld_objects, read_json


def names(html: str) -> list[str]:
    page = page_of(html)
    assert page.tree is not None
    return [one["name"] for one in json_ld_objects(page.tree, URL) if "name" in one]


def block(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "a\nb"}',
        '{"name": "a\\nb",}',
        '<!-- {"name": "a\\nb"} -->',
        '//<![CDATA[\n{"name": "a\\nb"}\n//]]>',
        '/* <![CDATA[ */ {"name": "a\\nb"} /* ]]> */',
        '{"name": "a\\nb"};',
        '[[{"name": "a\\nb"}], null, 3]',
        '{"@graph": [{"name": "a\\nb"}]}',
    ],
)
def test_json_ld_is_read_as_it_is_written_in_the_wild(text: str) -> None:
    assert names(block(text)) == ["a\nb"]


def test_all_blocks_are_read_and_broken_ones_do_no_harm() -> None:
    assert names(block('{"name": "a') + block('{"name": "b"}{"name": "c"}') + block("")) == ["b", "c"]


@pytest.mark.parametrize(
    "about",
    [f'"url": "{URL}"', f'"@id": "{URL}#article"', f'"mainEntityOfPage": {{"@id": "{URL}"}}', f'"mainEntityOfPage": "{URL}"'],
)
def test_the_object_about_this_page_comes_first(about: str) -> None:
    assert names(block('{"name": "other"}') + block(f'{{"name": "this", {about}}}')) == ["this", "other"]


def test_deep_json_does_no_harm() -> None:
    assert read_json("[" * 100_000) == []
