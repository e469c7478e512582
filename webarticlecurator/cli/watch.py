"""`curator watch`: whether the articles still look as they did; what changed, since when, and what could be done."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.command import STDOUT, Call, command, option, output_option
from webarticlecurator.cli.process import ExitCode, first_of
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.model.proposals import Plain


@command()
def watch(
    call: Call,
    output: Annotated[Path | None, output_option("Write a page that shows the pages of each drift.")] = None,
    sample: Annotated[int, option("--sample", "Look at about N articles of all times, beside the newest.", "N", least=20)] = 400,
) -> ExitCode:
    """
    \b
    Examples:
      curator watch portal.yaml                        do the articles still look as they did?
      curator watch portal.yaml -o drift.html          the pages before and after side by side, for the browser
      curator watch portal.yaml --sample 2000          look more closely
      curator watch portal.yaml --json                 one JSON object, for programs

    Look at the built articles of PORTAL in the order of their dates, and at some of their stored pages: did the layout change, so that
    the rules lose text, keep what is not the article's, or find no metadata any more? What is told as a change goes on from some
    article to the newest ones; a single odd page is none. It names the first article and the pages around it, which -o shows side by
    side, and proposes an entry of `layouts`. Every build looks at the newest articles by itself. The exit code is 5 where the layout
    seems to have changed.
    """
    from webarticlecurator import corpus_watch
    from webarticlecurator.corpus.folder import write_whole

    if output == STDOUT:
        raise UsageError("What -o writes is a page for the browser: name its file, -o drift.html.")
    portal = call.portal
    with call.work() as (stop, progress):
        summary = corpus_watch.watch(portal, corpus=call.corpus, sample=sample, with_html=output is not None, progress=progress, stop=stop)
    if output is not None:
        from webarticlecurator.report.pages import page

        write_whole(output, page("drift.html", frames=True, summary=summary, entry=_entry).encode("utf-8", "replace"))
    code = first_of((ExitCode.DRIFT, summary.drifts), (ExitCode.INCOMPLETE, not summary.complete))
    value = asdict(summary)  # a layout is null where the base rules are meant
    for shown in (shown for drift in value["drifts"] for shown in drift["pages"]):
        del shown["html"]
        shown["blocks"] = [{"kept": kept, "text": text} for kept, text in shown["blocks"]]
    articles = f"{summary.articles:,} of {amount(summary.of_articles, 'article')} looked at, and the pages of {summary.pages:,}"
    count = len(summary.drifts)
    if not summary.complete:
        result = "interrupted, so nothing can be said"
    elif count:
        result = f"the layout seems to have changed {'once' if count == 1 else amount(count, 'time')}"
    else:
        result = "too few to say whether the layout has changed" if summary.too_few else "no sign that the layout has changed"
    lines = [f"{summary.portal}: {articles}: {result}"]
    for number, drift in enumerate(summary.drifts, start=1):
        where = f", layout {drift.layout}" if drift.layout else ""
        lines += ["", f"{number}. From {drift.day[:10] or 'an article without a date'} on{where}: {drift.url}", f"   {drift.headline}"]
        lines += [f"   - {sign}" for sign in drift.signs]
        lines += [f"   {page.role} ({page.day[:10] or 'no date'}, {amount(page.words, 'word')} kept): {page.url}" for page in drift.pages]
        if drift.proposal is None:
            lines.append(f"   No entry of `layouts` can be proposed: {drift.proposed_for}")
        else:
            lines.append(f"   An entry of `layouts`, {drift.proposed_for}:")
            lines += [f"     {line}" for line in _entry(drift.proposal).splitlines()]
    call.tell({"exit_code": int(code), **value}, lines)
    if output is not None:
        console.say(f"The pages are shown in {shlex.quote(str(output))}")
    call.next("watch", code, **({"url": summary.drifts[-1].url} if code is ExitCode.DRIFT else {}))
    return code


def _entry(proposal: Mapping[str, Plain]) -> str:
    import yaml

    entry: str = yaml.safe_dump([dict(proposal)], allow_unicode=True, sort_keys=False)
    return entry
