"""The texts: languages, lengths, duplicates, access, kinds, and posts."""

from __future__ import annotations

from collections.abc import Sequence

from webarticlecurator.amounts import amount, count, percent, uncounted
from webarticlecurator.model.statistics import AccessYear, CorpusStatistics, Example, LengthClass
from webarticlecurator.report.charts.columns import Panel, columns
from webarticlecurator.report.charts.figure import Series, Table, figure, folded, share, table
from webarticlecurator.report.html import Child, Html, element, stranger
from webarticlecurator.report.page.parts import (
    Section,
    by_year,
    capped,
    counted,
    elsewhere,
    examples,
    in_sentences,
    shown_years,
    tell_lacks,
    titled,
    total,
    year_span,
)

_LANGUAGES = 20
_CLUSTERS = 8
_ACCESS = {"free": ("declared free", "t0"), "undeclared": ("says nothing", "other"), "paid": ("declared not free", "t1")}
_QUANTILES = ("5 %", "25 %", "half", "75 %", "95 %")


def section(statistics: CorpusStatistics) -> Section:
    content = [
        tell_lacks(statistics, "analysis"),
        _languages(statistics),
        _lengths(statistics),
        _duplicates(statistics),
        _access(statistics),
        _types(statistics),
    ]
    return Section("texts", "Languages, lengths, duplicates, access", content)


def posts_section(statistics: CorpusStatistics) -> Section:
    kinds = [one for one in statistics.posts if one.posts]
    unread = tell_lacks(statistics, "comments")
    if not kinds:
        return Section("posts", "Comments and posts", unread or element("p", "No article of the corpus has comments or posts."))
    by_kind = {one.kind: counted(one.years) for one in kinds}
    years = shown_years(total(by_kind.values()))
    series = folded([Series(kind, by_year(years, of_year), f"t{place}") for place, (kind, of_year) in enumerate(by_kind.items())])
    rows = [
        (
            stranger(one.kind, 40), count(one.posts), count(one.words), count(one.articles), count(one.answers), count(one.undated),
            count(one.deleted), examples(one.largest, 2),
        )
        for one in kinds
    ]  # fmt: skip
    headings = ("Kind", "Posts", "Words", "Articles with any", "Answers", "Undated", "Deleted", "Largest threads")
    said = (
        f"{amount(sum(one.posts for one in kinds), 'post')} of {amount(len(kinds), 'kind')},"
        f" {amount(sum(one.words for one in kinds), 'word')}." + elsewhere(years, total(by_kind.values()), "post")
    )
    drawn = columns("posts-yearly", [str(year) for year in years], [Panel("posts", series)])
    legend = [(one.tone, stranger(one.name, 40)) for one in series]
    made = figure("posts-yearly", "Posts by year", said, drawn, legend=legend)
    kinds_of_posts = table(Table(headings, rows, frozenset(range(1, 7))), label="Kinds of posts")
    return Section("posts", "Comments and posts", (unread, made, kinds_of_posts))


def _languages(statistics: CorpusStatistics) -> Html:
    if not statistics.languages:
        return Html("")
    ordered = sorted(statistics.languages, key=lambda one: (not one.disagree, -one.articles))
    shown, note = capped(ordered, _LANGUAGES, "combinations")
    whole = sum(one.articles for one in statistics.languages)
    disagreeing = sum(one.articles for one in statistics.languages if one.disagree)
    rows = [
        (
            element("code", stranger(one.language, 30)) if one.language else element("i", "unknown"),
            "declared" if one.declared else "by its words" if one.language else "–",
            element("code", stranger(one.identified, 30)) if one.identified else "–",
            count(one.articles),
            share(one.articles, whole),
            count(one.certain),
            element("span", element("b", "! "), "they disagree", class_="warning") if one.disagree else None,
            examples(one.examples, 2),
        )
        for one in shown
    ]
    headings = ("Language", "Known by", "Identified", "Articles", "Share", "Certain", "", "Examples")
    said = f"{amount(len({one.language for one in statistics.languages}), 'language')};"
    said += f" what is declared and what was identified differ in {amount(disagreeing, 'article')}."
    content = table(Table(headings, rows, frozenset((3, 5)), note), label="Languages")
    return titled("languages", "Languages", (element("p", said), content))


