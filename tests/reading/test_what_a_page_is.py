"""What a page is: an article, a listing, a wall, an error, nothing; and nothing that may be an article is taken for another."""

from __future__ import annotations

import json
from typing import Any

import pytest
from case_files import cases
from read_bodies import portal_by
from seams import article_of

from webarticlecurator import Article, extract

SENTENCE = "A tanács hétfőn ülésezett, és hosszú vita után megszavazta az új hidat. "
SECTION = "https://pelda.example/hirek"


def teasers(count: int = 10, *, heading: str = "b", text: str = SENTENCE, to: str = "/cikk/") -> str:
    return "".join(
        f"<div class=elem><{heading}><a href='{to}{n}'>A város {n}. híre a hídról</a></{heading}><p>{text}</p></div>" for n in range(count)
    )


def read(body: str, /, url: str = SECTION, *, head: str = "", listing: dict[str, tuple[str, ...]] | None = None, **rules: Any) -> Article:
    page = f"<html><head>{head}</head><body><h1>Hírek</h1>{body}</body></html>"
    return article_of(page, url=url, portal=portal_by(**rules), listing=listing)


def test_the_gate_that_ghost_puts_in_place_of_the_rest_is_a_wall_however_much_stands_before_it() -> None:
    gate = '<aside class="gh-post-upgrade-cta"><h2>Csak előfizetőknek</h2></aside>'
    text = f"<article><h1>Hírek</h1><section class=gh-content>{f'<p>{SENTENCE}</p>' * 40}{{}}</section></article>"
    walled, whole = (read(text.format(end), "https://pelda.example/uj-hid/") for end in (gate, ""))
    assert (walled.outcome, whole.outcome) == ("paywall", "article")
    assert "aside.gh-post-upgrade-cta" in walled.reason


OF_TYPE = "<meta property=og:type content=article>"
PUBLISHED = "<meta property=article:published_time content=2024-05-01T10:00:00Z>"
WRITTEN = "<meta name=author content='Kovács Anna'>"
SITE = "<meta property=og:type content=website>"
JSON_LD = f"<script type=application/ld+json>{json.dumps({'@type': 'NewsArticle', 'datePublished': '2024-05-01'})}</script>"
PATHS_OF_LISTINGS = (
    *("/hirek/", "/entertainment_and_arts", "/hirek/page/300/", "/2024/05/02", "/tag/a-duna-menten-fekvo-varosok"),
    *("/lista/?page=7&sort=new", "/hirek?srsltid=AfmB123456&utm_id=123"),
)
PATHS_OF_ARTICLES = ("/hirek/megnyilt-az-uj-hid-vacon", "/cikk/379018", "/cikk.php?id=1", "/?p=3289", "/2024/05/02/megnyilt-az-uj-hid")


