"""An article -> one TEI document, by a header template; what of it is the article's, and whether it is valid;
how templates are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import cache, partial
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

from lxml import etree
from lxml.etree import _Element as Element
from lxml.etree import _ElementTree as Tree

from webarticlecurator import resources
from webarticlecurator.amounts import part, text_if
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal, Publisher, Rights
from webarticlecurator.errors import UsageError, told_by_system
from webarticlecurator.model.article import COMMENTS, Article, Block
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.tei.body import BodyWriter, Titles
from webarticlecurator.tei.header import SLOTS, Facts, authority, changes
from webarticlecurator.tei.markup import (
    NAMESPACE,
    UNKNOWN_LANGUAGE,
    attribute,
    element,
    escape,
    language,
    readable,
    xml_id,
)
from webarticlecurator.version import NAME, VERSION

TEI_VERSION = "4.12.0"
"""The version of the TEI Guidelines that `schemas/tei/tei_all.rng` belongs to."""
SCHEMA = "schema/webarticle.rng"
"""The place of a copy of the compact schema in a corpus."""
PUBLIC_SCHEMA = f"https://www.tei-c.org/Vault/P5/{TEI_VERSION}/xml/tei/custom/schema/relaxng/tei_all.rng"
"""The address of the whole schema of TEI, which allows all that the compact one does."""
RELAX_NG = "http://relaxng.org/ns/structure/1.0"


def render(
    article: Article,
    portal: Portal,
    *,
    template: Template,
    rules_digest: str,
    now: date,
    schema: str | None = None,
    titles: Titles | None = None,
) -> bytes:
    """Return the document, not yet validated.

    `now` is the only time that is not the article's own; `rules_digest` tells by which rules it is made, and
    is empty where there are none. `schema` is the address of a schema, where none lies in a corpus. `titles`:
    what is to be written in the place of these.
    """
    id = xml_id(article.id)
    tongue = language(article.language) or language(portal.language) or UNKNOWN_LANGUAGE
    facts = Facts(
        article=article,
        portal=portal,
        rules_digest=rules_digest,
        now=now,
        body=BodyWriter(article, id, tongue=tongue, hosts=portal.hosts, titles=titles),
        type=article.type if linear_at(r"[A-Z][A-Za-z]+").fullmatch(article.type) else "Article",
        schema=schema or f"{'../' * (article.folder.count('/') + 2)}{SCHEMA}",
    )
    writer, authors = facts.body, facts.found("author")
    byline = ", ".join(
        element("orgName" if facts.is_organisation(author) else "docAuthor", escape(author.value))
        for _, author in authors
    )
    parts = [
        *(
            element("head", writer.title(title.value), type="main") + "\n"
            for _, title in facts.found("headline")
        ),
        *(
            element("head", escape(title.value), type="sub") + "\n"
            for _, title in facts.found("alternativeHeadline")
            if _is_seen(title)
        ),
        text_if(authors, f"<byline>{byline}</byline>\n"),
        *(f"<dateline>{escape(place.value)}</dateline>\n" for _, place in facts.found("dateline")),
        writer.sections(article.blocks, of_article=True),
        *map(writer.posts, ("liveblog", "forum", "blog")),
        text_if(
            article.outcome is PageOutcome.PAYWALL,
            '<div type="content"><gap reason="paywall"/></div>\n',
        ),
    ]
    written = f"{element('div', chr(10) + ''.join(parts), type='article')}\n{writer.posts(COMMENTS)}"
    body, facts.removed = readable(written)
    facts.tags = Counter(tag.decode() for tag in _START_TAG.findall(body))
    header, _ = readable(_with_changes(_PIECE.sub(partial(_filled, facts), template.header), facts))
    opening = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<?xml-model href="{facts.schema}" type="application/xml" '
        f'schematypens="{RELAX_NG}"?>\n'
        f'<TEI xmlns="{NAMESPACE}" version="{TEI_VERSION}" xml:id="{id}" xml:lang="{tongue}">\n'
    )
    marks = f"{attribute('cert', article.language_certainty)}{attribute('rend', article.direction)}"
    text = f'\n<text xml:lang="{tongue}"{marks}>\n<body>\n'
    document = (opening.encode(), header, text.encode(), body, b"</body>\n</text>\n</TEI>\n")
    # A bare carriage return would be a line feed to whoever reads the file.
    return b"".join(document).replace(b"\r", b"&#13;")


def _with_changes(header: str, facts: Facts) -> str:
    """Return a header that tells what was mended by hand, whatever template it is made by."""
    told = changes(facts)
    if not told:
        return header
    if "</revisionDesc>" in header:
        return header.replace("</revisionDesc>", f"{told}</revisionDesc>", 1)
    return header.replace("</teiHeader>", f"{element('revisionDesc', told)}</teiHeader>", 1)


def _is_seen(title: Found) -> bool:
    """Return False for the headline in other words that search engines are told: readers of the page see none
    of it."""
    return title.source == "html:h1" or "alternative" in title.source


# Text, because documents are written by us: `<` stands for nothing but markup in them, and there is neither
# CDATA nor a comment.
_MADE_BY = linear(rb"<appInfo[ >].*?</appInfo>|<revisionDesc[ >].*?</revisionDesc>", re.DOTALL)
_START_TAG = linear(rb"<([A-Za-z]+)")
_PUBLISHED = linear(rb'<date when="([0-9-]*)"/>(?=<idno type="curator">)')


def part_digest(document: bytes) -> str:
    """Return the digest of a document without `appInfo`, the date in `publicationStmt`, and `revisionDesc`:
    where the rest is the same, it needs no new file."""
    return sha256(_PUBLISHED.sub(b"", _MADE_BY.sub(b"", document), count=1)).hexdigest()


def day_of(document: bytes) -> date:
    """Return when it was made."""
    day = _PUBLISHED.search(document)
    return date.fromisoformat(day[1].decode()) if day else date.min


MAX_REASONS = 10

_ALLOWED_AROUND = " or ".join(
    f"parent::t:{name}" for name in ("item", "note", "q", "quote", "sp", "cell", "figure")
)
# With `/descendant::`, for which libxml2 takes half the time that it takes for `//` before a condition.
_RULES = {
    "/descendant::*/@subtype[not(../@type)]/..": "has a subtype but no type",
    "/descendant::t:relatedItem[@target and *]": "has a target and content; one of them is enough",
    "/descendant::t:relatedItem[not(@target) and not(*)]": "has neither a target nor content",
    "/descendant::*/@generatedBy[not(ancestor::t:post)]/..": "has generatedBy, which is for posts only",
    "/descendant::t:lg[not(.//t:l or .//t:gap)]": "has no lines",
    "/descendant::t:quotation[not(@marks) and not(t:p)]": "needs marks or a paragraph",
    "/descendant::t:list[@type='gloss'][not(t:label)]": "is a glossary without labels",
    "/descendant::t:p/descendant::t:p[not(ancestor::t:floatingText or "
    f"{_ALLOWED_AROUND})]": "is a paragraph in a paragraph",
    "/descendant::t:p/descendant::t:div[not(ancestor::t:floatingText)]": "is a division in a paragraph",
    "/descendant::t:ab/descendant::t:p[not(ancestor::t:floatingText or "
    f"{_ALLOWED_AROUND})]": "is a paragraph in a paragraph",
    "/descendant::t:ab/descendant::t:div[not(ancestor::t:floatingText)]": "is a division in a paragraph",
    "/descendant::t:l/descendant::t:l[not(ancestor::t:note or "
    "ancestor::t:floatingText)]": "is a line in a line",
}
"""The rules of TEI's Schematron that a document of ours, or a header template, could break: a path to what
breaks each, and the sentence on what is wrong there."""
_ID, _POINTER = linear(rb"xml:id\s*=\s*[\"']([^\"']*)"), linear(rb'="(#[^"]*)"')
_POINTING = frozenset(
    {"who", "ana", "source", "replyTo", "resp", "corresp", "scheme", "ref", "target", "rendition"}
)
"""Attributes whose `#...` has to lead somewhere; @n and the like may begin with a hash too."""

_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, collect_ids=False
)


def validate(document: bytes) -> tuple[str, ...]:
    """Return why it is not valid, by the compact schema or rules of TEI; nothing when it is. Never raises:
    what is not even XML is not valid."""
    try:
        tree = etree.fromstring(document, _PARSER).getroottree()
    except etree.XMLSyntaxError as problem:
        return (f"not well-formed: {problem}",)
    schema = _schema()
    if not schema.validate(tree):
        errors = tuple(schema.error_log)[: 2 * MAX_REASONS]
        reasons = [
            f"line {error.line}{_about(error, tree)}: {error.message.replace(' ,', ',')}" for error in errors
        ]
        return tuple(dict.fromkeys((*_wrong_names(tree), *reasons)))[:MAX_REASONS]
    reasons = list(_broken_rules(tree))
    if _may_have_wrong_names(document):
        reasons += _wrong_names(tree)
    return tuple(dict.fromkeys(reasons))[:MAX_REASONS]


def _about(error: etree._LogEntry, tree: Tree) -> str:
    """Return which element an error is about: libxml2 often leaves that out."""
    places = tree.xpath(error.path) if error.path else None
    if isinstance(places, list) and places and etree.iselement(places[0]):
        return f", {etree.QName(places[0]).localname}"
    return ""


def _broken_rules(tree: Tree) -> Iterator[str]:
    """Yield sentences on the rules that a document breaks; nearly all break none, which one question
    tells."""
    if not _path(" | ".join(_RULES))(tree):
        return
    for path, what in _RULES.items():
        for broken in _path(path)(tree):
            yield f"line {broken.sourceline}: {etree.QName(broken).localname} {what}"


def _may_have_wrong_names(document: bytes) -> bool:
    """Return True if there may be wrong names. Text may look like an attribute, too; but where this sees no
    wrong name there is none, and it takes a tenth of the time."""
    ids = _ID.findall(document)
    pointers = {
        name[1:]
        for names in set(_POINTER.findall(document))
        for name in names.split()
        if name.startswith(b"#")
    }
    return len(set(ids)) < len(ids) or not pointers.issubset(ids)


@cache
def _schema() -> etree.RelaxNG:
    """Return the schema with identifiers as plain names, for whose uniqueness the rules of this module stand:
    libxml2 never frees an identifier that it has seen."""
    schema = resources.schema("tei/webarticle.rng").read_bytes()
    return etree.RelaxNG(etree.fromstring(schema.replace(b'<data type="ID"/>', b'<data type="NCName"/>')))


@cache
def _path(path: str) -> Callable[[Tree], list[Any]]:
    return cast(Callable[[Tree], list[Any]], etree.XPath(path, namespaces={"t": NAMESPACE}))


def _wrong_names(document: Tree) -> Iterator[str]:
    """Yield sentences on identifiers that are none, and pointers that lead nowhere."""
    known: set[str] = set()
    for id in _path("//@xml:id")(document):
        if id in known:
            yield f"line {id.getparent().sourceline}: xml:id {id} is already defined"
        known.add(str(id))
    for value in _path("//@*[starts-with(., '#')]")(document):
        for missing in (name for name in value.split() if name.startswith("#") and name[1:] not in known):
            if value.attrname in _POINTING:
                yield (
                    f"line {value.getparent().sourceline}: {value.attrname} points to {missing}, which is "
                    "not there"
                )


_T = f"{{{NAMESPACE}}}"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

_PLACEHOLDERS: Mapping[str, Callable[[Facts], str | None]] = {
    **{name: (lambda facts, name=name: facts.first(name)) for name in FIELDS},  # type: ignore[misc]
    "id": lambda facts: facts.article.id,
    "document": lambda facts: facts.body.document,
    "url": lambda facts: facts.article.url,
    "language": lambda facts: facts.body.language,
    "portal": lambda facts: facts.portal.name,
    "title": lambda facts: facts.portal.title,
    "home": lambda facts: facts.portal.home,
    "publisher": lambda facts: facts.portal.publisher.name,
    "place": lambda facts: facts.portal.publisher.place,
    "licence": lambda facts: facts.portal.publisher.rights.licence,
    "statement": lambda facts: facts.portal.publisher.rights.statement,
    "authority": lambda facts: authority(facts.portal.creator, facts.portal.title),
    "date": lambda facts: facts.now.isoformat(),
    "year": lambda facts: f"{facts.now.year:04d}",
    "program": lambda _: NAME,
    "version": lambda _: VERSION,
    "access": lambda facts: facts.access,
    "source": lambda facts: facts.source,
    "sampling": lambda facts: facts.sampling,
    "rules": lambda facts: (
        f"the rules for {facts.portal.name}" if facts.rules_digest else f"the general reader of {NAME}"
    ),
}
"""The values that `{name}` in a template stands for: metadata fields by name, and facts of the portal and the
document."""
_NAMES = frozenset((*_PLACEHOLDERS, *SLOTS))
_BRACES = linear(r"\{\{|\}\}|\{[A-Za-z]*\}|[{}]")
_PIECE = linear(r"<[^<>]*[{}][^<>]*>|\{\{|\}\}|\{[A-Za-z]*\}")
"""The tags with braces, and braces in the text, as lxml writes them: of `>`, in attributes too, there is none
but the one at the end of a tag."""
_ATTRIBUTE = linear(r' ([\w.:-]+)="([^"]*[{}][^"]*)"')


@dataclass(frozen=True, slots=True)
class Template:
    """A header with holes: read and checked once, then filled for every article by joining strings."""

    header: str
    """The `teiHeader`, its holes as the file has them."""
    digest: str = ""
    """The SHA-256 of the file."""

    @property
    def file(self) -> str:
        """Return what `load_template` makes this header of."""
        return (
            linear(r'(xml:id="|#)\{document\}\.')
            .sub(r"\1", self.header)
            .replace("<teiHeader", f'<teiHeader xmlns="{NAMESPACE}"', 1)
        )


def load_template(name_or_path: str | Path) -> Template:
    """A template of `tei_templates/` by its name, or a file of the user's. Raises UsageError, with all that
    is wrong."""
    shipped = {path.stem: path for path in sorted(resources.tei_templates().glob("*.xml"))}
    there_are = f"there are {', '.join(shipped)}, or give the path of a file."
    if not Path(name_or_path).exists() and name_or_path not in shipped:
        raise UsageError(f"There is no TEI template {name_or_path}; {there_are}")
    path = shipped.get(str(name_or_path), Path(name_or_path))
    header, file_digest = _header_of(path)
    _check_holes(header, path)
    _name_by_document(header)
    written = etree.tostring(header, encoding="unicode", with_tail=False).replace(
        f' xmlns="{NAMESPACE}"', "", 1
    )
    template = Template(linear(r"(?<![ \t])[ \t]*\n\s*").sub("\n", written), file_digest)
    if path.parent != resources.tei_templates():  # the tests prove those that are shipped
        try_template(template, name_or_path)
    return template


def _header_of(path: Path) -> tuple[Element, str]:
    """Return the header in a file, and the digest of the file. Raises UsageError."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise UsageError(f"The TEI template {path} cannot be read: {told_by_system(problem)}.") from None
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True, load_dtd=False
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as problem:
        raise UsageError(f"{path}: not well-formed XML: {problem}") from None
    header = root if root.tag == f"{_T}teiHeader" else root.find(f"{_T}teiHeader")
    if header is None:
        raise UsageError(
            f'{path}: no teiHeader found; a template is a <teiHeader xmlns="{NAMESPACE}">, alone or in a TEI '
            "element."
        )
    return header, sha256(content).hexdigest()


