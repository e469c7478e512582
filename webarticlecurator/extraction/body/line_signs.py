"""What a line or a small element says of itself: that it leads elsewhere, is a label, a byline, a share link, or is not shown at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.labelling.names import PagePart
from webarticlecurator.model.outline import Outline
from webarticlecurator.text import letters_of, short_text
from webarticlecurator.word_lists import read_word_lists

_WORDS = {name: frozenset(re.split(r",\s+|\n", words)) for name, words in read_word_lists(__file__, "furniture_words.txt").items()}
_TO_OTHER_ARTICLES, _TO_READERS = (tuple(_WORDS[name]) for name in ("others", "readers"))
RELATED = str(PagePart.RELATED)
LONGEST_BYLINE = 200
_FEW_OWN_WORDS, _OWN_WORDS = 2, 6
"""Words behind "see also" and the like, beside the link, that make a sentence of a sign: with a stop at its end, or anyway."""


# --- words ---


def leads_away(beginning: str) -> str | None:
    """What a box or a linked line is that begins so; None if that says nothing."""
    text = " ".join(beginning.casefold().split()).lstrip("»>▶►●•+-–—→↳👉*[( ")
    if text.startswith(_TO_OTHER_ARTICLES):
        return RELATED
    return "request to the reader" if text.startswith(_TO_READERS) else None


def is_sentence(paragraph: Element) -> bool:
    """Whether a paragraph without a name goes on behind its sign, without a colon, around its link."""
    before, children = " ".join((paragraph.text or "").casefold().split()), len(paragraph)
    if not children or ":" in before or paragraph.keys():
        return False
    sign = max((sign for sign in _TO_OTHER_ARTICLES if before.startswith(sign)), key=len, default=before)
    behind = (paragraph[-1].tail or "").rstrip()
    own_words = len(f"{before[len(sign) :]} {behind}".split())
    return own_words >= (_FEW_OWN_WORDS if behind.endswith((".", "!", "?")) else _OWN_WORDS)


@lru_cache(maxsize=4096)
def is_sign_of_others(text: str) -> bool:
    """Whether a heading says that other articles follow, and nothing else."""
    return " ".join(text.casefold().split()).rstrip(":") in _WORDS["headings"]


def is_label(text: str) -> bool:
    """Whether a line is nothing but a sign such as "Advertisement"."""
    return " ".join(text.casefold().split()).strip(" :·.-–—[]()") in _WORDS["labels"]


def is_slug(id: str, text: str) -> bool:
    """Whether an id of several words was made of the first words of a text, as wikis and makers of static sites do."""
    words = [word for word in re.split(r"[\W_]+", id.casefold()) if len(word) > 1]
    return len(words) > 1 and "".join(words[:4]) in letters_of(text)


# --- links that every article of a site has: those that share it, and the way down to its comments ---

_SHARES = re.compile(
    r"""
    ^(?:whatsapp://send | fb-messenger://share | tg://msg)
    | ^(?:https?:)?//(?:[\w-]+\.)*(?:
        (?:twitter|x)\.com/(?:intent/(?:tweet|post) | share\?)
      | facebook\.com/(?:sharer | share\.php | dialog/(?:share|send|feed))
      | linkedin\.com/(?:shareArticle | sharing/share | cws/share)
      | pinterest\.[a-z.]+/pin/create
      | (?:whatsapp\.com/send | wa\.me/)/?\?(?:[^#]*&)?text=
      | (?:t|telegram)\.me/share
      | reddit\.com/submit
      | tumblr\.com/(?:share | widgets/share)
      | bsky\.app/intent/
      | threads\.net/intent/
      | vk(?:ontakte)?\.(?:com|ru)/share\.php
      | ok\.ru/(?:offer | dk\?)
      | xing\.com/(?:spi/shares | app/user\?op=share)
      | getpocket\.com/(?:save | edit)
      | news\.ycombinator\.com/submitlink
      | (?:social-plugins\.)?line\.me/(?:R/msg | lineit/share)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TO_COMMENTS = re.compile(
    r"#(?:comments?|comments?-(?:area|form|list)|respond|disqus_thread|kommentare?r?|commentaires|comentarios|komentarze|hozzaszolasok)$"
)


def part_of_link(link: Element) -> PagePart | None:
    """What a link is by where it leads; None where that says nothing."""
    href = (link.get("href") or "").strip()
    if _SHARES.search(href):
        return PagePart.SHARE
    return PagePart.COMMENTS if _TO_COMMENTS.search(href) else None


# --- lines that say what the metadata say: who wrote it and when ---

_OTHER_WORDS = 6
"""Words that stand in a byline beside name, date and section: `Posted on April 4 by ... in ...`."""
_MOST_OF_NAMES = 15
_LONGEST_BETWEEN_NAMES = 3
"""Letters of a word that joins names, or parts of one: and, und, van."""
_NO_LINE = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "tr"))
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"""[?!…？！]["'”’»“]?$|\b[^\W\d_]{3,}\.["'”’»“]?$""")
_YEAR = re.compile(r"(?:19|20)\d\d")


