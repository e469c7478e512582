"""Where links lead, and what an element shows, wherever lazy loading hides its address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from functools import lru_cache
from itertools import chain, islice, takewhile
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, cast

from lxml.etree import _Element as Element

from webarticlecurator.dates import DateFormat, find_date
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import element_text, letters_of, short_text, squeeze
from webarticlecurator.urls import WHOLE_ESCAPES, is_http, join, percent_encoded


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
_REST = _QUERY + r"(?:#[A-Za-z0-9\-._~:/?@!$&'()*+,;=]*)?"
_PLAIN = linear_at(rf"{WHOLE_ESCAPES}https?://[a-z0-9][a-z0-9.-]*(?::[0-9]{{1,5}})?(?:/{_CHARACTERS}{_REST}|{_QUERY})")
"""Most addresses: nothing to do."""
_PLAIN_PATH = linear_at(rf"{WHOLE_ESCAPES}(?!//|.*/\.)/{_CHARACTERS}{_REST}")
"""Most of the others: only the host of the page goes before them."""
_ILLEGAL = linear(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_LEADS_NOWHERE = linear_at(r"\s*(?:$|#\s*$|https?://+\s*$|(?:javascript|data|blob|about|file|vbscript):)", re.IGNORECASE)
_PROTECTED = linear(r"/cdn-cgi/l/email-protection#([0-9a-fA-F]{4,400})")
_LONGEST_ADDRESS, _SHORT = 8_000, 4_000


def link_target(written: str | None, base: str, encoding: str = "utf-8") -> LinkTarget | None:
    """Where an `href` leads; None where it leads nowhere."""
    if not written:
        return None
    if _PLAIN.fullmatch(written) and "/cdn-cgi/" not in written:
        return LinkTarget(written)
    is_path = written[0] == "/" and len(written) < _SHORT and not written.startswith("/cdn-cgi/") and _PLAIN_PATH.fullmatch(written)
    if is_path and (host := _host(base)):
        return LinkTarget(host + written)
    if _LEADS_NOWHERE.match(written):
        return None
    if (protected := _PROTECTED.search(written)) is not None:
        address = mail_address(protected[1])
        return LinkTarget("mailto:" + any_uri(address) if address else None, written[:_LONGEST_ADDRESS])
    stripped = written.strip()
    joined = join(base, stripped, encoding=encoding)
    if joined is None or len(joined) > _LONGEST_ADDRESS:
        return LinkTarget(None, written[:_LONGEST_ADDRESS])
    repaired = _ILLEGAL.search(stripped) is not None or any_uri(stripped) != stripped
    return LinkTarget(any_uri(joined), written[:_LONGEST_ADDRESS] if repaired else None)


@lru_cache(maxsize=1_024)
def _host(base: str) -> str | None:
    """With its scheme; None where there is more to it."""
    joined = join(base, "/") if is_http(base) else None
    return joined.removesuffix("/") if joined is not None and len(joined) < _SHORT else None


def any_uri(url: str) -> str:
    """The address with everything escaped that some reader of anyURI refuses: blanks, brackets, stray `%`, a second `#`."""
    before, mark, fragment = url.partition("#")
    return _ILLEGAL.sub(percent_encoded, before) + mark + _ILLEGAL.sub(percent_encoded, fragment).replace("#", "%23")


def mail_address(code: str) -> str | None:
    """That behind Cloudflare's protection: the first byte is the key of all others."""
    try:
        key, *encoded = bytes.fromhex(code)
        address = bytes(byte ^ key for byte in encoded).decode("utf-8")
    except ValueError:
        return None
    return address if address.isprintable() and "@" in address else None


