"""Apply the values that a person has mended by hand: each to its article, and only where the rules still give
the value that was mended."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, NamedTuple

from webarticlecurator.amounts import amount
from webarticlecurator.config.corrections import OPERATIONS, corrections_file, load_corrections
from webarticlecurator.config.expectations import HASH, fingerprint
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.corpus.stored_articles import StoredArticle
from webarticlecurator.errors import UsageError
from webarticlecurator.extraction.url_rules import article_id, identity_of
from webarticlecurator.model.article import Article
from webarticlecurator.model.metadata import BY_HAND, OF_BODY, Correction, Found, Metadata
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.selectors import Selector
from webarticlecurator.storage.places import legible

_LONGEST = 200
"""Characters of a line of text that is kept as it is."""
_SHOWN = 80
"""Characters that are shown of a longer one, before a digest of it."""
Reread = Callable[[Portal], Article]
"""Reads an article once more, by other rules."""


@dataclass(frozen=True, slots=True)
class PortalCorrections:
    """All corrections of a portal."""

    all: tuple[Correction, ...] = ()
    by_name: Mapping[str, tuple[Correction, ...]] = field(default_factory=dict)
    """The corrections by the identity and the id of their article, and by the address that they name."""

    @classmethod
    def of(cls, portal: Portal) -> PortalCorrections:
        """Read what lies beside a portal file. Raises PortalFileError with all mistakes, and UsageError where
        two corrections of a field are of one article."""
        if not portal.sources:
            return cls()
        file = corrections_file(portal.sources[0].path)
        corrections = load_corrections(file)
        by_name: defaultdict[str, dict[Correction, None]] = defaultdict(dict)
        first: dict[tuple[str, str], Correction] = {}
        for correction in corrections:
            identity = identity_of(correction.article, portal)
            other = first.setdefault((identity, correction.field), correction)
            if other is not correction:
                raise UsageError(
                    f"{file}: {correction.field} of one article is mended under two addresses, "
                    f"{other.article} and {correction.article}. Delete one of the two."
                )
            for name in (correction.article, identity, article_id(identity, portal)):
                by_name[name][correction] = None
        return cls(corrections, {name: tuple(several) for name, several in by_name.items()})

    def named(self, address: str, portal: Portal) -> tuple[Correction, ...]:
        """Return the corrections of an article by its address or its id, be it stored or not."""
        return self.by_name.get(address) or self.by_name.get(identity_of(address, portal), ())

    def of_article(self, source: StoredArticle) -> tuple[Correction, ...]:
        """Return the corrections of one article, by its identity or by any address of it."""
        if not self.by_name:
            return ()
        names = (source.identity, source.url, *(stored.url for stored in source.stored))
        known = (self.by_name.get(name, ()) for name in dict.fromkeys(names))
        return tuple(dict.fromkeys(correction for several in known for correction in several))


def digest_of(corrections: Sequence[Correction]) -> str:
    """Return by what it is known whether corrections are others than before; empty where there are none."""
    return sha256(repr(corrections).encode("utf-8", "replace")).hexdigest()[:16] if corrections else ""


class Corrected(NamedTuple):
    """An article with what was mended of it."""

    article: Article
    unapplied: tuple[str, ...] = ()
    """The corrections that are not applied: the field of each, and why."""


def corrected(
    article: Article, corrections: Sequence[Correction], portal: Portal, reread: Reread
) -> Corrected:
    """Return an article as the corrections have it; one whose value before is not what the rules give now
    changes nothing."""
    if not corrections:
        return Corrected(article)
    if article.outcome not in DOCUMENTED:
        return Corrected(article, tuple(unapplied_for(article.outcome, corrections)))
    corrections = [in_clear(each, values_of(article.metadata.get(each.field, ()))) for each in corrections]
    texts = _Texts(article, portal, reread)
    doubts = {each: _doubt(article, each, texts) for each in corrections}
    sound = [each for each in corrections if doubts[each] is None and not is_needless(article, each)]
    selectors = [each for each in sound if each.field in OPERATIONS]
    values = [each for each in sound if each.field not in OPERATIONS]
    mended = _with_values(texts.mended(selectors), article, values)
    unapplied = tuple(f"{each.field}: {doubt}" for each, doubt in doubts.items() if doubt)
    return Corrected(replace(mended, corrections=tuple(sound)), unapplied)


def in_clear(correction: Correction, given: Iterable[str]) -> Correction:
    """Return a correction with the values, or lines of the text, that the rules give in place of the hashes
    that stand for them in releases without texts."""
    return _renamed(correction, {fingerprint(value): value for value in given})


def hashed(correction: Correction) -> Correction:
    """Return a correction with a hash for each value, or line of the text, that the rules gave."""
    in_words = (value for value in correction.before if not value.startswith(HASH))
    return _renamed(correction, {value: fingerprint(value) for value in in_words})


def _renamed(correction: Correction, names: Mapping[str, str]) -> Correction:
    """Return a correction in which other names stand for these values."""
    before, after = (
        tuple(names.get(value, value) for value in values) for values in (correction.before, correction.after)
    )
    return replace(correction, before=before, after=after)


def is_needless(article: Article, correction: Correction) -> bool:
    """Return True if the rules give by themselves what is right."""
    return values_of(article.metadata.get(correction.field, ())) == correction.after


def _doubt(article: Article, correction: Correction, texts: _Texts) -> str | None:
    """Return why a correction cannot be applied: what was mended is not there any more."""
    if correction.field in OPERATIONS:
        return _doubt_of_text(article, correction, texts)
    given = values_of(article.metadata.get(correction.field, ()))
    if given in (correction.after, correction.before):
        return None
    return f"the rules give {_told(given)} now, and gave {_told(correction.before)} when it was mended"


def _doubt_of_text(article: Article, correction: Correction, texts: _Texts) -> str | None:
    """Return why the text cannot be mended: the selectors change other lines than they did."""
    changes = text_changes(article, texts.mended([correction]))
    if changes == in_clear(correction, changes).before:
        return None
    selectors = ", ".join(correction.after)
    return (
        f"{selectors} changes {amount(len(changes), 'line')} of the text now, and not those that were mended"
    )


def _with_values(mended: Article, article: Article, corrections: Sequence[Correction]) -> Article:
    """Return an article with the values that are right; those that the rules gave are not lost."""
    metadata, disagreements = dict(mended.metadata), dict(mended.disagreements)
    for correction in corrections:
        name, given = correction.field, article.metadata.get(correction.field, ())
        metadata[name] = mended_values(given, correction.after)
        gone = [value for value in given if value not in metadata[name]]
        disagreements[name] = (*gone, *disagreements.get(name, ()))
    tongues = (correction.after for correction in corrections if correction.field == "inLanguage")
    language: dict[str, Any] = {}
    for tongue in filter(None, tongues):
        language = {"language": tongue[0], "language_certainty": None}
    return replace(mended, metadata=_filled(metadata), disagreements=_filled(disagreements), **language)


def _filled(fields: Metadata) -> Metadata:
    return {name: values for name, values in fields.items() if values}


def unapplied_for(why: str, corrections: Iterable[Correction]) -> Iterator[str]:
    """Tell of each correction of an article without a document that it could not be applied."""
    return (f"{correction.field}: the article has no document now ({why})" for correction in corrections)


def values_of(values: Iterable[Found]) -> tuple[str, ...]:
    """Return values as a file of corrections holds them."""
    return tuple(legible(value.value) for value in values)


def mended_values(given: Iterable[Found], after: Iterable[str]) -> tuple[Found, ...]:
    """Return the values that are right; those that the rules gave, too, with all that is known of them."""
    known = {legible(value.value): value for value in given}
    return tuple(known.get(value) or Found(value=value, raw=value, source=BY_HAND) for value in after)


def _told(values: Sequence[str]) -> str:
    return " and ".join(f'"{value}"' for value in values) if values else "nothing"


# --- the text of one article ---


class _Texts:
    """The texts that an article has by what was mended of it; each is read once."""

    def __init__(self, article: Article, portal: Portal, reread: Reread) -> None:
        self._article, self._portal, self._reread = article, portal, reread
        self._known: dict[tuple[Correction, ...], Article] = {(): article}

    def mended(self, corrections: Sequence[Correction]) -> Article:
        """Return the article with what these selectors say of its text."""
        key = tuple(corrections)
        if key not in self._known:
            self._known[key] = with_selectors(self._article, key, self._portal, self._reread)
        return self._known[key]


def with_selectors(
    article: Article, corrections: Iterable[Correction], portal: Portal, reread: Reread
) -> Article:
    """Return an article with the text that its pages give if these selectors decide before all rules."""
    read = reread(portal_with_selectors(portal, corrections))
    if not read.blocks and not read.posts:
        return article
    return replace(
        article,
        blocks=read.blocks,
        posts=read.posts,
        pieces=read.pieces,
        unknown_tags=read.unknown_tags,
        metadata={**_said_elsewhere(article.metadata), **_shown_by_text(read.metadata)},
    )


def portal_with_selectors(portal: Portal, corrections: Iterable[Correction]) -> Portal:
    """Return the rules of a portal with these selectors before all others."""
    rules = tuple(
        TagRule(operation=OPERATIONS[correction.field], css=Selector.parse(selector), source=BY_HAND)
        for correction in corrections
        for selector in correction.after
    )
    layer = TagLayer(rules=rules)
    body = replace(portal.body, tags=(layer, *portal.body.tags))
    layouts = tuple(
        replace(layout, body=replace(layout.body, tags=(layer, *layout.body.tags)))
        for layout in portal.layouts
    )
    return replace(portal, body=body, layouts=layouts)


def _shown_by_text(metadata: Metadata) -> dict[str, tuple[Found, ...]]:
    return {name: values for name, values in metadata.items() if values[0].source.startswith(OF_BODY)}


def _said_elsewhere(metadata: Metadata) -> dict[str, tuple[Found, ...]]:
    of_text = _shown_by_text(metadata)
    return {name: values for name, values in metadata.items() if name not in of_text}


def text_changes(before: Article, after: Article) -> tuple[str, ...]:
    """Return the lines that change in the text of an article: those that go with `- ` before them, those that
    come with `+ `."""
    old, new = (Counter(filter(None, article.text.split("\n"))) for article in (before, after))
    gone = [f"- {_short(line)}" for line in (old - new).elements()]
    return (*gone, *(f"+ {_short(line)}" for line in (new - old).elements()))


def _short(line: str) -> str:
    """Return a line, or how a long one begins, with a digest of it."""
    line = legible(line)
    if len(line) <= _LONGEST:
        return line
    return f"{line[:_SHOWN]}... {sha256(line.encode()).hexdigest()[:16]}"
