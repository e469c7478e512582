"""What a visitor sees: pages of invented sites, in the shape of the software that is used most."""

from __future__ import annotations

import pytest
from case_files import cases
from seams import article_of, portal_of
from told import ld as data

from webarticlecurator import Article, extract

URL = "https://pelda.example/2024/05/gat"


def seen(html: str, url: str = URL, **rules: object) -> Article:
    return article_of(f"<title>A gát átszakadt – Példa</title>{html}", url=url, portal=portal_of(title="Példa Hírek", **rules))


def told(html: str, name: str, url: str = URL) -> list[str]:
    return [found.value for found in seen(html, url).metadata.get(name, ())]


CLASSIC = """<header class="site-header"><nav><a href="/category/sport/">Sport</a></nav></header>
<main><article class="post type-post hentry category-belfold tag-eso">
<header class="entry-header"><h1 class="entry-title">A gát átszakadt</h1></header>
<div class="entry-content"><p>A folyó reggel elöntötte a rétet, és délre a falu széléig ért.</p></div>
<footer class="entry-footer"><div class="posted-by">
<span class="posted-on">Közzétéve <time class="entry-date published" datetime="2024-05-01T10:00:00+02:00">május 1.</time>
<time class="updated" datetime="2024-05-03T09:00:00+02:00">május 3.</time></span>
<span class="byline">Szerző: <a href="https://pelda.example/author/eva/" rel="author">Kiss Éva</a></span></div>
<div class="post-taxonomies"><span class="cat-links">Kategória: <a href="/category/belfold/" rel="category tag">Belföld</a></span>
<span class="tags-links">Címkék: <a href="/tag/eso/" rel="tag">eső</a>, <a href="/tag/folyo/" rel="tag">folyó</a></span></div>
</footer></article>
<div id="comments"><article class="comment-body"><footer><div class="comment-author vcard"><b class="fn">Nagy Pál</b></div>
<time datetime="2024-05-02T11:00:00+02:00">május 2.</time></footer><p>Hű!</p></article></div></main>
<aside class="widget-area"><section class="widget"><a href="/tag/foci/" rel="tag">foci</a></section></aside>"""

BLOCKS = """<main><h1 class="wp-block-post-title">A gát átszakadt</h1>
<div class="wp-block-group"><div class="wp-block-post-date"><time datetime="2024-05-01T10:00:00+02:00">május 1.</time></div>
<p>·</p><div class="wp-block-post-author-name"><a href="/author/eva/" class="wp-block-post-author-name__link">Kiss Éva</a></div>
<div class="taxonomy-category wp-block-post-terms"><a href="/category/belfold/" rel="tag">Belföld</a></div></div>
<div class="entry-content wp-block-post-content"><p>A folyó reggel elöntötte a rétet, és délre a falu széléig ért.</p></div>
<div class="taxonomy-post_tag wp-block-post-terms">
<a href="/tag/eso/" rel="tag">eső</a><span>, </span><a href="/tag/folyo/" rel="tag">folyó</a></div>
<ul class="wp-block-post-template"><li><h2><a href="/2024/05/masik">Másik hír</a></h2>
<div class="wp-block-post-date"><time datetime="2024-05-09"></time>
</div><div class="wp-block-post-author-name">Nagy Pál</div></li></ul></main>"""

STATIC = """<header><h1><a href="/">Példa</a></h1></header><section id="content"><article><header><h2 class="entry-title">
<a href="/gat.html" rel="bookmark">A gát átszakadt</a></h2></header><div class="entry-content"><footer class="post-info">
<abbr class="published" title="2024-05-01T10:00:00+02:00">Sze 01 május 2024</abbr><br>
<abbr class="modified" title="2024-05-03T09:00:00+02:00"></abbr>
<address class="vcard author">By <a class="url fn" href="/author/kiss-eva.html">Kiss Éva</a></address>
<p>In <a href="/category/belfold.html">Belföld</a>.</p><p>tags:
<a href="/tag/eso.html">eső</a> <a href="/tag/folyo.html">folyó</a></p></footer>
<p>A folyó reggel elöntötte a rétet, és délre a falu széléig ért.</p></div></article></section>
<footer><address>Készült géppel, <a href="/author/gep.html">Gép Elek</a></address></footer>"""

