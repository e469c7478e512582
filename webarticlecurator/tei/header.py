"""The parts of the TEI header that every article fills in anew; one of them is its metadata as Schema.org
JSON-LD."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

import orjson

from webarticlecurator.amounts import part, text_if, those_that_hold
from webarticlecurator.config.fields import FIELDS, Field, Holds
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import LONGEST_WRITTEN
from webarticlecurator.model.article import COMMENTS, Article, CaptureRef
from webarticlecurator.model.metadata import BY_HAND, Correction, Found
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.tei.body import BodyWriter
from webarticlecurator.tei.markup import (
    NAMESPACE,
    attribute,
    element,
    escape,
    filled,
    language,
    language_name,
    moment,
    readable,
    text_element,
    uri,
)
from webarticlecurator.text import folded
from webarticlecurator.version import NAME, VERSION

_DATES = {
    "datePublished": "published",
    "dateModified": "modified",
    "dateCreated": "created",
    "expires": "expires",
    "coverageStartTime": "coverageStart",
    "coverageEndTime": "coverageEnd",
}
_RIGHTS = (
    "conditionsOfAccess",
    "usageInfo",
    "copyrightHolder",
    "copyrightYear",
    "copyrightNotice",
    "creditText",
)
_AGENCIES = ("source", "sourceOrganization", "provider")
_RELATED = ("isBasedOn", "citation", "translationOfWork", "workTranslation")
_WHO_MAY_READ = {
    "true": "The page says that everybody may read it.",
    "false": "The page says that not everybody may read it.",
}
"""The sentences for `isAccessibleForFree`."""
_UNITS_IN_WORDS = {"removedCharacters": "characters removed"}
"""Names of units that are no words."""
_TERMS = ("keywords", "about", "mentions", "contentLocation", "spatialCoverage")
PROGRAM_VERSION = linear(r"[^0-9.].*").sub("", VERSION).strip(".")
"""The version of the program as TEI wants it, in numbers and dots: of a development version, what comes
before the rest."""
PREFIX = (
    '<listPrefixDef><prefixDef ident="schema" matchPattern="([A-Za-z]+)" '
    'replacementPattern="https://schema.org/$1">'
    "<p>What ana names is the Schema.org property that the element holds.</p></prefixDef></listPrefixDef>"
)


def authority(creators: Iterable[str], title: str) -> str:
    """Return who stands behind documents of what has this title."""
    return ", ".join(creators) or f"whoever ran {NAME} on {title}"


@dataclass(kw_only=True)
class Facts:
    """The facts that a document is made of."""

    article: Article
    portal: Portal
    rules_digest: str
    now: date
    body: BodyWriter
    type: str
    """The type of Schema.org, where the article's is spelled like one."""
    removed: int = 0
    """Characters of the body that XML cannot hold."""
    tags: Mapping[str, int] = field(default_factory=dict)
    """The number of times that each element stands in the text."""
    schema: str
    """The address of the schema, from the document."""

    def found(self, *names: str) -> list[tuple[str, Found]]:
        """Return (field, value with its source) of all of these fields."""
        return [
            (name, chosen)
            for name in names
            for chosen in self.article.metadata.get(name, ())
            if chosen.value.strip()
        ]

    def first(self, name: str) -> str | None:
        """The field's first value."""
        return next((chosen.value for _, chosen in self.found(name)), None)

    def elements(self, tag: str, *names: str, **attributes: str) -> list[str]:
        """An element for each value of these fields; its @ana says of which."""
        return [
            element(tag, escape(chosen.value), **attributes, ana=self.ana(name), resp=self.resp(name, chosen))
            for name, chosen in self.found(*names)
        ]

    def resp(self, name: str, chosen: Found) -> str | None:
        """A pointer to the person who gave a value of a field by hand; None where nobody did."""
        if chosen.source != BY_HAND:
            return None
        mended = (correction for correction in self.article.corrections if correction.field == name)
        return next((f"#{self.correctors[correction.by]}" for correction in mended), None)

    @cached_property
    def correctors(self) -> Mapping[str, str]:
        """Return who mended values of this article, each with an identifier."""
        names = dict.fromkeys(correction.by for correction in self.article.corrections)
        return {name: self.body.id(f"corrector-{number}") for number, name in enumerate(names, start=1)}

    def ana(self, name: str) -> str:
        """A pointer to the Schema.org property that a field stands for; empty where what the article is has
        no such property."""
        return part("schema:{}", self.property_of(name))

    def property_of(self, name: str) -> str | None:
        """The property of Schema.org that a field is for works of this type; None where they have none."""
        types = _DOMAINS.get(name)
        name = "sourceOrganization" if name == "source" else name
        return name if types is None or types.fullmatch(self.type) else None

    @property
    def source(self) -> str:
        """The file or address that a page in no corpus was read from."""
        read_from = (capture.file or capture.url for capture in self.article.captures)
        return next(read_from, self.article.url)

    @property
    def outlet(self) -> str | None:
        """The name of the outlet; None where no name is known: the host is an address."""
        return self.first("isPartOf") or self.portal.title or self.site_name or self.first("publisher")

    @property
    def site_name(self) -> str | None:
        """The name that the page gives its site, where that is another one than its publisher's, who may have
        several."""
        publisher, others = (
            folded(self.first("publisher") or ""),
            self.article.disagreements.get("publisher", ()),
        )
        names = (found.value for found in others if found.source == "meta:og:site_name")
        return next((name for name in names if folded(max(name.split(), key=len)) not in publisher), None)

    @property
    def sampling(self) -> str:
        """Return how much of the article a page in no corpus shows: all of it, unless it says that not
        everybody may have it."""
        is_limited = self.first("isAccessibleForFree") == "false"
        return (
            "What the page shows of an article that it calls not free" if is_limited else "The whole article"
        )

    @property
    def access(self) -> str:
        """The word of TEI for who may have the text, as far as its publisher says so."""
        licence = uri(self.first("license") or self.portal.publisher.rights.licence) or ""
        if self.first("isAccessibleForFree") == "false" or "/rightsstatements.org/vocab/InC" in licence:
            return "restricted"
        return "free" if "/creativecommons.org/" in licence else "unknown"

    @cached_property
    def organisations(self) -> frozenset[str]:
        """Return the names that this article or its portal give to organisations, and their first words in
        capitals alone, as of "BBC News"."""
        agencies = [
            agency.value for _, agency in self.found(*_AGENCIES, "publisher") if agency.kind != "person"
        ]
        names = (*agencies, self.portal.title, self.portal.publisher.name or self.portal.title)
        return frozenset(
            (*names, *(name.partition(" ")[0] for name in names if name.partition(" ")[0].isupper()))
        )

    def is_organisation(self, agent: Found) -> bool:
        """Say whether an agent is an organisation: what the page says of an author counts; where it says
        nothing, whether an organisation is known by that name."""
        return agent.kind == "organization" if agent.kind else agent.value in self.organisations


