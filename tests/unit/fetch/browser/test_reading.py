"""What is read of a page is what a person sees of it, whatever its scripts made of the DOM."""

from __future__ import annotations

import lxml.html
import pytest
from browser_portal import HOST, BrowserPortal

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_page_without_scripts_stays_what_it_was(portal: BrowserPortal) -> None:
    page = (
        '<!DOCTYPE html><html lang="hu"><head><meta charset="utf-8"><title>A &amp; B</title><style>p > b { color: red }</style>'
        '<script type="application/ld+json">{"a": "<b> & c"}</script></head><body class="x"><!-- a remark --><p title="&quot;q&quot;">'
        "Árvíz&nbsp;1 &lt; 2<br>tűrő</p><pre>\n\nline</pre><textarea>&lt;p&gt;</textarea><noscript><img src=a.png></noscript>"
        "<template><p>no</p></template>"
        '<svg viewBox="0 0 1 1"><linearGradient id="g"></linearGradient></svg></body></html>'
    )
    portal.page("/plain", page)
    assert portal.html("/plain").removeprefix("<!DOCTYPE html>\n") == page.removeprefix("<!DOCTYPE html>")


def test_frames_of_the_same_site_are_written_in_and_others_are_not_asked_for(portal: BrowserPortal) -> None:
    portal.page("/inner/frame", '<p>In the frame <a href="more">more</a></p>')
    portal.page(
        "/framed",
        '<iframe src="/inner/frame"></iframe><iframe src="http://advert.example/x"></iframe><iframe srcdoc="<p>own</p>"></iframe>',
    )
    fetched = portal.show("/framed")
    assert fetched.capture is not None
    html = fetched.capture.entity.decode()
    assert f'<div><p>In the frame <a href="http://{HOST}/inner/more">more</a></p></div>' in html
    assert "<div><p>own</p></div>" in html
    assert [exchange.request.url for exchange in fetched.loaded] == [f"http://{HOST}/inner/frame"]


def test_a_page_cannot_break_out_of_what_is_read(portal: BrowserPortal) -> None:
    portal.page(
        "/breaks",
        """<body><script>
        document.body.setAttribute("title", '"><i>attribute</i>');
        document.body.append(document.createComment("--><i>comment</i>"), document.createTextNode("<i>text</i>"));
        const style = document.createElement("style"); style.textContent = "</sty" + "le><i>style</i>"; document.body.append(style);
        </script>""",
    )
    tree = lxml.html.document_fromstring(portal.html("/breaks"))
    assert tree.xpath("//i") == []


def test_what_a_page_does_to_its_own_world_does_not_change_what_is_read(portal: BrowserPortal) -> None:
    portal.page(
        "/bends",
        """<body><p>seen</p><script>
        String.prototype.replace = String.prototype.replaceAll = () => "bent"; Array.prototype.toJSON = () => "bent";
        Object.defineProperty(Node.prototype, "childNodes", {get: () => []}); WeakMap.prototype.get = () => { throw 1 };
        JSON.stringify = () => "bent"; document.querySelector = () => { throw 2 }; window.curator = null;</script>""",
    )
    assert "<p>seen</p>" in portal.html("/bends")


def test_a_tree_of_any_depth_is_read(portal: BrowserPortal) -> None:
    portal.page(
        "/deep",
        """<body><script>let at = document.body;
        for (let n = 0; n < 2500; n++) at = at.appendChild(document.createElement("div")); at.append("the bottom");</script>""",
    )
    assert "the bottom" in portal.html("/deep")


def test_half_characters_do_no_harm(portal: BrowserPortal) -> None:
    portal.page("/half", r"<body><script>document.body.append('a\ud800b \u{1F600}')</script>")
    assert "\U0001f600" in portal.html("/half")


def test_a_page_is_read_as_it_is_encoded(portal: BrowserPortal) -> None:
    portal.give("/latin", "<body><p>árvíz</p>".encode("iso-8859-2"), "text/html; charset=iso-8859-2")
    assert "<p>árvíz</p>" in portal.html("/latin")
