"""The numbers of a corpus, and the report that draws them and names the command against each kind of problem.

The analysis of the corpus is brought up to date before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Event as Flag

from webarticlecurator.analysis.analyses import analyse
from webarticlecurator.building.build_options import rules_digest
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, corpus_of, crawled_corpus, write_whole
from webarticlecurator.counts.counting import Numbers, count
from webarticlecurator.databases import Row
from webarticlecurator.errors import CuratorError
from webarticlecurator.model.progress import Progress, Work
from webarticlecurator.settings import day_of_making
from webarticlecurator.tei.document import load_template
from webarticlecurator.warc.store import utc_now
from webarticlecurator.workers.pool import Workers


def numbers(
    portal: Portal | Path | str,
    *,
    corpus: Path | str | None = None,
    analysed: bool = True,
    called: str | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Numbers:
    """Return all numbers of a corpus, by name. What is missing (a build, an analysis, dates) is told in
    `lacks`, and the rest is counted.

    `analysed` brings the analysis (languages, duplicates) up to date first; `called` is how the commands that
    are suggested name the portal; `workers` analyse. Raises Stopped.

    >>> from webarticlecurator.stages.report import numbers
    >>> counted = numbers("portal.yaml")
    >>> counted["totals"][0].articles == sum(year.articles for year in counted["articles-by-year"])
    True
    """
    loaded = as_portal(portal)
    folder, work = crawled_corpus(loaded, corpus), Work(loaded.name, "statistics", progress, stop, unit="")
    no_analysis = "it was not asked for."
    if analysed:
        try:
            _, finished = analyse(folder, work, workers=(workers or Workers.asked_for()).telling(work))
            no_analysis = "" if finished else "it was interrupted."
        except (CuratorError, OSError) as error:
            no_analysis = str(error)
    if no_analysis:
        no_analysis = f"Identified languages and duplicates are not told: {no_analysis}"
    rules = rules_digest(loaded, load_template("default").digest)
    counted = count(loaded, folder, rules=rules, no_analysis=no_analysis, work=work)
    name = called or loaded.name
    counted["lacks"] = [
        Row(what=lack.what, why=lack.why, command=_STEPS[lack.step].format(portal=name))
        for lack in counted["lacks"]
    ]
    counted["problems"] = [
        Row(problem, command=_mending(problem.kind, name, problem.examples))
        for problem in counted["problems"]
    ]
    return counted


_CRAWL, _BUILD, _STATUS = (
    "curator crawl {portal}",
    "curator build {portal}",
    "curator status {portal} --verbose",
)
_TRY = "curator try {portal} {url}"
_STEPS = {"build": _BUILD, "status": "curator status {portal}", "": ""}
_COMMANDS = {
    **dict.fromkeys(
        ("lost", "page-damaged", "page-lost", "blocked", "open", "error", "missing-page"), _CRAWL
    ),
    **dict.fromkeys(("invalid", "unreadable", "consent", "empty", "conflict", "suspicious"), _TRY),
    "unbuilt": _BUILD,
    "correction": "curator fix {portal}",
    "drift": f"{_TRY} --as archive --fetch",
    "article-drift": "curator watch {portal}",
    "gap": "curator audit {portal} --archive",
}
"""Kind of problem -> what shows or mends it, where that is not all that is known of the corpus."""


def _mending(kind: str, portal: str, examples: Sequence[str]) -> str:
    """Return the command for a problem; nothing where it needs an address, and none is known."""
    command = _COMMANDS.get(kind, _STATUS)
    if not examples and "{url}" in command:
        return ""
    url = "".join(examples[:1]).replace("'", "%27")
    return command.replace("{portal}", portal).replace("{url}", f"'{url}'")


def place_of(corpus: Corpus) -> Path:
    """Return where the report of a corpus lies."""
    return corpus.folder / "reports" / "report.html"


def report(
    portal: Portal | Path | str,
    *,
    corpus: Path | str | None = None,
    output: Path | str | None = None,
    called: str | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Path:
    """The report of a corpus as one HTML file; where it was written. `called` is how the commands that it
    suggests name the portal.

    >>> from webarticlecurator.stages.report import report
    >>> report("portal.yaml").name
    'report.html'
    """
    from webarticlecurator.report.corpus_page import corpus_page

    loaded, day = (
        as_portal(portal),
        day_of_making(utc_now()),
    )  # before the work: the day may be written wrongly
    counted = numbers(loaded, corpus=corpus, called=called, workers=workers, progress=progress, stop=stop)
    place = Path(output) if output is not None else place_of(corpus_of(loaded, corpus))
    write_whole(place, corpus_page(counted, made_on=day))
    return place
