"""Is the software of a site recognised by what it writes, and nothing by what others write of it?"""

from __future__ import annotations

import re

import pytest
from trial_portal import page_of

from webarticlecurator.extraction.site_software import detect_software
from webarticlecurator.extraction.software_signs import SYSTEMS
from webarticlecurator.selectors import Selector

URL = "https://pelda.example/2024/05/cim/"


def named(html: str, url: str = URL, headers: tuple[tuple[str, str], ...] = ()) -> list[str]:
    return [one.software for one in detect_software([page_of(html, url, headers=headers)]) if one.certainty >= 0.5]


@pytest.mark.parametrize(
    ("html", "software"),
    [
        ("<meta name=generator content='WordPress 6.4.2'><p>x", "WordPress"),
        ("<link rel='https://api.w.org/' href=/wp-json/><p>x", "WordPress"),
        ("<script src=/wp-includes/js/jquery.js></script><p>x", "WordPress"),
        ("<meta name=generator content=blogger><div class='widget Blog' id=Blog1>x</div>", "Blogger"),
        ("<link rel=alternate type=application/atom+xml href=/feeds/posts/default><p>x", "Blogger"),
        ("<meta name=Generator content='Drupal 10 (https://www.drupal.org)'><p>x", "Drupal"),
        ("<script data-drupal-selector=drupal-settings-json>{}</script><p>x", "Drupal"),
        ("<link rel=stylesheet href=/typo3temp/assets/a.css><p>x", "TYPO3"),
        ("<script data-ghost=https://pelda.example/ data-key=1 data-api=/ghost/api/content/></script><p>x", "Ghost"),
        ("<body id=phpbb class=section-viewtopic><p>x", "phpBB"),
        ("<meta name=generator content='Discourse 3.2.0'><p>x", "Discourse"),
        ("<script>var smf_theme_url = '/Themes/default';</script><p>x", "Simple Machines Forum"),
        ("<script>var my_post_key = '1';</script><p>x", "MyBB"),
        ("<html id=XF><body><p>x", "XenForo"),
        ("<meta name=generator content='Hugo 0.123.0'><p>x", "Hugo"),
        ("<body class='mediawiki ltr'><p>x", "MediaWiki"),
    ],
)
def test_each_system_is_known_by_its_signs(html: str, software: str) -> None:
    assert named(html) == [software]


def test_headers_cookies_and_addresses_tell_too() -> None:
    assert named("<p>x", headers=(("X-Generator", "Drupal 9 (https://www.drupal.org)"),)) == ["Drupal"]
    assert named("<p>x", headers=(("Set-Cookie", "xf_csrf=abc; path=/"),)) == ["XenForo"]
    assert named("<p>x", "https://naplo.blogspot.com/2024/05/cim.html") == ["Blogger"]


def test_who_writes_of_a_system_is_not_made_with_it() -> None:
    html = "<p>WordPress, Drupal and phpBB <a href=https://masik.wordpress.com/>here</a> <a href=https://www.drupal.org>there</a>"
    assert named(html + "<img src=https://masik.example/wp-content/uploads/a.jpg>") == []


def test_a_page_that_shows_nothing_is_made_with_nothing_that_is_known() -> None:
    assert detect_software([page_of("<h1>x</h1><p>y", URL)]) == ()


def test_signs_add_up_and_each_is_shown_with_what_was_found() -> None:
    few = detect_software([page_of("<img src=/wp-content/uploads/a.jpg class=wp-image-7><p>x", URL)])[0]
    assert 0.7 < few.certainty < 0.9
    assert [(one.found, one.page) for one in few.evidence] == [
        ("https://pelda.example/wp-content/uploads/a.jpg", URL),
        ('<img src="/wp-content/uploads/a.jpg" class="wp-image-7">', URL),
    ]
    pages = [page_of("<img src=/wp-content/uploads/a.jpg>", URL), page_of("<div class=wp-site-blocks>x</div>", f"{URL}2")]
    more = detect_software(pages)[0]
    assert (more.variant, more.evidence[0].page) == ("block theme", f"{URL}2")


def test_every_sign_can_be_read() -> None:
    for system in SYSTEMS:
        for sign in system.signs:
            assert 0 < sign.weight < 1
            Selector.parse(sign.what) if sign.place == "css" else re.compile(sign.what)
