"""`curator open`: an article is found by its address, its id or its title, its page written, and a browser asked to show it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from crawling import wait_for
from mending import served
from small_corpus import SmallCorpus, page

ABOUT = b'<html><body class="about"><h1>About us</h1><p>Who we are.</p></body></html>'
PAGES = {
    "/bridge-opened": page("The bridge is open"),
    "/school-closed": page("A school"),
    "/kuoro-hirsil%C3%A4n": page("The choir"),
    "/1": page("Árvíz és Űrhajó"),
    "/about": ABOUT,
}
Open = Callable[..., Any]


@pytest.fixture
def built(corpus: SmallCorpus) -> SmallCorpus:
    corpus.rules = "articles: {skip: {when: [body.about]}}\n"
    corpus.store(*PAGES.items())
    corpus.build()
    return corpus


@pytest.fixture
def look(built: SmallCorpus, curator: Callable[..., Any]) -> Open:
    """`curator open` of what was built."""
    return lambda *words: curator("open", built.base / "portal.yaml", *words, "--corpus", built.folder)


def written(look: Open, typed: str) -> str:
    """The page of an article."""
    return Path(look(typed, "--print").out.strip()).read_text(encoding="utf-8")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a browser was asked to open."""
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(addresses.append(address)) or True)
    return addresses


def test_an_article_is_shown_in_the_browser(look: Open, built: SmallCorpus, shown: list[str]) -> None:
    ended = look("bridge")
    path = Path(ended.out.strip())
    assert ended.code == 0
    assert path.parent == built.folder / "reports" / "articles"
    assert shown == [path.resolve().as_uri()]
    assert "The bridge is open" in path.read_text(encoding="utf-8")


def test_a_file_is_made_and_nothing_opened(look: Open, shown: list[str], tmp_path: Path) -> None:
    assert look("bridge", "-o", tmp_path / "one.html").code == 0
    assert written(look, "bridge") == (tmp_path / "one.html").read_text(encoding="utf-8")
    assert shown == []


def test_an_article_is_found_by_address_id_title_or_a_part_of_them(look: Open) -> None:
    id = Path(look("school", "--print").out.strip()).stem
    names = ("https://pelda.example/school-closed", id, id[-8:], "SCHOOL-cl", "A school")
    assert {name: Path(look(name, "--print").out.strip()).stem for name in names} == dict.fromkeys(names, id)


@pytest.mark.parametrize(
    ("typed", "headline"),
    [("kuoro-hirsilän", "The choir"), *((typed, "Árvíz és Űrhajó") for typed in ("Árvíz", "árvíz", "ARVIZ", "urhajo"))],
)
def test_it_is_typed_as_a_browser_shows_it_in_capitals_or_not_with_accents_or_without(look: Open, typed: str, headline: str) -> None:
    assert f"<h2>{headline}</h2>" in written(look, typed)


def test_it_says_which_articles_may_be_meant(look: Open) -> None:
    several = look("pelda.example")
    assert several.code == 2
    assert "5 articles fit 'pelda.example':" in several.err
    assert "https://pelda.example/school-closed  A school" in several.err


def test_a_known_address_without_article_is_told_and_nothing_like_it_is_offered(look: Open, built: SmallCorpus) -> None:
    built.store(("/bridge-closed", page("The bridge is closed")))
    ended = look("https://pelda.example/bridge-closed")
    assert ended.code == 2
    assert "bridge-closed is known" in ended.err
    assert "bridge-opened" not in ended.err


def test_its_page_shows_the_archived_page_the_document_and_where_each_value_came_from(look: Open) -> None:
    html = written(look, "bridge")
    assert html.count('sandbox="allow-same-origin"') == 1
    for shown in (
        "The bridge is open&lt;/span&gt;&lt;/h1&gt;",  # the archived page, as text in an attribute
        '<h2>The bridge is open</h2>', "&lt;TEI xmlns=", "datePublished", "article:published_time",
    ):  # fmt: skip
        assert shown in html
    assert unescape(html).count("<script") == 1, "ours"


def test_a_page_that_is_no_article_is_shown_alone_and_a_lost_file_is_told(look: Open, built: SmallCorpus) -> None:
    html = written(look, "about")
    assert "Who we are." in html and "no document" in html and "not-article" in html
    for path in (built.folder / "warc").iterdir():
        path.unlink()
    assert "cannot be shown" in written(look, "bridge")


