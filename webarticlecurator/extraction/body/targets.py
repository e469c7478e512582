"""Addresses to which links lead, and of what an element shows, wherever lazy loading hides them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from itertools import chain, islice, takewhile
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, cast

from lxml.etree import _Element as Element

from webarticlecurator.dates import DateFormat, find_date
from webarticlecurator.extraction.body.signs import all_hold, any_holds
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import short_text, squeeze
from webarticlecurator.urls import WHOLE_ESCAPES, join, percent_encoded


class LinkTarget(NamedTuple):
    """An address, and how it stood in the page where it had to be repaired; without `url` it was beyond
    repair."""

    url: str | None
    original: str | None = None


def best_of(targets: Iterable[LinkTarget | None]) -> LinkTarget | None:
    """Return the first that leads somewhere, else the last that should."""
    beyond_repair: LinkTarget | None = None
    for target in filter(None, targets):
        if target.url:
            return target
        beyond_repair = target
    return beyond_repair


_CHARACTERS = r"[A-Za-z0-9\-._~:/@!$&'()*+,;=%]*"
_QUERY = r"(?:\?[A-Za-z0-9\-._~:/?@!$&'()*+,;=%]*)?"
_REST = _QUERY + r"(?:#[A-Za-z0-9\-._~:/?@!$&'()*+,;=]*)?"
_PLAIN = linear_at(
    rf"{WHOLE_ESCAPES}https?://[a-z0-9][a-z0-9.-]*(?::[0-9]{{1,5}})?(?:/{_CHARACTERS}{_REST}|{_QUERY})",
)
"""Most addresses: nothing to do."""
_ILLEGAL = linear(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_LEADS_NOWHERE = linear_at(
    r"\s*(?:$|#\s*$|https?://+\s*$|(?:javascript|data|blob|about|file|vbscript):)", re.IGNORECASE
)
_PROTECTED = linear(r"/cdn-cgi/l/email-protection#([0-9a-fA-F]{4,400})")
_LONGEST_ADDRESS = 8_000


def link_target(written: str | None, base: str, encoding: str = "utf-8") -> LinkTarget | None:
    """Return where an `href` leads; None where it leads nowhere."""
    if not written or _LEADS_NOWHERE.match(written):
        return None
    protected = _PROTECTED.search(written)
    if protected is not None:
        return _mail_target(protected[1], written)
    if _PLAIN.fullmatch(written):
        return LinkTarget(written)
    stripped = written.strip()
    joined = join(base, stripped, encoding=encoding) or ""
    if not 0 < len(joined) <= _LONGEST_ADDRESS:
        return LinkTarget(None, written[:_LONGEST_ADDRESS])
    is_repaired = any_uri(stripped) != stripped
    return LinkTarget(any_uri(joined), written[:_LONGEST_ADDRESS] if is_repaired else None)


def _mail_target(code: str, written: str) -> LinkTarget:
    address = mail_address(code)
    return LinkTarget(f"mailto:{any_uri(address)}" if address else None, written[:_LONGEST_ADDRESS])


_ENCODED = linear_at(r"(?:[0-9a-fA-F]{2}){2,200}")


def mail_address(code: str) -> str:
    """Return the mail address that Cloudflare hides from programs: the first byte is the key of all others;
    empty where there is none."""
    key, *encoded = bytes.fromhex(code if _ENCODED.fullmatch(code) else "00")
    address = bytes(byte ^ key for byte in encoded).decode("utf-8", "ignore")
    return address if address.isprintable() and "@" in address else ""


def any_uri(url: str) -> str:
    """Return the address with everything escaped that some reader of anyURI refuses: blanks, brackets, stray
    `%`, a second `#`."""
    before, mark, fragment = url.partition("#")
    escaped = _ILLEGAL.sub(percent_encoded, fragment).replace("#", "%23")
    return f"{_ILLEGAL.sub(percent_encoded, before)}{mark}{escaped}"


_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-orig-file", "data-src-large", "data-full-src",
    "data-large-file", "data-hi-res-src", "data-image", "data-img", "data-url",
)  # fmt: skip
_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set", "srcset")
_PLAINLY = (
    *("src", "data", "data-href", "cite", "data-instgrm-permalink"),
    *("data-embed-src", "data-video-src", "data-video", "href", "value"),
)
_PLACEHOLDER = linear(
    r"[/_.-](?:blank|empty|spacer|pixel|placeholder|transparent|lazy|loading|loader|grey|gray|1x1|dummy)"
    r"|/(?:trans|clear|px|x)\.(?:gif|png)$",
    re.IGNORECASE,
)
"""In the name of a file, with the slash before it."""
_CANDIDATE = linear(r"(\S+)(?:(?<=,)|\s+([^\s,]*),?|$)")
"""An address in a set of sizes, with its size: commas may stand in it, and the one behind it without a
blank."""
_SIZE = linear_at(r"\d{1,7}(?:\.\d{1,3})?[wx]", re.ASCII)
PICTURE_FILE = linear(r"\.(?:jpe?g|png|gif|webp|avif)(?![a-z0-9])", re.IGNORECASE)
_COPY = linear(r"[?#].*|-(?:\d{2,5}x\d{2,5}|scaled)(?=\.\w+(?:[?#]|$))")
"""Ends of addresses by which one picture in several sizes differs."""
_ANY_NAME = linear_at(
    r"(?:\w{1,2}|\d+|cover|featured|header|hero|image|img|main|photo|picture)[.]",
    re.IGNORECASE,
)
"""Names of files that any article's picture may have."""
_HIDDEN = linear(r"display\s*:\s*none|visibility\s*:\s*hidden|-\d{3,}px", re.IGNORECASE)
_TINY = frozenset({"0", "1", "2", "3", "0px", "1px", "2px", "3px"})
_LARGEST_ICON = 200
"""Pixels of a side; what has more is no icon, whatever its names."""
_DECORATION = linear(r"(?<![a-z])(?:icons?|avatars?|gravatar|logos?|spinner)(?![a-z])", re.IGNORECASE)
"""In the class or id of a picture, or the name of a file that is drawn."""
_HOLDS_PLACE = linear(
    r"(?<![a-z])(?:spinner|loader|loading|placeholder|spacer|transparent)(?![a-z])|(?:^|[._-])(?:blank|empty|1x1|pixel|trans|clear)\.\w+$",
    re.I,
)
_PHOTO = linear(r"\.(?:jpe?g|webp|avif)$", re.IGNORECASE)
_LONGEST_EMOJI = 30
"""Characters that stand for a picture of one."""
_LONGEST_NAME = 200
"""Characters of a name or a line that are looked at."""
_EMOJI = linear_at(
    r"(?=[\s\S]*[\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff\u20e3])"
    r"\s*[#*0-9\u00a9\u00ae\u200d\u203c-\u2bff\u3030\u303d\u3297\u3299\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]+\s*"
)
_EMOJI_NAMES = linear(r"emoji|emoticon|smil(?:ey|ie|e\b)|twemoji|joypixels", re.IGNORECASE)
"""In the class or the address of such a picture."""
_EMOTICON = linear_at(r"[^\w\s]{2,4}|[^\w\s]{1,3}\w|[xX]-?[dDpP]")
"""Signs that were typed: ":-)", ";P"."""
_NETWORKS = Path(__file__).with_name("networks.txt").read_text(encoding="utf-8")
_ROWS = [line.split("|") for line in _NETWORKS.splitlines()[1:]]
_NETWORKS_BY_DOMAIN = {host: name.strip() for name, hosts, _ in _ROWS for host in hosts.split()}
_NETWORKS_BY_CLASS = {part: name.strip() for name, _, classes in _ROWS for part in classes.split()}
_PLAYERS = {
    "video": linear(
        r"youtu\.?be|vimeo|dailymotion|videa|indavideo|jwplayer|jwplatform|brightcove|kaltura|wistia|twitch|rumble|/video|\.mp4|\.m3u8",
    ),
    "audio": linear(
        r"soundcloud|spotify|podcast|mixcloud|anchor\.fm|buzzsprout|acast|simplecast|/audio|\.mp3",
    ),
    "document": linear(r"\.pdf|scribd|issuu|docs\.google|documentcloud|slideshare|calameo"),
}
KIND_OF_TAG = {
    "video": "video",
    "audio": "audio",
    "amp-video": "video",
    "amp-youtube": "video",
    "amp-audio": "audio",
}
"""The kind of embed that an element always shows."""


