"""What `curator audit` finds wrong on pages: before and after, one difficulty a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from warc_records import write_warc
from working_time import at_most

URL = "https://pelda.example/2024/05/01/bridge"
ONE = "The council met on Tuesday and talked for hours about the bridge over the river."
TWO = "Nobody had asked the ferryman, who has lived from that river for thirty years."
THREE = "In the end they sent for more coffee, and put off what they had come to decide."
RULES = """
portal: pelda
home: https://pelda.example/
body:
  root: div.text
  tags:
    decompose: [.gone, span.note]
    unwrap-all: [div.simple]
    heading: [p.title]
    box: [b.box, p.framed]
    note: [section.notes]
"""
BARE = "portal: pelda\nhome: https://pelda.example/\n"
VARIED = ("council", "bridge", "ferryman", "river", "coffee", "ferry", "boat", "Meeting", "harbour", "Tag")
"""Words in whose places each page has its own, so that no two pages say the same."""
OF_ALL = {"same-body", "metadata-missing"}
"""Kinds that are told of many pages together."""
Audit = Callable[..., dict[str, Any]]


@pytest.fixture
def audit(curator: Callable[..., Any], tmp_path: Path) -> Audit:
    """What is said of pages with these bodies."""

    def audited(bodies: Iterable[str], rules: str = RULES) -> dict[str, Any]:
        (tmp_path / "portal.yaml").write_text(rules, encoding="utf-8")
        pages = {f"{URL}/{number}": body for number, body in enumerate(bodies)}
        file = write_warc(tmp_path / "pages.warc.gz", pages)
        ended = curator("audit", tmp_path / "portal.yaml", "--warc", file, "--json", "--jobs", "1")
        told: dict[str, Any] = json.loads(ended.out)
        assert told["exit_code"] == ended.code
        return told

    return audited


def page(inside: str, around: str = "{}") -> str:
    return f"""<html><body><h1>Bridge</h1>{around.format(f'<div class="text">{inside}</div>')}</body></html>"""


def varied(html: str, count: int = 4) -> list[str]:
    """The page, so many times, each with words of its own."""
    pages = []
    for letter in "bcdfghjklmnp"[:count]:
        text = html
        for word in VARIED:
            text = text.replace(f" {word}", f" {letter}a{word}").replace(word.upper(), f"{letter.upper()}A{word.upper()}")
        pages.append(text)
    return pages


def kinds(told: dict[str, Any]) -> dict[str, str]:
    return {finding["kind"]: finding["tag"] or "" for finding in told["findings"] if finding["kind"] not in OF_ALL}


HEAD = (
    '<html lang="en"><script type="application/ld+json">{{"@type": "NewsArticle",'
    ' "headline": "What the ferryman, whom nobody asked, says of it", "author": {{"name": "Ada Lovelace"}},'
    ' "articleSection": "Local news", "datePublished": "2024-05-01"}}</script>{}'
)
DROPPED_HEAD = "1 May 2024 Last updated on 3 June 2024 What the ferryman, whom nobody asked, says of it By Ada Lovelace in Local news"
TOLD = HEAD.replace('"articleSection"', f'"description": "{ONE}", "articleSection"')
BYLINES = (
    '<html lang="de"><script type="application/ld+json">{{"@type": "NewsArticle", "headline": "Die Brücke",'
    ' "author": [{{"name": "Ruth von der Heide"}}, {{"name": "Jörg Hagedorn"}}], "articleSection": "Kultur",'
    ' "datePublished": "2024-04-01T09:15:00+02:00", "dateModified": "2024-09-03T07:25:00+02:00"}}</script>{}'
)
LONG_BYLINE = (
    "von Ruth von der Heide und Jörg Hagedorn am 1. April 2024, 09:15 Uhr in Kultur Zuletzt aktualisiert am 3. September 2024, 07:25 Uhr"
)
NOTED = (
    '<p>They met.<a id="r1" href="#fn-1">1</a> They ate.<a id="r2" href="#fn-2">2</a></p><section class="notes"><ol>'
    '<li id="fn-1"><p>See the log, leaf 1. <a href="#r1">↩</a></p></li><li id="fn-2"><p>See the log, leaf 2. <a href="#r2">↩</a></p></li>'
    "</ol></section>"
)
BODY = f"<p>{ONE}</p><p>{TWO}</p><p>{THREE}</p>"
ROOT = "{}"
SIGNS: dict[str, tuple[str, str, dict[str, str]]] = {
    "a plain article": (BODY, ROOT, {}),
    "text dropped": (f'{BODY}<div class="gone">{ONE.lower()}</div>', ROOT, {"text-lost": "div.gone"}),
    "text without blanks": (f'{BODY}<div class="gone">村の年代記BRIDGE年版、五十六頁を参照。</div>', ROOT, {"text-lost": "div.gone"}),
    "metadata dropped": (f'<div class="gone">{DROPPED_HEAD}</div>{BODY}', HEAD, {}),
    "a long byline dropped": (f'<div class="gone">{LONG_BYLINE}</div>{BODY}', BYLINES, {}),
    "metadata dropped with a subtitle": (
        f'<div class="gone">{DROPPED_HEAD} A quiet day at the harbour</div>{BODY}', HEAD, {"text-lost": "div.gone"},
    ),
    "metadata dropped with a lead": (f'<div class="gone">{DROPPED_HEAD} {ONE}</div>{BODY}', HEAD, {"text-lost": "div.gone"}),
    "title, lead and address dropped, as programs read them": (
        f'{BODY}<div class="gone">What the ferryman, whom nobody asked, says of it {ONE} {URL}</div>', TOLD, {},
    ),
    "items that became notes": (f"{BODY}{NOTED}", ROOT, {}),
    "the next article": (BODY, '{}<a rel="next" href="/2024/05/02/ferry">Next</a>', {}),
    "text outside": (BODY, f"{{}}<p>{THREE[:-1]} on Monday.</p>", {"root-too-small": "p"}),
    "a lead in the header": (
        BODY, f'<div class="article-header"><p class="lead">{THREE[:-1]} on Monday.</p></div>{{}}',
        {"root-too-small": "div.article-header"},
    ),
    "a short lead above": (
        BODY, '<p>By Nobody</p><div class="intro"><p>Notes on the council of our days</p></div>{}', {"root-too-small": "div.intro"},
    ),
    "a teaser outside": (BODY, f'{{}}<div><h3><a href="/b">The ferry of the ferryman</a></h3><p>{THREE[:-1]} now.</p></div>', {}),
    "comments outside": (BODY, f'{{}}<div class="comments"><p>{THREE[:-1]} on Monday.</p></div>', {"comments-not-read": "div.comments"}),
    "a form for comments": (
        BODY, f'{{}}<div id="comments"><h3>{THREE[:-1]}</h3><p><a href="/b">{THREE}</a></p><form>{THREE}</form>None yet</div>', {},
    ),
    "a caption outside": (BODY, f"{{}}<figure><figcaption>{THREE[:-1]} on Monday.</figcaption></figure>", {}),
    "stanzas": (f"{BODY}<p>The council met<br>on a rainy Tuesday,</p><p>and nobody came<br>but the ferryman,</p>", ROOT, {}),
    "no container": ("", '<main><div class="other">' + BODY + "</div></main>", {"no-root": ""}),
    "much more than the article": (
        BODY, f'<main>{{}}<div class="more"><nav>{THREE} {TWO}</nav></div></main>', {},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "around", "expected"), SIGNS.values(), ids=SIGNS)
def test_what_rules_do_wrong_on_a_page_is_found(audit: Audit, inside: str, around: str, expected: dict[str, str]) -> None:
    assert kinds(audit(varied(page(inside, around)))) == expected


def test_what_the_general_reader_leaves_out_and_the_rules_keep_is_told_with_its_place(audit: Audit) -> None:
    told = audit(varied(page(f"{BODY}<div class=share-bar><p>{ONE.lower()}</p></div>")), f"{BARE}body: {{root: div.text}}\n")
    (finding,) = [finding for finding in told["findings"] if finding["kind"] == "root-too-large"]
    assert (finding["tag"], finding["pages"], finding["of_pages"]) == ("div.share-bar", 4, 4)
    assert finding["message"] == "text that the general reader leaves out is kept, in div.share-bar"
    assert [example["url"] for example in finding["examples"]] == [f"{URL}/{number}" for number in range(3)]


def test_what_differs_on_few_pages_is_no_finding(audit: Audit) -> None:
    bodies = varied(page(f'{BODY}<div class="gone">{ONE.lower()}</div>'), 3) + varied(page(f"{BODY}<p>{TWO.upper()}</p>"), 9)[3:]
    assert kinds(audit(bodies)) == {}


@pytest.mark.parametrize(
    ("said", "wanted", "is_told"),
    [
        ("<b>Ann</b><p>{}</p>", "{{blog: null}}", True),
        ("<p>{}</p>", "{{comments: null}}", True),
        ("<h3>Ann</h3><p>{}</p>", "{{comments: null}}", True),
    ],
)
def test_what_is_called_no_comments_is_text_outside_whatever_nobody_wants(audit: Audit, said: str, wanted: str, is_told: bool) -> None:
    around = f"{{}}<section class=qorn><div>{said.format(f'{THREE[:-1]} on Monday.')}</div></section>"
    told = kinds(audit(varied(page(BODY, around)), f"{BARE}posts: {wanted.format()}\nbody: {{root: div.text}}\n"))
    assert told == ({"root-too-small": "section.qorn"} if is_told else {})


def recurring(told: dict[str, Any]) -> list[str]:
    return [finding["tag"] for finding in told["findings"] if finding["kind"] == "furniture-kept" and finding["tag"] != "p"]


TABLE = "<table><tr><td>III. negyedév</td><td>12</td></tr></table>"
CELLS: dict[str, tuple[str, int, list[str]]] = {
    "in a third of the pages": (TABLE, 6, []),
    "in half of them": (TABLE, 10, ["td"]),
    "the heads of columns": (TABLE.replace("td>", "th>"), 10, []),
    "rows with a name": (TABLE.replace("<td>", "<td><p>").replace("<tr>", "<tr class=sor>"), 10, ["tr.sor p"]),
    "the same as a text of its own": ("<div>III. negyedév szerint</div>", 6, ["div"]),
    "links right in the container": (
        "<a class='btn share-x' href=/x>Tell a friend</a> <a class='btn share-y' href=/y>Or two</a>",
        20,
        ["a.btn.share-x[href]"],
    ),
    "bare words in it": ("Nobody has rated this yet", 20, [""]),
}


@pytest.mark.parametrize(("content", "pages", "tags"), CELLS.values(), ids=CELLS)
def test_the_cells_of_tables_say_the_same_in_honest_articles(audit: Audit, content: str, pages: int, tags: list[str]) -> None:
    bodies = [page(f"{content if number < pages else ''}<p>{number} {ONE}</p>{BODY}") for number in range(20)]
    assert recurring(audit(bodies)) == tags


@pytest.mark.parametrize(("rule", "is_told"), [("row: [tr.sor]", True), ("paragraph: [tr.sor p]", False)])
def test_a_row_that_a_rule_names_by_its_class_is_told_for_all_in_it(audit: Audit, rule: str, is_told: bool) -> None:
    row = "<table><tr class=sor><td><p>III. negyedév</p></td><td>12</td></tr></table>"
    told = audit((page(f"{row}<p>{n} {ONE}</p>{BODY}") for n in range(20)), f"{BARE}body: {{root: div.text, tags: {{{rule}}}}}\n")
    assert ("tr.sor p" not in recurring(told)) is is_told


@pytest.mark.parametrize(("count", "is_told"), [(199, False), (200, True)])
def test_that_nobody_ever_signs_is_a_finding_once_many_pages_were_looked_at(audit: Audit, count: int, is_told: bool) -> None:
    told = audit(page(f"<p>{number} {ONE}</p>{BODY}") for number in range(count))
    assert ("author" in [one["tag"] for one in told["findings"] if one["kind"] == "metadata-missing"]) is is_told


HOSTILE = {
    "deep": "<p>" + "<b>" * 1_500 + ONE,
    "the same again and again": f"<p>{ONE}</p>" * 3_000,
    "all different": "".join(f'<p class="c{number}x{number}">word{number} word</p>' for number in range(5_000)),
    "odd characters": "<p>\u200b\u202e\x1b[2J\ufffd" + "\u0301" * 10_000,
}


@pytest.mark.parametrize("html", [HOSTILE["deep"], *(pytest.param(html, marks=pytest.mark.nightly) for html in list(HOSTILE.values())[1:])])
def test_hostile_pages_are_looked_at_in_bounded_time(audit: Audit, html: str) -> None:
    with at_most(60):
        told = audit([page(html, "<main>{}</main>")])
    assert told["pages"] + sum(told["passed_over"].values()) == 1
