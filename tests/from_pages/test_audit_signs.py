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
    "metadata dropped with a subtitle that they have": (
        f'<div class="gone">{DROPPED_HEAD} A quiet day at the harbour</div>{BODY}',
        HEAD.replace('"articleSection"', '"alternativeHeadline": "A quiet day at the harbour", "articleSection"'), {},
    ),
    "metadata dropped with a lead": (f'<div class="gone">{DROPPED_HEAD} {ONE}</div>{BODY}', HEAD, {"text-lost": "div.gone"}),
    "title, lead and address dropped, as programs read them": (
        f'{BODY}<div class="gone">What the ferryman, whom nobody asked, says of it {ONE} {URL}</div>', TOLD, {},
    ),
    "a lead dropped that only programs are told": (
        f'{BODY.replace(ONE, TWO)}<div class="gone">What the ferryman, whom nobody asked, says of it {ONE} {URL}</div>', TOLD,
        {"text-lost": "div.gone"},
    ),
    "a list of links dropped": (f'{BODY}<div class="gone"><a href="/a">The bridge that nobody wants</a></div>', ROOT, {}),
    "a sentence interrupted": (
        f'{BODY}<p>The council met on <span class="note">a rainy</span> evening in May, as it always does.</p>', ROOT,
        {"sentence-interrupted": "span.note"},
    ),
    "a sentence after a note": (f'{BODY}<p>The council met. <span class="note">see page 3</span> Then it rained.</p>', ROOT, {}),
    "items that became notes": (f"{BODY}{NOTED}", ROOT, {}),
    "the next article": (BODY, '{}<a rel="next" href="/2024/05/02/ferry">Next</a>', {}),
    "links that lead away": (f'{BODY}<p><a href="/a">Read also: the ferry</a></p>', ROOT, {"furniture-kept": "p"}),
    "a sign": (f'{BODY}<p class="sign">Advertisement</p>', ROOT, {"furniture-kept": "p.sign"}),
    "a name that says furniture": (f'{BODY}<div class="share-bar">Send it</div>', ROOT, {"furniture-kept": "div.share-bar"}),
    "text in a box with such an id": (f'{BODY}<div id="share-bar"><p>Send it</p></div>', ROOT, {"furniture-kept": "div#share-bar"}),
    "text outside": (BODY, f"{{}}<p>{THREE[:-1]} on Monday.</p>", {"root-too-small": "p"}),
    "a lead in the header": (
        BODY, f'<div class="article-header"><p class="lead">{THREE[:-1]} on Monday.</p></div>{{}}',
        {"root-too-small": "div.article-header"},
    ),
    "a short lead above": (
        BODY, '<p>By Nobody</p><div class="intro"><p>Notes on the council of our days</p></div>{}', {"root-too-small": "div.intro"},
    ),
    "a short lead in the container": (f'<p class="intro">Notes on the council</p><div class="inner">{BODY}</div>', ROOT, {}),
    "a teaser outside": (BODY, f'{{}}<div><h3><a href="/b">The ferry of the ferryman</a></h3><p>{THREE[:-1]} now.</p></div>', {}),
    "comments outside": (BODY, f'{{}}<div class="comments"><p>{THREE[:-1]} on Monday.</p></div>', {"comments-not-read": "div.comments"}),
    "a form for comments": (
        BODY, f'{{}}<div id="comments"><h3>{THREE[:-1]}</h3><p><a href="/b">{THREE}</a></p><form>{THREE}</form>None yet</div>', {},
    ),
    "a caption outside": (BODY, f"{{}}<figure><figcaption>{THREE[:-1]} on Monday.</figcaption></figure>", {}),
    "a container in the container": (
        f'<p class="meta">Politics, 3 minutes, 12 comments</p><div class="inner">{BODY}</div>', ROOT, {"root-too-large": "div.inner"},
    ),
    "a paragraph cut": (f'{BODY}<p>The council met on a very rainy <b class="box">Tuesday</b> in May.</p>', ROOT, {"paragraph-cut": "p"}),
    "stanzas": (f"{BODY}<p>The council met<br>on a rainy Tuesday,</p><p>and nobody came<br>but the ferryman,</p>", ROOT, {}),
    "paragraphs glued": (
        f'{BODY}<div class="simple"><ul><li>A man</li><li>A boat</li><li>A river</li></ul></div>', ROOT,
        {"paragraphs-glued": "div.simple li"},
    ),
    "prose as a heading": (f'{BODY}<p class="title">{ONE.upper()} {TWO.upper()}</p>', ROOT, {"prose-as-heading": "p.title"}),
    "prose as boxes": ((BODY * 5).replace("<p>", '<p class="framed">'), ROOT, {"prose-misnamed": "p.framed"}),
    "prose as quotations": (f"<blockquote>{BODY * 5}</blockquote>", ROOT, {"prose-misnamed": "p"}),
    "almost nothing": ("<p>A bridge.</p>", ROOT, {"almost-empty": ""}),
    "no container": ("", '<main><div class="other">' + BODY + "</div></main>", {"no-root": ""}),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "around", "expected"), SIGNS.values(), ids=SIGNS)