_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-orig-file", "data-src-large", "data-full-src",
    "data-large-file", "data-hi-res-src", "data-image", "data-img", "data-url",
)  # fmt: skip
_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set", "srcset")
_OTHERS = ("src", "data", "data-href", "cite", "data-instgrm-permalink", "data-embed-src", "data-video-src", "data-video", "href", "value")
_PLACEHOLDER = linear(
    r"[/_.-](?:blank|empty|spacer|pixel|placeholder|transparent|lazy|loading|loader|grey|gray|1x1|dummy)|/(?:trans|clear|px|x)\.(?:gif|png)$",
    re.IGNORECASE,
)
"""In the name of a file, with the slash before it."""
_SIZE = linear_at(r"\d{1,7}(?:\.\d{1,3})?[wx]", re.ASCII)
PICTURE_FILE = linear(r"\.(?:jpe?g|png|gif|webp|avif)(?![a-z0-9])", re.IGNORECASE)
_COPY = linear(r"[?#].*|-(?:\d{2,5}x\d{2,5}|scaled)(?=\.\w+(?:[?#]|$))")
"""What parts the addresses of one picture in several sizes."""
_ANY_NAME = linear_at(r"(?:\w{1,2}|\d+|cover|featured|header|hero|image|img|main|photo|picture)[.]", re.IGNORECASE)
"""Of a file, as any article's picture may be called."""
_HIDDEN = linear(r"display\s*:\s*none|visibility\s*:\s*hidden|-\d{3,}px", re.IGNORECASE)
_TINY = frozenset({"0", "1", "2", "3", "0px", "1px", "2px", "3px"})
_DECORATION = linear(r"(?<![a-z])(?:icons?|avatars?|gravatar|logos?|spinner)(?![a-z])", re.IGNORECASE)
"""In the class or id of a picture, or the name of a file that is drawn."""
_HOLDS_PLACE = linear(
    r"(?<![a-z])(?:spinner|loader|loading|placeholder|spacer|transparent)(?![a-z])|(?:^|[._-])(?:blank|empty|1x1|pixel|trans|clear)\.\w+$",
    re.I,
)
_PHOTO = linear(r"\.(?:jpe?g|webp|avif)$", re.IGNORECASE)
_LONGEST_EMOJI, _LONGEST_NAME = 30, 200
_EMOJI = linear_at(
    r"(?=[\s\S]*[\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff\u20e3])"
    r"\s*[#*0-9\u00a9\u00ae\u200d\u203c-\u2bff\u3030\u303d\u3297\u3299\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]+\s*"
)
_EMOJI_NAMES = linear(r"emoji|emoticon|smil(?:ey|ie|e\b)|twemoji|joypixels", re.IGNORECASE)
"""In the class or the address of such a picture."""
_EMOTICON = linear_at(r"[^\w\s]{2,4}|[^\w\s]{1,3}\w|[xX]-?[dDpP]")
"""Signs that were typed: ":-)", ";P"."""
_ROWS = [line.split("|") for line in Path(__file__).with_name("networks.txt").read_text(encoding="utf-8").splitlines()[1:]]
_NETWORKS = [(name.strip(), hosts.split(), classes.split()) for name, hosts, classes in _ROWS]
_PLAYERS = {
    "video": linear(
        r"youtu\.?be|vimeo|dailymotion|videa|indavideo|jwplayer|jwplatform|brightcove|kaltura|wistia|twitch|rumble|/video|\.mp4|\.m3u8"
    ),
    "audio": linear(r"soundcloud|spotify|podcast|mixcloud|anchor\.fm|buzzsprout|acast|simplecast|/audio|\.mp3"),
    "document": linear(r"\.pdf|scribd|issuu|docs\.google|documentcloud|slideshare|calameo"),
}
KIND_OF_TAG = {"video": "video", "audio": "audio", "amp-video": "video", "amp-youtube": "video", "amp-audio": "audio"}
"""What an element always shows."""


_SIGNED = linear(r"(?:^\s*[—–―-]\s*(?P<name>[^\n()]{1,100}))?\((?P<handle>@[\w.@:-]{1,100})\)(?P<when>[^\n]{0,60})")
"""`— Name (@handle) May 1, 2024`, or no more than `(@handle)` in a line of another kind."""
_AUTO = (DateFormat.parse("auto"),)


