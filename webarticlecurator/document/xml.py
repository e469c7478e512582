"""XML as servers write it, feeds and sitemaps: mended before it is parsed, and parsed without entities, DTDs
and network."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from html.entities import html5
from itertools import islice
from typing import Any, Final

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.model.page import NoPage
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import squeeze

MAX_TAGS = 1_000_000
"""Tags of one document that is read as a whole, or mistakes of one that is not; more would fill the
memory."""
_MOST_BETWEEN = 100_000
"""Elements that may end before one that is looked for does."""
_LONGEST_MARK = 1_000_000
"""Characters of one tag, comment or CDATA of a document that comes in pieces: it is looked at anew with each
piece."""
_PARSER_OPTIONS: Final[dict[str, Any]] = {
    **dict.fromkeys(("no_network", "recover", "remove_comments", "remove_pis"), True),
    **dict.fromkeys(("resolve_entities", "load_dtd", "huge_tree", "collect_ids"), False),
}
"""The options of every parser: nothing that a document names is fetched or multiplied, and libxml2's own
limits of depth and length hold."""
_ROOT = linear(r"<(?:[\w.-]{1,40}:)?(?:rss|feed|rdf|channel|urlset|sitemapindex)[\s/>]", re.IGNORECASE)
LONGEST_PROLOGUE = 100_000
"""Characters before the root: warnings of a program, comments, style sheets, a document type."""
NO_XML = linear("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that may stand in no XML."""
_MARK = linear(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[(?:(?P<literal>.*?)\]\]>|.*\Z)"
    r"|&(?:(?P<name>#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)?",
    re.DOTALL,
)
_LITERAL = linear(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)
_ESCAPED = {ord(mark): f"&#{ord(mark)};" for mark in "&<>\"'"}
"""The escapes of marks, by number: behind a mistake libxml2 leaves out what has a name, `&amp;` too."""
_START_TAG = linear(r"<(?:[\w.-]{1,40}:)?([\w.-]{1,40})[\s/>]")
_LIMITS = frozenset(
    {
        etree.ErrorTypes.ERR_RESOURCE_LIMIT,
        etree.ErrorTypes.ERR_NAME_TOO_LONG,
        etree.ErrorTypes.ERR_INTERNAL_ERROR,
    }
)


def has_root(text: str) -> bool:
    """Say whether a text begins as a feed or a sitemap does, whatever stands before."""
    return _ROOT.search(text, 0, LONGEST_PROLOGUE) is not None


def local_name(element: Element) -> str:
    """Return the name of an element without namespace or prefix."""
    return str(element.tag).rpartition("}")[2].rpartition(":")[2]


def _mended(text: str) -> str:
    """Return a document without the usual mistakes that keep a parser from reading it: entities of HTML are
    characters, an `&` that begins none stands for itself.

    CDATA is text as any other, and comments are gone.
    """
    return _MARK.sub(_mended_mark, NO_XML.sub("", text))


def _mended_mark(mark: re.Match[str]) -> str:
    written = mark.groupdict("")
    name = written["name"]
    if mark[0][0] == "<":
        return written["literal"].translate(_ESCAPED)
    text = html.unescape(mark[0]) if name[:1] == "#" else html5.get(f"{name};", mark[0])
    return NO_XML.sub("", text).translate(_ESCAPED)


def read_xml(text: str, units: frozenset[str]) -> tuple[Element, str] | NoPage:
    """Return a document that is made of elements of these names (in any namespace), and why a part of it is
    missing; or why it cannot be read.

    No byte order mark, warning, XML declaration or document type is read that stands before its root.
    """
    if text.count("<") > MAX_TAGS:
        return NoPage(f"more than {MAX_TAGS:,} tags")
    start = _ROOT.search(text, 0, LONGEST_PROLOGUE)
    text = _mended(text[start.start() :] if start is not None else text)
    parser = etree.XMLParser(encoding="utf-8", **_PARSER_OPTIONS)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError) as problem:
        return NoPage(f"not XML: {problem}")
    if root is None:
        return NoPage("no XML in it")
    mistakes = {entry.type: entry.message for entry in parser.error_log}
    if limits := _LIMITS & mistakes.keys():
        return NoPage(f"a limit of the XML reader was reached: {squeeze(mistakes[min(limits)])}")
    return root, _why_broken(root, text, mistakes) or _missing_entries(root, text, units)


