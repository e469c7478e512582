"""The card of a data set: what it is, how it was made, whose it is, in the form that Hugging Face shows and searches by."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files

import yaml

from webarticlecurator.amounts import amount
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.harmless import one_line
from webarticlecurator.exporting.manifest import PortalInfo
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import TableColumn

NAME = "README.md"
_OURS = "<!-- written by curator export -->"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"), (10_000_000, "1M<n<10M"))
_LARGEST = "10M<n<100M"
_LICENCE = re.compile(
    r"https?://creativecommons\.org/(?:licenses/(?P<terms>by[a-z-]*)/(?P<version>[\d.]+)|publicdomain/(?P<zero>zero)/1\.0)"
)
# fmt: off
_KNOWN_LICENCES = frozenset((
    "cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0",
    "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0",
))
# fmt: on
"""Those that the head of a card may name."""


@dataclass(slots=True)
class CardCounts:
    """What is counted while articles pass by: a few numbers a portal, a year, a language."""

    articles: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    days: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Portal -> the first day and the last one."""
    years: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)

    def add(self, article: ExportArticle) -> None:
        name, day = article.portal, (article.built.published or "")[:10]
        self.articles[name] += 1
        self.words[name] += article.built.words
        if day:
            first, last = self.days.get(name, (day, day))
            self.days[name] = min(first, day), max(last, day)
        self.years[day[:4]] += 1
        self.languages[(article.built.language or "").partition("-")[0].lower()] += 1


def card_name(output: Output) -> str:
    """README.md, by which it is found; but never in the place of a file of that name that somebody else wrote."""
    there = output.path.parent / NAME if output.path is not None else None
    try:
        foreign = there is not None and _OURS not in there.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        foreign = False
    return f"{output.stem}.{NAME}" if foreign else NAME


def dataset_card(
    file: str, portals: Sequence[PortalInfo], counts: CardCounts, columns: Iterable[TableColumn], options: ExportOptions
) -> str:
    """Markdown with a head of YAML, for a file that lies beside it: `dataset_card.md`, filled in."""
    total = counts.articles.total()
    languages = sorted(code for code in counts.languages if re.fullmatch("[a-z]{2,3}", code))
    head = {
        "pretty_name": one_line(f"Articles of {' and '.join(portal.title for portal in portals)}"),
        **({"language": languages} if languages else {}),
        **_licence_head(portals),
        "size_categories": [next((name for limit, name in _SIZES if total < limit), _LARGEST)],
        "task_categories": ["text-generation", "fill-mask"],
        "annotations_creators": ["no-annotation"],
        "language_creators": ["found"],
        "source_datasets": ["original"],
        "configs": [{"config_name": "default", "data_files": [{"split": "train", "path": file}]}],
    }
    counted = (
        (
            *map(as_markdown, (of.title, of.home)),
            f"{counts.articles[of.name]:,}",
            f"{counts.words[of.name]:,}",
            *map(as_markdown, counts.days.get(of.name, (None, None))),
        )
        for of in portals
    )
    years = ((year or "without a date", f"{number:,}") for year, number in sorted(counts.years.items()))
    fields = ((f"`{column.name}`", column.holds.value, column.description.replace("|", "\\|")) for column in columns)
    rights = (tuple(map(as_markdown, (portal.title, portal.publisher, portal.licence, portal.rights))) for portal in portals)
    hidden = ", ".join(sorted(options.pseudonymise))
    template = (files("webarticlecurator.exporting") / "dataset_card.md").read_text(encoding="utf-8")
    return template.format(
        head=yaml.safe_dump(head, allow_unicode=True, sort_keys=False, width=1000),
        names=" and ".join(as_markdown(portal.title) for portal in portals),
        articles=amount(total, "article"),
        portals=_table(("portal", "address", "articles", "words", "first day", "last day"), counted),
        years=_table(("year", "articles"), years),
        program=as_markdown(portals[0].program),
        digests="; ".join(f"{as_markdown(portal.name)} {', '.join(map(as_markdown, portal.rules))}" for portal in portals),
        file=file,
        fields=_table(("field", "type", "what it is"), fields),
        rights=_table(("portal", "publisher", "licence", "statement of rights"), rights),
        shown="with" if options.with_ & {"comments", "posts"} else "without",
        pseudonyms=f"Replaced by pseudonyms: {hidden}." if hidden else "No name was replaced.",
        rules=", ".join(as_markdown(portal.rules[0]) for portal in portals if portal.rules) or "unknown",
    )


def _licence_head(portals: Sequence[PortalInfo]) -> dict[str, str]:
    licences = {portal.licence for portal in portals}
    licence = licences.pop() if len(licences) == 1 else None
    match = _LICENCE.match(licence or "")
    name = "" if match is None else "cc0-1.0" if match["zero"] else f"cc-{match['terms']}-{match['version']}"
    if name in _KNOWN_LICENCES:
        return {"license": name}
    if licence is not None:
        return {"license": "other", "license_name": "see-rights", "license_link": one_line(licence)}
    return {"license": "other" if any(terms.licence or terms.rights for terms in portals) else "unknown"}


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


_SIGNS = re.compile(r"([\\`*_{}\[\]()#|~!])")


def as_markdown(text: str | None) -> str:
    """In Markdown, as nothing but text; an address in it becomes no link with another name."""
    return _SIGNS.sub(r"\\\1", escape(one_line(text or ""), quote=False)) or "not stated"
