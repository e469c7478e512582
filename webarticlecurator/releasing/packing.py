"""What a release holds: of each article a line in the list and a document in a zip; what it says of itself to people and programs; and the
WARC files as WACZ 1.1.1, one zip that ReplayWeb.page and pywb open, with an index, a list of pages, and a signature.

That zip is written here: py-wacz needs pywb and a browser's worth of other packages, and sorts its index in memory. The lines of the index
and its packed form are those of cdxj-indexer.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from hashlib import sha256
from heapq import merge
from importlib.resources import files
from itertools import count, repeat
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile

import msgspec
import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from webarticlecurator import resources
from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.kept_article import DocumentStore, zip_member
from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.exporting.exporter import ExportedPortal
from webarticlecurator.exporting.formats.documents import WHOLE_ARTICLES, CorpusHeader, include
from webarticlecurator.exporting.harmless import as_markdown, one_line
from webarticlecurator.releasing.contents import ARTICLES, MOST, Release, ReleasedArticle, holds, library
from webarticlecurator.storage.places import OPEN, open_file
from webarticlecurator.tei.document import SCHEMA, part_digest
from webarticlecurator.tei.markup import uri
from webarticlecurator.version import PROGRAM
from webarticlecurator.warc.records import refuse_damaged
from webarticlecurator.warc.store import warc_files

_LICENCES = """SELECT value, count(*) FROM articles LEFT JOIN metadata
    ON article = number AND field = 'license' AND NOT disagrees AND source != 'publisher.rights.licence'
    WHERE path IS NOT NULL GROUP BY value ORDER BY value IS NOT NULL, count(*) DESC, value LIMIT 50"""
"""Those that pages name; first how many name none."""
_OUTCOMES = "SELECT outcome, count(*) FROM articles WHERE path IS NOT NULL GROUP BY outcome ORDER BY outcome"


def pack_articles(folder: Path, portals: Sequence[ExportedPortal], *, texts: bool, step: Callable[[int], None]) -> tuple[str, CorpusHeader]:
    """Write the list, and with `texts` the documents; gives the fingerprint of the list, and what was seen of the documents."""
    digest, header = sha256(), CorpusHeader()
    shards, shard = ((folder / "tei" / f"{number:05}.zip") for number in count(1)), None
    by_id = (zip(repeat(portal), portal.built.read(order="a.id"), strict=False) for portal in portals)
    with (folder / ARTICLES).open("wb") as lines, TemporaryFile() as includes, ExitStack() as stack:
        stores = {portal.name: stack.enter_context(closing(DocumentStore(portal.corpus.folder))) for portal in portals}
        stack.callback(lambda: shard and shard.close())
        for portal, article in merge(*by_id, key=lambda pair: pair[1].id):
            if (document := stores[portal.name].read(article.path)) is None:
                raise CorpusError(f"{article.path} is gone: nothing was written.", advice="rebuild")
            if (part := part_digest(document)) != article.part:
                raise CorpusError(f"{article.path} is not what was built, but damaged or edited: nothing was written.", advice="rebuild")
            records = tuple((capture["record_id"], capture["digest"]) for capture in article.record["captures"])
            line = msgspec.json.encode(ReleasedArticle(article.id, part, records)) + b"\n"
            digest.update(line)
            lines.write(line)
            header.add(portal.name, article, document)
            # beyond 2 GB a zip takes no more: none needs the form of zips for more than 4
            if texts and (shard is None or len(shard.filelist) == MOST or shard.start_dir > 2 << 30):
                if shard is not None:
                    shard.close()
                (folder / "tei").mkdir(exist_ok=True)
                shard = ZipFile(next(shards), "w")
            if shard is not None:
                shard.writestr(zip_member(article.path.removeprefix("tei/")), document)
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


def describe(folder: Path, release: Release, header: CorpusHeader, built: Sequence[BuiltArticles]) -> None:
    """Write release.json, and every description: the names of the templates are those of the files. `built` are its portals."""
    (folder / "release.json").write_bytes(msgspec.json.format(msgspec.json.encode(release)) + b"\n")
    made = Environment(loader=PackageLoader(__package__), autoescape=select_autoescape(["xml"]), undefined=StrictUndefined)
    made.trim_blocks = made.lstrip_blocks = made.keep_trailing_newline = True
    # What portal files say may hold anything: as JSON (which is YAML, too) or Markdown it is text, and no line of its own.
    made.filters |= {"quoted": lambda text: msgspec.json.encode(one_line(text)).decode(), "shown": as_markdown, "plain": one_line}
    rows = (line.split("\t") for line in (files(__package__) / "parts.tsv").read_text(encoding="utf-8").splitlines())
    held = (row for row in rows if holds(release.level, row[1]) and ((folder / row[0]).is_dir() or not row[0].endswith("/")))
    parts = [{"path": path, "about": about} for path, _, about in held]
    licences = [(portal.title, *row) for portal, articles in zip(release.portals, built, strict=True) for row in articles.rows(_LICENCES)]
    outcomes = sum((Counter(dict(articles.rows(_OUTCOMES))) for articles in built), Counter[str]())
    of_posts = (articles.rows("SELECT count(*) FROM posts WHERE author IS NOT NULL") for articles in built)
    named_posts = sum(number for ((number,),) in of_posts) if holds(release.level, "texts") else 0
    titles = " and ".join(one_line(portal.title) for portal in release.portals)
    abstract = f"{amount(release.articles, 'article')} of {titles}, with {release.fingerprint} as their fingerprint."
    made.globals |= {"amount": amount, "uri": uri, "release": release, "parts": parts, "licences": licences, "outcomes": outcomes}
    made.globals |= {"named_posts": named_posts, "days": header.days, "languages": header.languages, "measures": header.measures}
    made.globals |= {"title": f"Web articles of {titles}", "abstract": abstract}
    for name in made.list_templates():
        (folder / name).write_text(made.get_template(name).render(), encoding="utf-8")


def write_bag(folder: Path, release: Release) -> None:
    """Make a bag of the folder, by bagit. What a library's day or a disk's order would decide is decided here."""
    bagit = library("bagit")
    software = f"{release.program}; bagit.py {bagit.VERSION}"
    about = {"Bagging-Date": release.made, "Bag-Software-Agent": software, "External-Identifier": release.fingerprint}
    bagit.make_bag(str(folder), {**about, "Contact-Name": list(release.creators)}, checksums=["sha256"])
    tags = folder / "tagmanifest-sha256.txt"
    tags.write_text("".join(sorted(tags.read_text(encoding="utf-8").splitlines(keepends=True))), encoding="utf-8")


def write_wacz(place: Path, portal: ExportedPortal, *, day: str, key: Path | None, step: Callable[[str], None]) -> None:
    """`step` is told what is stored. Raises UsageError where the key is none."""
    cdxj, stored = library("cdxj_indexer.main"), list[dict[str, Any]]()
    place.parent.mkdir(exist_ok=True)
    with ZipFile(place, "w") as wacz, closing(connect("")) as db, TemporaryFile() as index, TemporaryFile() as pages:
        db.executescript("CREATE TABLE lines (line TEXT); BEGIN")  # in a temporary file, which sorts them
        keep = SimpleNamespace(write=lambda line: db.execute("INSERT INTO lines VALUES (?)", (line,)) if '"url": "http' in line else None)
        for path in warc_files(portal.corpus.warc):
            name = path.name.removesuffix(OPEN)
            step(name)
            with open_file(path) as warc:
                indexer = cdxj.CDXJIndexer(None, [], records="response,revisit,resource", post_append=True)
                try:
                    indexer.process_one(warc, keep, name)
                except Exception:
                    refuse_damaged(path)
                    raise
                stored.append(_put(wacz, f"archive/{name}", warc, step))
        head_lines = io.StringIO()
        packed = cdxj.CompressedWriter(head_lines, index, data_out_name="index.cdx.gz", digest_records=True)
        for (line,) in db.execute("SELECT DISTINCT line FROM lines ORDER BY line"):
            packed.write(line)
        packed.flush()
        pages.write(b'{"format":"json-pages-1.0","id":"pages","title":"Articles"}\n')
        for article in portal.built.read(order="a.id"):
            capture = article.record["captures"][0]
            page = {"id": article.id, "url": capture["url"], "ts": capture["date"], "title": article.headline or capture["url"]}
            pages.write(orjson.dumps(page) + b"\n")
        heads = io.BytesIO(head_lines.getvalue().encode())
        for name, file in (("indexes/index.cdx.gz", index), ("pages/pages.jsonl", pages), ("indexes/index.idx", heads)):
            stored.append(_put(wacz, name, file, step))
        created = f"{day}T00:00:00Z"
        about = {"profile": "data-package", "wacz_version": "1.1.1", "title": portal.file.title, "created": created, "software": PROGRAM}
        package = orjson.dumps({**about, "resources": stored}, option=orjson.OPT_INDENT_2)
        digest = f"sha256:{sha256(package).hexdigest()}"
        signed = {"signedData": _signed(digest, key, created)} if key is not None else {}
        package_digest = orjson.dumps({"path": "datapackage.json", "hash": digest, **signed})
        wacz.writestr(zip_member("datapackage.json", ZIP_STORED), package)
        wacz.writestr(zip_member("datapackage-digest.json", ZIP_STORED), package_digest)


def _put(wacz: ZipFile, name: str, file: BinaryIO, step: Callable[[str], None]) -> dict[str, Any]:
    """Store a file as it is, so that a reader can ask for a range of it; gives what datapackage.json tells of it."""
    member, digest = zip_member(name, ZIP_STORED), sha256()
    member.file_size = file.seek(0, io.SEEK_END)
    file.seek(0)
    with wacz.open(member, "w") as out:
        while piece := file.read(1 << 20):
            out.write(piece)
            digest.update(piece)
            step(name)
    return {"name": name.rpartition("/")[2].lower(), "path": name, "hash": f"sha256:{digest.hexdigest()}", "bytes": member.file_size}


def _signed(digest: str, key: Path, created: str) -> dict[str, str]:
    """As the specification wants it of keys that no authority vouches for. Raises UsageError."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    try:
        private = serialization.load_pem_private_key(key.read_bytes(), None)
        if not isinstance(getattr(private, "curve", None), ec.SECP384R1):
            raise ValueError(f"it must be of P-384; `openssl ecparam -name secp384r1 -genkey -noout -out {key}` makes one")
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"The key {key} cannot be used: {error}.") from None
    # Browsers want the two numbers one after the other; deterministic: the same corpus gives the same bytes.
    numbers = decode_dss_signature(private.sign(digest.encode(), ec.ECDSA(hashes.SHA256(), deterministic_signing=True)))
    public = private.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    packed = {"signature": b"".join(number.to_bytes(48) for number in numbers), "publicKey": public}
    return {"hash": digest, "created": created, "software": PROGRAM} | {name: b64encode(value).decode() for name, value in packed.items()}
