"""An article -> one TEI document, by a header template that was tried; and what of a document is the article's."""

from __future__ import annotations

import re
from datetime import date
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

from webarticlecurator import resources
from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal, Publisher, Rights
from webarticlecurator.errors import UsageError
from webarticlecurator.model.article import Article, Block, Written
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei.body import BlockWriter, PostWriter
from webarticlecurator.tei.header import Facts
from webarticlecurator.tei.markup import NAMESPACE, UNKNOWN_LANGUAGE, attribute, element, escape, language, readable, xml_id
from webarticlecurator.tei.references import References, note_names
from webarticlecurator.tei.schema_org import is_organisation, known_organisations
from webarticlecurator.tei.template import Template, read_template
from webarticlecurator.tei.validate import validate

TEI_VERSION = "4.12.0"
"""Of the TEI Guidelines that `schemas/tei/tei_all.rng` belongs to."""
SCHEMA = "schema/webarticle.rng"
"""Where a copy of the compact schema lies in a corpus."""
RELAX_NG = "http://relaxng.org/ns/structure/1.0"
_END = b"</body>\n</text>\n</TEI>\n"


def render(article: Article, portal: Portal, *, template: Template, rules_digest: str, now: date) -> Written:
    """The document, not yet validated. `now` is the only time that is not the article's own; `rules_digest` tells what it is made by."""
    id = xml_id(article.id)
    tongue = language(article.language) or language(portal.language) or UNKNOWN_LANGUAGE
    references = References(
        id,
        language=tongue,
        pages=len(article.captures),
        missing=article.missing_pages,
        hosts=portal.hosts,
        notes=set(note_names(article)),
    )
    organisations = known_organisations(article, portal)
    body, removed = readable(_body(article, references, organisations))
    facts = Facts(
        article=article,
        portal=portal,
        rules_digest=rules_digest,
        now=now,
        references=references,
        removed=removed,
        organisations=organisations,
        schema=f"{'../' * (article.folder.count('/') + 2)}{SCHEMA}",
    )
    header = readable(template.fill(facts))[0]
    opening = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<?xml-model href="{facts.schema}" type="application/xml" schematypens="{RELAX_NG}"?>\n'
        f'<TEI xmlns="{NAMESPACE}" version="{TEI_VERSION}" xml:id="{id}" xml:lang="{tongue}">\n'
    )
    text = f'\n<text xml:lang="{tongue}"{attribute("cert", article.language_certainty)}>\n<body>\n'
    parts = (opening.encode(), header, text.encode(), body, _END)
    # A bare carriage return would be a line feed to whoever reads the file.
    return Written(b"".join(parts).replace(b"\r", b"&#13;"), references.lost)


def _body(article: Article, references: References, organisations: frozenset[str]) -> str:
    blocks = BlockWriter(references)
    posts = PostWriter(article.posts, blocks, references)
    parts = [
        _heads(article),
        _byline(article, organisations),
        blocks.article(article.blocks),
        posts.of_article(),
        '<div type="content"><gap reason="paywall"/></div>\n' if article.outcome is PageOutcome.PAYWALL else "",
    ]
    return f"{element('div', chr(10) + ''.join(parts), type='article')}\n{posts.comments()}"


def _heads(article: Article) -> str:
    heads = [
        element("head", escape(one.value), type=type_) + "\n"
        for name, type_ in (("headline", "main"), ("alternativeHeadline", "sub"))
        for one in article.metadata.get(name, ())
        if one.value.strip()
    ]
    return "".join(heads)


def _byline(article: Article, organisations: frozenset[str]) -> str:
    written = [
        element("orgName" if is_organisation(author, organisations) else "docAuthor", escape(author.value))
        for author in article.metadata.get("author", ())
    ]
    places = [f"<dateline>{escape(one.value)}</dateline>\n" for one in article.metadata.get("dateline", ())]
    return (f"<byline>{', '.join(written)}</byline>\n" if written else "") + "".join(places)


# --- what of it is the article's ---

# Text, because documents are written by us: `<` stands for nothing but markup in them, and there is neither CDATA nor a comment.
_MADE_BY = re.compile(rb"<appInfo[ >].*?</appInfo>|<revisionDesc[ >].*?</revisionDesc>", re.DOTALL)
_PUBLISHED = re.compile(rb'<date when="([0-9-]*)"/>(?=<idno type="curator">)')


def article_part(document: bytes) -> bytes:
    """The document without `appInfo`, the date in `publicationStmt`, and `revisionDesc`: equal parts need no new file."""
    return _PUBLISHED.sub(b"", _MADE_BY.sub(b"", document), count=1)


def part_digest(document: bytes) -> str:
    """Of all in it that tells of the article."""
    return sha256(article_part(document)).hexdigest()


def day_of(document: bytes) -> date:
    """When it was made."""
    day = _PUBLISHED.search(document)
    return date.fromisoformat(day[1].decode()) if day else date.min


# --- loading a template: a user's is tried on a rich and on a bare article, so that none is found wanting in the middle of a build ---

_SAMPLES = {
    Holds.TEXT: "text",
    Holds.DATE: "2024-05-01T10:00:00+02:00",
    Holds.URL: "https://portal.example/",
    Holds.LANGUAGE: "en",
    Holds.NUMBER: "1",
    Holds.YES_NO: "true",
}


def load_template(name_or_path: str | Path) -> Template:
    """A template of `tei_templates/` by its name, or a file of the user's. Raises UsageError, with all that is wrong."""
    template = read_template(name_or_path)
    if not (resources.tei_templates() / f"{name_or_path}.xml").exists():  # the tests prove those that are shipped
        try_template(template, name_or_path)
    return template


def try_template(template: Template, name_or_path: str | Path) -> None:
    """Raises UsageError where a template does not make valid TEI of a rich or of a bare article."""
    everything: Metadata = {name: (Found(value=_SAMPLES[field.holds], raw="", source=""),) for name, field in FIELDS.items()}
    publisher = Publisher(name="Publisher", place="Place", rights=Rights(licence="https://portal.example/licence", statement="Statement"))
    trials = {
        "an article of which everything is known": (_article(everything), _portal("Portal", "en", publisher)),
        "an article of which nothing is known": (_article({}), _portal("", None, Publisher())),
    }
    for what, (article, portal) in trials.items():
        written = render(article, portal, template=template, rules_digest="0", now=date.min)
        if reasons := validate(written.document):
            listed = "\n  ".join(reasons)
            raise UsageError(
                f"The TEI template {name_or_path} does not make valid TEI of {what}:\n  {listed}\n"
                "schemas/tei/webarticle.odd says which elements and attributes a header may have."
            )


def _portal(title: str, language: str | None, publisher: Publisher) -> Portal:
    home, zone = "https://portal.example/", ZoneInfo("UTC")
    return Portal(name="portal", title=title, home=home, language=language, timezone=zone, publisher=publisher)


def _article(metadata: Metadata) -> Article:
    return Article(
        id="portal-0123456789abcdef",
        url="https://portal.example/1",
        identity="1",
        outcome=PageOutcome.ARTICLE,
        metadata=metadata,
        blocks=(Block(type="paragraph", children=("Text.",)),),
    )
