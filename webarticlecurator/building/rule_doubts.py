"""What speaks against the portal file's rules for metadata: one value everywhere, or what the pages themselves say of most articles."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby, islice
from operator import attrgetter, itemgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase, BuiltArticle
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.dates import DAY
from webarticlecurator.dates.cldr import plain
from webarticlecurator.document.decode import codec_of
from webarticlecurator.extraction.language_guess import identify
from webarticlecurator.extraction.metadata.authors import AGENCIES, DESKS
from webarticlecurator.extraction.metadata.dates import read_iso
from webarticlecurator.extraction.metadata.topics import HOME
from webarticlecurator.model.article import OLDER_SIGN
from webarticlecurator.model.outcome import DOCUMENTED
from webarticlecurator.text import folded, same_language

_FEWEST, _FEWEST_TIMES = 10, 20
"""Documents that say what a rule gives; and when they were published, without one."""
_LOOKED_AT = 500
"""Documents of each field, evenly spread."""
_ENOUGH, _ENOUGH_OF_SOME, _ENOUGH_DATES, _ENOUGH_OF_FEW = 0.6, 0.3, 0.2, 0.1
"""Share of them for which the page says something else; a rule with alternatives is wrong only where the first of them finds something, and
headlines are cut where they have what a pattern cuts at."""
_NEARLY_ALL, _MOST = 0.9, 0.8
_ENCODED, _YEAR = re.compile("%[0-9A-Fa-f]{2}"), re.compile(r"(?:19|20)\d\d")
_WHOLE = r"(?:(?<![^\W\d_])(?<![^\W\d_]-)|(?<=\W[וو])){}(?!-?[^\W\d_]|['’ʼ](?!s\b)[^\W\d_]|%[0-9A-Fa-f]{{2}})"
"""Matches a value that is no part of a word; Hebrew and Arabic write "and" as the first letter of what follows."""
_WORDS_CUT = "cuts within a word"
_MOST_NAMES = 2
"""Authors that may have written all there is."""
_DIFFERENT = 4
"""Values that have no word in common by chance."""
_TOPICS = ("articleSection", "keywords")
"""Portals call these in many ways; only one and the same on every page is none."""
_FEWEST_OF_SOME, _SOME = 3, 0.05
"""Documents that are misread, are lists, or have several authors in one; the share of all."""
_INDEX = re.compile(r"/index\.[a-z]{3,5}$")
_SAME_MOMENT = timedelta(minutes=30)
"""Between the times that one page tells of one publication."""
_OF_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_OF_ADDRESS = {"headline": re.compile(r"^\w+(?:[-_][\w%.]+){2,}$"), "author": re.compile("^[a-z]+(?:-[a-z]+)+$")}
_BARE_CLOCK = r"(?<![+-]\d)\d[:.h]{}(?!.*(?:[+-]\d\d|\dZ|\b[A-Z]{{3,5}}\b))"
"""A time with these minutes, and without an offset."""
_OFFSET = re.compile(r"(?<=\d)[+-](?!00:?00)\d\d:?\d\d$")
"""But that of UTC, which programs write anywhere."""
_LONGEST_NAME = 4
"""Words of a name."""
_ENDS = ".?!…\"”“’‘'»«)]%"
"""Marks that end headlines."""
_LONGEST_MARK = 3
"""Characters of what a headline may be without."""
_LONGEST = 80
"""Characters of a value that are shown."""
_SAMPLE = f"""
    WITH documents AS (SELECT number, url, layout, row_number() OVER (ORDER BY number) AS place, count(*) OVER () AS total FROM articles
        WHERE outcome IN ('{"', '".join(sorted(DOCUMENTED))}')),
    sample AS (SELECT number, url, layout FROM documents WHERE place % max(1, total / {_LOOKED_AT}) = 0)
