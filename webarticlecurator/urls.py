"""URLs: joining, cleaning, normalising and comparing them, without ever raising on what a page contains."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote_plus

import idna

from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import whole_number

# Why not urllib.parse: it drops an empty query, raises on odd brackets, and does not remove dot segments of
# absolute URLs.
_PARTS = linear_at(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)
_ROOT = linear_at(r"[^/?#]*(?://[^/?#]*)?")
_AUTHORITY = linear_at(r"(?:(.*)@)?(\[[0-9A-Fa-f:.]+\]|[^:@\[\]]*)(?::([0-9]*))?")
_HOST_NAME = linear_at(r"[A-Za-z0-9_](?:[A-Za-z0-9_.\-]*[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]+\]")
DEFAULT_PORTS = {"http": 80, "https": 443}
_ESCAPE = linear(r"%([0-9A-Fa-f]{2})")
_STRAY_PERCENT = linear(r"%(?![0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DECODED = {
    form(f"{ord(character):02x}"): character for character in _UNRESERVED for form in (str.lower, str.upper)
}
"""The unreserved characters by the hexadecimal digits that stand for them."""
_SENDABLE = linear_at(r"[!-~]*")
_UNSAFE = linear(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
_EDGES = "".join(map(chr, range(0x21)))
_LINE_BREAKS = str.maketrans("", "", "\t\r\n")

WHOLE_ESCAPES = r"(?!.*%(?![0-9A-Fa-f]{2}))"
"""Begins a pattern of a whole address that then takes `%` like any other character. It repeats nothing but
single characters, so that no address, however long or odd, is looked at twice. Possessive repeats would do
the same, but Python 3.11.2 matches those wrongly."""
_PLAIN_PATH = r"/[A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]*"
_PLAIN = linear_at(
    WHOLE_ESCAPES
    + r"(?!.*/\.)https?://(?![^/]*[.-][.\-/:])[a-z0-9][a-z0-9.-]*(?::[1-5]?[1-9][0-9]{3})?"
    + _PLAIN_PATH
)
_PLAIN_ON_HOST = linear_at(WHOLE_ESCAPES + r"(?!.*/\.)(?!//)" + _PLAIN_PATH)
"""The form of an address on a host that is as it should be, which most are: one look tells."""
_SPELLING = linear_at(r"https?://(?:www\.)?([^/?#]+)(/[^?#]*)((?:\?[^#]*)?)")

MAX_LENGTH = 8_000
"""The most characters of a link; longer ones are not URLs that a server would take."""
PAGE_WORD = (
    r"(?:pages?|oldal|lap|seiten?|página|pagina|strana|stránka|strona|sida|side|sivu|stran|stranica"
    r"|страница|сторінка|σελίδα|sayfa|puslapis)"
)
"""The words for pages, in addresses and beside numbers."""


class Url(NamedTuple):
    """The five parts of RFC 3986; None: not there, which differs from empty."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def __str__(self) -> str:
        before = ("" if self.scheme is None else f"{self.scheme}:") + (
            "" if self.authority is None else f"//{self.authority}"
        )
        behind = ("" if self.query is None else f"?{self.query}") + (
            "" if self.fragment is None else f"#{self.fragment}"
        )
        return before + self.path + behind


def split(url: str) -> Url:
    """Take anything apart; `urllib.parse.urlsplit` raises on a bracket that is not closed."""
    match = _PARTS.fullmatch(url)
    assert match is not None  # the pattern matches every text
    return Url(*match.groups())


def is_http(url: str) -> bool:
    """True if a request can be made of it: http or https, with a host."""
    if _PLAIN.fullmatch(url):
        return True
    parts = split(url)
    return (parts.scheme or "").lower() in DEFAULT_PORTS and host_parts(parts.authority or "") is not None


