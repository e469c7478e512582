"""Pages that show nothing, or not all, without their scripts: what a browser shows is read and stored, and nothing else is reached."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from collected import records
from deadly import children
from scripted_portal import Crawler, Reply, Script, ScriptedPortal, moved, scripted_portal
from seams import limited_browsers

from webarticlecurator import CrawlOptions, build, crawl, iter_warc, load_portal, read_corpus, status

pytestmark = [pytest.mark.browser]
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are bounded, and looked for, by what Linux tells of them")

HOSTILE = Path(__file__).parents[1] / "support" / "hostile_page.html"
BUSY = Reply("no", 503)


def data(body: str, **headers: str) -> Reply:
    return Reply(body, kind="application/json", headers=headers)


def code(text: str, **headers: str) -> Reply:
    return Reply(text, kind="text/javascript", headers={name.replace("_", "-"): value for name, value in headers.items()})


# --- pages that grow, and pages that do something else ---

SCROLLED = """<!DOCTYPE html><style>article { height: 700px }</style><p id="count"></p><main></main><footer id="foot"></footer><script>
let part = 0, busy = false;
const more = async () => {
  if (busy) return; busy = true;
  const answer = await fetch("PARTS/" + part++);
  if (answer.ok) for (const one of await answer.json())
    document.querySelector("main").insertAdjacentHTML("beforeend", `<article><a href="/c/${one}">${one}</a></article>`);
  document.getElementById("count").textContent = document.querySelectorAll("article").length + " of many";
  busy = false;
};
new IntersectionObserver(seen => seen[0].isIntersecting && more(), {rootMargin: "200px"}).observe(document.getElementById("foot"));
</script>"""
CLICKED = """<!DOCTYPE html><main><a href="/c/first">The first one</a></main><button class="more">More</button><script>
let part = 1;
document.querySelector("button").addEventListener("click", async () => {
  for (const one of await (await fetch("PARTS/" + part++)).json())
    document.querySelector("main").insertAdjacentHTML("beforeend", `<a href="/c/${one}">${one}</a>`);
  if (part > 3) document.querySelector("button").remove();
});</script>"""
IN_SIGHT = """<!DOCTYPE html><style>body { margin: 0; height: 12000px } a { position: absolute }</style><main></main><script>
const main = document.querySelector("main"), draw = () => {
  const first = Math.max(0, Math.floor(scrollY / 200) - 2), last = Math.min(60, first + 13);
  main.innerHTML = "";
  for (let one = first; one < last; one++) main.innerHTML += `<a href="/c/v${one}" style="top: ${one * 200}px">v${one}</a>`;
};
addEventListener("scroll", draw); draw();</script>"""
PAUSING = """<!DOCTYPE html><main></main><button class="more">More</button><script>
let number = 0;
const button = document.querySelector("button"), main = document.querySelector("main"), add = () => {
  for (let end = number + 4; number < end; number++) main.insertAdjacentHTML("beforeend", `<a href="/c/n${number}">${number}</a>`);
};
add();
button.onclick = () => { add(); REST; setTimeout(() => number < 12 && BACK, 1500) };</script>"""
FOOT = """<!DOCTYPE html><style>a { display: block; height: 500px }</style><main></main><p id="foot">foot</p><script>
let number = 0, busy = false;
const main = document.querySelector("main"), add = () => {
  for (let end = number + 4; number < end; number++) main.insertAdjacentHTML("beforeend", `<a href="/c/n${number}">${number}</a>`);
  busy = false;
};
add();
new IntersectionObserver(seen => { if (seen[0].isIntersecting && number < 12 && !busy) { busy = true; MORE } }).observe(foot);</script>"""
ERRORS = '{"errors": [{"message": "internal error"}], "data": null}'
TWELVE = [f"n{number}" for number in range(12)]
ONE = "<article><a href=/c/ONE>x</a></article>"
WAIT = "pages: none, fetch: {wait: article}"
SCROLL, CLICK = "pages: scroll", "pages: {mode: load-more, button: button.more}"


def in_parts(at: str, parts: int, each: int = 4) -> tuple[dict[str, Script], list[str]]:
    """Data in so many parts, and the articles that they list."""
    lists = [[f"{at}p{part}n{number}" for number in range(each)] for part in range(parts)]
    return {f"/{at}/{part}": data(json.dumps(listed)) for part, listed in enumerate(lists)}, [one for listed in lists for one in listed]


@dataclass
class Case:
    """An archive page, how the portal file has it shown, which articles it lists then, and how it ended."""

    page: Script
    rules: str = "pages: none"
    articles: list[str] = field(default_factory=list)
    ends: str = ""
    """In the ground of its proof, or in the reason why there is none."""
    proved: bool = True
    beside: dict[str, Script] = field(default_factory=dict)


def _cases() -> dict[str, Case]:
    all_scrolled, scrolled = in_parts("s", 4)
    all_clicked, clicked = in_parts("k", 4)
    some, partly = in_parts("h", 2)
    wall = """<div id="wall"><button class="ok">Accept</button></div><script>
        document.querySelector("button").onclick = () => { document.getElementById("wall").outerHTML = "ONE"; };</script>"""
    cases = {
        "a list of scripts": Case(f"<main></main><script>document.querySelector('main').innerHTML = '{ONE}'</script>", articles=["1"]),
        "scrolled": Case(SCROLLED.replace("PARTS", "/s"), SCROLL, scrolled, "grows no more", beside=all_scrolled),
        "clicked": Case(CLICKED.replace("PARTS", "/k"), CLICK, ["first", *clicked[4:]], "grows no more", beside=all_clicked),
        "in sight": Case(IN_SIGHT, SCROLL, [f"v{number}" for number in range(60)], "grows no more"),
        "a button that is off": Case(
            PAUSING.replace("REST", "button.disabled = true").replace("BACK", "(button.disabled = false)"), CLICK, TWELVE, "", proved=False
        ),
        "a button that is not seen": Case(
            PAUSING.replace("REST", "button.style.display = 'none'").replace("BACK", "(button.style.display = '')"),
            CLICK, TWELVE, proved=False
        ),
        "data fail": Case(SCROLLED.replace("PARTS", "/h"), SCROLL, partly, "could not be had: HTTP 503", False, {**some, "/h/2": BUSY}),
        "errors for data": Case(
            FOOT.replace("MORE", "fetch('/graphql', {method: 'POST', body: '{list}'})"), SCROLL, TWELVE[:4], "answered with errors", False,
            {"/graphql": data(ERRORS)},
        ),
        "packed errors for data": Case(
            FOOT.replace("MORE", "fetch('/packed', {method: 'POST', body: '{list}'})"), SCROLL, TWELVE[:4], "answered with errors", False,
            {"/packed": Reply(gzip.compress(ERRORS.encode()), kind="application/json", headers={"Content-Encoding": "gzip"})},
        ),
        "no button": Case(
            CLICKED.replace("PARTS", "/k"), "pages: {mode: load-more, button: button.mehr}", ["first"], '"button.mehr" seems to do nothing',
            proved=False,
        ),
        "a link for a button": Case(
            f'{ONE}<a class="more" href="/linked?page=2">More</a>', "pages: {mode: load-more, button: a.more}",
            ["1"], "leads to another page", False
        ),
        "waited for": Case(wall, "pages: none, fetch: {wait: article, click: button.ok}", ["1"]),
        "by its words": Case(wall, "pages: none, fetch: {click: 'button:contains(\"Accept\")'}", ["1"]),
        "a wrong click": Case(
            f'{ONE}<a class="on" href="/elsewhere">On</a>', "pages: none, fetch: {click: a.on}", [], "led to another page", False,
            {"/elsewhere": ONE}
        ),
        "never comes": Case("<p>Nothing today</p>", WAIT, [], '"article" did not come', False),
        "old": Case(moved("/new/place"), articles=["1"], beside={"/new/place": ONE}),
        "refreshed": Case('<meta http-equiv="refresh" content="0;url=/there">', WAIT, ["1"], beside={"/there": ONE}),
        "replaced": Case(
            "<script>location.replace('/there/too')</script>", WAIT, ["1"], beside={"/there/too": ONE}
        ),
        "away": Case("<script>location.href = 'http://consent.example/ask'</script>", articles=[], ends="other host", proved=False),
        "an advert": Case(f"{ONE}<script>location.href = 'http://advert.example/'</script>", WAIT, ["1"]),
        "a frame": Case('<iframe src="/inner/frame"></iframe><iframe src="http://advert.example/x"></iframe>', articles=["more"],
                        beside={"/inner/frame": "<article><a href='../c/more'>more</a></article>"}),
        "a shadow": Case(
            f"""<my-card>{ONE}</my-card><script>customElements.define("my-card", class extends HTMLElement {{ constructor() {{ super();
            this.attachShadow({{mode: "closed"}}).innerHTML = "<p>By <slot></slot></p>"; }} }});</script>""", articles=["1"],
        ),
        "bent": Case(
            f"""{ONE}<script>String.prototype.replace = String.prototype.replaceAll = () => "bent"; Array.prototype.toJSON = () => "bent";
            Object.defineProperty(Node.prototype, "childNodes", {{get: () => []}}); WeakMap.prototype.get = () => {{ throw 1 }};
            JSON.stringify = () => "bent"; document.querySelector = () => {{ throw 2 }}; window.curator = null;</script>""", articles=["1"],
        ),
        "deep": Case(
            f"""<body><script>let at = document.body; for (let n = 0; n < 2500; n++) at = at.appendChild(document.createElement("div"));
            at.append("the bottom");</script>{ONE}""", articles=["1"],
        ),
        "blocked": Case(
            f'{ONE}<img src="/a.png"><audio src="/a.mp3" autoplay></audio><script>fetch("/asked.json")</script>',
            "pages: none", ["1"], beside={"/asked.json": data("{}")},
        ),
        "forbidden data": Case(f"{ONE}<script>fetch('/private/data')</script>", "pages: none", ["1"], "robots.txt disallows it", False),
        "polls": Case(f"{ONE}<script>setInterval(() => fetch('/polled.json'), 100)</script>", articles=["1"],
                      beside={"/polled.json": data("{}")}),
        "keeps": Case(
            f"""{ONE}<script src=/kept.js></script><script src=/fresh.js></script><script>
            document.cookie = 'said=yes; path=/'; localStorage.setItem("last", "text of another")</script>""", articles=["1"],
        ),
        "finds": Case(
            f"""{ONE}<script src=/kept.js></script><script src=/fresh.js></script><p></p><script>
            document.querySelector("p").textContent = [localStorage.getItem("last"), document.cookie, navigator.language,
            new Date('2025-06-08T22:30:00Z').toLocaleString()].join("; ")</script>""",
            articles=["1"],
            beside={"/kept.js": code("fetch('/counted.json')", Cache_Control="max-age=60"),
                    "/fresh.js": code("0", Cache_Control="no-store"),
                    "/counted.json": data("{}")},
        ),
        "odd characters": Case(rf"{ONE}<script>document.body.append('a\ud800b \u{{1F600}}')</script>", articles=["1"]),
        "another encoding": Case(
            Reply(f"<body>{ONE}<p>árvíz</p>".encode("iso-8859-2"), kind="text/html; charset=iso-8859-2"), articles=["ONE"]
        ),
        "breaks out": Case(
            f"""<body>{ONE}<script>document.body.setAttribute("title", '"><i>attribute</i>');
            document.body.append(document.createComment("--><i>comment</i>"), document.createTextNode("<i>text</i>"));
            const style = document.createElement("style"); style.textContent = "</sty" + "le><i>style</i>"; document.body.append(style);
            </script>""", articles=["1"],
        ),
    }  # fmt: skip
    for number, case in enumerate(cases.values()):
        if isinstance(case.page, str):
            case.page = case.page.replace("ONE", ONE).replace("/c/ONE", f"/c/{number}x")
        case.articles = [f"{number}x" if article == "1" else article for article in case.articles]
        case.beside = {
            path: said.replace("/c/ONE", f"/c/{number}x") if isinstance(said, str) else said for path, said in case.beside.items()
        }
    return cases


CASES = _cases()
PATHS = {name: f"/page/{number}" for number, name in enumerate(CASES)}
HEAD = "portal: pelda\nhome: HOME/\nlanguage: hu\ntimezone: Europe/Budapest\nfetch: {delay: 0s, retries: 0, timeout: 5s, via: browser}\n"


@dataclass
class Shown:
    """What one crawl of all these pages left."""

    portal: ScriptedPortal
    corpus: Path
    status: Any

    @property
    def ends(self) -> dict[str, tuple[bool, str]]:
        proofs = {proof.column: (True, proof.ground) for proof in self.status.proofs}
        return proofs | {gap.column: (False, gap.reason) for gap in self.status.gaps}

    def html(self, name: str) -> str:
        urls = {self.portal.home + path for path in (PATHS[name], *CASES[name].beside)}
        return "".join(record.block.decode() for record in records(self.corpus, "conversion") if record.url in urls)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("browser")
    with scripted_portal() as portal:
        portal.script["/robots.txt"] = Reply("User-agent: *\nDisallow: /private/\n", kind="text/plain")
        columns = ""
        for name, case in CASES.items():
            portal.script |= {PATHS[name]: case.page, **case.beside}
            columns += f"  {PATHS[name].replace('/page/', 'c')}: {{url: 'HOME{PATHS[name]}', {case.rules}}}\n"
        file = folder / "portal.yaml"
        file.write_text((HEAD + f"archive: {{link: a}}\ncolumns:\n{columns}").replace("HOME", portal.home), encoding="utf-8")
        corpus = folder / "corpus"
        crawl(file, corpus=corpus, options=CrawlOptions(articles=False))
        yield Shown(portal, corpus, status(file, corpus=corpus))


def listed_by(shown: Shown, name: str) -> list[str]:
    """The articles that stand in what was stored of a page, in their order."""
    return list(dict.fromkeys(re.findall(r'href="[^"]*/c/([\w/]+)"', shown.html(name))))


@pytest.mark.nightly
def test_each_page_is_read_as_a_browser_shows_it_and_ends_with_its_reason(shown: Shown) -> None:
    ends = {name: shown.ends[PATHS[name].replace("/page/", "c")] for name in CASES}
    wrong = {name: end for name, end in ends.items() if end[0] != CASES[name].proved or CASES[name].ends not in end[1]}
    assert not wrong, "\n".join(f"{name}: {end}" for name, end in wrong.items())
    whole = {name: case.articles for name, case in CASES.items() if case.articles}
    unlike = {name: (listed_by(shown, name), articles) for name, articles in whole.items() if listed_by(shown, name) != articles}
    assert not unlike, "\n".join(f"{name}: {both}" for name, both in unlike.items())


@pytest.mark.nightly
def test_what_is_read_is_what_a_person_sees(shown: Shown) -> None:
    assert "the bottom" in shown.html("deep")
    assert "\U0001f600" in shown.html("odd characters")
    assert "árvíz" in shown.html("another encoding")
    assert lxml.html.document_fromstring(shown.html("breaks out")).xpath("//i") == []
    assert "of many" in shown.html("scrolled"), "also an old element with another text"


@pytest.mark.nightly
def test_a_page_asks_for_what_it_may_and_finds_nothing_that_another_kept(shown: Shown) -> None:
    asked = shown.portal.asked
    assert [asked.count(path) for path in ("/a.png", "/a.css", "/asked.json")] == [0, 0, 1]
    assert "/private/data" not in asked, "robots.txt"
    assert asked.count("/kept.js") == 1 and asked.count("/fresh.js") == 2 and asked.count("/counted.json") == 2
    assert "text of another" not in shown.html("finds")
    assert "hu; 2025. 06. 09. 0:30:00" in shown.html("finds"), "in the language and at the time of the portal"
    assert [asked.count(path) for path in ("/there", "/there/too", "/new/place")] == [1, 1, 1]


@pytest.mark.nightly
def test_each_step_is_stored_with_what_is_new_and_refers_to_the_response_that_it_was_made_of(shown: Shown) -> None:
    url = shown.portal.home + PATHS["scrolled"]
    (response,) = [record for record in records(shown.corpus, "response") if record.url == url]
    steps = [record for record in records(shown.corpus, "conversion") if record.url == url]
    assert len(steps) > 2
    assert {record["WARC-Refers-To"] for record in steps} == {response["WARC-Record-ID"]}
    assert {record["Content-Type"] for record in steps} == {"text/html; charset=utf-8"}
    assert b"curator-browser: Chromium " in next(records(shown.corpus, "warcinfo")).block
    loaded = [record for record in records(shown.corpus, "response") if record.url == shown.portal.home + "/s/0"]
    assert [json.loads(record.body) for record in loaded] == [[f"sp0n{number}" for number in range(4)]]


# --- a small site, from its list to its documents ---

LIST = "<main></main><script>fetch('/list.json').then(one => one.json()).then(all => { document.querySelector('main').innerHTML = all.map(one => `<li class=t><a href=/c/${one}>${one}</a></li>`).join('') })</script>"  # noqa: E501
TEXT = "<script>fetch('/text.json').then(one => one.json()).then(all => { document.body.innerHTML = '<article><h1>Cím</h1><p>' + all + '</p></article>' })</script>"  # noqa: E501
SMALL = "archive: {url: HOME/, item: li.t, pages: none, fetch: {wait: li.t}}\narticles: {fetch: {wait: article}}\nbody: {root: article}\n"


@pytest.fixture
def small(crawler: Crawler) -> Crawler:
    crawler.portal.script |= {"/": LIST, "/list.json": data('["1", "2"]'), "/text.json": data('"Csak böngészőben látszik."')}
    crawler.portal.script |= {"/c/1": TEXT, "/c/2": TEXT + "<!-- 2 -->"}
    crawler.rules = SMALL
    crawler.fetch = "fetch: {delay: 0s, retries: 0, timeout: 5s, via: browser}\n"
    return crawler


def test_what_a_browser_showed_is_what_documents_and_readers_get(small: Crawler, tmp_path: Path) -> None:
    assert small.crawl() == 0, small.said
    portal = load_portal(small.file)
    build(portal, corpus=small.corpus)
    assert [article.text for article in read_corpus(small.corpus)] == ["Csak böngészőben látszik."] * 2
    captures = {capture.url.removeprefix(small.portal.home): capture for capture in iter_warc(small.corpus) if capture.is_rendered}
    assert captures.keys() == {"/", "/c/1", "/c/2"}
    assert "Csak böngészőben" in captures["/c/1"].entity.decode()
    assert small.curator("warc", "check", small.corpus).code == 0

    other = tmp_path / "other"
    warcs = sorted((small.corpus / "warc").iterdir())
    assert small.curator("warc", "import", small.file, *warcs, "--corpus", other).code == 0
    small.fetch = small.fetch.replace(", via: browser", "")
    small.rules = small.rules.replace(", fetch: {wait: li.t}", "").replace("articles: {fetch: {wait: article}}\n", "")
    build(load_portal(small.file), corpus=other)
    assert [article.text for article in read_corpus(other)] == ["Csak böngészőben látszik."] * 2, "without a browser"


@pytest.mark.nightly
def test_what_a_browser_could_not_show_is_evidence_asked_for_again_and_hides_nothing(small: Crawler) -> None:
    small.portal.script["/c/2"] = "<p>Betöltés..."
    assert small.crawl() == 1
    assert small.outcomes == {"/c/1": "fetched", "/c/2": "error"}
    assert [record.url for record in records(small.corpus, "conversion")].count(small.portal.home + "/c/2") == 1
    small.portal.script["/c/2"] = TEXT + "<!-- 2 -->"
    assert small.crawl() == 0, small.said
    small.portal.script["/c/1"] = "<p>Betöltés..."
    assert small.crawl("--recheck", "30d") == 1
    build(load_portal(small.file), corpus=small.corpus)
    assert [article.text for article in read_corpus(small.corpus)] == ["Csak böngészőben látszik."] * 2


@pytest.mark.nightly
def test_an_article_whose_data_could_not_be_had_is_asked_for_again(small: Crawler) -> None:
    small.rules = small.rules.replace("articles: {fetch: {wait: article}}\n", "")
    small.portal.script["/text.json"] = BUSY
    assert small.crawl() == 1
    assert "fetched" not in small.outcomes.values()
    small.portal.script["/text.json"] = data('"Itt van."')
    assert small.crawl() == 0, small.said
    assert small.fetched == {"/c/1", "/c/2"}


NEVER_ENDS = "<p>Wait</p><script>setTimeout(() => { while (true) {} }, 50)</script>"
TAKES_ALL = "<p>Wait</p><script>const all = []; setInterval(() => { for (let n = 0; n < 1e6; n++) all.push({n, of: [n]}) }, 20)</script>"
FILLS_UP = """<p>Wait</p><script>const text = "x".repeat(1000); setInterval(() => { for (let n = 0; n < 20000; n++)
document.body.append(Object.assign(document.createElement("p"), {textContent: text + n})) }, 5)</script>"""


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("page", "reason"),
    [
        pytest.param(NEVER_ENDS, "kept the browser busy", id="its scripts never end"),
        pytest.param(TAKES_ALL, "which took too much of it", id="its scripts take all memory"),
        pytest.param(FILLS_UP, "which took too much of it", id="its elements take all memory", marks=ON_LINUX),
    ],
)
def test_a_page_that_is_too_much_is_given_up_and_the_others_are_shown(small: Crawler, page: str, reason: str) -> None:
    small.portal.script |= {"/list.json": data('["1", "hung", "2"]'), "/c/hung": page}
    assert small.crawl() == 1
    assert small.outcomes == {"/c/1": "fetched", "/c/2": "fetched", "/c/hung": "error"}
    assert "the browser failed at it again" in str(small.problems)
    assert reason in str(small.problems)
    assert small.portal.asked.count("/c/hung") == 1, "the document was not asked for again"


def processes() -> set[int]:
    """What this process and its children have started and not ended (Linux)."""
    return set(children(os.getpid()))


def browsers() -> list[int]:
    """The first process of each browser (Linux)."""
    names = {pid: Path("/proc", str(pid), "cmdline").read_bytes() for pid in processes()}
    return [pid for pid, name in names.items() if b"--remote-debugging-p" in name and b"--type=" not in name]


TELLS_COOKIES = """<article><h1>Cím</h1><p></p></article><script>
document.querySelector("p").textContent = "Found: " + document.cookie + ".";
document.cookie = ["PORTAL", "1; path=/"].join("=");</script>"""


@pytest.mark.nightly
@ON_LINUX
def test_portals_share_one_browser_and_no_cookies_and_leave_no_process(small: Crawler) -> None:
    before, files, seen = processes(), list[Path](), list[int]()

    def programs(_: str) -> Reply:
        seen.append(len(browsers()))
        return data('["1", "2"]')

    small.portal.script["/list.json"] = programs
    for name in ("egy", "ketto"):
        small.portal.script |= {f"/{name}/{number}": TELLS_COOKIES.replace("PORTAL", name) for number in (1, 2)}
        small.portal.script[f"/{name}/"] = LIST.replace("/c/", f"/{name}/")
        files.append(small.folder / f"{name}.yaml")
        rules = (small.head + small.fetch + SMALL).replace("HOME/", f"HOME/{name}/").replace("pelda", name)
        files[-1].write_text(rules.replace("HOME", small.portal.home), encoding="utf-8")
    crawl([load_portal(file) for file in files])
    assert set(seen) == {1}
    assert processes() == before
    corpora = [path.parent for path in small.folder.rglob("ledger.sqlite")]
    found = [set(re.findall(r"(egy|ketto)=\d", "".join(record.block.decode() for record in records(at, "conversion")))) for at in corpora]
    assert len(corpora) == 2
    assert all(len(names) <= 1 for names in found), "each portal finds its own at most"


@pytest.mark.nightly
def test_what_a_script_keeps_in_a_cookie_is_found_in_the_next_browser(small: Crawler) -> None:
    small.portal.script |= {f"/c/{number}": TELLS_COOKIES.replace("PORTAL", f"c{number}") for number in (1, 2)}
    small.portal.script["/"] = LIST + "<script>document.cookie = 'consent=given; path=/'</script>"
    with limited_browsers(pages=1):
        assert small.crawl() == 0, small.said
    told = [record.block.decode() for record in records(small.corpus, "conversion") if "/c/" in record.url]
    assert len(told) == 2
    assert all("consent=given" in html for html in told)


@pytest.mark.nightly
@ON_LINUX
def test_a_browser_that_hangs_is_ended_and_the_page_is_shown_by_another(small: Crawler) -> None:
    hanging = list[int]()

    def hang(_: str) -> str:
        for pid in browsers() if not hanging else ():
            os.kill(pid, signal.SIGSTOP)
            hanging.append(pid)
        return TEXT

    small.portal.script["/c/1"] = hang
    with limited_browsers(seconds=10):
        assert small.crawl() == 0, small.said
    assert small.fetched == {"/c/1", "/c/2"}
    assert len(hanging) == 1
    assert not set(hanging) & processes()


class Canary:
    """A port of this machine, TCP and UDP, that counts whoever comes."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self._tcp = socket.create_server(("", 0), backlog=50)
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("", self.port))
        for watch in (self._watch_tcp, self._watch_udp):
            threading.Thread(target=watch, daemon=True).start()

    def _watch_tcp(self) -> None:
        try:
            while True:
                connection, _ = self._tcp.accept()
                connection.close()
                self.came.append("tcp")
        except OSError:
            return

    def _watch_udp(self) -> None:
        try:
            while True:
                self.came.append(f"udp {self._udp.recvfrom(2000)[0][:50]!r}")
        except OSError:
            return

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