VIDEOS = "".join(
    f"<li class=video><a href=/video/{n}><img src=/{n}.jpg><span>Ez a {n}. videó szép hosszú címe</span></a> 3:1{n}</li>" for n in range(20)
)
PICTURES = "".join(f"<figure><a href=/k/{n}><img src=/{n}.jpg><figcaption>A vásár {n}. képe</figcaption></a></figure>" for n in range(24))
PRODUCTS = "".join(f"<li class=item><img src=/{n}.jpg><a href=/aru/{n}>Piros bögre {n}</a> <b>{n} 900 Ft</b></li>" for n in range(12))
NAMES = f"<main><p>{SENTENCE}</p>{''.join(f'<div><b>Piros bögre</b><i>{n} 900 Ft, raktáron</i></div>' for n in range(8))}</main>"
OWN_TEXTS = {
    "two sentences among teasers": f"<main><p>{SENTENCE}</p><p>{SENTENCE}</p>{teasers(heading='h3')}</main>",
    "a video": f"<main><video src=/v.mp4></video><p>{SENTENCE}</p><h2>További videók</h2><ul>{VIDEOS}</ul></main>",
    "many teasers": f"<div><div class=torzs>{f'<p>{SENTENCE * 2}</p>' * 4}</div>{teasers(60, heading='h3', text='')}</div>",
    "pictures with linked captions": f"<main><p>{SENTENCE}</p>{PICTURES}</main>",
}
SELF = "".join(f"<h2 id=hid><a href={{}}>A {n}. híd története</a></h2><p>{SENTENCE * 4}</p>" for n in range(9))
FORUM = "".join(f"<div><a href=/hozzaszolas/{n}>2024. május 1., 10:{n}</a><p>{SENTENCE}</p></div>" for n in range(9))
REVIEW = "".join(f"<p>{SENTENCE}<a href=/cikk/{n}>A város {n}. híre a hídról</a>, {SENTENCE}</p>" for n in range(9))
PARAGRAPHS = f"<p>{SENTENCE * 3}</p>" * 3
SHOP, DOCS = "https://pelda.example/bogrek", "https://pelda.example/docs/hidak"
MORE_LISTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "teasers with headings": (teasers(heading="h3"), {}),
    "links around teasers": (
        "".join(f"<div><a href=/cikk/{n}><b>A város {n}. híre a hídról</b><p>{SENTENCE}</p></a></div>" for n in range(9)) + SENTENCE,
        {},
    ),
    "a table": (
        f"<table>{''.join(f'<tr><td><a href=/c/{n}>A város {n}. híre a hídról</a><br>{SENTENCE}</td></tr>' for n in range(9))}</table>",
        {},
    ),
    "with an introduction": (f"<main><p>{SENTENCE}</p>{teasers(30)}<p>{SENTENCE}</p></main>", {}),
    **{f"teasers at {path}": (teasers(), {"url": f"https://pelda.example{path}"}) for path in PATHS_OF_LISTINGS + PATHS_OF_ARTICLES},
    **{f"called an article: {head}": (teasers(), {"head": head}) for head in (PUBLISHED, WRITTEN + OF_TYPE)},
    "a date on the page": (teasers(text=f"<i class=datum>2024. május 1.</i> {SENTENCE}"), {}),
    "names on a site": (NAMES, {"url": SHOP, "head": SITE}),
    "products": (f"<main><p>{SENTENCE * 2}</p><ul>{PRODUCTS}</ul></main>", {"url": SHOP}),
}
MORE_ARTICLES: dict[str, tuple[str, dict[str, Any]]] = {
    **{
        f"told thrice, by {path} too": (teasers(), {"url": f"https://pelda.example{path}", "head": OF_TYPE + PUBLISHED})
        for path in PATHS_OF_ARTICLES
    },
    **{f"told thrice: {head}": (teasers(), {"head": head}) for head in (OF_TYPE + PUBLISHED + WRITTEN, JSON_LD + WRITTEN)},
    "a few beside text": (f"<p>{SENTENCE * 4}</p>{teasers(7)}", {"url": "https://pelda.example/x/cikk-12345", "head": OF_TYPE}),
    "dated by the archive": (teasers(), {"listing": {"datePublished": ("2024-05-01",)}}),
    "dated by a rule": (f"<i>2024. május 1.</i>{teasers()}", {"metadata": {"datePublished": "i"}}),
    "teasers behind the article": (f"<article>{PARAGRAPHS * 2}<div>{teasers(8)}</div></article>", {}),
    "links in it": (f"<article>{PARAGRAPHS}{teasers(8, text='')}{PARAGRAPHS}</article>", {}),
    "a live blog": (teasers(to="#bejegyzes-"), {}),
    "links in sentences": (REVIEW, {}),
    "posts of a forum": (FORUM, {}),
    "posts by a rule": (teasers(), {"posts": {"liveblog": {"item": "div.elem", "title": "h3", "text": "p"}}}),
    "named and addressed as a listing": (f"<div class='archive category'><p>{SENTENCE * 3}</p></div>", {}),
    **{f"headings that lead to {href}": (SELF.format(*[href] * 9), {"url": DOCS}) for href in ("#hid", "/docs/hidak#hid", f"{DOCS}#hid")},
    "a post of a line": ("<body class=home><h1>A</h1><p>Ő: <a href=/e>Kisfaludi Kiss Éva</a></p>Jön.", {"url": f"{DOCS}/a.html"}),
    "links of one line": (f"<article><p>{SENTENCE * 9}</p><p>{'<a href=/x>itt</a> ' * 2_000}</p></article>", {"url": f"{DOCS}/1"}),
    **{
        f"{name}, {head}": (body, {"url": "https://pelda.example/hirek/raktartuz", "head": head})
        for name, body in OWN_TEXTS.items()
        for head in (OF_TYPE, PUBLISHED)
    },
    "text on a site": (f"<main>{PARAGRAPHS}</main>", {"url": SHOP, "head": SITE}),
    "names on a site, called an article": (NAMES, {"url": SHOP, "head": SITE + OF_TYPE + PUBLISHED}),
}