_SIGNED = linear(
    r"(?:^\s*[—–―-]\s*(?P<name>[^\n()]{1,100}))?\((?P<handle>@[\w.@:-]{1,100})\)(?P<when>[^\n]{0,60})",
)
"""`— Name (@handle) May 1, 2024`, or no more than `(@handle)` in a line of another kind."""
_AUTO = (DateFormat.parse("auto"),)


def media_target(element: Element, attribute: str | None, base: str) -> LinkTarget | None:
    """Return the address of what an element shows; `attribute` is where a rule says it stands."""
    ruled = _ruled_address(element, attribute.lower()) if attribute else None
    if ruled is not None:
        return link_target(ruled, base)
    # from the most to the least likely; what may be a placeholder last, never an inline image
    return best_of(link_target(address, base) for address in sorted(_written(element), key=_is_placeholder))


def _ruled_address(element: Element, attribute: str) -> str | None:
    """Return what the attribute of an element says, or that of something in it, which may be meant."""
    for inside in element.iter("*"):
        written = inside.get(attribute)
        if written is not None:
            return _largest(written) if "srcset" in attribute else written
    return None


def picture_address(image: Element) -> str:
    """Return the address as the page writes it; empty where there are only placeholders."""
    return next((value for value in _written(image) if not _is_placeholder(value)), "")


