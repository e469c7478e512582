"""Doubts about a corpus as a whole, or against what the portal file says of all of it: its language, its
clock, its encoding."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import NamedTuple
from zoneinfo import ZoneInfo

import orjson

from webarticlecurator.amounts import amount
from webarticlecurator.building.database import BuildDatabase, BuiltArticle
from webarticlecurator.building.document_sample import (
    ENOUGH,
    ENOUGH_OF_SOME,
    FEWEST,
    FEWEST_OF_SOME,
    NEARLY_ALL,
    PAGES,
    SAMPLE,
    SOME,
    Doubt,
    sampled,
    shown,
)
from webarticlecurator.config.article_rules import PostKind
from webarticlecurator.config.portal import Portal, PortalKind
from webarticlecurator.dates import DAY, in_reach
from webarticlecurator.dates.cldr import plain
from webarticlecurator.document.decode import codec_of
from webarticlecurator.extraction.language_guess import identify
from webarticlecurator.model.article import OLDER_SIGN
from webarticlecurator.model.outcome import NOT_THERE
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import same_language

_INDEX = linear(r"/index\.[a-z]{3,5}$")
_BARE_CLOCK = r"(?<![+-]\d)\d ?[:.h] ?{}(?!.{{0,80}}(?:[+-]\d\d|\dZ|\b[A-Z]{{3,5}}\b))"
"""A time with these minutes, and without an offset."""
_OFFSET = linear(r"(?<=\d)[+-](?!00:?00)\d\d:?\d\d$")
"""But that of UTC, which programs write anywhere."""
_DAYS = f"""{SAMPLE}
    SELECT substr(value, 1, {DAY}), url FROM sample JOIN metadata ON article = number AND NOT disagrees AND field = 'datePublished'
    WHERE value GLOB '[12][0-9][0-9][0-9]*' ORDER BY number
"""
_VALUES = f"{SAMPLE} SELECT value, url FROM sample JOIN metadata ON article = number ORDER BY number"
_LISTINGS = (
    "SELECT count(*), (SELECT count(*) FROM articles WHERE path IS NOT NULL), first_urls(url) FROM articles "
    "WHERE outcome = 'listing'"
)
_ALONE = f"""
    SELECT kind_of_post, count(*), first_urls(url) FROM
        (SELECT kind AS kind_of_post, article, count(*) AS together FROM posts WHERE kind != 'blog' GROUP BY kind, article)
    JOIN articles ON number = article GROUP BY kind_of_post HAVING count(*) >= {FEWEST} AND max(together) = 1
"""
_OLDER = (
    "SELECT count(DISTINCT number), first_urls(url) FROM articles, json_each(flags) WHERE value GLOB "
    f"'{OLDER_SIGN}*'"
)
_CUT = (
    "SELECT count(*), sum(breaks_off), first_urls(url) FILTER (WHERE breaks_off) FROM articles WHERE path "
    "IS NOT NULL"
)
_NOT_THERE = f"""
    SELECT count(*), (SELECT count(*) FROM articles WHERE path IS NOT NULL), min(reason), first_urls(url) FROM articles
    WHERE outcome = 'not-article' AND reason GLOB '{NOT_THERE}*'
"""
_WITHOUT_POSTS = (
    "SELECT count(*), sum(posts = 0), first_urls(url) FILTER (WHERE posts = 0) FROM articles WHERE path IS "
    "NOT NULL"
)
_UNSIGNED = f"""
    SELECT kind, count(*), sum(author IS NULL) AS unsigned, first_urls(url) FILTER (WHERE author IS NULL) FROM posts
    JOIN articles ON number = article WHERE kind IN ('comments', 'forum') AND NOT deleted GROUP BY kind
    HAVING unsigned >= max({FEWEST_OF_SOME}, 0.02 * count(*)) AND 2 * unsigned <= count(*)
