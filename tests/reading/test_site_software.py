"""What a site is made with is known by what its software writes, and by nothing that others write of it: `check --detect` of a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_portal import Reply, ScriptedPortal


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
def test_each_system_is_known_by_its_signs(curator: Callable[..., Any], tmp_path: Path, html: str, software: str) -> None:
    assert detected(curator, tmp_path, html)["system"] == software


def detected(curator: Callable[..., Any], folder: Path, html: str, *flags: str) -> dict[str, Any]:
    (folder / "page.html").write_text(html, encoding="utf-8")
    return dict(json.loads(curator("check", "--detect", folder / "page.html", "--json", *flags).out))
