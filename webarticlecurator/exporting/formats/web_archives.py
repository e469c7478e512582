"""The WARC files of a corpus for who replays them: as WACZ 1.1.1, one zip that ReplayWeb.page and pywb open,
with an index, a list of pages and a signature; or the index alone.

That zip is written here: py-wacz needs pywb and a browser's worth of other packages, and sorts its index in
memory. The lines of the index and its packed form are those of cdxj-indexer.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile

import orjson

from webarticlecurator.building.database import BuiltArticle
from webarticlecurator.building.document_store import zip_member
from webarticlecurator.databases import connect
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.output import Output
from webarticlecurator.settings import day_of_making
from webarticlecurator.storage.places import OPEN, open_file
from webarticlecurator.version import PROGRAM
from webarticlecurator.warc.records import refuse_damaged
from webarticlecurator.warc.store import utc_now, warc_files

Step = Callable[[str], None]
"""A function that is told what is read or stored."""
_LIBRARY = "cdxj_indexer"
_ALL_OF_THEM = "The WARC files are whole, whatever articles are chosen."


def pack_wacz(
    place: Path | BinaryIO,
    title: str,
    warcs: Sequence[Path],
    articles: Iterable[BuiltArticle],
    *,
    day: str,
    step: Step,
    key: Path | None = None,
) -> None:
    """Write a WACZ of these WARC files, whose list of pages has these articles. Raises UsageError where the
    key is none."""
    stored = list[dict[str, Any]]()
    with ZipFile(place, "w") as wacz, TemporaryFile() as index, TemporaryFile() as pages:
        for path in warcs:
            with open_file(path) as warc:
                stored.append(_put(wacz, f"archive/{_name_of(path)}", warc, step))
        heads = _packed_index(index_lines(warcs, step), index)
        pages.write(b'{"format":"json-pages-1.0","id":"pages","title":"Articles"}\n')
        for article in articles:
            capture = article.record["captures"][0]
            page = {
                "id": article.id,
                "url": capture["url"],
                "ts": capture["date"],
                "title": article.headline or capture["url"],
            }
            pages.write(orjson.dumps(page) + b"\n")
        for name, file in (
            ("indexes/index.cdx.gz", index),
            ("pages/pages.jsonl", pages),
            ("indexes/index.idx", heads),
        ):
            stored.append(_put(wacz, name, file, step))
        created = f"{day}T00:00:00Z"
        about = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": title,
            "created": created,
            "software": PROGRAM,
        }
        package = orjson.dumps({**about, "resources": stored}, option=orjson.OPT_INDENT_2)
        digest = f"sha256:{sha256(package).hexdigest()}"
        signed = {"signedData": _signed(digest, key, created)} if key is not None else {}
        package_digest = orjson.dumps({"path": "datapackage.json", "hash": digest, **signed})
        wacz.writestr(zip_member("datapackage.json", ZIP_STORED), package)
        wacz.writestr(zip_member("datapackage-digest.json", ZIP_STORED), package_digest)


def _name_of(path: Path) -> str:
    """Return the name that a WARC file has when it is finished."""
    return path.name.removesuffix(OPEN)


def index_lines(warcs: Iterable[Path], step: Step) -> Iterator[str]:
    """Yield the lines of the index of WARC files, sorted, each once."""
    with closing(connect("")) as db:
        db.executescript("CREATE TABLE lines (line TEXT); BEGIN")  # in a temporary file, which sorts them
        keep = SimpleNamespace(
            write=lambda line: (
                db.execute("INSERT INTO lines VALUES (?)", (line,)) if '"url": "http' in line else None
            )
        )
        for path in warcs:
            step(_name_of(path))
            with open_file(path) as warc:
                indexer = _indexer().CDXJIndexer(
                    None, [], records="response,revisit,resource", post_append=True
                )
                try:
                    indexer.process_one(warc, keep, _name_of(path))
                except Exception:  # a library that reads strangers' files; it is raised again
                    refuse_damaged(path)
                    raise
        for (line,) in db.execute("SELECT DISTINCT line FROM lines ORDER BY line"):
            yield line


def _packed_index(lines: Iterable[str], index: BinaryIO) -> BinaryIO:
    """Write lines as blocks that are packed each by itself; gives the list of their beginnings."""
    heads = io.StringIO()
    packed = _indexer().CompressedWriter(heads, index, data_out_name="index.cdx.gz", digest_records=True)
    for line in lines:
        packed.write(line)
    packed.flush()
    return io.BytesIO(heads.getvalue().encode())


def _indexer() -> Any:
    """Return the library that knows how an index is written. Raises UsageError where it is not installed."""
    try:
        return import_module(f"{_LIBRARY}.main")
    except ModuleNotFoundError:
        raise UsageError(
            'WACZ needs cdxj-indexer, which is not installed: pip install "webarticlecurator[release]"'
        ) from None


def _put(wacz: ZipFile, name: str, file: BinaryIO, step: Callable[[str], None]) -> dict[str, Any]:
    """Store a file as it is, so that a reader can ask for a range of it; gives what datapackage.json tells of
    it."""
    member, digest = zip_member(name, ZIP_STORED), sha256()
    member.file_size = file.seek(0, io.SEEK_END)
    file.seek(0)
    with wacz.open(member, "w") as out:
        while piece := file.read(1 << 20):
            out.write(piece)
            digest.update(piece)
            step(name)
    return {
        "name": name.rpartition("/")[2].lower(),
        "path": name,
        "hash": f"sha256:{digest.hexdigest()}",
        "bytes": member.file_size,
    }


def _signed(digest: str, key: Path, created: str) -> dict[str, str]:
    """Return the signature of a digest, as the specification wants it of keys that no authority vouches for.
    Raises UsageError."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    try:
        private = serialization.load_pem_private_key(key.read_bytes(), None)
        if not isinstance(getattr(private, "curve", None), ec.SECP384R1):
            raise ValueError(
                f"it must be of P-384; `openssl ecparam -name secp384r1 -genkey -noout -out {key}` makes one"
            )
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"The key {key} cannot be used: {error}.") from None
    # Browsers want the two numbers one after the other; deterministic: the same corpus gives the same bytes.
    numbers = decode_dss_signature(
        private.sign(digest.encode(), ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    packed = {"signature": b"".join(number.to_bytes(48) for number in numbers), "publicKey": public}
    return {"hash": digest, "created": created, "software": PROGRAM} | {
        name: b64encode(value).decode() for name, value in packed.items()
    }


# --- formats of exports ---


def _write_wacz(export: Exporter, output: Output) -> None:
    title = ", ".join(portal.file.title or portal.name for portal in export.portals)
    articles = (article.built for article in export.articles())
    pack_wacz(
        output.main,
        title,
        _warcs(export),
        articles,
        day=day_of_making(utc_now()).isoformat(),
        step=export.work.step,
    )
    output.notes.append(_ALL_OF_THEM)


def _write_cdxj(export: Exporter, output: Output) -> None:
    for _ in export.articles():  # which counts them
        pass
    for line in index_lines(_warcs(export), export.work.step):
        output.main.write(line.encode())
    output.notes.append(_ALL_OF_THEM)


def _warcs(export: Exporter) -> list[Path]:
    return [path for portal in export.portals for path in warc_files(portal.corpus.warc)]


_NOT_THEIRS = ("fields", "headline", "parts", "with", "without", "pseudonymise")
"""Options that change nothing in pages that are handed on as they came; names in them stay."""
FORMATS = (
    Format(
        "wacz",
        _write_wacz,
        "the WARC files with an index and a list of pages, for ReplayWeb.page and pywb",
        ".wacz",
        binary=True,
        library=_LIBRARY,
        extra="release",
        ignores=_NOT_THEIRS,
    ),
    Format(
        "cdxj",
        _write_cdxj,
        "the index of the WARC files, for pywb",
        ".cdxj",
        library=_LIBRARY,
        extra="release",
        ignores=_NOT_THEIRS,
    ),
)