def media_target(element: Element, attribute: str | None, base: str) -> LinkTarget | None:
    """The address of what an element shows; `attribute` is where a rule says it stands."""
    if attribute:  # that of something in it may be meant
        name = attribute.lower()
        ruled = next((value for inside in element.iter() if (value := inside.get(name)) is not None), None)
        written = _largest(ruled) if ruled is not None and "srcset" in name else ruled
        if written is not None:
            return link_target(written, base)
    # from the most to the least likely; what may be a placeholder last, never an inline image
    return best_of(link_target(address, base) for address in sorted(_written(element), key=_is_placeholder))


def picture_address(image: Element) -> str | None:
    """The address as the page writes it, unless there are only placeholders."""
    return next((value for value in _written(image) if not _is_placeholder(value)), None)


def picture_file(address: str) -> str:
    """By which a picture is known again, whatever server and size it comes from; such as "1.jpg" and "cover.jpg" in its folder alone."""
    folder, _, name = _COPY.sub("", address).rpartition("/")
    return f"{folder.rpartition('/')[2]}/{name}" if _ANY_NAME.match(name) else name


def _written(element: Element) -> Iterator[str]:
    """All addresses in the element's attributes, and in those of what belongs to it."""
    holders: Iterable[Element] = (element,)
    if element.tag == "img":
        # to libxml2 what follows a `source` stands in it
        holders = chain(holders, takewhile(lambda around: around.tag in ("picture", "source"), element.iterancestors()))
    elif element.tag in ("video", "audio", "object"):
        params = (param for param in element.iter("param") if (param.get("name") or "").lower() in ("movie", "src", "url"))
        holders = chain(holders, element.iter("source", "embed"), params)
    for holder in holders:
        written = cast(dict[str, str], dict(holder.items())).get  # most of the names are not there
        sets = [largest for name in _SETS if (value := written(name)) and (largest := _largest(value))]
        lazy = [value for name in _LAZY if (value := written(name)) and _is_address(value)]
        plain = [value for name in _OTHERS if (value := written(name)) and _is_address(value)]
        yield from (*lazy, *plain, *sets)


def _is_address(value: str) -> bool:
    return "{" not in value and ("/" in value or "." in value)


def _is_placeholder(address: str) -> bool:
    if address[:6].lower().startswith(("data:", "about:")):
        return True
    return _PLACEHOLDER.search(f"/{address.rpartition('/')[2]}") is not None


def _largest(srcset: str) -> str | None:
    """The candidate with the greatest width or density."""
    # commas may stand in URLs, and the one between two candidates without a blank
    tokens, usable = srcset[:20_000].split()[::-1], list[tuple[float, str]]()
    while tokens:
        url = tokens.pop()
        size = ""
        if not url.endswith(",") and tokens:
            size, comma, following = tokens.pop().partition(",")
            if comma and following:
                tokens.append(following)
        if (url := url.strip(",")) and not _is_placeholder(url):
            usable.append((float(size[:-1]) if _SIZE.fullmatch(size) else 1.0, url))
    return max(usable, key=itemgetter(0))[1] if usable else None


def is_decoration(image: Element, address: str | None = None) -> bool:
    """No picture by itself: one that nobody can see, which counts readers; what stands for a character; icons, logos and the like.

    `address`: its own, where that is known.
    """
    if image.tag != "img":
        return False
    width, height = image.get("width"), image.get("height")
    if width in _TINY or height in _TINY or emoji_of(image) is not None:
        return True
    file = (address or picture_address(image) or "").partition("?")[0].rpartition("/")[2]
    if _HOLDS_PLACE.search(file[-_LONGEST_NAME:]):
        return True
    names = (image.get("class"), image.get("id"), None if _PHOTO.search(file) else file[-_LONGEST_NAME:])
    if not any(map(_DECORATION.search, filter(None, names))) or next(image.iterancestors("figure"), None) is not None:
        return False
    return not any(size is not None and size.isdecimal() and int(size) > 200 for size in (width, height))


