"""Where links lead: absolute addresses that are valid as anyURI, mended where that is safe."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from webarticlecurator.urls import is_http, join


class Target(NamedTuple):
    """An address, and how it stood in the page where it had to be repaired."""

    url: str
    original: str | None = None


# Possessive, so that long runs of plain characters are taken at once and never looked at twice.
_PATH = r"/(?:[A-Za-z0-9\-._~:/@!$&'()*+,;=]++|%[0-9A-Fa-f]{2})*+"
_QUERY, _FRAGMENT = r"(?:\?(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]++|%[0-9A-Fa-f]{2})*+)?+", r"(?:#[A-Za-z0-9\-._~:/?@!$&'()*+,;=]*+)?+"
_PLAIN = re.compile(rf"https?://[a-z0-9][a-z0-9.-]*(?::\d{{1,5}})?(?:{_PATH}{_QUERY}{_FRAGMENT}|{_QUERY})")
"""Most addresses: nothing to do."""
_PLAIN_PATH = re.compile(rf"(?!//){_PATH}{_QUERY}{_FRAGMENT}")
"""Most of the others: only the site's own address goes before it."""
_ILLEGAL = re.compile(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_NOWHERE = re.compile(r"\s*(?:$|#\s*$|(?:javascript|data|blob|about|file|vbscript):)", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_MENDS = (
    (re.compile(r"^(?:https?:?/*)+(?=https?:/+)", re.IGNORECASE), ""),
    (re.compile(r"^(https?)(?:;//|:/(?!/)|//|:///+)", re.IGNORECASE), r"\1://"),
    (re.compile(r"^h?h?t?tps?://", re.IGNORECASE), lambda found: "https://" if "s" in found[0].lower() else "http://"),
    (re.compile(r"^(?=www\.[^/\s.]+\.)", re.IGNORECASE), "http://"),
)
"""Slips of the pen: a doubled or broken scheme, and none before `www.`"""
_PROTECTED = re.compile(r"/cdn-cgi/l/email-protection#([0-9a-fA-F]{4,400})")
_MOST, _SHORT = 8_000, 4_000


def link_target(written: str | None, base: str, encoding: str = "utf-8") -> Target | None:
    """Where an `href` leads; None where it leads nowhere."""
    if not written:
        return None
    plain = "/cdn-cgi/" not in written
    if plain and _PLAIN.fullmatch(written):
        return Target(written)
    if plain and _PLAIN_PATH.fullmatch(written) and len(written) < _SHORT and "/." not in written:
        site = _site_of(base)
        if site is not None:
            return Target(site + written)
    if _NOWHERE.match(written):
        return None
    protected = _PROTECTED.search(written)
    if protected is not None:
        address = decoded_address(protected[1])
        return Target("mailto:" + any_uri(address), written) if address else None
    stripped = written.strip()
    mended = stripped
    for pattern, replacement in _MENDS:
        mended = pattern.sub(replacement, mended, count=1)
    joined = join(base, mended, encoding=encoding)
    if joined is None or len(joined) > _MOST:
        return None
    url = any_uri(joined)
    repaired = mended != stripped or _ILLEGAL.search(stripped) is not None or any_uri(stripped) != stripped
    return Target(url, written[:_MOST] if repaired else None)


@lru_cache(maxsize=1_024)
def _site_of(base: str) -> str | None:
    """Scheme and host of a page; None where its links are no web addresses."""
    top = join(base, "/") if is_http(base) else None
    return top.removesuffix("/") if top is not None and len(top) < _SHORT else None


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
