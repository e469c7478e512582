"""One page as an audit sees it: before and after."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.survey.audit.across_pages import MANY_PAGES
from webarticlecurator.survey.audit.counting import Counts
from webarticlecurator.survey.audit.findings import audit_of
from webarticlecurator.survey.audit.question import AuditQuestion
from webarticlecurator.survey.stored_page import StoredPage

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
    box: [b.box]
    note: [section.notes]
"""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Portal:
    file = tmp_path_factory.mktemp("portal") / "portal.yaml"
    file.write_text(RULES, "utf-8")
    return load_portal(file)


def read(html: str, url: str = URL) -> Page:
    capture = Capture(url=url, requested_url=url, status=200, headers=(), entity=html.encode(), date=datetime(2024, 6, 1, tzinfo=UTC))
    page = read_page(capture)
    assert isinstance(page, Page)
    return page


def audited(portal: Portal, *inside: str, around: str = "{}") -> Counts:
    """A tally of pages with this in their container."""
    question = AuditQuestion(portal)
    tally = question.tally()
    for number, html in enumerate(inside):
        whole = f'<html><body><h1>Bridge</h1>{around.format(f"""<div class="text">{html}</div>""")}</body></html>'
        question.look(read(whole), StoredPage(url=f"{URL}/{number}", path=Path("x.warc.gz"), offset=0), tally)
    return tally


def kinds(tally: Counts) -> dict[str, str]:
    """What was seen, and in which tag."""
    return {kind: tag for kind, _, tag, _ in tally.occurrences}


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
    "metadata dropped": (f'<div class="gone">{DROPPED_HEAD}</div>{BODY}', HEAD, {}),
    "a long byline dropped": (f'<div class="gone">{LONG_BYLINE}</div>{BODY}', BYLINES, {}),
    "a long byline dropped with a subtitle": (
        f'<div class="gone">{LONG_BYLINE} Ein stiller Tag am Hafen</div>{BODY}', BYLINES, {"text-lost": "div.gone"},
    ),
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
        {"text-lost": "div.gone", "kept-twice": "p"},
    ),
    "a list of links dropped": (f'{BODY}<div class="gone"><a href="/a">The bridge that nobody wants</a></div>', ROOT, {}),
    "a sentence interrupted": (
        f'{BODY}<p>The council met on <span class="note">a rainy</span> evening in May, as it always does.</p>', ROOT,
        {"sentence-interrupted": "span.note"},
    ),
    "a sentence after a note": (f'{BODY}<p>The council met. <span class="note">see page 3</span> Then it rained.</p>', ROOT, {}),
    "words grown together": (
        f'{BODY}<p>The coun<span class="note">1</span>cil met on Tuesday.</p>', ROOT,
        {"sentence-interrupted": "span.note", "words-grown-together": "span.note"},
    ),
    "items that became notes": (f"{BODY}{NOTED}", ROOT, {}),
    "a pager": (BODY, '{}<div class="pager"><b>1</b><a href="?page=2">2</a></div>', {"pages-not-followed": "div.pager a"}),
    "a pager with a link to the page itself": (
        BODY, f'{{}}<div class="pager"><a href="{URL}">1</a><a href="{URL}/2">2</a></div>', {"pages-not-followed": "div.pager a"},
    ),
    "a pager among other links": (
        BODY, '{}<div class="nav"><a href="/">Home</a><a href="?page=2">Next page »</a></div>',
        {"pages-not-followed": 'a:contains("Next page »")'},
    ),
    "a link with a name": (BODY, '{}<div class="nav"><a href="/">Home</a><a class="on" href="?page=2">»</a></div>',
        {"pages-not-followed": "a.on"}),
    "a link of the head": (BODY, '{}<link rel="next" href="?page=2">', {"pages-not-followed": "link[rel~=next]"}),
    "rel=next beside numbers": (
        BODY, '{}<div id="pages"><a href="?page=2">2</a><a rel="nofollow next" href="?page=2">x</a></div>',
        {"pages-not-followed": "a[rel~=next]"},
    ),
    "only a count": (BODY, "{}<i>1 / 4</i>", {"pages-not-followed": ""}),
    "the next article": (BODY, '{}<a rel="next" href="/2024/05/02/ferry">Next</a>', {}),
    "links that lead away": (f'{BODY}<p><a href="/a">Read also: the ferry</a></p>', ROOT, {"links-kept": "p"}),
    "a sign": (f'{BODY}<p class="sign">Advertisement</p>', ROOT, {"links-kept": "p.sign"}),
    "a name that says furniture": (f'{BODY}<div class="share-bar">Send it</div>', ROOT, {"named-like-furniture": "div.share-bar"}),
    "text in a box with such a name": (
        f'{BODY}<div class="share-bar"><p class="last">Send it</p></div>', ROOT, {"named-like-furniture": "div.share-bar"},
    ),
    "text in a box with such an id": (f'{BODY}<div id="share-bar"><p>Send it</p></div>', ROOT, {"named-like-furniture": "div#share-bar"}),
    "text outside": (BODY, f"{{}}<p>{THREE[:-1]} on Monday.</p>", {"root-too-small": "p"}),
    "a lead in the header": (
        BODY, f'<div class="article-header"><p class="lead">{THREE[:-1]} on Monday.</p></div>{{}}',
        {"root-too-small": "div.article-header"},
    ),
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
    "almost nothing": ("<p>A bridge.</p>", ROOT, {"almost-empty": ""}),
    "the same twice": (f"{BODY}<p>{ONE}</p>", ROOT, {"kept-twice": "p"}),
    "the day of publication": (f'<p class="when">1 May 2024, 10:00</p>{BODY}', ROOT, {"byline-kept": "p.when"}),
    "no container": ("", '<main><div class="other">' + BODY + "</div></main>", {"no-root": ""}),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "around", "expected"), SIGNS.values(), ids=SIGNS)
