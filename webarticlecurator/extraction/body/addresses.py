"""Where links lead: absolute addresses that are valid as anyURI, mended where that is safe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from webarticlecurator.urls import WHOLE_ESCAPES, is_http, join


class LinkTarget(NamedTuple):
    """An address, and how it stood in the page where it had to be repaired; without `url` it was beyond repair."""

    url: str | None
    original: str | None = None


def best_of(targets: Iterable[LinkTarget | None]) -> LinkTarget | None:
    """The first that leads somewhere, else the first that should."""
    beyond_repair: LinkTarget | None = None
    for target in targets:
        if target is not None and target.url:
            return target
        beyond_repair = beyond_repair or target
    return beyond_repair


_CHARACTERS = r"[A-Za-z0-9\-._~:/@!$&'()*+,;=%]*"
_QUERY = r"(?:\?[A-Za-z0-9\-._~:/?@!$&'()*+,;=%]*)?"
_FRAGMENT = r"(?:#[A-Za-z0-9\-._~:/?@!$&'()*+,;=]*)?"
_REST = _QUERY + _FRAGMENT
_PLAIN = re.compile(rf"{WHOLE_ESCAPES}https?://[a-z0-9][a-z0-9.-]*(?::[0-9]{{1,5}})?(?:/{_CHARACTERS}{_REST}|{_QUERY})")
"""Most addresses: nothing to do."""
_PLAIN_PARTS = {
    "/": re.compile(rf"{WHOLE_ESCAPES}/(?!/){_CHARACTERS}{_REST}"),
    "?": re.compile(WHOLE_ESCAPES + _REST),
    "#": re.compile(rf"(?!#\Z){_FRAGMENT}"),
    "a": re.compile(rf"{WHOLE_ESCAPES}(?!http|www\.)[A-Z0-9_~][A-Z0-9\-._~@!$&'()*+,;=%]*(?:/{_CHARACTERS})?{_REST}", re.IGNORECASE),
}
"""Most of the others, by how they begin (`a`: with a name): only a part of the page's own address goes before them."""
_ILLEGAL = re.compile(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_NOWHERE = re.compile(r"\s*(?:$|#\s*$|https?://+\s*$|(?:javascript|data|blob|about|file|vbscript):)", re.IGNORECASE)
_MENDS = (
    (re.compile(r"^(?:https?:?/*)+(?=https?:/+)", re.IGNORECASE), ""),
    (re.compile(r"^(https?)(?:;//|:/(?!/)|//|:///+)", re.IGNORECASE), r"\1://"),
    (re.compile(r"^h?h?t?tps?://", re.IGNORECASE), lambda found: "https://" if "s" in found[0].lower() else "http://"),
    (re.compile(r"^(?=www\.[^/\s.]+\.)", re.IGNORECASE), "http://"),
)
"""Slips of the pen: a doubled or broken scheme, and none before `www.`"""
_PROTECTED = re.compile(r"/cdn-cgi/l/email-protection#([0-9a-fA-F]{4,400})")
_MOST, _SHORT = 8_000, 4_000


def link_target(written: str | None, base: str, encoding: str = "utf-8") -> LinkTarget | None:
    """Where an `href` leads; None where it leads nowhere."""
    if not written:
        return None
    plain = "/cdn-cgi/" not in written
    if plain and _PLAIN.fullmatch(written):
        return LinkTarget(written)
    if plain and (joined := _plainly_joined(written, base)) is not None:
        return LinkTarget(joined)
    if _NOWHERE.match(written):
        return None
    protected = _PROTECTED.search(written)
    if protected is not None:
        address = decoded_address(protected[1])
        return LinkTarget("mailto:" + any_uri(address) if address else None, written[:_MOST])
    stripped = written.strip()
    mended = stripped
    for pattern, replacement in _MENDS:
        mended = pattern.sub(replacement, mended, count=1)
    joined = join(base, mended, encoding=encoding)
    if joined is None or len(joined) > _MOST:
        return LinkTarget(None, written[:_MOST])
    url = any_uri(joined)
    repaired = mended != stripped or _ILLEGAL.search(stripped) is not None or any_uri(stripped) != stripped
    return LinkTarget(url, written[:_MOST] if repaired else None)


def _plainly_joined(written: str, base: str) -> str | None:
    """What `join` would make of it, where that is no more than putting something before it."""
    kind = written[0] if written[0] in _PLAIN_PARTS else "a"
    if not _PLAIN_PARTS[kind].fullmatch(written) or len(written) >= _SHORT or "/." in written:
        return None
    before = _before(kind, base)
    return before + written if before is not None else None


@lru_cache(maxsize=1_024)
def _before(kind: str, base: str) -> str | None:
    """What a page's address puts before all plain links of a kind; None where there is more to it."""
    example = kind if kind in "/a" else f"{kind}a"
    joined = join(base, example) if is_http(base) else None
    if joined is None or len(joined) >= _SHORT:
        return None
    before = joined.removesuffix(example)
    path = before.partition("://")[2].partition("/")[2]
    return before if _escaped(path) == path else None


def any_uri(url: str) -> str:
    """The address with everything escaped that some reader of anyURI refuses: blanks, brackets, stray `%`, a second `#`."""
    before, mark, fragment = url.partition("#")
    return _escaped(before) + mark + _escaped(fragment).replace("#", "%23")


def _escaped(part: str) -> str:
    return _ILLEGAL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace")), part)


def decoded_address(code: str) -> str | None:
    """The mail address behind Cloudflare's protection: the first byte is the key of all others."""
    try:
        key, *encoded = bytes.fromhex(code)
        address = bytes(byte ^ key for byte in encoded).decode("utf-8")
    except ValueError:
        return None
    return address if address.isprintable() and "@" in address else None