MICROFORMATS = """<article class="h-entry"><h1 class="p-name">A gát átszakadt</h1><p>
<time class="dt-published" datetime="2024-05-01T10:00:00+02:00">május 1.</time> <a class="p-author h-card" href="/about-us/eva">Kiss Éva</a>
<time class="dt-updated" datetime="2024-05-03T09:00:00+02:00"></time> <a href="/rovat/belfold">Belföld</a></p>
<div class="e-content"><p>A folyó reggel elöntötte a rétet, és délre a falu széléig ért.</p></div>
<p><a class="p-category" href="/cimkek/eso">eső</a> <a class="p-category" href="/cimkek/folyo">folyó</a></p></article>"""


HUGO = """<main><article class="post-single"><header class="post-header"><div class="breadcrumbs"><a href="/">Home</a>&nbsp;»&nbsp;
<a href="/belfold/">Belföld</a></div><h1 class="post-title">A gát átszakadt</h1><div class="post-meta">
<span title="2024-05-01 10:00:00 +0200 CEST">május 1.</span>&nbsp;·&nbsp;3 min&nbsp;·&nbsp;Kiss Éva</div></header>
<div class="post-content"><p>A folyó reggel elöntötte a rétet.</p></div><footer class="post-footer"><ul class="post-tags">
<li><a href="/tags/eso/">eső</a></li><li><a href="/tags/folyo/">folyó</a></li></ul><nav class="paginav"><a href="/b/">Másik</a></nav>
</footer></article></main>"""

HUNGARIAN = """<meta property="og:locale" content="hu_HU">
<nav class="menu"><a href="/rovat/sport">Sport</a></nav><div class="cikk"><a class="rovat" href="/rovat/belfold">Belföld</a>
<h1>A gát átszakadt</h1><div class="cikk-adatok"><a href="/szerzo/kiss-eva">Kiss Éva</a>
<span class="datum">2024. május 1. 10:00</span></div>
<p>A folyó reggel elöntötte a rétet.</p><div class="cimkek"><a href="/cimke/eso">eső</a> <a href="/cimke/folyo">folyó</a></div></div>"""

GERMAN = """<meta property="og:locale" content="de_DE">
<article><p class="kicker">Hochwasser</p><h1>A gát átszakadt</h1>
<div class="meta"><span>Von <a href="/autoren/kiss-eva">Kiss Éva</a></span>
<time datetime="2024-05-01T10:00:00+02:00">1. Mai 2024, 10:00 Uhr</time></div><p>A folyó reggel elöntötte a rétet.</p>
<p>Themen: <a href="/thema/eso">eső</a>, <a href="/thema/folyo">folyó</a></p>
<footer><a href="/ressort/belfold">Belföld</a></footer></article>
<section><h2>Mehr</h2><article><h3><a href="/c">C</a></h3><time datetime="2024-05-09"></time><p>Von Paul Groß</p></article></section>"""


KINDS = {
    "classic theme": CLASSIC,
    "block theme": BLOCKS,
    "static site": STATIC,
    "microformats": MICROFORMATS,
    "Hugo": HUGO,
    "Hungarian": HUNGARIAN,
    "German": GERMAN,
}


@pytest.mark.parametrize("html", KINDS.values(), ids=KINDS)
def test_portals_and_generators_of_many_kinds_say_who_and_when_by_their_markup(html: str) -> None:
    found = {name: [one.value for one in values] for name, values in seen(html, language=None).metadata.items()}
    assert found["author"] == ["Kiss Éva"]
    assert found["datePublished"] == ["2024-05-01T10:00:00+02:00"]
    assert found.get("articleSection", ["Belföld"]) == ["Belföld"]
    assert found.get("keywords", ["eső", "folyó"]) == ["eső", "folyó"]
    assert "keywords" in found and "articleSection" in found
    assert found.get("dateModified", ["2024-05-03T09:00:00+02:00"]) == ["2024-05-03T09:00:00+02:00"]