def emoji_of(image: Element) -> str | None:
    """What a smiley or emoji stands for, as far as that can be written; None for any other picture."""
    alt = image.get("alt") or ""
    if alt and len(alt) <= _LONGEST_EMOJI and _EMOJI.fullmatch(alt):
        return alt.strip()
    if _EMOJI_NAMES.search(f"{image.get('class') or ''} {(image.get('src') or '')[:_LONGEST_NAME]}"):
        return squeeze(alt)[:_LONGEST_NAME]
    return None


def is_written(emoji: str) -> bool:
    """Whether it is a character, or the signs that were typed for it, and not the name of one."""
    return _EMOJI.fullmatch(emoji) is not None or _EMOTICON.fullmatch(emoji) is not None


def embed_kind(url: str | None) -> str:
    """video, audio, document or frame, by its address."""
    address = (url or "").lower()
    return next((kind for kind, pattern in _PLAYERS.items() if pattern.search(address)), "frame")


def network(names: str, url: str | None) -> str | None:
    """Which social network an embedded post comes from, by its address, else by its class."""
    host = "." + (url or "").partition("//")[2].partition("/")[0].lower()
    by_host = next((name for name, hosts, _ in _NETWORKS if any(host.endswith(f".{own}") for own in hosts)), None)
    return by_host or next((name for name, _, classes in _NETWORKS if any(part in names for part in classes)), None)


