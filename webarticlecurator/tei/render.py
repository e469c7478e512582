"""An article -> one TEI document."""

from __future__ import annotations

from datetime import date

from webarticlecurator.config.portal import Portal
from webarticlecurator.model.article import Article, Written
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei.blocks import BlockWriter
from webarticlecurator.tei.header import Facts
from webarticlecurator.tei.markup import UNKNOWN_LANGUAGE, attribute, element, escape, language, readable, xml_id
from webarticlecurator.tei.posts import PostWriter
from webarticlecurator.tei.references import References, note_names
from webarticlecurator.tei.schema_org import is_organisation, known_organisations
from webarticlecurator.tei.template import NAMESPACE, Template

TEI_VERSION = "4.12.0"
"""Of the TEI Guidelines that `schemas/tei/tei_all.rng` belongs to."""
SCHEMA = "schema/webarticle.rng"
"""Where a copy of the compact schema lies in a corpus."""
RELAX_NG = "http://relaxng.org/ns/structure/1.0"
_END = b"</body>\n</text>\n</TEI>\n"


def render(article: Article, portal: Portal, *, template: Template, rules_digest: str, now: date) -> Written:
    """The document, not yet validated. `now` is the only time that is not the article's own."""
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