def test_what_is_seen_on_a_page(portal: Portal, inside: str, around: str, expected: dict[str, str]) -> None:
    assert kinds(audited(portal, inside, around=around)) == expected


@pytest.mark.parametrize(
    ("box", "behind", "is_lost"),
    [
        ("<p>In short</p><p>The ferry runs till eight on Sundays.</p>", True, True),
        ('<p><a href="/a">The bridge that nobody wants</a></p>', True, False),
        ("<p>In short</p><p>The ferry runs till eight on Sundays.</p>", False, False),
    ],
    ids=["amid the text", "links amid the text", "behind the text"],
)
def test_a_box_that_no_rule_leaves_out_is_lost_text_amid_the_text(tmp_path: Path, box: str, behind: bool, is_lost: bool) -> None:
    file = tmp_path / "portal.yaml"
    file.write_text("portal: pelda\nhome: https://pelda.example/\n", "utf-8")
    last = f"<p>{THREE} {ONE.upper()}</p>" * 2
    counts = audited(
        load_portal(file), f"{BODY}<aside class=qorn>{box}</aside>{last.replace('</p>', ' And then.</p>', 1) if behind else ''}"
    )
    assert (kinds(counts).get("text-lost") == "aside.qorn") == is_lost
    assert ("general finder: <aside>", "aside.qorn", "") in counts.dropped


def test_pages_that_were_shared_out_are_counted_as_if_one_had_read_them(portal: Portal) -> None:
    pages = [f'<p>{number} {ONE}</p>{BODY}<div class="gone">{number} {TWO}</div>' for number in range(12)]
    together = audited(portal, *pages)

    joined = AuditQuestion(portal).tally()
    for part in (audited(portal, *pages[:5]), audited(portal, *pages[5:])):
        joined.join(pickle.loads(pickle.dumps(part)))

    assert joined.pages == together.pages
    assert joined.kept == together.kept
    assert joined.lost == together.lost
    assert {key: (one.pages, one.words) for key, one in joined.occurrences.items()} == {
        key: (one.pages, one.words) for key, one in together.occurrences.items()
    }
    assert {key: text.pages for key, text in joined.recurring.texts.items()} == {
        key: text.pages for key, text in together.recurring.texts.items()
    }


def test_that_nobody_ever_signs_is_a_finding_once_many_pages_were_looked_at(portal: Portal) -> None:
    counts = audited(portal, *(f"<p>{number} {ONE}</p>{BODY}" for number in range(MANY_PAGES)))
    few = replace(counts, pages=Counter({("", 2024): MANY_PAGES - 1}))

    (finding,) = (one for one in audit_of(counts, portal, of_pages=200).findings if one.kind == "metadata-empty")

    assert finding.message == "author is empty in all of 200 articles"
    assert [one for one in audit_of(few, portal, of_pages=199).findings if one.kind == "metadata-empty"] == []


