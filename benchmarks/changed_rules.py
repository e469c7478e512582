"""How many pages a build reads after an edit of the portal file, and how long it takes, beside a build of everything.

  python benchmarks/changed_rules.py [--articles 1000] [--before CHECKOUT [--rounds 2]]

Real pages of 60 to 100 KB, cycled, or those of the example portal. Each edit is made in a portal file by which all is built, and taken back
by a build that is not counted. `--before`: another checkout of the program, which makes the first build and its database, too.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson
from heavy_pages import PORTAL, make_corpus, pages_at_hand, said_of, write_warc
from processes import run
from results import Record, result_option, script_parser

ROOT = Path(__file__).resolve().parents[1]
_CLASS = re.compile(rb'class="([a-z][a-z-]{3,30})"')
BASE = (
    PORTAL.replace("  root: [article, main, body]\n", "  tags: {decompose: [div.none-of-them]}\n") + "metadata: {author: .none-of-them}\n"
)
MOST_OF_FIRST_BUILD, MOST_OF_DATABASE = 1.03, 1.12


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the portal file."""

    name: str
    old: str = ""
    new: str = ""
    flags: tuple[str, ...] = ()


def edits(rare: str, common: str) -> Iterable[Edit]:
    """The edits, by a class of one page and by one of many."""
    tags = "decompose: [div.none-of-them"
    yield Edit("a rule for the tag of one page", tags, f"{tags}, .{rare}")
    yield Edit("a rule for a tag of many pages", tags, f"{tags}, .{common}")
    yield Edit("an author by a class of one page", "author: .none-of-them", f"author: [.none-of-them, .{rare}]")
    yield Edit("an author by JSON-LD", "author: .none-of-them", "author: [.none-of-them, {jsonld: author.name}]")
    yield Edit("a layout", "metadata:", f"layouts: [{{name: old, when: .{rare}, metadata: {{headline: h1}}}}]\nmetadata:")
    yield Edit("a preset", "title: Bench", "title: Bench\nextends: wordpress")
    yield Edit("another template", flags=("--template", "project"))
    yield Edit("the name of the portal", "title: Bench", "title: Bench 2")


class Builds:
    """A corpus, and builds of it in processes of their own."""

    def __init__(self, folder: Path, portal: Path) -> None:
        self.folder, self.portal = folder, portal
        self.database = folder / "corpus" / "build.sqlite"

    def build(self, rules: str, *flags: str, checkout: Path = ROOT) -> tuple[float, dict[str, int]]:
        """CPU seconds of a build, and what it tells."""
        self.portal.write_text(rules, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "webarticlecurator",
            "build",
            self.portal,
            "--corpus",
            self.folder / "corpus",
            "--jobs",
            "1",
            "--json",
        ]
        cost = run([*command, *flags], env={"PYTHONPATH": str(checkout)}, cwd=checkout, codes=(0, 1, 5))
        return cost.cpu, orjson.loads(cost.output)

    def first(self, checkout: Path) -> tuple[float, int]:
        """CPU seconds of a first build, and how many bytes its database has."""
        shutil.rmtree(self.folder / "corpus" / "tei", ignore_errors=True)
        for file in self.folder.glob("corpus/build.sqlite*"):
            file.unlink()
        seconds, _ = self.build(BASE, checkout=checkout)
        return seconds, self.database.stat().st_size


def classes_of(pages: list[bytes]) -> tuple[str, str]:
    """A class that stands on one page, and one that stands on many."""
    on_pages = Counter(name for page in pages for name in set(_CLASS.findall(page)))
    rare = min(name for name, number in on_pages.items() if number == 1)
    return rare.decode(), on_pages.most_common(1)[0][0].decode()


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--articles", type=int, default=1000, help="of the corpus (default 1000)")
    parser.add_argument("--rounds", type=int, default=2, help="of first builds beside that checkout (default 2)")
    parser.add_argument("--before", type=Path, help="a checkout of the program as it was before")
    asked = result_option(parser).parse_args()
    record = Record(
        "A build after an edit of the portal file",
        "Pages that no changed rule can touch are not read: which names occur on a page is kept in build.sqlite.",
    )
    pages, what = pages_at_hand(record)
    rare, common = classes_of(pages)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_warc(folder / "pages.warc.gz", pages, asked.articles)
        builds = Builds(folder, make_corpus(folder, folder / "pages.warc.gz", BASE))
        if asked.before is not None:
            times = [(builds.first(asked.before), builds.first(ROOT)) for _ in range(asked.rounds)]
            before, now = (min(time[side][0] for time in times) for side in (0, 1))
            record.figure("CPU of a first build beside that of the checkout before", now / before, "times", at_most=MOST_OF_FIRST_BUILD)
            sizes = times[-1][1][1] / times[-1][0][1]
            record.figure("size of build.sqlite beside that of the checkout before", sizes, "times", at_most=MOST_OF_DATABASE)
        whole, _ = builds.first(ROOT)
        rows = []
        for edit in edits(rare, common):
            seconds, told = builds.build(BASE.replace(edit.old, edit.new) if edit.old else BASE, *edit.flags)
            rows.append((edit.name, told["articles"] - told["unchanged"] - told["untouched"], seconds, seconds / whole))
            builds.build(BASE)
        nothing, _ = builds.build(BASE)
        rows.append(("nothing", 0, nothing, nothing / whole))
        about = f"{asked.articles:,} articles: {said_of(pages, what)}. A first build takes {whole:.1f} s."
        record.table("After an edit", ("edit", "pages read", "CPU seconds", "of a first build"), rows, about)
        record.figure("share of a first build after a rule for the tag of one page", rows[0][3])
    record.end(asked.result)


if __name__ == "__main__":
    main()