@pytest.mark.nightly
def test_a_page_that_tries_everything_reaches_nothing(small: Crawler) -> None:
    with closing(Canary()) as watched:
        at = f"127.0.0.2:{watched.port}"  # the portal itself lies at 127.0.0.1
        tricks = HOSTILE.read_text("utf-8").replace("$AT", at).replace("$PORT", str(watched.port))
        inside = code(f'fetch("http://{at}/from-inside").catch(() => 0)')
        small.portal.script |= {
            "/list.json": data('["tricks"]'),
            "/c/tricks": tricks,
            "/inner?prerendered": f'<img src="http://{at}/inner">',
        }
        small.portal.script |= {"/redirect": moved(f"http://{at}/redirected"), "/sw.js": inside, "/shared.js": inside}
        small.rules = small.rules.replace("wait: article", "wait: '#done'")
        assert small.crawl() == 0, small.problems
        (html,) = [record.block.decode() for record in records(small.corpus, "conversion") if record.url.endswith("/c/tricks")]
        assert 'id="done"' in html, "the page has come to the end of its tricks"
        for trick in ("fetch: TypeError", "redirect: TypeError", "xhr: NetworkError", "rtc", "popup", "location mailto:a@b"):
            assert trick in html
        assert "root:" not in html, "no file of this machine was read"
        assert watched.came == []
        assert {record.url.split("/")[2] for record in records(small.corpus, "response")} == {small.portal.home.split("/")[2]}
        assert "/sw.js" not in small.portal.asked, "no service worker was fetched"


def test_without_a_browser_it_is_said_what_to_install(small: Crawler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_BROWSER", "/no/such/file")
    assert small.crawl() == 2
    assert "no such file" in small.said or "install" in small.said
    monkeypatch.setenv("CURATOR_BROWSER", "/bin/false")
    assert small.crawl() == 2
    assert "the browser /bin/false cannot be started" in small.said
