"""The mark at a heading that leads to the heading itself is nobody's text."""

from __future__ import annotations

import pytest
from seams import portal_of

from webarticlecurator import Article, extract

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
