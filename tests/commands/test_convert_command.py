"""`curator convert`: what other programs are configured by becomes portal files, exactly or not at all; the rest is told, and counted."""

from __future__ import annotations

import json
import random
import runpy
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any

import pytest
import yaml
from case_files import FOLDER
from lxml import html
from seams import values_of

CASES = FOLDER / "portal_file" / "cases"
PAGE = (
    "<html><head><title>t0</title><meta name='author' content='m1'></head><body><div id='a' class='x y'><h2>t1</h2><p>t2</p>"
    "<p class='x'>t3 <a href='/1' rel='next'>t4</a></p><p class=' x\n'><b>t5</b></p></div><div class='y' id='b'><p id='c'>t6</p>"
    "<div class='x-y'><p data-k='1'>t7</p><p data-k='2'>t8<img src='/i'></p><ul><li>t9</li><li class='y x z'><a>u1</a></li><li>u2</li></ul>"
    "</div></div><div><h2 class='x'>u3</h2><span>u4</span><p>u5 <a href='/2' class='y'>u6</a></p></div></body></html>"
)
NAMES = ("p", "div", "a", "*", "li", "h2")
ASKED = (
    *("@id", "@class='x'", "@class!='x'", "contains(@class, 'x')", "starts-with(@id, 'a')", "a", ".//p", "a/@href", ".//a[@rel='next']"),
    *("contains(concat(' ', normalize-space(@class), ' '), ' x ')", "contains(concat(' ', @class, ' '), ' y ')", "contains(., 't4')"),
    *("following-sibling::p", "  .//a[1]/@href = '/1'  ", "contains(normalize-space(.), 't3 t4')"),
)
JOINED = ("{0}", "not({0})", "({0}) and not({1})", "{0} or {1}", "not({0} or {1})", "{0} and {1} or {2}", "({0} or {1}) and {2} or {0}")
NTH = ("1", "2", "last()")


def convert(curator: Callable[..., Any], *arguments: object) -> Any:
    return json.loads(curator("convert", *arguments, "--json").out)