HEADING = "<h1>A gát átszakadt</h1>"
TEXT = "<p>A folyó reggel elöntötte a rétet, és délre a falu széléig ért.</p>"
EVA, ANN, BOB = "<a href='/szerzo/kiss-eva'>Kiss Éva</a>", "<a href='/author/ann'>Ann Lee</a>", "<a href='/author/bob'>Bob Ray</a>"
ON_ITS_OWN, UPDATED = "<p><time datetime='2024-05-01'>május 1.</time></p>", "<p>Frissítve: <time datetime='2024-05-03'></time></p>"
TOPICS = [f"<a href='/tema/{number}'>téma {number}</a>" for number in range(20)]
THREE = ["téma 0", "téma 1", "téma 2"]
ROVAT = "<footer><p>Rovat: <a href='/rovat/kulfold'>Külföld</a></p></footer>"
SEVERAL = "".join(f"<a rel='category tag' href='/category/{name}/'>{name}</a>, " for name in ("Zene", "Város"))
OTHER = "<div><h2><a href='/masik'>Egy másik cikk</a></h2><p><a rel='category tag' href='/category/Sport/'>Sport</a></p></div>"
THING = "<div itemscope itemtype='https://schema.org/Article'><b itemprop=author>{}</b></div>"
TURKISH = (
    "<html lang=tr><article><h1>Göçmen kuşlar</h1><div class=post-meta-container><div class=post-meta><span>İçinde</span> "
    "<a href=/categories/Haber/><span>Haber</span></a> , <a href=/categories/Yerel/><span>Yerel</span></a> <span>Okuma Süresi ≈</span> "
    "<span>14 dk.</span></div><div class=post-description>Ada Vapurları İşletmesi, “Kimse mağdur edilmeyecek,” açıklamasıyla yetindi."
    "</div></div><p>Kuşlar erken döndü.</p></article>"
)
HEADED_BOX = (
    '<aside class=sidebar><p>2024. január 9.</p></aside><h1>A gát átszakadt</h1><div><h3><a href="/component/comprofiler/userprofile/eva">'
    'Kiss Éva</a></h3><p class="date">2024. május 1.</p></div><p>A folyó kiöntött.</p>'
)


def ld(author: object) -> str:
    return data({"@type": "NewsArticle", "headline": "A gát átszakadt", "author": author})


def outlet(below: str) -> str:
    return ld({"@type": "Organization", "name": "Példa Hírek"}) + HEADING + below


def article(inside: str) -> str:
    return f"<article>{HEADING}{inside}</article>"


def posted(line: str) -> str:
    facts = f"<dl><div><dt>Posted by</dt><dd>{line}</dd></div><div><dt>Published</dt><dd><time datetime=2024-05-01>1</time></dd></div></dl>"
    return f"<main>{HEADING}{facts}{TEXT}</main>"