_AGENCIES = frozenset(
    letters_of(line)
    for line in Path(__file__).parent.with_name("picture_agencies.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
_MAKER = linear_at(
    r"[(\[]?(?:(?:image|photo|picture)\s+)?(?:photos?|fotos?|fotók?|bild|image|kép|credits?|copyright|crédits?|©)(?:\s+(?:by|von|par|de))?\s*[:/©]?\s*",
    re.IGNORECASE,
)

_IN_FRAME = frozenset({"a", "b", "br", "cite", "div", "em", "i", "img", "p", "picture", "small", "source", "span", "strong"})
_MOST_IN_FRAME, _MOST_AROUND = 12, 4


def is_credit(caption: str) -> bool:
    """Whether it says no more than who made a picture: an agency alone or with a name, or a name behind a word such as photo."""
    text = squeeze(caption)
    if not text or len(text) > 80 or text.endswith((".", "!", "?")):
        return False
    maker = _MAKER.match(text)
    if maker is not None and maker[0].rstrip().endswith((":", "/", "©")):
        return True
    return any(letters_of(part) in _AGENCIES for part in linear(r"[/|,;()\u2013\u2014-]").split(text[maker.end() if maker else 0 :]))


def framed_pictures(root: Element) -> Iterator[Element]:
    """Elements amid paragraphs that hold a picture and a line, and mean nothing by themselves: the line is its caption."""
    for image in root.iter("img"):
        for frame in islice(image.iterancestors(), _MOST_AROUND):
            if frame is root or frame.tag not in _IN_FRAME:
                break
            beside = [sibling for sibling in (frame.getprevious(), frame.getnext()) if sibling is not None and sibling.tag == "p"]
            if beside and frame.tag in {"center", "div", "section", "span"}:
                if _is_with_line(frame) and any(not short_text(paragraph, 60) for paragraph in beside):
                    yield frame
                break


def _is_with_line(frame: Element) -> bool:
    """Whether it holds one picture and a line that is no link, and nothing else."""
    inside = list(islice(frame.iterdescendants("*"), _MOST_IN_FRAME))
    if len(inside) == _MOST_IN_FRAME or [element.tag for element in inside].count("img") > 1:
        return False
    lines = [element for element in inside if element.tag in ("p", "div") and short_text(element, 0) != ""]
    linked = any(element.tag == "a" and short_text(element, 0) != "" for element in inside)
    return not linked and len(lines) < 2 and _IN_FRAME.issuperset(element.tag for element in inside) and bool(short_text(frame, 200))


def signature(lines: Sequence[str], language: str | None) -> dict[str, str]:
    """`who` and `when`, as far as the last lines of a post say it."""
    for line in reversed(lines[-3:]):
        if signed := _SIGNED.search(line[:_LONGEST_NAME]):
            who = squeeze(f"{signed['name'] or ''} ({signed['handle']})") if signed["name"] else signed["handle"]
            # the hour is that of whoever embedded the post, and nobody says where that was
            days = (find_date(_AUTO, signed["when"], language=tongue, timezone=UTC, now=None) for tongue in (None, language))
            has_year = linear(r"(?:19|20)\d\d").search(signed["when"]) is not None
            day = next((day.value[:10] for day in days if day is not None), None) if has_year else None
            return {"who": who, "when": day} if day is not None else {"who": who}
    return {}


def noscript_pictures_in(root: Element) -> dict[Element, Element]:
    """The picture in each `noscript` that nothing else shows: where a script is to put a picture in its place, pages repeat it there.

    Counting pixels stand in `noscript`, too: only the file of a picture, or what is in a figure, is one.
    """
    pictures: dict[Element, Element] = {}
    for noscript in root.iter("noscript"):
        inside = [element for element in islice(noscript.iter("*"), _MOST_IN_FRAME) if element.tag == "img"]
        if len(inside) == 1 and not is_decoration(inside[0]) and not _HIDDEN.search(inside[0].get("style") or ""):
            address, framed = picture_address(inside[0]), next(noscript.iterancestors("figure", "picture"), None) is not None
            if address and (framed or PICTURE_FILE.search(address)):
                pictures[noscript] = inside[0]
    spare = frozenset(pictures.values())
    images = (image for image in root.iter("img") if image not in spare) if spare else ()
    shown = {picture_file(address) for image in images if (address := picture_address(image))}
    return {noscript: picture for noscript, picture in pictures.items() if picture_file(picture_address(picture) or "") not in shown}


_INVISIBLE_SIGNS = dict.fromkeys(range(0x2061, 0x2065))
"""Signs of MathML that say how others belong together."""


def tex_of(element: Element) -> str | None:
    """The formula in TeX that a `math`, what MathJax drew, a `script` or a picture stands for; of MathML without it, its signs.

    None for anything else.
    """
    if element.tag == "mjx-container":
        math = next(element.iter("math"), None)
        # what MathJax notes beside the signs that it draws: of the whole formula first
        drawn = (tex for part in element.iter("*") if (tex := part.get("data-latex")))
        return tex_of(math) if math is not None else _clean(next(drawn, ""))
    if element.tag == "math":
        notes = (element_text(note) for note in element.iter("annotation") if "tex" in (note.get("encoding") or "").lower())
        signs = element_text(element, without=frozenset(element.iter("annotation", "annotation-xml")))
        return _clean(next(notes, None) or element.get("alttext") or "".join(signs.split()))
    if element.tag == "script":
        return _clean(element.text or "")
    return _clean(element.get("alt") or "") if element.tag == "img" else None


def is_tex(script: Element) -> bool:
    """Whether a script is no program but a formula that a program is to draw."""
    return (script.get("type") or "").startswith("math/tex")


def _clean(tex: str) -> str | None:
    tex = squeeze(tex.translate(_INVISIBLE_SIGNS).replace("% <![CDATA[", "").replace("%]]>", ""))
    for before, after in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if tex.startswith(before) and tex.endswith(after) and len(tex) > len(before + after):
            tex = tex[len(before) : -len(after)].strip()
    return tex if 0 < len(tex) <= 5_000 else None
