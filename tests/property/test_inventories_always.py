"""Whatever pages and rules are like: an inventory counts what is there, tells what building decides, and its table can be applied."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lxml import html
from warc_records import write_warc

from webarticlecurator import extract, load_portal

TAGS = (
    *("p", "div", "span", "b", "a", "ul", "li", "form", "aside", "blockquote", "footer", "section", "pre", "hr", "video", "h2", "x-y"),
    "script",
)
HOME = "https://pelda.example/"
VOID = ("hr",)
UNSEEN = ("script", "style", "template", "noscript")
ATTRIBUTES = (
    *("", "class=a", "class='a b'", "class='c a'", "class='post-12'", "class='post-7 a'", "class=css-1x2yz9a", "class=' '", "id=main"),
    *("id=n12", "role=heading", "hidden", "href=/x", "data-src=y", "rel='nofollow ugc'", "lang=en", "data-1=x data-22=y", "=x"),
    *("class='k1 k2 k3 k4 a b c d e f g'", "class=" + "l" * 40, "itemprop=articleBody", "aria-label=x", "style=color:red"),
)
SELECTORS = (
    *("p", "div", ".a", ".b", "div.a", "p.a.b", "#main", "#n12", ".post-12", ".f", "[role=heading]", "[hidden]", "[href]"),
    "[rel~=nofollow]",
    *("[data-src]", "[data-1]", "[class^=post]", "span[lang=en]", "*", "." + "l" * 40, "div p", "div > p", ".a .b", "#main p", "body p"),
    *(".page p", ".page > .a", "html div.a", "> p", "> .a > b", "p:has(b)", "div:has(> .a)", 'p:contains("word")', "p + p", "p ~ div"),
    *("li:first-child", "li:nth-child(2)", ".a:not(.b)", "p:not(.a)", "div:not(:has(p))", ":is(.a, .b)", "p:empty", "p:not(.a) span"),
    *(".page .b, li.a", "form", "p, .b", ".x.page p", "section:not(.page) p", ":not(div) > p", ".css-1x2yz9a"),
)
OPERATIONS = ("decompose", "unwrap", "unwrap-all", "paragraph", "quote", "bold", "figure", "divider", "box")
SENTENCE = "A város új hidat kap, a munka jövőre kezdődik, és a tervek szerint három évig tart majd. "


def element(tag: str, attributes: str, inner: list[str]) -> str:
    return f"<{tag} {attributes}>" + ("" if tag in VOID else f"{''.join(inner)}</{tag}>")


def elements(tags: tuple[str, ...], attributes: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.recursive(
        st.sampled_from(("", " word ", " several words here ", " ", "<!-- comment -->", " &amp; ")),
        lambda inner: st.builds(element, st.sampled_from(tags), st.sampled_from(attributes), st.lists(inner, max_size=4)),
        max_leaves=12,
    )


ELEMENTS = elements(TAGS, ATTRIBUTES)
WRITABLE_ELEMENTS = elements(TAGS, tuple(one for one in ATTRIBUTES if not one.startswith("=")))
PLAIN_ELEMENTS = elements(("p", "div", "span", "b", "h2", "section", "x-y", "hr", "script"), ATTRIBUTES[:6])
PAGES = st.builds(
    lambda page, wrap, container, inner: (
        f"<html><body class='{page}'><div class='{wrap}'><article {container}>{''.join(inner)}</article></div></body></html>"
    ),
    st.sampled_from(("", "page", "page postid-12", "x page")),
    st.sampled_from(("", "a", "page")),
    st.sampled_from([one for one in ATTRIBUTES if "class" in one or "id" in one]),
    st.lists(ELEMENTS, min_size=1, max_size=4),
)


def inventory(curator: Callable[..., Any], folder: Path, *flags: object) -> dict[str, Any]:
    ended = curator("tags", folder / "portal.yaml", "--warc", folder / "pages.warc.gz", "--all", "--jobs", 1, "--json", *flags)
    assert ended.code == 0, ended.err
    return dict(json.loads(ended.out))


def with_pages(folder: Path, pages: list[str], rules: str) -> None:
    write_warc(folder / "pages.warc.gz", {f"https://pelda.example/{number}": page for number, page in enumerate(pages)})
    (folder / "portal.yaml").write_text(rules, encoding="utf-8")


MOST = ("decompose", "unwrap", "paragraph", "quote", "bold", "box")


@settings(max_examples=settings.default.max_examples, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.lists(PAGES, min_size=1, max_size=3), st.dictionaries(st.sampled_from(SELECTORS), st.sampled_from(MOST), max_size=8))
def test_what_an_inventory_tells_is_what_becomes_of_the_words_of_the_pages(
    curator: Callable[..., Any], pages: list[str], rules: dict[str, str]
) -> None:
    tags = {operation: [css for css, given in rules.items() if given == operation] for operation in rules.values()}
    with TemporaryDirectory() as name:
        with_pages(Path(name), pages, json.dumps({"portal": "pelda", "home": HOME, "body": {"root": "article", "tags": tags}}))
        told = inventory(curator, Path(name))["trees"]
        read = [extract(page, f"{HOME}{number}", load_portal(Path(name) / "portal.yaml")).to_dict() for number, page in enumerate(pages)]
    for around in ("", "quote", "box", "bold"):
        in_articles = sum(held(block, around) for article in read for block in article.get("blocks", []))
        assert sum(kept(node, around) for nodes in told.values() for node in nodes) == in_articles, around or "all"


def kept(node: dict[str, Any], around: str) -> int:
    """Words that are told to stay, inside of what is told to become this."""
    if node["operation"] in ("decompose", "embed"):  # what a video holds is for browsers that show none
        return 0
    around = "" if node["operation"] == around else around
    return (0 if around else node["own_words"]) + sum(kept(child, around) for child in node["children"])


def held(block: dict[str, Any], around: str) -> int:
    """Words of this part of an article, inside of what became this."""
    if not around or block["type"] == around:
        return len(block["text"].split())
    return sum(held(child, around) for child in block["children"])


@settings(max_examples=5, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(PLAIN_ELEMENTS, max_size=4), min_size=1, max_size=8))
def test_every_element_and_every_word_is_counted_once(curator: Callable[..., Any], bodies: list[list[str]]) -> None:
    pages = [f"<article><em>{SENTENCE * 3}</em>{''.join(inner)}</article><p>kint</p>" for inner in bodies]
    with TemporaryDirectory() as name:
        with_pages(Path(name), pages, "portal: pelda\nhome: https://pelda.example/\nbody: {root: article}\n")
        rows = inventory(curator, Path(name))["rows"]
    frequencies, words = Counter[str](), Counter[str]()
    for row in rows:
        tag = re.split(r"[.#\[]", row["tag"])[0]
        frequencies[tag] += row["frequency"]
        words[tag] += row["words"]
    assert (frequencies, +words) == counted(pages)


def counted(pages: list[str]) -> tuple[Counter[str], Counter[str]]:
    """Of each element inside of the articles how often it is there, and how many words it holds."""
    frequencies, words = Counter[str](), Counter[str]()

    def count_in(around: html.HtmlElement) -> int:
        held = len((around.text or "").split())
        for child in around:
            if isinstance(child.tag, str) and child.tag not in UNSEEN:
                inside = count_in(child)
                frequencies[child.tag] += 1
                words[child.tag] += inside
                held += inside
            held += len((child.tail or "").split())
        return held

    for page in pages:
        for article in html.document_fromstring(page, parser=html.HTMLParser(remove_comments=True)).iter("article"):
            count_in(article)
    return frequencies, +words


@st.composite
def portal_files(draw: st.DrawFn) -> str:
    """Some rules, in lists and in brackets, with comments between them."""
    plain = ("div.a", "div.a, span.b", "p.a", "div[data-src]", "blockquote p", "span", ".b", "#main", "p:contains('word')", "p:not(.a)")
    rules = draw(st.dictionaries(st.sampled_from(plain), st.sampled_from(OPERATIONS), max_size=6))
    lines = ["# first", "portal: pelda   # its name", "home: 'https://pelda.example/'", "body:", "  root: [div.cikk,   article]   # wide"]
    lines += ["  tags:   # dictionary"] if rules else []
    for operation in dict.fromkeys(rules.values()):
        chosen = ['"' + css + '"' for css, other in rules.items() if other == operation]
        if draw(st.booleans()):
            lines += [f"    {operation}:  # about {operation}", *(f"      - {css}   # rule {css}" for css in chosen), "      # after"]
        else:
            lines += [f"    {operation}: [{', '.join(chosen)}]   # short"]
    return "\n".join([*lines, "# before the end", "language: hu", "# last", ""])


@pytest.mark.nightly
@settings(max_examples=12, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(portal_files(), st.lists(WRITABLE_ELEMENTS, min_size=2, max_size=6), st.data())
def test_a_table_that_was_edited_is_applied_as_it_was_edited(
    curator: Callable[..., Any], rules: str, inner: list[str], data: st.DataObject
) -> None:
    operations = st.sampled_from(("decompose", "unwrap", "paragraph", "box", ""))
    assert_table_is_applied(curator, rules, inner, lambda _: data.draw(operations), may_contradict=True)


@pytest.mark.parametrize("operation", ["decompose", "paragraph", "", "split", "unwrap"])
def test_one_table_of_each_operation(curator: Callable[..., Any], operation: str) -> None:
    rules = "portal: pelda\nhome: https://pelda.example/\nbody:\n root: article # one\n tags:\n  box: # boxes\n  - .post-12 # plain\n"
    inner = ["<div class='a b'>w <span>x</span></div>", "<p class=post-12>y</p>", "<o:p>z</o:p>", "<div class=' '><a href=x>k</a></div>"]
    numbers = count()
    assert_table_is_applied(
        curator, rules, inner, lambda was: "paragraph > bold" if operation == "split" else operation if next(numbers) % 2 else was
    )


def assert_table_is_applied(
    curator: Callable[..., Any], rules: str, inner: list[str], edited: Callable[[str], str], *, may_contradict: bool = False
) -> None:
    """Inventory to table, its operations edited, applied: the rules decide every row as it says, and the file keeps all else."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with_pages(folder, [f"<article><em>{SENTENCE * 3}</em>{''.join(inner)}</article>"], rules)
        table = folder / "tags.tsv"
        told = curator("tags", folder / "portal.yaml", "--warc", folder / "pages.warc.gz", "--all", "--jobs", 1, "--tsv", table)
        assert told.code == 0, told.err
        with table.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        for row in rows:
            row["operation"] = edited(row["operation"])
        lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
        table.write_text("\n".join(lines) + "\n", encoding="utf-8")
        applied = curator("tags", "apply", table, folder / "portal.yaml")
        if applied.code == 2:  # rows that contradict one another are told, and then nothing is written
            assert may_contradict and "no selector can tell them apart" in applied.err, applied.err
            assert (folder / "portal.yaml").read_text("utf-8") == rules
            return
        assert applied.code == 0, applied.err
        after = {(row["tag"], row["where"]): row["operation"] for row in inventory(curator, folder)["rows"]}
        wanted = {(row["tag"], row["where"]): row["operation"] for row in rows if row["operation"]}
        assert {key: after.get(key, operation) for key, operation in wanted.items()} == wanted
        assert set(re.findall(r"# .*", rules)) <= set(re.findall(r"# .*", (folder / "portal.yaml").read_text("utf-8")))
