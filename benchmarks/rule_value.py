"""What each mechanism of the reader is worth: every page is read as it is, and once more without each of them in turn.

    python benchmarks/rule_value.py [--only NAME ...] [--sets wcxb,sites] [--every 1] [--times 60] [--keep FILE]

The mechanisms are the table of `reader_rules.py`; `--only` takes those whose names begin so. Pages are read without a portal file: those
of the truth sets, recorded archive pages (where it is only known whether they are listings), and theme-true sites of which everything is
known (`examples/sites`). While a page is read as it is, it is noticed which mechanisms do anything there; the others are not tried on it,
but on every 60th page (`--times`; 0: on none), where all are, and where their time is measured. That takes a machine with nothing else to
do: a time is told only where it is more than twice its standard error.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import pickle
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from reader_rules import RULES, Rule, switched_off, watched
from reader_tools import bare_portal, plain, told_by
from results import Cell, Record, result_option, script_parser
from truths import DATA, NOT_HERE, ROOT, WCXB, WITH_CAPTIONS, body_of, capture_of, metas, score_module

sys.path.insert(0, str(ROOT))

from learned_archives import captured, recorded

from examples.sites import RunningSite, Truth
from examples.sites.content import ZONES
from examples.sites.scores import Score, compare, words
from examples.sites.variations import variations
from webarticlecurator import Article, Capture, Outcome
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.example_portal.answers import Request
from webarticlecurator.extraction import article_reader as articles
from webarticlecurator.extraction.metadata import ReadMetadata, read_metadata
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.urls import bare_host, split

ARCHIVE, SITES = "archive pages", "sites"
SETS = ("fundus", "scrapinghub", "trafilatura", "cleanportaleval", WCXB, ARCHIVE, SITES)
SCORES = ("text", "title", "authors", "day", "topics", "kind", "posts")
"""Of a page, each from 0 to 1: the F1 of its text, authors and topics; whether title, day and kind (listing or not) are right; and the F1
of comments and posts, which are right with author, minute and all their words."""
BESIDE = frozenset(("pieces", "disagreements", "reason", "flags", "unknown_tags", "goes_on", "language_certainty"))
"""Fields of an article that tell of it, and are no part of it."""
FIELDS = tuple(one.name for one in fields(Article) if one.compare)
PAGES_OF_SITE = 4
ROUNDS = 3
"""Times that reading is measured, with and without each."""
NEXT_OF_ARTICLE = "next_article_page"
_TINY = 1e-9
"""What is added to a score is more than that."""
_FEWEST_MEASURED, _SURE = 10, 2
"""Pages on which a time is measured, and how many times its standard error it is, if it is told."""

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Task:
    """A page, and what is known of it."""

    name: str
    """Of its set."""
    meta: Any
    """What is known, as its set has it."""
    capture: Capture | None = None
    """None: it lies with its set."""
    timezone: str = "UTC"


@dataclass(slots=True)
class Reading:
    """Of one page, with and without the rules."""

    task: int
    scores: Scores
    fired: frozenset[str] = frozenset()
    changed: dict[str, tuple[frozenset[str], Scores]] = field(default_factory=dict)
    """By rule: the fields that are different without it, and the scores then."""
    failed: dict[str, str] = field(default_factory=dict)
    """By rule: with what reading ends without it."""
    seconds: dict[str, float] = field(default_factory=dict)
    """By rule: what it costs, where that was measured."""


# --- the pages ---


def tasks_of(name: str, data: Path) -> Iterator[Task]:
    if name == SITES:
        for variation in variations():
            site = RunningSite(variation)
            found = [Task(SITES, (variation, truth), capture, str(ZONES[variation.language])) for truth, capture in _captures(site)]
            site.close()
            yield from found[:: max(1, len(found) // PAGES_OF_SITE)][:PAGES_OF_SITE]
    elif name == ARCHIVE:
        cases = {case.capture.requested_url: case for case in recorded(data)}
        yield from (Task(ARCHIVE, case.kind != NEXT_OF_ARTICLE, case.capture) for case in cases.values())
    else:
        yield from (Task(name, meta) for meta in metas(data, name))


def _captures(site: RunningSite) -> Iterator[tuple[Truth, Capture]]:
    for truth in site.made.truths:
        answer = site.answer(Request(target=truth.url.removeprefix(site.root)))
        if answer is not None and answer.status == 200 and not split(truth.url).fragment:
            yield truth, captured(truth.url, answer)


# --- reading and scoring one page ---


class Reader:
    """Of one page."""

    def __init__(self, task: Task, data: Path) -> None:
        self._encoding: str | None = task.meta.get("encoding") if isinstance(task.meta, dict) else None
        self._capture = task.capture or capture_of(task.meta, body_of(data, task.name, task.meta))
        self._portal = bare_portal(bare_host(self._capture.url), self._encoding, task.timezone)
        self._page = read_page(self._capture, encoding=self._encoding)

    def metadata(self) -> ReadMetadata | str | None:
        """None: it is no page; a text: with what reading them ends."""
        try:
            return read_metadata(replace(self._page), self._portal, {}) if isinstance(self._page, Page) else None
        except Exception as error:
            return str(error)

    def read(self) -> Article:
        page, url = read_page(self._capture, encoding=self._encoding), self._capture.url
        if isinstance(page, NoPage):
            return Article(id="", url=url, identity=url, outcome=page.outcome, reason=page.reason)
        return articles.read_article([page], self._portal, id="", identity=url, url=url)


def scores_of(task: Task, article: Article | None, data: Path) -> Scores:
    """None: reading ended with an error, and nothing is right."""
    if task.name == SITES:
        variation, truth = task.meta
        return _of_site(variation.software, truth, article)
    is_listing = article is not None and article.outcome is Outcome.LISTING
    if task.name == ARCHIVE:
        return {"kind": float(article is not None and is_listing == task.meta)}
    told = {"text": ""} if article is None else json.loads(json.dumps(plain(told_by(article, task.name in WITH_CAPTIONS)), default=str))
    if task.name == WCXB:
        row = score_module(data / WCXB).score(task.meta, told)
        kind = float(article is not None and is_listing == (task.meta["type"] == "listing"))
        scores = {"text": row["f1"], "title": row["title"], "authors": row["author"], "day": row["day"], "kind": kind}
    else:
        module = score_module(data / "extraction")
        module.clean(told)
        row = module.SETS[task.name][0](task.meta["gold"], told)
        lists = {name: module.prf(*row[name])[2] for name in ("authors", "topics") if name in row}
        scores = {"text": row["key"], "title": row.get("title"), "day": row.get("date_day"), **lists}
    return {name: float(value) for name, value in scores.items() if value is not None}


def _of_site(software: str, truth: Truth, article: Article | None) -> Scores:
    scored = Score("")
    compare(scored, [replace(article, url=truth.url)] if article is not None else [], [truth])
    said = [one.text for one in truth.said] if software == "live-blog" or not truth.text else []
    told = told_by(article, True)["text"] if article is not None else ""
    given, meant = Counter(words(told)), Counter(words("\n".join((truth.text, *said))))
    day = article is not None and (article.date or "")[:10] == truth.date[:10]
    scores = {"text": 2 * (given & meant).total() / max(1, (given + meant).total()), "day": float(day)}
    names = {"title": "titles", "authors": "authors", "posts": "comments"}
    return scores | {name: scored.counts[key].f1 if article is not None else 0.0 for name, key in names.items()}


class Trial:
    """Of all rules, on one page after the other."""

    def __init__(self, tasks: Sequence[Task], rules: Sequence[Rule], data: Path, times: int) -> None:
        self.tasks = tasks
        self._rules, self._data, self._times = rules, data, times

    def reading_of(self, number: int) -> Reading:
        gc.disable()
        try:
            return self._reading(number, self.tasks[number], Reader(self.tasks[number], self._data))
        finally:
            gc.enable()
            gc.collect()

    def _reading(self, number: int, task: Task, reader: Reader) -> Reading:
        base, metadata = reader.read(), reader.metadata()
        with watched(self._rules) as fired:
            assert reader.read() == base, "a page is read the same each time"
        reading = Reading(number, scores_of(task, base, self._data), frozenset(fired))
        is_timed = self._times > 0 and number % self._times == 0
        for rule in self._rules:
            if not is_timed and rule.is_watched and rule.name not in reading.fired:
                continue
            with switched_off(rule):
                if is_timed or not rule.is_of_metadata or reader.metadata() != metadata:
                    self._try(rule.name, task, reader, base, reading)
            if is_timed and rule.name not in reading.failed:
                with_it = min(_timed(reader) for _ in range(ROUNDS))
                with switched_off(rule):
                    reading.seconds[rule.name] = with_it - min(_timed(reader) for _ in range(ROUNDS))
        return reading

    def _try(self, name: str, task: Task, reader: Reader, base: Article, reading: Reading) -> None:
        try:
            without = reader.read()
            differing = frozenset(one for one in FIELDS if getattr(without, one) != getattr(base, one))
        except Exception as error:  # what is switched off may be what another mechanism relies on
            reading.failed[name] = f"{type(error).__name__}: {error}"
            reading.changed[name] = frozenset(("outcome",)), scores_of(task, None, self._data)
            return
        if differing:
            reading.changed[name] = differing, reading.scores if differing <= BESIDE else scores_of(task, without, self._data)


def _timed(reader: Reader) -> float:
    begin = time.process_time()
    reader.read()
    return time.process_time() - begin


# --- what all pages together say ---


@dataclass(slots=True)
class Worth:
    """Of one rule."""

    rule: Rule
    fires: int = 0
    changed: int = 0
    beside: int = 0
    """Of these, pages whose article is the same but for what is told of it."""
    worse: int = 0
    """Without it."""
    better: int = 0
    gains: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By set and score: the sum over its pages of what it adds."""
    failures: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    """A page, where it was measured."""

    def add(self, name: str, differing: frozenset[str], base: Scores, scores: Scores) -> None:
        gains = {score: base[score] - scores.get(score, 0.0) for score in base}
        told = sum(gains.values())
        self.changed += 1
        self.beside += differing <= BESIDE
        self.worse += told > _TINY
        self.better += told < -_TINY
        for score, gain in gains.items():
            if abs(gain) > _TINY:
                self.gains[name][score] += gain  # type: ignore[assignment]

    def gain(self, score: str, name: str | None = None) -> float:
        sets = self.gains.values() if name is None else (self.gains[name],) if name in self.gains else ()
        return float(sum(gains[score] for gains in sets))

    @property
    def cost(self) -> float | None:
        """Seconds of 1,000 pages, where that is no chance."""
        if len(self.seconds) < _FEWEST_MEASURED:
            return None
        mean, error = statistics.fmean(self.seconds), statistics.stdev(self.seconds) / len(self.seconds) ** 0.5
        return 1000 * mean if abs(mean) > _SURE * error else None

    def value(self, name: str | None = None) -> float:
        return sum(self.gain(score, name) for score in SCORES)


