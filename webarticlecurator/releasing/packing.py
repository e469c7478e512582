"""Pack a release: of each article a line in the list and a document in a zip; and what it says of itself to
people and programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from hashlib import sha256
from heapq import merge
from importlib.resources import files
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryFile
from zipfile import ZipFile, ZipInfo

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from webarticlecurator import resources
from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.document_store import DocumentStore, zip_member
from webarticlecurator.errors import CorpusError
from webarticlecurator.exporting.exporter import ExportedPortal
from webarticlecurator.exporting.formats.documents import WHOLE_ARTICLES, CorpusHeader, include
from webarticlecurator.exporting.harmless import as_markdown, one_line
from webarticlecurator.releasing.contents import ARTICLES, MOST, Release, ReleasedArticle, holds, library
from webarticlecurator.tei.document import SCHEMA, part_digest
from webarticlecurator.tei.markup import uri

_LICENCES = """SELECT value, count(*) FROM articles LEFT JOIN metadata
    ON article = number AND field = 'license' AND NOT disagrees AND source != 'publisher.rights.licence'
    WHERE path IS NOT NULL GROUP BY value ORDER BY value IS NOT NULL, count(*) DESC, value LIMIT 50"""
"""The licences that pages name; first how many name none."""
_OUTCOMES = "SELECT outcome, count(*) FROM articles WHERE path IS NOT NULL GROUP BY outcome ORDER BY outcome"


def pack_articles(
    folder: Path, portals: Sequence[ExportedPortal], *, texts: bool, step: Callable[[int], None]
) -> tuple[str, CorpusHeader]:
    """Write the list, and with `texts` the documents; gives the fingerprint of the list, and what was seen of
    the documents."""
    digest, header = sha256(), CorpusHeader()
    by_id = (zip(repeat(portal), portal.built.read(order="a.id"), strict=False) for portal in portals)
    with (folder / ARTICLES).open("wb") as lines, TemporaryFile() as includes, ExitStack() as stack:
        stores = {
            portal.name: stack.enter_context(closing(DocumentStore(portal.corpus.folder)))
            for portal in portals
        }
        shards = stack.enter_context(closing(_Shards(folder / "tei")))
        for portal, article in merge(*by_id, key=lambda pair: pair[1].id):
            document = stores[portal.name].read(article.path)
            if document is None:
                raise CorpusError(f"{article.path} is gone: nothing was written.", advice="rebuild")
            part = part_digest(document)
            if part != article.part:
                raise CorpusError(
                    f"{article.path} is not what was built, but damaged or edited: nothing was written.",
                    advice="rebuild",
                )
            records = tuple(
                (capture["record_id"], capture["digest"]) for capture in article.record["captures"]
            )
            line = msgspec.json.encode(ReleasedArticle(article.id, part, records)) + b"\n"
            digest.update(line)
            lines.write(line)
            header.add(portal.name, article, document)
            if texts:
                shards.add(zip_member(article.path.removeprefix("tei/")), document)
                includes.write(include(article.path))
            step(header.measures["texts"])
        if texts:
            schema = folder / SCHEMA
            schema.parent.mkdir()
            schema.write_bytes(resources.schema("tei/webarticle.rng").read_bytes())
            remarks = [WHOLE_ARTICLES, "All articles that are built."]
            with (folder / "corpus.xml").open("wb") as corpus:
                header.write(corpus, includes, portals, schema=SCHEMA, remarks=remarks, includes=True)
    return f"sha256:{digest.hexdigest()}", header


class _Shards:
    """Writes numbered zips of documents: beyond 2 GB one takes no more, so that none needs the form of zips
    for more than 4."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._shard: ZipFile | None = None

    def add(self, member: ZipInfo, document: bytes) -> None:
        shard = self._shard
        if shard is None or len(shard.filelist) == MOST or shard.start_dir > 2 << 30:
            self.close()
            self._number += 1
            self._folder.mkdir(exist_ok=True)
            shard = self._shard = ZipFile(self._folder / f"{self._number:05}.zip", "w")
        shard.writestr(member, document)

    def close(self) -> None:
        if self._shard is not None:
            self._shard.close()


def describe(folder: Path, release: Release, header: CorpusHeader, built: Sequence[BuiltArticles]) -> None:
    """Write release.json, and every description: the names of the templates are those of the files. `built`
    are its portals."""
    (folder / "release.json").write_bytes(msgspec.json.format(msgspec.json.encode(release)) + b"\n")
    made = Environment(
        loader=PackageLoader(__package__), autoescape=select_autoescape(["xml"]), undefined=StrictUndefined
    )
    made.trim_blocks = made.lstrip_blocks = made.keep_trailing_newline = True
    # What portal files say may hold anything: as JSON (which is YAML, too) or Markdown it is text, and no
    # line of its own.
    made.filters |= {
        "quoted": lambda text: msgspec.json.encode(one_line(text)).decode(),
        "shown": as_markdown,
        "plain": one_line,
    }
    rows = (
        line.split("\t")
        for line in (files(__package__) / "parts.tsv").read_text(encoding="utf-8").splitlines()
    )
    held = (
        row
        for row in rows
        if holds(release.level, row[1]) and ((folder / row[0]).is_dir() or not row[0].endswith("/"))
    )
    parts = [{"path": path, "about": about} for path, _, about in held]
    licences = [
        (portal.title, *row)
        for portal, articles in zip(release.portals, built, strict=True)
        for row in articles.rows(_LICENCES)
    ]
    outcomes = sum((Counter(dict(articles.rows(_OUTCOMES))) for articles in built), Counter[str]())
    of_posts = (articles.rows("SELECT count(*) FROM posts WHERE author IS NOT NULL") for articles in built)
    named_posts = sum(number for ((number,),) in of_posts) if holds(release.level, "texts") else 0
    titles = " and ".join(one_line(portal.title) for portal in release.portals)
    abstract = (
        f"{amount(release.articles, 'article')} of {titles}, with {release.fingerprint} as their fingerprint."
    )
    made.globals |= {
        "amount": amount,
        "uri": uri,
        "release": release,
        "parts": parts,
        "licences": licences,
        "outcomes": outcomes,
    }
    made.globals |= {
        "named_posts": named_posts,
        "days": header.days,
        "languages": header.languages,
        "measures": header.measures,
    }
    made.globals |= {"title": f"Web articles of {titles}", "abstract": abstract}
    for name in made.list_templates():
        (folder / name).write_text(made.get_template(name).render(), encoding="utf-8")


def write_bag(folder: Path, release: Release) -> None:
    """Make a bag of the folder, by bagit. What a library's day or a disk's order would decide is decided
    here."""
    bagit = library("bagit")
    software = f"{release.program}; bagit.py {bagit.VERSION}"
    about = {
        "Bagging-Date": release.made,
        "Bag-Software-Agent": software,
        "External-Identifier": release.fingerprint,
    }
    bagit.make_bag(str(folder), {**about, "Contact-Name": list(release.creators)}, checksums=["sha256"])
    tags = folder / "tagmanifest-sha256.txt"
    tags.write_text(
        "".join(sorted(tags.read_text(encoding="utf-8").splitlines(keepends=True))), encoding="utf-8"
    )
