"""`curator fix`: values of single articles mended by hand, which every build heeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

from webarticlecurator.amounts import amount, part, those_that_hold
from webarticlecurator.cli import console
from webarticlecurator.cli.command import Call, StoredArticle, argument, command, option
from webarticlecurator.cli.process import ExitCode
from webarticlecurator.cli.tips import first_that_holds
from webarticlecurator.databases import Row
from webarticlecurator.errors import refuse

_NOT_APPLIED = ("changed", "gone")


@command()
def fix(
    call: Call,
    article: StoredArticle = None,
    changes: Annotated[
        tuple[str, ...],
        argument("CHANGE", "FIELD=VALUE, FIELD+=VALUE, FIELD-=VALUE; drop=SELECTOR, keep=SELECTOR."),
    ] = (),
    because: Annotated[str, option("--because", "Why.", "REASON")] = "",
    by: Annotated[
        str | None, option("--by", "Who mends it.  [default: the name that git knows, else $USER]", "NAME")
    ] = None,
    forget: Annotated[
        tuple[str, ...], option("--forget", "Take back what was mended of this field", "FIELD")
    ] = (),
) -> ExitCode:
    """
    \b
    Examples:
      curator fix portal.yaml URL title='The bridge is open' --because 'the page has the old one'
      curator fix portal.yaml URL author-='News desk' author+='Anna Kovacs' date=2021-05-10
      curator fix portal.yaml URL drop=aside.promo                 a part of the text of this one article goes
      curator fix portal.yaml URL --forget title                   take back what was mended
      curator fix portal.yaml                                      what there is, and does it hold?

    Mend values of one article. They are written into corrections.yaml beside PORTAL, with who, when and why;
    every build applies them after the rules. A field has Schema.org's name or its usual one (title, author,
    date). Where the rules give another value later than the one that was mended, the correction is not
    applied, and that is told: exit code 1.
    """
    from webarticlecurator.stages import fix as corpus_fix

    refuse(
        (
            article and not (changes or forget),
            "Say what is to be mended, such as title='The bridge is open'.",
        ),
    )
    if article is None:
        return _list(call)
    mended = corpus_fix.fix(
        call.portal,
        article,
        changes,
        corpus=call.corpus,
        by=by,
        because=because,
        forget=forget,
    )
    call.tell(mended, [line for correction in mended for line in _in_words(Row(asdict(correction)))])
    call.next("fix", "mended")
    return ExitCode.OK


def _list(call: Call) -> ExitCode:
    """Show all corrections of a portal, each with its state."""
    from webarticlecurator.stages import fix as corpus_fix

    rows = corpus_fix.corrections_with_states(call.portal, corpus=call.corpus)
    not_applied = [row for row in rows if row.state in _NOT_APPLIED]
    call.tell(rows, [line for row in rows for line in _in_words(row)])
    console.say(f"{amount(len(rows), 'value')} mended by hand, {len(not_applied):,} of them not applied")
    waits = any(row.state == "waiting" for row in rows)
    situations = {"none": not rows, "not applied": not_applied, "waiting": waits, "well": True}
    first = next(iter(not_applied), Row(article="", field=""))
    call.next("fix", first_that_holds(situations), url=first.article, field=first.field)
    return ExitCode.FAILURES if not_applied else ExitCode.OK


def _in_words(row: Row) -> Iterator[str]:
    from webarticlecurator.stages.fix import STATES

    yield f"{part('{}: ', STATES.get(row.get('state', '')))}{row.article}"
    yield f"  {row.field}: {_values(row.after)}"
    yield f"  by the rules: {_values(row.before)}"
    yield f"  {row.by}, {row.when[:10]}{part(': {}', row.because)}"
    yield from those_that_hold((row.get("why"), f"  {row.get('why')}"))


def _values(values: Sequence[str]) -> str:
    return " | ".join(values) or "nothing"