def test_the_cells_of_tables_say_the_same_in_honest_articles(portal: Portal) -> None:
    def recurring(row: str, pages: int = 24) -> list[str]:
        rows = (row if number < pages else "" for number in range(80))
        audit = audit_of(audited(portal, *(f"{one}<p>{number} {ONE}</p>{BODY}" for number, one in enumerate(rows))), portal, of_pages=80)
        return [one.tag for one in audit.findings if one.kind == "furniture-kept" and one.tag != "p"]

    table = "<table><tr><td>III. negyedév</td><td>12</td></tr></table>"
    assert recurring(table) == []
    assert recurring(table, 40) == ["td"]
    assert recurring(table.replace("td>", "th>"), 40) == [], "the heads of columns"
    in_paragraphs = table.replace("<td>", "<td><p>")
    assert recurring(in_paragraphs.replace("td>", "th>"), 40) == [], "the heads of columns, as paragraphs"
    assert recurring(in_paragraphs.replace("<tr>", "<tr class=sor>"), 40) == ["tr.sor p"]
    assert recurring("<div>III. negyedév szerint</div>") == ["div"], "the same as a text of its own"


@pytest.mark.parametrize(("rule", "is_told"), [("row: [tr.sor]", True), ("paragraph: [tr.sor p]", False)])
def test_a_row_that_a_rule_names_by_its_class_is_told_for_all_in_it(tmp_path: Path, rule: str, is_told: bool) -> None:
    file = tmp_path / "portal.yaml"
    file.write_text(f"portal: pelda\nhome: https://pelda.example/\nbody: {{root: div.text, tags: {{{rule}}}}}\n", "utf-8")
    ruled = load_portal(file)
    row = "<table><tr class=sor><td><p>III. negyedév</p></td><td>12</td></tr></table>"
    audit = audit_of(audited(ruled, *(f"{row}<p>{number} {ONE}</p>{BODY}" for number in range(20))), ruled, of_pages=20)
    assert ("tr.sor p" not in [one.tag for one in audit.findings if one.kind == "furniture-kept"]) == is_told


def test_an_article_that_is_nothing_but_links_to_others_is_taken_for_a_listing(portal: Portal) -> None:
    teasers = "".join(f'<h2><a href="/section/{number}-{number}">{ONE[:40]} {number}</a></h2><p>{TWO[:40]}</p>' for number in range(12))
    question = AuditQuestion(portal)
    tally = question.tally()
    page = read(f'<body class="archive category"><div class="text">{teasers}</div>', "https://pelda.example/category/river/page/2")

    question.look(page, StoredPage(url=page.url, path=Path("x.warc.gz"), offset=0), tally)

    assert "taken-for-listing" in kinds(tally)


def test_much_text_in_a_tag_that_no_rule_decides_is_a_finding(portal: Portal) -> None:
    counts = audited(portal, *(f'<div class="other">{number} {ONE}</div>{BODY}' for number in range(5)))

    (finding,) = (one for one in audit_of(counts, portal, of_pages=5).findings if one.kind == "undecided-text")

    assert finding.message == "no rule decides div.other, which holds much text"


def test_a_question_travels_to_another_process(portal: Portal) -> None:
    question: Any = pickle.loads(pickle.dumps(AuditQuestion(portal)))
    tally = question.tally()

    question.look(read(f'<div class="text">{BODY}</div>'), StoredPage(url=URL, path=Path("x.warc.gz"), offset=0), tally)

    assert tally.pages.total() == 1


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "<b>" * 1_500 + ONE,
        f"<p>{ONE}</p>" * 3_000,
        "".join(f'<p class="c{number}x{number}">word{number} word</p>' for number in range(5_000)),
        '<p>a<span class="note">b</span>c</p>' * 3_000,
        "<p>\u200b\u202e\x1b[2J\ufffd" + "\u0301" * 10_000,
    ],
    ids=["deep", "the same again and again", "all different", "dropped again and again", "odd characters"],
)
def test_hostile_pages_are_looked_at_in_bounded_time_and_memory(portal: Portal, html: str) -> None:
    tally = audited(portal, html, around="<main>{}</main>")

    assert tally.pages.total() + tally.outcomes.total() == 1
    assert sum(one.times for one in tally.occurrences.values()) <= 500