def _name_by_document(header: Element) -> None:
    """Let identifiers, and what points to them, begin with the document: so documents by one template can
    stand together."""
    ids = {node.get(_XML_ID) for node in header.iter(etree.Element)}
    pointers = {f"#{id}": f"#{{document}}.{id}" for id in ids if id is not None}
    for node in header.iter(etree.Element):
        for key, value in ((str(key), str(value)) for key, value in node.attrib.items()):
            if key == _XML_ID:
                node.set(key, f"{{document}}.{value}")
            elif "#" in value:
                node.set(key, " ".join([pointers.get(word, word) for word in value.split(" ")]))


def _check_holes(header: Element, path: Path) -> None:
    """Raises UsageError where a hole is none, and where what every article brings has no place."""
    named: set[str] = set()
    for node in header.iter(etree.Element):
        texts = (
            (node.text, _NAMES),
            (node.tail, _NAMES),
            *((value, frozenset(_PLACEHOLDERS)) for value in node.attrib.values()),
        )
        for text, names in texts:
            for hole in _BRACES.findall(str(text or "")):
                place, name = f"{path}:{node.sourceline}", hole[1:-1]
                is_lone = hole in ("{", "}")
                if is_lone:
                    raise UsageError(f"{place}: a lone {hole!r}; write {hole * 2} for the brace itself.")
                if hole not in ("{{", "}}") and name not in names:
                    close = next(iter(get_close_matches(name, names, n=1)), "")
                    lists = "docs/reference/tei.md lists those that there are."
                    hint = part("did you mean {{{}}}?", close) or lists
                    raise UsageError(f"{place}: unknown placeholder {hole}; {hint}")
                named.add(name)
    missing = [
        f"\n  {{{name}}}: {slot.place}" for name, slot in SLOTS.items() if slot.place and name not in named
    ]
    no_place = f"{path}: what every article brings has no place in the template."
    if missing:
        raise UsageError(f"{no_place} Write{''.join(missing)}")


