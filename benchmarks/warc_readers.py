"""What becomes of stored bytes in warcio, and in our own reader and writer: header bytes, digests of chunked answers, cut files."""

from __future__ import annotations

import contextlib
import io
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

from webarticlecurator.http.message import parse_response
from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.warc.digests import covers
from webarticlecurator.warc.records import Damage, read_records
from webarticlecurator.warc.store import Series, WarcStore
from webarticlecurator.warc.warcinfo import WarcInfo
from webarticlecurator.warc.writer import StoreEntry

HEADERS = (
    *("Server: nginx", "Server:nginx", "Server:  nginx", "Server: nginx "),
    *("X-Title: \xe1rv\xedz", "Set-Cookie: a=1;\r\n b=2", "X-Empty:", "no colon"),
)
"""Header lines as servers send them."""
PAGES = 20


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        answers = [b"HTTP/1.1 200 OK\r\n%s\r\nContent-Length: 2\r\n\r\nhi" % line.encode("latin-1") for line in HEADERS]
        chunked = [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n%02d\r\n0\r\n\r\n" % number for number in range(PAGES)]
        path = _stored(folder, answers + chunked)
        rewritten = _rewritten(path, folder / "rewritten.warc.gz")
        plain = _stored(folder / "plain", [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"])
        cuts, told, noticed = _cuts(plain, folder / "cut.warc.gz")
        rows = (
            ("", "curator", "warcio"),
            (f"heads of answers that are as received, of {len(answers)}", _kept(path, answers), _kept(rewritten, answers)),
            (f"digests of the payload without chunks, of {PAGES}", _payload_digests(path), _payload_digests(rewritten)),
            (f"cuts in the last record that are noticed, of {cuts}", told, noticed),
        )
        for what, ours, theirs in rows:
            print(f"{what:52} {ours:>8} {theirs:>8}")


def _stored(folder: Path, answers: list[bytes]) -> Path:
    store = WarcStore(folder / "warc", "pelda", info=WarcInfo(portal="pelda", software="webarticlecurator"), sync=lambda _: None)
    for number, answer in enumerate(answers):
        http = parse_response(answer)
        assert http is not None
        url = f"https://pelda.example/{number}"
        exchange = Exchange(
            request=Request(url=url), request_bytes=b"", response_bytes=answer, status=200, headers=http.headers, entity=http.entity,
            started=datetime.now(UTC), duration_ms=1,
        )  # fmt: skip
        store.append(Series.ARTICLES, [StoreEntry(event={"outcome": "fetched"}, target=url, exchange=exchange)])
    store.close()
    return next((folder / "warc").iterdir())


def _rewritten(path: Path, out: Path) -> Path:
    """The file as warcio copies it; digests are left to it."""
    with path.open("rb") as source, out.open("wb") as target:
        writer = WARCWriter(target, gzip=True)
        for record in ArchiveIterator(source):
            for name in ("WARC-Payload-Digest", "WARC-Block-Digest"):
                record.rec_headers.remove_header(name)
            writer.write_record(record)
    return out


def _kept(path: Path, wanted: list[bytes]) -> int:
    blocks = {record.block for record in read_records(path) if record.type == "response"}
    return sum(block in blocks for block in wanted)


def _payload_digests(path: Path) -> int:
    agreed = 0
    for record in read_records(path):
        http = parse_response(record.block) if record.type == "response" and b"chunked" in record.block else None
        agreed += http is not None and bool(covers(record.field("WARC-Payload-Digest") or "", http.entity))
    return agreed


def _cuts(path: Path, out: Path) -> tuple[int, int, int]:
    """At how many places the last record was cut, and how often each reader noticed."""
    content = path.read_bytes()
    last = max(record.offset for record in read_records(path))
    told = noticed = 0
    for end in range(last + 1, len(content)):
        out.write_bytes(content[:end])
        damages: list[Damage] = []
        for _ in read_records(out, on_damage=damages.append):
            pass
        told += bool(damages)
        noticed += _warcio_notices(out)
    return len(content) - last - 1, told, noticed


def _warcio_notices(path: Path) -> bool:
    with path.open("rb") as file, contextlib.redirect_stderr(io.StringIO()):
        records = ArchiveIterator(file, check_digests=True)
        try:
            for record in records:
                record.content_stream().read()
                if record.digest_checker.passed is False:
                    return True
        except Exception:  # whatever it is, it was noticed
            return True
        return records.err_count > 0


if __name__ == "__main__":
    main()