"""
_RULED = f"""{_SAMPLE}
    SELECT m.field, m.source, m.value, coalesce(o.value, ''), coalesce(o.source, ''), url,
        (SELECT group_concat(value, '; ') FROM metadata WHERE article = number AND field = m.field AND NOT disagrees),
        (SELECT t.field FROM metadata t JOIN metadata a USING (article, value) WHERE article = number AND NOT a.disagrees
            AND (NOT t.disagrees OR o.value IS NOT NULL)
            AND a.field = m.field AND t.field != m.field
            AND t.field IN ('articleSection', 'keywords', 'headline', 'datePublished') LIMIT 1),
        layout
    FROM sample JOIN metadata m ON m.article = number AND NOT m.disagrees AND m.place = 0
    LEFT JOIN metadata o ON o.article = number AND o.field = m.field AND o.disagrees AND o.place = 0
    WHERE m.source IN (SELECT value FROM json_each(?)) OR m.field IN ('author', 'datePublished', 'headline', 'articleSection', 'keywords')
    ORDER BY m.field, m.source, layout, number
"""
_DAYS = f"""{_SAMPLE}
    SELECT substr(value, 1, {DAY}), url FROM sample JOIN metadata ON article = number AND NOT disagrees AND field = 'datePublished'
    WHERE value GLOB '[12][0-9][0-9][0-9]*'
"""
_VALUES = f"{_SAMPLE} SELECT value, url FROM sample JOIN metadata ON article = number ORDER BY number"
_OF_RULE = f"{_SAMPLE} SELECT value, url FROM sample JOIN metadata ON article = number WHERE field = ? AND source = ? AND place = 0"
_LISTINGS = "SELECT count(*), (SELECT count(*) FROM articles WHERE path IS NOT NULL), min(url) FROM articles WHERE outcome = 'listing'"
_ALONE = f"""
    SELECT kind_of_post, count(*), min(url) FROM
        (SELECT kind AS kind_of_post, article, count(*) AS together FROM posts WHERE kind != 'blog' GROUP BY kind, article)
    JOIN articles ON number = article GROUP BY kind_of_post HAVING count(*) >= {_FEWEST} AND max(together) = 1
"""
_OLDER = f"SELECT count(DISTINCT number), min(url) FROM articles, json_each(flags) WHERE value GLOB '{OLDER_SIGN}*'"
_CUT = "SELECT count(*), sum(breaks_off), min(CASE WHEN breaks_off THEN url END) FROM articles WHERE path IS NOT NULL"
_WITHOUT_POSTS = "SELECT count(*), sum(posts = 0), min(CASE WHEN posts = 0 THEN url END) FROM articles WHERE path IS NOT NULL"
_HEADLINES = "SELECT value FROM metadata WHERE field = 'headline' AND NOT disagrees LIMIT 100000"
"""No more, so that memory does not grow with the corpus."""
_UNSIGNED = f"""
    SELECT kind, count(*), sum(author IS NULL) AS unsigned, min(CASE WHEN author IS NULL THEN url END) FROM posts
    JOIN articles ON number = article WHERE kind IN ('comments', 'forum') AND NOT deleted GROUP BY kind
    HAVING unsigned >= max({_FEWEST_OF_SOME}, 0.02 * count(*)) AND 2 * unsigned <= count(*)
"""


class _Ruled(NamedTuple):
    """What a rule gave for one article, and what the page's own data say instead; empty where they do not."""

    field: str
    source: str
    value: str
    other: str
    other_source: str
    url: str
    values: str
    """All of the field."""
    same: str | None
    """Another field of the article that has one of the values, too: its section, its keywords, its headline, its day."""
    layout: str | None


def doubts_of(database: BuildDatabase, portal: Portal, sources: Collection[str]) -> dict[str, str]:
    """What speaks against a portal file, in sentences -> the URL of an article. `sources`: its own rules for metadata
    (`metadata.headline`, `listing:author`)."""
    of_rules = (
        _rule_doubts(database, sources),
        _cut_doubts(database, sources),
        _map_doubts(database, {name: rule for name, rule in portal.metadata.items() if f"metadata.{name}" in sources}),
        _post_doubts(database, portal.kind),
    )
    of_all = (
        _older_doubts(database),
        _cut_page_doubts(database),
        _day_doubts(database),
        _list_doubts(database),
        _encoding_doubts(database, portal.fetch.encoding),
        _language_doubts(database, portal.language),
    )
    of_zone = [] if "\ntimezone:" in portal.effective else [*_time_zone_doubts(database)]
    return dict(chain(*of_rules, *of_all, of_zone or _clock_doubts(database, portal.timezone)))


