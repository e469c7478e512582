"""A disk gives back other bytes than it was given: in any file of a corpus, under any command that reads or writes one.

No command may end as a fault of the program; no article may be lost, or be told with other words, that lay in no damaged file.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

from crawling import Crawling, crawling

from soak import commands
from soak.cases import Case, Limits, Outcome
from soak.facts import files_of

_ARTICLES = 12
_SECTOR = 512
_MOST_BYTES = 50
_MEND_EACH = 10
"""After so many disturbances a person does what the sentences say, and the corpus must be whole again."""
_CODES = range(6)
"""With which a command may end; 70 is a fault of the program."""

Damage = Callable[[Path, Random], None]


def flip(file: Path, chance: Random) -> None:
    """Give some bytes other values."""
    content = bytearray(file.read_bytes())
    for _ in range(chance.randint(1, _MOST_BYTES) if chance.random() < 0.7 else 1):
        content[chance.randrange(len(content))] ^= chance.randint(1, 255)
    file.write_bytes(content)


def zero(file: Path, chance: Random) -> None:
    """Make one to four sectors zeros."""
    content = bytearray(file.read_bytes())
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(content)) // _SECTOR * _SECTOR
        length = len(content[start : start + _SECTOR])
        content[start : start + length] = bytes(length)
    file.write_bytes(content)


def cut(file: Path, chance: Random) -> None:
    os.truncate(file, chance.randrange(file.stat().st_size))


def lengthen(file: Path, chance: Random) -> None:
    """Let garbage, zeros, or the file once more follow."""
    content = file.read_bytes()
    more = chance.choice([chance.randbytes(chance.randint(1, 5_000)), bytes(4096), content])
    file.write_bytes(content + more)


def empty(file: Path, _: Random) -> None:
    os.truncate(file, 0)


def swap(file: Path, chance: Random) -> None:
    """Exchange it with another file of its folder."""
    others = [other for other in sorted(file.parent.iterdir()) if other.is_file() and other != file]
    if others:
        other = chance.choice(others)
        draft = file.with_name(f"{file.name}.swapped")
        file.rename(draft)
        other.rename(file)
        draft.rename(other)


_DAMAGES: tuple[tuple[Damage, int], ...] = ((flip, 12), (zero, 3), (cut, 2), (lengthen, 2), (empty, 1), (swap, 1))
"""Each with how often it comes among the others."""

_COMMANDS = """
    status PORTAL --corpus CORPUS
    status PORTAL --corpus CORPUS --json
    build PORTAL --corpus CORPUS --jobs 1
    build PORTAL --corpus CORPUS --jobs 1 --all
    build PORTAL --corpus CORPUS --jobs 1 --compare
    crawl PORTAL --corpus CORPUS
    crawl PORTAL --corpus CORPUS --offline
    crawl PORTAL --corpus CORPUS --dry-run
    crawl PORTAL --corpus CORPUS --recheck 30d
    export PORTAL --corpus CORPUS --to jsonl -o OUT/a.jsonl
    export PORTAL --corpus CORPUS --to jsonl -o OUT/a.jsonl
    export PORTAL --corpus CORPUS --to csv -o OUT/a.csv --jobs 1
    export PORTAL --corpus CORPUS --to text -o OUT/texts/
    export PORTAL --corpus CORPUS --to vertical -o OUT/a.vert --jobs 1
    export PORTAL --corpus CORPUS --to teicorpus -o OUT/a.xml
    export PORTAL --corpus CORPUS --to sqlite -o OUT/a.sqlite --jobs 1
    report PORTAL --corpus CORPUS -o OUT/report.html
    stats PORTAL --corpus CORPUS --json
    audit PORTAL --corpus CORPUS --json
    audit PORTAL --corpus CORPUS --archive
    watch PORTAL --corpus CORPUS
    tags PORTAL --corpus CORPUS --jobs 1 --json
    learn PORTAL --corpus CORPUS --json
    coverage PORTAL --corpus CORPUS --cdx CDX -o OUT/coverage.html
    open PORTAL --corpus CORPUS -o OUT/page.html
    open PORTAL URL --corpus CORPUS -o OUT/page.html
    try PORTAL URL --corpus CORPUS --json
    release PORTAL --corpus CORPUS -o OUT/release
    release PORTAL --corpus CORPUS -o OUT/release --level texts
    warc check CORPUS
    warc list CORPUS
    warc cat CORPUS URL
    warc sample CORPUS --urls URLS -o OUT/sample.warc.gz
    warc index PORTAL --corpus CORPUS
    warc push PORTAL --corpus CORPUS --to OUT/pushed
