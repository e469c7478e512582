"""`curator watch`: a layout that changed is told with its first article, its signs and a new entry; hostile pages stay text."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus
from watched_portal import html

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">'


def page(number: int, *, changed: bool = False) -> bytes:
    """An article of a day of its own; after the change nothing has the name it had."""
    text = html(number, suffix="-new" if changed else "", widget=f"{HOSTILE}<p>{escape(HOSTILE)}</p>" if changed else "")
    return text.replace("<html>", '<html lang="en">').encode()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Forty articles of one layout, then twenty of another; built by the rules of the first."""
    corpus = SmallCorpus(tmp_path_factory.mktemp("watched"), rules="body: {root: div.story}\n")
    corpus.store(*((f"/{number}", page(number, changed=number >= 40)) for number in range(60)))
    corpus.build()
    yield corpus.base / "portal.yaml", corpus.folder


def test_a_drift_is_told_with_its_first_article_its_signs_and_an_entry_that_can_be_copied(watched: Any, curator: Any) -> None:
    file, corpus = watched
    ended = curator("watch", file, "--corpus", corpus)
    assert ended.code == 5
    assert "1. From 2024-02-" in ended.out and "https://pelda.example/40" in ended.out
    assert "last before (2024-02-" in ended.out and "first after (2024-02-" in ended.out and "`layouts`" in ended.out
    assert "https://pelda.example/39\n" in ended.out
    assert "from: '2024-02-" in ended.out


def test_on_the_page_for_the_browser_nothing_of_the_portal_runs(watched: Any, curator: Any, tmp_path: Path) -> None:
    assert curator("watch", watched[0], "--corpus", watched[1], "-o", tmp_path / "drift.html").code == 5
    shown = (tmp_path / "drift.html").read_text(encoding="utf-8")
    assert HOSTILE not in shown and "<script" not in shown and "&lt;script&gt;" in shown
    assert 'sandbox=""' in shown and "default-src" in shown


def test_what_cannot_be_said_is_not_told_as_good_news(curator: Any, tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path, rules="body: {root: div.story}\n")
    corpus.store(*((f"/{number}", page(number)) for number in range(3)))
    corpus.build()
    ended = curator("watch", tmp_path / "portal.yaml", "--corpus", corpus.folder)
    assert (ended.code, "too few" in ended.out + ended.err) == (0, True)


@pytest.mark.parametrize(("flags", "noun"), [((), "portal.yaml` begins it"), (("-o", "-"), "name its file")])
def test_what_comes_first_is_told(flags: tuple[str, ...], noun: str, curator: Any, tmp_path: Path) -> None:
    (tmp_path / "portal.yaml").write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    ended = curator("watch", tmp_path / "portal.yaml", *flags)
    assert (ended.code, noun in ended.err) == (2, True)
