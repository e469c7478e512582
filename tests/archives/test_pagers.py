"""One page of an archive is no archive: whatever its pager says, in whatever language, and however it is written, it is never proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_files import read_yaml
from scripted_portal import Crawler, listing

OK, FAILURES = 0, 1
LABELS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "support" / "pager_labels.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
MARKUP = {
    "DataTables": "<div class=dataTables_paginate><a class='paginate_button next' href={url}>{label}</a></div>",
    "Docusaurus": "<nav class=pagination-nav><a class='pagination-nav__link pagination-nav__link--next' href={url}>{label}</a></nav>",
    "DokuWiki": "<div class=pagenav><div class=pagenav-next><form></form><a href={url}>{label}</a></div></div>",
    "Hexo NexT": "<nav class=pagination><a class='extend next' href={url}><i class='fa fa-angle-right'></i>{label}</a></nav>",
    "MediaWiki": "<div class=mw-pager-navigation-bar><a class=mw-nextlink href={url}>{label}</a></div>",
    "MUI": "<nav aria-label='pagination navigation'><ul><li><a aria-label='Go to next page' href={url}>{label}</a></ul></nav>",
    "Plone": "<nav class=pagination><ul><li class=next><a href={url}><span class=label>{label}</span></a></ul></nav>",
    "Wagtail": "<ul class=pager><li class=next><a href={url}>{label}</a></ul>",
    "WordPress": "<nav class=posts-navigation><div class=nav-links><div class=nav-previous><a href={url}>{label}</a></div></div>",
}
"""As the software, or its usual theme, writes the link to older articles."""
UNKNOWN = "Blorp"
"""A word of no language."""


def is_doubted(crawler: Crawler, pages: dict[str, tuple[str, str]]) -> dict[str, bool]:
    """Of pages at these addresses, with this beside their list: name -> whether somebody is told that there may be more of them."""
    columns = ""
    for number, (path, beside) in enumerate(pages.values()):
        at = path.replace("/l", f"/l{number}")
        beside = beside.replace("/l", f"/l{number}")
        crawler.portal.script[at] = listing(*(f"/c/{number}-{article}" for article in range(3)), more=beside)
        columns += f"  c{number}: HOME{at}\n"
    crawler.rules = f"archive: {{item: li.t}}\ncolumns:\n{columns}"
    crawler.crawl("--archive-only")
    proved = {row["column"]: bool(row["proved"]) for row in crawler.status()["completeness"]}
    return {name: not proved[f"c{number}"] for number, name in enumerate(pages)}


ADDRESS = "<p><a href='{}'>Blorp</a></p>"
MORE: dict[str, tuple[str, str]] = {
    "numbers": ("/l", "<div><b>1</b> <a href=/l/2>2</a> <a href=/l/3><span>3</span></a> <a href=/l/40>»»</a></div>"),
    "no words": ("/l/2", "<a href=/l/3><svg></svg></a>"),
    "a word beside the number": ("/l", "<a href=/l/page/2/>Page 2</a><a href=/l/page/3/>3. oldal</a>"),
    "numbers that no parameter is called after": ("/l", "<a href='/l?b=2'>2</a>"),
    "a number before the extension": ("/l.html", "<a href=/l-2.html>2</a>"),
    "a number behind the extension": ("/l.html", "<a href=/l.html/2>2</a>"),
    "offsets": ("/l", "<a href='/l?start=0'>1</a><a href='/l?start=20'>2</a><a href='/l?start=40'>3</a>"),
    "pages that are counted from 0": ("/l?p=0", "<a href='/l?p=1'>1</a>"),
    "pages beside years": ("/l", "<a href=/archive/2026/>2026</a> <a href=/l/page/2/>2</a>"),
    "rel in the text": ("/l", "<a rel='nofollow next' href=/m/zr>x</a>"),
    **{
        f"{own} and {other}": (own, ADDRESS.format(other))
        for own, other in (
            ("/l/", "/l/page/2/"),
            ("/l/page/2/", "/l/page/3/"),
            ("/l", "/l?oldal=2"),
            ("/l?rovat=bel", "/l?rovat=bel&start=20"),
            ("/l?oldal=2", "/l?oldal=3"),
            ("/l", "/l/seite-2.html"),
            ("/l", "/l?lang=xx&paged=2"),
            ("/l", "/l/P9.html"),
            ("/l", "/l/archives/P9.html"),
        )
    },
    "numbers of a script": ("/l", "<div class=pagination><div>1</div><div>2</div><div>…</div><div>9</div><div>Next</div></div>"),
    "a button of a script": ("/l", "<ul aria-label=Pages><li>1</li><li><button>2</button></li></ul>"),
    **{f"it says {count}": ("/l", f"<p>{count}</p>") for count in ("2 / 20", "Seite 1 von 12", "1-20 of 213", "Showing 1–20 of 1,213")},
    "it counts pages and articles": ("/l", "<p>2 / 20</p><p>1-20 of 213</p>"),
    "it says so with marks": ("/l", "<span>Page <b>2</b> of <b>20</b></span>"),
    "a picture that leads to what comes after": ("/l", "<a href='/l?after=eyJpZCI6MTB9'><svg></svg></a>"),
    "an arrow that leads to page 1, where the first is 0": ("/l/", "<a href=/l/1/>→</a>"),
    "a picture that leads to page 1": ("/l/", "<a href='/l/?page=1'><img src=/i.png alt=''></a>"),
    "the picture of an arrow for a script": ("/l", "<a onclick=go(2)><i class=icon-right></i></a>"),
    "an arrow that says where to": ("/l", "<button aria-label='Nächste Seite'><svg></svg></button>"),
    "some of all articles": ("/l", "<p>Showing 3 of 57 articles</p>"),
    "some of all, in numbers of their own": ("/l", "<p><b>3</b> von <b>57</b> Artikeln</p>"),
    "the number of all articles": ("/l", "<span>57 posts</span>"),
    "some out of all": ("/l", "<p>You have seen 3 out of 57 stories</p>"),
    "pages in an attribute": ("/l", "<div class=pager data-page=1 data-total-pages=6></div>"),
    "the number of a list's items": (
        "/l", """<script type="application&#47;ld+json">{"@type": "ItemList", "numberOfItems": 57}</script>"""),
    "the number of all articles, for programs": ("/l", "<div class=x data-total=57></div>"),
    "the number of all articles, in an attribute of another name": ("/l", "<div data-list-total-count=57></div>"),
    "the data of an application": ("/l", "<script type='application/json'>{\"posts\": [], \"hasMore\": true}</script>"),
    "an element that a framework listens to": ("/l", "<div wire:click=loadMore>More stories</div>"),
    "some pages of a form": ("/l", "<form><select name=p><option>1<option>2<option>3<option>9</select></form>"),
    "all in Hungarian": ("/l", "<p>Összesen: 1 257 bejegyzés</p>"),
    **{f"a count in any language beside a pager: {count}": ("/l", f"<div class=pagination><span>{count}</span> <a href=/l>Blorp</a></div>")
       for count in ("Page 10 of 10, totaling 142 entries", "10. oldal, összesen 10 (142 bejegyzés)", "Leathanach 1 as 9")},
}  # fmt: skip


NO_MORE = read_yaml(Path(__file__).parent / "cases" / "pages-on-which-nothing-says-more.yaml")


def test_what_shows_that_there_are_more_pages_is_told_whatever_its_markup(crawler: Crawler) -> None:
    assert [name for name, doubted in is_doubted(crawler, MORE).items() if not doubted] == []


SAID = {
    "<nav class=pagination><button>1</button><button>2</button>…<button>9</button></nav>": "its pager has 9 pages that no link leads to",
    "<form><select name=oldal><option>1<option>2<option>3</select></form>": "its pager has 3 pages that no link leads to",
    "<button>Load more</button>": "it has 'Load more'",
    "<button>Postagens mais antigas</button>": "it has 'Postagens mais antigas'",
    "<form method=post action='/l?page=2'><button>Tovább a többihez</button></form>": "it has '/l?page=2'",
    "<div role=button>További hírek betöltése</div>": "it has 'További hírek betöltése'",
    "<button>Mostrar mais notícias</button>": "it has 'Mostrar mais notícias'",
    "<span class=load-more>Noch mehr davon</span>": "it has 'Noch mehr davon'",
    "<a href=#>Show more articles</a>": "it has 'Show more articles'",
    "<script src=/js/infinite-scroll.min.js></script>": "it has 'infinite-scroll.min.js'",
    "<p><a href='javascript:go(1)'>1</a> <a href='javascript:go(2)'>2</a></p>": "its pager has 2 pages that no link leads to",
    "<ul><li data-page=1>1<li data-page=2>2<li data-page=3>3</ul>": "its pager has 3 pages that no link leads to",
    "<td>1</td><td><a href='#' onclick=post(2)>2</a></td><td><a href='#'>3</a></td>": "its pager has 3 pages that no link leads to",
    "<form method=post><input type=submit value=Következő></form>": "it has 'Következő'",
    "<div hx-get='/l?page=2' hx-trigger=revealed></div>": "it has '/l?page=2'",
    "<a href='#/page/2'>tovább</a>": "it has '#/page/2'",
}


def test_what_only_scripts_bring_is_told_by_what_shows_it(crawler: Crawler) -> None:
    is_doubted(crawler, {beside: ("/l", beside) for beside in SAID})
    reasons = {gap["column"]: gap["reason"].replace(f"/l{gap['column'][1:]}", "/l") for gap in crawler.status()["gaps"]}
    assert [said for number, said in enumerate(SAID.values()) if said not in reasons.get(f"c{number}", "")] == []


def test_what_shows_nothing_of_the_kind_is_not(crawler: Crawler) -> None:
    assert [name for name, doubted in is_doubted(crawler, NO_MORE).items() if doubted] == []


BUTTONS = [
    *(f"<button>{text}</button>" for text in (
        "Show more columns", "Load more columns", "Load more reviews", "Load more results", "Load more videos", "Load more items",
        "Load more interviews", "Load more blog posts", "Load more press releases", "Show more opinion", "More columns",
        "Show older columns", "Older columns", "Weitere Kolumnen laden", "Mehr Kommentare laden", "Még több vélemény",
        "Show all 45 columns", "Blorp")),
    "<button id=more class=btn data-page=2 data-total=6>Show more columns</button>",
    "<button aria-label='Load more'><svg></svg></button>",
    "<div><button type=button>Blorp</button><p>8 of 45</p></div>",
    "<div class=center><a href=# data-next=2>Blorp</a></div>",
    "<p><span role=button>Blorp</span></p>",
    "<a href='javascript:more()'>Blorp</a>",
    "<nav><button>Blorp</button></nav>",
    "<form action='/' method=post><input type=hidden name=page value=2><button>Blorp</button></form>",
    "<button aria-controls=list>Blorp</button>",
    "<button><svg></svg></button>",
    "<load-more page=2></load-more>",
]  # fmt: skip


def test_what_stands_below_a_list_and_leads_nowhere_may_bring_more_in_whatever_language(crawler: Crawler) -> None:
    cards = "".join(f"<li class=card><h3><a href=/c/{number}>Column {number}</a></h3></li>" for number in range(8))
    crawler.rules = "archive: {url: '{home}', item: li.card, link: h3 a}\n"
    missed = []
    for button in BUTTONS:
        crawler.portal.script["/"] = f"<html><body><main><h1>Opinion</h1><ul id=list>{cards}</ul>{button}</main></body></html>"
        if crawler.crawl("--archive-only", "--full") != FAILURES:
            missed.append(button)
    assert missed == []


@pytest.mark.parametrize("count", ["{first}-{last} of 8", "2 of 8 articles", "Showing {first} to {last} of 8 entries", "8 von 8 Beiträgen"])
def test_what_pages_say_of_all_articles_is_compared_with_those_of_all_pages(crawler: Crawler, count: str) -> None:
    for number in range(4):
        said = count.format(first=2 * number + 1, last=2 * number + 2)
        older = f"<a class=older href=/l/{number + 1}>{UNKNOWN}</a>" if number < 2 else ""
        crawler.portal.script[f"/l/{number}"] = listing(2 * number, 2 * number + 1, more=f"<p>{said}</p>{older}")
    crawler.rules = "archive: {url: HOME/l/0, item: li.t, next: a.older}\n"
    assert crawler.crawl("--archive-only") == FAILURES, crawler.said
    assert "and the walk saw 6 links" in " ".join(crawler.said.split())
    crawler.rules = "archive: {url: 'HOME/l/{page}', item: li.t, pages: {mode: infinite, start: 0}}\n"
    assert crawler.crawl("--archive-only") == OK, crawler.said


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.nightly)])
def test_the_words_alone_are_enough_in_the_languages_of_common_software(crawler: Crawler, every: int) -> None:
    labels = enumerate(label for _, _, label in LABELS[::every])
    pagers = {f"{number} {label}": ("/l", f"<p><a href=/m/zr{number}>{label}</a></p>") for number, label in labels}
    assert len({system for system, _, _ in LABELS}) >= 8
    assert [name for name, doubted in is_doubted(crawler, pagers).items() if not doubted] == []


@pytest.mark.parametrize("label", [UNKNOWN, ""], ids=["an unknown word", "a picture"])
def test_what_the_pagers_of_common_software_are_called_is_enough(crawler: Crawler, label: str) -> None:
    pagers = {name: ("/l", markup.format(url=f"/m/zr{number}", label=label)) for number, (name, markup) in enumerate(MARKUP.items())}
    assert [name for name, doubted in is_doubted(crawler, pagers).items() if not doubted] == []


@pytest.mark.parametrize("beside", [0, 1, 3], ids=["words", "numbers", "all numbers"])
def test_pages_that_count_downwards_go_on_and_are_proved_by_the_rule_that_follows_them(crawler: Crawler, beside: int) -> None:
    def page(number: int, label: str = "{} / 4. oldal (összesen 12 bejegyzés)") -> str:
        older = f"<a class=older href=/archives/P{number - 1}.html>« előző oldal</a>" if number > 1 else ""
        newer = f"<a class=newer href=/archives/P{number + 1}.html>következő oldal »</a>" if number < 4 else ""
        count = f"<span>{label.format(number)}</span>"
        numbers = [other for other in (4, 3, 2, 1) if 0 < abs(number - other) <= beside]
        others = " ".join(f"<a href=/archives/P{other}.html>{other}</a>" for other in numbers)
        return listing(*range(3 * number, 3 * number - 3, -1), more=f"<div class=lapozo>{older} {count} {newer} {others}</div>")

    for number in range(1, 5):
        crawler.portal.script["/" if number == 4 else f"/archives/P{number}.html"] = page(number)
    crawler.rules = "archive: {url: HOME/, item: li.t}\n"
    assert crawler.crawl() == FAILURES
    assert "leads to" in crawler.said
    crawler.rules = "archive: {url: HOME/, item: li.t, next: a.older}\n"
    assert crawler.crawl() == OK, crawler.said
    assert len(crawler.fetched) == 12


def test_who_says_how_a_list_is_ordered_does_not_say_that_its_page_is_the_only_one(crawler: Crawler) -> None:
    crawler.portal.script["/l"] = listing(1, 2, 3, more="<div class=pager><a href=/l/page/2>2</a></div>")
    crawler.rules = "archive: {url: HOME/l, item: li.t, pages: {order: newest-first}}\n"
    assert crawler.crawl() == FAILURES
    assert "Failed: archive: the only page; but the link '2'" in crawler.said


def test_a_page_that_is_the_only_one_by_a_persons_word_is_told_where_it_links_a_second(crawler: Crawler, tmp_path: Path) -> None:
    crawler.portal.script["/l"] = listing(1, 2, 3, more="<div class=pager><a href=/l/page/2>2</a></div>")
    crawler.rules = "archive: {url: HOME/l, item: li.t, pages: none}\n"
    assert crawler.crawl() == OK, crawler.said
    assert "proved by your word, `pages: none`; but the link '2'" in " ".join(crawler.said.split())
    assert "say `pages: none`" not in crawler.said
    (proof,) = crawler.status()["proofs"]
    assert "your word" in proof["ground"]
    shown = crawler.run("status")
    assert "your word" in shown.out and "a feed or a sitemap" not in shown.out
    report = tmp_path / "report.html"
    assert crawler.run("report", "-o", report).code == OK
    assert "your word" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize("column", ["first: {url: HOME/l/, pages: none}", "first: {url: HOME/l/}", "first: HOME/l/"])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("hosts", [1, 2])
def test_what_another_column_walks_is_no_page_that_no_rule_led_to(crawler: Crawler, column: str, is_first: bool, hosts: int) -> None:
    for page in range(1, 4):
        pager = "".join(f"<a href='/l/{f'{other}/' if other > 1 else ''}'>{other}</a> " for other in range(1, 4) if other != page)
        crawler.portal.script[f"/l/{page}/" if page > 1 else "/l/"] = listing(
            3 * page, 3 * page + 1, more=f"<div class=pager>{pager}</div>"
        )
    columns = [column, "others: {url: 'HOME/l/{page}/', pages: {mode: infinite, start: 2}}"]
    crawler.fetch = f"fetch: {{delay: 0s, retries: 0, timeout: 5s, concurrency: {hosts}}}\n"
    crawler.rules = f"archive: {{item: li.t}}\ncolumns:\n  {f'{chr(10)}  '.join(columns if is_first else columns[::-1])}\n"
    assert crawler.crawl() == OK, crawler.said
    assert "To look at" not in crawler.said, crawler.said
    assert [one["proved"] for one in crawler.status()["completeness"]] == [1, 1]
    assert crawler.fetched == {f"/c/{number}" for page in range(1, 4) for number in (3 * page, 3 * page + 1)}


def test_a_rule_for_read_more_misses_what_stands_whole_in_the_list_and_that_is_told_with_the_link_that_all_have(crawler: Crawler) -> None:
    def post(number: int) -> str:
        more = f"<p><a class=more href=/c/{number}>Tovább</a></p>" if number % 6 else ""
        return f"<h2 class=post><a href=/c/{number}>Cikk {number}</a></h2><p>Miről szól.</p>{more}"

    crawler.portal.script["/l"] = f"<html><body><div id=content>{''.join(map(post, range(1, 13)))}</div></body></html>"
    crawler.rules = "archive: {url: HOME/l, link: a.more}\n"
    assert crawler.crawl() == FAILURES
    assert "2 links that look like articles and that no rule took stand in the list of the picked ones" in crawler.said
    assert "`h2.post a` would take them" in crawler.said


def test_where_previous_leads_to_older_pages_the_rule_that_follows_it_is_not_doubted(crawler: Crawler) -> None:
    def page(number: int) -> str:
        older = f"<a rel=prev href=/index{number + 1}.html>« Předchozí</a>" if number < 3 else ""
        newer = f"<a rel=next href=/index{number - 1 or ''}.html>Následující »</a>" if number else ""
        return listing(*range(3 * number, 3 * number + 3), more=f"<div class=nav>{older} {newer}</div>")

    crawler.portal.script |= {f"/index{number or ''}.html": page(number) for number in range(4)} | {"/": page(0)}
    crawler.rules = "archive: {url: HOME/, item: li.t, next: 'a[rel=prev]'}\n"
    tried = crawler.curator("try", crawler.file, f"{crawler.portal.home}/", "--as", "archive", "--fetch", "--corpus", crawler.corpus)
    assert "Look at this" not in tried.out
    assert crawler.crawl() == OK, crawler.said
    assert len(crawler.fetched) == 12
    crawler.rules = "archive: {url: HOME/, item: li.t, next: 'a[rel=next]'}\n"
    assert crawler.crawl() == FAILURES


def test_what_is_a_list_itself_makes_no_archive_complete(crawler: Crawler, tmp_path: Path) -> None:
    text = "".join(f"<p>{'Ez egy hosszú mondat a folyóról és a hídról. ' * 6}</p>" for _ in range(4))
    teasers = "".join(
        f"<article><h2><a href=/c/{number}-cikk>Cikk {number} a hídról</a></h2><p>{'Rövid. ' * 30}</p></article>" for number in range(2, 12)
    )
    crawler.portal.script |= {
        "/": "<html><body><main><a href=/c/1-cikk>Kiemelt cikk a folyóról</a> <a href=/naplo/>Napló</a></main></body></html>",
        "/naplo/": f"<html><body><h1>Napló</h1><main>{teasers}</main></body></html>",
        "/c/1-cikk": f"<html><body><h1>Kiemelt cikk a folyóról</h1><article>{text}</article></body></html>",
    }
    crawler.rules = "archive: {url: HOME/, link: main a}\n"
    crawler.crawl()
    assert crawler.run("build", "--jobs", "1").code == OK
    report = tmp_path / "report.html"
    assert crawler.run("report", "-o", report).code == OK
    assert "1 page that it lists is a list itself: what these list may be missing" in report.read_text(encoding="utf-8")
