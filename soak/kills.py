"""Commands killed at random moments, again and again, and at last left to end: the same as if nothing had happened."""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from crawling import WITHOUT_CALENDAR, Crawling, crawling
from ledgers import differences, tables

from soak import commands
from soak.cases import Case, Limits, Outcome
from soak.facts import compared, compared_files, facts_of, files_of

AT_ONCE, _SHORT = 10, 4
"""Kills of one corpus before it is left to end; in the short form."""
_ARTICLES = 40


def crawl(folder: Path, limits: Limits) -> Outcome:
    """Killed between any two bytes that it sends, stores or notes."""
    found, chance = Outcome(), Random(1)
    with crawling(folder, articles=_ARTICLES, page_size=3, columns=WITHOUT_CALENDAR) as site:
        usual = commands.seconds_of(folder, *_words(site))
        whole = facts_of(site.corpus)
        for number in limits.numbers():
            there = Crawling(site.portal, _new(folder, number), columns=site.columns)
            killed, last = commands.killed_until_done(there.folder, chance, usual, _kills(limits), *_words(there))
            found.times += killed
            found.add(compared(facts_of(there.corpus), whole))
            found.broken += [f"exit code {code}" for code in (last.end(),) if code] + last.bad_signs
            found.broken += [f"{path.name} is left open" for path in there.warcs if path.name.endswith(".open")]
            found.broken += _wrong_files(there) + _other_ledger(there)
            shutil.rmtree(there.folder)
    return found


def _kills(limits: Limits) -> int:
    return AT_ONCE if limits.times > 1 else _SHORT


def _words(site: Crawling) -> list[str]:
    return site.command("--quiet")[3:]


def _wrong_files(site: Crawling) -> list[str]:
    checked = commands.start(site.folder / "check", "warc", "check", site.corpus)
    return [] if checked.end() == 0 else checked.said.read_text("utf-8").splitlines()[:5]


def _other_ledger(site: Crawling) -> list[str]:
    """What another ledger says, made again from the WARC files alone."""
    kept = site.folder / "kept.sqlite"
    (site.corpus / "ledger.sqlite").rename(kept)
    commands.start(site.folder / "index", "warc", "index", site.file, "--corpus", site.corpus).end()
    return differences(kept, site.corpus / "ledger.sqlite")[:5]


# --- commands that work on what is stored ---


