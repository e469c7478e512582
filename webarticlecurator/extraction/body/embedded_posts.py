"""Who wrote an embedded post of another site, and when: its last line says it, else its address says who."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC

from webarticlecurator.dates import DateFormat, find_date
from webarticlecurator.model.article import Block, plain_text
from webarticlecurator.text import squeeze

_SIGNED = re.compile(r"\s*[—–―-]\s*(?P<who>[^\n]{0,100}?\(@[\w.@:-]{1,100}\))\s*(?P<when>[^\n]{0,60})")
"""`— Name (@handle) May 1, 2024`: posts of Twitter and of Bluesky."""
_SHARED = re.compile(r"(?<!\w)(?P<who>[^\n()]{0,80}\(@[\w.]{1,60}\))(?P<when>[^\n]{0,80})")
"""`A post shared by Name (@handle)` in any language: Instagram."""
_BY = re.compile(r"\s(?:by|von|par|por|da|de|door|van|av|af|od|przez|από)\s")
_HANDLES = (
    re.compile(r"(?:twitter|x)\.com/(?!i/|intent/|hashtag/)(?P<name>\w{1,30})/status(?:es)?/\d"),
    re.compile(r"(?:tiktok\.com|threads\.(?:net|com))/@(?P<name>[\w.]{1,60})/(?:video|post|photo)/"),
    re.compile(r"bsky\.app/profile/(?P<name>[a-z0-9-]+(?:\.[a-z0-9-]+)+)/post/"),
    re.compile(r"^https?://(?P<host>[\w.-]+)/@(?P<name>\w{1,60})/\d{8,}"),
    re.compile(r"t\.me/(?P<name>\w{1,60})/\d"),
)
_AUTO = (DateFormat.parse("auto"),)
_LANGUAGES = (None, "de", "fr", "es", "it", "pt", "nl", "pl", "hu", "cs", "sv", "nb", "fi", "tr", "ro", "ru", "uk", "el")
"""A post is signed in the language of its reader, the page or the author; English is always tried."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST = 500
_LINES = 3
"""From the end of a post, in which it may be signed."""


def told_by(blocks: Sequence[Block], url: str | None) -> dict[str, str]:
    """`who` and `when`, as far as they are known."""
    lines = [line[:_LONGEST] for block in blocks for line in plain_text(block).split("\n") if line.strip()]
    found: dict[str, str] = {}
    for line in reversed(lines[-_LINES:]):
        signed = _SIGNED.match(line)
        shared = _SHARED.search(line) if signed is None else None
        if told := signed or shared:
            found["who"] = squeeze(_BY.split(told["who"], maxsplit=1)[-1] if shared else told["who"])
            if when := _day(told["when"]):
                found["when"] = when
            break
    if "who" not in found and (handle := next(_handles(url or ""), None)):
        found["who"] = handle
    return found


def _handles(url: str) -> Iterator[str]:
    for pattern in _HANDLES:
        if found := pattern.search(url):
            host = found.groupdict().get("host")
            yield f"@{found['name']}@{host}" if host else f"@{found['name']}"


def _day(text: str) -> str | None:
    if _YEAR.search(text) is None:
        return None
    days = (find_date(_AUTO, text, language=language, timezone=UTC, now=None) for language in _LANGUAGES)
    # the hour is that of whoever embedded the post, and nobody says where that was
    return next((day.value[:10] for day in days if day is not None), None)
