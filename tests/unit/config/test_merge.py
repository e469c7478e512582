"""How nearer files, columns and layouts change what farther ones say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webarticlecurator.config.merge import merge, mode_of, nothing
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.yaml_nodes import FilePlace, MapNode, plain
from webarticlecurator.config.yaml_reading import read_yaml


def tree(text: str) -> MapNode:
    root, mistakes = read_yaml(text.encode(), Path("portal.yaml"))
    assert root is not None
    assert not mistakes
    return root


def merged(*files: str) -> Any:
    """Farthest file first."""
    root = nothing(FilePlace(Path("portal.yaml"), 1, 1))
    for file in files:
        root = merge(root, tree(file), "portal")
    return plain(root)


@pytest.mark.parametrize(
    ("far", "near", "result"),
    [
        ("title: a", "language: hu", {"title": "a", "language": "hu"}),
        ("title: a", "title: b", {"title": "b"}),
        ("title: a", "title: null", {"title": None}),
        ("fetch: {delay: 1s, retries: 2}", "fetch: {delay: 2s}", {"fetch": {"delay": "2s", "retries": 2}}),
        ("fetch: {delay: 1s}", "fetch: null", {"fetch": None}),
        ("fetch: {private_hosts: [a, b]}", "fetch: {private_hosts: [c]}", {"fetch": {"private_hosts": ["c"]}}),
        ("fetch: {private_hosts: [a]}", "fetch: {private_hosts+: [b, c]}", {"fetch": {"private_hosts": ["a", "b", "c"]}}),
        ("fetch: {private_hosts: a}", "fetch: {private_hosts+: b}", {"fetch": {"private_hosts": ["a", "b"]}}),
        ("title: a", "fetch: {private_hosts+: [b]}", {"title": "a", "fetch": {"private_hosts": ["b"]}}),
    ],
)
def test_mappings_merge_key_by_key_and_the_nearer_file_wins(far: str, near: str, result: object) -> None:
    assert merged(far, near) == result


@pytest.mark.parametrize(
    ("far", "near", "result"),
    [
        ("metadata: {author: {css: a, attr: b}}", "metadata: {author: {meta: c}}", {"metadata": {"author": {"meta": "c"}}}),
        (
            "archive: {stop: {known_pages: 2, after: 2015-01-01}}",
            "archive: {stop: {known_pages: 5}}",
            {"archive": {"stop": {"known_pages": 5}}},
        ),
        ("archive: {stop: {known_pages: 2}}", "archive: {stop: null}", {"archive": {"stop": None}}),
        ("archive: {request: {form: {a: b}}}", "archive: {request: {headers: {c: d}}}", {"archive": {"request": {"headers": {"c": "d"}}}}),
        ("archive: {fields: {a: b}}", "archive: {fields: {c: {css: d}}}", {"archive": {"fields": {"a": "b", "c": {"css": "d"}}}}),
        ("articles: {next: {css: a, take: last}}", "articles: {next: {css: b}}", {"articles": {"next": {"css": "b"}}}),
        ("metadata: {author: a}", "metadata: {author+: [b]}", {"metadata": {"author": ["a", "b"]}}),
        ("metadata: {author: {css: a}}", "metadata: {author+: {css: b}}", {"metadata": {"author": [{"css": "a"}, {"css": "b"}]}}),
        ("posts: {forum: {item: a, author: {css: b}}}", "posts: {forum: {author: c}}", {"posts": {"forum": {"item": "a", "author": "c"}}}),
    ],
)
def test_picks_stop_and_request_are_values_that_are_replaced_whole(far: str, near: str, result: object) -> None:
    assert merged(far, near) == result


@pytest.mark.parametrize(
    ("far", "near", "result"),
    [
        ("{mode: infinite, start: 2}", "{empty_pages: 3}", {"mode": "infinite", "start": 2, "empty_pages": 3}),
        ("{mode: infinite, start: 2}", "{mode: infinite, first: ''}", {"mode": "infinite", "start": 2, "first": ""}),
        ("{mode: infinite, start: 2}", "infinite", {"mode": "infinite", "start": 2}),
        ("infinite", "{start: 2}", {"mode": "infinite", "start": 2}),
        ("{mode: infinite, start: 2}", "{mode: expanding}", {"mode": "expanding"}),
        ("{mode: infinite, start: 2}", "none", "none"),
        ("{mode: infinite, start: 2}", "{last: 9}", {"last": 9}),
        ("{last: 9, start: 0}", "{last: 12}", {"last": 12, "start": 0}),
        ("{last: 9, start: 0}", "{mode: numbered, first: ''}", {"last": 9, "start": 0, "mode": "numbered", "first": ""}),
        ("{start: 0}", "{mode: infinite}", {"start": 0, "mode": "infinite"}),
        ("{start: 0}", "{values: 1-3}", {"values": "1-3"}),
    ],
)
def test_pages_merge_while_the_mode_stays_the_same(far: str, near: str, result: object) -> None:
    url = "https://pelda.example/{page}"
    found = merged(f"archive: {{url: '{url}', pages: {far}}}", f"archive: {{pages: {near}}}")
    assert found == {"archive": {"url": url, "pages": result}}


def test_another_mode_ends_a_farther_next() -> None:
    assert merged("archive: {next: a.next}", "archive: {pages: infinite}") == {"archive": {"pages": "infinite"}}
    assert merged("archive: {next: a.next}", "archive: {pages: next-link}") == {"archive": {"next": "a.next", "pages": "next-link"}}
    both = {"archive": {"next": "b", "pages": "infinite"}}
    assert merged("archive: {next: a}", "archive: {next: b, pages: infinite}") == both, "a contradiction of one file stays to be told"


WAYS = "archive: {item: li, ways: {api: '{home}api', pages: {url: '{home}', next: a.next}}}"


@pytest.mark.parametrize(
    ("near", "archive"),
    [
        ("archive: {url: 'http://x/'}", {"item": "li", "url": "http://x/"}),
        (
            "archive: {dates: [{from: '2020-01-01', url: 'http://x/{year}'}]}",
            {"item": "li", "dates": [{"from": "2020-01-01", "url": "http://x/{year}"}]},
        ),
        ("archive: {ways: null}", {"item": "li", "ways": None}),
        ("archive: {ways: {api: null}}", {"item": "li", "ways": {"pages": {"url": "{home}", "next": "a.next"}}}),
        ("archive: {link: a}", {"item": "li", "link": "a", "ways": {"api": "{home}api", "pages": {"url": "{home}", "next": "a.next"}}}),
        (
            "archive: {ways: {pages: {next: b}, months: '{home}{year}'}}",
            {"item": "li", "ways": {"api": "{home}api", "pages": {"url": "{home}", "next": "b"}, "months": "{home}{year}"}},
        ),
    ],
)
def test_a_nearer_url_ends_farther_ways_which_else_merge_name_by_name(near: str, archive: object) -> None:
    assert merged(WAYS, near)["archive"] == archive


def test_nearer_ways_end_a_farther_url() -> None:
    assert merged("archive: {url: 'http://x/', item: li}", "archive: {ways: {a: 'http://y/'}}")["archive"] == {
        "item": "li",
        "ways": {"a": "http://y/"},
    }


def test_tags_are_layered_nearest_first() -> None:
    first, second, near = "body: {tags: {lead: [a]}}", "body: {tags: {lead: [b]}}", "body: {tags: {decompose: null}}"
    assert merged(first)["body"]["tags"] == {"lead": ["a"]}
    assert merged(first, second, near)["body"]["tags"] == [{"decompose": None}, {"lead": ["b"]}, {"lead": ["a"]}]
    assert merged(first, "body: {tags: null}", near)["body"]["tags"] == {"decompose": None}


def test_null_removes_a_column_that_a_farther_file_gives() -> None:
    assert merged("columns: {a: {next: x}, b: {}}", "columns: {a: null}") == {"columns": {"b": {}}}


def test_a_column_string_replaces_what_a_farther_file_says_of_the_column() -> None:
    assert merged("columns: {a: {next: x}}", "columns: {a: 'https://pelda.example/a'}") == {"columns": {"a": "https://pelda.example/a"}}


def test_a_list_of_columns_can_be_added_to() -> None:
    assert merged("columns: [a]", "columns+: [b]") == {"columns": ["a", "b"]}


def test_what_a_column_adds_waits_for_the_archive() -> None:
    first, second = "columns: {a: {urls: {exclude+: [x]}}}", "columns: {a: {urls: {exclude+: [y]}}}"
    assert merged(first, second) == {"columns": {"a": {"urls": {"exclude+": ["x", "y"]}}}}
    assert merged(first, "columns: {a: {urls: {exclude: [z]}}}") == {"columns": {"a": {"urls": {"exclude": ["z"]}}}}


@pytest.mark.parametrize(
    ("archive", "mode"),
    [
        ("{url: 'https://a.example/'}", PagingMode.NONE),
        ("{url: 'https://a.example/?p={page}'}", PagingMode.INFINITE),
        ("{url: 'https://a.example/?p={{page}}'}", PagingMode.NONE),
        ("{url: 'https://a.example/?p={{{page}}}'}", PagingMode.INFINITE),
        ("{url: 'https://a.example/?p={page}', next: a}", PagingMode.NEXT_LINK),
        ("{url: 'https://a.example/?p={page}', pages: {last: 5}}", PagingMode.NUMBERED),
        ("{url: 'https://a.example/?p={page}', pages: {values: 1-5}}", PagingMode.NUMBERED),
        ("{url: 'https://a.example/?p={page}', pages: {start: 0}}", PagingMode.INFINITE),
        ("{url: 'https://a.example/', request: {form: {p: '{page}'}}}", PagingMode.INFINITE),
        ("{dates: [{url: 'https://a.example/{page}'}]}", PagingMode.INFINITE),
        ("{url: 'https://a.example/?p={page}', pages: expanding}", PagingMode.EXPANDING),
    ],
)
def test_the_mode_that_is_not_stated_follows_from_next_and_page(archive: str, mode: PagingMode) -> None:
    assert mode_of(tree(archive)) == mode


def test_values_keep_the_place_where_they_were_written() -> None:
    far, near = tree("fetch:\n  delay: 1s\n"), tree("\n\nfetch: {retries: 2}\n")
    fetch = merge(far, near, "portal").entries["fetch"]
    assert isinstance(fetch, MapNode)
    assert [fetch.keys[key].line for key in ("delay", "retries")] == [2, 3]


@pytest.mark.parametrize(("format", "stop"), [("feed", {"stop": {"known_pages": 2}}), ("sitemap", {})])
def test_a_format_that_tells_its_links_ends_what_farther_files_say_of_pages_of_another_one(format: str, stop: dict[str, Any]) -> None:
    far = "archive: {url: a, item: li, link: a, next: b, pages: {mode: numbered, last: 3}, fields: {headline: h2}, stop: {known_pages: 2}}"
    assert merged(far, f"archive: {{format: {format}}}") == {"archive": {"url": "a", **stop, "format": format}}
    assert merged("archive: {format: feed, fields: {a: b}}", "archive: {format: feed}") == {
        "archive": {"format": "feed", "fields": {"a": "b"}}
    }


def test_a_feed_is_followed_by_its_own_links_unless_its_pages_are_counted() -> None:
    assert mode_of(tree("{url: 'https://pelda.example/feed', format: feed}")) == PagingMode.NEXT_LINK
    assert mode_of(tree("{url: 'https://pelda.example/feed?p={page}', format: feed}")) == PagingMode.INFINITE