def _titles(facts: Facts) -> str:
    headline = facts.first("headline") or facts.first("name")
    main = element(
        "title",
        escape(headline or facts.article.url),
        type="main",
        ana=text_if(headline, facts.ana("headline")),
        resp=_resp_of_headline(facts),
    )
    correctors = [
        element("respStmt", f"<resp>values mended by hand</resp>{element('name', escape(name))}", xml_id=id)
        for name, id in facts.correctors.items()
    ]
    return "\n".join(
        [
            main,
            *facts.elements("title", "alternativeHeadline", type="alt"),
            *_agents(facts, "author", "author", "creator"),
            *correctors,
        ]
    )


def _resp_of_headline(facts: Facts) -> str | None:
    return next((facts.resp(name, chosen) for name, chosen in facts.found("headline", "name")), None)


def changes(facts: Facts) -> str:
    """Return what was mended by hand, an element a value."""
    return "".join(
        element(
            "change",
            escape(_change(correction)),
            when=moment(correction.when),
            who=f"#{facts.correctors[correction.by]}",
        )
        for correction in facts.article.corrections
    )


def _change(correction: Correction) -> str:
    """Return a sentence on a correction: the field, what it was, what it is, and why."""
    before, after = (" | ".join(values) or "nothing" for values in (correction.before, correction.after))
    return f"{correction.field}: {after}; by the rules {before}{part(' ({})', correction.because)}"


