"""`curator compare`: the corpus beside readers that read the same pages; here by packages of the same names that do as their page says."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus, page

READER = '''
import os, re, socket, time, types

def extract(content, url, **_):
    """The paragraphs of a page, a line of its menu, and what its address asks for."""
    text = content if isinstance(content, str) else content.decode()
    print("hello, developers")
    if "slow" in url: time.sleep(60)
    if "deadly" in url: os._exit(3)
    if "broken" in url: raise ValueError(text)
    if "curious" in url: socket.create_connection(("127.0.0.1", int(url.rpartition("-")[2])))
    return "\\n".join(["Subscribe now"] * ("<nav" in text) + re.findall("<p>(.*?)</p>", text))

def bare_extraction(content, url, **_):
    return types.SimpleNamespace(title="A bridge", author="Ann; Bob", date="2024-05-01", tags=["river, bridge"])
'''
Compared = Callable[..., dict[str, Any]]
AUTHOR = '<meta name="author" content="Ann">'


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is called trafilatura."""
    if any(distributions(name="trafilatura")) or any(distributions(name="jusText")):
        pytest.skip("trafilatura and jusText themselves are installed here")
    packages = tmp_path / "packages"
    (packages / "trafilatura-9.8.dist-info").mkdir(parents=True)
    (packages / "trafilatura-9.8.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: trafilatura\nVersion: 9.8\n")
    (packages / "trafilatura.py").write_text(READER)
    monkeypatch.syspath_prepend(packages)


@pytest.fixture
def compared(corpus: SmallCorpus, reader: None, curator: Callable[..., Any]) -> Compared:
    """Store and build these pages, and give what `compare --json` says."""

    def run(*flags: str, **pages: bytes) -> dict[str, Any]:
        corpus.store(*((f"/{path}", html) for path, html in pages.items()))
        corpus.build()
        ended = curator("compare", corpus.base / "portal.yaml", "--corpus", corpus.folder, "--json", *flags)
        assert ended.code == 0, ended.err
        return json.loads(ended.out)  # type: ignore[no-any-return]

    return run


def test_what_a_reader_has_more_and_what_it_lacks(compared: Compared) -> None:
    told = compared(a=page("A bridge").replace(b"</div>", b"<blockquote>Nobody expected it.</blockquote></div>"))
    (text,) = told["text"]
    assert text["surplus"] == [["subscribe", 1], ["now", 1]]
    assert text["lacking"] == [["nobody", 1], ["expected", 1], ["it", 1]]
    words = {row["reader"]: row for row in told["words"]}
    kept = words["curator"]["page"]
    assert words["trafilatura"]["page"] == kept - 3 + 2
    assert words["trafilatura"]["container"] == kept - 3
    assert words["trafilatura"]["kept"] == kept
    assert words["trafilatura"]["page_with_metadata"] == words["trafilatura"]["page"] + 7
    assert words["all there is"]["page"] > words["all there is"]["container"] >= words["all there is"]["kept"] == kept
    assert text["precision"] == round((kept - 3) / (kept - 1), 4)
    assert text["recall"] == round((kept - 3) / kept, 4)


def test_metadata_are_held_against_the_documents(compared: Compared) -> None:
    told = compared(a=page("A bridge", head=AUTHOR), b=page("A school", published="2023-05-01", head=AUTHOR))
    shares = {row["field"]: (row["precision"], row["recall"]) for row in told["metadata"]}
    assert shares == {"author": (0.5, 1), "headline": (0.5, 0.5), "datePublished": (0.5, 0.5), "keywords": (0, 0)}


