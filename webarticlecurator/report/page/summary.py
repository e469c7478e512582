"""The first screen: what this is, how much of it there is, how complete it is, what is missing, and where to look first."""

from __future__ import annotations

from collections.abc import Iterator

from webarticlecurator.amounts import amount, percent, uncounted
from webarticlecurator.model.outcome import ALL_FAILURES, PageOutcome
from webarticlecurator.model.statistics import CorpusStatistics
from webarticlecurator.report.html import Child, Html, element, joined, link, stranger
from webarticlecurator.report.page.completeness import grounds, proved_share
from webarticlecurator.report.page.parts import commanded, in_sentences
from webarticlecurator.report.page.rules import kept_share, of_undecided

_FIRST = 3
_FIELDS = ("headline", "datePublished", "author")
_GOOD, _BAD = "good", "warning"


def head(statistics: CorpusStatistics, day: str) -> Html:
    """The title, and one line on what this is."""
    portal = statistics.portal
    facts: list[Child] = [link(portal.home), portal.kind, f"language {portal.language}" if portal.language else None, portal.timezone]
    if portal.publisher:
        facts.append(stranger(portal.publisher, 80))
    if portal.rights:
        facts.append(stranger(portal.rights, 120))
    told = [element("li", fact) for fact in facts if fact]
    made = element("p", f"Report of the corpus {portal.name}, made on {day} by {statistics.provenance.program}.", class_="made")
    return element("header", element("h1", stranger(portal.title or portal.name, 120)), element("ul", told, class_="facts"), made)


def summary(statistics: CorpusStatistics) -> Html:
    """Figures, then the answers."""
    return element(
        "section",
        element("h2", "At a glance", id="glance"),
        element("dl", (_card(*one) for one in _figures(statistics)), class_="cards"),
        element("ul", (_line(*one) for one in _answers(statistics)), class_="answers"),
        _first(statistics),
        aria_labelledby="glance",
    )


def _figures(statistics: CorpusStatistics) -> Iterator[tuple[str, str, str, str]]:
    """What, how much, more about it, the section."""
    totals = statistics.totals
    yield "Articles", f"{totals.articles:,}", f"of {amount(totals.urls, 'known address', 'known addresses')}", "outcomes"
    others = statistics.lengths.uncounted
    in_words = totals.articles - others
    mean = f"{totals.words / in_words:,.0f} an article" if in_words else "none yet"
    yield "Words", f"{totals.words:,}", f"{mean}; {amount(others, 'article')} not counted" if others else mean, "growth"
    first, last = (one.text[:4] if one else "" for one in (totals.first, totals.last))
    days = [one.name for one in statistics.years if one.name and one.articles]
    first, last = (days[0] if days else "–"), (days[-1] if days else "–")
    yield "Published", first if first == last else f"{first}–{last}", f"{totals.undated:,} without a day", "growth"
    proved, _, intervals = proved_share(statistics)
    yield "Archive proved", percent(proved, intervals), f"{proved:,} of {amount(intervals, 'interval')}", "completeness"


def _card(title: str, figure: str, more: str, section: str) -> Html:
    return element(
        "div", element("dt", element("a", title, href=f"#{section}")), element("dd", figure, class_="figure"), element("dd", more)
    )


def _answers(statistics: CorpusStatistics) -> Iterator[tuple[str, str, Child, str]]:
    """How good it is, the question, the answer, the section."""
    totals = statistics.totals
    if totals.first and totals.last:
        said = joined(("From ", stranger(totals.first.text, 120), " to ", stranger(totals.last.text, 120), "."))
        yield "", "First and last", said, "growth"
    yield _complete(statistics)
    yield _missing(statistics)
    kept, dropped, undecided = kept_share(statistics)
    if kept + dropped:
        of_kept = f"{percent(kept, kept + dropped)} of the words in the articles' containers were kept"
        said_of_text = f"{of_kept}; {of_undecided(undecided, kept + dropped)}.{uncounted(statistics.lengths.uncounted)}"
        yield _BAD if 10 * undecided > kept else _GOOD, "Text", said_of_text, "rules"
    filled = {one.field: one.filled for one in statistics.fields}
    if totals.articles and filled:
        told = ", ".join(f"{name} {percent(filled.get(name, 0), totals.articles)}" for name in _FIELDS)
        suspects = sum(one.suspects for one in statistics.names)
        marked = f" {amount(suspects, 'name looks', 'names look')} wrong." if suspects else " No name looks wrong."
        too_long = [one for one in statistics.fields if one.is_too_long]
        marked += "".join(f" {amount(one.longer, one.field)} may hold more than that." for one in too_long)
        dated = 100 * filled.get("datePublished", 0) >= 95 * totals.articles
        good = dated and filled.get("author") and not suspects and not too_long
        yield _GOOD if good else _BAD, "Metadata", f"{told}.{marked}", "metadata"
    yield from _languages(statistics)
    for one in statistics.duplicates:
        if one.kind == "near":
            yield (
                "",
                "Duplicates",
                f"{amount(one.surplus, 'article')} ({percent(one.surplus, totals.articles)})"
                f" nearly {'repeats' if one.surplus == 1 else 'repeat'} another.",
                "duplicates",
            )


