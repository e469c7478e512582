"""What `curator tags` counts: rows, trees and pairs of tags, who decides them, what is suggested, and which pages are read."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from seams import main
from warc_records import write_warc

AT = "https://pelda.example"
HEAD = f"portal: pelda\nhome: {AT}/\n"
ROOT = "body: {root: main}\n"
LONG = "The council met on Tuesday and talked for hours about the bridge, the school and the money that both of them need."
Count = Callable[..., dict[str, Any]]


@pytest.fixture
def count(curator: Callable[..., Any], tmp_path: Path) -> Count:
    """The inventory of pages: bodies of articles, or path -> HTML."""

    def counted(*bodies: str, rules: str = ROOT, pages: Mapping[str, str] | None = None, flags: tuple[str, ...] = ()) -> dict[str, Any]:
        (tmp_path / "portal.yaml").write_text(HEAD + rules, encoding="utf-8")
        given_pages = pages or {f"/2024/05/01/{n}": f"<html><body class=single><main>{body}</main>" for n, body in enumerate(bodies)}
        file = write_warc(tmp_path / "pages.warc.gz", {f"{AT}{path}": f"{html}<!-- {path} -->" for path, html in given_pages.items()})
        ended = curator("tags", tmp_path / "portal.yaml", "--warc", file, "--json", "--jobs", "1", *flags)
        assert ended.code == 0, ended.err
        return dict(json.loads(ended.out))

    return counted


def rows(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["tag"]: row for row in told["rows"]}


def decided(told: dict[str, Any]) -> dict[str, str | None]:
    return {row["tag"]: row["operation"] for row in told["rows"]}


def tree(told: dict[str, Any]) -> list[tuple[str, int, int, int]]:
    """Path, frequency, words, words of its own."""

    def below(node: dict[str, Any], above: str) -> list[tuple[str, int, int, int]]:
        path = f"{above} {node['tag']}".strip()
        here = (path, node["frequency"], node["words"], node["own_words"])
        return [here, *(line for child in node["children"] for line in below(child, path))]

    return [line for roots in told["trees"].values() for root in roots for line in below(root, "")]


def test_the_figures_of_a_tag_are_summed_over_all_places_where_it_stands(count: Count) -> None:
    told = count("<p>one <b>two</b> three</p><p>four</p>", "<p>five</p><div><p>six <a href=/x>near <i>in</i></a></p></div>")
    row = rows(told)["p"]
    assert (row["frequency"], row["pages"], row["words"], row["mean_words"]) == (4, 2, 8, 2.0)
    assert (row["mean_immediate_words"], row["mean_descendants"], row["link_share"]) == (1.25, 0.75, 0.25)
    assert (row["from"], row["to"], row["table"]) == (2024, 2024, "text")
    assert rows(told)["a[href]"]["link_share"] == 1
    assert tree(told)[:3] == [("main", 2, 8, 0), ("main p", 3, 5, 4), ("main p b", 1, 1, 1)]
    assert ("main div p a[href] i", 1, 1, 1) in tree(told)
    pairs = {(pair["outer"], pair["inner"], pair["adjacent"]): pair["frequency"] for pair in told["pairs"]}
    assert pairs["main", "p", True] == 3 and pairs["main", "p", False] == 1
    (year,) = told["coverage"]
    assert (year["pages"], year["words"], year["decided_words"]) == (2, 8, 8)


def test_tags_with_text_come_first_and_of_them_those_with_most_words(count: Count) -> None:
    told = count("<img src=a><img src=b><p>one two three</p><div class=a>four five</div><div class=leer></div>")
    assert [(row["tag"], row["table"]) for row in told["rows"]][:2] == [("p", "text"), ("div.a", "text")]
    assert {row["tag"] for row in told["rows"] if row["table"] == "notext"} == {"img[src]", "div.leer"}
    assert told["reduction"] == {"simplified": 2, "undecided": 1}


def test_one_tag_under_two_decisions_is_two_rows(count: Count) -> None:
    rules = "body: {root: main, tags: {social: [blockquote.tweet], unwrap: [blockquote.tweet p]}}\n"
    told = count("<p>one two</p><blockquote class=tweet><p>three</p></blockquote>", rules=rules)
    found = [(row["operation"], row["where"], row["words"]) for row in told["rows"] if row["tag"] == "p"]
    assert found == [("paragraph", "", 2), ("unwrap", "blockquote.tweet p", 1)]


def test_what_lies_inside_of_what_is_left_out_or_made_simple_is_not_counted(count: Count) -> None:
    rules = "body: {root: main, tags: {decompose: [div.ajanlo], unwrap-all: [div.egyszeru]}}\n"
    told = count(
        "<p>one</p><div class=ajanlo><span class=cim>two</span></div><div class=egyszeru><span class=x>three</span></div>", rules=rules
    )
    assert set(rows(told)) == {"p", "div.ajanlo", "div.egyszeru"}
    assert not [pair for pair in told["pairs"] if "span" in pair["outer"] + pair["inner"]]
    (year,) = told["coverage"]
    assert year["word_share"] == 1, "what goes with something left out is decided"


SIMPLIFIED: dict[str, str] = {
    '<div class="post-4711 story" id=post-4711>x</div>': "div.post-*.story",
    "<p class='b a' style='color: red'>x</p>": "p.b.a",
    "<a href=/1 rel=tag>x</a>": "a[href][rel=tag]",
    "<div role=heading>x</div>": "div[role=heading]",
    "<P CLASS=Lead>x</P>": "p.Lead",
}


@pytest.mark.parametrize(("html", "tag"), SIMPLIFIED.items())
def test_tags_are_simplified_so_that_numbers_and_values_do_not_part_them(count: Count, html: str, tag: str) -> None:
    assert set(rows(count(html))) == {tag}


@pytest.mark.parametrize("unseen", ["<script>var x = 1;</script>", "<style>p {}</style>", "<noscript><p>x</p></noscript>", "<!-- <p>x -->"])
def test_scripts_styles_and_comments_are_not_looked_at(count: Count, unseen: str) -> None:
    assert tree(count(f"<p>a {unseen} b</p>")) == [("main", 1, 2, 0), ("main p", 1, 2, 2)]


def test_examples_show_the_text_around_of_three_pages_those_with_text_first(count: Count) -> None:
    told = count(f"<p>before it</p><p class=x title='{'t' * 500}'>the <b>text</b></p><p>after {'word ' * 200}</p>")
    (example,) = rows(told)["p.x"]["examples"]
    assert (example["before"], example["text"], example["after"].startswith("after word word")) == ("before it", "the text", True)
    assert max(len(example["after"]), len(example["start_tag"])) <= 160
    told = count(*(f"<p></p><p>page {number}</p>" for number in range(5)))
    assert [one["text"] for one in rows(told)["p"]["examples"]] == ["page 0", "page 1", "page 2"]
    years = {f"/{year}/05/01/{n}": "<main><p>x</p></main>" for n, year in enumerate((2001, 2001, 2005, 2001, 2009, 2010))}
    assert [one["url"][22:26] for one in rows(count(pages=years))["p"]["examples"]] == ["2001", "2005", "2009"]


def test_of_a_very_deep_page_no_word_is_lost(count: Count) -> None:
    told = count("<div>" * 400 + "deep words" + "</div>" * 400)
    assert told["trees"][""][0]["words"] == 2


@pytest.mark.nightly
def test_a_million_class_names_are_folded_and_it_is_said(count: Count) -> None:
    letters = "abcdefghijklmnopqrst"
    names = [f"x{a}{b}{c}" for a in letters for b in letters for c in letters]
    told = count(*("".join(f"<p class={name}{page}q><b>some</b> words</p>" for name in names) for page in letters[:8]))
    assert told["trees"][""][0]["words"] == 8 * len(names) * 2
    assert told["notes"]


POSTS = "posts: {comments: {item: li.k, author: b, text: .sz}}\n"


def test_what_belongs_to_posts_is_decided_by_their_rules_and_suggests_nothing(count: Count) -> None:
    said = "<li class=k><b>Anna</b><div class=comment-body><div class=sz><p>no</p></div></div></li>"
    told = count(f"<p>yes</p><ul><div class=talk>{said}</div></ul>", rules=ROOT + POSTS)
    assert decided(told).items() >= {"li.k": "post", "b": "author", "div.sz": "unwrap", "div.talk": "unwrap"}.items()
    assert {row["decided_by"] for row in told["rows"] if row["tag"] in ("li.k", "b", "div.talk", "div.comment-body")} == {"posts"}
    assert not [row for row in told["rows"] if row["suggestion"]]
    boxed = count(f"<ul>{said}</ul>", rules=f"body: {{root: main, tags: {{box: [div.comment-body]}}}}\n{POSTS}")
    assert decided(boxed)["div.comment-body"] == "box"


def test_without_a_root_the_general_finder_says_what_it_leaves_out(count: Count) -> None:
    share = "<div class=share-buttons><a href=/f>Share</a></div>"
    html = f"<body><article><h1>Title of it</h1><p>{LONG}</p><p>{LONG}</p>{share}</article></body>"
    row = rows(count(pages={"/a": html}, rules=""))["div.share-buttons"]
    assert (row["operation"], row["decided_by"]) == ("decompose", "general finder")


DATED = '<meta name="date" content="2012-01-01"><p class=when>Monday, 3 May 2021</p><main><p>x</p></main>'
WHEN = "{datePublished: {css: p.when, date: 'EEEE, d MMMM y'}}"
YEARS: dict[str, tuple[str, str, str, int | None]] = {
    "of a rule": ("/c", DATED, f"language: en\nmetadata: {WHEN}\n", 2021),
    "of a rule of a layout": ("/c", DATED, f"language: en\nlayouts: [{{name: old, when: main, metadata: {WHEN}}}]\n", 2021),
    "of the address": ("/2019/05/01/cikk", "", "", 2019),
    "no month": ("/2021/13/hidavatas", "", "", None),
    "a number in it": ("/cikk/2021/hidavatas", "", "", None),
    "of a meta tag": ("/c", '<meta property="article:published_time" content="2018-03-04T05:06:07Z">', "", 2018),
    "of microdata": ("/c", '<meta itemprop="datePublished" content="2017-01-01">', "", 2017),
    "of structured data": (
        "/c",
        '<script type="application/ld+json">{"@type": "Article", "datePublished": "2016-07-08"}</script>',
        "",
        2016,
    ),
    "of a time": ("/c", '<time datetime="2015-12-31">Silvester</time>', "", 2015),
}


@pytest.mark.parametrize(("path", "head", "rules", "year"), YEARS.values(), ids=YEARS)
def test_pages_count_for_the_year_of_their_article(count: Count, path: str, head: str, rules: str, year: int | None) -> None:
    told = count(pages={path: head if "<main>" in head else f"{head}<main><p>x</p></main>"}, rules=ROOT + rules)
    assert [one["year"] for one in told["coverage"]] == [year]


BLOCKS = "".join(f"<p>{LONG}</p>" for _ in range(3))
SUGGESTED: dict[str, tuple[str, str, str | None]] = {
    "the same text on all pages": ("div.x", "<div class=x>Follow us on all the networks</div><p>Text.</p>", "decompose"),
    "links": ("div.x", "<div class=x><a href=/a>Read of the old bridge {n} and more of it too</a></div><p>Text.</p>", "decompose"),
    "a wrapper": ("div.x", f"<p>a</p><div class=x>{BLOCKS}</div><p>b</p>", "unwrap"),
    "in a line of text": ("span.x", f"<p>{LONG} <span class=x>{LONG} {{n}}</span> {LONG}</p>", "unwrap"),
    "nothing in it": ("div.x", "<p>a</p><div class=x></div><p>b</p>", "unwrap"),
    "called a box": ("div.keretes", f"<p>a</p><div class=keretes>{BLOCKS}</div><p>b</p>", "box"),
    "called a note": ("div.footnote", "<p>a</p><div class=footnote><p>See the log, leaf {n}.</p></div><p>b</p>", "note"),
    "called a body": ("div.article-body", f"<div class=article-body>{BLOCKS * 3}</div>", "unwrap"),
    "called a caption": ("div.image-caption", "<p>a</p><div class=image-caption>Bridge number {n} in the snow</div><p>b</p>", "caption"),
    "called a lead": ("div.standfirst", f"<div class=standfirst>{LONG} {{n}}</div><p>b</p>", "lead"),
    "called a gallery": ("div.gallery", "<p>a</p><div class=gallery><img src=a><img src=b><img src=c> {n}</div><p>b</p>", "gallery"),
    "called a heading": ("span.alcim", "<p>a</p><span class=alcim>What number {n} says</span><p>b</p>", "heading"),
    "called a quote": ("div.pull-quote", f"<p>a</p><div class=pull-quote><p>{LONG} {{n}}</p></div><p>b</p>", "quote"),
    "an element of the site's own": ("advanced-image[pic*]", "<p>a</p><advanced-image pic12=x></advanced-image><p>b</p>", "figure"),
    "called a sidebar, and holds the article": ("div.sidebar", f"<div class=sidebar>{BLOCKS * 6}</div>", "unwrap"),
    "a list of what to share": ("li.share", "<ul><li class=share>Share {n}</li><li>Other {n}</li></ul><p>b</p>", "decompose"),
    "a poem": ("pre.poem", f"<p>a</p><pre class=poem>{LONG}\n{LONG} {{n}}</pre><p>b</p>", "verse"),
    "what a tag says is not doubted": ("li.lead", f"<ul><li class=lead>{LONG} {{n}}</li></ul><p>b</p>", None),
}


@pytest.mark.parametrize(("tag", "body", "operation"), SUGGESTED.values(), ids=SUGGESTED)
def test_a_suggestion_follows_from_names_and_from_what_pages_show(count: Count, tag: str, body: str, operation: str | None) -> None:
    suggestion = rows(count(*(body.replace("{n}", f"{n}{'abcdefgh'[n]}") for n in range(6))))[tag]["suggestion"]
    assert (suggestion and suggestion["operation"]) == operation
    assert suggestion is None or suggestion["evidence"]


def test_of_the_files_of_other_programs_whole_pages_that_may_be_articles_are_read_the_newest_of_each(
    curator: Callable[..., Any], tmp_path: Path
) -> None:
    file = write_warc(tmp_path / "in.warc.gz", {f"{AT}/a": "<main><p class=newer>x</p></main>"}, date="2024-06-02T00:00:00Z")
    answers: list[tuple[str, str, str, str]] = [
        ("/a", "<main><p class=older>x</p></main>", "text/html", "200 OK"),
        ("/gone", "<main><p class=gone>x</p></main>", "text/html", "404 Not Found"),
        ("/moved", "", "text/html", "301 Moved"),
        ("/k.png", "PNG", "image/png", "200 OK"),
        ("/api", "{}", "application/json", "200 OK"),
        ("/untold", "<html><body><main><p class=untold>x</p></main></body></html>", "", "200 OK"),
        ("/list/3", "<main><p class=archive>x</p></main>", "text/html", "200 OK"),
        ("/cikk/1", "<main><p class=b>x</p></main>", "text/html", "200 OK"),
        ("/cikk/1?amp", "<main><p class=b>x</p></main>", "text/html", "200 OK"),
    ]
    for path, body, kind, status in answers:
        write_warc(file, {f"{AT}{path}": body}, kind=kind, status=status, more=True)
    (tmp_path / "portal.yaml").write_text(
        f"{HEAD}{ROOT}archive: {{url: '{AT}/list/{{page}}', link: a}}\narticles: {{identity: '/cikk/(\\d+)'}}\n", encoding="utf-8"
    )
    told = json.loads(curator("tags", tmp_path / "portal.yaml", "--warc", file, "--json", "--jobs", "1").out)
    assert {row["tag"] for row in told["rows"]} == {"p.newer", "p.untold", "p.b"}
    assert rows(told)["p.b"]["pages"] == 1


def test_a_sample_has_of_every_year_some_and_is_the_same_every_time(count: Count) -> None:
    pages = {f"/{2001 + (n % 40 == 0)}/01/01/{n}": f"<main><p class=x{n}q>x</p></main>" for n in range(80)}
    first, second = (count(pages=pages, flags=("--sample", "20")) for _ in range(2))
    assert first == second
    assert (first["pages"], first["of_pages"]) == (20, 80)
    assert [year["year"] for year in first["coverage"]] == [2001, 2002]


def written(tmp_path: Path, body: str, rules: str = ROOT) -> tuple[str, list[dict[str, str]]]:
    """The page for a browser, and the table."""
    (tmp_path / "portal.yaml").write_text(HEAD + rules, encoding="utf-8")
    file = write_warc(tmp_path / "in.warc.gz", {f"{AT}/2024/05/01/a": f"<html><head><meta charset=utf-8></head><body><main>{body}</main>"})
    paths = {"--html": tmp_path / "tags.html", "--tsv": tmp_path / "tags.tsv"}
    flags = [str(part) for pair in paths.items() for part in pair]
    assert main(["tags", str(tmp_path / "portal.yaml"), "--warc", str(file), "--jobs", "1", "-q", *flags]) == 0
    table = paths["--tsv"].read_text(encoding="utf-8-sig")
    return paths["--html"].read_text(encoding="utf-8"), list(csv.DictReader(table.splitlines(), delimiter="\t"))


def data_of(page: str) -> str:
    return page.partition('<script type="application/json"')[2].partition(">")[2].partition("</script>")[0]


def test_the_page_is_one_file_whose_policy_allows_its_own_style_and_script_and_nothing_else(tmp_path: Path) -> None:
    page, _ = written(tmp_path, "<p>one</p>")
    (policy,) = re.findall(r'http-equiv="?Content-Security-Policy"? content="([^"]*)"', page)
    directives = dict(directive.strip().split(" ", 1) for directive in policy.split(";"))
    assert directives["default-src"] == "'none'"
    parts = {
        "style-src": re.findall(r"<style[^>]*>(.*?)</style>", page, re.S),
        "script-src": re.findall(r"<script>(.*?)</script>", page, re.S),
    }
    for directive, (text,) in parts.items():
        assert directives[directive] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
    loads_or_sends = r"<[^>]+\s(?:src|srcset|action)=|<(?!a\b)[^>]+\shref="  # a person may follow links; nothing else leads out
    assert not re.findall(loads_or_sends, page.replace(data_of(page), ""))
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|@import", page)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=20))
def test_no_text_of_a_page_leaves_the_data_of_the_page_or_breaks_the_table(tmp_path: Path, text: str) -> None:
    for said in (text, f"</script><script>{text}", "=cmd|'/c calc'!A1\t<!--"):
        page, table = written(tmp_path, f"<p class='{escape(said)}'>{escape(said)}</p>")
        assert page.count("<script") == 2
        json.loads(data_of(page))
        assert len(table) == 1
        assert not any(cell.startswith(("=", "+", "@")) for row in table for cell in row.values())


def test_a_row_of_the_table_has_its_figures_its_decision_and_its_examples(tmp_path: Path) -> None:
    rules = "body: {root: main, tags: {figure: [{css: div.kep, url: data-src}]}}\n"
    _, table = written(tmp_path, "<div class=kep data-src=/a.jpg><b>one</b> two</div><div class=x>Other words in it</div>", rules)
    figure, other = ({row["tag"]: row for row in table}[tag] for tag in ("div.kep[data-src]", "div.x"))
    assert (figure["operation"], figure["url"], figure["frequency"], figure["words"]) == ("figure", "data-src", "1", "2")
    assert figure["decided_by"].startswith("portal.yaml:")
    assert figure["example"] == f"{AT}/2024/05/01/a"
    assert (other["operation"], other["decided_by"], bool(other["suggestion"])) == ("", "undecided", True)