def _lengths(statistics: CorpusStatistics) -> Html:
    lengths = statistics.lengths
    if not any(one.articles for one in lengths.classes):
        return Html("")
    names = [_class(one) for one in lengths.classes]
    quantiles = ", ".join(f"{name} {number:,}" for name, number in zip(_QUANTILES, lengths.quantiles, strict=False))
    said = f"An article has {lengths.mean:,.0f} words on the average; of all articles, no longer than: {quantiles} words."
    said += uncounted(lengths.uncounted)
    panel = Panel("articles", (Series("articles", tuple(one.articles for one in lengths.classes), "t0"),))
    whole = sum(one.articles for one in lengths.classes)
    numbers = Table(
        ("Words", "Articles", "Share"),
        [(name, count(one.articles), percent(one.articles, whole)) for name, one in zip(names, lengths.classes, strict=True)],
        frozenset((1, 2)),
    )
    axis = [(place, str(one.least)) for place, one in enumerate(lengths.classes)] if len(names) > 12 else list(enumerate(names))
    drawn = columns("lengths", names, [panel], labels=axis)
    ends = element("div", _ends("The shortest", lengths.shortest), _ends("The longest", lengths.longest), class_="beside")
    return Html(figure("lengths", "How long the articles are, in words", said, drawn, table=numbers) + ends)


def _ends(title: str, shown: Sequence[Example]) -> Html:
    return element("div", element("h4", title), examples(shown, 5)) if shown else Html("")


def _class(one: LengthClass) -> str:
    if one.most is None:
        return f"{one.least:,}+"
    return f"{one.least:,}" if one.least == one.most else f"{one.least:,}–{one.most:,}"


def _duplicates(statistics: CorpusStatistics) -> Html:
    if not statistics.duplicates:
        return Html("")
    whole = statistics.totals.articles
    rows = [
        (stranger(one.kind, 20), count(one.clusters), count(one.articles), percent(one.articles, whole), count(one.surplus))
        for one in statistics.duplicates
    ]
    headings = ("Kind", "Clusters", "Articles in them", "Share", "Left out by --dedup")
    note = in_sentences("Duplicates are marked, never deleted; `curator export --dedup` keeps one of each cluster.")
    content: list[Child] = [table(Table(headings, rows, frozenset(range(1, 5)), note), label="Duplicates")]
    for one in statistics.duplicates:
        if one.biggest:
            clusters = [(count(cluster.articles), examples(cluster.examples)) for cluster in one.biggest[:_CLUSTERS]]
            made = table(Table(("Articles", "Examples"), clusters, frozenset((0,))), label=f"Largest clusters: {one.kind}")
            content.append(element("details", element("summary", f"The largest clusters of {one.kind} duplicates"), made))
    return titled("duplicates", "Duplicates", content)


def _access(statistics: CorpusStatistics) -> Html:
    rows = statistics.access
    if not rows:
        return Html("")
    whole = {one.year: one.free + one.paid + one.undeclared for one in rows}
    years = shown_years(whole)
    series = tuple(
        Series(name, by_year(years, {one.year: getattr(one, field) for one in rows}), tone) for field, (name, tone) in _ACCESS.items()
    )
    walls, wholes = sum(one.paywall for one in rows), sum(one.paid_but_whole for one in rows)
    every = sum(whole.values())
    said = (
        f"A wall was seen in {amount(walls, 'article')} ({percent(walls, every)}), whatever they declare;"
        f" {amount(wholes, 'is declared not to be free and is', 'are declared not to be free and are')} whole."
    ) + elsewhere(years, whole)
    headings = ("Year", "Declared free", "Declared not free", "Says nothing", "A wall was seen", "Not free, but whole")
    numbers = Table(headings, [_access_row(one) for one in rows], frozenset(range(1, 6)))
    drawn = columns("access", [str(year) for year in years], [Panel("articles", series, height=110)])
    legend = [(tone, name) for name, tone in _ACCESS.values()]
    return figure("access", "What may be read without paying", said, drawn, legend=legend, table=numbers)


def _access_row(one: AccessYear) -> tuple[str, ...]:
    year = year_span((one.year,))
    return (year, *map(count, (one.free, one.paid, one.undeclared, one.paywall, one.paid_but_whole)))


def _types(statistics: CorpusStatistics) -> Html:
    if not statistics.types:
        return Html("")
    rows = [(stranger(one.name, 60), count(one.count), share(one.count, statistics.totals.articles)) for one in statistics.types[:20]]
    return titled(
        "types", "Kinds of articles", table(Table(("Schema.org type", "Articles", "Share"), rows, frozenset((1,))), label="Kinds")
    )
