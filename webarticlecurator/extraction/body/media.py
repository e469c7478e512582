"""The addresses of pictures, players and posts of other sites, wherever lazy loading hides them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from operator import itemgetter
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.links import LinkTarget, best_of, link_target
from webarticlecurator.text import squeeze
from webarticlecurator.urls import is_http

_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-orig-file", "data-src-large", "data-full-src",
    "data-large-file", "data-hi-res-src", "data-image", "data-img", "data-url",
)  # fmt: skip
_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set", "srcset")
_OTHERS = ("src", "data", "data-href", "cite", "data-instgrm-permalink", "data-embed-src", "data-video-src", "data-video", "href", "value")
_PLACEHOLDER = re.compile(
    r"[/_.-](?:blank|empty|spacer|pixel|placeholder|transparent|lazy|loading|loader|grey|gray|1x1|dummy)|/(?:trans|clear|px|x)\.(?:gif|png)$",
    re.IGNORECASE,
)
"""In the name of a file, with the slash before it."""
_SIZE = re.compile(r"\d{1,7}(?:\.\d{1,3})?[wx]", re.ASCII)
_TINY = frozenset({"0", "1", "2", "3", "0px", "1px", "2px", "3px"})
_LONGEST = 20_000
"""Characters of a `srcset`."""
_LONGEST_EMOJI, _LONGEST_NAME = 30, 200
_EMOJI = re.compile(
    r"\s*(?=.*[\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff\u20e3])"
    r"[#*0-9\u00a9\u00ae\u200d\u203c-\u2bff\u3030\u303d\u3297\u3299\ufe0e\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]+\s*"
)
_EMOJI_NAMES = re.compile(r"emoji|emoticon|smil(?:ey|ie|e\b)|twemoji|joypixels", re.IGNORECASE)
"""In the class or the address of such a picture."""
_EMOTICON = re.compile(r"[^\w\s]{2,4}|[^\w\s]{1,3}\w|[xX]-?[dDpP]")
"""Signs that were typed: ":-)", ";P"."""
_NETWORKS = {
    "twitter.com": "twitter", "x.com": "twitter", "instagram.com": "instagram", "facebook.com": "facebook", "fb.watch": "facebook",
    "tiktok.com": "tiktok", "reddit.com": "reddit", "bsky.app": "bluesky", "threads.net": "threads", "threads.com": "threads",
    "linkedin.com": "linkedin", "pinterest.com": "pinterest", "tumblr.com": "tumblr", "vk.com": "vk", "t.me": "telegram",
    "telegram.org": "telegram", "imgur.com": "imgur",
}  # fmt: skip
_NETWORK_NAMES = (
    ("twitter", "twitter"), ("instagram", "instagram"), ("fb-", "facebook"), ("facebook", "facebook"), ("tiktok", "tiktok"),
    ("reddit", "reddit"), ("bluesky", "bluesky"), ("mastodon", "mastodon"), ("text-post-media", "threads"), ("imgur", "imgur"),
)  # fmt: skip
_PLAYERS = {
    "video": re.compile(
        r"youtu\.?be|vimeo|dailymotion|videa|indavideo|jwplayer|jwplatform|brightcove|kaltura|wistia|twitch|rumble|/video|\.mp4|\.m3u8"
    ),
    "audio": re.compile(r"soundcloud|spotify|podcast|mixcloud|anchor\.fm|buzzsprout|acast|simplecast|/audio|\.mp3"),
    "document": re.compile(r"\.pdf|scribd|issuu|docs\.google|documentcloud|slideshare|calameo"),
}
_BY_TAG = {"video": "video", "audio": "audio", "amp-video": "video", "amp-youtube": "video", "amp-audio": "audio"}
_BY_NUMBER = {
    "youtube": ("https://www.youtube.com/watch?v=", re.compile(r"(?!\d+\Z)[\w-]{6,20}", re.ASCII)),
    "vimeo": ("https://vimeo.com/", re.compile(r"\d{5,12}", re.ASCII)),
    "dailymotion": ("https://www.dailymotion.com/video/", re.compile(r"[a-zA-Z0-9]{6,10}")),
    "twitter": ("https://twitter.com/i/status/", re.compile(r"\d{5,20}", re.ASCII)),
    "instagram": ("https://www.instagram.com/p/", re.compile(r"[\w-]{8,40}", re.ASCII)),
}
"""How the address of what a site shows is made of its number, and what the site's numbers look like."""
_PLAIN_NUMBER = re.compile(r"[\w-]{1,40}", re.ASCII)
"""What counts where the element's own name is the site's."""
_VIDEO_SITES = ("youtube", "vimeo", "dailymotion")
_NUMBERS: Mapping[str, tuple[str, ...]] = {
    **{f"data-{site}{rest}": (site,) for site in _VIDEO_SITES for rest in ("", "id", "-id", "-video-id", "-video")},
    **dict.fromkeys(("data-yt-id", "data-ytid"), ("youtube",)),
    **dict.fromkeys(("data-tweet-id", "data-tweetid"), ("twitter",)),
}
"""Attributes with such a number, and whose it is."""
_UNSIGNED = {
    **dict.fromkeys(("data-video-id", "data-videoid", "videoid", "data-embed-id", "data-plyr-embed-id"), _VIDEO_SITES),
    "data-shortcode": ("instagram",),
}
"""The same where something else of the element has to name the site."""


def media_target(element: Element, attribute: str | None, base: str) -> LinkTarget | None:
    """The address of what an element shows; `attribute` is where a rule says it stands."""
    written = _ruled(element, attribute) if attribute else None
    if written is not None:
        return link_target(written, base)
    return best_of(link_target(one, base) for one in _candidates(element))