HEADINGS = ("mechanism", "works on", "changes", "only beside", "worse without", "better without", *SCORES, "together", "s / 1,000 pages")


def worth_of(tasks: Sequence[Task], rules: Sequence[Rule], readings: Iterable[Reading]) -> list[Worth]:
    """Sorted by what they are worth."""
    found = {rule.name: Worth(rule) for rule in rules}
    for reading in readings:
        for name in reading.fired:
            found[name].fires += 1
        for name, (differing, scores) in reading.changed.items():
            found[name].add(tasks[reading.task].name, differing, reading.scores, scores)
        for name, failure in reading.failed.items():
            found[name].failures[failure] += 1
        for name, seconds in reading.seconds.items():
            found[name].seconds.append(seconds)
    return sorted(found.values(), key=lambda worth: (-worth.value(), -worth.changed, worth.rule.name))


def note(record: Record, tasks: Sequence[Task], readings: Sequence[Reading], worths: Sequence[Worth]) -> None:
    record.table("Scores with everything on, in the mean", ("set", "pages", *SCORES), list(_scores(tasks, readings)))
    rows = [(worth.rule.name, *_counts(worth), *_gains(worth), worth.cost) for worth in worths]
    record.table("What each mechanism is worth", HEADINGS, rows, _EXPLAINED)
    for name in SETS:
        moved = [worth for worth in worths if any(abs(gain) > _TINY for gain in worth.gains.get(name, {}).values())]
        moved.sort(key=lambda worth: -worth.value(name))
        record.table(f"{name}: what each adds", ("mechanism", *SCORES, "together"), [(one.rule.name, *_gains(one, name)) for one in moved])
    failures = [(one.rule.name, failure[:100], count) for one in worths for failure, count in one.failures.items()]
    record.table("Errors without a mechanism", ("mechanism", "error", "pages"), failures)


