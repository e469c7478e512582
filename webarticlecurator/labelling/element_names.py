"""Meaning of the names that web designers give their elements: a table of words in many languages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import lru_cache
from itertools import chain, product, takewhile
from urllib.parse import unquote

from webarticlecurator.dates.cldr import fold
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists


class PagePart(StrEnum):
    """A part of a page, as the name of an element calls it."""

    BODY = "article body"
    LEAD = "lead"
    SHARE = "share bar"
    COMMENTS = "comments"
    RELATED = "related articles"
    NEWSLETTER = "newsletter or subscription"
    ADVERTISEMENT = "advertisement"
    NAVIGATION = "navigation"
    TOPICS = "list of topics"
    AUTHOR = "about the author"
    BYLINE = "byline"
    CAPTION = "caption"
    NOTICE = "notice of the site"
    HIDDEN = "hidden text"
    POST = "post of a forum"

    # Parts are looked up for every block of a page, and the hash of an Enum is computed from its name each
    # time.
    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class Role:
    """The meaning of an element's names, and whether that can be relied on."""

    part: PagePart
    certain: bool
    """True if the part can be relied on; if not, only an element that holds little but links is taken for
    it."""


_PART_WORDS = read_word_lists(__file__, "part_words.txt", between=r"\s+")
_BESIDE = (
    (PagePart.BYLINE, "nouns of articles", "parts of bylines"),
    (PagePart.BODY, "nouns of texts", "parts of bodies"),
    (PagePart.CAPTION, "pictures", "comments on pictures"),
    (PagePart.CAPTION, "comments on pictures", "pictures"),
)
"""Lists whose words say it where one of the first stands before one of the second."""
_WITHOUT = frozenset(
    ("has", "with", "no", "without", "hide", "avec", "sans", "mit", "ohne", "con", "senza", "sin"),
)
_NEGATED = _WITHOUT | {"show", "not", "enable", "enabled", "disabled", "open", "closed"}
"""The words that say of an element what it has not or does not show: `has-sidebar` is no sidebar."""
_ENDS = _WITHOUT | {"target"}
"""Words behind which stands what the element is not: `anchor-hide-on-scroll-navbar` and
`anchorTargetStickyNavbar` are no bar either."""
_OF_TEXT = frozenset((("blockquote", "footer"), ("card", "footer")))
"""Names of parts of boxes in a text: who is quoted, what stands below a card."""
_TOKEN = linear(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")
_PARTS = linear(r"[-_]+")
_HASH = linear(r"\d\D|[A-Z][a-z]?[A-Z][a-z]?[A-Z]")
_HASH_OF_MODULE = linear(r"__(?=[a-z]*[A-Z])(?=[A-Z]*[a-z])[A-Za-z]{5}$")
"""Signs that programs append to the names of modules of styles, where it has no digits."""
_ROLES = {
    tuple(word.split("-")): Role(part, certain)
    for certain, name in ((False, "perhaps {}"), (True, "{}"))
    for part in PagePart
    for word in _PART_WORDS.get(name.format(part.value), ())
} | {
    pair: Role(part, True)
    for part, first, second in _BESIDE
    for pair in product(_PART_WORDS[first], _PART_WORDS[second])
}
"""The roles by words; of those that stand twice the last one counts."""
BLOCK_OF_WORD = {
    word: name.removeprefix("block: ")
    for name, words in _PART_WORDS.items()
    if name.startswith("block: ")
    for word in words
}
"""The block that the last word of a name makes of an element in an article's text: a block of the tag
dictionary, or `unwrap`."""
_MOST_WORDS = max(map(len, _ROLES))
_ROLE_BEGINS = frozenset(words[0] for words in _ROLES)
_SURELY_BODY = Role(PagePart.BODY, True)
"""The role of an element with a name that means nothing else."""
_LONGEST = 300
"""Characters of a class or an id that are looked at."""


@lru_cache(maxsize=20_000)
def role_of(classes: str | None, id: str | None) -> Role | None:
    """Return what an element's class and id say of it, which those of a portal say again and again; the most
    telling of their words decides."""
    return _most_telling((_role((classes or "")[:_LONGEST]), _role((id or "")[:_LONGEST])))


def _most_telling(roles: Iterable[Role | None]) -> Role | None:
    """Return the role with most weight, the first of several."""
    return max((role for role in roles if role is not None), key=_weight, default=None)


def part_of(classes: str | None, id: str | None) -> PagePart | None:
    """Return which part of a page they say that it is, whether or not that can be relied on."""
    role = role_of(classes, id)
    return role.part if role is not None else None


def sure_part(classes: str | None, id: str | None) -> PagePart | None:
    """Return what they surely say that it is."""
    role = role_of(classes, id)
    return role.part if role is not None and role.certain else None


@lru_cache(maxsize=8192)
def _role(names: str) -> Role | None:
    return _most_telling(map(_role_of_name, names.split()))


@lru_cache(maxsize=16384)
def _role_of_name(name: str) -> Role | None:
    """Return the role that one name says: it stands in many combinations."""
    parts = _PARTS.split(_HASH_OF_MODULE.sub("", name))
    tokens = words_in("-".join(part for part in parts if not _HASH.search(part)))
    if (
        _ROLE_BEGINS.isdisjoint(tokens)
        or tokens in _OF_TEXT
        or not _NEGATED.isdisjoint((*tokens[:1], *tokens[-1:]))
    ):
        return None
    tokens = tuple(takewhile(lambda token: token not in _ENDS, tokens))
    whole = _ROLES.get(tokens)
    if whole is not None and whole.part is PagePart.BODY:
        return _SURELY_BODY
    return _most_telling(_longest_role(tokens[start : start + _MOST_WORDS]) for start in range(len(tokens)))


def _longest_role(tokens: tuple[str, ...]) -> Role | None:
    """Return the role by as many of the first words as say one."""
    for end in range(len(tokens), 0, -1):
        if tokens[:end] in _ROLES:
            return _ROLES[tokens[:end]]
    return None


def words_in(name: str) -> tuple[str, ...]:
    """Return the words of a name, however it is written: `imageCaption__text`."""
    return tuple(map(str.lower, _TOKEN.findall(name)))


def _weight(role: Role) -> int:
    """Return how much a role tells: `article-body__share` is a share bar, but `article-body no-share` a
    body."""
    if role.part is PagePart.POST:
        return -1
    return 4 if role is _SURELY_BODY else 2 * role.certain + (role.part not in (PagePart.BODY, PagePart.LEAD))


# --- what they say of metadata: by what stands within one of their words ---


class ClassHint(Enum):
    """The content of an element, as its class or id calls it."""

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
    """The block is none of the article: it surrounds it, or is of other articles."""

    # Hints are looked up for every element of a page, and the hash of an Enum is computed from its name
    # each time.
    __hash__ = object.__hash__


_WORDS = read_word_lists(__file__, "class_words.txt", between=r"\s+")
_WRITER = "|".join(_WORDS["writer"])
_LISTS = {
    ClassHint.BYLINE: ("byline", "byline with a date", "writer"),
    ClassHint.DATE: ("date", "byline with a date"),
}
"""The lists of words by which hints are given, where that is more than the one of the same name."""
_WORDS_OF_HINTS = {
    hint: [*chain.from_iterable(_WORDS[name] for name in _LISTS.get(hint, (hint.value,)))]
    for hint in ClassHint
}
_HINT_PATTERNS = {hint: linear("|".join(words)) for hint, words in _WORDS_OF_HINTS.items()}


def _by_first_letter(words: Iterable[str]) -> str:
    """Return a pattern in which words that begin alike stand together: so it is found twice as fast."""
    together: dict[str, list[str]] = {}
    for word in words:
        begin = word[:1].strip("\\([")
        together.setdefault(begin, []).append(word.removeprefix(begin))
    return "|".join(f"{begin}(?:{'|'.join(ends)})" for begin, ends in together.items())


_ANY_HINT = linear(_by_first_letter(chain.from_iterable(_WORDS_OF_HINTS.values())))
"""Words of any hint: most classes have none."""
_NAME_ALONE = linear(
    rf"(?:{_WRITER})s?(?:-?(?:(?:(?:bio|box|card|info|meta)-)?name|link|url|title|inner|text|item|full-?name))*$|by-?line-?(?:name|author)",
)
"""A byline that is a name, too."""
_CAMEL = linear(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = linear(r"[_-]+")


@lru_cache(maxsize=20_000)
def hints_of(written: str) -> frozenset[ClassHint]:
    """Return what a class or id as written hints at."""
    return frozenset().union(*map(_hints_of_word, written[:_LONGEST].split()))


@lru_cache(maxsize=20_000)
def _hints_of_word(word: str) -> frozenset[ClassHint]:
    if not word.islower() or "_" in word or "--" in word:
        word = _JOINTS.sub("-", _CAMEL.sub("-", word)).lower()
    if _ANY_HINT.search(word) is None:
        return frozenset()
    hints = {hint for hint, pattern in _HINT_PATTERNS.items() if pattern.search(word)}
    if ClassHint.BYLINE in hints and _NAME_ALONE.search(word):
        hints.add(ClassHint.AUTHOR)
    return frozenset(hints)


class LinkKind(Enum):
    """A kind of list that a link leads to by its address: articles by one author, on one topic, in one
    section."""

    AUTHOR = "author"
    PERSON = "person"
    """The link leads to somebody, who may be the author."""
    TOPIC = "topic"
    SECTION = "section"

    __hash__ = object.__hash__  # of links there are as many


_KINDS = {word: kind for kind in LinkKind for word in _WORDS[f"links: {kind.value}"]}
WORDS_OF_LISTS = frozenset(word for word, kind in _KINDS.items() if kind is not LinkKind.PERSON)
"""Words in addresses of lists before the name of an author, a topic, or a section."""
_QUERY = linear_at(r"(?:https?://[^/]+)?(?:/[^/]*)?/?(?:index\.php)?\?(author|tag|cat)=[^&=]+")
"""The form of a query that names an author, a tag or a category, near the root of a site: `?tag=` behind the
address of goods names who is paid for their sale."""


@lru_cache(maxsize=20_000)
def link_kind(href: str) -> LinkKind | None:
    """Return the kind of a link by its address: `/tag/dam`, `/author/ann-lee/`, `../category/news.html`,
    `/címke/gát`, `/?cat=3`: the last part is named by the one before it."""
    address = href[:_LONGEST].partition("#")[0]
    path, mark, _ = address.partition("?")
    parts = path.lower().rstrip("/").rsplit("/", 3)
    if not path.isascii() or "%" in path:
        parts = [fold(unquote(part)) for part in parts]
    *_, before, name, last = ("", "", *parts)
    if last.startswith("@"):
        return LinkKind.PERSON
    kind = _KINDS.get(name) or _KINDS.get(name.rpartition("-")[2])
    if kind is None and _KINDS.get(before) is LinkKind.SECTION:  # /category/home/garden
        kind = LinkKind.SECTION
    match = _QUERY.fullmatch(address) if mark else None
    return _KINDS[match[1]] if match and kind is None else kind


def link_target(href: str) -> str:
    """Return the last part of an address: whose page it is."""
    return href[:_LONGEST].partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2]