def words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def is_byline(element: Element, authors: Sequence[Sequence[str]], filed: AbstractSet[str]) -> bool:
    """Whether a line holds an author's name or a day marked as a time, and hardly another word; `filed` are those of section and topics."""
    text = short_text(element, LONGEST_BYLINE) or ""
    words = words_of(text)
    says = any(map(_YEAR.fullmatch, words)) and next(element.iter("time"), None) is not None
    for author in authors:
        place = next((place for place in range(len(words)) if words[place : place + len(author)] == tuple(author)), None)
        if author and place is not None:
            words, says = words[:place] + words[place + len(author) :], True
    if not says or element.tag in _NO_LINE:
        return False
    # what stands before the first number may be the names of some people
    head = re.split(r"\d", text, maxsplit=1)[0].split()
    are_names = len(head) <= _MOST_OF_NAMES and all(word[0].isupper() or len(word) <= _LONGEST_BETWEEN_NAMES for word in head)
    known = filed | set(words_of(" ".join(head))) if are_names else filed
    return sum(not word.isdigit() and word not in known for word in words) <= _OTHER_WORDS and not _is_asked_or_told(text, words)


def _is_asked_or_told(text: str, others: Sequence[str]) -> bool:
    """Of a line with an author's name and `others`: the author may ask, or be spoken of."""
    end = _SENTENCE_END.search(text)
    last = words_of(end[0]) if end is not None else ()
    return end is not None and (not last or (end[0].islower() and last == tuple(others[-1:])))


# --- what a page holds and does not show ---

# fmt: off
_HIDING = frozenset((
    "d-none", "element-invisible", "hidden", "hide", "invisible", "is-hidden", "ng-hide", "offscreen", "u-hidden", "uk-hidden",
    "w-condition-invisible",
))
# fmt: on
_BOXES = frozenset(("aside", "div", "ol", "section", "ul"))
"""Text in these is meant where they are hidden from programs that read aloud; a picture, its caption or a mark is with any other."""
_FOLDS = re.compile(
    r"accordion|answer|collaps|details|drop-?down|expan|faq|fold|panel|read-?more|show-?more|slid|tab(?:s|$|[-_])|toggle|truncat",
    re.IGNORECASE,
)
_HANDLES = ("aria-controls", "data-bs-target", "data-target", "data-toggle-target", "href")
_LONGEST_NAMES = 300
_FEW = 10


class HiddenElements:
    """By class and style: neither what only some screens show nor what a click unfolds."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def holds(self, element: Element) -> bool:
        return bool(element.attrib) and _is_unseen(element) and not self._unfolds(element)

    def _unfolds(self, element: Element) -> bool:
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if element.get("role") in ("region", "tabpanel") or element.get("aria-labelledby") or _FOLDS.search(names[:_LONGEST_NAMES]):
            return True
        before = element.getprevious()
        parts = () if before is None else islice(before.iter(), _FEW)
        return self.is_opened(element) or any(part.tag in ("button", "summary") or "aria-expanded" in part.attrib for part in parts)

    def is_opened(self, element: Element) -> bool:
        """Whether something on the page opens it by its id."""
        return element.get("id") in self._opened

    @cached_property
    def _opened(self) -> frozenset[str]:
        ids: set[str] = set()
        for row in self._outline.rows("a", "button", "div", "summary", "span", "label", "li", "h2", "h3", "h4"):
            for attribute in _HANDLES:
                value = self._outline.elements[row].get(attribute)
                if value and (attribute != "href" or value.startswith("#")):
                    ids.update(value.replace("#", " ").split())
        return frozenset(ids)


def _is_unseen(element: Element) -> bool:
    """Whether its own class or style says so, or that it is not read aloud."""
    style = "".join((element.get("style") or "").lower().split())
    if "display:none" in style or "visibility:hidden" in style:
        return True
    return not _HIDING.isdisjoint((element.get("class") or "").split()) or (element.get("aria-hidden") == "true" and element.tag in _BOXES)
