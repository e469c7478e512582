"""How a release describes itself to people, archives and programs: templates, filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.exporting.dataset_card import as_markdown
from webarticlecurator.exporting.formats.teicorpus import CorpusHeader
from webarticlecurator.exporting.harmless import one_line
from webarticlecurator.releasing.contents import Release, holds
from webarticlecurator.tei.markup import uri

_LICENCES = """SELECT value, count(*) FROM metadata WHERE field = 'license' AND NOT disagrees
    GROUP BY value ORDER BY count(*) DESC, value LIMIT 50"""
_OUTCOMES = "SELECT outcome, count(*) FROM articles WHERE path IS NOT NULL GROUP BY outcome ORDER BY outcome"


def describe(folder: Path, release: Release, header: CorpusHeader, built: Sequence[BuiltArticles]) -> None:
    """Write release.json, and every description: the names of the templates are those of the files. `built` are its portals."""
    (folder / "release.json").write_bytes(msgspec.json.format(msgspec.json.encode(release)) + b"\n")
    made = Environment(loader=PackageLoader(__package__), autoescape=select_autoescape(["xml"]), undefined=StrictUndefined)
    made.trim_blocks = made.lstrip_blocks = made.keep_trailing_newline = True
    # What portal files say may hold anything: as JSON (which is YAML, too) or Markdown it is text, and no line of its own.
    made.filters |= {"quoted": lambda text: msgspec.json.encode(one_line(text)).decode(), "shown": as_markdown, "plain": one_line}
    made.globals |= {"amount": amount, "uri": uri}
    rows = (line.split("\t") for line in (files(__package__) / "parts.tsv").read_text(encoding="utf-8").splitlines())
    held = (row for row in rows if holds(release.level, row[1]) and ((folder / row[0]).is_dir() or not row[0].endswith("/")))
    parts = [{"path": path, "about": about} for path, _, about in held]
    licences = [(portal.title, *row) for portal, articles in zip(release.portals, built, strict=True) for row in articles.rows(_LICENCES)]
    titles = " and ".join(one_line(portal.title) for portal in release.portals)
    for name in made.list_templates():
        text = made.get_template(name).render(
            release=release,
            parts=parts,
            days=header.days,
            languages=header.languages,
            measures=header.measures,
            licences=licences,
            outcomes=sum((Counter(dict(articles.rows(_OUTCOMES))) for articles in built), Counter()),
            title=f"Web articles of {titles}",
            abstract=f"{amount(release.articles, 'article')} of {titles}, with {release.fingerprint} as their fingerprint.",
        )
        (folder / name).write_text(text, encoding="utf-8")
