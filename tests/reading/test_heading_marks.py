"""The mark at a heading that leads to the heading itself is nobody's text."""

from __future__ import annotations

import pytest
from lxml import etree
from trial_portal import page_of, portal_of
from working_time import at_most

from webarticlecurator.extraction.article import read_article
from webarticlecurator.extraction.heading_marks import heading_marks
from webarticlecurator.model.article import plain_text

URL = "https://pelda.example/a-dam"
TEXT = "<p>The council met on Monday, and after a long debate it voted for the new dam. It is to be built by May.</p>"


def headings(html: str) -> tuple[str | None, list[str]]:
    """The headline, and the headings of the text."""
    page = page_of(f"<html><body><article>{html}</article></body></html>", URL)
    article = read_article([page], portal_of(), id="pelda-1", identity=URL, url=URL)
    return article.title, [plain_text(block) for block in article.blocks if block.type in ("heading", "subheading")]


@pytest.mark.parametrize("mark", ["\u00b6", "#", "\u00a7", "<svg></svg>", ""])
def test_the_mark_that_leads_to_its_heading_is_left_out(mark: str) -> None:
    def heading(tag: str, id: str, text: str) -> str:
        return f'<{tag} id="{id}">{text}<a class="headerlink" href="#{id}" title="Permanent link">{mark}</a></{tag}>'

    assert headings(heading("h1", "a-dam", "A dam") + TEXT + heading("h2", "why", "Why it is built") + TEXT) == (
        "A dam",
        ["Why it is built"],
    )


@pytest.mark.parametrize(("id", "href"), [("why%3F", "why%3F"), ("why?", "why%3F"), ("why?", "why?")])
def test_the_name_of_a_heading_may_be_written_as_in_addresses(id: str, href: str) -> None:
    assert headings(f'<h1>A dam</h1>{TEXT}<h2 id="{id}">Why? <a href="#{href}">#</a></h2>{TEXT}') == ("A dam", ["Why?"])


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
    page = page_of(f"<html><body><article><h1>A dam</h1>{TEXT * 3}{marked}{TEXT}</article></body></html>", URL)
    article = read_article([page], portal_of(), id="pelda-1", identity=URL, url=URL)
    told = "".join(map(plain_text, article.blocks))
    assert "A map" in told
    assert "#" not in told


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


def test_thousands_of_headings_in_headings_cost_no_more_than_as_many_beside_one_another() -> None:
    root = inner = etree.Element("body")
    for number in range(2000):
        inner = etree.SubElement(inner, "h2", id=f"i{number}")
        etree.SubElement(inner, "a", href=f"#i{number}").text = "#"
    with at_most(2):
        assert len(list(heading_marks(root))) == 2000
