"""What pages show in the place of something else, how words are read, and what shows nothing: no text, but accounted for."""

from __future__ import annotations

import pytest
from read_bodies import body_of, left_out, portal_by, sketch
from seams import document_of, portal_of

from webarticlecurator import Article, extract

RUNNING = "<p>A város tegnap átadta az új hidat a folyó fölött, és sokan voltak ott.</p>"

PLACEHOLDERS = (
    "<h2>External content is not available</h2>",
    "<p><b>Back</b> to video</p>",
    "<div>This video has failed to load.</div>",
    "<p>Mit dem Laden des Videos akzeptieren Sie die Bestimmungen von Pelda.</p>",
    "<p>Ez a videó nem érhető el.</p>",
)

ADDRESS = "<label for=e>Az e-mail címed</label><input id=e type=email>"
FIELDS = (
    ADDRESS,
    "<label>A neved <input name=n></label>",
    "<div><label for=h>Hol laksz?</label></div><div><textarea id=h></textarea></div>",
    f"<fieldset><legend>Milyen gyakran?</legend><label><input type=radio> Hetente</label> {ADDRESS}</fieldset>",
)


@pytest.mark.parametrize(
    ("html", "expected", "rule"),
    [
        # what stands in the place of a player
        *((f"<p>egy</p>{one}<p>kettő</p>", "paragraph(egy) paragraph(kettő)", "placeholder") for one in PLACEHOLDERS),
        # labels of fields into which readers enter something
        *((f"<p>egy</p><div>{one}</div><p>kettő</p>", "paragraph(egy) paragraph(kettő)", "form") for one in FIELDS),
        # control characters within words
        ("<p>be\x03tű \x02 kar\x7fika</p>", "paragraph(betű karika)", "invisible"),
    ],
)
def test_what_is_no_text_is_left_out_by_a_rule_of_that_name(html: str, expected: str, rule: str) -> None:
    assert sketch(html) == expected
    assert {rule.partition(":")[0] for rule in left_out(body_of(html))} == {rule}


@pytest.mark.parametrize(
    "html",
    [
        # labels that fold a text, answers of a quiz, and words that are long enough to be text
        f"<div><input type=radio id=t1><label for=t1>Linux</label><div>{RUNNING}</div></div>",
        "<form><p>Melyik híd a régebbi?<p><label><input type=radio> A lánchíd</label><p><label><input type=radio> A másik</label></form>",
        f"<label>{RUNNING} Aki ott volt, írja meg, mit látott.<input name=n></label>",
        f"<div>{RUNNING * 9}<label>Ítélet</label><input type=search></div>",
        "<p>Back to video games: what a year it was for those who play them.</p>",
        f"<p>Video unavailable, said the page. {'It had been there a day before. ' * 20}</p>",
        "<pre>Video unavailable</pre>",
    ],
)
def test_a_text_about_such_things_stays(html: str) -> None:
    assert left_out(body_of(html)) == {}
    assert body_of(html).text


# --- how words are read ---


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>の橋", "paragraph(ruby[東京]の橋)"),
        ("<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>", "paragraph(ruby[東]ruby[京])"),
        ("<ruby><rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt></ruby>", "paragraph(ruby[東京])"),
        ("a <ruby>橋</ruby>", "paragraph(a 橋)"),
    ],
)
def test_how_words_are_read_is_no_text(html: str, expected: str) -> None:
    assert sketch(html) == expected


def test_a_document_has_it_beside_them() -> None:
    article = body_of(
        "<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>の<b><ruby>橋<rt>はし</rt></ruby></b></p><blockquote>a<cite>橋</cite></blockquote>"
    )
    assert article.text.split("\n")[0] == "東京の橋"
    document = document_of(article, portal_by()).decode()
    assert "<ruby><rb>東</rb><rt>とう</rt></ruby><ruby><rb>京</rb><rt>きょう</rt></ruby>の" in document
    assert '<hi rend="bold"><ruby><rb>橋</rb><rt>はし</rt></ruby></hi>' in document


# --- characters ---


def test_words_of_elements_that_begin_a_line_do_not_grow_together_where_they_are_left_out() -> None:
    html = "<p>a</p><div class=x><summary>One</summary>Two<center>Three</center><menu>Four</menu></div>"
    assert set(left_out(body_of(html, {"decompose": [".x"]})).values()) == {"One Two Three Four"}


# --- pictures ---


@pytest.mark.parametrize(
    ("frame", "is_caption"),
    [
        ("<div><img src=/k.jpg><span>A híd este</span></div>", True),
        ("<span><img src=/k.jpg><small>A híd este</small></span>", True),
        ("<aside class=kep><img src=/k.jpg><p>A híd este</p></aside>", True),
        ("<aside><figure><img src=/k.jpg><figcaption>A híd este</figcaption></figure></aside>", True),
        ("<aside><img src=/k.jpg><a href=/x>A híd este</a></aside>", False),
        ("<div><img src=/k.jpg><a href=/x>Egy másik cikk</a></div>", False),
        ("<div><img src=/k.jpg><p>Egy</p><p>Kettő</p></div>", False),
        (f"<div><img src=/k.jpg><p>{'Egy mondat a hídról. ' * 20}</p></div>", False),
        ("<p><img src=/k.jpg>Egy mondat</p>", False),
    ],
)
def test_a_line_alone_with_a_picture_amid_a_text_is_its_caption_and_other_text_is_text(frame: str, is_caption: bool) -> None:
    expected = "figure@/k.jpg(caption(A híd este))" if is_caption else "caption("
    assert (expected in sketch(RUNNING + frame + RUNNING)) is is_caption