def test_or_against_what_a_person_confirmed(compared: Compared, corpus: SmallCorpus, curator: Callable[..., Any]) -> None:
    others = "- url: https://pelda.example/b\n  expect: {links: 0}\n"
    confirmed = "- url: https://pelda.example/a\n  expect: {metadata: {author: [Ann, Bob]}}\n"
    (corpus.base / "tests.yaml").write_text(confirmed + others)
    told = compared("--expectations", a=page("A bridge", head=AUTHOR), b=page("A school"))
    assert told["pages"] == 1
    assert [(row["reader"], row["recall"]) for row in told["metadata"]] == [("curator", 0.5), ("trafilatura", 1)]
    (corpus.base / "tests.yaml").write_text(others)
    ended = curator("compare", corpus.base / "portal.yaml", "--corpus", corpus.folder, "--expectations")
    assert "--accept URL` writes what is right" in ended.err


def test_a_reader_that_is_slow_dies_or_fails_loses_that_page_alone(compared: Compared) -> None:
    told = compared("--limit", "1.5", a=page("A bridge"), slow=page("Slow"), deadly=page("Deadly"), broken=page("Broken"), z=page("Last"))
    (tool,) = told["tools"]
    assert tool["failures"] == {"it was not done after 1.5 seconds": 1, "the process that read it ended with code 3": 1, "ValueError": 1}
    assert told["pages"] == 5
    assert told["text"][0]["recall"] == pytest.approx(2 / 5)


def test_no_reader_asks_anything_of_a_network(compared: Compared) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        told = compared(**{f"curious-{server.getsockname()[1]}": page("A bridge")})
        with pytest.raises(TimeoutError):
            server.accept()
    assert told["tools"][0]["failures"] == {"OSError": 1}


def test_a_sample_is_the_same_every_time(compared: Compared) -> None:
    pages = {f"a{number}": page(f"Bridge {number}", text="word " * number) for number in range(8)}
    first = compared("--sample", "3", **pages)
    assert (first["pages"], first["articles"]) == (3, 8)
    assert compared("--sample", "3")["words"] == first["words"]
    assert compared("--all")["pages"] == 8


def test_the_page_shows_where_they_differ_and_its_strangers_stay_text(
    compared: Compared, corpus: SmallCorpus, curator: Callable[..., Any]
) -> None:
    told = compared(a=page("A bridge"), b=page("A &lt;script&gt;alert(1)&lt;/script&gt; school", text="&lt;img src=x&gt;"))
    shown = (corpus.folder / "reports" / "compare.html").read_text(encoding="utf-8")
    assert told["page"].endswith("compare.html")
    assert shown.count("<h3>The archived page</h3>") == 2
    assert shown.count("<svg") == 1
    assert re.search(r"Ahead by F1, in text beside the corpus, in metadata beside the documents: trafilatura in text \(\d+ %\)", shown)
    assert '<li class="left"><bdi>Subscribe now</bdi></li>' in shown
    assert "<script" not in shown
    assert "<img" not in shown
    ended = curator("compare", corpus.base / "portal.yaml", "--corpus", corpus.folder, "-o", corpus.base / "elsewhere.html")
    assert (corpus.base / "elsewhere.html").read_text(encoding="utf-8") == shown
    assert "pelda: 2 of 2 articles beside trafilatura" in ended.out
    assert "hello, developers" not in ended.out + ended.err
    assert "jusText is left out, since it is not installed: pip install jusText" in ended.err
    assert "name its file" in curator("compare", corpus.base / "portal.yaml", "-o", "-").err


@pytest.mark.skipif(any(distributions(name="trafilatura")), reason="trafilatura itself is installed here")
def test_without_any_reader_or_any_document_there_is_nothing_to_compare(
    corpus: SmallCorpus, curator: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    corpus.store(("/a", page("A bridge")))
    command = ("compare", corpus.base / "portal.yaml", "--corpus", corpus.folder)
    nobody = curator(*command)
    assert (nobody.code, nobody.out) == (2, "")
    assert "pip install 'webarticlecurator[compare]'" in nobody.err
    request.getfixturevalue("reader")
    unbuilt = curator(*command)
    assert unbuilt.code == 2
    assert f"`curator build {os.fspath(corpus.base / 'portal.yaml')}" in unbuilt.err