def _why_broken(root: Element, text: str, mistakes: Mapping[int, str]) -> str:
    # within a tag libxml2 says nothing of the end of the document
    end = linear(rf"</(?:[\w.-]{{1,40}}:)?{re.escape(local_name(root))}\s{{0,100}}>")
    is_broken = mistakes and (etree.ErrorTypes.ERR_TAG_NOT_FINISHED in mistakes or end.search(text) is None)
    return "it breaks off before its end" if is_broken else ""


def _missing_entries(root: Element, text: str, units: frozenset[str]) -> str:
    """Return how many entries were read of those that are written, where these are more."""
    written = sum(map(units.__contains__, _START_TAG.findall(text)))
    read = sum(map(units.__contains__, map(local_name, root.iter(etree.Element))))
    return f"only {read:,} of its {written:,} entries" if read < written else ""


class XmlFlaw(Exception):
    """The reason why the rest of a document is not read."""


def elements(pieces: Iterable[str], names: frozenset[str]) -> Iterator[Element]:
    """Yield elements of these names, whatever their namespace and case, the root aside: each is forgotten
    before the next.

    The document begins with its root; what follows its end is not looked at. Raises XmlFlaw.
    """
    parser: Any = etree.XMLPullParser(("end",), **_PARSER_OPTIONS)
    ended = mistakes = 0
    has_ended = False
    for piece in _in_whole_marks(pieces):
        parser.feed(_mended(piece).encode("utf-8", "replace"))
        for _, element in parser.read_events():
            ended += 1
            has_ended = element.getparent() is None
            if not has_ended and local_name(element).lower() in names:
                yield element
                ended = 0
                element.clear(
                    keep_tail=True,
                )  # and all before it goes; what stands behind it may still be growing
                while element.getprevious() is not None:
                    del element.getparent()[0]
            elif ended > _MOST_BETWEEN:
                raise XmlFlaw(f"more than {_MOST_BETWEEN:,} elements without an entry")
        mistakes = _look_at_mistakes(parser, mistakes)
        if has_ended:
            return
    with suppress(etree.XMLSyntaxError):
        parser.close()
    _look_at_mistakes(parser, mistakes)


def _look_at_mistakes(parser: Any, known: int) -> int:
    """Return how many there are by now.

    A prefix that nothing declares is none that would keep anything from being read.
    """
    mistakes = parser.feed_error_log
    for mistake in islice(mistakes, known, None):
        if mistake.level == etree.ErrorLevels.FATAL and mistake.type != etree.ErrorTypes.ERR_DOCUMENT_END:
            raise XmlFlaw(f"it is no XML from line {mistake.line} on ({squeeze(mistake.message)[:200]})")
    if len(mistakes) > MAX_TAGS:
        raise XmlFlaw(f"more than {MAX_TAGS:,} mistakes")
    return len(mistakes)


def _in_whole_marks(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces of a text, cut where no tag, comment, CDATA or reference is cut."""
    held = ""
    for piece in pieces:
        held += piece
        at = _end_of_whole_marks(held)
        yield held[:at]
        held = held[at:]
        if len(held) > _LONGEST_MARK:
            raise XmlFlaw(f"a tag of more than {_LONGEST_MARK:,} characters")
    yield held


def _end_of_whole_marks(text: str) -> int:
    behind = 0
    for literal in _LITERAL.finditer(text):
        if literal.end() == len(text):
            return literal.start()
        behind = literal.end()
    for mark, end, begin in (("<", ">", behind), ("&", ";", max(behind, len(text) - 34))):
        at = text.rfind(mark, begin)
        if at >= 0 and text.find(end, at) < 0:
            return at
    return len(text)