@pytest.mark.parametrize(
    ("outcome", "body", "more"),
    [("listing", *one) for one in MORE_LISTINGS.values()] + [("article", *one) for one in MORE_ARTICLES.values()],
    ids=[*MORE_LISTINGS, *MORE_ARTICLES],
)
def test_a_page_of_links_is_a_listing_unless_enough_says_that_it_is_an_article(outcome: str, body: str, more: dict[str, Any]) -> None:
    article = read(body, **more)
    assert article.outcome == outcome
    assert article.reason or outcome == "article"


def test_the_text_of_a_listing_is_its_links_whatever_date_it_bears() -> None:
    cards = "".join(f"<li><a href=/cikk/{n}>A város {n}. híre a hídról és a Dunáról</a>" for n in range(30))
    about = f"<div class=rolunk><p>{SENTENCE * 2}</p></div>"
    page = f"<html><head>{PUBLISHED}</head><body><div class=lista><ul>{cards}</ul></div>{about}</body></html>"
    listing = extract(page.encode(), SECTION)
    assert listing.outcome == "listing"
    assert "A város 29. híre" in listing.text


def test_lines_of_links_are_a_listing_at_an_address_like_an_articles() -> None:
    rows = "".join(
        f"<div class=sor><div class=cim><a href=/topic/{n}-mi-legyen-a-hiddal>Mi legyen a híddal, {n}. rész?</a></div>"
        f"<div class=ki>írta <a href=/user/anna>anna</a></div><div>{n}</div><div>3 éve</div></div>"
        for n in range(10)
    )
    board = f"<div class=lista><h1>Hidak és utak a városban</h1>{rows}</div>"
    assert read(board, url="https://pelda.example/forum/2-hidak-es-utak-a-varosban").outcome == "listing"
    assert read(board + f"<p>{SENTENCE * 9}</p>", url="https://pelda.example/forum/2-hidak-es-utak-a-varosban").outcome == "article"


FRONT = "https://pelda.example/belfold.html"
STORY = "<p>Átadták a hidat, és este már sor állt rajta, hiszen hónapok óta erre várt a város mindkét partja. </p>" * 4


def post(number: int, *, mark: str = "article", to: str = "/cikk/", text: str = STORY, heading: str = "h1") -> str:
    link = f"<a href='{to}{number}'>A város {number}. híre a hídról</a>"
    told = (
        f"<p class=byline><a rel=author href=/szerzo/anna>Kovács Anna</a> <time class=published datetime=2024-05-0{number}>2024</time></p>"
    )
    return (
        f"<{mark}><header><{heading}>{link}</{heading}>{told}</header>{text}<p><a href='{to}{number}'>Tovább…</a></p></{mark.split()[0]}>"
    )


def posts(count: int = 5, **more: str) -> str:
    return "".join(post(number, **more) for number in range(1, count + 1))


MARKS = ("article", "div")
PREVIEW = f"<article><h2><a href=/cikk/1>Megnyílt az új híd Vácon</a></h2>{STORY}<p><a href=/cikk/1>Tovább…</a></p></article>"
KULTURA = "https://pelda.example/kultura/"
CARD = f"<article><h2><a href=/kultura/1/uj-hid>Megnyílt az új híd Vácon</a></h2>{STORY}<a href=/kis-anna>Kis Anna</a></article>"
LONG_BEFORE = f"<main><p>{SENTENCE * 4}</p>{posts(9)}</main>"


def whole_posts(count: int, text: str = STORY) -> str:
    return "".join(f"<li><span>May {n}</span><h3><a href=/2024/{n}.html>The bridge of day {n}</a></h3>{text}</li>" for n in range(count))


LISTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"teasers, {mark}": (f"<main>{posts(mark=mark)}</main>", {}) for mark in MARKS},
    **{f"whole posts, {mark}": (f"<main>{posts(mark=mark, text=STORY * 9)}</main>", {}) for mark in MARKS},
    "called an article": (f"<main>{posts(heading='h2')}</main>", {"head": OF_TYPE}),
    "one post longer than all others": (f"<main>{post(1, text=STORY * 9)}{posts(text=STORY * 2)}</main>", {}),
    "one left for the last page": (posts(1), {"url": "https://pelda.example/index-8.html"}),
    "the only post of a day": (posts(1, text=STORY * 9), {"url": "https://pelda.example/2024/05/01/"}),
    "two whole posts of a month": (posts(2, text=STORY * 9), {"url": "https://pelda.example/naplo/2024/05/index.html"}),
    "a few sentences before them": (LONG_BEFORE, {}),
    "items with linked headings": (f"<main><ul>{whole_posts(5)}</ul></main>", {"url": "https://pelda.example/page/3/"}),
}


OWN = f"<h1>Megnyílt az új híd Vácon</h1>{STORY * 2}"
ARTICLES: dict[str, tuple[str, dict[str, Any]]] = {
    "related articles behind it": (f"<main><article>{OWN}</article><section>{posts(heading='h3')}</section></main>", {}),
    "within it": (f"<main><article>{OWN}{posts(heading='h3')}</article></main>", {}),
    "many within its box": (f"<main><div>{OWN}{posts(30, heading='h3')}</div></main>", {}),
    "a short one before them": (f"<main><p>{SENTENCE * 5}</p>{posts(4)}</main>", {}),
    "its own headline is a link": (
        f"<main><article><h1><a href='{FRONT}'>Megnyílt az új híd</a></h1>{STORY}</article>{posts()}</main>",
        {},
    ),
    "a page of a long one": (
        f"<main><article><h1><a href=/cikk/9>Megnyílt az új híd</a></h1>{STORY * 9}</article>{posts(3, text='<p>A híd.</p>')}</main>",
        {},
    ),
    "places on the page": (f"<main>{posts(to='#b')}</main>", {}),
    "places on the page by its address": (f"<main>{posts(to=f'{FRONT}#b')}</main>", {}),
    "a press review": (f"<main>{posts(to='https://mas.example/cikk/')}</main>", {}),
    "a few": (f"<main>{posts(2)}</main>", {}),
    "posts of a forum": ("".join(f"<article><h4><a href=/tag/{n}>Tag {n}</a></h4>{STORY}</article>" for n in range(9)), {}),
    "nothing leads on": (f"<main><h1>Kultúra</h1>{PREVIEW.replace('<p><a href=/cikk/1>Tovább…</a></p>', '')}</main>", {}),
    "behind a text": (f"<main><h1>Megnyílt az új híd</h1>{STORY * 3}{PREVIEW}</main>", {}),
    "one below another address": (f"<main><h1>Kultúra</h1>{CARD}</main>", {"url": "https://pelda.example/rovat-a-varosrol/"}),
    "a text above one": (f"<main><h1>Kultúra</h1>{STORY * 3}{CARD}</main>", {"url": KULTURA}),
    "two at an address of its own": (posts(2), {"url": "https://pelda.example/ket-hir.html"}),
    "one at the address of its day": (f"<main><article>{OWN}</article>{posts(2)}</main>", {"url": "https://pelda.example/2024/05/01/"}),
    "below a number": (posts(1), {"url": "https://pelda.example/cikk/2024/050"}),
    "dated by a rule": (posts(), {"metadata": {"datePublished": "time"}}),
    "a few sentences, dated": (LONG_BEFORE, {"head": PUBLISHED}),
    "told by its canonical address": (posts(), {"head": "<link rel=canonical href=http://www.pelda.example/cikk/2/>"}),
    "its address, spelled otherwise": (posts(), {"url": "https://www.pelda.example/cikk/2/"}),
    "its address, third page": (posts(), {"url": "https://pelda.example/cikk/2/oldal/3"}),
    "two items": (f"<main><ul>{whole_posts(2)}</ul></main>", {}),
    "items behind a text": (f"<main>{OWN}<ul>{whole_posts(5)}</ul></main>", {"url": "https://pelda.example/page/3/"}),
    "items, told so thrice": (f"<main><ul>{whole_posts(5)}</ul></main>", {"head": OF_TYPE + JSON_LD + WRITTEN}),
    "items that lead nowhere": (
        f"<main><ul>{whole_posts(5).replace('href=/2024/', 'href=#')}</ul></main>",
        {"url": "https://pelda.example/page/3/"},
    ),
}