def file_of(image: Element) -> str:
    """Return the file of a picture by which it is known again; empty where it has none."""
    return picture_file(picture_address(image))


def picture_file(address: str) -> str:
    """Return by what a picture is known again, whatever server and size it comes from; of "1.jpg" or
    "cover.jpg" with its folder."""
    folder, _, name = _COPY.sub("", address).rstrip("/").rpartition("/")
    return f"{folder.rpartition('/')[2]}/{name}" if _ANY_NAME.match(name) else name


def pixels(image: Element, side: str) -> int:
    """Return how wide or high a picture says that it is; 0 where it does not."""
    written = image.get(side, "")
    return int(written) if written.isdecimal() else 0


def _written(element: Element) -> Iterator[str]:
    """Yield all addresses in the element's attributes, and in those of what belongs to it."""
    for holder in _holders(element):
        yield from filter(_is_address, _values(holder, chain(_LAZY, _PLAINLY)))
        yield from filter(None, map(_largest, _values(holder, _SETS)))


def _values(element: Element, names: Iterable[str]) -> list[str]:
    written = cast(dict[str, str], dict(element.items()))  # most of the names are not there
    return [written[name] for name in names if name in written]


def _holders(element: Element) -> Iterator[Element]:
    """Yield what may have the address of what an element shows."""
    yield element
    yield from _HOLDERS.get(element.tag, _no_others)(element)


def _no_others(_: Element) -> Iterator[Element]:
    return iter(())


def _around_picture(image: Element) -> Iterator[Element]:
    # to libxml2 what follows a `source` stands in it
    return takewhile(lambda around: around.tag in ("picture", "source"), image.iterancestors())


def _in_player(player: Element) -> Iterator[Element]:
    yield from player.iter("source", "embed")
    params = player.iter("param")
    yield from (param for param in params if param.get("name", "").lower() in ("movie", "src", "url"))


_HOLDERS: dict[str, Callable[[Element], Iterator[Element]]] = {
    "img": _around_picture,
    **dict.fromkeys(("video", "audio", "object"), _in_player),
}
"""Elements that may have addresses of what an element of a name shows, beside itself."""


def _is_address(value: str) -> bool:
    return "{" not in value and ("/" in value or "." in value)


def _is_placeholder(address: str) -> bool:
    if address[:6].lower().startswith(("data:", "about:")):
        return True
    return _PLACEHOLDER.search(f"/{address.rpartition('/')[2]}") is not None


def _largest(srcset: str) -> str | None:
    """Return the candidate with the greatest width or density."""
    candidates = [(url.strip(","), size) for url, size in _CANDIDATE.findall(srcset[:20_000])]
    usable = [(_magnitude(size), url) for url, size in candidates if url and not _is_placeholder(url)]
    return max(usable, key=itemgetter(0), default=(0.0, None))[1]


def _magnitude(size: str) -> float:
    return float(size[:-1]) if _SIZE.fullmatch(size) else 1.0


