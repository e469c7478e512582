"""Pages through the whole chain, from bytes to a document, and all that must hold of what comes out."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from accounting import accounted, kept, misfits, reference, written
from fastwarc.warc import ArchiveIterator, WarcRecordType
from lxml import etree
from lxml.etree import _Element as Element
from tei_documents import CAPTURE
from tei_validators import schematron, tei_all

from webarticlecurator.config.portal import Portal
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.extraction.article_reader import read_article
from webarticlecurator.extraction.body.footnotes import notes_beyond
from webarticlecurator.extraction.body.locate import find_container
from webarticlecurator.extraction.metadata import rules_for
from webarticlecurator.extraction.picked_values import PageContext
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article, CaptureRef
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.tei.document import validate
from webarticlecurator.urls import bare_host

SETS = ("fundus", "scrapinghub", "trafilatura", "cleanportaleval")
_WHEN = datetime(2024, 6, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class RealPage:
    """A page that a real portal served."""

    name: str
    capture: Capture

    @property
    def portal(self) -> Portal:
        """Its portal, without a rule."""
        host = bare_host(self.capture.url) or "pelda.example"
        return Portal(name="pelda", title=host, home=f"https://{host}/", language=None, timezone=ZoneInfo("UTC"))


def real_pages(data: Path) -> Iterator[RealPage]:
    """All pages that lie beside the checkout; `data` is the folder of the shared data."""
    for name in SETS:
        folder = data / "extraction" / "data" / name
        for line in (folder / "meta.jsonl").read_text(encoding="utf-8").splitlines():
            meta = json.loads(line)
            body = gzip.decompress((folder / "pages" / f"{meta['id']}.html.gz").read_bytes())
            charset = f"; charset={meta['encoding']}" if meta.get("encoding") else ""
            yield RealPage(name=f"{name}/{meta['id']}", capture=capture_of(body, meta["url"], f"text/html{charset}"))
    with (data / "archive-pages" / "pages.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            url = record.headers["WARC-Target-URI"]
            yield RealPage(name=f"archive-pages/{url}", capture=capture_of(record.reader.read(), url, record.http_content_type or ""))

    folder = data / "wcxb"
    for line in gzip.decompress((folder / "meta.jsonl.gz").read_bytes()).splitlines():
        meta = json.loads(line)
        body = gzip.decompress((folder / "pages" / f"{meta['id']}.html.gz").read_bytes())
        yield RealPage(name=f"wcxb/{meta['id']}", capture=capture_of(body, meta["url"]))


def capture_of(body: bytes, url: str = "https://pelda.example/cikk/1", mime: str = "text/html") -> Capture:
    """A response with this body."""
    headers = (("Content-Type", mime),) if mime else ()
    return Capture(url=url, requested_url=url, status=200, headers=headers, entity=body, date=_WHEN)


def read_capture(capture: Capture, portal: Portal) -> tuple[Page, Article] | str:
    """The page and its article; the reason where there is neither."""
    page = read_page(capture, encoding=portal.fetch.encoding, format=portal.articles.format)
    if not isinstance(page, Page):
        return page.reason
    identity = identity_of(capture.url, portal)
    stored = CaptureRef(**{**CAPTURE, "url": capture.url})
    return page, read_article([page], portal, id=article_id(identity, portal), identity=identity, url=capture.url, captures=(stored,))


def unaccounted(page: Page, article: Article, portal: Portal) -> list[str]:
    """Where text was lost or invented, or blocks do not fit their model."""
    found = [f"misfit: {misfit}" for misfit in misfits(article.blocks)]
    if accounted(article.pieces) != reference(roots_of(page, article, portal)):
        found.append("what was kept and dropped is not the text of the page")
    if not article.posts and kept(article.pieces) != written(article.blocks):
        found.append("what was kept is not the text of the blocks")
    return found


def roots_of(page: Page, article: Article, portal: Portal) -> tuple[Element, ...]:
    """The elements that the article's text was read from."""
    rules = rules_for(page, portal, {})
    container = find_container(rules.body.root, PageContext.whole(page, portal, listing={}), article.metadata)
    beyond = notes_beyond(container.root, page.base) if container is not None and container.judged is not None else []
    return (*container.elements, *beyond) if container is not None else ()