def test_without_a_browser_the_file_is_named(look: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    ended = look("bridge")
    assert ended.code == 0
    assert "no browser here" in ended.err


def test_a_corpus_that_is_not_built_says_so(look: Open, built: SmallCorpus) -> None:
    for path in built.folder.glob("build.sqlite*"):
        path.unlink()
    shutil.rmtree(built.folder / "tei")
    assert "curator build" in look("bridge").err


def test_without_an_article_the_report_is_shown_and_made_where_it_is_old(look: Open, shown: list[str]) -> None:
    place = Path(look().out.strip())
    assert shown == [place.resolve().as_uri()]
    place.write_text("as it was", encoding="utf-8")
    look()
    assert place.read_text(encoding="utf-8") == "as it was", "nothing has changed since"
    os.utime(place, (0, 0))
    look()
    assert "<html" in place.read_text(encoding="utf-8")


@pytest.mark.parametrize("end", ["\r", "\r\n", "\f", "\\\r\n'\r", "&#13;", "&#12;"], ids=repr)
def test_a_text_of_a_style_ends_where_browsers_end_it(look: Open, built: SmallCorpus, end: str) -> None:
    css = f"content: 'a{end}; background: url(https://elsewhere.example/x); b: '"
    styled = f'<style>p {{ {unescape(css)} }}</style><p style="{css}">Text.</p>'
    built.store(("/styled", f"<html><head><title>Styled</title></head><body>{styled}</body></html>".encode()))
    built.build()
    html = unescape(unescape(written(look, "styled")))
    assert "Text." in html
    assert "url(https" not in html


def test_a_page_cannot_draw_marks_of_its_own(curator: Callable[..., Any], built: SmallCorpus) -> None:
    fake = '<p><span class="x curator-mark curator-kept" title="kept as paragraph">A fake.</span></p>'
    pages = {f"/{title}": f"<html><head><title>{title}</title></head><body>{fake}</body></html>".encode() for title in ("fake", "captcha")}
    built.store(*pages.items())
    for path in pages:
        made = built.base / "made.html"
        flags = ("--highlight", "--as", "article", "-o", made, "--corpus", built.folder)
        assert curator("try", built.base / "portal.yaml", f"https://pelda.example{path}", *flags).code == 0
        html = unescape(made.read_text("utf-8"))
        assert 'class="x"' in html and 'class="x curator-mark' not in html


def test_a_picture_that_is_kept_is_marked(look: Open, built: SmallCorpus) -> None:
    built.store(
        ("/drawn", page("A drawing").replace(b"</p>", b'</p><figure><img src="/a.png"><figcaption>A river.</figcaption></figure>', 1))
    )
    built.build()
    assert re.search(r'<span class="curator-mark curator-kept[^"]*" title="kept as figure', unescape(written(look, "drawn")))


FORM = {"field": "headline", "change": "=", "value": "A new bridge", "because": "typo"}
REFUSED: tuple[dict[str, Any], ...] = (
    {"path": "/"},
    {"path": "/wrong/"},
    {"Host": "pelda.example"},
    {"Origin": "https://pelda.example"},
    {"Origin": "null"},
    {"method": "POST", "Origin": None},
    {"method": "POST", "Origin": "https://pelda.example"},
    {"method": "POST", "path": "/"},
    {"method": "POST", "Host": "localhost"},
)


def asking(address: str) -> Callable[..., tuple[int, str]]:
    """Asks at the address of a view, as its form does, and gives the status and the page."""
    host, path = address.removeprefix("http://").split("/", 1)
    assert host.startswith("127.0.0.1:")

    def ask(method: str = "GET", path: str = f"/{path}", form: dict[str, str] = FORM, **headers: str | None) -> tuple[int, str]:
        asked = {"Host": host, "Origin": f"http://{host}" if method == "POST" else None, **headers}
        with closing(HTTPConnection(host, timeout=20)) as connection:
            connection.putrequest(method, path, skip_host=True)
            for name, value in asked.items():
                if value is not None:
                    connection.putheader(name, value)
            body = urlencode(form).encode() if method == "POST" else b""
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, unescape(answer.read().decode())

    return ask


def test_values_are_mended_where_the_view_is_served_and_by_nobody_else(built: SmallCorpus) -> None:
    corrections = built.base / "corrections.yaml"
    with served(built.base / "portal.yaml", "bridge", "--corpus", built.folder) as address:
        ask = asking(address)
        assert {ask(**refused) for refused in REFUSED} == {(403, "")}
        assert not corrections.exists()
        assert ask("POST") == (303, "")
        assert "after: A new bridge" in corrections.read_text(encoding="utf-8")
        status, html = ask()
        assert status == 200 and "The bridge is open → A new bridge. It waits for a build." in html
        ask("POST", form={**FORM, "field": "nothing"})
        assert 'class="warning"' in ask()[1]
        ask("POST", form={**FORM, "change": "forget"})
        assert "as the rules give it again" in ask()[1] and "A new bridge" not in corrections.read_text(encoding="utf-8")
        assert ask("POST", form={"field": "x" * 200_000})[0] == 413
        corrections.write_text("- <b>nonsense", encoding="utf-8")
        assert ask()[0] == 500 and "corrections.yaml" in ask()[1]


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"field": "drop", "change": "-=", "value": "p"}, "Of drop selectors are added"),
        ({"field": "drop", "change": "=", "value": "b.none"}, "drop: b.none changes nothing in the text of this article."),
        ({"field": "headline", "change": "=", "value": ""}, "Nothing was typed"),
        ({"field": "headline", "change": "+=", "value": "x"}, "headline has one value"),
        ({"field": "headline", "change": "forget"}, "there is nothing to take back"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_form_refuses_in_words_of_a_form(built: SmallCorpus, form: dict[str, str], told: str) -> None:
    with served(built.base / "portal.yaml", "bridge", "--corpus", built.folder) as address:
        ask = asking(address)
        assert ask("POST", form=form)[0] == 303
        view = ask()[1]
        refusal = view.partition('class="warning">')[2].partition("</p>")[0]
    assert told in refusal
    assert f'name="value" value="{form.get("value", "")}"' in view, "what was typed need not be typed again"
    assert f" selected>{form['field']}</option>" in view
    assert not re.search("--|curator|SELECTOR|FIELD", refusal)


_FAULTY = """
import os, urllib.parse
from lxml import etree
read, write = urllib.parse.parse_qs, etree.tostring
def parse_qs(text, **more):
    return read(text, **more) if "odd" not in text else 1 / 0
def tostring(*of, **more):
    return write(*of, **more) if not os.path.exists(os.environ["TMPDIR"] + "/odd") else 1 / 0
urllib.parse.parse_qs, etree.tostring = parse_qs, tostring
"""


def test_a_bug_is_told_in_the_form_and_the_view_lives_on(built: SmallCorpus, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_FAULTY, encoding="utf-8")
    around = {"PYTHONPATH": os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))), "TMPDIR": str(tmp_path)}
    with served(built.base / "portal.yaml", "bridge", "--corpus", built.folder, **around) as address:
        ask = asking(address)
        assert ask("POST", form={**FORM, "value": "odd"})[0] == 303
        (tmp_path / "odd").touch()
        status, page = ask()
        (tmp_path / "odd").unlink()
        for told in (page, ask()[1]):
            assert "This is a bug of curator (ZeroDivisionError), not a mistake of yours." in told
            assert Path(re.search(r"The details are in (\S+\.log)", told)[1]).read_text().count("1 / 0") == 1
        assert status == 500
        assert ask("POST") == (303, "") and "→ A new bridge" in ask()[1]


def test_the_address_of_the_view_is_no_word_of_what_starts_the_browser(built: SmallCorpus, tmp_path: Path) -> None:
    browser, heard = tmp_path / "browser.py", tmp_path / "heard"
    browser.write_text(
        "import os, sys; from urllib.request import urlopen; place = sys.argv[1]; led = urlopen(place).read().decode()\n"
        "told = [place, oct(os.stat(place[7:]).st_mode), urlopen(led.split('url=')[1].split('\"')[0]).url]\n"
        f"open({str(heard)!r}, 'w').write('\\n'.join(told))",
        encoding="utf-8",
    )
    command = f"{sys.executable} {browser} %s"
    with served(built.base / "portal.yaml", "bridge", "--corpus", built.folder, flags=(), BROWSER=command) as address:
        wait_for(lambda: heard.exists() and heard.read_text().endswith(address))
        opened, mode, _ = heard.read_text().split("\n")
        assert opened.startswith("file://") and mode == "0o100600"
    assert not Path(opened.removeprefix("file://")).exists()


def test_what_does_not_go_with_the_form_is_told(look: Open, built: SmallCorpus) -> None:
    assert look("--edit").code == look("bridge", "--edit", "-o", built.base / "view.html").code == 2
