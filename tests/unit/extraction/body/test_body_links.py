"""Links and the addresses of pictures: absolute, valid as anyURI, with the original where they were repaired."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from rewriting import BASE, blocks_of, sketch

from webarticlecurator.extraction.body.links import any_uri, decoded_address, link_target
from webarticlecurator.extraction.body.media import media_target
from webarticlecurator.model.article import Inline
from webarticlecurator.urls import join

PLAIN = "https://mas.example/a/b.html?x=1&y=%C3%A1"
ADDRESS = bytes([0x11, *(byte ^ 0x11 for byte in b"anna@pelda.example")]).hex()
PROTECTED = f"https://mas.example/cdn-cgi/l/email-protection#{ADDRESS}"


@pytest.mark.parametrize(
    ("written", "url", "original"),
    [
        (PLAIN, PLAIN, None),
        ("/a/b", "https://pelda.example/a/b", None),
        (f"{PLAIN}#k", f"{PLAIN}#k", None),
        ("/a?x=1#k", "https://pelda.example/a?x=1#k", None),
        ("/a/../b", "https://pelda.example/b", None),
        (PROTECTED, "mailto:anna@pelda.example", PROTECTED),
        ("2?x=1#k", "https://pelda.example/cikk/2?x=1#k", None),
        ("#lap", "https://pelda.example/cikk/1#lap", None),
        ("//mas.example/a", "https://mas.example/a", None),
        ("mailto:anna@pelda.example", "mailto:anna@pelda.example", None),
        ("  /a  ", "https://pelda.example/a", None),
        ("/a b", "https://pelda.example/a%20b", "/a b"),
        ("/á", "https://pelda.example/%C3%A1", "/á"),
        ("/a?x[]=1", "https://pelda.example/a?x%5B%5D=1", "/a?x[]=1"),
        ("/100%", "https://pelda.example/100%25", "/100%"),
        ("/a#b#c", "https://pelda.example/a#b%23c", "/a#b#c"),
        ("www.mas.example/a", "http://www.mas.example/a", "www.mas.example/a"),
        ("http://https://mas.example/", "https://mas.example/", "http://https://mas.example/"),
        ("http:/mas.example/a", "http://mas.example/a", "http:/mas.example/a"),
        ("htp://mas.example/a", "http://mas.example/a", "htp://mas.example/a"),
    ],
)
def test_a_link_is_absolute_and_keeps_what_was_repaired(written: str, url: str, original: str | None) -> None:
    assert link_target(written, BASE) == (url, original)


@given(st.from_regex(r"/(?!/)[a-zA-Z0-9/._~%&=;:@-]*(\?[a-z0-9/%&=-]*)?(#[a-z0-9/-]*)?", fullmatch=True))
def test_a_path_leads_where_a_browser_would_go(path: str) -> None:
    found = link_target(path, BASE)
    assert found is not None
    assert found.url == any_uri(join(BASE, path) or "")


@given(
    written=st.from_regex(r"([a-g0-9_~%][a-z0-9._~%&=;@-]*(/[a-z0-9./:%]*)?)?(\?[a-z0-9/:%&=?-]*)?(#[a-z0-9/:?-]+)?", fullmatch=True),
    base=st.sampled_from([BASE, "https://pelda.example", "https://pelda.example/a/../b/c?d=1#e", "https://pelda.example/[á]/b c?d=[é]"]),
)
def test_a_relative_link_leads_where_a_browser_would_go(written: str, base: str) -> None:
    found = link_target(written, base)
    assert (found.url if found else "") == (any_uri(join(base, written) or "") if written else "")


@pytest.mark.parametrize(
    "written", [None, "", " ", "#", "javascript:void(0)", "JavaScript:x", "data:text/html,x", "http://", "HTTPS:/// ", "about:blank"]
)
def test_a_link_to_nowhere_is_none(written: str | None) -> None:
    assert link_target(written, BASE) is None


@pytest.mark.parametrize("written", ["http://a b/", "http://[::1", "/" + "x" * 9_000, "/cdn-cgi/l/email-protection#00ff"])
def test_a_link_that_no_address_can_be_made_of_keeps_what_stood_there(written: str) -> None:
    assert link_target(written, BASE) == (None, written[:8_000])
    (paragraph,) = blocks_of(f"<p><a href='{written}'>szó</a></p>")
    assert paragraph.children == (Inline(type="link", children=("szó",), original_url=written[:8_000]),)


def test_so_does_a_picture_unless_it_has_another_address() -> None:
    (figure,) = blocks_of("<img src='http://[kep.jpg'>")
    assert (figure.type, figure.url, figure.original_url) == ("figure", None, "http://[kep.jpg")
    assert sketch("<img data-src='http://[kep.jpg' src=/kep.jpg>") == "figure@/kep.jpg()"
    pictures = "<figure><img src='http://[a.jpg'><img src='http://[b.jpg'></figure>"
    (gallery,) = blocks_of(pictures)
    assert [picture.original_url for picture in gallery.children] == ["http://[a.jpg", "http://[b.jpg"]


@pytest.mark.parametrize(
    ("html", "tags", "expected"),
    [
        ("<div class=k data-n='http://[a'><img src=/b.jpg></div>", {"figure": [{"css": ".k", "url": "data-n"}]}, "figure@/b.jpg()"),
        ("<blockquote class=twitter-tweet cite='http://[a'>a <a href=/b>b</a></blockquote>", None, "social@/b(paragraph(a link@/b[b]))"),
        ("<div class=lejatszo data-src='http://[a'><a href=/b>b</a></div>", {"embed": [".lejatszo"]}, "embed@/b(caption(link@/b[b]))"),
    ],
)
def test_an_address_that_is_one_goes_before_one_that_is_none(html: str, tags: dict | None, expected: str) -> None:
    assert sketch(html, tags) == expected


@pytest.mark.parametrize("url", ["a b", "a[1]", "%", "a#b#c", "é", "a|b{}\\", "100%zz"])
def test_repairing_twice_is_repairing_once(url: str) -> None:
    assert any_uri(any_uri(url)) == any_uri(url)


def test_protected_mail_addresses_are_decoded() -> None:
    assert decoded_address(ADDRESS) == "anna@pelda.example"
    html = f"<a class=__cf_email__ data-cfemail={ADDRESS} href='/cdn-cgi/l/email-protection'>[email&#160;protected]</a>"
    assert sketch(html) == "paragraph(link@mailto:anna@pelda.example[anna@pelda.example])"
    html = f"<a href='/cdn-cgi/l/email-protection#{ADDRESS}'>írjon</a>"
    assert sketch(html) == "paragraph(link@mailto:anna@pelda.example[írjon])"


def test_addresses_that_a_script_undoes_are_decoded() -> None:
    html = "<span class=exturl data-url={}>írjon</span>"
    assert sketch(html.format("aHR0cHM6Ly9wZWxkYS5leGFtcGxlL2E/Yj0x")) == "paragraph(link@/a?b=1[írjon])"
    assert sketch(html.format("/cikk/1")) == "paragraph(írjon)"


@pytest.mark.parametrize("code", ["", "zz", "1", "00ff", "41", "41" * 3])
def test_what_is_no_protected_address_stays(code: str) -> None:
    assert decoded_address(code) is None


@pytest.mark.parametrize(
    ("html", "url"),
    [
        ("<img src=/k.jpg>", "/k.jpg"),
        ("<img src='data:image/gif;base64,R0' data-src=/k.jpg>", "/k.jpg"),
        ("<img src=/blank.gif data-original=/k.jpg>", "/k.jpg"),
        ("<img src=/ures/placeholder.png data-lazy-src=/k.jpg>", "/k.jpg"),
        ("<img src='data:x' data-srcset='/a.jpg 300w, /b.jpg 900w,/c.jpg 600w'>", "/b.jpg"),
        ("<img srcset='/a.jpg 1x, /b,2.jpg 2x'>", "/b,2.jpg"),
        ("<picture><source srcset='/a.webp 400w, /b.webp 800w'><img src='data:x'></picture>", "/b.webp"),
        ("<img src=/spacer.gif>", "/spacer.gif"),
        ("<video><source src=/v.mp4></video>", "/v.mp4"),
        ("<object><param name=movie value=/v.swf></object>", "/v.swf"),
        ("<iframe src=about:blank data-src=/v></iframe>", "/v"),
    ],
)
def test_lazy_loading_hides_no_address(html: str, url: str) -> None:
    element = lxml_html.fromstring(html)
    element = next(element.iter("img", "video", "object", "iframe"))
    target = media_target(element, None, BASE)
    assert target is not None
    assert target.url == "https://pelda.example" + url


YOUTUBE, VIMEO = "https://www.youtube.com/watch?v=k3x-_9QzT1w", "https://vimeo.com/71836291"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<amp-youtube data-videoid=abc></amp-youtube>", "embed@https://www.youtube.com/watch?v=abc()"),
        ("<amp-twitter data-tweetid=1></amp-twitter>", "embed@https://twitter.com/i/status/1()"),
        ("<lite-youtube videoid=k3x-_9QzT1w></lite-youtube>", f"embed@{YOUTUBE}()"),
        ("<div data-youtube-id=k3x-_9QzT1w></div>", f"embed@{YOUTUBE}()"),
        ("<iframe data-youtube-id=k3x-_9QzT1w src=/v></iframe>", "embed@/v()"),
        ("<div data-vimeo-id=71836291></div>", f"embed@{VIMEO}()"),
        ("<div class='player youtube-box' data-video-id=k3x-_9QzT1w></div>", f"embed@{YOUTUBE}()"),
        ("<div data-video-id=71836291 data-provider=vimeo></div>", f"embed@{VIMEO}()"),
        ("<div data-plyr-provider=youtube data-plyr-embed-id=https://youtu.be/k3x-_9QzT1w></div>", "embed@https://youtu.be/k3x-_9QzT1w()"),
        ("<div data-youtube-id=k3x-_9QzT1w><img src=/allokep.jpg><b>a</b></div>", f"embed@{YOUTUBE}(caption(bold[a]))"),
        ("<figure><div data-youtube-id=k3x-_9QzT1w></div><figcaption>a</figcaption></figure>", f"embed@{YOUTUBE}(caption(a))"),
        ("<p>a</p><div data-youtube-id=k3x-_9QzT1w></div><p>b</p>", f"paragraph(a) embed@{YOUTUBE}() paragraph(b)"),
    ],
)
def test_a_player_is_known_by_the_number_of_what_it_shows(html: str, expected: str) -> None:
    assert sketch(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<div data-youtube-id=''>a</div>",
        "<div data-vimeo-id='<script>'>a</div>",
        "<div class=player data-video-id=k3x-_9QzT1w>a</div>",
        "<div class=youtube-list data-video-id=52>a</div>",
        "<div data-video-id=k3x-_9QzT1w data-provider=pelda>a</div>",
        "<a data-youtube-id=k3x-_9QzT1w>a</a>",
        "<div data-youtube-id=k3x-_9QzT1w><p>a</p></div>",
    ],
    ids=["no number", "no number of that site", "no site", "the portal's own number", "another site", "a word in the text", "a text"],
)
def test_what_may_be_something_else_is_no_player_by_itself(html: str) -> None:
    assert sketch(html) == "paragraph(a)"


def test_a_rule_may_make_anything_a_player_that_tells_site_and_number() -> None:
    html = "<section class='video vimeo' data-video-id=71836291></section><p class=video data-youtube=k3x-_9QzT1w></p>"
    assert sketch(html, {"embed": [".video"]}) == f"embed@{VIMEO}() embed@{YOUTUBE}()"
