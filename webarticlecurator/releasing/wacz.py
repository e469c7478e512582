"""WACZ 1.1.1: the WARC files of a portal in one zip that ReplayWeb.page and pywb open, with an index, a list of pages, and a signature.

The zip is written here: py-wacz needs pywb and a browser's worth of other packages, and sorts its index in memory. The lines of the index
and its packed form are those of cdxj-indexer.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, ZipFile

import orjson

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.building.documents import zip_member
from webarticlecurator.databases import connect
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.manifest import PortalInfo
from webarticlecurator.releasing.contents import library
from webarticlecurator.storage.places import open_file
from webarticlecurator.warc.store import OPEN, warc_files

_PIECE = 1 << 20


def write_wacz(place: Path, portal: PortalInfo, built: BuiltArticles, *, day: str, key: Path | None, show: Callable[[str], None]) -> None:
    """`show` is told what is stored. Raises UsageError where the key is none."""
    cdxj, resources = library("cdxj_indexer.main"), list[dict[str, Any]]()
    place.parent.mkdir(exist_ok=True)
    with ZipFile(place, "w") as wacz, closing(connect("")) as db, TemporaryFile() as index, TemporaryFile() as pages:
        db.executescript("CREATE TABLE lines (line TEXT); BEGIN")  # in a temporary file, which sorts them
        keep = SimpleNamespace(write=lambda line: db.execute("INSERT INTO lines VALUES (?)", (line,)) if '"url": "http' in line else None)
        for path in warc_files(portal.corpus / "warc"):
            name = path.name.removesuffix(OPEN)
            show(name)
            with open_file(path) as warc:
                cdxj.CDXJIndexer(None, [], records="response,revisit,resource", post_append=True).process_one(warc, keep, name)
                resources.append(_put(wacz, f"archive/{name}", warc, show))
        head_lines = io.StringIO()
        packed = cdxj.CompressedWriter(head_lines, index, data_out_name="index.cdx.gz", digest_records=True)
        for (line,) in db.execute("SELECT DISTINCT line FROM lines ORDER BY line"):
            packed.write(line)
        packed.flush()
        pages.write(b'{"format":"json-pages-1.0","id":"pages","title":"Articles"}\n')
        for article in built.read(order="a.id"):
            capture = article.record["captures"][0]
            page = {"id": article.id, "url": capture["url"], "ts": capture["date"], "title": article.headline or capture["url"]}
            pages.write(orjson.dumps(page) + b"\n")
        heads = io.BytesIO(head_lines.getvalue().encode())
        for name, file in (("indexes/index.cdx.gz", index), ("pages/pages.jsonl", pages), ("indexes/index.idx", heads)):
            resources.append(_put(wacz, name, file, show))
        created = f"{day}T00:00:00Z"
        about = {"profile": "data-package", "wacz_version": "1.1.1", "title": portal.title, "created": created, "software": portal.program}
        package = orjson.dumps({**about, "resources": resources}, option=orjson.OPT_INDENT_2)
        digest = f"sha256:{sha256(package).hexdigest()}"
        signed = {"signedData": _signed(digest, key, created, portal.program)} if key is not None else {}
        package_digest = orjson.dumps({"path": "datapackage.json", "hash": digest, **signed})
        wacz.writestr(zip_member("datapackage.json", ZIP_STORED), package)
        wacz.writestr(zip_member("datapackage-digest.json", ZIP_STORED), package_digest)


def _put(wacz: ZipFile, name: str, file: BinaryIO, show: Callable[[str], None]) -> dict[str, Any]:
    """Store a file as it is, so that a reader can ask for a range of it; gives what datapackage.json tells of it."""
    member, digest = zip_member(name, ZIP_STORED), sha256()
    member.file_size = file.seek(0, io.SEEK_END)
    file.seek(0)
    with wacz.open(member, "w") as out:
        while piece := file.read(_PIECE):
            out.write(piece)
            digest.update(piece)
            show(name)
    return {"name": name.rpartition("/")[2].lower(), "path": name, "hash": f"sha256:{digest.hexdigest()}", "bytes": member.file_size}


def _signed(digest: str, key: Path, created: str, software: str) -> dict[str, str]:
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
    return {"hash": digest, "created": created, "software": software} | {name: b64encode(value).decode() for name, value in packed.items()}