AUTHORS: dict[str, list[tuple[str, list[str]]]] = {
    "by link and line": [
        (article(f"<div class=x1><a href='https://y.example/team/ann-lee/'>Ann Lee</a></div>{TEXT}"), ["Ann Lee"]),
        (article(f"{TEXT}<div>By <a href='/author/lukasz-zol'>Łukasz Żół</a> <a href='/author/an'>Ann</a></div>"), ["Łukasz Żół", "Ann"]),
        (article(f"<div class=x2><a href='https://z.example/@anni'>Anni</a></div>{TEXT}"), ["Anni"]),
        (article(f"<div class=x2><a href='/members/login'>Register</a></div>{TEXT}"), []),
        (f"{HEADING}{TEXT * 20}<p>Egy tag lehet akár <b>by</b> <code>Page Author</code> vagy más.</p>", []),
        (article(f"<address>Von <b>Jörg Maaß</b>, Bonn</address>{TEXT}"), ["Jörg Maaß"]),
        (
            f"{HEADING}<p class=post-meta><i>1 mai</i> <a href='/rubrique/eau'>Eaux Vives</a> <i>Anne Roy</i> <i>3 min</i></p>{TEXT}",
            ["Anne Roy"],
        ),
        (f"<div>{HEADING}<p>Reviewed by {BOB}</p><p>By {ANN}</p>{TEXT}</div>", ["Ann Lee"]),
    ],
    "entries without a heading of their own are the article's": [
        (f"{HEADING}<article>{TEXT}</article><article><h2>10:20</h2><p class=byline>Írta: <a>Kiss Éva</a></p></article>", ["Kiss Éva"]),
    ],
    "a name ends where its element does": [
        (f"{HEADING}{TEXT}<div class=x-author-box><h4 class=x-author-box__name>Ann Lee</h4><p>Founder at Peak</p></div>", ["Ann Lee"]),
        (f"{HEADING}<p class=author>Ann Lee<span>Founder at Peak</span></p>{TEXT}", ["Ann Lee"]),
    ],
    "microdata of several articles are those of others": [
        (HEADING + THING.format("Kiss Éva"), ["Kiss Éva"]),
        (HEADING + THING.format("Nagy Pál") + THING.format("Kiss Éva"), []),
    ],
    "links to several in one folder, however they are listed": [
        (
            f"{HEADING}<div class=authors><b>Szerzők</b><ul><li><a href=/ki/a>Kiss Éva</a><li><a href=/ki/b>Nagy Pál</a></ul></div>{TEXT}",
            ["Kiss Éva", "Nagy Pál"],
        ),
        (f"{HEADING}<p class=author>By <a href=/ki/eva>Kiss Éva</a>. Reviewed by <a href=/ki/pal>Nagy Pál</a></p>{TEXT}", ["Kiss Éva"]),
    ],
    "no label and its value, where nothing else tells a name": [
        (f"{HEADING}<p class=post-meta><i>זמן קריאה: 5 דקות</i></p>{TEXT}", []),
        (f"{HEADING}<p class=post-meta><i>עודכן: 2024-05-01</i></p>{TEXT}", []),
        (f"{HEADING}<p class=post-meta><i>श्रेणी: शिक्षा</i></p>{TEXT}", []),
    ],
    "a byline beside the headline goes before the outlet": [
        (outlet(f"<p>Írta: Kiss Éva</p>{TEXT}"), ["Kiss Éva"]),
        (outlet(f"<a href='/team/kiss-eva'>Kiss Éva</a>{TEXT}"), ["Kiss Éva"]),
        (outlet(f"{TEXT * 20}<p>Szöveg: Nagy Pál</p>"), ["Példa Hírek"]),
    ],
    "one word is a name where it is all of a byline": [
        (f"{HEADING}<p>{line}</p><p>A folyó elöntötte a rétet.</p>", ["vandorfi"])
        for line in ("By vandorfi on <time>2024-05-01</time> in Sport", "By <b>vandorfi</b>", "Írta: <b>vandorfi</b>")
    ],
    "the beginning of a sentence is no byline": [
        (f"{HEADING}<p>{line}</p><p>A folyó elöntötte a rétet.</p>", [])
        for line in ("by hand", "By <b>using</b> this site you agree.", "By <a href='/x'>default</a>", "By evening the dam broke.")
    ],
    "neither a section called like a byline nor a lead beside it": [(TURKISH, [])],
    "names in a line are all read whichever of them are links": [
        (posted("<a href=/r/kiss>Kiss Éva</a> and Nagy Pál"), ["Kiss Éva", "Nagy Pál"]),
        (posted("Kiss Éva és <a href=/r/nagy>Nagy Pál</a>"), ["Kiss Éva", "Nagy Pál"]),
        (posted("Kiss Éva, <a href=/r/nagy>Nagy Pál</a> és <a href=/r/ban>Bán Ida</a>"), ["Kiss Éva", "Nagy Pál", "Bán Ida"]),
        (posted("<a href=/r/kiss>Kiss Éva</a>, Nagy Pál és <a href=/r/ban>Bán Ida</a>"), ["Kiss Éva", "Nagy Pál", "Bán Ida"]),
        (posted("<a href=/r/kiss>Kiss Éva</a>, Nagy Kálló"), ["Kiss Éva"]),
    ],
    "who made a picture is none": [
        (
            f"<main>{HEADING}<figure><img src=/k.jpg><figcaption><div class=doc_credits>Kiss Éva</div></figcaption></figure>{TEXT}</main>",
            [],
        ),
    ],
}
CHANGED = (
    "Cập nhật lần cuối",
    "Τελευταία ενημέρωση:",
    "آخر تحديث:",
    "Dernière modification :",
    "Poslední změna",
    "Последна промяна",
    "最后修改",
)
"""What says in some languages that a date is that of a change."""
SECTIONS: dict[str, list[tuple[str, list[str]]]] = {
    "in the breadcrumbs or beside the headline": [
        (
            f"<nav aria-label=Breadcrumb><a href='/'>Home</a> › <a href='/w'>World</a> › <b>A gát átszakadt</b></nav>{HEADING}{TEXT}",
            ["World"],
        ),
        (f"<ol class=breadcrumb><li><a href='/'>Home</a><li><a href='/w'>World</a><li><a href='{URL}'>A gát</a></ol>{HEADING}", ["World"]),
        (f"<ol class=breadcrumb><li><a href='/'>Home</a><li><a href='/g'>Gát</a></ol>{HEADING}{TEXT}", ["Gát"]),
        (f"<a href='/kategoria/kulfold'>Külföld</a>{HEADING}{TEXT}", ["Külföld"]),
        (f"<p><a href='/kategoria/kulfold'>Külföld</a> <a href='/kategoria/zene'>Zene</a></p>{HEADING}{TEXT}", ["Külföld", "Zene"]),
        (article(TEXT * 30) + ROVAT, []),
        (f"<p class=chapeu><a href='/secao/cultura/1/'>Cultura</a></p>{HEADING}{TEXT}", ["Cultura"]),
        (f"{HEADING}{TEXT * 30}<p><a href='/kategoria/kulfold'>Külföld</a></p>", []),
        (article(f"{TEXT * 30}<footer><p>Rovat: <a href='/kategoria/kulfold'>Külföld</a></p></footer>"), ["Külföld"]),
    ],
    "categories that stand together are all sections and those of other articles are none": [
        (article(f"{TEXT * 30}<footer>{SEVERAL}</footer>") + OTHER, ["Zene", "Város"]),
    ],
}
KEYWORDS: dict[str, list[tuple[str, list[str]]]] = {
    "a short list of links to topics": [
        (article(f"{TEXT}<p>{' '.join(TOPICS[:3])}</p>"), THREE),
        (article(f"{TEXT}<p>{' '.join(TOPICS)}</p>"), []),
        (article(f"{TEXT}<div>{''.join(f'<span><i>{link}</i></span>' for link in TOPICS[:3])}</div>"), THREE),
        (f"{HEADING}{TEXT}<p><a href='/?tag=eso'>eső</a></p>", ["eső"]),
        (f"{HEADING}<p>Délelőtt <a href='/tema/eso'>eső</a> volt, aztán kisütött a nap, és mindenki hazament.</p>", []),
        (f"{HEADING}{TEXT}<a href='https://bolt.example/dp/B1/?tag=pelda-20'>Esernyő</a>", []),
    ],
    "a list behind a word for topics, where nothing else tells them": [
        (article(f"{TEXT}<div><h4>{label}</h4><ul><li><a href=/s/1>gát</a></li><li><a href=/s/2>folyó</a></li></ul></div>"), expected)
        for label, expected in (("More about", ["gát", "folyó"]), ("Schlagworte:", ["gát", "folyó"]), ("Ajánlatunk", []))
    ]
    + [(article(f"{TEXT}<ul class=tags><li><a rel=tag href=/t/1>川</a></li><li><a rel=tag href=/t/2>祭り</a></li></ul>"), ["川", "祭り"])]
    + [(article(f"{TEXT}<p>Tags: <a href=/s/1>gát</a>, <a href=/s/2>folyó</a></p>"), ["gát", "folyó"])]
    + [(article(f"{TEXT}<div><h4>More on</h4><a href=/cikk>A folyó délre a falu széléig ért, és nem állt meg</a></div>"), [])],
}
PUBLISHED: dict[str, list[tuple[str, list[str]]]] = {
    "not by what was updated": [
        (f"{HEADING}<p><time class=updated datetime='2024-05-03'></time> <time datetime='2024-05-01'></time></p>", ["2024-05-01"]),
        *((f"{HEADING}<p><i>{word} <time>2024-05-03</time></i></p>{ON_ITS_OWN}", ["2024-05-01"]) for word in CHANGED),
        (f"<meta name=date content=2024-05-01>{HEADING}{TEXT}<p>Gewirkt am <time datetime=2024-05-03></time></p>", ["2024-05-01"]),
        (f"{HEADING}{UPDATED}{ON_ITS_OWN}", ["2024-05-01"]),
        (f"{HEADING}{UPDATED}", ["2024-05-03"]),
        (f"{HEADING}<p>Módosítva: <time datetime='2024-05-03'></time></p>", []),
    ],
    "a headed box about the author is no teaser": [(HEADED_BOX, ["2024-05-01"])],
    "not by the teaser of another article in a side column": [
        (f"{HEADING}{TEXT * 20}<div><h4><a href=/b>A folyó délre</a></h4><p><i>2025-11-22</i></p></div>", []),
        (f"{HEADING}<div><h4><a href=/staff/ann>Ann Lee</a></h4><p><i>2024-05-01</i></p></div>{TEXT * 20}", ["2024-05-01"]),
    ],
    "not by a list of the newest articles": [
        (
            f"{HEADING}{TEXT * 20}<ul><li><a href=/b>A folyó délre a falu széléig ért</a> <time>2025-11-22</time><li>B</ul>",
            [],
        ),
    ],
}
MODIFIED: dict[str, list[tuple[str, list[str]]]] = {
    "when it was updated": [
        (f"{HEADING}<p><time class=updated datetime='2024-05-03'></time> <time datetime='2024-05-01'></time></p>", ["2024-05-03"]),
        (f"{HEADING}{UPDATED}{ON_ITS_OWN}", ["2024-05-03"]),
        (f"{HEADING}{ON_ITS_OWN}<p>Last edited: <time datetime='2024-05-03'></time></p>", ["2024-05-03"]),
        (f"{HEADING}{ON_ITS_OWN}<p>Reviewed: <time datetime='2024-05-03'></time></p>", []),
        (f"{HEADING}<p>Published <time>May 1, 2024, updated May 3, 2024</time></p>", ["2024-05-03"]),
        (f"{HEADING}<p>Reviewed May 3, 2024</p>", []),
    ],
}
FIELDS = {
    "author": AUTHORS,
    "articleSection": SECTIONS,
    "keywords": KEYWORDS,
    "datePublished": PUBLISHED,
    "dateModified": MODIFIED,
}