@pytest.mark.parametrize(
    "html", ["<p>Az &amp;amp; jel a HTML-ben &amp; másutt</p>", "<p>Az &amp;amp; jele</p>", "<p>Az &amp;lt; és az &amp;amp; jel</p>"]
)
def test_a_page_that_writes_of_entities_keeps_them(html: str) -> None:
    assert "&amp;" in body_of(html).text


@pytest.mark.parametrize(
    ("picture", "is_shown"),
    [
        ("<img class='site-logo' src=/k.png>", False),
        ("<img class=avatar src=/anna.jpg>", False),
        ("<img src=/img/spinner.gif>", False),
        ("<img src=/icons/icon-mail.png width=32>", False),
        ("<img src=/logo-history.png width=640>", True),
        ("<img src=/header-icon-review.jpg>", True),
        ("<figure><img src=/logo.png></figure>", True),
    ],
)
def test_icons_and_the_like_are_no_pictures_of_the_text_unless_large_or_in_a_figure(picture: str, is_shown: bool) -> None:
    found = sketch(f"<p>a</p>{picture}<p>b</p>")
    assert "figure@/" in found if is_shown else found == "paragraph(a) paragraph(b)"


def test_a_heading_with_another_one_behind_it_is_a_section_and_the_last_of_all_is_a_line() -> None:
    document = document_of(body_of("<h2>A</h2><h3>B</h3><p>c</p><h3>D</h3><h2>E</h2>"), portal_by()).decode()
    assert [line for line in document.split("\n") if line.startswith("<head>")] == [f"<head>{name}</head>" for name in "ABD"]
    assert [line.partition(">")[2] for line in document.split("\n") if 'type="heading"' in line] == ["E</label>"]


# --- the mark at a heading that leads to the heading itself ---

TEXT = "<p>The council met on Monday, and after a long debate it voted for the new dam. It is to be built by May.</p>"


def read(html: str) -> Article:
    return extract(f"<html><body><article>{html}</article></body></html>", "https://pelda.example/a-dam", portal_of())


def headings(html: str) -> tuple[str | None, list[str]]:
    """The headline, and the headings of the text."""
    article = read(html)
    lines = article.text.split("\n")
    return article.title, [line for line in lines if line.startswith("Why")]


@pytest.mark.parametrize("mark", ["\u00b6", "#", "\u00a7", "<svg></svg>", ""])
def test_the_mark_that_leads_to_its_heading_is_left_out(mark: str) -> None:
    def heading(tag: str, id: str, text: str) -> str:
        return f'<{tag} id="{id}">{text}<a class="headerlink" href="#{id}" title="Permanent link">{mark}</a></{tag}>'

    assert headings(heading("h1", "a-dam", "A dam") + TEXT + heading("h2", "why", "Why it is built") + TEXT) == (
        "A dam",
        ["Why it is built"],
    )


@pytest.mark.parametrize("href", ["#why", "#dams"])
def test_a_heading_that_is_as_a_whole_a_link_to_itself_is_none(href: str) -> None:
    article = read(
        f'<h1>A dam</h1>{TEXT * 3}<h2 id="why"><a class="header-anchor" href="{href}"><span>Why it is built</span></a></h2>{TEXT * 3}'
    )
    (heading,) = (block for block in article.blocks if block.type == "heading")
    (written,) = heading.children
    assert (written if isinstance(written, str) else written.type) == ("Why it is built" if href == "#why" else "link")


@pytest.mark.parametrize(
    "marked",
    [
        '<figure id="map"><img src="m.png"><figcaption>A map<a href="#map">#</a></figcaption></figure>',
        '<table id="map"><caption>A map<a href="#map">#</a></caption><tr><td>1</td><td>2</td></tr></table>',
        '<div class="code-caption"><p id="map">A map<a class="headerlink" href="#map">#</a></p></div>',
    ],
    ids=["a figure", "a table", "whatever Sphinx marks"],
)
def test_so_is_that_of_a_caption(marked: str) -> None:
    text = read(f"<h1>A dam</h1>{TEXT * 3}{marked}{TEXT}").text
    assert "A map" in text
    assert "#" not in text


@pytest.mark.parametrize("around", ["<h2 id=why>Why it is built{}</h2>", "<div><h2 id=why>Why it is built</h2>{}</div>"])
def test_so_is_one_that_says_aloud_what_is_not_seen(around: str) -> None:
    seen, aloud = (
        "<span aria-hidden=true><svg></svg></span>",
        "<span class=sr-only>The part of this page that is called “Why it is built”</span>",
    )
    mark = f'<a class=anchor-link href="#why">{seen}{aloud}</a>'
    assert headings(f"<h1>A dam</h1>{TEXT * 3}{around.format(mark)}{TEXT * 3}")[1] == ["Why it is built"]


@pytest.mark.parametrize("link", ['<a href="#fn1">*</a>', '<a href="#why">built</a>', '<a href="https://pelda.example/c">#</a>'])
def test_any_other_link_in_a_heading_stays(link: str) -> None:
    shown = link.partition(">")[2].partition("<")[0]
    assert headings(f'<h1>A dam</h1>{TEXT}<h2 id="why">Why it is {link}</h2>{TEXT}')[1] == [f"Why it is {shown}"]