def _agents(facts: Facts, tag: str, *fields: str) -> Iterator[str]:
    for key, agent in facts.found(*fields):
        name = element(
            "orgName" if facts.is_organisation(agent) else "persName", escape(agent.value), ref=uri(agent.url)
        )
        role = text_if(tag == "editor", key)
        yield element(tag, name, role=role, ana=facts.ana(key), resp=facts.resp(key, agent))


def _extent(facts: Facts) -> str:
    extent = facts.article.extent
    comments = sum(post.kind == COMMENTS for post in facts.article.posts)
    posts, pages = len(facts.article.posts) - comments, len(facts.article.captures)
    counts = those_that_hold(
        (extent.words is not None, ("words", extent.words)),
        (True, ("characters", extent.characters)),
        (posts, ("posts", posts)),
        (comments, ("comments", comments)),
        (pages > 1, ("pages", pages)),
        (facts.removed, ("removedCharacters", facts.removed)),
    )
    measures = [
        element("measure", f"{count} {_UNITS_IN_WORDS.get(unit, unit)}", unit=unit, quantity=str(count))
        for unit, count in counts
    ]
    return element("extent", "".join(measures))


def _source(facts: Facts) -> str:
    notes = [
        note
        for name in ("creativeWorkStatus", "correction")
        for note in facts.elements("note", name, type=name)
    ]
    works = ((key, work.value, attribute("target", uri(work.value))) for key, work in facts.found(*_RELATED))
    related = [
        element("relatedItem", f"<ref{target}/>" if target else element("bibl", escape(work)), type=key)
        for key, work, target in works
    ]
    captures = []
    for type_, several in (("capture", facts.article.captures), ("version", facts.article.versions)):
        for number, capture in enumerate(several, start=1):
            place = _place(capture)
            if capture.made_of is not None:
                place.append(
                    element(
                        "relatedItem", element("bibl", "".join(_place(capture.made_of))), type="isBasedOn"
                    )
                )
            bibl = element("bibl", "".join(place), n=str(number), xml_id=facts.body.id(f"{type_}-{number}"))
            captures.append(element("relatedItem", bibl, type=type_))
    parts = [_analytic(facts), _monogr(facts), *notes, *captures, *related]
    return element("biblStruct", "\n" + "\n".join(parts) + "\n", type=facts.type, ana=f"schema:{facts.type}")


def _flags(facts: Facts) -> str:
    """Return the flags of an article: what is odd about the metadata, or not stored, is said by us, and so
    not in the description of the article."""
    notes = [element("note", escape(flag), type="flag") for flag in facts.article.flags]
    for page in facts.article.missing_pages:
        number = None if page.number is None else str(page.number)
        notes.append(element("note", escape(str(page)), type="missingPage", n=number, target=uri(page.url)))
    return "".join(notes)


def _analytic(facts: Facts) -> str:
    """The article."""
    canonical = facts.first("url") or facts.first("mainEntityOfPage")
    headline = facts.first("headline")
    parts = [
        text_element("title", headline, level="a", type="main", resp=_resp_of_headline(facts)),
        *(
            element("title", escape(title.value), level="a", type="sub", resp=facts.resp(name, title))
            for name, title in facts.found("alternativeHeadline")
        ),
        *_agents(facts, "author", "author", "creator"),
        *_agents(facts, "editor", "editor", "translator", "contributor"),
        *(
            element("respStmt", f"<resp>source</resp>{agency}")
            for agency in facts.elements("orgName", *_AGENCIES)
        ),
        text_element("idno", canonical, type="URI", subtype="canonical", ana=facts.ana("url")),
        element("idno", escape(facts.article.url), type="URI", subtype="requested"),
        *facts.elements("idno", "identifier", type="source-id"),
    ]
    return element("analytic", "".join(parts))


