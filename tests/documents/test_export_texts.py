"""Articles as running text: plain text, Markdown and JSON Lines; what is shown, in which order, and what is counted as left out."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import subprocess
from html import escape, unescape
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from published import Publish, PublishedPortal, article, post

from webarticlecurator import extract

markdown_it = pytest.importorskip("markdown_it", reason="Markdown is read by markdown-it-py (pip install markdown-it-py)")
READER = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])


def lines(export: Any, portal: PublishedPortal, *flags: object) -> list[str]:
    """Of a portal with one article."""
    return list(export(portal, "text", "a.txt", *flags).text.splitlines())


ALL = ("--with", "boxes,captions,posts,comments")
OF_BLOCKS: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "the headline first": (("Text.",), ["A bridge", "Text."]),
    "lead and heading": (('<p class="x-lead">The lead.</p>', "<h3>Why</h3>", "Text."), ["A bridge", "The lead.", "Why", "Text."]),
    "a list in a list": (
        ("<ul><li>one<ul><li>in it</li></ul></li><li>two</li></ul>", "Text."),
        ["A bridge", "one", "in it", "two", "Text."],
    ),
    "a table": (
        ("<table><caption>Costs</caption><tr><td>a</td><td>b</td></tr></table>", "Text."),
        ["A bridge", "Costs", "a\tb", "Text."],
    ),
    "boxes, captions and comments are left out": (
        ("Text.", '<div class="x-box"><p>Aside.</p></div>', '<figure><img src="/a.jpg"><figcaption>A boat.</figcaption></figure>'),
        ["A bridge", "Text."],
    ),
    "lines of a verse": (
        ('<div class="x-verse">One,<br><br>two\tthree\u2028four</div>', "Text."),
        ["A bridge", "One,", "two three four", "Text."],
    ),
    "the number of a note is no part of the word before it": (
        (
            '<p>It stood for long<sup><a href="#fn1">1</a></sup>, see <a href="#fn1">the first note</a>.</p>',
            '<div class="x-note" id="fn1">1. Told.</div>',
        ),
        ["A bridge", "It stood for long, see the first note.", "1. Told."],
    ),
    "an article that has nothing but posts keeps them": (
        (post("Who knows?", "forum", title="A question"), post("I do.", "forum"), post("Aside")),
        ["A bridge", "A question", "Who knows?", "I do."],
    ),
    "a poll above makes a thread no article with posts": (("A poll.", post("Who knows?", "forum")), ["A bridge", "A poll.", "Who knows?"]),
    "nor does a divider": (("<hr>", post("Live.", "liveblog")), ["A bridge", "Live."]),
}


def test_text_comes_in_the_order_of_the_page(publish: Publish, export: Any) -> None:
    pages = []
    for number, (blocks, _) in enumerate(OF_BLOCKS.values()):
        own = [one for one in blocks if not one.startswith('<div class="x-comments"') and "x-forum" not in one and "x-liveblog" not in one]
        kind = "DiscussionForumPosting" if any("x-forum" in one for one in blocks) else None
        pages.append(article(number, *own, posts=[one for one in blocks if one not in own], type=kind, date=f"2024-05-{number + 1:02d}"))
    made = export(publish(*pages), "text", "a.txt")
    assert made.text.rstrip("\n").split("\n\n") == ["\n".join(expected) for _, expected in OF_BLOCKS.values()]
    assert "1 box, 1 caption, 1 comment" in made.said


def test_the_headline_can_be_left_out_and_parts_be_added(publish: Publish, export: Any) -> None:
    portal = publish(
        article(
            1,
            "Text.",
            '<div class="x-box"><p>Aside.</p></div>',
            '<figure><img src="/a.jpg"><figcaption>A boat.</figcaption></figure>',
            posts=(post("Live.", "liveblog"), post("Nonsense!")),
        )
    )
    assert lines(export, portal) == ["A bridge", "Text.", "Live."], "entries of a live blog are its text"
    assert lines(export, portal, "--no-headline", "--with", "comments", "--without", "posts") == ["Text.", "Nonsense!"]
    assert lines(export, portal, *ALL) == ["A bridge", "Text.", "Aside.", "A boat.", "Live.", "Nonsense!"]
    left_out = export(portal, "text", "b.txt", "--without", "posts").said
    assert all(f"1 {part}" in left_out for part in ("box", "caption", "comment", "post")), left_out
    assert "--with box" in left_out.replace("comments,", "").replace("captions,", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mc", "a[31mc"),
        ("one\u2028four\x85five", "one four five"),
        ("hy\u00adphen", "hyphen"),
        ("\u05d0\u202e\u05d1", "\u05d0\u05d1"),
        ("no char\uffff", "no char"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
    ],
)
def test_a_text_steers_nothing(publish: Publish, export: Any, text: str, shown: str) -> None:
    (line,) = lines(export, publish(article(1, text, title=None)))
    assert line == shown


def test_a_folder_has_a_file_an_article_and_a_table_that_names_them(library: Any, export: Any) -> None:
    folder = export(library.pelda, "text", "texts/", "--names", "date", "--fields", "headline,author,year").path
    rows = {row["id"]: row for row in csv.DictReader(folder.with_name("texts.metadata.csv").open(encoding="utf-8", newline=""))}
    hostile = rows[f"2024-05-02_{library['hostile'].id}"]
    assert list(hostile) == ["id", "headline", "author", "year"]
    assert (hostile["headline"][:5], hostile["author"]) == ("'=1+1", "'=Ada, B; C|D"), "no cell begins a formula"
    assert f"undated_{library['undated'].id}" in rows
    assert (folder / f"{hostile['id']}.txt").read_text(encoding="utf-8").startswith("=1+1 <script>")
    listed = dict(reversed(line.split("  ")) for line in folder.with_name("texts.SHA256SUMS").read_text().splitlines())
    assert {name: hashlib.sha256((folder.parent / name).read_bytes()).hexdigest() for name in listed} == listed
    assert set(listed) == {f"texts/{path.name}" for path in folder.iterdir()} == {f"texts/{id}.txt" for id in rows}
    assert folder.with_name("texts.manifest.json").exists()
    subprocess.run(["sha256sum", "-c", "--strict", "texts.SHA256SUMS"], cwd=folder.parent, check=True, capture_output=True)


# --- JSON Lines ---


def test_a_line_is_what_try_prints_with_id_and_captures(library: Any, export: Any, curator: Any) -> None:
    page = library["bridge"]
    (library.pelda.folder / "bridge.html").write_text(page.page, "utf-8")
    tried = json.loads(
        curator("try", library.pelda.file, page.url, "--html", library.pelda.folder / "bridge.html", "--as", "article", "--json").out
    )
    told = {line["id"]: line for line in map(json.loads, export(library.pelda, "jsonl", "a.jsonl", "--with", "comments").text.splitlines())}
    line = told[page.id]
    (capture,) = line.pop("captures")
    assert {"record_id", "file", "offset", "length", "digest", "date", "url"} == capture.keys()
    assert (line.pop("id"), line.pop("language")) == (page.id, "en")
    assert line == {name: tried[name] for name in line}


def test_a_line_has_all_but_comments_whatever_is_wanted_and_help_says_so(publish: Publish, export: Any, curator: Any) -> None:
    picture, box = '<figure><img src="/a.jpg"><figcaption>A boat.</figcaption></figure>', '<div class="x-box"><p>Aside.</p></div>'
    line = json.loads(export(publish(article(1, "Text.", picture, box, posts=(post("Nonsense!"),))), "jsonl", "a.jsonl").text)
    assert (line["text"], "comments" in line) == ("Text.\nA boat.\nAside.", False)
    assert "jsonl leaves out comments alone" in " ".join(curator("export", "--help").out.split())


def test_fields_of_a_line_can_be_chosen(publish: Publish, export: Any) -> None:
    portal = publish(page := article(1, "Text.", author="Ada"))
    assert json.loads(export(portal, "jsonl", "b.jsonl", "--fields", "id,text,author").text) == {
        "id": page.id,
        "text": "Text.",
        "metadata": {"author": [{"value": "Ada", "raw": "Ada", "source": "metadata.author"}]},
    }
    assert "Did you mean text?" in export(portal, "jsonl", "c.jsonl", "--fields", "txet", code=2).said


# --- Markdown, read back by a parser of CommonMark ---


def rendered(export: Any, portal: PublishedPortal, *flags: object) -> str:
    return str(READER.render(export(portal, "markdown", "a.md", *flags).text)).strip()


HOSTILE = (
    *("*a*", "_b_ `c` [d](e) (f) <g> # h", "# no heading", "1. no list", "- none", "+ none", "= none", "---", "~~~", "    no code", "a\\b"),
    *("&lt;b&gt; &amp;", "<b>no tag</b>", "](http://x.example)", "![x](y)", "http://pelda.example www.pelda.example", "a | b", "$x$"),
    "> none",
    *("[1]: http://x.example", "a  \nb", "\\* **x** __y__", "***", "``` code", "|a|b|", "\u202eÁ 'x' \"y\""),
)


def test_no_text_becomes_markup(publish: Publish, export: Any) -> None:
    shape = (
        "<p>{}<br>x {}</p>",
        "<blockquote><p>{}</p></blockquote>",
        "<ol><li><p>{}</p><p>x {}</p></li><li>y</li></ol>",
        "<table><tr><td>{}</td><td>x {}</td></tr></table>",
        '<p>See <a href="https://pelda.example/a_(b)|c">{}</a>.</p>',
    )
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;").replace("\u202e", "&#8238;") for text in HOSTILE]
    pages = [
        article(
            number, *(one.format(escaped[number], escaped[number]) for one in shape), title=f"t {text}", date=f"2024-05-{number + 1:02d}"
        )
        for number, text in enumerate(HOSTILE)
    ]
    html = rendered(export, publish(*pages), "--with", "links")
    known = {"p", "br", "blockquote", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "a", "h1", "hr"}
    assert set(re.findall(r"</?([a-z0-9]+)", html)) <= known
    assert html.count("<a ") == 2 * len(HOSTILE), "one to the page, and that of the text"
    assert html.count("<h1>") == len(HOSTILE)
    assert html.count("<hr") == len(HOSTILE) - 1
    shown = " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())
    for text in HOSTILE:
        assert shown.count(" ".join(text.replace("\u202e", "").split())) >= 7, text


def test_blocks_are_what_they_were(publish: Publish, export: Any) -> None:
    blocks = (
        "Text.",
        "<h3>Why?</h3>",
        "<ul><li>one<ul><li>in it</li></ul></li><li>two</li></ul>",
        "<table><caption>Costs</caption><tr><td>a|b</td><td>c</td></tr><tr><td>d</td><td></td></tr></table>",
        "<pre>a ``` b\n&lt;c&gt;</pre>",
        '<p>See <a href="https://pelda.example/x y">this</a> and <a href="javascript:alert(1)">that</a>.</p>',
    )
    html = rendered(export, publish(article(1, *blocks)), "--with", "links")
    assert "<h3>Why?</h3>" in html
    assert "<ul><li>one<ul><li>init</li></ul></li><li>two</li></ul>" in re.sub(r"\s|</?p>", "", html)
    assert "<h6>Costs</h6>" in html
    assert "<th>a|b</th>" in html
    assert "<pre><code>a ``` b\n&lt;c&gt;\n</code></pre>" in html
    assert '<p>See <a href="https://pelda.example/x%20y">this</a> and that.</p>' in html


def test_emphasis_code_and_pictures_are_what_they_were(publish: Publish, export: Any) -> None:
    blocks = (
        "<p>A <b>bold</b>, an <i>“italic”</i> one, <s>gone</s>; be<b>low</b>and <b><i>both</i> of it</b>.</p>",
        '<p><b>First</b><b>second</b> <i> with blanks </i>and <b><a href="https://pelda.example/x">a link</a></b> <b>***</b></p>',
        '<pre class="language-c++">a = 1;\n```</pre>',
        '<figure><img src="/boat.jpg" alt="A [boat]"><figcaption>On the river.</figcaption></figure>',
    )
    portal = publish(article(1, *blocks))
    html = rendered(export, portal)
    assert "<p>A <strong>bold</strong>, an “<em>italic</em>” one, <s>gone</s>; be<strong>low</strong>and" in html
    assert "and <em>both</em> of it.</p>" in html, "of two, one in the other, the inner one"
    assert "with blanks" in html and "a link" in html and "On the river" not in html
    assert '<pre><code class="language-c++">a = 1;\n```\n</code></pre>' in html
    shown = unescape(re.sub("<[^>]*>", "", html))
    assert shown[shown.index("First") : shown.index("a = 1")].split() == ["Firstsecond", "with", "blanks", "and", "a", "link", "***"]
    pictured = rendered(export, portal, "--with", "images,links")
    assert '<img src="https://pelda.example/boat.jpg" alt="A [boat]" />' in pictured and "<p>On the river.</p>" in pictured
    assert '<a href="https://pelda.example/x">a link</a>' in pictured


@given(
    st.lists(st.tuples(st.sampled_from(("b", "i", "s", "span")), st.text("ab .,*_\\“é1", min_size=1, max_size=5)), min_size=1, max_size=6)
)
@settings(max_examples=60, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
def test_emphasis_never_shows_its_signs(parts: list[tuple[str, str]]) -> None:
    html = "<article><h1>A bridge</h1>" + "<p>Every sentence of a long article.</p>" * 20
    html += f"<p>x {''.join(f'<{tag}>{escape(text)}</{tag}>' for tag, text in parts)} y</p></article>"
    read = extract(html, "https://pelda.example/2024/05/01/bridge")
    shown = unescape(re.sub("<[^>]*>", "", READER.render(read.markdown())))
    assert " ".join(read.text.split()) in " ".join(shown.split())


def test_the_data_of_an_article_stand_before_it_where_somebody_asks_for_them(publish: Publish, export: Any) -> None:
    text = export(publish(article(1, "Text.", title='1: "Bridge"', author="Ada")), "markdown", "a.md", "--front-matter").text
    _, data, body = text.split("---\n", 2)
    told = yaml.safe_load(data)
    assert (told["title"], told["authors"], told["date"].isoformat()) == ('1: "Bridge"', ["Ada"], "2024-05-01")
    assert body.startswith("\n# 1: ")


def test_an_article_begins_with_its_headline_and_a_rule_parts_two(publish: Publish, export: Any) -> None:
    one = article(1, "Text.", title="1. *Bridge*", author="Ada", posts=(post("Nonsense!", who="Bob", when="2024-05-02T10:00:00Z"),))
    html = rendered(export, publish(one, article(2, "More.", date="2024-06-01")), "--with", "comments")
    assert html.splitlines()[:3] == [
        "<h1>1. *Bridge*</h1>",
        '<p>Ada · 2024-05-01 · <a href="https://pelda.example/1">pelda</a></p>',
        "<p>Text.</p>",
    ]
    assert html.splitlines()[3].startswith("<p><strong>Bob, 2024-05-02")
    assert html.count("<hr />") == 1


def test_a_mark_before_a_link_makes_no_picture_of_it(publish: Publish, export: Any) -> None:
    page = article(1, '<p>Wow!<a href="https://tracker.example/p.png">here</a>, so!<a href="https://tracker.example/q.png">there</a></p>')
    text = export(publish(page), "markdown", "a.md", "--with", "links").text
    assert "<img" not in READER.render(text)
    assert text.count("](<https://tracker.example/") == 2