def picture_address(image: Element) -> str | None:
    """The address as the page writes it, unless there are only placeholders."""
    return next((value for value in _written(image) if not _is_placeholder(value)), None)


def _ruled(element: Element, attribute: str) -> str | None:
    """A rule for a container may mean an attribute of something in it."""
    name = attribute.lower()
    holder = element if element.get(name) is not None else next((one for one in element.iter() if one.get(name) is not None), None)
    value = holder.get(name) if holder is not None else None
    return _largest(value) if value is not None and "srcset" in name else value


def _candidates(element: Element) -> Iterator[str]:
    """From the most to the least likely; placeholders last, never an inline image."""
    fallback: list[str] = []
    if element.tag not in ("iframe", "img"):
        yield from _addresses_by_number(element)
    for value in _written(element):
        if _is_placeholder(value):
            fallback.append(value)
        else:
            yield value
    yield from fallback


def _written(element: Element) -> Iterator[str]:
    """All addresses in the element's attributes, and in those of what belongs to it."""
    for holder in _holders(element):
        written = holder.get
        sets = [found for name in _SETS if (value := written(name)) and (found := _largest(value))]
        lazy = [value for name in _LAZY if (value := written(name)) and _is_address(value)]
        plain = [value for name in _OTHERS if (value := written(name)) and _is_address(value)]
        yield from (*lazy, *plain, *sets)


def _addresses_by_number(element: Element) -> Iterator[str]:
    """A player that a script will put here may be known by no more than the number of what it is to show."""
    written = {str(name): str(value).strip() for name, value in element.items()}
    for name, value in written.items():
        sites = _NUMBERS.get(name, ())
        if name in _UNSIGNED:
            names = " ".join((element.tag, *written.values())).lower()
            sites = tuple(site for site in _UNSIGNED[name] if site in names)
        if sites and is_http(value):
            yield value
        for site in sites:
            address, number = _BY_NUMBER[site]
            if number.fullmatch(value) or (site in element.tag and _PLAIN_NUMBER.fullmatch(value)):
                yield address + value


def _holders(element: Element) -> Iterator[Element]:
    """The element itself, then the sources beside or in it."""
    yield element
    if element.tag == "img":
        # to libxml2 what follows a `source` stands in it
        yield from takewhile(lambda around: around.tag in ("picture", "source"), element.iterancestors())
    elif element.tag in ("video", "audio", "object"):
        yield from element.iter("source", "embed")
        yield from (param for param in element.iter("param") if (param.get("name") or "").lower() in ("movie", "src", "url"))


def _is_address(value: str) -> bool:
    return "{" not in value and ("/" in value or "." in value)


def _is_placeholder(address: str) -> bool:
    if address[:6].lower().startswith(("data:", "about:")):
        return True
    return _PLACEHOLDER.search(f"/{address.rpartition('/')[2]}") is not None


def _largest(srcset: str) -> str | None:
    """The candidate with the greatest width or density."""
    usable = [pair for pair in _sized(srcset[:_LONGEST]) if not _is_placeholder(pair[1])]
    return max(usable, key=itemgetter(0))[1] if usable else None


def _sized(srcset: str) -> Iterator[tuple[float, str]]:
    """Pairs of size and URL. Commas may stand in URLs, and the one between two candidates without a blank."""
    tokens = srcset.split()[::-1]
    while tokens:
        url = tokens.pop()
        size = ""
        if not url.endswith(",") and tokens:
            size, comma, following = tokens.pop().partition(",")
            if comma and following:
                tokens.append(following)
        if url := url.strip(","):
            yield (float(size[:-1]) if _SIZE.fullmatch(size) else 1.0), url


def is_decoration(element: Element) -> bool:
    """Counting pixels and smileys: no pictures by themselves."""
    return element.tag == "img" and (is_counter(element) or emoji_of(element) is not None)


def is_counter(element: Element) -> bool:
    """A picture that nobody can see: it counts readers."""
    return element.tag == "img" and (element.get("width") in _TINY or element.get("height") in _TINY)


class Emoji(NamedTuple):
    """A picture that stands for a character, or for none that exists."""

    character: str | None
    description: str | None = None
    """Of one without a character."""


def emoji_of(image: Element) -> Emoji | None:
    """What a smiley or emoji stands for; None for any other picture."""
    told = image.get("data-emoji") or image.get("alt") or ""
    if told and len(told) <= _LONGEST_EMOJI and _EMOJI.fullmatch(told):
        return Emoji(told.strip())
    if not _EMOJI_NAMES.search(f"{image.get('class') or ''} {(image.get('src') or '')[:_LONGEST_NAME]}"):
        return None
    if _EMOTICON.fullmatch(told):
        return Emoji(told)
    return Emoji(None, squeeze(told or image.get("title") or "")[:_LONGEST_NAME] or None)


def kind_of_tag(tag: str) -> str | None:
    """What an element always shows: video or audio."""
    return _BY_TAG.get(tag)


def embed_kind(url: str | None) -> str:
    """video, audio, document or frame, by its address."""
    address = (url or "").lower()
    return next((kind for kind, pattern in _PLAYERS.items() if pattern.search(address)), "frame")


def network(names: str, url: str | None) -> str | None:
    """Which social network an embedded post comes from, by its address, else by its class."""
    host = (url or "").partition("//")[2].partition("/")[0].lower()
    by_host = next((name for domain, name in _NETWORKS.items() if host == domain or host.endswith("." + domain)), None)
    return by_host or next((name for part, name in _NETWORK_NAMES if part in names), None)
