"""What the schema refuses is told in plain English, where it stands (see also tests/broken_portals)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator.config.structure import check_structure
from webarticlecurator.config.yaml_nodes import plain
from webarticlecurator.config.yaml_reading import read_yaml

MistakesOf = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("kind: blogg\n", '1:7: `kind`: "blogg" is unknown; did you mean `blog`? (there are: news, blog, forum)'),
        ("title: [a]\n", "1:8: `title`: expected text, found a list"),
        ("title: 5\n", '1:8: `title`: expected text, found a number (5); if it is meant as text, put it in quotes: "5"'),
        ("fetch: {retries: no}\n", "1:18: `fetch.retries`: expected a whole number, found text (no)"),
        ("fetch: {retries: 21}\n", "1:18: `fetch.retries`: 21 is too large; the most is 20"),
        ("fetch: {verify_tls: no}\n", "1:21: `fetch.verify_tls`: expected true or false, found text (no)"),
        ("fetch: 1s\n", "1:8: `fetch`: expected a mapping (`key: value`), found text (1s)"),
        ("fetch: {proxy: {}}\n", "1:16: `fetch.proxy`: `env` is missing"),
        ("archive: {Item: a, url: 'https://pelda.example/'}\n", "1:11: unknown key `Item` in `archive`; did you mean `item`?"),
        ("step: day\n", "1:1: unknown key `step` here; it belongs into `dates`"),
        ("publisher: {rights: [a]}\n", "1:21: `publisher.rights`: expected a mapping (`key: value`), found a list"),
        ("columns: {}\n", "1:10: `columns`: an empty mapping; expected a list of names, or a mapping of overrides"),
        ("metadata: {url: {replace: [[a]]}}\n", "1:28: `metadata.url.replace[1]`: expected [pattern, replacement] with at least 2 in it"),
        ("metadata:\n  author:\n    css:\n", "3:5: `metadata.author.css`: expected a CSS selector, found nothing"),
        ("posts: {forum: {item: a}, fourm: {}}\n", "1:27: unknown key `fourm` in `posts`; did you mean `forum`?"),
    ],
)
def test_a_wrong_shape_is_told(mistakes_of: MistakesOf, text: str, mistake: str) -> None:
    assert mistakes_of(text) == [mistake]


def test_what_is_wrong_is_taken_out_and_the_rest_stays() -> None:
    root, _ = read_yaml(b"titel: x\nkind: blogg\ntitle: y\nfetch: {delay: soon, retries: 2}\nextends: [5, a]\n", Path("portal.yaml"))
    assert root is not None
    checked = check_structure(root, whole=False)
    assert plain(checked.root) == {"title": "y", "fetch": {"retries": 2}, "extends": ["a"]}
    assert checked.lost == {("titel",), ("kind",), ("fetch", "delay"), ("extends", 0)}
    assert len(checked.mistakes) == 4


def test_only_the_portal_file_itself_needs_a_name_and_a_home() -> None:
    root, _ = read_yaml(b"title: x\n", Path("portal.yaml"))
    assert root is not None
    assert [mistake.message for mistake in check_structure(root, whole=True).mistakes] == ["`portal` and `home` are missing"]
    assert check_structure(root, whole=False).mistakes == ()