@pytest.mark.parametrize(
    ("outcome", "body", "more"),
    [("listing", *one) for one in LISTINGS.values()] + [("article", *one) for one in ARTICLES.values()],
    ids=[*LISTINGS, *ARTICLES],
)
def test_several_articles_that_lead_to_pages_of_their_own_are_a_listing_unless_beside_a_text_of_its_own(
    outcome: str, body: str, more: dict[str, Any]
) -> None:
    rules = {name: value for name, value in more.items() if name not in ("head", "url")}
    article = extract(f"<head>{more.get('head', '')}</head><body>{body}", more.get("url", FRONT), portal_by(**rules))
    assert article.outcome == outcome


# --- paywalls, nothing, and what the rules say ---

GATE = "<div class=paywall>Fizessen elő a folytatáshoz!</div>"


@pytest.mark.parametrize(
    ("declared", "text", "gate", "outcome", "observed"),
    [
        ("false", SENTENCE, "", "paywall", "teaser only"),
        ("false", SENTENCE * 40, "", "article", "full text"),
        ("true", SENTENCE, GATE, "article", None),
        (None, SENTENCE, GATE, "paywall", "teaser only"),
        (None, SENTENCE, "<div class=betalvagg>Bli prenumerant för att läsa vidare.</div>", "paywall", "teaser only"),
        (None, SENTENCE, "<div class=paywall></div>", "article", None),
        (None, SENTENCE, "", "article", None),
    ],
)
def test_a_teaser_is_said_to_be_one_declared_and_observed_apart(
    declared: str | None, text: str, gate: str, outcome: str, observed: str | None
) -> None:
    metadata = {"isAccessibleForFree": {"const": declared}} if declared else {}
    article = read(f"<div class=b><p>{text}</p></div>{gate}", f"{SECTION}/1-hid", body={"root": "div.b"}, metadata=metadata)
    assert article.outcome == outcome
    assert article.flags == ((f"access as observed: {observed}",) if observed else ())
    assert "conditionsOfAccess" not in article.metadata, "that would be the publisher's to say"


@pytest.mark.parametrize(
    ("end", "box", "outcome"),
    [
        ("A polgármester azt mondta, hogy", "subscribe-box", "paywall"),
        ("A polgármester azt mondta…", "elofizetes", "paywall"),
        ("A polgármester nem szólt.", "subscribe-box", "article"),
        ("A polgármester azt mondta, hogy", "about", "article"),
    ],
)
def test_a_text_that_breaks_off_in_front_of_an_offer_is_a_teaser(end: str, box: str, outcome: str) -> None:
    offer = f"<div class={box}><p>Fizessen elő, és olvassa tovább!</p></div>"
    page = f"<body><article><h1>Új híd</h1><p>{SENTENCE * 3}</p><p>{end}</p></article>{offer}</body>"
    assert extract(page, f"{SECTION}/1-hid").outcome == outcome


def test_lists_of_links_and_many_teasers_are_listings_whatever_the_page_says() -> None:
    links = "".join(f"<li><a href=/cikk/{n}>A város {n}. híre a hídról</a></li>" for n in range(30))
    said = {"head": OF_TYPE + PUBLISHED, "url": "https://pelda.example/hirek/a-hidak-egy-helyen-2024"}
    assert read(f"<main><ul>{links}</ul></main>", **said).outcome == "listing"
    assert read(f"<main>{teasers(30)}</main>", **said).outcome == "listing"
    assert read(f"<main>{PARAGRAPHS * 3}<ul>{links}</ul></main>", **said).outcome == "article"