class _Drawing(NamedTuple):
    """A picture that may be none by itself."""

    image: Element
    file: str
    """The last part of its address."""

    def is_tiny(self) -> bool:
        return not _TINY.isdisjoint((self.image.get("width"), self.image.get("height")))

    def is_emoji(self) -> bool:
        return emoji_of(self.image) is not None

    def holds_place(self) -> bool:
        return _HOLDS_PLACE.search(self.file[-_LONGEST_NAME:]) is not None

    def is_icon(self) -> bool:
        """Return True if it is called an icon or the like, and is not as large as a picture."""
        return all_hold(_SIGNS_OF_ICON, self)

    def is_as_large_as_icon(self) -> bool:
        return max(pixels(self.image, "width"), pixels(self.image, "height")) <= _LARGEST_ICON

    def is_in_no_figure(self) -> bool:
        return next(self.image.iterancestors("figure"), None) is None

    def is_called_icon(self) -> bool:
        drawn = "" if _PHOTO.search(self.file) else self.file[-_LONGEST_NAME:]
        return _DECORATION.search(f"{self.image.get('class')} {self.image.get('id')} {drawn}") is not None


_SIGNS_OF_ICON = (_Drawing.is_called_icon, _Drawing.is_as_large_as_icon, _Drawing.is_in_no_figure)
_SIGNS_OF_DECORATION = (_Drawing.is_tiny, _Drawing.is_emoji, _Drawing.holds_place, _Drawing.is_icon)


def is_decoration(image: Element, address: str | None = None) -> bool:
    """Return True if an image is no picture by itself.

    Nobody can see it, or it stands for a character; or it is an icon, a logo and the like. `address`: its
    own, where that is known.
    """
    file = (address or picture_address(image)).partition("?")[0].rpartition("/")[2]
    return any_holds(_SIGNS_OF_DECORATION, _Drawing(image, file))


def emoji_of(image: Element) -> str | None:
    """Return what a smiley or emoji stands for, as far as that can be written; None for any other picture."""
    alt = image.get("alt", "")
    if len(alt) <= _LONGEST_EMOJI and _EMOJI.fullmatch(alt):
        return alt.strip()
    names = f"{image.get('class', '')} {image.get('src', '')[:_LONGEST_NAME]}"
    is_named_so = _EMOJI_NAMES.search(names) is not None
    return squeeze(alt)[:_LONGEST_NAME] if is_named_so else None


def is_written(emoji: str) -> bool:
    """Return True if it is a character, or the signs that were typed for it, and not the name of one."""
    return _EMOJI.fullmatch(emoji) is not None or _EMOTICON.fullmatch(emoji) is not None


def embed_kind(url: str | None) -> str:
    """Return video, audio, document or frame, by its address."""
    address = (url or "").lower()
    return next((kind for kind, pattern in _PLAYERS.items() if pattern.search(address)), "frame")


def network(names: str) -> str | None:
    """Return which social network an embedded post comes from, by its class."""
    return next((name for part, name in _NETWORKS_BY_CLASS.items() if part in names), None)


def network_at(url: str | None) -> str | None:
    """Return which social network an embedded post comes from, by its address."""
    host = (url or "").partition("//")[2].partition("/")[0].lower()
    return _NETWORKS_BY_DOMAIN.get(".".join(host.split(".")[-2:]))


_IN_FRAME = frozenset(
    {
        "a",
        "aside",
        "b",
        "br",
        "cite",
        "div",
        "em",
        "i",
        "img",
        "p",
        "picture",
        "small",
        "source",
        "span",
        "strong",
    },
)
_FRAMES = frozenset({"aside", "center", "div", "section", "span"})
"""Elements that may be a frame; others that hold a picture mean something by themselves."""
_MOST_IN_FRAME = 12
"""Elements in what frames a picture."""
_MOST_AROUND = 4
"""Elements around a picture that may frame it."""


def framed_pictures(root: Element) -> Iterator[Element]:
    """Yield elements amid paragraphs that hold a picture and a line, and mean nothing by themselves: the
    line is its caption."""
    for image in root.iter("img"):
        around = takewhile(
            lambda frame: frame is not root and frame.tag in _IN_FRAME,
            islice(image.iterancestors(), _MOST_AROUND),
        )
        frame = next((frame for frame in around if _paragraphs_beside(frame)), None)
        if frame is not None and all_hold(_SIGNS_OF_FRAME, _Frame.around(frame)):
            yield frame


