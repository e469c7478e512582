"""`curator try`: what the rules make of one page, in words, as JSON, and with marks; and which command fits next."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import listing
from written_portal import WrittenPortal

HOME = "https://pelda.example"
ARCHIVE = f"{HOME}/lista/1"
RULES = f'archive: {{url: "{HOME}/lista/{{page}}", item: li, fields: {{headline: a}}}}\nmetadata: {{headline: h1}}\n'
PAGE = "<h1>Cím</h1><li><a href=/cikk/1>Egy</a>"


@pytest.fixture
def written(curator: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WrittenPortal:
    """A person who has written a portal file and saved a page."""
    monkeypatch.chdir(tmp_path)
    portal = WrittenPortal(curator, tmp_path, head=f"portal: pelda\nhome: {HOME}/\nlanguage: hu\ntimezone: Europe/Budapest\n")
    portal.write(RULES)
    Path("page.html").write_text(PAGE, encoding="utf-8")
    return portal


@pytest.mark.parametrize(("pattern", "noun"), [("yyyy. MMMM d.", "1 of 3 items"), ("d/M/yyyy", "2 of 3 items")])
def test_dates_of_a_list_that_no_pattern_reads_are_told(written: WrittenPortal, pattern: str, noun: str) -> None:
    items = "<li><a href=/1>E</a><i>2024. május 1.</i></li><li><a href=/2>K</a><i>1. May 2024</i></li><li><a href=/3>H</a></li>"
    rules = f'archive: {{url: "{HOME}/lista/{{page}}", item: li, fields: {{datePublished: {{css: i, date: {pattern}}}}}}}\n'
    (remark,) = written.look(rules, items, "/lista/2")["remarks"]
    assert noun in remark and "fields.datePublished" in remark


def test_an_age_in_years_is_no_fault_of_the_selector(written: WrittenPortal) -> None:
    items = "<li><a href=/1>E</a><i>14 éve</i></li><li><a href=/2>K</a><i>3 órával ezelőtt</i></li>"
    rules = f'archive: {{url: "{HOME}/lista/{{page}}", item: li, fields: {{lastmod: {{css: i, date: auto}}}}}}\n'
    (remark,) = written.look(rules, items, "/lista/2")["remarks"]
    assert "no date in 1 of 2 items, such as '14 éve'; an age in months or years names no day, and nothing is lost" in remark


def test_an_article_gives_its_metadata_text_blocks_and_what_was_left_out(written: WrittenPortal) -> None:
    line = written.look(
        "metadata: {headline: h1, author: i}\nbody: {root: div.c, tags: {lead: [p.k]}}\narticles: {next: a.n}\n",
        "<h1> Cím </h1><i>A</i><i>B</i><div class=c><p>Egy <b>szó</b>.<button>Oszd</button></p><p class=k>Kettő</p><x-y>?</x-y></div>"
        "<a class=n href='?p=2'>2</a>",
        "/cikk/1",
    )
    metadata = line.pop("metadata")
    assert metadata["headline"] == [{"value": "Cím", "raw": " Cím ", "source": "metadata.headline"}]
    assert [one["value"] for one in metadata["author"]] == ["A", "B"]
    inline = [("text", "Egy "), ("bold", "szó"), ("text", ".")]
    children = [{"type": type, "text": text, "children": []} for type, text in inline]
    assert line == {
        "url": f"{HOME}/cikk/1",
        "kind": "article",
        "outcome": "article",
        "reason": "",
        "next_page": f"{HOME}/cikk/1?p=2",
        "text": "Egy szó.\nKettő\n?",
        "blocks": [
            {"type": "paragraph", "text": "Egy szó.", "children": children},
            {"type": "paragraph", "text": "Kettő", "children": []},
            {"type": "paragraph", "text": "?", "children": []},
        ],
        "unknown_tags": [{"tag": "x-y", "count": 1, "words": 1}],
        "dropped": [{"text": "Oszd", "rule": "general table button", "tag": "button"}],
        "disagreements": {},
    }


@pytest.mark.parametrize("kind", ["archive", "article"])
@pytest.mark.parametrize("page", ["", b"<div>" * 60_000], ids=["empty", "too deep"])
def test_a_page_that_cannot_be_read_still_has_its_line_with_the_reason(written: WrittenPortal, page: str | bytes, kind: str) -> None:
    line = written.look(RULES, page, "/lista/2", "--as", kind)
    assert (set(line), line["kind"], line["outcome"]) == ({"url", "kind", "outcome", "reason"}, kind, "unreadable")
    assert written.curator("try", "portal.yaml", ARCHIVE, "--html", "saved.page", "--json").code == 1


def test_a_further_page_of_a_way_is_read_by_the_rules_of_that_way(written: WrittenPortal) -> None:
    rules = f"""archive:
  item: li
  ways:
    map: {{url: {HOME}/lista.xml, format: sitemap}}
    pages: {{url: {HOME}/lista, pages: next-link, next: a.next, fields: {{headline: h2}}}}