def _monogr(facts: Facts) -> str:
    """Return the description of the portal."""
    outlet, home, terms = facts.outlet, facts.portal.home, _terms(facts)
    names = [
        text_element("title", outlet, level="j", ana=facts.ana("isPartOf")),
        text_element("idno", home, type="URI"),
    ]
    parts = [
        *names,
        text_if(any(names), f'<textLang mainLang="{facts.body.language}"/>'),
        filled("availability", terms, status=facts.access),
        element("imprint", "".join(_imprint(facts))),
        *facts.elements("biblScope", "articleSection", unit="section"),
    ]
    return element("monogr", "".join(parts))


def _imprint(facts: Facts) -> list[str]:
    """Return who published it, where and when."""
    of_portal, named = facts.portal.publisher, next(iter(facts.found("publisher")), None)
    name = named[1].value if named else of_portal.name or facts.portal.title
    tag = "persName" if named and named[1].kind == "person" else "orgName"
    return [
        # TEI wants something here, be it that nobody is known
        element("publisher", text_element(tag, name), ana=text_if(name, facts.ana("publisher"))),
        text_element("pubPlace", of_portal.place),
        *(_date(date, key, facts) for key, date in facts.found(*_DATES)),
    ]


def _terms(facts: Facts) -> str:
    """Return the licence, and what else the page says of rights."""
    rights = facts.portal.publisher.rights
    licence = facts.first("license") or rights.licence
    target = uri(licence)
    statement = rights.statement or (licence if not target else None)
    readers = _WHO_MAY_READ.get(facts.first("isAccessibleForFree") or "")
    terms = [
        text_if(target or statement, element("licence", text_element("p", statement), target=target)),
        text_element("p", readers, ana=facts.ana("isAccessibleForFree")),
        *facts.elements("p", *_RIGHTS),
    ]
    return "".join(terms)


def _date(found: Found, key: str, facts: Facts) -> str:
    """The words of the page that say it are the content, where it is not the same."""
    when = moment(found.value)
    written = found.written if when else found.value
    is_said = len(written) <= LONGEST_WRITTEN and (not when or written not in (found.value, when))
    return element(
        "date",
        text_if(is_said, escape(written)),
        type=_DATES[key],
        when=when,
        ana=facts.ana(key),
        resp=facts.resp(key, found),
    )


def _place(capture: CaptureRef) -> list[str]:
    """Return where a record lies, or the page that is in no archive."""
    url = element("idno", escape(capture.url), type="URI")
    file = text_element("idno", capture.file, type="filename")
    date = element(
        "date",
        text_if(not moment(capture.date), escape(capture.date)),
        type="capture",
        when=moment(capture.date),
    )
    if not capture.record_id:
        return [url, element("idno", escape(capture.digest), type="digest"), file, date]
    return [
        url,
        element("idno", escape(capture.record_id), type="WARC-Record-ID"),
        element("idno", escape(capture.digest), type="WARC-Payload-Digest"),
        file,
        f'<biblScope unit="byte" from="{capture.offset}" '
        f'to="{capture.offset + max(capture.length, 1) - 1}"/>',
        date,
    ]


