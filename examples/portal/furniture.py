"""What stands around the content on every page: head, navigation, cookie bar, most-read box, advertisements, footer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from types import MappingProxyType

from .prose import prose

TITLE = "Kilenchíd"
NAVIGATION: Mapping[str, str] = MappingProxyType(
    {
        "/": "Címlap",
        "/belfold/": "Belföld",
        "/kultura/?oldal=1": "Kultúra",
        "/en/latest?page=1": "English",
        "/de/mehr/1": "Deutsch",
        "/fr/": "Français",
        "/gyorshirek/": "Gyorshírek",
        "/podcast/": "Podcast",
        "/forum/?lap=1": "Fórum",
        "/blog/page/1/": "Révészblog",
        "/archivum/2024/05/14/": "Naptár",
        "/regi/index.php?ev=2011&ho=02": "Régi lapok",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a page's furniture depends on."""

    home: str
    """Scheme, host and port, without a slash at the end."""
    most_read: Sequence[tuple[str, str]] = ()
    """Path and title of the articles in the box beside every page: the trap for general link picks."""
    navigation: Mapping[str, str] = field(default_factory=lambda: NAVIGATION)
    filling: int = 0
    """Bytes of inline style and script, for pages as heavy as real ones."""


def page(
    frame: Frame, body: str, *, title: str, head: str = "", language: str = "hu", charset: str | None = "utf-8", kind: str = "lista"
) -> str:
    """A page in the new layout."""
    words = prose(language).words
    meta = f'<meta charset="{charset}">' if charset else ""
    links = " ".join(f'<a href="{escape(path)}">{name}</a>' for path, name in frame.navigation.items())
    most_read = "".join(f'<li><a href="{escape(path)}">{escape(text)}</a></li>' for path, text in frame.most_read)
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head>{meta}
<title>{escape(title)} - {TITLE}</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/stilus.css">
{head}<style>.suti-sav{{position:fixed;bottom:0}} .hirdetes{{min-height:90px}}</style>
{_filling(frame.filling)}</head>
<body class="{kind}">
<div class="suti-sav" role="dialog">{words["cookies"]} <button>OK</button></div>
<header class="fejlec"><a class="logo" href="/">{TITLE}</a> <nav class="menu">{links}</nav></header>
<main>
{body}
</main>
<aside class="oldalsav"><h3>{words["most_read"]}</h3><ol class="legolvasottabb">{most_read}</ol>{advertisement(language)}</aside>
<footer class="lablec"><p>© {TITLE} Lapkiadó Kft.</p> <a href="/impresszum">{words["imprint"]}</a>
<a href="https://social.example/kilenchid">social.example</a> <a href="mailto:iroda@kilenchid.example">iroda@kilenchid.example</a></footer>
</body>
</html>
"""


def old_page(frame: Frame, body: str, *, title: str, charset: str | None = "iso-8859-2") -> str:
    """A page in the layout that the portal had until the end of 2014: tables and font elements."""
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}">' if charset else ""
    most_read = "<br>".join(f'<a href="{escape(path)}">{escape(text)}</a>' for path, text in frame.most_read)
    return f"""<HTML>
<HEAD>{meta}
<TITLE>{escape(title)} :: {TITLE}</TITLE>
{_filling(frame.filling)}</HEAD>
<BODY bgcolor="#ffffff">
<table width="780" align="center"><tr><td colspan="2" class="fejlec"><a href="/"><font size="5">{TITLE}</font></a></td></tr>
<tr><td class="tartalom" valign="top">
{body}
</td><td class="jobb" valign="top"><b>Legolvasottabb</b><br>{most_read}</td></tr>
<tr><td colspan="2" class="lablec"><font size="1">(c) {TITLE} Lapkiadó Kft.</font></td></tr></table>
</BODY>
</HTML>
"""


def advertisement(language: str) -> str:
    return f'<div class="hirdetes"><span>{prose(language).words["advertisement"]}</span> <img src="/hirdetes.gif" alt=""></div>'


@cache
def _filling(size: int) -> str:
    """So many bytes of inline script: it compresses neither much better nor much worse than real pages do."""
    if size <= 0:
        return ""
    lines = (f"w.k{i}={{id:{i * 7919 % 100003},slot:'s{i * 31 % 977}',q:{i * 104729 % 65521}}};\n" for i in range(size // 30))
    return f"<script>(function(w){{\n{''.join(lines)[:size]}\n}})(window.k={{}});</script>\n"