@pytest.mark.parametrize(
    ("page", "outcome"),
    [
        ("</p></p>", "unreadable"),
        (b"\xff" * 20, "empty"),
        ("<p><img src=a.jpg></p>", "article"),
        ("<p><iframe src=/v></iframe></p>", "article"),
        ("<div><blockquote><img src=a.jpg></blockquote></div>", "article"),
        ("<p><script>x</script></p>", "empty"),
    ],
)
def test_odd_input_ends_in_an_outcome(page: str | bytes, outcome: str) -> None:
    article = extract(page, "https://pelda.example/cikk/1", portal_by(body={"root": ["p", "div"]}))
    assert article.outcome == outcome
    assert article.reason or outcome == "article"


def test_a_page_that_the_rules_skip_is_no_article_and_the_home_page_is_a_listing() -> None:
    skipped = extract("<p class=hiba>x", SECTION, portal_by(articles={"skip": {"when": ["p.hiba"]}}))
    assert (skipped.outcome, skipped.reason) == ("not-article", "articles.skip.when: p.hiba")
    assert extract("<div class=b>hír</div>", "https://pelda.example/", portal_by(body={"root": "div.b"})).outcome == "listing"


# --- pages that say that they are not there ---

REQUEST_TO_SEARCH = "Kérjük, használja a keresőt, vagy térjen vissza a kezdőlapra, ahol legfrissebb híreinket olvashatja. "
DATE = '<meta property="article:published_time" content="2024-05-01T10:00:00+02:00">'


def told(
    title: str, heading: str = "", *, text: str = REQUEST_TO_SEARCH, head: str = "", url: str = "https://pelda.example/cikk/1"
) -> Article:
    page = f"<head><title>{title}</title>{head}</head><body><main><h1>{heading}</h1><p>{text}</p></main></body>"
    listing = {"headline": ("Új híd épül",), "datePublished": ("2024-05-01",)}
    return article_of(page, url=url, portal=portal_by(), listing=listing)


@cases("title, heading", "reading/cases/a-page-that-says-that-it-is-not-there-is-no-article")
def test_a_page_that_says_that_it_is_not_there_is_no_article(title: str, heading: str) -> None:
    article = told(title, heading)
    assert article.outcome == "not-article"
    assert "not there" in article.reason


def test_a_rule_that_finds_the_date_of_a_box_beside_makes_it_none() -> None:
    page = "<h1>Page not found</h1><p>It was removed.</p><aside><time datetime=2024-05-01></time></aside>"
    assert article_of(page, portal=portal_by(metadata={"datePublished": {"css": "time", "attr": "datetime"}})).outcome == "not-article"


@pytest.mark.parametrize(
    ("title", "heading", "more", "outcome"),
    [
        ("404 Not Found", "", {"url": "https://pelda.example/2024/05/01/hid"}, "not-article"),
        ("Page not found", "", {"head": DATE}, "article"),
        ("Page not found", "", {"text": SENTENCE * 20}, "article"),
        ("Page not found: what 404 means", "What 404 means", {}, "article"),
        ("404 new jobs at the port", "404 new jobs at the port", {}, "article"),
        ("Új híd épül", "Nem található a híd", {}, "article"),
        ("Nincs ilyen oldal | Példa", "", {"head": DATE, "url": "https://pelda.example/404.html"}, "not-article"),
        ("Új híd épül | Példa", "", {"head": DATE, "url": "https://pelda.example/404.html"}, "article"),
    ],
    ids=[
        *("a date in the address", "a date", "a text", "a longer title", "another number", "another thing"),
        *("a date, at the address of errors", "an article there"),
    ],
)
def test_an_article_is_one_whatever_it_is_called(title: str, heading: str, more: dict[str, str], outcome: str) -> None:
    assert told(title, heading, **more).outcome == outcome


@pytest.mark.parametrize(
    ("root", "kind", "outcome"), [("div.c", "comments", "empty"), ("div.b", "comments", "article"), ("div.c", "forum", "article")]
)
def test_comments_alone_are_no_article(root: str, kind: str, outcome: str) -> None:
    comments = f"<ul><li class=k><b>Anna</b><p>{SENTENCE}</p></li><li class=k><b>Béla</b><p>{SENTENCE}</p></li></ul>"
    posts = {kind: {"item": "li.k", "author": "b", "text": "p"}}
    article = read(f"<div class=b><p>{SENTENCE * 9}</p></div>{comments}", f"{SECTION}/1-hid", body={"root": root}, posts=posts)
    assert article.outcome == outcome
