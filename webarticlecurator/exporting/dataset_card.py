"""The card of a data set: what it is, how it was made, whose it is, in the form that Hugging Face shows and searches by."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import yaml

from webarticlecurator.amounts import amount
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.exporting.manifest import PortalInfo
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import TableColumn
from webarticlecurator.text import squeeze

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
class _OfPortal:
    articles: int = 0
    words: int = 0
    first: str | None = None
    last: str | None = None


@dataclass(slots=True)
class CardCounts:
    """What is counted while articles pass by: a few numbers a portal, a year, a language."""

    portals: dict[str, _OfPortal] = field(default_factory=lambda: defaultdict(_OfPortal))
    years: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)

    def add(self, article: ExportArticle) -> None:
        portal, day = self.portals[article.portal], (article.built.published or "")[:10]
        portal.articles += 1
        portal.words += article.built.words
        if day:
            portal.first, portal.last = min(portal.first or day, day), max(portal.last or day, day)
        self.years[day[:4]] += 1
        self.languages[(article.built.language or "").partition("-")[0].lower()] += 1

    @property
    def articles(self) -> int:
        return sum(one.articles for one in self.portals.values())


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
    """Markdown with a head of YAML, for a file that lies beside it."""
    head = yaml.safe_dump(_head(file, portals, counts), allow_unicode=True, sort_keys=False, width=1000)
    fields = ((f"`{one.name}`", one.holds.value, one.description.replace("|", "\\|")) for one in columns)
    names = " and ".join(_shown(one.title) for one in portals)
    parts = [
        f"---\n{head}---",
        _OURS,
        f"# Articles of {names}",
        f"{amount(counts.articles, 'article')} as text with metadata, each with the record of its page in a web archive (WARC).",
        _table(("portal", "address", "articles", "words", "first day", "last day"), (_counted(one, counts) for one in portals)),
        _table(("year", "articles"), ((year or "without a date", f"{number:,}") for year, number in sorted(counts.years.items()))),
        "## How it was made",
        "Articles that the archive pages of each portal list were fetched, and what the servers answered was stored as it came. Text and"
        " metadata were made of that by written rules, which leave out of a page what is no part of its article. Of these articles the data"
        " hold those that the export was asked for; say here how complete the collection is (`curator status` proves it column by column)."
        f" Program: {_shown(portals[0].program)}. Digests of the rules:"
        f" {'; '.join(map(_rules, portals))}."
        f" `{file}.manifest.json` tells which articles were chosen, and how to choose them again.",
        "## Fields",
        _table(("field", "type", "what it is"), fields),
        "## Rights and personal data",
        _table(("portal", "publisher", "licence", "statement of rights"), map(_rights, portals)),
        "The texts belong to their publishers and authors; what may be done with them depends on these rights and on the law of your"
        " country. The column `rights` says what the page of each article names.",
        _personal(options),
        "## How to cite it",
        f"Articles of {names} ({amount(counts.articles, 'article')}). Collected and prepared with {_shown(portals[0].program)}; rules"
        f" {', '.join(_shown(one.rules[0]) for one in portals if one.rules) or 'unknown'}.",
    ]
    return "\n\n".join(parts) + "\n"


def _head(file: str, portals: Sequence[PortalInfo], counts: CardCounts) -> dict[str, Any]:
    languages = sorted(one for one in counts.languages if re.fullmatch("[a-z]{2,3}", one))
    return {
        "pretty_name": squeeze(plain(f"Articles of {' and '.join(one.title for one in portals)}")),
        **({"language": languages} if languages else {}),
        **_licence_head(portals),
        "size_categories": [next((name for limit, name in _SIZES if counts.articles < limit), _LARGEST)],
        "task_categories": ["text-generation", "fill-mask"],
        "annotations_creators": ["no-annotation"],
        "language_creators": ["found"],
        "source_datasets": ["original"],
        "configs": [{"config_name": "default", "data_files": [{"split": "train", "path": file}]}],
    }


def _licence_head(portals: Sequence[PortalInfo]) -> dict[str, str]:
    licences = {one.licence for one in portals}
    licence = licences.pop() if len(licences) == 1 else None
    found = _LICENCE.match(licence or "")
    name = "" if found is None else "cc0-1.0" if found["zero"] else f"cc-{found['terms']}-{found['version']}"
    if name in _KNOWN_LICENCES:
        return {"license": name}
    if licence is not None:
        return {"license": "other", "license_name": "see-rights", "license_link": squeeze(plain(licence))}
    return {"license": "other" if any(one.licence or one.rights for one in portals) else "unknown"}


def _counted(portal: PortalInfo, counts: CardCounts) -> tuple[str, ...]:
    of = counts.portals[portal.name]
    return (_shown(portal.title), _shown(portal.home), f"{of.articles:,}", f"{of.words:,}", _shown(of.first), _shown(of.last))


def _rules(portal: PortalInfo) -> str:
    return f"{_shown(portal.name)} {', '.join(map(_shown, portal.rules))}"


def _rights(portal: PortalInfo) -> tuple[str, ...]:
    return tuple(map(_shown, (portal.title, portal.publisher, portal.licence, portal.rights)))


def _personal(options: ExportOptions) -> str:
    shown = "with" if options.with_ & {"comments", "posts"} else "without"
    names = f"Replaced by pseudonyms: {', '.join(sorted(options.pseudonymise))}." if options.pseudonymise else "No name was replaced."
    return (
        "Articles name people: their authors, and those whom they write about. The text is given"
        f" {shown} the posts and comments of readers. {names} Whoever publishes or uses the data answers for what the law says of that."
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


_SIGNS = re.compile(r"([\\`*_{}\[\]()#|~!])")


def _shown(text: str | None) -> str:
    """In Markdown, as nothing but text; an address in it becomes no link with another name."""
    return _SIGNS.sub(r"\\\1", escape(squeeze(plain(text or "")), quote=False)) or "not stated"