def _older_doubts(database: BuildDatabase) -> Iterator[tuple[str, str]]:
    """That the newest captures are not what they were."""
    (documents, url), *_ = database.rows(_OLDER)
    if documents:
        keep = amount(documents, "document keeps", "documents keep")
        yield f"{keep} the text of an older capture, since in the newest the rules find a paywall, a part of it, or no article", url


def _cut_page_doubts(database: BuildDatabase) -> Iterator[tuple[str, str]]:
    """That some pages end amid their text, though others are whole."""
    (documents, cut, url), *_ = database.rows(_CUT)
    if cut and documents >= _FEWEST and cut <= _ENOUGH_OF_SOME * documents:
        pages = f"{cut:,} of {amount(documents, 'document')} may be cut: the page ends amid the text, and lacks the </html> of others"
        yield f"{pages}; a recheck asks for it again", url


def _rule_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of rules that seem to give something else than their field; of what no rule gives, that it is all the same: times of publication,
    and what every page of a site says where a rule gives nothing."""
    headlines = frozenset(value for (value,) in database.rows(_HEADLINES))
    rows_of_all = list(map(_Ruled._make, database.rows(_RULED, (orjson.dumps(sorted(sources)).decode(),))))
    given: defaultdict[str, set[str]] = defaultdict(set)
    """What any document has for a field."""
    for row in rows_of_all:
        given[row.field].update(row.values.split("; "))
    for (field, source), rows in groupby(rows_of_all, key=itemgetter(0, 1)):
        ruled = list(rows)
        if source in sources:  # of all documents, or of those of one layout
            groups = (ruled, *(list(of_layout) for _, of_layout in groupby(ruled, key=attrgetter("layout"))))
            told = next(filter(None, (_doubt(group, headlines, given[field]) for group in groups if len(group) >= _FEWEST)), None)
            name = source.replace("listing:", "archive.fields.")
        elif field == "datePublished":
            told = _same(ruled, _NEARLY_ALL) if len(ruled) >= _FEWEST_TIMES and len(ruled[0].value) > DAY else None
            if told is None and source.startswith("listing:") and len(ruled) >= _FEWEST:  # as feeds tell it, perhaps of their own making
                told = _another(field, ruled, given[field])
            told = told or _another_day(ruled)
            name = f"{field}` by `{source}"
        else:
            is_same = f"metadata.{field}" in sources and len(ruled) >= _FEWEST and len({row.values for row in ruled}) == 1
            left = f"gives nothing for {len(ruled):,} documents; all of these have {_shown(ruled[0].values)} instead, from `{source}`"
            told = (f"{left}; `{{drop: ['.*']}}` as last alternative gives them none", ruled[0].url) if is_same else None
            name = f"metadata.{field}"
        if told is not None:
            yield f"`{name}` {told[0]}", told[1]


def _day_doubts(database: BuildDatabase) -> Iterator[tuple[str, str]]:
    """That many documents of several years are of one day, as they may be of that of a change, or on which the site was made."""
    told = list(database.rows(_DAYS))
    days = Counter(day for day, _ in told)
    years = [int(day[:4]) for day in days]
    is_old = bool(years) and max(years) - min(years) > 1  # and no young corpus at the turn of a year
    if is_old and (most := days.most_common(1)[0])[1] >= max(_FEWEST_TIMES, _ENOUGH_OF_SOME * len(told)):
        usual, times = most
        reason = f"`datePublished` is {usual} for {times:,} of {len(told):,} documents, though others are years older or younger"
        yield f"{reason}: is it the day of a change?", next(url for day, url in told if day == usual)


def _sampled(database: BuildDatabase, most: int, where: str = "1") -> Iterator[BuiltArticle]:
    """So many documents of the sample, of all times, that fulfil an SQL condition."""
    return islice(database.read(f"a.number IN ({_SAMPLE} SELECT number FROM sample) AND {where}", order="number % 97, number"), most)


def _cut_doubts(database: BuildDatabase, sources: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of rules that take parts of words on some pages, or part authors or topics otherwise than the page's own reading of the same text."""
    cut: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    looked_at = 0
    for article in _sampled(database, _LOOKED_AT):
        looked_at += 1
        for field, values in article.record["metadata"].items():
            if field not in ("author", "headline", *_TOPICS) or values[0]["source"] not in sources:
                continue
            others = article.record["disagreements"].get(field, ())
            for what, text, raw in _cuts(field, values, others):
                cut.setdefault((values[0]["source"], what), []).append((text, raw, article.url))
    for (source, what), parts in cut.items():
        fewest = _FEWEST_OF_SOME if what == _WORDS_CUT else max(_FEWEST_OF_SOME, _SOME * looked_at)
        if (documents := len({url for *_, url in parts})) >= fewest:
            text, raw, url = parts[0]
            name, where = source.replace("listing:", "archive.fields."), f"in {amount(documents, 'document')}"
            yield f"`{name}` {what} {where}: {_shown(text)} of {_shown(raw)}", url