"""


def corpus_doubts(database: BuildDatabase, portal: Portal) -> Iterator[Doubt]:
    """Give what speaks against the corpus as a whole, each with some articles that show it."""
    yield from _post_doubts(database, portal)
    yield from _page_doubts(database)
    yield from _day_doubts(database)
    yield from _list_doubts(database)
    yield from _encoding_doubts(database, portal.fetch.encoding)
    yield from _language_doubts(database, portal.language)
    of_zone = () if "\ntimezone:" in portal.effective else tuple(_time_zone_doubts(database))
    yield from of_zone or _clock_doubts(database, portal.timezone)


def _page_doubts(database: BuildDatabase) -> Iterator[Doubt]:
    """Tell that the newest captures are not what they were; that some pages end amid their text, though
    others are whole; that many which lists name say that nothing is there, though the server answered as if
    they were."""
    (documents, urls), *_ = database.rows(_OLDER)
    if documents:
        keep = amount(documents, "document keeps", "documents keep")
        yield (
            f"{keep} the text of an older capture, since in the newest the rules find a paywall, a part of "
            "it, or no article",
            orjson.loads(urls),
        )
    (documents, cut, urls), *_ = database.rows(_CUT)
    if cut and documents >= FEWEST and cut <= ENOUGH_OF_SOME * documents:
        may_be = (
            f"{cut:,} of {amount(documents, 'document')} may be cut: the page ends amid the text, and lacks "
            "the </html> of others"
        )
        yield f"{may_be}; a recheck asks for it again", orjson.loads(urls)
    (pages, documents, reason, urls), *_ = database.rows(_NOT_THERE)
    if pages >= max(FEWEST_OF_SOME, SOME * documents):
        said = (
            f"{amount(pages, 'page says', 'pages say')} that nothing is "
            f"there{reason.removeprefix(NOT_THERE)}, beside"
        )
        yield (
            f"{said} {amount(documents, 'document')}; where a reader sees an article, a recheck asks again",
            orjson.loads(urls),
        )


def _day_doubts(database: BuildDatabase) -> Iterator[Doubt]:
    """Tell that many documents of several years are of one day, as they may be of that of a change, or on
    which the site was made."""
    told = list(database.rows(_DAYS))
    days = Counter(day for day, _ in told)
    years = [int(day[:4]) for day in days]
    is_old = bool(years) and max(years) - min(years) > 1  # and no young corpus at the turn of a year
    if is_old and (most := days.most_common(1)[0])[1] >= max(2 * FEWEST, ENOUGH_OF_SOME * len(told)):
        usual, times = most
        reason = (
            f"`datePublished` is {usual} for {times:,} of {len(told):,} documents, though others are years "
            "older or younger"
        )
        yield f"{reason}: is it the day of a change?", [url for day, url in told if day == usual][:PAGES]


def _post_doubts(database: BuildDatabase, portal: Portal) -> Iterator[Doubt]:
    """Tell of rules for posts that seem to take all of them for one, or for threads what readers say below
    articles; of some posts that nobody signed; of a forum that has hardly any."""
    (documents, without, urls), *_ = database.rows(_WITHOUT_POSTS)
    if portal.kind is PortalKind.FORUM and documents >= FEWEST and without > documents / 2:
        yield (
            f"`kind: forum` says that all are threads; {without:,} of {documents:,} documents have no post",
            orjson.loads(urls),
        )
    for kind, posts, unsigned, urls in database.rows(_UNSIGNED):
        nobody = f"of {posts:,} posts ({kind}) {amount(unsigned, 'has', 'have')} no author"
        yield (
            f"{nobody}: if readers see a name there, `posts.{kind}.author` has to find it, too",
            orjson.loads(urls),
        )
    for kind, documents, urls in database.rows(_ALONE):
        yield (
            f"`posts.{kind}.item` gives just one post in each of {documents:,} documents; it must match one "
            "post, not what holds all",
            orjson.loads(urls),
        )
    if PostKind.FORUM not in portal.posts:
        return
    threads = list(
        sampled(
            database,
            20,
            f"EXISTS (SELECT 1 FROM posts WHERE article = a.number AND kind = '{PostKind.FORUM}')",
        )
    )
    below = [
        article.url
        for article in threads
        if any(block["text"] for block in article.record["blocks"] if block["type"] != "post")
    ]
    if len(below) >= FEWEST and 2 * len(below) > len(threads):
        posts = (
            f"`posts.forum` takes what stands below a text in {len(below)} of "
            f"{amount(len(threads), 'document')} that were looked at"
        )
        yield f"{posts}: if readers wrote it, it is `posts.comments`", below[:PAGES]


def _list_doubts(database: BuildDatabase) -> Iterator[Doubt]:
    """Tell that many stored pages are lists; that many documents may be some: others stand below their
    addresses, as articles do below that of their day."""
    (listings, documents, of_lists), *_ = database.rows(_LISTINGS)
    if listings >= FEWEST_OF_SOME and 3 * listings >= documents:
        reason = (
            f"{listings:,} of the pages that columns name are lists themselves, beside "
            f"{amount(documents, 'document')}"
        )
        walks = "what they list may be missing; `sections: SELECTOR` of the links to them walks them"
        yield (
            f"{reason}: {walks}, `articles: {{skip: {{url: [REGEX]}}}}` leaves them out",
            orjson.loads(of_lists),
        )
    urls = sorted(url for (url,) in database.rows("SELECT url FROM articles WHERE path IS NOT NULL"))
    folders = (
        (url, _INDEX.sub("/", url), {*urls[max(0, place - 1) : place + 3]} - {url})
        for place, url in enumerate(urls)
    )
    lists = [
        url
        for url, folder, near in folders
        if folder.endswith("/") and any(other.startswith(folder) for other in near)
    ]
    if len(lists) >= max(FEWEST, SOME * len(urls)):
        reason = f"{amount(len(lists), 'document')} may be lists, since others stand below their addresses"
        yield f"{reason}; `articles: {{skip: {{url: [REGEX]}}}}` leaves them out", lists[:PAGES]


def _encoding_doubts(database: BuildDatabase, encoding: str | None) -> Iterator[Doubt]:
    """Tell of the encoding in which the portal file has pages read, if some of them are UTF-8 all the
    same."""
    codec = codec_of(encoding) if encoding is not None else None
    if codec is None or codec == "utf-8":
        return
    misread = {url: value for value, url in database.rows(_VALUES) if _as_utf8(value, codec) != value}
    if len(misread) >= FEWEST_OF_SOME:
        value = next(iter(misread.values()))
        meant = f"{shown(value)} for {shown(_as_utf8(value, codec))}"
        yield (
            f"`fetch.encoding` misreads {amount(len(misread), 'document')} that are UTF-8, such as {meant}",
            list(misread)[:PAGES],
        )


def _language_doubts(database: BuildDatabase, language: str | None) -> Iterator[Doubt]:
    """Tell that documents are said to be in one language, by themselves or by the portal file, and their
    words are of another."""
    read = [(article, identify(article.record["text"])) for article in sampled(database, 20)]
    sure = [
        (article, spoken.language)
        for article, spoken in read
        if spoken is not None and spoken.certainty == "high"
    ]
    examples: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    others: Counter[tuple[str, str]] = Counter()
    for article, spoken in sure:
        said = _another_language(spoken, article.language) or _another_language(spoken, language)
        if said:
            others[said, spoken] += 1
            examples[said, spoken].append(article.url)
    ((said, spoken), times), *_ = others.most_common(1) or [(("", ""), 0)]
    if len(sure) < FEWEST or times < NEARLY_ALL * len(sure):
        return
    looked_at = f"{times} of {len(sure)} documents that were looked at"
    reason = f"{looked_at} say that their language is {said}, and their words are {spoken}"
    if said == language:
        reason = (
            f"the portal file says that the language is {said}, and the words of {looked_at} are {spoken}"
        )
    yield f"{reason}: `language` in the portal file says what is right", examples[said, spoken][:PAGES]


def _another_language(spoken: str, said: str | None) -> str:
    """Return the language that is said, if it is another than that of the words."""
    return said if said and not same_language(said, spoken) else ""


def _time_zone_doubts(database: BuildDatabase) -> Iterator[Doubt]:
    """Tell that times are told without an offset, where no portal file says what they mean."""
    days = [
        ((article.record["metadata"].get("datePublished") or [{}])[0], article.url)
        for article in sampled(database, 20)
    ]
    read = [
        (day["value"][len("2024-05-01T12:") :][:2], plain(day.get("raw") or ""), url)
        for day, url in days
        if day
    ]
    bare = [
        (url, raw)
        for minutes, raw, url in read
        if minutes and linear(_BARE_CLOCK.format(minutes)).search(raw)
    ]
    if len(bare) >= FEWEST and 2 * len(bare) > len(days):
        without = f"{len(bare)} of {len(days)} documents that were looked at tell a time without its offset"
        yield (
            f"{without}, such as {shown(bare[0][1])}, which counts as UTC: `timezone` in the portal file "
            "says by which clock it is",
            [url for url, _ in bare[:PAGES]],
        )


class _DatedDocument(NamedTuple):
    """A document with its time of publication, and how its page writes that."""

    moment: datetime
    has_offset: bool
    url: str


def _clock_doubts(database: BuildDatabase, zone: ZoneInfo) -> Iterator[Doubt]:
    """Tell that the times that pages tell with an offset are by another clock than that by which those
    without one are read."""
    dated = list(chain.from_iterable(map(_dated, sampled(database, 100))))
    without = sum(not each.has_offset for each in dated)
    moments = [(each.moment, each.url) for each in dated if each.has_offset and in_reach(each.moment)]
    others = [
        (moment, url) for moment, url in moments if moment.astimezone(zone).utcoffset() != moment.utcoffset()
    ]
    is_of_seasons = (
        len({moment.utcoffset() for moment, _ in moments}) > 1
    )  # and no program's one offset for winter and summer
    fewest = max(FEWEST, (ENOUGH if is_of_seasons else NEARLY_ALL) * len(moments))
    if without and len(others) >= fewest:
        moment = others[0][0]
        reason = (
            f"{len(others):,} of {len(moments):,} dates of publication with an offset are by another clock, "
            f"such as {moment.isoformat()}"
        )
        yield (
            f"`timezone` is {zone}, by which {amount(without, 'date')} without one "
            f"{'is' if without == 1 else 'are'} read; {reason}",
            [url for _, url in others[:PAGES]],
        )


def _dated(article: BuiltArticle) -> Iterator[_DatedDocument]:
    """Give the time of publication of a document, if its page writes one with an offset, or plainly
    without."""
    values = article.record["metadata"].get("datePublished") or [{"value": "", "source": ""}]
    value, raw = values[0]["value"], plain(values[0].get("raw") or "")
    if len(value) <= DAY:
        return
    as_written = not values[0]["source"].startswith(
        "listing:"
    )  # times of lists are kept by the clock of the portal
    if as_written and _OFFSET.search(raw):
        yield _DatedDocument(datetime.fromisoformat(value), True, article.url)
    if linear(_BARE_CLOCK.format(value[len("2024-05-01T12:") :][:2])).search(raw):
        yield _DatedDocument(datetime.fromisoformat(value), False, article.url)


def _as_utf8(text: str, codec: str) -> str:
    try:
        return text.encode(codec).decode()
    except UnicodeError:
        return text