@pytest.mark.parametrize(
    ("field", "cases"),
    [pytest.param(field, cases, id=f"{field}: {name}") for field, named in FIELDS.items() for name, cases in named.items()],
)
def test_what_tells_a_field(field: str, cases: list[tuple[str, list[str]]]) -> None:
    url = "https://pelda.example/gat"
    assert [told(html, field, url) for html, _ in cases] == [expected for _, expected in cases]


@pytest.mark.parametrize(
    "others",
    [
        "<article><h2><a href='/b'>B</a></h2><a rel=author href='/a/pal'>Nagy Pál</a><time datetime='2024-05-09'></time></article>",
        "<ol class=comments><li><p class='vcard'><b class=fn>Nagy Pál</b> <time class=published datetime='2024-05-09'></time></li></ol>",
        "<footer><a rel=author href='/author/pal'>Nagy Pál</a> <time datetime='2024-05-09'></time></footer>",
        "<aside class=sidebar><p class=byline>Írta: Nagy Pál</p><time datetime='2024-05-09'></time></aside>",
    ],
    ids=["other articles", "comments", "the page's foot", "the side"],
)
def test_bylines_and_dates_of_others_are_not_the_articles(others: str) -> None:
    html = f"<div class=top>{{}}</div><main><article>{HEADING}{TEXT}<p>{{}}</p></article></main>{others}"
    own = "<a rel=author href='/author/eva'>Kiss Éva</a> <time datetime='2024-05-01'></time>"
    assert [told(html.format("", own), field) for field in ("author", "datePublished")] == [["Kiss Éva"], ["2024-05-01"]]
    assert told(html.format(others, ""), "author") == []