def join(base: str, reference: str, *, encoding: str = "utf-8") -> str | None:
    """The absolute, percent-encoded URL that a link on a page stands for; None where it can be none.

    Like a browser: blanks around and line breaks inside go, `\\` counts as `/`, a query is encoded in the
    page's encoding.
    """
    cleaned = reference.strip(_EDGES).strip().translate(_LINE_BREAKS)
    if len(cleaned) > MAX_LENGTH:
        return None
    if _PLAIN.fullmatch(cleaned):
        return cleaned
    if _PLAIN_ON_HOST.fullmatch(cleaned) and (origin := _origin(base)) is not None:
        return origin + cleaned
    link, root = split(cleaned), split(base)
    scheme = (link.scheme or root.scheme or "").lower()
    if scheme not in DEFAULT_PORTS:
        return cleaned if link.scheme else None
    written, *rest = linear(r"([?#])").split(cleaned, maxsplit=1)
    link = _resolved(split("".join((written.replace("\\", "/"), *rest))), root)
    authority = _clean_authority(scheme, link.authority or "")
    if authority is None:
        return None
    path = _encode(_remove_dots(link.path) if "/." in link.path else link.path, "utf-8") or "/"
    query = None if link.query is None else _encode(link.query, encoding)
    return str(
        Url(
            scheme, authority, path, query, None if link.fragment is None else _encode(link.fragment, "utf-8")
        )
    )


def _resolved(link: Url, root: Url) -> Url:
    """Return a link with what it leaves to its page (RFC 3986, 5.2.2)."""
    if link.authority is not None:
        return link
    if link.scheme is not None and link.scheme.lower() != (root.scheme or "").lower():
        authority, slash, path = link.path.lstrip("/").partition(
            "/"
        )  # "https:/path": browsers read the first segment as the host
        return link._replace(authority=authority, path=slash + path)
    if not link.path:
        query = link.query if link.query is not None else root.query
        return link._replace(authority=root.authority, path=root.path, query=query)
    if link.path.startswith("/"):
        return link._replace(authority=root.authority)
    return link._replace(authority=root.authority, path=f"{root.path.rpartition('/')[0]}/{link.path}")


@lru_cache(maxsize=512)
def web_link(base: str, reference: str, *, encoding: str = "utf-8") -> str | None:
    """Return the absolute URL of the page of the web that a link leads to; None where it leads elsewhere."""
    url = join(base, reference, encoding=encoding)
    return url if url is not None and is_http(url) else None


@lru_cache(maxsize=256)
def _origin(base: str) -> str | None:
    """The scheme and host before every path of it; None where pages have no address that can be asked for."""
    parts = split(base)
    scheme = (parts.scheme or "").lower()
    authority = _clean_authority(scheme, parts.authority or "") if scheme in DEFAULT_PORTS else None
    return None if authority is None else f"{scheme}://{authority}"


def _remove_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[max(1, len(kept) - 1) :]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)


def _encode(part: str, encoding: str) -> str:
    return _UNSAFE.sub(partial(percent_encoded, encoding=encoding), _STRAY_PERCENT.sub("%25", part))


def percent_encoded(unsafe: re.Match[str], encoding: str = "utf-8") -> str:
    """Return what a pattern found, byte by byte as an address has it."""
    if encoding == "utf-8":
        return _escapes(unsafe[0].encode("utf-8", "replace"))
    return "".join(_escapes(_encoded(character, encoding)) for character in unsafe[0])


def _encoded(character: str, encoding: str) -> bytes:
    try:
        return character.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return character.encode("utf-8", "replace")


def _escapes(raw: bytes) -> str:
    return f"%{raw.hex('%').upper()}" if raw else ""


def sendable(url: str) -> str:
    """An address, or a part of one behind its host, as it is asked for: with blanks and letters of other
    scripts percent-encoded."""
    if _SENDABLE.fullmatch(url):
        return url
    return join(url, url) or url if "://" in url else _encode(url, "utf-8")


class HostParts(NamedTuple):
    """An authority taken apart: the user with its `@`, the host (IPv6 in brackets), the port with its
    colon."""

    user: str
    host: str
    port: str


def host_parts(authority: str) -> HostParts | None:
    """Return the parts of an authority; None where there is no host that could be looked up."""
    match = _AUTHORITY.fullmatch(authority)
    if not match or not match[2] or (match[3] and int(match[3][:7]) > 65535):
        return None
    host = ascii_host(match[2])
    if host is None or not _HOST_NAME.fullmatch(host):
        return None
    return HostParts("" if match[1] is None else f"{match[1]}@", host, f":{match[3]}" if match[3] else "")