def untruths(article: Article, document: bytes) -> list[str]:
    """Where a document does not say what its article says, says it twice, or says what nobody means."""
    root = etree.fromstring(document, etree.XMLParser(huge_tree=True))
    body = root.find(f"{_T}text/{_T}body")
    assert body is not None
    said, spoken = Counter("".join(_spoken(body)).split()), Counter(article.text.split())
    aside = Counter(word for note in body.iter(f"{_T}note") for word in "".join(map(str, note.itertext())).split())
    found = [
        f"{what}: {' '.join(words)[:100]}" for what, words in (("lost", spoken - said), ("glued or added", said - spoken - aside)) if words
    ]
    found += [f"said twice: {what}" for figure in body.iter(f"{_T}figure") for what in _repeated(figure)]
    found += [
        f"a date of {len(text)} characters" for date in root.iter(f"{_T}date") if len(text := "".join(date.itertext())) > _LONGEST_DATE
    ]
    found += [f"an identifier of nobody: {id}" for id in root.xpath("//@xml:id") if not f"{id}.".startswith(f"{root.get(_ID)}.")]
    found += ["no language"] if not root.find(f"{_T}text").get(_LANG) else []
    if invisible := sorted({f"U+{ord(one):04X}" for text in body.itertext() for one in _INVISIBLE.findall(str(text))}):
        found.append(f"characters that show nothing: {', '.join(invisible)}")
    return found


_T = "{http://www.tei-c.org/ns/1.0}"
_ID, _LANG = ("{http://www.w3.org/XML/1998/namespace}" + name for name in ("id", "lang"))
_LONGEST_DATE = 60
_INVISIBLE = re.compile("[\u00ad\u2060\ufeff]")
_DESCRIBED = ("figDesc", "desc", "byline", "dateline", "speaker", "rt")
"""Elements whose text describes the text, or says how it is read."""
_TITLED = ("post", "liveBlogUpdate", "blogPost", "box", "quiz")
"""Parts whose head is a title, and no text of theirs."""


def _spoken(element: Element) -> Iterator[str]:
    """The text of a body, with the white space between blocks; without headline, comments, and what describes or titles parts of it."""
    parent = element.getparent()
    name, kind = etree.QName(element).localname, element.get("type")
    is_title = name == "head" and (kind in ("main", "sub") or {etree.QName(parent).localname, parent.get("type")} & {*_TITLED})
    if not (is_title or name in _DESCRIBED or kind in ("comments", "replyTo", "originalAddress")):
        yield element.text or ""
        for child in element:
            yield from _spoken(child)
            yield child.tail or ""


def _repeated(figure: Element) -> Iterator[str]:
    """What is said of a figure more than once: in its head, its description, a paragraph beside it."""
    heads = [_letters(head) for head in figure.findall(f"{_T}head")]
    described = [_letters(description) for description in figure.findall(f"{_T}figDesc")]
    beside = [_letters(one) for one in (figure.getprevious(), figure.getnext()) if one is not None and one.tag == f"{_T}p"]
    yield from (text[:60] for text in heads if text and text in beside)
    yield from (text[:60] for text in described if text and text in (*heads, *beside))


def _letters(element: Element) -> str:
    return "".join(filter(str.isalnum, "".join(map(str, element.itertext())).casefold()))


class Validators:
    """All that a TEI user may check a document with, each compiled once."""

    def __init__(self) -> None:
        self._tei_all = etree.RelaxNG(etree.parse(tei_all()))
        self._schematron: Callable[[bytes], list[str]] = schematron(tei_all())

    def faults(self, document: bytes) -> list[str]:
        """What the compact schema, TEI's own, and TEI's Schematron object to."""
        found = [f"compact: {reason}" for reason in validate(document)]
        if not self._tei_all.validate(etree.fromstring(document, etree.XMLParser(huge_tree=True))):
            found.append(f"tei_all: {self._tei_all.error_log.last_error}")
        return found + [f"Schematron: {said}" for said in self._schematron(document)]