def _encoding(facts: Facts) -> str:
    rules = element("label", escape(f"rules for {facts.portal.name}"))
    applications = [element("application", element("label", NAME), ident=NAME, version=PROGRAM_VERSION)]
    if facts.rules_digest:
        applications.append(element("application", rules, ident="rules", version="1", n=facts.rules_digest))
    usages = [
        element("tagUsage", "", gi=tag, occurs=str(number)) for tag, number in sorted(facts.tags.items())
    ]
    tags = part(f'<tagsDecl><namespace name="{NAMESPACE}">{{}}</namespace></tagsDecl>', "".join(usages))
    schema = element("schemaRef", "", key="webarticle", url=facts.schema)
    # what the article and parts of it are called elsewhere in the document
    genres = [
        element("category", element("catDesc", escape(name)), xml_id=id)
        for id, name in _genres(facts).items()
    ]
    classes = element(
        "classDecl", element("taxonomy", "".join(genres), xml_id=facts.body.id("genre")) + facts.body.turns()
    )
    return f"{PREFIX}\n{tags}{schema}{classes}" + element("appInfo", "".join(applications))


def _genres(facts: Facts) -> dict[str, str]:
    """The type of the article, and what its publisher calls it, each by its identifier."""
    genres = [facts.type, *dict.fromkeys(genre.value for _, genre in facts.found("genre"))]
    return {facts.body.id(f"genre-{number}"): genre for number, genre in enumerate(genres, start=1)}


def _profile(facts: Facts) -> str:
    creation = [
        _date(date, key, facts)
        for key in ("dateCreated", "datePublished")
        for _, date in facts.found(key)[:1]
    ]
    abstracts = [
        element(
            "abstract",
            element("p", escape(summary.value)),
            n=summary.place_in_body,
            ana=facts.ana(key),
            resp=facts.resp(key, summary),
        )
        for key, summary in facts.found("description", "abstract")
    ]
    languages = [
        element(
            "language",
            language_name(tag),
            ident=tag,
            cert=None if number else facts.article.language_certainty,
        )
        for number, tag in enumerate((facts.body.language, *facts.body.other_languages))
    ]
    terms = {
        key: [
            element("term", escape(term.value), ref=uri(term.url), resp=facts.resp(key, term))
            for _, term in facts.found(key)
        ]
        for key in _TERMS
    }
    keywords = [
        element("keywords", "".join(of_field), ana=facts.ana(key))
        for key, of_field in terms.items()
        if of_field
    ]
    type_, *others = (f"#{id}" for id in _genres(facts))
    scheme = f"#{facts.body.id('genre')}"
    genre = element("catRef", "", scheme=scheme, target=type_)
    if others:
        genre += element("catRef", "", scheme=scheme, target=" ".join(others), ana=facts.ana("genre"))
    parts = [
        filled("creation", "".join(creation)),
        *abstracts,
        element("langUsage", "".join(languages)),
        element("textClass", "".join([genre, *keywords])),
        facts.body.people(),
    ]
    return "\n".join(filter(None, parts))


class Slot(NamedTuple):
    """A part of the header that templates leave open."""

    fill: Callable[[Facts], str]
    place: str = ""
    """The place where it has to stand; empty where another slot may stand in its place."""


SLOTS: Mapping[str, Slot] = {
    "titles": Slot(_titles, "first in fileDesc/titleStmt (titles and authors)"),
    "extent": Slot(_extent, "in fileDesc before publicationStmt"),
    "publication": Slot(
        lambda facts: (
            f'<date when="{facts.now.isoformat()}"/>{element("idno", escape(facts.article.id), type="curator")}'
        ),
        "last in fileDesc/publicationStmt (the date and the id of the document)",
    ),
    # The flags, where the template has no notes of its own.
    "notes": Slot(lambda facts: filled("notesStmt", _flags(facts))),
    "flags": Slot(_flags),
    "article": Slot(_source, "<sourceDesc>{article}</sourceDesc>, last in fileDesc"),
    "encoding": Slot(_encoding, "last in encodingDesc"),
    "profile": Slot(_profile, "first in profileDesc"),
    # Escaped rather than CDATA: nothing in it can then look like an end, or like markup to whoever compares
    # documents as text.
    "xeno": Slot(
        lambda facts: (
            f'<xenoData type="application/ld+json" subtype="normalised">{escape(_json_ld(facts))}</xenoData>'
        ),
        "between profileDesc and revisionDesc",
    ),
}
"""The slots by name."""