@lru_cache(maxsize=4096)
def ascii_host(host: str) -> str | None:
    """A host name as the network wants it, by UTS 46; None where it can be none."""
    if host.isascii():
        return host.lower()
    try:
        return idna.encode(host, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        return None


@lru_cache(maxsize=4096)
def _clean_authority(scheme: str, authority: str) -> str | None:
    parts = host_parts(authority.strip())
    if parts is None:
        return None
    user, host, port = parts
    return f"{_encode(user, 'utf-8')}{host}{'' if port == f':{DEFAULT_PORTS[scheme]}' else port}"


@lru_cache(maxsize=512)
def normalise(url: str) -> str:
    """The form in which URLs are compared and asked for.

    Scheme and host lower case, default port and fragment gone, an empty path is `/`, percent escapes upper
    case, unreserved characters decoded; nothing else changes. Normalising twice equals once.
    """
    if "%" not in url and "#" not in url and _PLAIN.fullmatch(url):
        return url
    parts = split(url)
    scheme = (parts.scheme or "").lower()
    if scheme not in DEFAULT_PORTS or parts.authority is None:
        return url
    cleaned = _clean_authority(scheme, parts.authority)
    authority = parts.authority.lower() if cleaned is None else cleaned
    path, query = _tidy_escapes(parts.path) or "/", parts.query
    return str(Url(scheme, authority, path, None if query is None else _tidy_escapes(query), None))


def _tidy_escapes(part: str) -> str:
    def tidy(escape: re.Match[str]) -> str:
        character = chr(int(escape[1], 16))
        return character if character in _UNRESERVED else escape[0].upper()

    tidied = _ESCAPE.sub(tidy, part)
    if _ESCAPE.sub(tidy, tidied) == tidied:
        return tidied
    return _ESCAPE.sub(tidy, _without_nested_escapes(tidied))


def _without_nested_escapes(part: str) -> str:
    """Decode what decoding itself brings about ("%%3441"), however deep: whatever is decoded may end an
    escape that began before."""
    written: list[str] = []
    for character in part:
        written.append(character)
        while len(written) > 2 and written[-3] == "%":
            decoded = _DECODED.get("".join(written[-2:]))
            if decoded is None:
                break
            written[-3:] = [decoded]
    return "".join(written)


def split_path(url: str) -> tuple[str, str]:
    """Return the path and query of a normalised URL."""
    parts = split(url)
    return parts.path, parts.query or ""


def without_fragment(url: str) -> str:
    """An address without what stands behind `#`."""
    return url.partition("#")[0]


def same_page(url: str, other: str) -> bool:
    """True if two URLs differ in nothing but the fragment (and in how they are written)."""
    return normalise(url) == normalise(other)


def drop_params(url: str, names: Collection[str]) -> str:
    """Return a URL without the query parameters of these names (`*` stands for anything); the others stay as
    they are written."""
    parts = split(url)
    if parts.query is None or not names:
        return url
    pairs = parts.query.split("&")
    kept = [
        pair
        for pair in pairs
        if not any(fnmatchcase(unquote_plus(pair.partition("=")[0]), name) for name in names)
    ]
    if len(kept) == len(pairs):
        return url
    return str(parts._replace(query="&".join(kept) or None))


def root_of(url: str) -> str:
    """Return an address as far as its host and port, as they are written: many addresses of a page have few
    of these."""
    match = _ROOT.match(url)
    assert match is not None  # the pattern matches at every text
    return match[0]


def bare_host(url_or_host: str) -> str:
    """The host's name: lower case, without port and leading `www.`; empty where there is none."""
    return _bare_host(root_of(url_or_host))


def site_name(url: str) -> str:
    """Return the host's name without what may name a part of the site, `pelda.example` of
    `de.pelda.example`; of an address with numbers, or without a dot, all of it, with its port."""
    host = bare_host(url)
    names = host.split(".")
    if names[-1].isdigit() or len(names) == 1:
        return host_and_port(url)
    has_short_ending = len(names) > 2 and len(names[-1]) == 2 and len(names[-2]) <= 3  # co.uk, com.au
    return ".".join(names[-3 if has_short_ending else -2 :])


@lru_cache(maxsize=4096)
def _bare_host(root: str) -> str:
    parts = split(root)
    authority = parts.authority if parts.authority is not None else root
    match = _AUTHORITY.fullmatch(authority)
    is_address = (
        parts.authority is None and match is not None and match[1] is not None
    )  # mailto:anna@pelda.example
    host = match[2].rstrip(".") if match and not is_address else ""
    return ((ascii_host(host) if host else "") or host.lower()).removeprefix("www.")


def other_spellings(url: str) -> Iterator[str]:
    """Give what else people write for a normalised address, and what never parts two pages: the scheme,
    `www.`, a slash at the end."""
    match = _SPELLING.fullmatch(url)
    if match is not None:
        host, path, query = match.groups()
        paths = (
            (path,) if path == "/" else (path, path.removesuffix("/") if path.endswith("/") else f"{path}/")
        )
        spellings = (
            f"{scheme}{www}{host}{other}{query}"
            for scheme, www, other in product(("https://", "http://"), ("", "www."), paths)
        )
        yield from (spelling for spelling in spellings if spelling != url)


def any_spelling(url: str) -> str:
    """Return what all these spellings of an address have in common; any other text as it is."""
    match = _SPELLING.fullmatch(url)
    return f"{match[1]}{match[2].removesuffix('/')}{match[3]}" if match is not None else url


def host_and_port(url: str) -> str:
    """Return what politeness counts by: the host with its port, where that is not the scheme's own; empty
    where there is none."""
    return _host_and_port(root_of(url))


@lru_cache(maxsize=4096)
def _host_and_port(root: str) -> str:
    parts = split(root)
    scheme = (parts.scheme or "").lower()
    authority = _clean_authority(scheme, parts.authority or "") if scheme in DEFAULT_PORTS else None
    return (authority or "").rpartition("@")[2]


def host_allowed(url: str, hosts: Collection[str], patterns: Iterable[str] = ()) -> bool:
    """True if the URL's host is one of `hosts` or fits a pattern; `*.pelda.example` stands for every host
    below that one."""
    if not (host := bare_host(url)):
        return False
    return host in hosts or any(
        host.endswith(f".{bare_host(pattern[2:])}")
        if pattern.startswith("*.")
        else host == bare_host(pattern)
        for pattern in patterns
    )


EXTENSION = linear(r"(?:/index)?\.(?:html?|php|aspx?|jsp)$|/index$|(?<!/)/+$", re.IGNORECASE)
_MARK = linear_at(r"/?[^\W\d_]{0,15}[-_/.,=:]?(\d{1,7})")
"""The signs that a further page adds to the path of the first: `/2`, `-2`, `/page/2`, `/oldal-2`."""
_OF_VISIT = linear(r"hash|token|session|^sid$", re.IGNORECASE)
"""Parameters that are another one for each address or each visitor."""
_NUMBERS = linear(r"(\d+)")
_PAGE_NUMBER = linear_at(r"(?!0)\d{1,7}")


def pages_apart(own: str, other: str) -> tuple[int, int] | None:
    """The two numbers, where two normalised URLs are one but for a page's number; a first page has none and
    counts as 1."""
    (mine, my_query), (theirs, their_query) = split_path(own), split_path(other)
    if my_query == their_query:
        return _paths_apart(mine, theirs)
    if mine != theirs:
        return None
    one, another = (
        dict(parse_qsl(my_query, keep_blank_values=True)),
        dict(parse_qsl(their_query, keep_blank_values=True)),
    )
    changed = [name for name in one.keys() | another.keys() if one.get(name) != another.get(name)]
    if len(changed) > 1:
        changed = [name for name in changed if not _OF_VISIT.search(name)]
    if len(changed) != 1:
        return None
    numbers = [whole_number(query.get(changed[0], "1")) for query in (one, another)]
    return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])


