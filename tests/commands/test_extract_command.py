"""`curator extract`: the texts of single pages, from files, folders, a list, or a site."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from threading import Event
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
    assert (ended.code, ended.err) == (0, "")
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
    (path,) = Path("tei").glob("pelda.example_other_3.xml")
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
        ("a.csv", b"a,b,c\n1,2,3\n", "text without any tag of HTML is no page; a list of addresses"),
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
        ("", "curator extract - < page.html"),
        ("pages/1.html pages/more --to tei -o md", "name a folder with -o, such as -o md/"),
        ("pages --to markdown -o md", "-o md/ is a folder with a file a page, -o md.md one file of all"),
        ("pages --to text -o pages/1.html/", "is a file, and no folder"),
        ("pages --to pdf", "pdf"),
        ("pages --to json", "Did you mean jsonl?"),
        ("pages --to xml", "Did you mean tei?"),
        ("pages --to xmltei", "Did you mean tei?"),
        ("pages --to txt", "Did you mean text?"),
        ("pages --to md", "Did you mean markdown?"),
        ("pages --language german", "german is de"),
        ("pages --language klingonese", "write tags such as de"),
        ("pages --precision", "one way"),
        ("pages --recall", "docs/reference/python.md"),
        ("pages --links", "It is for markdown, html"),
        ("pages --to tei --no-tables", "does nothing for --to tei"),
        ("pages --to record --no-comments", "does nothing for --to record"),
        ("pages --to html --front-matter", "It is for markdown"),
        ("ftp://pelda.example/a.html", "http://, https:// and s3://"),
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
    some = curator("extract", "--urls", f"{site.home}/", "--match", "/c/[15]$")
    assert (some.code, sorted(some.out.split())) == (0, [f"{site.home}/c/{number}" for number in (1, 5)])
    for place, numbers in (("/index.xml", (1, 2)), ("/one.xml", (1, 2)), ("/feed", (5,))):
        listed = curator("extract", "--urls", f"{site.home}{place}")
        assert (listed.code, listed.out.split()) == (0, [f"{site.home}/c/{number}" for number in numbers]), place
    for flags in ("--to jsonl", "--language de", "--with-metadata", "--only-articles", "--dedup", "--links", "--no-tables", "page.html"):
        refused = curator("extract", "--urls", f"{site.home}/", *flags.split())
        assert (refused.code, refused.out, flags.split()[0] in refused.err, refused.err.count("\n")) == (2, "", True, 1)
    into_file = curator("extract", "--urls", f"{site.home}/", "-o", "all.txt")
    assert (into_file.code, into_file.out) == (2, "")
    assert "write > all.txt behind the command" in into_file.err


def test_no_page_of_a_folder_is_lost_in_silence(curator: Any, pages: Path) -> None:
    page = (pages / "1.html").read_bytes()
    for name, content in (("index.html?p=5", page), ("a-slug", b"\xef\xbb\xbf" + page), ("packed", gzip.compress(page))):
        (pages / "more" / name).write_bytes(content)
    for name in ("a.css", "b.js", "c.json"):
        (pages / name).write_text("var page = '<html>'", encoding="utf-8")
    ended = curator("extract", pages, "--to", "text", "-o", "texts/")
    names = sorted(path.relative_to("texts").as_posix() for path in Path("texts").rglob("*.txt"))
    assert names == ["1.txt", "more/2.txt", "more/a-slug.txt", "more/index.html?p=5.txt", "more/packed.txt"]
    assert "4 files passed over: a.css, b.js, c.json, ...\n" in ended.err and "5 articles of 6 pages" in ended.err


def test_files_of_addresses_are_named_after_them(
    curator: Any, site: ScriptedPortal, article_page: Any, warc: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(warc.parent)
    paths = ("/a/index.html", "/b/index.html", "/a/x.php?id=5", "/" + "long-" * 60)
    site.script |= {path: article_page("A bridge") for path in paths}
    curator("extract", *(f"{site.home}{path}" for path in paths), "-o", "texts/")
    names = sorted(path.name.split("_", 2)[2] for path in Path("texts").iterdir())
    assert names[:3] == ["a_index.txt", "a_x.php_id=5.txt", "b_index.txt"] and len(names) == 4 and len(names[3]) < 170


def test_files_of_one_name_in_several_folders_are_told_apart(curator: Any, pages: Path) -> None:
    (pages / "more" / "1.html").write_bytes((pages / "1.html").read_bytes())
    curator("extract", "pages/1.html", "pages/more/1.html", "-o", "texts/")
    assert sorted(path.name for path in Path("texts").iterdir()) == ["1.txt", "pages_more_1.txt"]


LIST = """
# what was read in May
{home}/c/1
nincs.html