def _cuts(field: str, values: Sequence[Mapping[str, str]], others: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with the values of a rule, each with a value and the text that it is of. `others`: what the page's own reading has
    beside them."""
    given = {value["value"] for value in values}
    for value in values:
        raw, text = value.get("raw") or "", value["value"]
        if text in raw and text[:1].isalpha() and not re.search(_WHOLE.format(re.escape(text)), raw):
            yield _WORDS_CUT, text, raw
        if field in _TOPICS:
            whole = (other["value"] for other in others if text in other["value"] and other["value"] in raw)
            yield from (("cuts what the page has whole", text, each) for each in whole)
        elif field == "author":
            if sum(other["value"] in text for other in others) > 1:
                yield "gives several authors as one", text, raw
            for other, written in ((other["value"], other["raw"]) for other in others):
                together = written if text in written else raw if other in raw else ""
                is_known = text in other or other in text or other in given
                if together and not (is_known or other.casefold() in AGENCIES or not DESKS.isdisjoint(other.casefold().split())):
                    yield "leaves out some authors", text, together


def _map_doubts(database: BuildDatabase, rules: Mapping[str, Picks]) -> Iterator[tuple[str, str]]:
    """Of tables that make names of words of addresses, and do not name some of these."""
    for field, rule in rules.items():
        table = {old: new for pick in rule.each() for old, new in (pick.map or {}).items()}
        if table and all(map(_OF_SLUG.fullmatch, table)) and not any(map(_OF_SLUG.fullmatch, table.values())):
            values = list(database.rows(_OF_RULE, (field, f"metadata.{field}")))
            left = [(value, url) for value, url in values if _OF_SLUG.fullmatch(value)]
            if len(left) >= _FEWEST_OF_SOME:
                many = f"for {len(left):,} of {len(values):,} documents"
                yield f"`metadata.{field}` gives what its `map` does not name, {many}, such as {_shown(left[0][0])}", left[0][1]


def _post_doubts(database: BuildDatabase, kind_of_portal: PortalKind | None) -> Iterator[tuple[str, str]]:
    """Of rules for posts that seem to take all of them for one; of some posts that nobody signed; of a forum that has hardly any."""
    (documents, without, url), *_ = database.rows(_WITHOUT_POSTS)
    if kind_of_portal is PortalKind.FORUM and documents >= _FEWEST and without > documents / 2:
        yield f"`kind: forum` says that all are threads; {without:,} of {documents:,} documents have no post", url
    for kind, posts, unsigned, url in database.rows(_UNSIGNED):
        nobody = f"of {posts:,} posts ({kind}) {amount(unsigned, 'has', 'have')} no author"
        yield f"{nobody}: if readers see a name there, `posts.{kind}.author` has to find it, too", url
    for kind, documents, url in database.rows(_ALONE):
        yield f"`posts.{kind}.item` gives just one post in each of {documents:,} documents; it must match one post, not what holds all", url


def _list_doubts(database: BuildDatabase) -> Iterator[tuple[str, str]]:
    """That many stored pages are lists; that many documents may be some: others stand below their addresses, as articles do below that of
    their day."""
    (listings, documents, url), *_ = database.rows(_LISTINGS)
    if listings >= _FEWEST_OF_SOME and 3 * listings >= documents:
        reason = f"{listings:,} of the pages that columns name are lists themselves, beside {amount(documents, 'document')}"
        walks = "what they list may be missing; `sections: SELECTOR` of the links to them walks them"
        yield f"{reason}: {walks}, `articles: {{skip: {{url: [REGEX]}}}}` leaves them out", url
    urls = sorted(url for (url,) in database.rows("SELECT url FROM articles WHERE path IS NOT NULL"))
    folders = ((url, _INDEX.sub("/", url), {*urls[max(0, place - 1) : place + 3]} - {url}) for place, url in enumerate(urls))
    lists = [url for url, folder, near in folders if folder.endswith("/") and any(other.startswith(folder) for other in near)]
    if len(lists) >= max(_FEWEST, _SOME * len(urls)):
        reason = f"{amount(len(lists), 'document')} may be lists, since others stand below their addresses"
        yield f"{reason}; `articles: {{skip: {{url: [REGEX]}}}}` leaves them out", lists[0]


def _encoding_doubts(database: BuildDatabase, encoding: str | None) -> Iterator[tuple[str, str]]:
    """Of the encoding in which the portal file has pages read, if some of them are UTF-8 all the same."""
    codec = codec_of(encoding) if encoding is not None else None
    if codec is None or codec == "utf-8":
        return
    misread = {url: value for value, url in database.rows(_VALUES) if _as_utf8(value, codec) != value}
    if len(misread) >= _FEWEST_OF_SOME:
        url, value = next(iter(misread.items()))
        meant = f"{_shown(value)} for {_shown(_as_utf8(value, codec))}"
        yield f"`fetch.encoding` misreads {amount(len(misread), 'document')} that are UTF-8, such as {meant}", url


def _language_doubts(database: BuildDatabase, language: str | None) -> Iterator[tuple[str, str]]:
    """That documents are said to be in one language, by themselves or by the portal file, and their words are of another."""
    read = [(article, identify(article.record["text"])) for article in _sampled(database, 20, "language_declared")]
    sure = [(article, shown.language) for article, shown in read if shown is not None and shown.certainty == "high"]
    others = Counter(
        (said, shown)
        for article, shown in sure
        for said in islice((each for each in (article.language, language) if each and not same_language(each, shown)), 1)
    )
    if len(sure) >= _FEWEST and others and (most := others.most_common(1)[0])[1] >= _NEARLY_ALL * len(sure):
        (said, shown), times = most
        looked_at = f"{times} of {len(sure)} documents that were looked at"
        reason = f"{looked_at} say that their language is {said}, and their words are {shown}"
        if said == language:
            reason = f"the portal file says that the language is {said}, and the words of {looked_at} are {shown}"
        yield f"{reason}: `language` in the portal file says what is right", next(each.url for each, other in sure if other == shown)


def _time_zone_doubts(database: BuildDatabase) -> Iterator[tuple[str, str]]:
    """That times are told without an offset, where no portal file says what they mean."""
    days = [((article.record["metadata"].get("datePublished") or [{}])[0], article.url) for article in _sampled(database, 20)]
    read = [(day["value"][len("2024-05-01T12:") :][:2], plain(day.get("raw") or ""), url) for day, url in days if day]
    bare = [(url, raw) for minutes, raw, url in read if minutes and re.search(_BARE_CLOCK.format(minutes), raw)]
    if len(bare) >= _FEWEST and 2 * len(bare) > len(days):
        reason = f"{len(bare)} of {len(days)} documents that were looked at tell a time without its offset, such as {_shown(bare[0][1])}"
        yield f"{reason}, which counts as UTC: `timezone` in the portal file says by which clock it is", bare[0][0]


def _clock_doubts(database: BuildDatabase, zone: ZoneInfo) -> Iterator[tuple[str, str]]:
    """That the times that pages tell with an offset are by another clock than that by which those without one are read."""
    told, without = list[tuple[datetime, str]](), 0
    for article in _sampled(database, 100):
        day = (article.record["metadata"].get("datePublished") or [{"value": "", "source": ""}])[0]
        value, raw = day["value"], plain(day.get("raw") or "")
        as_written = not day["source"].startswith("listing:")  # times of lists are kept by the clock of the portal
        if as_written and len(value) > DAY and _OFFSET.search(raw):
            told.append((datetime.fromisoformat(value), article.url))
        without += len(value) > DAY and re.search(_BARE_CLOCK.format(value[len("2024-05-01T12:") :][:2]), raw) is not None
    others = [(moment, url) for moment, url in told if moment.astimezone(zone).utcoffset() != moment.utcoffset()]
    is_of_seasons = len({moment.utcoffset() for moment, _ in told}) > 1  # and no program's one offset for winter and summer
    if without and len(others) >= max(_FEWEST, (_ENOUGH if is_of_seasons else _NEARLY_ALL) * len(told)):
        moment, url = others[0]
        reason = f"{len(others):,} of {len(told):,} dates of publication with an offset are by another clock, such as {moment.isoformat()}"
        yield f"`timezone` is {zone}, by which {amount(without, 'date')} without one {'is' if without == 1 else 'are'} read; {reason}", url


def _as_utf8(text: str, codec: str) -> str:
    try:
        return text.encode(codec).decode()
    except UnicodeError:
        return text


def _doubt(ruled: Sequence[_Ruled], headlines: frozenset[str], given: Collection[str]) -> tuple[str, str] | None:
    """What speaks against a rule, and the URL of an article."""
    field, values, many = ruled[0].field, Counter(row.value for row in ruled), len(ruled)
    (usual, times), some = values.most_common(1)[0], max(_FEWEST_OF_SOME, _SOME * many)
    if field == "headline" and 2 * len(values) < many:
        alike = f"gives no more than {amount(len(values), 'value')} for {many:,} documents ({_shown(usual)} for {times:,} of them)"
        return alike, next(row.url for row in ruled if row.value == usual)
    if same := _same(ruled):
        return same
    for of_address, enough in ((_OF_ADDRESS.get(field, _ENCODED), _NEARLY_ALL * many), (_ENCODED, some)):
        odd = [row for row in ruled if of_address.search(row.values)]
        if len(odd) >= enough:
            return f"gives parts of addresses, such as {_shown(odd[0].values)}", odd[0].url
    if field == "articleSection" and all(map(_YEAR.fullmatch, values)):
        return f"gives years, such as {_shown(usual)}", ruled[0].url
    odd = [row for row in ruled if field == "articleSection" and row.value.lower() in HOME]
    if len(odd) >= some:
        return f"gives the front page {_for(odd, many)}, such as {_shown(odd[0].value)}", odd[0].url
    if field in ("author", "dateModified", *_TOPICS):
        fewest = {"author": _ENOUGH, "dateModified": _NEARLY_ALL}.get(field, _MOST) * many
        twice = [row for row in ruled if row.same]
        titles = [row for row in twice if row.same == "headline"]  # no section and no author is called as the article is
        for odd, enough in ((titles, fewest if field == "keywords" else some), (twice, fewest)):
            if len(odd) >= enough:
                too = f"gives what `{odd[0].same}` gives, too, {_for(odd, many)}, such as {_shown(odd[0].values)}"
                return f"{too}: one of the two may be wrong", odd[0].url
        odd = [row for row in ruled if not headlines.isdisjoint(row.values.split("; "))]
        if len(odd) >= _ENOUGH_OF_SOME * many:
            return f"gives headlines of articles, such as {_shown(odd[0].values)}", odd[0].url
    names = {value for value in values if " " in value}
    odd = [row for row in ruled if field == "author" and _begins_or_ends(row.value, names)]
    if len(odd) >= some:
        return f"gives several authors as one {_for(odd, many)}, such as {_shown(odd[0].value)}; `split` parts them", odd[0].url
    if another := _another(field, ruled, given):
        return another
    if field in ("author", "headline", *_TOPICS) and (shared := _in_common(field, {row.values: row.value for row in ruled})):
        return f"gives {_shown(shared)} in nearly all documents, such as {_shown(ruled[0].values)}", ruled[0].url
    odd = [row for row in ruled if field == "keywords" and row.values == row.value and row.value.count(", ") > 1]
    if len(odd) >= _ENOUGH_OF_SOME * many:
        return f"gives several values as one {_for(odd, many)}, such as {_shown(odd[0].value)}; `split` parts them", odd[0].url
    authors = [(row, row.values.split("; ")) for row in ruled if field == "author"]
    known = AGENCIES | {names[0].casefold() for _, names in authors}
    beside = [(name, row) for row, names in authors if (name := next((each for each in names if each.casefold() not in known), None))]
    if 2 * len(beside) >= many and _FEWEST_OF_SOME * len({name for name, _ in beside}) <= len(beside):  # a few, again and again
        name, row = beside[0]
        first = f"gives names that stand first in no document, {_for(beside, many)}, such as {_shown(name)} of {_shown(row.values)}"
        return f"{first}: if they took the pictures, a narrower selector or `drop` leaves them out", row.url
    return None


def _another(field: str, ruled: Sequence[_Ruled], given: Collection[str]) -> tuple[str, str] | None:
    """That the pages themselves say something else."""
    for odd, enough in _against(field, ruled, given):
        if odd and len(odd) >= enough * len(ruled):
            row = odd[0]
            says = {"url": "the page's address", "listing": "the list"}.get(row.other_source.partition(":")[0], "the page")
            where = f"{_for(odd, len(ruled))} something else than {says} says"
            again = "; what was listed by another `timezone`, `curator crawl --full --offline` reads again" if says == "the list" else ""
            return f"gives {where}, such as {_shown(row.value)} for {_shown(row.other)} ({row.other_source}){again}", row.url
    return None


def _another_day(ruled: Sequence[_Ruled]) -> tuple[str, str] | None:
    """That moments in UTC fall on the day before or after the one that readers see: by the clock of the portal it is that one."""
    of_clocks = (row for row in ruled if row.other_source == "html:date" and len(row.value) > DAY)
    odd = [row for row in of_clocks if _days_apart(row) == 1]
    if len(odd) < max(_FEWEST_OF_SOME, _SOME * len(ruled)):
        return None
    row = odd[0]
    where = f"is another day than readers see, {_for(odd, len(ruled))}, such as {_shown(row.value)} for {_shown(row.other)}"
    return f"{where}: it depends on `timezone` in the portal file", row.url


def _for(some: Sequence[object], many: int) -> str:
    return f"for {len(some):,} of {many:,} documents"


def _begins_or_ends(value: str, names: set[str]) -> bool:
    """Whether the name of another author and more makes up a value."""
    words = value.split()
    parts = {" ".join(words[:2]), " ".join(words[-2:])}
    return not names.isdisjoint(parts) if len(words) > _LONGEST_NAME else len(words) == _LONGEST_NAME and parts <= names


def _same(ruled: Sequence[_Ruled], share: float = 0.0) -> tuple[str, str] | None:
    """That what is given for one article is given for too many, at least for that share of them."""
    sets = [frozenset(row.values.split("; ")) for row in ruled]  # in whatever order
    usual = Counter(sets).most_common(1)[0][0]
    same = [row for row, values in zip(ruled, sets, strict=True) if values == usual]
    whole = same[0].values
    is_odd = len(same) >= max(share, _too_many(ruled[0].field, whole)) * len(ruled)
    return (f"gives the same {_for(same, len(ruled))}: {_shown(whole)}", same[0].url) if is_odd else None


def _too_many(field: str, values: str) -> float:
    """The share of documents from which on one and the same is odd; more than all where it may be right."""
    several = values.count("; ") + 1
    if field == "datePublished":  # of one minute are few
        return _ENOUGH_DATES if len(values) > DAY else _NEARLY_ALL
    if field == "author":
        return _ENOUGH_OF_SOME if several > _MOST_NAMES else 2
    if field == "description":
        return _ENOUGH_OF_SOME
    return _NEARLY_ALL if field in _TOPICS and several > 1 else 2


def _against(field: str, ruled: Sequence[_Ruled], given: Collection[str]) -> Iterator[tuple[list[_Ruled], float]]:
    """Articles whose page says something else than the rule, in the ways in which that may mean something, and which share of all is
    enough."""
    others = [row for row in ruled if row.other]
    said = Counter(row.other for row in others)
    if field in ("headline", "description"):  # a part of what the page says, and each time without another part
        rests = Counter(_rest(row) for row in others)
        cut = [row for row in others if row.value in row.other and rests[_rest(row)] <= max(1, _ENOUGH_OF_FEW * len(ruled) / 2)]
        yield [row for row in cut if len(_rest(row)) > _LONGEST_MARK], _ENOUGH_OF_FEW
    # what the pages say of most articles alike, such as their portal's name, says nothing of any
    if not others or 2 * said.most_common(1)[0][1] > len(ruled):
        return
    if field == "datePublished":  # what is no date is told by itself
        others = [row for row in others if read_iso(row.value, UTC)[0] is not None and _is_another_time(row)]
        yield [row for row in others if not row.other_source.startswith("listing:")], _ENOUGH_OF_FEW
        yield [row for row in others if row.other_source.startswith("listing:") and _is_hours_off(row)], _ENOUGH_OF_SOME
    elif field not in _TOPICS:
        yield [row for row in others if _is_another(row)], _ENOUGH_OF_FEW if field == "headline" else _ENOUGH_OF_SOME
    elif len({row.value for row in ruled}) == 1:
        yield others, _ENOUGH
    if field in ("author", *_TOPICS):  # the neighbour's, or one of several
        theirs = (row for row in others if row.other in given and (field in _TOPICS or row.value in said))
        yield list(theirs), _ENOUGH_OF_FEW if field == "author" else _ENOUGH_OF_SOME
    if field == "headline":  # such as the portal's name behind each, or the ways that lead to it before
        yield [row for row in others if row.other in row.value], _ENOUGH


def _parts(title: str) -> set[str]:
    """Its words, or its pairs of letters where it has no blanks."""
    letters = folded(title)
    return set(map(folded, title.split())) if title.count(" ") > 1 else {letters[at : at + 2] for at in range(len(letters) - 1)}


def _rest(row: _Ruled) -> str:
    return row.other.replace(row.value, "").strip()


def _in_common(field: str, values: Mapping[str, str]) -> str:
    """What nearly all of different values have: the word that names begin or end with, one among several names, a mark behind headlines,
    a label before topics."""
    if len(values) < _DIFFERENT:
        return ""
    words = [value.split() for value in values.values()]
    firsts, lasts = [each[:1] for each in words], [each[-1:] for each in words]
    is_first_label = field not in _TOPICS or all(" " in value for value in values.values())
    ways = [([whole.split("; ") for whole in values if "; " in whole], field != "articleSection")]
    ways += [(firsts, is_first_label), (lasts, field not in _TOPICS)]
    if field == "headline":
        ways = [([[value[-1]] for value in values.values() if value and not (value[-1].isalnum() or value[-1] in _ENDS)], True)]
    ways += [([[value[0]] for value in values if not value[:1].isalnum() and value], field != "headline")]
    for parts, is_telling in ways:  # else only what is marked as a label
        part, times = next(iter(Counter(chain.from_iterable(map(dict.fromkeys, parts))).most_common(1)), ("", 0))
        if times >= _NEARLY_ALL * len(values) and (is_telling or part.endswith((":", "："))):
            return part
    return ""


def _is_another_time(row: _Ruled) -> bool:
    """Of what is as it is on the page, a year or a month where that has the day, or a day where it has the time."""
    if row.other.startswith(row.value):
        is_of_day = len(row.value) == DAY < len(row.other) and not row.other[DAY:].startswith("T00:00")
        return is_of_day or len(row.value) < DAY <= len(row.other)
    (day, moment), (other_day, other_moment) = (read_iso(text, UTC) for text in (row.value, row.other))
    if moment and other_moment:
        return abs(moment - other_moment) >= _SAME_MOMENT
    return day != other_day


def _is_hours_off(row: _Ruled) -> bool:
    """As by a clock of another zone; lists may tell an age, or when an article was edited."""
    (_, moment), (_, other) = (read_iso(text, UTC) for text in (row.value, row.other))
    return moment is not None and other is not None and not (moment - other) % _SAME_MOMENT


def _days_apart(row: _Ruled) -> int | None:
    day, other = (read_iso(text, UTC)[0] for text in (row.value, row.other))
    return abs((day - other).days) if day is not None and other is not None else None


def _is_another(row: _Ruled) -> bool:
    """Another name, one with more around it or a part of it; another title: those that somebody wrote anew have words in common."""
    if row.field == "headline":
        words, others = _parts(row.value), _parts(row.other)
    else:
        words, others = (set(map(folded, text.split())) for text in (row.value, row.other))
    is_part = words < others and len(others) <= _LONGEST_NAME
    if row.field == "author" and (is_part or folded(row.other) in folded(row.value)):
        return True
    return 2 * len(words & others) < min(len(words), len(others))


def _shown(value: str) -> str:
    return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}...")
