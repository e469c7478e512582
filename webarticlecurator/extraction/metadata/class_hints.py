"""What the classes of an element, and the address of a link, say of what stands there."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from urllib.parse import unquote

from webarticlecurator.dates.names import fold
from webarticlecurator.word_lists import read_word_lists


class ClassHint(Enum):
    """What an element's class or id says it holds."""

    AUTHOR = "author"
    """A name, and nothing else."""
    BYLINE = "byline"
    """A name among other words."""
    DATE = "date"
    PUBLISHED = "published"
    """The date of publication, and no other."""
    UPDATED = "updated"
    TAGS = "tags"
    SECTION = "section"
    CRUMBS = "crumbs"
    HEADING = "heading"
    ENTRY = "entry"
    """A whole article, or a post of a blog."""
    FOOT = "foot"
    """The end of the page, or of an article."""
    OUTSIDE = "outside"
    """Not of the article: what surrounds it, and other articles."""

    # Hints are looked up for every element of a page, and the hash of an Enum is computed from its name each time.
    __hash__ = object.__hash__


_LISTS = read_word_lists(__file__, "class_words.txt")
TOPIC_LABELS = frozenset(re.split(r",\s+|\n", _LISTS.pop("topic labels")))
"""What stands before a list of topics."""
_WORDS = {name: words.split() for name, words in _LISTS.items()}
_WRITER = "|".join(_WORDS["writer"])
_PATTERNS = {hint: re.compile("|".join(_WORDS[hint.value] + _WORDS["writer"] * (hint is ClassHint.BYLINE))) for hint in ClassHint}
_NAME_ALONE = re.compile(rf"(?:{_WRITER})s?(?:-?(?:name|link|url|title|inner|text|item|full-?name))*$|by-?line-?(?:name|author)")
"""A byline that is a name, too."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = re.compile(r"[_-]+")
_LONGEST_CLASS = 300


@lru_cache(maxsize=20_000)
def hints_of(written: str) -> frozenset[ClassHint]:
    """What a class or id as written hints at."""
    return frozenset().union(*map(_hints_of_word, written[:_LONGEST_CLASS].split()))


@lru_cache(maxsize=20_000)
def _hints_of_word(word: str) -> frozenset[ClassHint]:
    if not word.islower() or "_" in word or "--" in word:
        word = _JOINTS.sub("-", _CAMEL.sub("-", word)).lower()
    hints = {hint for hint, pattern in _PATTERNS.items() if pattern.search(word)}
    if ClassHint.BYLINE in hints and _NAME_ALONE.search(word):
        hints.add(ClassHint.AUTHOR)
    return frozenset(hints)


# --- where links lead ---


class LinkKind(Enum):
    """What the address of a link says it leads to the list of: articles by one author, on one topic, in one section."""

    AUTHOR = "author"
    PERSON = "person"
    """Somebody, who may be the author."""
    TOPIC = "topic"
    SECTION = "section"


_KINDS = {word: kind for kind in LinkKind for word in _WORDS[f"links: {kind.value}"]}
WORDS_OF_LISTS = frozenset(word for word, kind in _KINDS.items() if kind is not LinkKind.PERSON)
"""What addresses of lists say before the name of an author, a topic, or a section."""
_MOST_WORDS_OF_LABEL = 3
_WORD_OF_LABEL = re.compile(r"[a-z-]+")
_LONGEST_ADDRESS = 300
_QUERY = re.compile(r"(?:https?://[^/]+)?(?:/[^/]*)?/?(?:index\.php)?\?(author|tag|cat)=[^&=]+")
"""Near the root of a site: `?tag=` behind the address of goods names who is paid for their sale."""


@lru_cache(maxsize=20_000)
def link_kind(href: str) -> LinkKind | None:
    """`/tag/dam`, `/author/ann-lee/`, `../category/news.html`, `/címke/gát`, `/?cat=3`: the last part is named by the one before it."""
    address, _, fragment = href[:_LONGEST_ADDRESS].partition("#")
    if fragment and not address:
        return None
    path, mark, _ = address.partition("?")
    parts = path.lower().rstrip("/").rsplit("/", 3)
    if not path.isascii() or "%" in path:
        parts = [fold(unquote(part)) for part in parts]
    if parts[-1].startswith("@"):
        return LinkKind.PERSON
    if len(parts) > 1 and (kind := _KINDS.get(parts[-2]) or _KINDS.get(parts[-2].rpartition("-")[2])):
        return kind
    if len(parts) > 2 and _KINDS.get(parts[-3]) is LinkKind.SECTION:  # /category/home/garden
        return LinkKind.SECTION
    found = _QUERY.fullmatch(address) if mark else None
    return _KINDS[found[1]] if found else None


def names_section(label: str) -> bool:
    """Whether a label is a word for the section that something stands in: "Category:", "In"."""
    words = _WORD_OF_LABEL.findall(fold(label[:_LONGEST_ADDRESS]))
    if len(words) > _MOST_WORDS_OF_LABEL:  # the beginning of a sentence
        return False
    return words[-1:] == ["in"] or any(_KINDS.get(word) is LinkKind.SECTION for word in words)


def link_target(href: str) -> str:
    """The last part of an address: whose page it is."""
    return href[:_LONGEST_ADDRESS].partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]