_EXPLAINED = (
    "A page is one that it works on if it does anything there (empty: that is not known), and one that it changes if any field of the "
    "article is another without it; beside it stand its account, disagreements, flags and the like. Scores are what it adds, summed over "
    "pages: 1 is one page that is wholly right instead of wholly wrong."
)


def _counts(worth: Worth) -> Iterator[Cell]:
    yield worth.fires if worth.rule.is_watched else None
    yield from (worth.changed, worth.beside, worth.worse, worth.better)


def _gains(worth: Worth, name: str | None = None) -> Iterator[Cell]:
    for gain in (*(worth.gain(score, name) for score in SCORES), worth.value(name)):
        yield round(gain, 4) if abs(gain) > _TINY else None


def _scores(tasks: Sequence[Task], readings: Iterable[Reading]) -> Iterator[Sequence[Cell]]:
    by_set: dict[str, list[Scores]] = defaultdict(list)
    for reading in readings:
        by_set[tasks[reading.task].name].append(reading.scores)
    by_set["all"] = [scores for every in list(by_set.values()) for scores in every]
    for name in (*SETS, "all"):
        told = {score: [scores[score] for scores in by_set[name] if score in scores] for score in SCORES}
        if by_set[name]:
            yield name, len(by_set[name]), *(sum(values) / len(values) if values else None for values in told.values())


