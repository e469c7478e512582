"""Loading a template: a user's is tried on a rich and on a bare article, so that none is found wanting in the middle of a build."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.portal import Portal, Publisher
from webarticlecurator.errors import UsageError
from webarticlecurator.model.article import Article, Block
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.tei.header import Program
from webarticlecurator.tei.render import render
from webarticlecurator.tei.template import Template, read_template
from webarticlecurator.tei.validate import validate

_SAMPLES = {
    Holds.TEXT: "text",
    Holds.DATE: "2024-05-01T10:00:00+02:00",
    Holds.URL: "https://portal.example/",
    Holds.LANGUAGE: "en",
    Holds.NUMBER: "1",
    Holds.YES_NO: "true",
}
_BARE = Portal(name="portal", title="", home="https://portal.example/", language=None, timezone=ZoneInfo("UTC"))
_RICH = Portal(
    name="portal",
    title="Portal",
    home="https://portal.example/",
    language="en",
    timezone=ZoneInfo("UTC"),
    publisher=Publisher(name="Publisher", place="Place", licence="https://portal.example/licence", statement="Statement"),
)


def load_template(name_or_path: str | Path) -> Template:
    """A template of `tei_templates/` by its name, or a file of the user's. Raises UsageError, with all that is wrong."""
    template = read_template(name_or_path)
    if not template.is_shipped:  # the tests prove those that are
        try_template(template, name_or_path)
    return template


def try_template(template: Template, name_or_path: str | Path) -> None:
    """Raises UsageError where a template does not make valid TEI of a rich or of a bare article."""
    metadata: Metadata = {name: (Found(value=_SAMPLES[field.holds], raw="", source=""),) for name, field in FIELDS.items()}
    trials = {
        "an article of which everything is known": (_article(metadata), _RICH),
        "an article of which nothing is known": (_article({}), _BARE),
    }
    for what, (article, portal) in trials.items():
        written = render(article, portal, template=template, program=Program(name="curator", version="1"), rules_digest="0", now=date.min)
        if reasons := validate(written.document):
            listed = "\n  ".join(reasons)
            raise UsageError(
                f"The TEI template {name_or_path} does not make valid TEI of {what}:\n  {listed}\n"
                "schemas/tei/webarticle.odd says which elements and attributes a header may have."
            )


def _article(metadata: Metadata) -> Article:
    return Article(
        id="portal-0123456789abcdef",
        url="https://portal.example/1",
        identity="1",
        outcome=PageOutcome.ARTICLE,
        metadata=metadata,
        blocks=(Block(type="paragraph", children=("Text.",)),),
    )