def fivefilters(folder: Path) -> Path:
    """The invented configurations, a file each."""
    folder.mkdir()
    for config in (CASES / "fivefilters.txt").read_text(encoding="utf-8").split("=== ")[1:]:
        name, _, content = config.partition("\n")
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def rules(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- fivefilters ---


def test_of_41_site_configurations_all_is_said_or_told_and_every_file_passes_check(curator, desk: Path) -> None:
    made = convert(curator, fivefilters(desk / "ff"), "-o", "made")
    files = sorted(desk.glob("made/*/portal.yaml"))
    assert len(files) == len(made["portals"]) == 41
    assert made["failures"] == {}
    of_bodies = {"body.root": 21, "body.tags.decompose": 25, "body.tags.unwrap": 1, "body.tags.figure": 1}
    of_fields = {"metadata.headline": 6, "metadata.author": 5, "metadata.datePublished": 3}
    of_requests = {"articles.next": 3}
    assert made["said"] == of_bodies | of_fields | of_requests
    assert made["unsaid"] == {"by hand": 19, "needless": 11, "selector": 37, "secret": 10, "refused": 1, "unknown": 4}
    checked = curator("check", *files)
    assert (checked.code, checked.err.count("no mistakes")) == (0, 41)
    everything = "".join(path.read_text(encoding="utf-8") for path in desk.rglob("made/**/*") if path.is_file()) + json.dumps(made)
    assert "TITOK" not in everything
    for portal in made["portals"]:
        text = Path(portal["file"]).read_text(encoding="utf-8")
        assert all(f"# - {left['place']} " in text for left in portal["unsaid"])


def test_a_configuration_becomes_the_lines_that_a_person_would_write(curator, desk: Path) -> None:
    convert(curator, fivefilters(desk / "ff"), "-o", "made")
    alma, nyar = (rules(Path(f"made/{name}.example/portal.yaml")) for name in ("alma", "nyar"))
    assert alma == {
        "portal": "alma.example",
        "home": "https://alma.example/",
        "metadata": {
            "headline": 'h1[class="headline"]',
            "author": 'a[rel="author"]',
            "datePublished": {"css": "time", "attr": "datetime"},
        },
        "body": {"root": {"css": 'div[itemprop="articleBody"]', "take": "all"}},
    }
    assert nyar["articles"]["next"] == ['a:contains("Next")', {"css": 'link[rel="next"]', "attr": "href"}]


def test_what_is_said_of_an_xpath_finds_what_the_xpath_finds(curator) -> None:
    chance = random.Random(4)

    def step() -> str:
        condition = chance.choice(JOINED).format(*chance.choices(ASKED, k=3))
        nth = f"[{chance.choice(NTH)}]" if chance.random() < 0.25 else ""
        return f"{chance.choice(NAMES)}{nth}{f'[{condition}]' if chance.random() < 0.8 else ''}"

    def path() -> str:
        steps = "".join(f"{chance.choice(('//', '//', '/'))}{step()}" for _ in range(chance.choice((0, 0, 1))))
        return f"//{step()}{steps}{chance.choice(('',) * 6 + ('/following-sibling::p', '/descendant::*', '/@class'))}"

    xpaths = list(dict.fromkeys(path() for _ in range(400)))
    xpaths += [f"{path()} | {path()}" for _ in range(20)] + [
        "/html/body/div[2]/p",
        "//meta/@content",
        "(//h2 | //b)[1]",
        "(//p/@class)[last()]",
    ]
    for number, xpath in enumerate(xpaths):
        Path(f"n{number}.example.txt").write_text(f"author: {xpath}\n", encoding="utf-8")
    made = convert(curator, *(f"n{number}.example.txt" for number in range(len(xpaths))))
    tree, wrong, filled = html.fromstring(PAGE), list[Any](), 0
    for xpath, portal in zip(xpaths, made["portals"], strict=True):
        if portal["said"]:
            pick = rules(Path(portal["file"]))["metadata"]["author"]
            found = ("".join(node.itertext()) if hasattr(node, "itertext") else str(node) for node in tree.xpath(xpath))
            expected = list(dict.fromkeys(filter(None, ("".join(text.split()) for text in found))))
            given = ["".join(value.split()) for value in values_of(pick, PAGE, field="author")]
            wrong += [(xpath, pick, expected, given)] if given != expected else []
            filled += bool(expected)
    assert wrong == []
    said = sum(bool(portal["said"]) for portal in made["portals"])
    assert said > 300, said
    assert filled > 100, filled


# --- WebArticleCurator and HTML2TEI ---

MADE_OF_ELTE = """\
fetch: {verify_tls: false}
archive: {link: to-be-written, next: to-be-written}
columns:
  belfold:
    url: https://pelda.example/belfold/{year}/{month}/{day}?oldal={page}
    dates: {from: 2001-02-03, until: 2010-12-31, order: newest-first}
    pages: {mode: next-link, first: ""}
  nyitott:
    url: https://pelda.example/?tol={year}-{month}-{day}&ig={next_year}-{next_month}-{next_day}&x={{a}}
    dates: {from: 2001-02-03, order: newest-first}
    pages: next-link
  szamos:
    url: https://pelda.example/?oldal={page}
    pages: {mode: numbered, first: "", start: 1, last: 20}
    stop: {at_url: 'https://pelda.example/?oldal=21'}
  vegtelen: {url: "https://pelda.example/friss?oldal={page}", pages: {mode: infinite, start: 0}}
articles: {next: to-be-written, skip: {url: ['^https://pelda\\.example/bad\\?$']}}
body:
  root: ["div#content-main", article]
  tags:
    decompose: [div.hirdetes, 'section[class="a b"]', script, "div:is(.x, .y)", "a[name]"]
"""


def of_elte(folder: Path) -> list[Path]:
    """Site schema and module of one portal; the module is no module of the tests."""
    for name in ("pelda.yaml", "pelda_specific.py.txt"):
        (folder / name.removesuffix(".txt")).write_bytes((CASES / name).read_bytes())
    return sorted(folder.glob("pelda*"))


def test_schema_and_module_become_one_portal_file_and_functions_are_named(curator, desk: Path) -> None:
    made = convert(curator, *of_elte(desk), "-o", "pelda/portal.yaml")
    wanted = yaml.safe_load(f"portal: pelda\nhome: https://pelda.example/\n{MADE_OF_ELTE}")
    assert (rules(Path("pelda/portal.yaml")), Path("it-was-run").exists()) == (wanted, False)
    assert made["unsaid"] == {"function": 6, "by hand": 3, "needless": 5, "unknown": 1, "selector": 2}
    told = {(left["place"], left["written"].partition(":")[0], left["kind"]) for left in made["portals"][0]["unsaid"]}
    assert told >= {
        ("pelda.yaml:5", "extract_article_urls_from_page_fun", "function"),
        ("pelda_specific.py:16", "get_meta_from_articles_spec (url, datePublished, headline)", "function"),
        ("pelda_specific.py:8", "DECOMP", "selector"),
    }
    assert curator("check", "pelda/portal.yaml").code == 0


def test_a_crawl_configuration_is_read_and_a_tag_table_is_for_another_command(curator, desk: Path) -> None:
    Path("pelda_specific.py").write_text("PORTAL_URL_PREFIX = 'https://pelda.example'\n", encoding="utf-8")
    Path("pelda_crawl.yaml").write_text("schema: pelda.yaml\noutput_corpus: x\ndate_from: 2020-01-01\n", encoding="utf-8")
    assert convert(curator, "pelda_crawl.yaml", "pelda_specific.py")["unsaid"] == {"by hand": 2, "needless": 1}
    ended = curator("convert", "pelda_specific.py", CASES / "pelda_tags.tsv", "-o", "other.yaml")
    assert (ended.code, f"`curator tags apply {CASES / 'pelda_tags.tsv'} PORTAL`" in ended.err) == (1, True)


def test_a_crawl_configuration_leads_to_the_site_schema_that_it_names(curator, desk: Path) -> None:
    of_elte(desk)
    Path("pelda_specific.py").unlink()
    for folder in ("configs/site_schemas", "crawls"):
        Path(folder).mkdir(parents=True)
    Path("pelda.yaml").rename("configs/site_schemas/pelda.yaml")
    Path("configs/pelda.yaml").write_text("schema: site_schemas/pelda.yaml\nverify_request: false\n# output_corpus: x\n", encoding="utf-8")
    Path("configs/other.yaml").write_text("schema: site_schemas/none.yaml\n", encoding="utf-8")
    Path("configs/long.yaml").write_text(f"schema: {'x' * 5000}\n", encoding="utf-8")
    made = convert(curator, "configs", "-o", "made")
    assert [portal["portal"] for portal in made["portals"]] == ["pelda"]
    assert "nothing tells the address of the portal" in made["failures"]["configs/long.yaml"]
    assert "other.yaml: nothing tells the address of the portal" in made["failures"]["configs/other.yaml"]
    said = rules(Path("made/pelda/portal.yaml"))
    assert (said["fetch"], said["home"], len(said["columns"])) == ({"verify_tls": False}, "https://pelda.example/", 4)
    Path("configs/out.yaml").write_text("schema: ../../p.yaml\n", encoding="utf-8")
    Path("../p.yaml").write_text("site_name: x\ncolumns: {}\n", encoding="utf-8")
    assert "nothing tells the address" in convert(curator, "configs/out.yaml", "-o", "x.yaml")["failures"]["configs/out.yaml"]


# --- fundus ---

TABLE = """
import re

def regex_filter(regex):
    def url_filter(url):
        return bool(re.search(regex, url))
    return url_filter

def inverse(filter_func):
    def __call__(*args):
        return not filter_func(*args)
    return __call__

def lor(*filters):
    def __call__(*args):
        return any(each(*args) for each in filters)
    return __call__

def land(*filters):
    def __call__(*args):
        return all(each(*args) for each in filters)
    return __call__

class Source:
    sitemap_filter = None
    def __init__(self, url, *languages, sitemap_filter=None):
        self.url, self.languages = url, set(languages)
        if sitemap_filter: self.sitemap_filter = sitemap_filter

class RSSFeed(Source): pass
class Sitemap(Source): pass
class NewsMap(Sitemap): pass

class Publisher:
    def __init__(self, name, domain, sources, query_parameter=None, url_filter=None, request_header={}, deprecated=False,
                 disallows_training=False, impersonate=None, deprecated_domains=()):
        self.name, self.domain, self.query_parameter, self.url_filter = name, domain, query_parameter, url_filter
        self.request_header, self.deprecated, self._disallows_training = request_header, deprecated, disallows_training
        self.impersonate, self.deprecated_domains = impersonate, list(deprecated_domains)
        self.source_mapping = {}
        for source in sources: self.source_mapping.setdefault(type(source), []).append(source)

def of(group, **publishers):
    for name, publisher in publishers.items():
        publisher.__name__, publisher.__group__ = name, group
    return list(publishers.values())

class HU: pass
class AT: pass
class XX: pass
months = [f"https://a.example/{year}/{month:02}/s.xml" for year in (2019, 2018) for month in range(12, 0, -1)]
PublisherCollection = [
    *of(HU,
        Alma=Publisher("Alma", "https://www.a.example", [RSSFeed("https://a.example/{feed}", "hu"), *(Sitemap(m, "hu") for m in months)],
            url_filter=lor(regex_filter("/pr/"), inverse(regex_filter("/cikk/"))), deprecated_domains=["https://www.old.example/"]),
        Korte=Publisher("Körte", "https://k.example/", [NewsMap("https://k.example/n?y=2020&mm=05&dd=04", "hu", "en")],
            disallows_training=True, impersonate="chrome", request_header={"Cookie": "TITOK"}, query_parameter={"a": "b"}),
        Old=Publisher("Old", "https://o.example/", [RSSFeed("https://o.example/")], deprecated=True),
        Same=Publisher("Same", "https://s.example/", [
            Sitemap("https://s.example/s.xml", "de", sitemap_filter=regex_filter("(?i)TAGS")),
            Sitemap("https://s.example/en/t.xml", "en", sitemap_filter=inverse(lor(regex_filter("a-"), regex_filter("b-"))))])),
    *of(AT, Same=Publisher("Same", "http://t.example/", [
        RSSFeed("https://t.example/rss/news", "de"), RSSFeed("https://t.example/rss/sport/", "de"), Sitemap("https://t.example/2021", "de"),
        Sitemap("https://t.example/s.xml", "de", sitemap_filter=inverse(regex_filter("de"))),
        Sitemap("https://t.example/s.xml", "de", sitemap_filter=inverse(regex_filter("at")))])),
    *of(XX, Far=Publisher("Far", "https://f.example/", [RSSFeed("https://f.example/", "en")], url_filter=land(len, len))),
]
"""
MADE_OF_TABLE = """
alma:
  portal: alma
  home: https://www.a.example/
  title: Alma
  language: hu
  timezone: Europe/Budapest
  archive: {urls: {hosts: ['*.a.example', old.example], only: [/cikk/], exclude: [/pr/]}}
  columns:
    feed: {url: 'https://a.example/{{feed}}', format: feed}
    sitemap: {url: 'https://a.example/{year}/{month}/s.xml', dates: {from: 2018-01-01}, format: sitemap}
korte:
  portal: korte
  home: https://k.example/
  title: Körte
  timezone: Europe/Budapest
  publisher: {rights: {statement: Its publisher forbids to train models with its articles (as fundus has it).}}
  archive: {urls: {hosts: ['*.k.example']}}
  columns: {news: {url: 'https://k.example/n?y={year}&mm={month}&dd={day}', dates: {from: TODAY}, format: sitemap}}
same-hu:
  portal: same-hu
  home: https://s.example/
  title: Same
  timezone: Europe/Budapest
  archive: {urls: {hosts: ['*.s.example']}}
  columns:
    sitemap-de: {url: 'https://s.example/s.xml', format: sitemap, language: de, urls: {sitemaps: ['^(?!.*(?:(?i:TAGS)))']}}
    sitemap-en: {url: 'https://s.example/en/t.xml', format: sitemap, language: en, urls: {sitemaps: [a-, b-]}}
same-at:
  portal: same-at
  home: http://t.example/
  title: Same
  language: de
  timezone: Europe/Vienna
  archive: {urls: {hosts: ['*.t.example']}}
  columns:
    feed-news: {url: 'https://t.example/rss/news', format: feed}
    feed-sport: {url: 'https://t.example/rss/sport/', format: feed}
    sitemap-2021: {url: 'https://t.example/2021', format: sitemap}
    sitemap-s-xml: {url: 'https://t.example/s.xml', format: sitemap, urls: {sitemaps: [de, at]}}
far:
  portal: far
  home: https://f.example/
  title: Far
  language: en
  archive: {urls: {hosts: ['*.f.example']}}
  columns: {feed: {url: 'https://f.example/', format: feed}}
"""


@pytest.fixture
def table(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program that is called fundus, and has a table of the same shape."""
    (desk / "installed").mkdir()
    (desk / "installed" / "fundus.py").write_text(TABLE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(desk / "installed"))
    yield
    sys.modules.pop("fundus", None)


@pytest.mark.usefixtures("table")
def test_the_table_of_fundus_becomes_a_portal_file_for_each_publisher_that_it_has_not_given_up(curator) -> None:
    made = convert(curator, "fundus", "-o", "made")
    assert made["failures"] == {}
    wanted = yaml.safe_load(MADE_OF_TABLE.replace("TODAY", str(date.today())))
    files = {portal["portal"]: rules(Path(portal["file"])) for portal in made["portals"]}
    known = [said.pop("known") for said in files.values()]
    assert files == wanted
    assert {said["source"] for said in known} == {"fundus"}
    left = {name: {item["written"] for item in portal["unsaid"]} for portal in made["portals"] for name in (portal["portal"],)}
    assert left["korte"] == {"query_parameter", "request_header", "impersonate"}
    assert left["far"] == {"the country xx", "url_filter: a function of its own"}
    everything = "".join(path.read_text(encoding="utf-8") for path in Path("made").rglob("*.yaml"))
    assert "TITOK" not in everything + json.dumps(made)
    assert curator("check", *Path("made").glob("*/portal.yaml")).code == 0


@pytest.mark.usefixtures("table")
def test_the_files_that_ship_are_written_by_a_script_that_leaves_alone_what_became_a_persons_own(desk: Path) -> None:
    script = FOLDER.parent / "site_configs" / "from_fundus.py"
    write_all = runpy.run_path(str(script))["write_all"]
    assert write_all(desk / "all", "2024-05-01") == (5, [])
    files = {path: path.read_bytes() for path in desk.glob("all/*/*.yaml")}
    assert {path.parent.name for path in files} == {"hungary", "austria", "xx"}
    assert b"known: {source: fundus, date: 2024-05-01}" in files[desk / "all/hungary/alma.yaml"]
    own = {desk / "all/hungary/korte.yaml": "known: {source: somebody}", desk / "all/hungary/alma.yaml": "body: {root: article}"}
    for path, line in own.items():
        said = files[path].decode().replace("known:", "# known:") if "known" in line else files[path].decode()
        path.write_text(f"{said}\n{line}\n", encoding="utf-8")
    mended = {path: path.read_bytes() for path in own}
    assert write_all(desk / "all", "2024-06-01") == (3, ["alma", "korte"])
    assert {path: path.read_bytes() for path in own} == mended
    assert all(b"2024-06-01" in path.read_bytes() for path in files.keys() - own.keys())


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("other", ["3", "[Source('x')]"])
def test_a_table_of_another_shape_is_told_with_the_fundus_that_fits(curator, desk: Path, other: str) -> None:
    (desk / "installed" / "fundus.py").write_text(f"{TABLE}\nPublisherCollection = {other}\n", encoding="utf-8")
    ended = curator("convert", "fundus", "-o", "made")
    assert (ended.code, "pip install fundus==0.5.7" in ended.err) == (2, True)


def test_without_fundus_the_way_to_it_is_told(curator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fundus", None)
    ended = curator("convert", "fundus")
    assert (ended.code, "pip install fundus" in ended.err) == (2, True)


# --- what goes wrong ---


def test_nothing_is_overwritten_and_what_cannot_be_converted_is_told_while_the_rest_is(curator, desk: Path) -> None:
    fivefilters(desk / "ff")
    assert curator("convert", "ff", "-o", "one.yaml").code == 2
    assert curator("convert", "nowhere.txt").code == 2
    first = curator("convert", "ff/bodza.example.txt", "-o", "one.yaml")
    again = curator("convert", "ff/bodza.example.txt", "-o", "one.yaml")
    assert (first.code, again.code, "is not overwritten" in again.err) == (0, 1, True)
    Path("ff/README.txt").write_text("This is a folder of configurations.", encoding="utf-8")
    Path("ff/broken.yaml").write_text("a: [", encoding="utf-8")
    Path("ff/list.yaml").write_text("- a\n", encoding="utf-8")
    Path("ff/bad_specific.py").write_text("def f(:", encoding="utf-8")
    ended = curator("convert", "ff", "-o", "made")
    assert (ended.code, "41 portal files of 45 portals" in ended.out) == (1, True)
    for name in ("README.txt", "broken.yaml", "list.yaml", "bad_specific.py"):
        assert f"ff/{name}" in ended.err


HOSTILE = {
    "a.example.txt": f"title: {'(' * 1900}\nbody: {'//div[' * 300}\n",
    "b.example.txt": "strip: //div[@id='\x1b[31m\u202e']\nfoo: \x1b]0;title\x07\u202e\u2028portal: other\n",
    "c.example.txt": "".join(f"strip: //div[@id='n{number}']\n" for number in range(999)),
    "d.example.txt": "\x00\xff" * 1000 + f"\ntitle: a{' ' * 20_000}b\ntitle{' ' * 150_000}b",
    "e_specific.py": f"PORTAL_URL_PREFIX = 'https://e.example'\nX = {'(' * 150}1{')' * 150}\nDECOMP = {'[' * 90}{']' * 90}\n"
    f"Y_SPEC = '\\d' + {'-' * 900}1\n",
    "f.yaml": "site_name: x\ncolumns:\n  'a|b\u202e': {archive_url_format: 'javascript:x', max_pagenum: [1]}\n  c: 3\n"
    "  d: {archive_url_format: 'https://f.example/{#day'}\n",
}
REFUSED = {
    "g.example.txt": "x: y\n" * 500_000,
    "h.yaml": "a: &a [x, x]\nb: &b [*a, *a]\nsite_name: [*b, *b]\ncolumns: {}\n",
    "..txt": "title: //h1\n",
    "i_specific.py": f"X = {'(' * 5000}\n",
    "j.example.txt": "".join(f"strip: //div[@id='n{number}']\n" for number in range(1001)),
}


@pytest.mark.parametrize("name", [*HOSTILE, *REFUSED])
def test_hostile_files_end_in_a_portal_file_that_passes_check_or_in_a_sentence(curator, name: str) -> None:
    Path(name).write_text((HOSTILE | REFUSED)[name], encoding="utf-8")
    began = process_time()
    ended = curator("convert", name, "-o", "made")
    assert process_time() - began < 5
    assert ended.code == (0 if name in HOSTILE else 1), ended.err
    assert "Traceback" not in ended.err
    for path in Path().glob("made/*/portal.yaml"):
        text = path.read_text(encoding="utf-8")
        assert curator("check", path).code == 0
        assert not {"\x1b", "\u202e", "\u2028"} & set(text)
        assert rules(path)["portal"] != "other"