"""
COMMANDS = tuple(line.split() for line in _COMMANDS.strip().splitlines())

_KINDS = {
    "ledger": ("ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"),
    "WARC files": ("warc/*",),
    "build database": ("build.sqlite",),
    "documents": ("tei/**/*.xml",),
    "other files": ("analysis.sqlite", "*.json", "*.jsonl", "*.lock", "schema/**/*", "reports/*", "audit/*", "coverage/*"),
}


class _Ground:
    """A portal that runs, corpora of it to be damaged, and what they hold."""

    def __init__(self, site: Crawling, folder: Path) -> None:
        self.site, self.folder = site, folder
        self.corpora = [self._whole(), self._cut_off()]
        self.texts = [self.texts_of(corpus) for corpus in self.corpora]
        self.url = sorted(self.texts[0])[0]
        self.urls = folder / "wanted.txt"
        self.urls.write_text(f"{self.url}\n", "utf-8")
        self.cdx = folder / "index.cdxj"
        self.cdx.write_text(f'example,pelda)/ 20240501120000 {{"url": "{self.url}", "status": "200", "mime": "text/html"}}\n', "utf-8")

    def _whole(self) -> Path:
        self.run(self.folder / "first", *self.site.command()[3:])
        for name in ("build", "watch", "stats", "report"):
            self.run(self.folder / "first", name, self.site.file, "--corpus", self.site.corpus)
        return self.site.corpus

    def _cut_off(self) -> Path:
        """A corpus whose last crawl and build were killed, so that files are open and the databases have logs."""
        there = shutil.copytree(self.site.corpus, self.folder / "cut-off")
        words = [str(there) if word == str(self.site.corpus) else word for word in self.site.command("--recheck", "30d")[3:]]
        for _ in range(20):
            running = commands.start(self.folder / "cut", *words)
            running.kill_after(0.3)
            if [*there.glob("warc/*.open")] and (there / "ledger.sqlite-wal").exists():
                return there
        return there

    def run(self, folder: Path, *words: object) -> tuple[int, str, list[str]]:
        """Its exit code, all that it said, and what it should not have said."""
        running = commands.start(folder, *words)
        code = running.end()
        return code, running.said.read_text("utf-8", "replace"), running.bad_signs

    def texts_of(self, corpus: Path) -> dict[str, object]:
        """Address of each built article -> what an export says of it."""
        there = self.folder / "texts"
        shutil.rmtree(there, ignore_errors=True)
        code, said, _ = self.run(there, "export", self.site.file, "--corpus", corpus, "--to", "jsonl", "-o", there / "a.jsonl")
        if not (there / "a.jsonl").exists():
            raise RuntimeError(f"a corpus cannot be exported ({code}): {said[-500:]}")
        return _texts(there / "a.jsonl")

    def words(self, command: list[str], corpus: Path, out: Path) -> list[str]:
        known: dict[str, object] = {"PORTAL": self.site.file, "CORPUS": corpus, "URL": self.url, "URLS": self.urls, "CDX": self.cdx}
        return [str(known.get(word, word)).replace("OUT/", f"{out}/") for word in command]


def _texts(lines: Path) -> dict[str, object]:
    rows = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    return {row["url"]: [row.get("metadata"), row.get("text"), row.get("blocks")] for row in rows}


@contextmanager
def _ground(folder: Path) -> Iterator[_Ground]:
    with crawling(folder, articles=_ARTICLES, page_size=4, columns=("belfold", "english", "forum")) as site:
        yield _Ground(site, folder)


def damaged(kind: str, folder: Path, limits: Limits) -> Outcome:
    """One damage, one command; now and then all is mended as a person would."""
    found, chance = Outcome(), Random(f"{kind} {time.time_ns() if limits.times > 1000 else 1}")
    with _ground(folder) as ground:
        for number in limits.numbers():
            which = int(chance.random() < 0.3)
            there = folder / "there"
            corpus = shutil.copytree(ground.corpora[which], there / "corpus")
            (there / "out").mkdir()
            files = [file for pattern in _KINDS[kind] for file in sorted(corpus.glob(pattern)) if file.is_file() and file.stat().st_size]
            file = chance.choice(files)
            damage = chance.choices([each for each, _ in _DAMAGES], [often for _, often in _DAMAGES])[0]
            damage(file, chance)
            command = chance.choice(COMMANDS)
            before = files_of(corpus / "tei")
            code, said, bad_signs = ground.run(there, *ground.words(command, corpus, there / "out"))
            faults = [*bad_signs, *([f"exit code {code}"] if code not in _CODES else [])]
            faults += _without_remedy(code, said, _names_of_damaged(damage, file))
            faults += _wrong_texts(there / "out" / "a.jsonl", ground.texts[which])
            faults += _lost_documents(kind, file, corpus, before)
            if not faults and number % _MEND_EACH == 0:
                faults += _mended(ground, kind, file, corpus, ground.texts[which])
            if faults:
                case = f"{number}: {damage.__name__} in {file.relative_to(corpus)}, then `{' '.join(command)}` (code {code})"
                found.broken += [f"{case}: {fault[:300]} | {said[-400:]!r}" for fault in faults[:3]]
                _keep(there, number)
            found.times += 1
            shutil.rmtree(there)
    return found


def _keep(there: Path, number: int) -> None:
    """Where SOAK_KEEP names a folder, the corpus stays there to be looked at."""
    if kept := os.environ.get("SOAK_KEEP"):
        shutil.copytree(there, Path(kept) / f"{there.parent.name}-{number}", dirs_exist_ok=True)


def _names_of_damaged(damage: Damage, file: Path) -> list[str]:
    """Return the name of the file; where it was exchanged with another one of its folder, either may be told."""
    return [other.name for other in file.parent.iterdir()] if damage is swap else [file.name]


def _without_remedy(code: int, said: str, names: list[str]) -> list[str]:
    """A command that ends because of a file names it, and a command that mends."""
    is_told = ("curator " in said or "Delete " in said) and any(name in said for name in names)
    return [] if code != 2 or is_told else [f"{names[0]} is not named, or no remedy"]


def _wrong_texts(lines: Path, whole: Mapping[str, object]) -> list[str]:
    if not lines.exists():
        return []
    return [f"another text of {url}" for url, text in _texts(lines).items() if whole.get(url) != text]


def _lost_documents(kind: str, file: Path, corpus: Path, before: Mapping[str, str]) -> list[str]:
    """Documents that were whole before, and are gone now or have other words."""
    after = files_of(corpus / "tei")
    own = file.relative_to(corpus / "tei").as_posix() if kind == "documents" else ""
    others = before.keys() - {own}
    lost = [f"the document {name} is gone" for name in sorted(others - after.keys())]
    return lost + [f"the document {name} is another" for name in sorted(others & after.keys()) if after[name] != before[name]]


def _mended(ground: _Ground, kind: str, file: Path, corpus: Path, whole: Mapping[str, object]) -> list[str]:
    """What is wrong with a corpus of which the ledger was made again, and all was built."""
    if kind == "WARC files":
        return []
    if kind == "build database":
        file.unlink(missing_ok=True)
    there = corpus.parent
    index = ground.run(there, "warc", "index", ground.site.file, "--corpus", corpus)
    build = ground.run(there, "build", ground.site.file, "--corpus", corpus, "--jobs", 1)
    faults = [f"mending ended with {code}: {said[-300:]}" for code, said, _ in (index, build) if code not in (0, 1)]
    if faults:
        return faults
    texts = ground.texts_of(corpus)
    return [f"after mending {url} is not the same" for url in whole if texts.get(url) != whole[url]]


_HAPPENS = "a sentence names the file and what mends it, or nothing comes of it; no other article is lost, none has other words"
CASES = [
    Case(
        kind="flips", name=kind, run=partial(damaged, kind), times=4_000, short=8, happens=_HAPPENS,
        done="bytes are flipped, sectors zeroed, the file is cut, lengthened, emptied or exchanged, and any command is run",
    )
    for kind in _KINDS
]  # fmt: skip