"""
    line = written.look(rules, "<li><h2><a href=/cikk/1>Egy</a></h2></li>", "/lista/page/2", "--as", "archive")
    assert line["articles"] == [{"url": f"{HOME}/cikk/1", "headline": "Egy"}]


@pytest.mark.parametrize(("address", "outcome", "reason"), [(f"{HOME}/x", "gone", "HTTP 404"), ("pelda", "bad-url", "")])
def test_a_page_that_is_not_there_says_why(desk: Any, address: str, outcome: str, reason: str) -> None:
    desk.rules()
    ended = desk.types(f"try portal.yaml {address} --fetch --as article --json")
    line = json.loads(ended.out)
    assert (ended.code, line["outcome"], reason in line["reason"]) == (1, outcome, True)


# --- for people ---


@pytest.mark.parametrize(
    ("columns", "rules_of"), [("{hirek: X}", None), (f"{{hirek: X, sport: {{url: '{HOME}/sport/{{page}}', item: li}}}}", "hirek")]
)
def test_whose_rules_read_an_address_that_no_column_makes_is_said(columns: str, rules_of: str | None, written: WrittenPortal) -> None:
    column = "{url: '" + HOME + "/hirek/{page}', item: li}"
    written.write(f"columns: {columns.replace('X', column)}\n")
    look = ("try", "portal.yaml", f"{HOME}/hirek/?p=2", "--html", "page.html")
    assert ("`--column NAME`" in written.curator(*look, "--as", "archive").out) is (rules_of is not None)
    assert "No column" not in written.curator(*look, "--column", "hirek").out


def test_a_list_of_pages_comes_from_stdin(written: WrittenPortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ARCHIVE}\n\n  {HOME}/lista/2\n"))
    ended = written.curator("try", "portal.yaml", "-", "--html", "page.html", "--json")
    assert [json.loads(line)["next"] for line in ended.out.splitlines()] == [f"{HOME}/lista/2", f"{HOME}/lista/3"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    ended = written.curator("try", "portal.yaml", "-", "--html", "page.html")
    assert (ended.code, "no URL on stdin" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "noun"),
    [
        ("--html nincs.html", "no such file"),
        ("--warc nincs.warc.gz", "no such file"),
        ("", "no corpus of pelda at /"),
        ("--html page.html --fetch", "exclude each other"),
        ("--fetch", "contact"),
        ("--as foo --html page.html", "'foo'"),
        ("--column nincs --html page.html", "no column"),
        ("--column archive --as article --html page.html", "archive pages"),
        ("--html page.html -o x.html", "--highlight"),
        ("--html page.html --highlight --as archive", "--highlight"),
        (f"--html page.html --highlight {HOME}/cikk/2", "--highlight"),
        ("--html page.html --highlight -o no/x.html", "cannot be written"),
        ("--html page.html --highlight -o portal.yaml", "would be lost"),
        ("--html page.html --highlight -o -", "name its file"),
    ],
)
def test_mistakes_of_the_command_line_are_told(arguments: str, noun: str, written: WrittenPortal) -> None:
    before = Path("portal.yaml").read_bytes()
    ended = written.curator("try", "portal.yaml", ARCHIVE if "highlight" not in arguments else f"{HOME}/cikk/1", *arguments.split())
    assert ended.code == 2
    assert noun in ended.err
    assert Path("portal.yaml").read_bytes() == before


def test_of_an_article_that_an_archive_page_told_of_that_page_is_named(desk: Any, article_page: Any) -> None:
    rules = f"archive: {{url: '{HOME}/l/{{page}}', item: li.t, link: h2 a, fields: {{articleSection: {{attr: class}}}}}}\n"
    desk.rules(rules, listing(1), listing(2), listing(), _c_1=article_page("A bridge"), _c_2=article_page("A school"))
    for command in ("crawl", "build"):
        assert desk.types(f"{command} portal.yaml").code == 0
    said = desk.types(f"try portal.yaml {HOME}/c/2").out
    assert "   (listing:articleSection)\n" in said and f"\n  listed first on: {HOME}/l/2\n" in said
    assert json.loads(desk.types(f"try portal.yaml {HOME}/c/2 --json").out)["listed_on"] == f"{HOME}/l/2"
    assert desk.types(f"open portal.yaml {HOME}/c/2 -o page.html").code == 0
    assert f'listed first on <a href="{desk.site.home}/l/2"' in Path("page.html").read_text(encoding="utf-8")
    assert "listed" not in desk.types(f"try portal.yaml {HOME}/l/2").out


# --- what fits next ---

STEPS = {
    "before a crawl": [
        ("L/1 --fetch", "curator try portal.yaml A/1 --fetch --as article"),
        ("L/1 --html list.html", "curator try portal.yaml https://pelda.example/c/9 --fetch --as article"),
        ("A/1 --html story.html", "curator crawl portal.yaml"),
        ("A/1 --fetch", "curator crawl portal.yaml"),
        ("L/1 --html story.html", "`item`"),
        ("A/none --fetch", "curator try portal.yaml A/none --fetch"),
        ("L/9 --fetch", "look at L/9 in a browser, and try again later"),
    ],
    "after a crawl": [
        ("L/1", "curator try portal.yaml A/1 --as article"),
        ("A/1", "curator audit portal.yaml"),
        ("A/2", "curator tags portal.yaml"),
        ("A/none", "curator try portal.yaml A/none --fetch"),
        ("posts/1", "curator try portal.yaml URL"),
    ],
}
"""When -> what is tried, and what is named next."""


def test_the_next_step_fits_what_was_seen_where_it_came_from_and_what_is_there(desk: Any, article_page: Any) -> None:
    odd = "<main><p>A text of some length that is in a place of its own.</p><div class=odd>And this one nobody knows.</div></main>"
    rules = "archive: {url: 'https://pelda.example/l/{page}', item: li.t, link: h2 a}\nbody: {root: [article, main]}\n"
    desk.rules(rules, listing(1, 2), listing(), _c_1=article_page("A bridge"), _c_2=odd)
    for name, page in (("list", listing("/c/9")), ("story", article_page("A bridge")), ("odd", odd)):
        Path(f"{name}.html").write_text(page, encoding="utf-8")
    for when, steps in STEPS.items():
        assert when == "before a crawl" or desk.types("crawl portal.yaml").code == 0
        for tried, step in steps:
            line, wanted = (text.replace("A/", f"{HOME}/c/").replace("L/", f"{HOME}/l/") for text in (tried, step))
            last = desk.types(f"try portal.yaml {line}").err.rpartition("Next: ")[2]
            assert wanted in last, f"{when}: {tried}: {last}"
