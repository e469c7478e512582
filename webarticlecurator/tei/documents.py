"""TEI as the document format of a build: rendered by a template that was tried, and compared."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Self
from zoneinfo import ZoneInfo

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal, Publisher, Rights
from webarticlecurator.errors import UsageError
from webarticlecurator.model.article import Article, Block, Written
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei.render import render
from webarticlecurator.tei.template import Template, read_template
from webarticlecurator.tei.validate import validate

# Text, because documents are written by us: `<` stands for nothing but markup in them, and there is neither CDATA nor a comment.
_MADE_BY = re.compile(rb"<appInfo[ >].*?</appInfo>|<revisionDesc[ >].*?</revisionDesc>", re.DOTALL)
_PUBLISHED = re.compile(rb'<date when="[0-9-]*"/>(?=<idno type="curator">)')


@dataclass(slots=True)
class TeiDocuments:
    """TEI documents by one header template."""

    template: str
    now: date
    """The only time in a document that is not the article's own."""
    digest: str
    _loaded: Template | None = field(default=None, repr=False)

    @classmethod
    def by(cls, template: str, now: date) -> Self:
        """By a template of `tei_templates/`, or a file. Raises UsageError where it is none."""
        loaded = load_template(template)
        return cls(template, now, loaded.digest, loaded)

    def __reduce__(self) -> tuple[type[Self], tuple[str, date, str]]:
        # A template is made of functions, which do not travel to other processes; it is loaded again there.
        return type(self), (self.template, self.now, self.digest)

    def render(self, article: Article, portal: Portal, rules: str) -> Written:
        if self._loaded is None:
            self._loaded = read_template(self.template)
        return render(article, portal, template=self._loaded, rules_digest=rules, now=self.now)


def article_part(document: bytes) -> bytes:
    """The document without `appInfo`, the date in `publicationStmt`, and `revisionDesc`: equal parts need no new file."""
    return _PUBLISHED.sub(b"", _MADE_BY.sub(b"", document), count=1)


def part_digest(document: bytes) -> str:
    """Of all in it that tells of the article."""
    return sha256(article_part(document)).hexdigest()


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
    if not template.is_shipped:  # the tests prove those that are
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
