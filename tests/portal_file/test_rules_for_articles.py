"""What a portal file may say of articles: which are none, what identifies one, bodies, posts and tags, and how a browser shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seams import shown_by_browser
from written_portal import HOME, WrittenPortal

from webarticlecurator import Portal, extract

Load = Callable[[str], Portal]
TEXT = "A város új hidat kap, a munka jövőre kezdődik, és a tervek szerint három évig tart majd. " * 3


def look(written: WrittenPortal, rules: str, page: str, at: str = "/cikk/1", **more: Any) -> dict[str, Any]:
    return written.look(rules, page, at, "--as", "article", **more)


def test_a_link_to_what_is_skipped_is_refused(written: WrittenPortal) -> None:
    rules = "archive: {url: 'https://pelda.example/l', link: a}\narticles: {skip: {url: [/galeria/, /video/]}}\n"
    line = written.archive(rules, "<a href=/cikk/1>x</a><a href=/video/1>y</a><a href=/galeria/1>z</a>", "/l")
    assert [article["url"] for article in line["articles"]] == [f"{HOME}/cikk/1"]
    assert sum(refused["links"] for refused in line["refused"]) == 2


@pytest.mark.parametrize(
    ("rules", "url", "identity"),
    [
        ("", "/cikk/7/hid?x=1#y", f"{HOME}/cikk/7/hid?x=1"),
        ("articles: {identity: '/cikk/([0-9]+)'}", "/cikk/7/hid?x=1", "7"),
        ("articles: {identity: '/(cikk)/([0-9]+)'}", "/cikk/7", "cikk/7"),
        ("articles: {identity: '/blog/([0-9]+)'}", "/cikk/7", f"{HOME}/cikk/7"),
    ],
)
def test_the_groups_of_a_pattern_identify_an_article(load: Load, rules: str, url: str, identity: str) -> None:
    assert extract("<p>x", HOME + url, load(rules + "\n")).identity == identity


def test_posts_are_read_by_their_fields(written: WrittenPortal) -> None:
    rules = (
        "posts: {comments: {item: li.k, id: {attr: data-id}, author: .nev, reply_to: {attr: data-p}, time: {css: i, date: iso}, text: p}}\n"
        "layouts: [{url: /regi/, posts: {comments: {author: u}}}]\n"
    )
    page = (
        f"<article><p>{TEXT}</p></article><ul><li class=k data-id=1><b class=nev>Anna</b><i>2024-05-01</i><p>Szép.</p></li>"
        "<li class=k data-id=2 data-p=1><b class=nev>Béla</b><u>B.</u><p>Az.</p></li></ul>"
    )
    told = [(one["id"], one["who"], one.get("reply_to"), one["text"]) for one in look(written, rules, page)["comments"]]
    assert told == [("1", "Anna", None, "Szép."), ("2", "Béla", "1", "Az.")]
    assert [one.get("who") for one in look(written, rules, page, "/regi/1")["comments"]] == [None, "B."]
    assert not look(written, "posts: {comments: null}\n", page).get("comments")


# --- the tag dictionary ---


def test_what_is_dropped_names_the_rule_and_its_file(written: WrittenPortal) -> None:
    files = {"kozos.yaml": "body:\n  tags:\n    decompose: [aside, p.kozos]\n"}
    rules = "extends: kozos.yaml\nbody:\n  root: article\n  tags:\n    decompose:\n      - p.sajat\n"
    page = f"<article><p>{TEXT}</p><aside>Kitérő szavak.</aside><p class=sajat>Saját szavak.</p></article>"
    dropped = {one["text"].strip(): one["rule"] for one in look(written, rules, page, files=files)["dropped"]}
    assert dropped["Saját szavak."].startswith("portal.yaml:10")
    assert dropped["Kitérő szavak."].startswith("kozos.yaml:3")


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ("", {"a", "k"}),
        ("extends: kozos.yaml", {"a"}),
        ("extends: kozos.yaml\nbody: {tags: {decompose: [p.a]}}", set()),
        ("extends: kozos.yaml\nbody: {tags: {decompose: null}}", {"a", "k"}),
        ("extends: kozos.yaml\nbody: {tags: {paragraph: [p.k]}}", {"a", "k"}),
        ("extends: kozos.yaml\nlayouts: [{url: /cikk/, body: {tags: {decompose: [p.a]}}}]", set()),
        ("extends: kozos.yaml\nlayouts: [{url: /regi/, body: {tags: {decompose: [p.a]}}}]", {"a"}),
    ],
)
def test_the_tags_of_each_file_are_a_layer_and_the_nearest_decides(written: WrittenPortal, rules: str, kept: set[str]) -> None:
    files = {"kozos.yaml": "body: {root: article, tags: {decompose: [p.k]}}\n"}
    page = f"<article><p>{TEXT}</p><p class=a>szó-a</p><p class=k>szó-k</p></article>"
    text = look(written, rules + "\n", page, files=files)["text"]
    assert {name for name in "ak" if f"szó-{name}" in text} == kept


def test_every_operation_of_the_vocabulary_can_be_written(load: Load, schema: dict[str, Any]) -> None:
    operations = schema["definitions"]["tags"]["properties"]
    for operation in operations:
        rules = f"body: {{tags: {{{operation}: {'{p.x: [paragraph, bold]}' if operation == 'split' else '[p.x]'}}}}}\n"
        assert f"{operation}:" in load(rules).effective
    assert len(operations) > 20


@pytest.mark.parametrize(
    ("tags", "blocks"),
    [
        ("{lead: [p]}", "lead"),
        ("{quote: [p]}", "quote"),
        ("{split: {p: [paragraph, bold]}}", "paragraph"),
        ("{figure: [{css: p, url: data-src}]}", "figure"),
        ("{heading: ['p.b', div]}", "paragraph"),
    ],
)
def test_a_rule_makes_of_an_element_what_it_says(written: WrittenPortal, tags: str, blocks: str) -> None:
    page = f"<article><section><p data-src=/a.jpg>{TEXT}</p></section></article>"
    assert look(written, f"body: {{root: article, tags: {tags}}}\n", page)["blocks"][0]["type"] == blocks


# --- `via: browser` ---

ARCHIVE = "archive: {url: 'https://pelda.example/a', link: a}\n"
COLUMNS = (
    "columns: {x: 'https://pelda.example/x', y: {url: 'https://pelda.example/y', fetch: {click: null}},"
    " z: {url: 'https://pelda.example/z', fetch: {via: http}}}\n"
)
SHOWN: dict[str, tuple[str, dict[str, Any]]] = {
    "no browser unless the file says so": (f"fetch: {{via: http}}\n{ARCHIVE}", {}),
    "the portal speaks for all its pages": (f"fetch: {{via: browser}}\n{ARCHIVE}", {"articles": {}, "archive": {}}),
    "all that a browser can be asked": (
        "fetch: {via: browser, wait: 'div.kesz', scroll: {until: 'p.vege'}, click: 'button:contains(\"OK\")'}\n",
        {"articles": {"wait": "div.kesz", "scroll": "p.vege", "click": 'button:contains("OK")'}},
    ),
    "words for an idle network and for the end": (
        "fetch: {via: browser, wait: idle, scroll: {until: end}}\n", {"articles": {"scroll": None}}
    ),
    "columns differ key by key": (
        f"fetch: {{via: browser, wait: div.a, click: b}}\narchive: {{link: a, fetch: {{wait: div.b}}}}\n{COLUMNS}",
        {"articles": {"wait": "div.a", "click": "b"}, "x": {"wait": "div.b", "click": "b"}, "y": {"wait": "div.b"}},
    ),
    "what is no HTML": (
        "fetch: {via: browser}\narticles: {format: json}\ncolumns: {t: {url: 'https://pelda.example/s.xml', format: sitemap},"
        " l: {url: 'https://pelda.example/l', link: a, request: {method: POST, form: {a: b}}}}\n",
        {},
    ),
    "scrolling is a way of paging": (
        "archive: {url: 'https://pelda.example/a', link: a, fetch: {via: browser}, pages: scroll}\n",
        {"archive": {"scroll": None, "steps": "scroll"}},
    ),
    "so is a button": (
        "archive: {url: 'https://pelda.example/a', link: a, fetch: {via: browser, click: button.a}, pages: load-more}\n",
        {"archive": {"scroll": None, "steps": "click", "button": "button.a"}},
    ),
    "a button of its own": (
        "archive: {url: 'https://pelda.example/a', link: a, fetch: {via: browser, click: a.x}, pages: {mode: load-more, button: b.y}}\n",
        {"archive": {"scroll": None, "steps": "click", "button": "b.y", "click": "a.x"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rules", "shown"), SHOWN.values(), ids=SHOWN)
def test_a_browser_shows_what_the_file_says(load: Load, rules: str, shown: dict[str, Any]) -> None:
    assert shown_by_browser(load(rules)) == shown


@pytest.mark.parametrize(
    ("far", "near", "which", "shown"),
    [
        ("{}", "truncated", "truncated", None),
        ("{}", "{via: browser, wait: article}", "all", {"wait": "article"}),
        ("{}", "{which: truncated, via: browser}", "truncated", {}),
        ("truncated", "{via: browser}", "truncated", {}),
        ("{via: browser, wait: main}", "truncated", "truncated", {"wait": "main"}),
        ("{via: browser, wait: main}", "{wait: null, click: a}", "all", {"click": "a"}),
        ("{via: browser}", "null", "all", None),
    ],
)
def test_articles_say_which_are_asked_for_and_how_they_come(
    load: Load, tmp_path: Path, far: str, near: str, which: str, shown: dict[str, Any] | None
) -> None:
    (tmp_path / "far.yaml").write_text(f"articles: {{fetch: {far}}}\n{ARCHIVE}", encoding="utf-8")
    portal = load(f"extends: ./far.yaml\narticles: {{fetch: {near}}}\n")
    assert (portal.articles.fetch, shown_by_browser(portal).get("articles")) == (which, shown)