def _filled(facts: Facts, piece: re.Match[str]) -> str:
    """A tag, or what stands in braces."""
    written = piece[0]
    if written.startswith("<"):
        return _ATTRIBUTE.sub(partial(_filled_attribute, facts), written)
    if written in ("{{", "}}"):
        return written[0]
    name = written[1:-1]
    return SLOTS[name].fill(facts) if name in SLOTS else escape(_PLACEHOLDERS[name](facts) or "")


def _filled_attribute(facts: Facts, match: re.Match[str]) -> str:
    """The attribute is left out where a value is missing: `target=""` would be no address."""
    written = unescape(match[2])
    values = {
        hole: _PLACEHOLDERS[hole[1:-1]](facts)
        for hole in _BRACES.findall(written)
        if hole not in ("{{", "}}")
    }
    return (
        attribute(match[1], _BRACES.sub(lambda hole: values.get(hole[0]) or hole[0][0], written))
        if all(values.values())
        else ""
    )


_SAMPLES = {
    Holds.TEXT: "text",
    Holds.DATE: "2024-05-01T10:00:00+02:00",
    Holds.URL: "https://portal.example/",
    Holds.LANGUAGE: "en",
    Holds.NUMBER: "1",
    Holds.YES_NO: "true",
}


def try_template(template: Template, name_or_path: str | Path) -> None:
    """Raises UsageError where a template does not make valid TEI of a rich or of a bare article: in a build
    it would come too late."""
    everything: Metadata = {
        name: (Found(value=_SAMPLES[field.holds], raw="", source=""),) for name, field in FIELDS.items()
    }
    publisher = Publisher(
        name="Publisher",
        place="Place",
        rights=Rights(licence="https://portal.example/licence", statement="Statement"),
    )
    trials = {
        "an article of which everything is known": (everything, "en", publisher),
        "an article of which nothing is known": ({}, None, Publisher()),
    }
    for what, (metadata, tongue, of) in trials.items():
        home, zone = "https://portal.example/", ZoneInfo("UTC")
        portal = Portal(
            name="portal", title="Portal", home=home, language=tongue, timezone=zone, publisher=of
        )
        article = Article(
            id="portal-0123456789abcdef",
            url=f"{home}1",
            identity="1",
            outcome=PageOutcome.ARTICLE,
            metadata=metadata,
            blocks=(Block(type="paragraph", children=("Text.",)),),
        )
        if reasons := validate(render(article, portal, template=template, rules_digest="0", now=date.min)):
            listed = "\n  ".join(reasons)
            raise UsageError(
                f"The TEI template {name_or_path} does not make valid TEI of {what}:\n  {listed}\n"
                "schemas/tei/webarticle.odd says which elements and attributes a header may have."
            )