@cache
def stored() -> tuple[Path, Path]:
    """A portal file and its corpus, which is complete, and from which all else is made; whoever changes it takes a copy."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with crawling(folder, articles=_ARTICLES, page_size=3, columns=("belfold", "english", "regi", "forum")) as site:
        commands.seconds_of(folder, *_words(site))
        return site.file, site.corpus


@cache
def stored_and_built() -> tuple[Path, Path]:
    """The same with documents."""
    file, corpus = stored()
    built = shutil.copytree(corpus, corpus.with_name("built"))
    commands.seconds_of(file.parent, "build", file, "--corpus", built, "--jobs", 1)
    return file, built


def _new(folder: Path, number: int) -> Path:
    there = folder / f"{number}"
    there.mkdir()
    return there


def _killed(
    folder: Path,
    limits: Limits,
    words: Callable[[Path, Path], list[object]],
    result: Callable[[Path], dict[str, str]],
    *,
    built: bool = False,
    prepare: Callable[[Path], None] | None = None,
) -> Outcome:
    """A command on copies of a corpus, killed and at last left to end, beside one that was not."""
    found, chance = Outcome(), Random(2)
    file, original = stored_and_built() if built else stored()

    def again(number: int) -> Path:
        there = _new(folder, number)
        shutil.copytree(original, there / "corpus")
        shutil.copy(file, there)
        if prepare is not None:
            prepare(there)
        return there

    undisturbed = again(-1)
    usual = commands.seconds_of(undisturbed, *words(undisturbed / "portal.yaml", undisturbed / "corpus"))
    whole = result(undisturbed)
    for number in limits.numbers():
        there = again(number)
        killed, last = commands.killed_until_done(there, chance, usual, _kills(limits), *words(there / "portal.yaml", there / "corpus"))
        found.times += killed
        found.broken += last.bad_signs
        found.add(compared_files(result(there), whole))
        shutil.rmtree(there)
    return found


def _database(path: Path, *without: str) -> str:
    """All that a database says, but the moments at which it was said; doubts tell theirs behind each."""
    rows = tables(path)
    for row in rows.get("meta", ()):
        row["value"] = re.sub(r',"[\d:T.+-]+Z?"\]', "]", row["value"]) if row["name"].endswith("doubts") else row["value"]
    return repr({name: [{key: value for key, value in row.items() if key not in without} for row in rows[name]] for name in rows})


def built_files(there: Path) -> dict[str, str]:
    return files_of(there / "corpus" / "tei") | {"build.sqlite": _database(there / "corpus" / "build.sqlite", "since", "at")}


def _exported(there: Path) -> dict[str, str]:
    """Without the hidden drafts of those that were killed, and the account of when it was made."""
    return {name: digest for name, digest in files_of(there / "out").items() if not name.startswith(".") and "manifest" not in name}


def _indexed(there: Path) -> dict[str, str]:
    return {"ledger.sqlite": _database(there / "corpus" / "ledger.sqlite")}


def _learned(there: Path) -> dict[str, str]:
    return {"portal.yaml": (there / "portal.yaml").read_text("utf-8")}


def _without_rules(there: Path) -> None:
    """A portal file from which something is to be learnt."""
    file = there / "portal.yaml"
    kept = [block for block in file.read_text("utf-8").split("\n\n") if not block.lstrip().startswith(("body:", "metadata:", "posts:"))]
    file.write_text("\n\n".join(kept), "utf-8")


def build(folder: Path, limits: Limits) -> Outcome:
    return _killed(folder, limits, lambda file, corpus: ["build", file, "--corpus", corpus, "--jobs", 1], built_files)


def build_with_workers(folder: Path, limits: Limits) -> Outcome:
    return _killed(folder, limits, lambda file, corpus: ["build", file, "--corpus", corpus, "--jobs", 2], built_files)


def export(folder: Path, limits: Limits) -> Outcome:
    found = Outcome()
    for number, (kind, name) in enumerate((("jsonl", "a.jsonl.gz"), ("text", "texts/"), ("vertical", "a.vert"), ("csv", "a.csv"))):
        (folder / kind).mkdir()

        def words(file: Path, corpus: Path, kind: str = kind, name: str = name) -> list[object]:
            return ["export", file, "--corpus", corpus, "--to", kind, "-o", f"{corpus.parent}/out/{name}"]

        each = Limits(max(1, limits.times // 4), limits.until)
        found.add(_killed(folder / kind, each, words, _exported, built=True, prepare=lambda there: (there / "out").mkdir()))
        if number + 1 >= limits.times:
            break
    return found


def index(folder: Path, limits: Limits) -> Outcome:
    return _killed(folder, limits, lambda file, corpus: ["warc", "index", file, "--corpus", corpus], _indexed)


def learn(folder: Path, limits: Limits) -> Outcome:
    return _killed(
        folder, limits, lambda file, corpus: ["learn", file, "--corpus", corpus, "--write"], _learned, prepare=_without_rules
    )  # fmt: skip


_KILLED = "killed (SIGKILL) at a random moment, again and again, then left to end"
CASES = [
    Case(
        kind="kills", name="a crawl", done=_KILLED, run=crawl, times=25, short=1,
        happens="the next run goes on: every article is stored once, every end is proved, and the ledger made again from the WARC files"
        " is the same",
    ),
    Case(
        kind="kills", name="a build", done=_KILLED, run=build, times=10, short=1,
        happens="the next run makes what is missing; documents and build database are those of an undisturbed run",
    ),
    Case(
        kind="kills", name="a build by two processes", done=_KILLED, run=build_with_workers, times=10, short=0,
        happens="the same; the processes that worked for it end by themselves",
    ),
    Case(
        kind="kills", name="an export", done=_KILLED, run=export, times=10, short=1,
        happens="there is no output until it is whole; the next run writes it; the hidden draft goes with an export of another day",
    ),
    Case(
        kind="kills", name="making the ledger again", done=_KILLED, run=index, times=8, short=1,
        happens="the old ledger stays until the new one is whole",
    ),
    Case(
        kind="kills", name="learning rules", done=_KILLED, run=learn, times=7, short=0,
        happens="the portal file is the old one or the new one, never a part of it; a hidden draft may stay beside it",
    ),
]  # fmt: skip