# --- the run ---


TRIAL: Trial | None = None
"""Of this process, and of those that it forks."""


def _reading_of(number: int) -> Reading:
    assert TRIAL is not None
    return TRIAL.reading_of(number)


def read_all(trial: Trial, processes: int, keep: Path | None) -> Iterator[Reading]:
    global TRIAL
    TRIAL, begin = trial, time.monotonic()
    kept = {reading.task: reading for reading in _kept(keep)}
    yield from kept.values()
    left = [number for number in range(len(trial.tasks)) if number not in kept]
    with ExitStack() as stack:
        pool = stack.enter_context(multiprocessing.get_context("fork").Pool(processes, gc.freeze, maxtasksperchild=100))
        file = stack.enter_context(keep.open("ab")) if keep is not None else None
        for number, reading in enumerate(pool.imap_unordered(_reading_of, left), 1):
            if file is not None:
                pickle.dump(reading, file)
                file.flush()
            minutes = (time.monotonic() - begin) / 60
            to_go = minutes / number * (len(left) - number)
            if sys.stderr.isatty():
                print(
                    f"\r{number} of {len(left)} pages in {minutes:.1f} minutes, {to_go:.0f} to go   ", end="", file=sys.stderr, flush=True
                )
            yield reading
    print(file=sys.stderr)


def _kept(place: Path | None) -> Iterator[Reading]:
    """Of a run that was cut off; the last one may be half written."""
    if place is not None and place.exists():
        with place.open("rb") as file, suppress(EOFError, pickle.UnpicklingError):
            while True:
                yield pickle.load(file)


def chosen(only: Sequence[str]) -> list[Rule]:
    rules = [rule for rule in RULES if not only or rule.name.startswith(tuple(only))]
    if unknown := [name for name in only if not any(rule.name.startswith(name) for rule in rules)]:
        raise SystemExit(f"no mechanism has a name that begins with {', '.join(unknown)}")
    return rules


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="read every N-th page of each set alone")
    parser.add_argument("--times", type=int, default=60, metavar="N", help="measure what each costs on every N-th page")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="of a run that may be cut off: it goes on there, if nothing was changed")
    parser.add_argument("--data", type=Path, default=DATA)
    asked = result_option(parser).parse_args()
    rules = chosen(asked.only)
    record = Record(
        "What each mechanism of the reader is worth",
        f"{len(rules)} mechanisms of the reader are switched off in turn, and all pages are read without a portal file: those of truth "
        "sets of other projects, recorded archive pages, and theme-true sites. Told is how many articles are different then, and how "
        "much less of them is right.",
    )
    if asked.every > 1:
        record.leave_out(f"all pages but one in {asked.every} of each set")
    names = asked.sets.split(",")
    if not asked.data.is_dir():
        record.leave_out(f"all but theme-true sites, {NOT_HERE}")
        names = [SITES]
    tasks = [task for name in names for task in list(tasks_of(name, asked.data))[:: asked.every]]
    readings = list(read_all(Trial(tasks, rules, asked.data, asked.times), asked.processes, asked.keep))
    note(record, tasks, readings, worth_of(tasks, rules, readings))
    record.end(asked.result)


if __name__ == "__main__":
    main()