_AGENTS = frozenset({"author", "creator", "contributor", "editor", "translator"})
_OBJECTS = {
    **dict.fromkeys(
        ("publisher", "provider", "source", "sourceOrganization", "copyrightHolder"), ("Organization", "name")
    ),
    **dict.fromkeys(("contentLocation", "spatialCoverage"), ("Place", "name")),
    **dict.fromkeys(("about", "mentions"), ("Thing", "name")),
    **dict.fromkeys(("isPartOf", "citation"), ("CreativeWork", "name")),
    **dict.fromkeys(("translationOfWork", "workTranslation", "isBasedOn"), ("CreativeWork", "@id")),
    "correction": ("CorrectionComment", "text"),
    "video": ("VideoObject", "contentUrl"),
    "audio": ("AudioObject", "contentUrl"),
    "associatedMedia": ("MediaObject", "contentUrl"),
}
"""Fields whose value Schema.org wants as an object: its type, and which property of it we know."""
_DOMAINS = {
    **dict.fromkeys(
        ("articleSection", "wordCount"),
        linear_at(r".*Article|(?:Social|.*Blog|.*Forum).*Posting|APIReference|Report"),
    ),
    "dateline": linear_at(".*NewsArticle"),
    **dict.fromkeys(("coverageStartTime", "coverageEndTime"), linear("LiveBlogPosting")),
    **dict.fromkeys(("upvoteCount", "downvoteCount"), linear("Comment|Question|Answer")),
}
"""Properties that only works of these types have; all others are those of every CreativeWork."""
_TRUTH = {"true": True, "false": False, "yes": True, "no": False}


def _json_ld(facts: Facts) -> str:
    """Return one object with the values that were chosen."""
    article, portal = facts.article, facts.portal
    url = readable(article.url)[0].decode()
    document: dict[str, Any] = {"@context": "https://schema.org", "@type": facts.type, "@id": url}
    for name, found in article.metadata.items():
        field, property_ = FIELDS.get(name), facts.property_of(name)
        if field is None or property_ is None or not found:
            continue
        values = [_value(name, field, chosen, facts, url) for chosen in found]
        if field.many:
            document.setdefault(property_, []).extend(values)
        else:
            document[property_] = values[0] if len(values) == 1 else values
    document.setdefault("url", url)
    if used := language(article.language) or portal.language:
        document.setdefault("inLanguage", used)
    if portal.title:
        _name_portal(document, portal)
    return orjson.dumps(document).decode()


def _name_portal(document: dict[str, Any], portal: Portal) -> None:
    """Name the portal and its publisher, which are the same for the whole corpus, as what the article is part
    of."""
    publisher = {
        "@type": "Organization",
        "@id": f"{portal.home}#publisher",
        "name": portal.publisher.name or portal.title,
    }
    of_article = document.setdefault("publisher", publisher)
    if isinstance(of_article, dict) and "@id" not in of_article and of_article["name"] == publisher["name"]:
        of_article["@id"] = publisher["@id"]
    document.setdefault(
        "isPartOf", {"@type": "WebSite", "@id": portal.home, "name": portal.title, "url": portal.home}
    )


def _value(name: str, field: Field, found: Found, facts: Facts, url: str) -> Any:
    value = readable(found.value)[0].decode()
    if name in _AGENTS:
        agent = {"@type": "Organization" if facts.is_organisation(found) else "Person", "name": value}
        page = uri(found.url)
        if page in (url, facts.portal.home):  # which name the article, or the site, and so nobody else
            return {**agent, "url": page}
        return agent if page is None else {**agent, "@id": page, "url": page}
    if name in _OBJECTS:
        type_, property_ = _OBJECTS[name]
        return {"@type": "Person" if found.kind == "person" else type_, property_: value}
    if field.holds is Holds.NUMBER and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return _TRUTH.get(value.lower(), value) if field.holds is Holds.YES_NO else value