def test_what_rules_do_wrong_on_a_page_is_found(audit: Audit, inside: str, around: str, expected: dict[str, str]) -> None:
    assert kinds(audit(varied(page(inside, around)))) == expected


QUOTING = f"<h2>Of coffee</h2>{BODY}<blockquote><p>{ONE.lower()}</p></blockquote>"
MISNAMED = {
    "unwrap: [blockquote]": "blockquote",
    "figure: [blockquote]": "blockquote",
    "source: [blockquote p]": "p",
    "item: [p]": "p",
    "caption: [p + p]": "p",
    "embed: [.text > p + p]": "p",
    "paragraph: [h2]": "h2",
    "box: [blockquote]": None,
    "subheading: [h2]": None,
    "unwrap: [blockquote > p]": None,
    "paragraph: ['h2:contains(\"coffee\")']": None,
}


@pytest.mark.parametrize("rule", MISNAMED)
def test_a_rule_that_calls_elements_what_their_tag_denies_is_told(audit: Audit, rule: str) -> None:
    told = audit(varied(page(QUOTING)), f"{BARE}body: {{root: div.text, tags: {{{rule}}}}}\n")
    found = [finding for finding in told["findings"] if finding["kind"] == "element-misnamed"]
    assert [finding["tag"] for finding in found] == ([MISNAMED[rule]] if MISNAMED[rule] else []), told["findings"]
    assert all(f"portal.yaml:3 {rule.partition('[')[2][:-1]}" == finding["rule"] for finding in found)


def test_quotations_that_are_how_all_is_laid_out_are_unwrapped_without_a_word(audit: Audit) -> None:
    bodies = varied(page(f"<blockquote><p>{ONE}</p></blockquote>"))
    assert kinds(audit(bodies, f"{BARE}body: {{root: div.text, tags: {{unwrap: [blockquote]}}}}\n")) == {}


BOX = "<p>In short</p><p>The ferry runs till eight on Sundays.</p>"


@pytest.mark.parametrize(
    ("box", "behind", "is_lost"),
    [(BOX, True, True), ('<p><a href="/a">The bridge that nobody wants</a></p>', True, False), (BOX, False, False)],
    ids=["amid the text", "links amid the text", "behind the text"],
)
def test_a_box_that_no_rule_leaves_out_is_lost_text_amid_the_text(audit: Audit, box: str, behind: bool, is_lost: bool) -> None:
    last = f"<p>{THREE} {ONE.upper()}</p>" * 2
    end = last.replace("</p>", " And then.</p>", 1) if behind else ""
    told = audit(varied(page(f"{BODY}<aside class=qorn>{box}</aside>{end}")), BARE)
    assert (kinds(told).get("text-lost") == "aside.qorn") is is_lost


@pytest.mark.parametrize(("headings", "is_told"), [(("The dam", "The fish", "Next"), True), (("Read also",), False)])
def test_headings_that_a_rule_drops_between_paragraphs_are_lost_text(audit: Audit, headings: tuple[str, ...], is_told: bool) -> None:
    titles = (headings[each % len(headings)] for each in range(9))
    text = f"<h2 id='{{0}}'>{{0}}</h2><p>{TWO.replace('that river', '<a href=/r>that river</a>')}</p>"
    bodies = (page(f"<p>{each} {ONE}</p>{text.format(title)}") for each, title in enumerate(titles))
    told = audit(bodies, f"{BARE}body: {{root: div.text, tags: {{decompose: [h2]}}}}\n")
    assert (kinds(told).get("text-lost") == "h2") is is_told


def test_tables_that_a_rule_drops_between_paragraphs_are_lost_though_few_texts_differ(audit: Audit) -> None:
    cells = ("Dams", "Ships", "Fish")
    bodies = (page(f"<p>{ONE} {each}</p><table><tr><td>{cells[each % 3]}<td>Two</table><p>{TWO} {each}</p>") for each in range(9))
    told = audit(bodies, f"{BARE}body: {{root: div.text, tags: {{decompose: [table]}}}}\n")
    assert kinds(told).get("text-lost") == "table"


@pytest.mark.parametrize(
    ("said", "wanted", "is_told"),
    [
        ("<b>Ann</b><p>{}</p>", "{{comments: null}}", False),
        ("<b>Ann</b><p>{}</p>", "{{blog: null}}", True),
        ("<p>{}</p>", "{{comments: null}}", True),
        ("<h3>Ann</h3><p>{}</p>", "{{comments: null}}", True),
    ],
)
def test_comments_that_nobody_wants_are_no_text_outside_whatever_they_are_called(
    audit: Audit, said: str, wanted: str, is_told: bool
) -> None:
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