{home}/c/2
{home}/c/1
pages/1.html
ftp://pelda.example/a
"""


def test_a_bad_line_of_a_list_is_told_and_the_rest_is_read(
    curator: Any, site: ScriptedPortal, article_page: Any, pages: Path, monkeypatch: Any
) -> None:
    site.script |= {"/c/1": article_page("A bridge"), "/c/2": article_page("A bridge, too")}
    monkeypatch.setattr("sys.stdin", typed(LIST.format(home=site.home).encode()))
    ended = curator("extract", "-", "--to", "record")
    assert (ended.code, len(told_of(ended))) == (1, 3), ended.err
    assert "line 4: nincs.html: " in ended.err and "line 9: ftp://pelda.example/a: " in ended.err
    assert "named again: 1 page\n" in ended.err and "3 articles of 5 pages" in ended.err
    assert site.asked.count("/c/1") == 1
    monkeypatch.setattr("sys.stdin", typed(b"\n# nothing\n"))
    nothing = curator("extract", "-")
    assert (nothing.code, "Nothing came from stdin" in nothing.err) == (2, True)


def test_after_ctrl_c_it_is_told_how_many_pages_were_not_read(curator: Any, site: ScriptedPortal, article_page: Any) -> None:
    def interrupting(_: str) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return str(article_page("A bridge"))

    site.script |= {"/c/1": article_page("A bridge"), "/c/2": interrupting}
    ended = curator("extract", *(f"{site.home}/c/{number}" for number in range(1, 8)))
    assert (ended.code, "5 pages not read" in ended.err) == (4, True)


def test_a_slow_host_does_not_hold_up_others(curator: Any, site: ScriptedPortal, article_page: Any) -> None:
    others_are_read = Event()
    waited: list[bool] = []

    def slow(_: str) -> str:
        waited.append(others_are_read.wait(20))
        return str(article_page("A slow bridge"))

    def last(_: str) -> str:
        others_are_read.set()
        return str(article_page("A bridge, too"))

    site.script |= {"/slow": slow, "/c/1": article_page("A bridge"), "/c/2": last}
    other = site.home.replace("127.0.0.1", "localhost")
    ended = curator("extract", f"{site.home}/slow", f"{other}/c/1", f"{other}/c/2", "--to", "record")
    assert ended.code == 0
    assert waited == [True], "the other host was asked for both pages meanwhile"
    assert {title.split("/", 3)[3] for title in told_of(ended)} == {"c/1", "c/2", "slow"}


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
        (("--language", "fr, DE"), ["Bridge c"], "3 by --language"),
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


@pytest.mark.parametrize("form", ["text", "markdown", "html", "jsonl", "csv"])
def test_tables_are_left_out_of_every_form_that_takes_the_wish(curator: Any, several: Path, form: str) -> None:
    usual, without = (curator("extract", several / "a.html", "--to", form, *flags).out for flags in ((), ("--no-tables",)))
    assert "cost" in usual and "cost" not in without and "The council" in without


def table_page(folder: Path) -> Path:
    rows = (
        "<tr><th>year</th><th colspan=2>bridges and <i>boats</i></th></tr><tr><td rowspan=2>1990</td><td>3</td><td>4</td></tr>"
        "<tr><td>5</td><td><p>six</p><p>or 7</p></td></tr><tr><td></td><td>8 m<sup>2</sup> <ul><li>a</li></ul></td></tr>"
        "<tr><td>9 m<sup>2</sup> | 1</td></tr>"
    )
    body = f"{sentence('council')}<p>A river of H<sub>2</sub>O is 10<sup>3</sup> m long.</p><table>{rows}</table>"
    path = folder / "table.html"
    path.write_text(f"<html lang=en><head><title>Bridge</title></head><body><article><h1>Bridge</h1>{body}</article></body></html>")
    return path


def test_a_row_of_a_table_is_a_line_and_each_cell_stands_in_its_column(curator: Any, tmp_path: Path) -> None:
    path = table_page(tmp_path)
    rows = ["year\tbridges and boats", "1990\t3\t4", "\t5\tsix or 7", "\t8 m2 a", "9 m2 | 1"]
    assert curator("extract", path).out.splitlines()[-5:] == rows
    assert json.loads(curator("extract", path, "--to", "jsonl").out)["text"].splitlines()[-5:] == rows
    markdown = curator("extract", path, "--to", "markdown").out
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown.splitlines() if line.startswith("|")]
    assert [cells[0], *cells[2:4]] == [["year", "bridges and *boats*", ""], ["1990", "3", "4"], ["", "5", "six or 7"]]
    assert "|  | 8 m2 a |  |\n| 9 m<sup>2</sup> \\| 1 |  |  |" in markdown
    assert "H<sub>2</sub>O is 10<sup>3</sup> m" in markdown


def test_links_of_a_page_without_an_address_stay_as_they_stand_but_run_nothing(curator: Any, tmp_path: Path) -> None:
    links = "<a href=b.html>one</a> <a href='java&#9;script:x()'>two</a> <a href='data:text/html,x'>three</a> <a href=/c>four</a>"
    path = tmp_path / "alone.html"
    figure = "<figure><img src=pics/boat.jpg alt=Boat></figure>"
    path.write_text(f"<title>B</title><article><h1>Bridge</h1>{sentence('council')}<p>{links} of the bridge.</p>{figure}</article>")
    markdown = curator("extract", path, "--to", "markdown", "--links", "--images").out
    assert "[one](<b.html>) two three [four](</c>) of" in markdown and "![Boat](<pics/boat.jpg>)" in markdown
    page = etree.fromstring(curator("extract", path, "--to", "html", "--links", "--images").out, etree.HTMLParser())
    assert page.xpath("//a/@href | //img/@src") == ["b.html", "/c", "pics/boat.jpg"]


def test_a_next_step_is_named_only_after_a_page_of_a_site(curator: Any, site: ScriptedPortal, article_page: Any, pages: Path) -> None:
    site.script |= {"/c/1": article_page("A bridge"), "/c/9": Reply("gone", 404)}
    assert curator("extract", f"{site.home}/c/1").err.count("Next: ") == 1
    for given in (f"{site.home}/c/9", pages, pages / "1.html"):
        assert "Next: " not in curator("extract", given).err


def test_help_says_what_a_first_address_needs_and_where_people_from_elsewhere_look(curator: Any) -> None:
    told = curator("extract", "--help").out
    assert "CURATOR_CONTACT=" in told and "trafilatura" in told and "docs/reference/python.md" in told
    assert "--precision" not in told


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
    for flag in ("--links", "--images", "--no-tables", "--comments"):
        name = flag.removeprefix("--").removeprefix("no-")
        given: dict[str, Any] = {name: not flag.startswith("--no-")}
        assert article.markdown(**given) == curator("extract", path, "--to", "markdown", flag).out, flag
        assert article.html(**given) == curator("extract", path, "--to", "html", flag).out, flag
    assert article.markdown(front_matter=True).startswith("---\nid: ")
    assert "cost" in article.flat()["text"] and "cost" not in article.flat(tables=False)["text"]
    assert json.loads(json.dumps(article.flat(), default=str))["date"] == "2024-05-01"
    assert b"<title" in article.tei() and etree.fromstring(article.tei()).tag.endswith("TEI")


def test_many_pages_give_articles_in_their_order(several: Path, warc: Path) -> None:
    pairs = [(path.read_bytes(), f"https://pelda.example/{path.stem}") for path in sorted(several.iterdir())]
    given = webarticlecurator.extract_many(iter(pairs * 20), jobs=2)
    assert [article.title for article in given] == [f"Bridge {name}" for name in "abcd"] * 20
    captures = webarticlecurator.extract_many(webarticlecurator.iter_warc(warc))
    assert [article.title for article in captures if article.outcome == "article"][:3] == list(WARC_PAGES.values())


@pytest.mark.parametrize("form", ["/?p={}", "/hir.php?id={}", "/cikk/{}"])
def test_articles_whose_numbers_look_like_years_are_named_as_all_others(curator, site, form: str) -> None:
    places = [form.format(number) for number in range(1897, 1905)]
    links = "".join(f"<h2><a href='{place}'>The council talked about bridge {place}</a></h2>" for place in places)
    site.script["/"] = f"<main>{links}</main>"
    ended = curator("extract", "--urls", f"{site.home}/")
    assert ended.out.split() == [site.home + place for place in places]