# --- the pages of authors ---


@pytest.mark.parametrize(
    ("html", "url"),
    [
        (f"{HEADING}<p class=byline>Írta: <a href='/author/eva'>Kiss Éva</a></p>", "https://pelda.example/author/eva"),
        (ld({"@type": "Person", "name": "Kiss Éva", "url": "https://pelda.example/eva"}), "https://pelda.example/eva"),
        (ld({"name": "Kiss Éva", "sameAs": ["https://mind.example/@eva"]}), "https://mind.example/@eva"),
        (ld({"name": "Kiss Éva", "url": "https://pelda.example/"}), ""),
        (ld({"name": "Kiss Éva"}) + f"{HEADING}<a href='/author/eva'>Kiss Éva</a>", "https://pelda.example/author/eva"),
        (ld({"name": "Kiss Éva", "@id": "https://pelda.example/#/schema/person/6ed2"}), ""),
        (ld({"name": "Kiss Éva"}) + f"{HEADING}<a href='/author/pal'>Nagy Pál</a>", ""),
        (f"{HEADING}<p class=byline>Írta: <a href='/kiss-eva'>Kiss Éva</a></p>", ""),
        (f"{HEADING}<p class=byline>Írta: Kiss Éva <i>szerkesztette:</i> <a href='/team/nagy-pal'>Nagy Pál</a></p>", ""),
        (
            f"{HEADING}<p itemscope itemtype='https://schema.org/Article'><b itemprop=author itemscope itemtype='https://schema.org/Person'>"
            "<a itemprop=url href='/eva'><i itemprop=name>Kiss Éva</i></a></b></p>",
            "https://pelda.example/eva",
        ),
    ],
)
def test_an_author_is_told_from_namesakes_by_their_page(html: str, url: str) -> None:
    (author,) = seen(html).metadata["author"]
    assert (author.value, author.url) == ("Kiss Éva", url)


