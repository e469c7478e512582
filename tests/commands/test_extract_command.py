"""`curator extract`: the texts of single pages, from files, folders, a list, or a site."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from arc_files import arc_file, arc_record
from lxml import etree
from scripted_portal import Reply, ScriptedPortal
from warc_records import write_warc

import webarticlecurator

pytestmark = pytest.mark.usefixtures("at_once")
URL = "https://pelda.example/c/{}"
FEED = "<rss version='2.0'><channel><item><link>{home}/c/5</link></item></channel></rss>"
SITEMAP = (
    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{home}/c/1</loc></url><url><loc>{home}/c/2</loc></url></urlset>"
)
INDEX = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{home}/one.xml</loc></sitemap></sitemapindex>"


@pytest.fixture
def pages(article_page: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two articles, one of them in a folder below, and a page without text."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "pages"
    (folder / "more").mkdir(parents=True)
    (folder / "none").mkdir()
    for number, path in ((1, folder / "1.html"), (2, folder / "more" / "2.htm")):
        told = f"<link rel=canonical href={URL.format(number)}>"
        path.write_text(article_page(f"A bridge of the year {number}", head=told), encoding="utf-8")
    (folder / "empty.html").write_text("<title>Not much here</title>", encoding="utf-8")
    (folder / "notes.txt").write_text("no page", encoding="utf-8")
    return folder


def typed(content: bytes) -> io.TextIOWrapper:
    """What comes from stdin."""
    return io.TextIOWrapper(io.BytesIO(content))


def test_the_text_of_a_file_goes_to_stdout_with_its_headline(curator: Any, pages: Path) -> None:
    ended = curator("extract", pages / "1.html")
    assert (ended.code, ended.err.count("Next: ")) == (0, 1)
    assert ended.out.startswith("A bridge of the year 1\nThe council met on Tuesday")


def test_packed_pages_are_read_as_well(curator: Any, pages: Path) -> None:
    plain = curator("extract", pages, "--to", "csv").out
    for path in (pages / "1.html", pages / "more" / "2.htm"):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert curator("extract", pages, "--to", "csv").out == plain


def test_a_folder_and_a_list_give_what_python_gives_and_what_is_no_article_is_told(curator: Any, pages: Path, monkeypatch: Any) -> None:
    ended = curator("extract", pages, "--to", "record")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.code == 1
    assert f"{pages}/empty.html: empty: " in ended.err and "2 articles of 3 pages" in ended.err
    assert [line["outcome"] for line in lines] == ["article", "empty", "article"]
    for line, file in ((lines[0], pages / "1.html"), (lines[2], pages / "more" / "2.htm")):
        read = webarticlecurator.extract(file.read_bytes(), line["url"])
        assert (line["text"], line["metadata"]["headline"][0]["value"]) == (read.text, read.title)
    assert [lines[0]["url"], lines[2]["url"]] == [URL.format(1), URL.format(2)]
    monkeypatch.setattr("sys.stdin", typed(b"pages/1.html\n\npages/more\n"))
    listed = curator("extract", "-", "--to", "record", "--jobs", 1)
    assert (listed.code, listed.out.splitlines()) == (0, [line for line in ended.out.splitlines() if '"empty"' not in line])


def tei_of(document: str) -> Callable[[str], list[str]]:
    tree = etree.fromstring(document.encode())
    return lambda path: [str(value) for value in tree.xpath(path, namespaces={"t": "http://www.tei-c.org/ns/1.0"})]


def test_a_document_says_what_it_was_read_from(curator: Any, pages: Path) -> None:
    page = (pages / "1.html").read_bytes()
    said = tei_of(curator("extract", "pages/1.html", "--to", "tei").out)
    place = "//t:relatedItem[@type='capture']/t:bibl"
    assert said(f"{place}/t:idno/text()") == [URL.format(1), f"sha256:{hashlib.sha256(page).hexdigest()}", "1.html"]
    assert said(f"{place}/t:date/@when")[0].endswith("Z") and said("//t:projectDesc/t:p/text()") == ["One page, read from 1.html."]
    assert said("//t:schemaRef/@url")[0].startswith("https://www.tei-c.org/")


def test_a_document_names_rules_only_where_there_were_some(curator: Any, pages: Path) -> None:
    without = tei_of(curator("extract", "pages/1.html", "--to", "tei").out)
    assert without("//t:application/@ident") == ["webarticlecurator"]
    assert "general reader" in without("//t:samplingDecl/t:p/text()")[0]
    Path("rules.yaml").write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    by_rules = tei_of(curator("extract", "pages/1.html", "--to", "tei", "--portal", "rules.yaml").out)
    assert by_rules("//t:application/@ident") == ["webarticlecurator", "rules"]
    assert "the rules for pelda" in by_rules("//t:samplingDecl/t:p/text()")[0]


def test_a_document_of_a_page_of_no_portal_says_what_the_page_is_part_of_and_how_much_it_shows(
    curator: Any, article_page: Callable[..., str], pages: Path
) -> None:
    owner = "<meta name=dc.publisher content='A Company'>"
    data = json.dumps({"@type": "NewsArticle", "headline": "A bridge of the year 1", "isAccessibleForFree": False})
    limited = f"<script type='application/ld+json'>{data}</script>"
    heads = {"": "", "<meta property=og:site_name content='A Forum'>": "A Forum", limited: "A Company"}
    for head, title in heads.items():
        told = f"<link rel=canonical href={URL.format(1)}>{owner if head else ''}{head}"
        (pages / "1.html").write_text(article_page("A bridge of the year 1", head=told), encoding="utf-8")
        said = tei_of(curator("extract", "pages/1.html", "--to", "tei").out)
        assert said("//t:monogr/t:title/text()") == list(filter(None, [title]))
        (sampling,) = said("//t:samplingDecl/t:p/text()")
        assert sampling.startswith("What the page shows" if head == limited else "The whole article.")


def test_a_page_without_an_address_has_none_and_a_host_is_no_title(curator: Any, article_page: Callable[..., str], pages: Path) -> None:
    (pages / "alone.html").write_text(article_page("A bridge of no address"), encoding="utf-8")
    alone = curator("extract", "pages/alone.html", "--to", "tei").out
    assert "page.example" not in alone
    assert tei_of(alone)("//t:analytic/t:idno/text()")[0].startswith("urn:sha256:")
    for document in (alone, curator("extract", "pages/1.html", "--to", "tei").out):
        assert "pelda.example" not in tei_of(document)("//t:monogr/t:title/text()")


def test_each_format(curator: Any, pages: Path) -> None:
    one, both = pages / "1.html", (pages / "1.html", pages / "more")
    assert curator("extract", one, "--to", "markdown").out.startswith("# A bridge of the year 1\n\n2024-05-01 · [pelda.example](<https://")
    assert "<text" in (document := curator("extract", one, "--to", "tei").out) and "A bridge of the year 1" in document
    rows = list(csv.DictReader(io.StringIO(curator("extract", *both, "--to", "csv").out)))
    assert [(row["url"], row["headline"]) for row in rows] == [(URL.format(n), f"A bridge of the year {n}") for n in (1, 2)]
    assert curator("extract", *both).out.count("\n\n") == 1
    assert curator("extract", *both, "--to", "markdown", "-o", "all.md").out == ""
    assert Path("all.md").read_text("utf-8").count("\n---\n") == 1
    assert curator("extract", *both, "--to", "tei", "-o", "tei/").code == 0
    assert sorted(path.name for path in Path("tei").iterdir()) == ["1.xml", "2.xml"]


def test_a_page_comes_from_stdin_whatever_it_is_packed_in(curator: Any, pages: Path, monkeypatch: Any) -> None:
    content = (pages / "1.html").read_bytes()
    told = curator("extract", pages / "1.html").out
    for given in (content, b"\xef\xbb\xbf\n" + content, gzip.compress(content)):
        monkeypatch.setattr("sys.stdin", typed(given))
        ended = curator("extract", "-")
        assert (ended.code, ended.out) == (0, told)


WARC_PAGES = {
    URL.format(1): "A bridge of the year 1",
    URL.format(2): "A bridge of the year 2",
    "https://pelda.example/other/3": "A bridge elsewhere",
}


@pytest.fixture
def warc(article_page: Callable[..., str], tmp_path: Path) -> Path:
    """A WARC file of another program with three articles, a picture, and an answer that is an error."""
    path = tmp_path / "stored.warc.gz"
    write_warc(path, {url: article_page(headline) for url, headline in WARC_PAGES.items()})
    write_warc(path, {"https://pelda.example/a.png": b"\x89PNG"}, kind="image/png", more=True)
    write_warc(path, {URL.format(9): article_page("An error")}, status="500 Oh", more=True)
    return path


def wacz_of(warc: Path) -> Path:
    path = warc.with_name("stored.wacz")
    with ZipFile(path, "w") as wacz:
        wacz.write(warc, f"archive/{warc.name}")
        wacz.writestr("datapackage.json", "{}")
    return path


def told_of(ended: Any) -> dict[str, str]:
    lines = map(json.loads, ended.out.splitlines())
    return {line["url"]: line["metadata"]["headline"][0]["value"] for line in lines if line["outcome"] == "article"}


def test_pages_are_read_out_of_warc_files_however_they_are_given(curator: Any, pages: Path, warc: Path, monkeypatch: Any) -> None:
    folder = warc.parent / "folder"
    folder.mkdir()
    (folder / warc.name).write_bytes(warc.read_bytes())
    (folder / "1.html").write_bytes((pages / "1.html").read_bytes())
    unnamed = warc.with_name("download")
    unnamed.write_bytes(warc.read_bytes())
    plain = warc.with_name("plain.warc")
    plain.write_bytes(gzip.decompress(warc.read_bytes()))
    for given in (warc, unnamed, plain, wacz_of(warc)):
        ended = curator("extract", given, "--to", "record")
        assert (ended.code, told_of(ended)) == (0, WARC_PAGES), ended.err
        assert "3 articles of 3 pages" in ended.err
    assert len(curator("extract", folder, "--to", "record").out.splitlines()) == 4
    monkeypatch.setattr("sys.stdin", typed(warc.read_bytes()))
    assert told_of(curator("extract", "-", "--to", "record", "--jobs", 1)) == WARC_PAGES


def test_pages_of_an_arc_file_are_read(curator: Any, article_page: Callable[..., str], tmp_path: Path) -> None:
    page = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + article_page("A bridge").encode()
    (tmp_path / "old.arc.gz").write_bytes(arc_file([arc_record(URL.format(1), page)], packed="members"))
    ended = curator("extract", tmp_path / "old.arc.gz", "--to", "record")
    assert (ended.code, told_of(ended)) == (0, {URL.format(1): "A bridge"})


def test_only_pages_whose_address_is_meant_are_read(curator: Any, warc: Path) -> None:
    ended = curator("extract", warc, "--to", "record", "--match", "/c/[12]$")
    assert (ended.code, list(told_of(ended))) == (0, [URL.format(1), URL.format(2)])
    assert curator("extract", warc, "--match", "(").code == 2


def test_a_document_of_a_stored_page_names_its_record_and_its_day(curator: Any, warc: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(warc.parent)
    assert curator("extract", warc, "--to", "tei", "-o", "tei/").code == 0
    (path,) = Path("tei").glob("3.xml")
    tree = tei_of(path.read_text(encoding="utf-8"))
    assert "stored.warc.gz" in str(tree("//t:sourceDesc//text()")) and tree("//t:date/@when[starts-with(., '2024-06-01')]")


def test_a_damaged_warc_file_gives_what_is_whole_and_is_told(curator: Any, warc: Path) -> None:
    content = bytearray(warc.read_bytes())
    content[len(content) // 8] ^= 0xFF
    warc.write_bytes(content)
    ended = curator("extract", warc, "--to", "record")
    assert (ended.code, str(warc) in ended.err) == (1, True)
    assert "https://pelda.example/other/3" in told_of(ended)


def test_a_wacz_that_is_none_ends_nothing_but_itself(curator: Any, pages: Path, warc: Path) -> None:
    packed = wacz_of(warc)
    whole = packed.read_bytes()
    cut, torn = packed.with_name("cut.wacz"), packed.with_name("torn.wacz")
    cut.write_bytes(whole[:200])
    middle = whole.index(b"archive/") + 60
    torn.write_bytes(whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :])
    ended = curator("extract", cut, torn, pages / "1.html", "--to", "record", "--jobs", 1)
    assert ended.code == 1 and "no WACZ" in ended.err and "torn.wacz" in ended.err
    assert "A bridge of the year 1" in ended.out


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.pdf", b"%PDF-1.4\n<x:xmpmeta>a</x:xmpmeta>", "application/pdf is no page"),
        ("a.png", b"\x89PNG\r\n\x1a\n<a", "image/png is no page"),
        ("a.csv", b"a,b,c\n1,2,3\n", "text without any tag of HTML is no page"),
        ("a.bin", b"\x00\x01\x02" * 90, "binary data is no page"),
    ],
)
def test_what_is_no_page_is_called_by_what_it_is(curator: Any, pages: Path, name: str, content: bytes, told: str) -> None:
    (pages / name).write_bytes(content)
    ended = curator("extract", pages / name)
    assert (ended.code, ended.out, told in ended.err) == (1, "", True)


def test_a_page_that_is_no_article_gives_its_text_and_it_is_said_what_it_is(curator: Any, tmp_path: Path) -> None:
    walled = tmp_path / "walled.html"
    gate = "<div class=paywall>Subscribe to go on reading!</div>"
    walled.write_text(f"<article><h1>A bridge</h1><p>The council met on Tuesday, and talked for hours.</p>{gate}</article>")
    ended = curator("extract", walled)
    assert (ended.code, "The council met on Tuesday" in ended.out) == (0, True), ended
    assert "walled.html: paywall: " in ended.err
    left_out = curator("extract", walled, "--only-articles")
    assert (left_out.code, left_out.out) == (1, "")


@pytest.mark.parametrize(
    ("words", "noun"),
    [
        ("", "Which pages"),
        ("nincs.html", "nincs.html"),
        ("pages/none", "no page in this folder"),
        ("pages --to tei", "name a folder"),
        ("pages --to csv -o x/", "one file"),
        ("pages --to pdf", "pdf"),
        ("pages --portal nincs.yaml", "nincs.yaml"),
    ],
)
def test_what_cannot_be_is_refused(words: str, noun: str, curator: Any, pages: Path) -> None:
    ended = curator("extract", *words.split())
    assert (ended.code, noun in ended.err, ended.out) == (2, True, "")


def test_a_site_is_asked_as_its_robots_txt_wants_and_by_somebody(
    curator: Any, site: ScriptedPortal, article_page: Any, tmp_path: Path
) -> None:
    site.script["/robots.txt"] = Reply("User-agent: *\nDisallow: /secret\n", kind="text/plain")
    site.script |= {"/c/1": article_page("A bridge"), "/c/2": Reply("gone", 404)}
    ended = curator("extract", *(f"{site.home}{path}" for path in ("/c/1", "/c/2", "/secret/3")), "--to", "record")
    assert ended.code == 1
    (line,) = map(json.loads, ended.out.splitlines())
    assert (line["url"], line["metadata"]["headline"][0]["value"]) == (f"{site.home}/c/1", "A bridge")
    assert "/c/2: gone: " in ended.err and "/secret/3: robots: " in ended.err
    assert "/secret/3" not in site.asked
    assert "curator extract --contact" in curator("extract", "https://pelda.example/c/1").err


def test_a_portal_file_says_how_its_pages_are_read(curator: Any, pages: Path) -> None:
    (pages.parent / "portal.yaml").write_text("portal: pelda\nhome: https://pelda.example/\nmetadata: {headline: {const: By rule}}\n")
    assert curator("extract", pages / "1.html", "--portal", "portal.yaml").out.startswith("By rule\n")


def test_addresses_that_sitemaps_feeds_and_the_home_page_name_are_listed_once(curator: Any, site: ScriptedPortal) -> None:
    feed = "<link rel=alternate type=application/rss+xml href=/feed>"
    link = "<a href=/c/7>A bridge that is as long as a headline</a>"
    site.script |= {
        "/": f"<html><head>{feed}</head><body><h1>News</h1>{link}<a href=/c/1>A bridge that is in the sitemap, too</a></body></html>",
        "/robots.txt": Reply(f"User-agent: *\nSitemap: {site.home}/index.xml\n", kind="text/plain"),
        "/index.xml": Reply(INDEX.format(home=site.home), kind="application/xml"),
        "/one.xml": Reply(SITEMAP.format(home=site.home), kind="application/xml"),
        "/feed": Reply(FEED.format(home=site.home), kind="application/rss+xml"),
    }
    ended = curator("extract", "--urls", f"{site.home}/")
    assert (ended.code, sorted(ended.out.split())) == (0, [f"{site.home}/c/{number}" for number in (1, 2, 5, 7)])
    into_file = curator("extract", "--urls", f"{site.home}/", "-o", "all.txt")
    assert (into_file.code, into_file.out) == (2, "")
    assert "write > all.txt behind the command" in into_file.err


# --- forms and wishes ---


def sentence(noun: str) -> str:
    return "".join(f"<p>The {noun} of the town spoke about the bridge for an hour on day {number}.</p>" for number in range(12))


PARTS_OF_PAGE = (
    '<p>See <a href="https://pelda.example/x">the plan</a> of the <b>bridge</b>.</p>'
    "<figure><img src=https://pelda.example/boat.jpg alt='A boat'><figcaption>On the river.</figcaption></figure>"
    "<table><tr><td>cost</td><td>12</td></tr><tr><td>time</td><td>3</td></tr></table><pre><code class=language-python>x = 1</code></pre>"
)


@pytest.fixture
def several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with parts, its copy, one in German, one without a date."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "several"
    folder.mkdir()
    dated = "<meta property=article:published_time content=2024-05-01T10:00:00+02:00><meta name=author content='Ada Byron'>"
    german = "".join(f"<p>Der Rat der Stadt hat am Dienstag über die Brücke und das Geld gesprochen, zum {n}. Mal.</p>" for n in range(12))
    bodies = {
        "a": ("en", dated, sentence("council") + PARTS_OF_PAGE),
        "b": ("en", dated, sentence("council") + PARTS_OF_PAGE),
        "c": ("de", dated, german),
        "d": ("en", "", sentence("mayor")),
    }
    for name, (language, head, body) in bodies.items():
        told = f"<title>Bridge {name}</title><link rel=canonical href=https://pelda.example/{name}>{head}"
        page = f"<html lang={language}><head>{told}</head><body><article><h1>Bridge {name}</h1>{body}</article></body></html>"
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


def titles(ended: Any) -> list[str]:
    return [json.loads(line)["title"] for line in ended.out.splitlines()]


@pytest.mark.parametrize(
    ("wish", "given", "told"),
    [
        (("--language", "de,fr"), ["Bridge c"], "3 by --language"),
        (("--with-metadata",), ["Bridge a", "Bridge b", "Bridge c"], "1 by --with-metadata"),
        (("--dedup",), ["Bridge a", "Bridge c", "Bridge d"], "1 by --dedup"),
        (("--language", "fr"), [], "4 by --language"),
    ],
)
def test_only_what_is_wished_for_is_given_and_the_rest_is_counted(
    curator: Any, several: Path, wish: tuple[str, ...], given: list[str], told: str
) -> None:
    ended = curator("extract", several, "--to", "jsonl", *wish)
    assert (titles(ended), ended.code) == (given, 0 if given else 1)
    assert told in ended.err


@pytest.mark.parametrize("wish", [("--language", "en"), ("--with-metadata",)])
def test_a_page_without_text_is_told_whatever_is_wished_for(curator: Any, several: Path, wish: tuple[str, ...]) -> None:
    (several / "empty.html").write_text("<title>Not much here</title>", encoding="utf-8")
    ended = curator("extract", several / "a.html", several / "empty.html", *wish)
    assert ended.code == 1
    assert "empty.html: empty" in ended.err and "by --" not in ended.err


def test_every_form_that_is_named_is_there(curator: Any, several: Path) -> None:
    named = curator("extract", several / "a.html", "--to", "pdf").err.split("There are ")[1].split(".")[0].split(", ")
    assert len(named) == 7
    assert [form for form in named if curator("extract", several / "a.html", "--to", form).code] == []


def test_a_line_is_flat_and_has_the_names_of_python(curator: Any, several: Path) -> None:
    line = json.loads(curator("extract", several / "a.html", "--to", "jsonl").out)
    article = webarticlecurator.extract((several / "a.html").read_bytes(), "https://pelda.example/a")
    flat = article.flat()
    assert (line["title"], line["authors"], line["date"]) == ("Bridge a", ["Ada Byron"], "2024-05-01")
    assert line["published"] == article.date and line["outcome"] == "article" and line["captured"].endswith("Z")
    alike = ("id", "url", "title", "authors", "published", "language", "section", "keywords", "text")
    assert {name: flat[name] for name in alike} == {name: line[name] for name in alike}
    assert list(flat) == list(line)
    assert flat["date"].isoformat() == line["date"]


def test_parts_are_shown_or_left_out(curator: Any, several: Path) -> None:
    def markdown(*flags: str) -> str:
        return str(curator("extract", several / "a.html", "--to", "markdown", *flags).out)

    usual = markdown()
    assert "See the plan of the **bridge**" in usual and "| cost | 12 |" in usual and "```python\nx = 1\n```" in usual
    assert "boat" not in usual and "On the river" not in usual
    assert "[the plan](<https://pelda.example/x>)" in markdown("--links")
    assert "![A boat](<https://pelda.example/boat.jpg>)\n\nOn the river." in markdown("--images")
    assert "cost" not in markdown("--no-tables") and "cost" not in curator("extract", several / "a.html", "--no-tables").out
    assert markdown("--front-matter").startswith("---\nid: ")
    assert markdown("--no-comments") == usual


def test_comments_are_given_where_somebody_asks_for_them(curator: Any, several: Path) -> None:
    (several / "rules.yaml").write_text(
        "portal: pelda\nhome: https://pelda.example/\nposts: {comments: {item: .said, author: .who, text: p}}\n",
        encoding="utf-8",
    )
    path = several / "d.html"
    said = "<div class=said><b class=who>Bob</b><p>I do not believe a word of it.</p></div>"
    path.write_text(path.read_text("utf-8").replace("</article>", f"</article>{said}"), encoding="utf-8")
    by_rules = ("extract", path, "--portal", several / "rules.yaml")
    assert "not believe" not in curator(*by_rules).out
    for form in ("text", "markdown", "html"):
        assert "not believe" in curator(*by_rules, "--comments", "--to", form).out, form


def test_html_is_the_article_alone(curator: Any, several: Path) -> None:
    page = curator("extract", several / "a.html", "--to", "html", "--links", "--images").out
    tree = etree.fromstring(page, etree.HTMLParser())
    assert tree.xpath("string(//article/h1)") == "Bridge a"
    assert tree.xpath("//article//a/@href") == ["https://pelda.example/a", "https://pelda.example/x"]
    assert tree.xpath("//article//img/@src") == ["https://pelda.example/boat.jpg"]
    assert tree.xpath("string(//figcaption)") == "On the river."
    assert [row.xpath("string()") for row in tree.xpath("//table/tr")] == ["\ncost\n12\n", "\ntime\n3\n"]
    assert tree.xpath("string(//pre/code[@class='language-python'])") == "x = 1"
    assert not tree.xpath("//script | //style | //link")
    assert "name a folder" in curator("extract", several, "--to", "html").err
    assert curator("extract", several, "--to", "html", "-o", "html/").code == 0
    assert sorted(path.name for path in Path("html").iterdir()) == ["a.html", "b.html", "c.html", "d.html"]


def test_an_article_of_python_gives_each_form(curator: Any, several: Path) -> None:
    path = several / "a.html"
    article = webarticlecurator.extract(path.read_bytes(), "https://pelda.example/a")
    assert article.markdown() == curator("extract", path, "--to", "markdown").out
    assert article.html() == curator("extract", path, "--to", "html").out
    assert b"<title" in article.tei() and etree.fromstring(article.tei()).tag.endswith("TEI")


def test_many_pages_give_articles_in_their_order(several: Path, warc: Path) -> None:
    pairs = [(path.read_bytes(), f"https://pelda.example/{path.stem}") for path in sorted(several.iterdir())]
    given = webarticlecurator.extract_many(iter(pairs * 20), jobs=2)
    assert [article.title for article in given] == [f"Bridge {name}" for name in "abcd"] * 20
    captures = webarticlecurator.extract_many(webarticlecurator.iter_warc(warc))
    assert [article.title for article in captures if article.outcome == "article"][:3] == list(WARC_PAGES.values())
    with pytest.raises(webarticlecurator.UsageError, match="pairs of a page and its address"):
        list(webarticlecurator.extract_many(["<p>text</p>"]))  # type: ignore[list-item]
