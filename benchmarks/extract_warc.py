"""How many pages of a WARC file `curator extract` reads a second, on one core and on two, and how much memory that takes.

  python benchmarks/extract_warc.py [--pages 5000] [--others 300]

Pages of 60 to 100 KB, cycled, to flat lines of JSON: title, authors, date, text. trafilatura does the same in a loop over a file with fewer
of the same pages. Memory is measured with a twentieth of the pages, too: it is not to grow with the file. Every program runs as a whole
process, start-up included; CPU is counted with that of the processes it starts.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from heavy_pages import pages_at_hand, said_of, write_warc
from processes import Cost, environment, run
from results import Record, result_option, script_parser

ROOT = Path(__file__).resolve().parents[1]
LEAST_BESIDE_TRAFILATURA = 2.0
MOST_GROWTH = 1.2
"""Memory with all pages, beside that with a twentieth of them."""
_TRAFILATURA = """
import sys
from trafilatura import extract
from warcio.archiveiterator import ArchiveIterator

for record in ArchiveIterator(open(sys.argv[1], "rb")):
    if record.rec_type == "response":
        html = record.content_stream().read()
        url = record.rec_headers.get_header("WARC-Target-URI")
        print(extract(html, url=url, output_format="json", with_metadata=True, include_comments=False))
"""


def extracted(warc: Path, folder: Path, jobs: int) -> Cost:
    """Run `curator extract` over a file."""
    lines = folder / "lines.jsonl"
    command = [sys.executable, "-m", "webarticlecurator", "extract", warc, "--to", "jsonl", "-o", lines, "--jobs", str(jobs), "--quiet"]
    cost = run(command, cwd=ROOT, codes=(0, 1))
    if lines.stat().st_size == 0:
        raise SystemExit("nothing was extracted")
    return cost


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--pages", type=int, default=5000, help="for ours (default 5000)")
    parser.add_argument("--others", type=int, default=300, help="for trafilatura (default 300)")
    asked = result_option(parser).parse_args()
    record = Record(
        "Single pages: from a WARC file to flat lines",
        "The same pages, again and again, read from one WARC file, each program as a whole process, start-up included.",
    )
    pages, kind = pages_at_hand(record)
    folder = Path(tempfile.mkdtemp(prefix="extract-warc-"))
    try:
        whole, part, few = (folder / f"{name}.warc.gz" for name in ("whole", "part", "few"))
        for path, number in ((whole, asked.pages), (part, max(1, asked.pages // 20)), (few, asked.others)):
            write_warc(path, pages, number)
        costs = {
            "one process": (asked.pages, extracted(whole, folder, 1)),
            "two processes": (asked.pages, extracted(whole, folder, 2)),
            "one process, a twentieth of the pages": (max(1, asked.pages // 20), extracted(part, folder, 1)),
        }
        readers = environment("readers", record)
        if readers is not None:
            costs["trafilatura"] = (asked.others, run([readers.python, "-c", _TRAFILATURA, few]))
            record.versions["trafilatura"] = readers.version("trafilatura")
    finally:
        shutil.rmtree(folder)
    rows = [(name, number, number / cost.wall, 1000 * cost.cpu / number, cost.memory) for name, (number, cost) in costs.items()]
    record.table("From WARC to flat lines", ("program", "pages", "pages a second", "CPU ms a page", "MB"), rows, said_of(pages, kind))
    cpu = {name: cost.cpu / number for name, (number, cost) in costs.items()}
    memory = {name: cost.memory for name, (_, cost) in costs.items()}
    if "trafilatura" in cpu:
        record.figure("CPU of trafilatura / ours", cpu["trafilatura"] / cpu["one process"], "times", at_least=LEAST_BESIDE_TRAFILATURA)
    growth = memory["one process"] / memory["one process, a twentieth of the pages"]
    record.figure("memory with all pages / with a twentieth", growth, "times", at_most=MOST_GROWTH)
    record.end(asked.result)


if __name__ == "__main__":
    main()