def _languages(statistics: CorpusStatistics) -> Iterator[tuple[str, str, Child, str]]:
    """Nothing, while the words of nearly all articles are in the language that is said."""
    others = [one for one in statistics.languages if one.disagree]
    differing = sum(one.articles for one in others)
    if 10 * differing > statistics.totals.articles:
        most = max(others, key=lambda one: one.articles)
        found, declared = (element("code", stranger(one or "", 30)) for one in (most.identified, most.language))
        words = f"The words of {amount(differing, 'article')} are in another language than is declared: most often "
        yield _BAD, "Language", joined((words, found, ", not ", declared, ".")), "languages"


def _complete(statistics: CorpusStatistics) -> tuple[str, str, Child, str]:
    proved, only_read, intervals = proved_share(statistics)
    status = statistics.status
    gone = {row.column for row in status.completeness if row.removed} if status else set()
    by_word = sum(one.intervals for one in statistics.proofs if one.by_word and one.column not in gone)
    lists = amount(only_read - by_word, "feed or sitemap was", "feeds or sitemaps were")
    read = f" {lists} read to the end, which need not list everything." if only_read > by_word else ""
    if by_word:
        read += f" {amount(by_word, 'column is', 'columns are')} proved by your word alone (`pages: none`): the page links further ones."
    outcomes = status.outcomes if status else {}
    listings, articles = outcomes.get(PageOutcome.LISTING, 0), outcomes.get(PageOutcome.ARTICLE, 0)
    is_of_lists = listings > 0 and 3 * listings >= articles
    if is_of_lists:
        are = "page that it lists is a list itself", "pages that it lists are lists themselves"
        read += f" {amount(listings, *are)}: what these list may be missing."
    unlisted = len(status.unlisted) if status else 0
    if unlisted:
        read += f" The site's own feeds or sitemaps name {amount(unlisted, 'article')} that no archive page listed."
    if not intervals:
        why = "Nothing proves it" + ("." if by_word else ": no archive was walked.")
        return _BAD, "Complete?", why + read, "completeness"
    found = grounds(statistics).most_common()
    leaning = ", ".join(f"{number:,} by {ground}" for ground, number in found[:3]) + (" and other grounds" if len(found) > 3 else "")
    said = (
        f"{proved:,} of {amount(intervals, 'archive interval')} {'is' if proved == 1 else 'are'}"
        f" walked to a proved end ({percent(proved, intervals)})" + (f": {leaning}." if leaning else ".")
    )
    lacking = (
        " But not every article that it lists is in the corpus." if status and (status.waiting or status.unbuilt or status.lost) else ""
    )
    is_whole = proved == intervals and not (lacking or by_word or unlisted or is_of_lists)
    return _GOOD if is_whole else _BAD, "Complete?", said + read + lacking, "completeness"


def _missing(statistics: CorpusStatistics) -> tuple[str, str, Child, str]:
    status, totals = statistics.status, statistics.totals
    if status is None or not totals.urls:
        return _BAD, "Missing", "Nobody can tell: no address of the portal is known.", "completeness"
    failed = sum(one.count for one in statistics.outcomes if one.failed)
    if not statistics.outcomes:
        failed = sum(number for outcome, number in status.outcomes.items() if outcome in ALL_FAILURES)
    gaps = len(statistics.gaps) + statistics.other_gaps
    lost = sum(one.waiting for one in status.lost)
    stale = sum(one.articles for one in statistics.provenance.rules if not one.current)
    parts = (
        (failed, "address failed", "addresses failed"),
        (status.waiting, "waits for the next crawl", "wait for the next crawl"),
        (status.unbuilt, "is stored and not built", "are stored and not built"),
        (stale, "document was made by other rules or another version", "documents were made by other rules or another version"),
        (len(status.drift), "column seems to have changed its layout", "columns seem to have changed their layout"),
        (gaps, "stretch of days looks like a gap", "stretches of days look like gaps"),
        (len(status.lost), "WARC file is missing or cut", "WARC files are missing or cut"),
        (lost, "article was lost with it", "articles were lost with them"),
    )
    told = [amount(number, one, many) for number, one, many in parts if number]
    if not told:
        return (
            _GOOD,
            "Missing",
            f"Nothing that is known of: no failure among {amount(totals.urls, 'address', 'addresses')}, nothing waits, no gap.",
            "completeness",
        )
    return _BAD, "Missing", f"{', '.join(told)}.", "completeness"


def _line(state: str, question: str, answer: Child, section: str) -> Html:
    mark = {_GOOD: "✓", _BAD: "!"}.get(state, "·")
    name = {_GOOD: "good: ", _BAD: "look at this: "}.get(state, "")
    shown = element(
        "span", element("span", mark, aria_hidden="true"), element("span", name, class_="unseen"), class_=f"mark {state}".strip()
    )
    return element("li", shown, element("strong", element("a", question, href=f"#{section}")), " ", element("span", answer))


def _first(statistics: CorpusStatistics) -> Html:
    shown = statistics.problems[:_FIRST]
    lines = [
        element("li", element("strong", stranger(one.kind, 40)), f" ({one.count:,}): ", stranger(one.reason, 200),
                (" ", commanded(one.command)) if one.command else None)
        for one in shown
    ]  # fmt: skip
    lines += [element("li", in_sentences(one.why), (" ", commanded(one.command)) if one.command else None) for one in statistics.lacks]
    if not lines:
        return Html("")
    more = element("p", element("a", "All problems, with examples and what to do", href="#problems")) if statistics.problems else None
    return element("div", element("h3", "Look at first"), element("ol", lines), more, class_="first")