MANUAL = "".join(f"<p>{number}. A page begins with a block of lines, which the program reads before the text.</p>" for number in range(5))


CRUMBS = {"/": "Országos portál", "http://www.pelda.example/org/hu/": "Vissza az elejére", "/org/hu/hirek": "Hírek", URL: "A gát"}
LINKED = f"<ol class=breadcrumb>{''.join(f'<li><a href={url}>{name}</a>' for url, name in CRUMBS.items())}</ol>"
ADDRESSES = {"text": lambda url: url, "@id": lambda url: {"@id": url}, "url": lambda url: {"@type": "WebPage", "url": url}}
LISTED = {
    f"JSON-LD, {form}": data({"@type": "BreadcrumbList", "itemListElement": [{"name": CRUMBS[url], "item": item(url)} for url in CRUMBS]})
    for form, item in ADDRESSES.items()
}


@pytest.mark.parametrize("crumbs", [LINKED, *LISTED.values()], ids=["links", *LISTED])
@pytest.mark.parametrize(("home", "section"), [("https://pelda.example/org/hu", "Hírek"), ("https://pelda.example/", "Vissza az elejére")])
def test_crumbs_that_lead_to_the_front_page_are_no_section(crumbs: str, home: str, section: str) -> None:
    (found,) = seen(f"{crumbs}{HEADING}{TEXT}", home=home).metadata["articleSection"]
    assert found.value == section


@pytest.mark.parametrize("tag", ["pre", "code", "textarea"])
@cases("written", "reading/cases/a-sample-of-code-tells-nothing-of-the-page")
def test_a_sample_of_code_tells_nothing_of_the_page(tag: str, written: str) -> None:
    sample = f"<{tag}>{written}</{tag}>"
    for block in sample, f"<p>Begin it so: {sample}</p>", f"<div class='author post-date'>{sample}</div>":
        for page in f"<h1>How to write a page</h1>{block}{MANUAL}", f"<h1>How to write a page</h1>{MANUAL}{block}", f"{block}{MANUAL}":
            read = extract(f"<title>How to write a page</title><main>{page}</main>", "https://pelda.example/manual/write").metadata
            assert not [one for found in read.values() for one in found if "Jane" in one.raw or "2019" in one.value]


def test_what_stands_beside_a_sample_of_code_tells_of_the_page() -> None:
    told = (
        "<p class=post-meta>By <a rel=author href=/author/anna-kis>Anna Kis</a> on <span class=date>1 May 2024 <code>v1.2</code></span></p>"
    )
    page = f"<main><h1>How <code>front</code> is written</h1>{told}{MANUAL}<pre>date: 2019-01-01\nauthor: Jane Doe</pre></main>"
    read = extract(page, "https://pelda.example/manual/write").metadata
    values = {name: [one.value for one in read[name]] for name in ("headline", "author", "datePublished")}
    assert values == {"headline": ["How front is written"], "author": ["Anna Kis"], "datePublished": ["2024-05-01"]}