def page_numbers(own: str, other: str) -> tuple[int, int]:
    """Return the numbers of two pages whose addresses differ in nothing else; 1 and 1 where they differ in
    more."""
    return pages_apart(own, other) or (1, 1)


def _paths_apart(mine: str, theirs: str) -> tuple[int, int] | None:
    without_slashes, without_endings = (
        (mine.rstrip("/"), theirs.rstrip("/")),
        (EXTENSION.sub("", mine), EXTENSION.sub("", theirs)),
    )
    for one, another in (without_slashes, without_endings):
        number = _number_behind(one, another)
        if number is not None:
            return 1, number
        number = _number_behind(another, one)
        if number is not None:
            return number, 1
    mine_parts, their_parts = (_NUMBERS.split(path) for path in without_slashes)
    if len(mine_parts) != len(their_parts):
        return None
    changed = [pair for pair in zip(mine_parts, their_parts, strict=True) if pair[0] != pair[1]]
    if len(changed) != 1 or not all(_PAGE_NUMBER.fullmatch(text) for text in changed[0]):
        return None
    return int(changed[0][0]), int(changed[0][1])


def _number_behind(path: str, longer: str) -> int | None:
    """Return the number that a further page adds to the path of the first."""
    mark = _MARK.fullmatch(longer, len(path)) if longer.startswith(path) else None
    return int(mark[1]) if mark is not None else None