def _paragraphs_beside(frame: Element) -> list[Element]:
    beside = chain(islice(frame.itersiblings(preceding=True), 1), islice(frame.itersiblings(), 1))
    return [sibling for sibling in beside if sibling.tag == "p"]


class _Frame(NamedTuple):
    """An element around a picture, in which a caption may stand."""

    element: Element
    inside: list[Element]
    """The elements in it, not more than are looked at."""
    tags: list[str]
    """Their names."""

    @classmethod
    def around(cls, element: Element) -> _Frame:
        inside = list(islice(element.iterdescendants("*"), _MOST_IN_FRAME))
        return cls(element, inside, [inner.tag for inner in inside])

    def means_nothing_else(self) -> bool:
        return self.element.tag in _FRAMES

    def is_small(self) -> bool:
        return len(self.inside) < _MOST_IN_FRAME

    def holds_no_other_elements(self) -> bool:
        return _IN_FRAME.issuperset(self.tags)

    def holds_one_picture(self) -> bool:
        return self.tags.count("img") < 2

    def holds_one_line(self) -> bool:
        """Return True if there is one line in it, and that is no link."""
        written = Counter(inner.tag for inner in self.inside if short_text(inner, 0) != "")
        return written["p"] + written["div"] < 2 and not written["a"]

    def is_line_short(self) -> bool:
        return bool(short_text(self.element, 200))

    def is_amid_text(self) -> bool:
        return not all(short_text(paragraph, 60) for paragraph in _paragraphs_beside(self.element))


_SIGNS_OF_FRAME = (
    _Frame.means_nothing_else,
    _Frame.is_small,
    _Frame.holds_no_other_elements,
    _Frame.holds_one_picture,
    _Frame.holds_one_line,
    _Frame.is_line_short,
    _Frame.is_amid_text,
)


def signature(lines: Sequence[str], language: str | None) -> dict[str, str]:
    """Return `who` and `when`, as far as the last lines of a post say it."""
    for line in reversed(lines[-3:]):
        signed = _SIGNED.search(line[:_LONGEST_NAME])
        if signed is not None:
            who = squeeze(f"{signed['name']} ({signed['handle']})") if signed["name"] else signed["handle"]
            return {"who": who, **_day_in(signed["when"], language)}
    return {}


def _day_in(text: str, language: str | None) -> dict[str, str]:
    for tongue in (None, language):
        # the hour is that of whoever embedded the post, and nobody says where that was
        day = find_date(_AUTO, text, language=tongue, timezone=UTC, now=None)
        if day is not None:
            return {"when": day.value[:10]}
    return {}


def noscript_pictures_in(root: Element) -> dict[Element, Element]:
    """Return the picture in each `noscript` that nothing else shows.

    Where a script is to put a picture in its place, pages repeat it there.
    """
    images = chain.from_iterable(noscript.iter("img") for noscript in root.iter("noscript"))
    waiting = [_Waiting(next(image.iterancestors("noscript")), image) for image in images]
    of_article = [one for one in waiting if all_hold(_SIGNS_OF_WAITING, one)]
    if not of_article:
        return {}
    others = set(root.iter("img")).difference(one.image for one in of_article)
    shown = set(map(file_of, others))
    return {one.noscript: one.image for one in of_article if file_of(one.image) not in shown}


class _Waiting(NamedTuple):
    """A picture that waits for a script in a `noscript`."""

    noscript: Element
    image: Element

    def is_alone(self) -> bool:
        return len(self.noscript.findall(".//img")) == 1

    def is_shown(self) -> bool:
        """Return False for pixels that count readers: they stand there, too."""
        return _HIDDEN.search(self.image.get("style", "")) is None

    def is_picture_by_itself(self) -> bool:
        return not is_decoration(self.image)

    def is_called_picture(self) -> bool:
        """Return True for the file of a picture, or what is in a figure."""
        address = picture_address(self.image)
        figure = next(self.noscript.iterancestors("figure", "picture"), None)
        return (address != "" and figure is not None) or PICTURE_FILE.search(address) is not None


_SIGNS_OF_WAITING = (
    _Waiting.is_alone,
    _Waiting.is_shown,
    _Waiting.is_picture_by_itself,
    _Waiting.is_called_picture,
)
"""Signs of a picture of the article."""
