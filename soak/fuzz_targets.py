"""What is fuzzed: for each reader the inputs that are made up for it, and what must hold whatever they are."""

from __future__ import annotations

import json
import math
import random
import re
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from random import Random
from shutil import copy
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from zoneinfo import ZoneInfo

import any_article
import orjson
import seams
import yaml
from accounting import assert_nothing_is_lost, body_of
from any_html import HTML, LAYERS
from any_message import messages
from arc_files import arc_file, arc_record
from crawling import Crawling, crawling
from documents import capture_of
from feeds_and_sitemaps import DOCUMENTS
from feeds_and_sitemaps import PORTALS as FEED_PORTALS
from feeds_and_sitemaps import read as read_feed
from hypothesis import strategies as st
from mutants import mutants_of
from strange_events import spoil_one_event

from soak import ROOT
from soak.broken_pages import BROKEN_PAGES, PORTALS, outcome_of
from webarticlecurator import Capture, CorpusError, PatternTimeout, PortalFileError, UsageError, load_portal

NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
_URL = "https://pelda.example/cikk/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One reader (or writer) that is given whatever comes."""

    promise: str
    """What holds for every input."""
    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]
    """Raises where the promise is broken."""
    seeds: Callable[[], Sequence[bytes]] | None = None
    """Where the input is bytes: what a fuzzer that is guided by coverage begins with."""
    seconds: float = 5.0
    """Of CPU that one input may take: many times what the worst known takes."""


# --- decoding ---

_TYPES = (
    *("text/html", "text/html; charset=utf-8", "text/html; charset=iso-8859-2", "text/html; charset=utf-16", "text/html; charset=x"),
    *("text/html; charset=big5", "text/html; charset=utf-7", "text/html; charset=shift_jis", "text/html; charset='", ""),
)
_CODINGS = ("", "", "gzip", "deflate", "gzip, deflate", "br", "identity", "x-gzip,gzip,gzip,gzip")
_RULES = (None, None, None, "iso-8859-2", "utf-16", "nonsense", "idna")
_TEXT = "<html><head><meta charset='iso-8859-2'></head><body><p>Árvíztűrő tükörfúrógép, ☃ 文字</p></body></html>"


@cache
def _encoded() -> tuple[bytes, ...]:
    bodies = [_TEXT.encode(name, "replace") for name in ("utf-8", "utf-8-sig", "iso-8859-2", "utf-16", "big5", "shift_jis", "utf-7")]
    packed = [
        b"\x00\x02" + seams.pack(bodies[0]),
        b"\x00\x03" + zlib.compress(bodies[0]),
        b"\x00\x04" + zlib.compress(seams.pack(bodies[1])),
    ]
    return (*(bytes([number]) + b"\x00" + body for number, body in enumerate(bodies)), *packed)


def _decodes(data: bytes) -> None:
    first, second, body = (*data[:2].ljust(2, b"\0"), data[2:])
    kind, coding, rule = _TYPES[first % len(_TYPES)], _CODINGS[second % len(_CODINGS)], _RULES[(first + second) % len(_RULES)]
    capture = capture_of(body, mime=kind)
    capture = Capture(
        url=_URL, requested_url=_URL, status=200, date=NOW, entity=body, headers=(*capture.headers, ("Content-Encoding", coding))
    )
    found = seams.decode(capture, encoding=rule)
    if isinstance(found, seams.NoPage):
        assert found.reason
    else:
        _is_text(found)
    assert len(seams.unpacked_body(capture, 100)) <= 100
    assert "a".encode(seams.codec_for(body[:1000], kind, rule))


def _is_text(found: Any) -> None:
    assert seams.codec_of(found.encoding), found.encoding
    found.text.encode()
    assert found.utf8 is None or found.utf8.decode() == found.text


# --- JSON-LD ---

_JSON_SEEDS = (
    b'{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "A \\"b\\" \\u00e1", "author": [{"name": "A"}], "n": -1.5e3}',
    b'[{"a": "x "y" z", b: undefined,,}, // c\n {"d": "\\ud83d\\ude00 \\ud800"}]',
    b'<!--{"@graph": [{"@id": "#a"}, null, true, NaN]}-->', b'{"a": "line\nbreak", "b": {"c": [1, 2, {"d": []',
    b'{&quot;a&quot;: &quot;b&quot;}{"c": 1}',
)  # fmt: skip
_JSON_PIECES = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\\ud800", b"\\u", b"//", b"/*", b"*/", b"<!--", b"1e999", b"-", b"null", b"\xff",
)  # fmt: skip
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


def _repairs(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    values = seams.page_of(f'<script type="application/ld+json">{text}</script>', "https://pelda.example/").json_ld
    for value in values:
        _is_data(value)
    with suppress(ValueError):
        whole = json.loads(text, parse_constant=_no_constant)
        if isinstance(whole, (dict, list)) and "<" not in text:
            assert _without_surrogates(whole) in (values, values[0] if values else None), (values, whole)


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _without_surrogates(value: Any) -> Any:
    """JSON may hold halves of characters, which no text of ours has."""
    if isinstance(value, dict):
        return {_without_surrogates(name): _without_surrogates(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_without_surrogates(one) for one in value]
    return re.sub("[\ud800-\udfff]", "\ufffd", value) if isinstance(value, str) else value


def _is_data(value: Any) -> None:
    if isinstance(value, dict):
        for name, one in value.items():
            assert isinstance(name, str)
            _is_data(one)
    elif isinstance(value, list):
        for one in value:
            _is_data(one)
    else:
        assert value is None or isinstance(value, (str, bool, int, float))


# --- dates ---

_ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d|Z))?)?)?")
_WORDS = (
    *(
        "2024", "1", "31", "05", "24", "12:30", "24:00", "13:61", "május", "May", "mai", "tegnap", "yesterday", "3 hours ago",
        "ma 14:05", "am", "p.m.",
    ),
    *(
        "CEST", "+02:00", "-23:59", "GMT+15", "Z", "T", ",", ".", "-", "/", "年", "月", "日", "0001", "9999", "1850", "00", "99",
        "1714557600", "of", "²", "٣",
    ),
)  # fmt: skip
_DATES = st.tuples(
    st.one_of(
        st.lists(st.sampled_from(_WORDS), max_size=9).flatmap(lambda words: st.sampled_from([" ", "", "-",
            ". "]).map(lambda glue: glue.join(words))),
        st.text(max_size=60),
        st.datetimes(timezones=st.none() | st.timezones()).map(str),
    ),
    st.one_of(
        st.sampled_from(["auto", "iso", "d. MMMM yyyy H:mm", "yyyy. MMMM d. HH:mm", "HH:mm", "MMMM d.", "dd/MM/yy", "h:mm a z",
            "EEEE, d MMM y", "D"]),
        st.text(alphabet="yYMLdDEecahHKkmsSAzZOvVXxGQqwWF '.:,/-", max_size=25),
    ),
    st.sampled_from([None, "hu", "en", "en-US", "de", "fr", "cs", "ru", "tr", "ar", "fa", "ja", "zh", "hi", "th", "x-klingon",
        "not a language"]),
    st.sampled_from(["Europe/Budapest", "UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "Africa/Monrovia"]),
    st.sampled_from([None, NOW, datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC),
        datetime(2024, 3, 31, 1, 30, tzinfo=UTC)]),
)  # fmt: skip


def _reads_date(given: tuple[str, str, str | None, str, datetime | None]) -> None:
    text, pattern, language, zone, now = given
    values = []
    with suppress(seams.DateFormatError):
        found = seams.find_date([seams.DateFormat.parse(pattern)], text, language=language, timezone=ZoneInfo(zone), now=now)
        values += [found] if found is not None else []
    if now is not None:
        found = seams.find_relative(text, language=language, timezone=ZoneInfo(zone), now=now)
        values += [found] if found is not None else []
    for one in values:
        assert _ISO.fullmatch(one.value), one
        assert seams.latest_moment(one.value) or one.value[:4] in ("0001", "9999"), one
        assert one.written
    with suppress(seams.DateFormatError):
        assert isinstance(seams.format_date(date(2024, 2, 29), pattern, language), str)


# --- picks and portal files ---


def _mostly(usual: list[str], odd: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """One in five is odd: where one part is refused, nobody sees what the others do."""
    return st.integers(0, 4).flatmap(lambda number: odd if number == 4 else st.sampled_from(usual))


_PICK_PAGE = """<html lang="hu"><head><meta property="og:title" content="Híd"><link rel="author" href="/anna">
<script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "Anna"}, "keywords": ["a", "b"]}</script>
<script>var a = {"id": 12, "x": [1, 2]};</script></head><body><h1 class="a b">Híd | Példa</h1>
<div data-html="&lt;a href=/c&gt;c&lt;/a&gt;"><a href="/1">1</a> <a class="active" href="/2">2</a> <a rel="next" href="/3">3</a></div>
<p class="date">2024. május 1. 12:30</p><ul><li><a href="/c/1">egy</a> Írta: Anna,
    Béla</li><li><a href="//x[">két</a></li></ul></body></html>"""
_SELECTORS = _mostly(
    ["a", "li", "p.date", "h1", "div > a", "li:has(a)", "a:not(.active)", "p:contains('máj')", "*", ":root", "a:nth-child(2n+1)", "[rel]"],
    st.text(alphabet="abip.#[]=:()>+~*, '\"\\-2n", max_size=20),
)
_PATTERNS = _mostly([r"(\d+)", "^Írta: ", ", ", r"(?P<a>a)|b", "(a|aa)+$", r"\w+"], st.text(alphabet=r"ab(\d)[]+*?|^${}.,", max_size=12))
_TEXTS = st.text(min_size=1, max_size=8)
_KEYS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("css", "within", "without", "when", "unless"), _SELECTORS),
    "json": st.sampled_from(["a", "x[0]", "keywords", "@", "[*].a", "a[", "length(@)", "join(',', keywords)"]),
    "html_in": st.sampled_from(["data-html", "href", "a.b"]),
    **dict.fromkeys(("meta", "head_link", "jsonld", "listing", "const"), st.sampled_from(["og:title", "author", "author.name",
    "keywords", "title"]) | _TEXTS),
    **dict.fromkeys(("script", "page_url", "match"), _PATTERNS),
    "having": st.dictionaries(st.sampled_from(["text", "href", "class"]), _PATTERNS, min_size=1, max_size=2),
    "page_number": st.fixed_dictionaries({"step": st.integers(-2, 3)}, optional={"current": _SELECTORS}),
    "attr": st.sampled_from(["href", "class", "data-html", "rel", "nope"]),
    "own_text": st.booleans(),
    "split": _PATTERNS,
    "replace": st.lists(st.tuples(_PATTERNS, st.sampled_from(["", r"\g<0>", "x", "y"])).map(list), min_size=1, max_size=2),
    "map": st.dictionaries(_TEXTS, _TEXTS, min_size=1, max_size=2),
    "drop": st.lists(_TEXTS, min_size=1, max_size=2),
    "make_url": st.sampled_from(["https://x.example/{value}", "/{value}?{value}", "{", "{x}"]),
    "date": st.sampled_from(["auto", "iso", "yyyy. MMMM d. HH:mm"]) | st.lists(st.text(alphabet="yMdHm. '", max_size=12), max_size=2),
    "take": st.sampled_from(["first", "all", "last", "rest", "min", "max", 2, -1, 0]),
}  # fmt: skip
_WHERE = ("css", "css", "css", "json", "html_in", "meta", "head_link", "jsonld", "script", "page_url", "listing", "const")
_HOW = sorted({*_KEYS} - {*_WHERE})
_ONE_PICK = _SELECTORS | st.tuples(st.sampled_from(_WHERE), st.lists(st.sampled_from(_HOW), max_size=3)).flatmap(
    lambda names: st.fixed_dictionaries({name: _KEYS[name] for name in (names[0], *names[1])})
)
_PICKS = (
    _ONE_PICK | st.lists(_ONE_PICK, min_size=1, max_size=3) | st.lists(_ONE_PICK, min_size=1, max_size=2).map(lambda all_: {"all_of": all_})
)
_FIELDS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("headline", "author", "datePublished", "keywords", "image", "articleSection", "wordCount"), _PICKS)
)


def _picks(given: tuple[dict[str, Any], dict[str, Any]]) -> None:
    metadata, archive = given
    rules = {
        "portal": "pelda", "home": "https://pelda.example/", "language": "hu", "timezone": "Europe/Budapest",
        "archive": {"url": "https://pelda.example/lista/{page}", **archive}, "metadata": metadata,
    }  # fmt: skip
    portal = _loaded(yaml.safe_dump(rules, allow_unicode=True).encode())
    if portal is None:
        return
    page = seams.page_of(_PICK_PAGE)
    with suppress(PatternTimeout):
        for found in seams.pick_fields(portal.metadata, seams.PageContext.whole(page, portal)).values():
            assert all(one.value and one.raw is not None for one in found)
            assert all(one.value.encode() is not None for one in found)
    with suppress(PatternTimeout):
        for link in seams.read_archive_page(page, portal.columns[0], portal).articles:
            assert seams.is_http(link.url)


def _loaded(content: bytes) -> Any:
    """The portal, or nothing where its mistakes are told, each at its place."""
    try:
        return load_portal(Path(_empty_folder()) / "portal.yaml", content=content)
    except PortalFileError as error:
        lines = content.count(b"\n") + content.count(b"\r") + content.count("\u2028".encode()) + content.count("\x85".encode()) + 1
        assert error.mistakes
        assert all(one.message and one.column >= 1 and (1 <= one.line <= lines or one.file.name != "portal.yaml") for one in error.mistakes)
    except UsageError as error:
        assert str(error)
    return None


@cache
def _empty_folder() -> str:
    return mkdtemp(prefix="soak-")


@cache
def _portal_files() -> tuple[bytes, ...]:
    places = ("tests/portal_file/broken/*.yaml", "site_configs/**/*.yaml", "examples/**/*.yaml", "benchmarks/workshop/*.yaml")
    return tuple(path.read_bytes() for pattern in places for path in sorted(ROOT.glob(pattern)))


_YAML_PIECES = (
    *(
        b"&a ", b"*a", b"<<: *a", b"!!python/object:os.system ", b"? ", b"- ", b": ", b"#", b"|", b">", b"%YAML 1.1\n---\n", b"\t",
        b"null", b"~",
    ),
    *(b"{", b"}", b"[", b"]", b"'", b'"', b"\xff", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"0x1F", b"1e999", b"2024-02-30", b"\x00", b"@", b"`"),
    *(
        b"extends: wordpress\n", b"extends: [portal.yaml, ../x.yaml]\n", b"key+: [a]\n", b"columns: {a: {}}\n", b"{year}", b"{{",
        b"(a|", b":has(",
    ),
)  # fmt: skip


def _loads(data: bytes) -> None:
    portal = _loaded(data)
    if portal is not None:
        again = _loaded(portal.effective.encode())
        assert again is not None, portal.effective
        assert again.effective == portal.effective


# --- bodies and documents ---


def _rewrites(given: tuple[str, list[seams.TagLayer], str]) -> None:
    html, layers, headline = given
    assert_nothing_is_lost(body_of(html), layers, headline)


def _writes(given: tuple[Any, Any]) -> None:
    article, portal = given
    for shown in (article, replace(article, posts=())):
        document = seams.render(shown, portal, template=seams.load_template("default"), rules_digest="d", now=date(2024, 1, 1))
        assert seams.faults_of(document) == ()


def _reads_page(given: tuple[bytes, Any, str]) -> None:
    page, portal, mime = given
    outcome_of(capture_of(page, mime=mime), portal)


# --- the store ---


@cache
def _corpus() -> Crawling:
    """Crawled once, and left as it is; what the crawl draws by chance is nothing that hypothesis may find drawn in its strategies."""
    drawn_so_far = random.getstate()
    with crawling(Path(mkdtemp(prefix="soak-")), articles=16, columns=("belfold", "regi")) as site:
        site.crawl()
        _ = site.file
    random.setstate(drawn_so_far)
    return site


@cache
def _warc_files() -> tuple[bytes, ...]:
    """Of ours, small, packed and not; and an ARC file."""
    small = [path.read_bytes() for path in _corpus().warcs]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.warc.gz"
        path.write_bytes(small[0])
        records = list(seams.read_records(path))[:5]
    plain = b"".join(record.head + record.block + b"\r\n\r\n" for record in records)
    packed = b"".join(seams.pack(record.head + record.block + b"\r\n\r\n") for record in records)
    arc = arc_file([arc_record(), arc_record("http://a.example/b")])
    return (b"\x00" + packed, b"\x01" + plain, b"\x02" + arc, b"\x03" + plain)


_WARC_PIECES = (
    *(b"WARC/1.1\r\n", b"\r\n\r\n", b"Content-Length: 0\r\n", b"Content-Length: 99999999999999999999\r\n", b"WARC-Type: revisit\r\n",
    b"\x1f\x8b\x08\x00"),
    *(b"WARC-Concurrent-To: <x>\r\n", b"WARC-Block-Digest: sha1:AAAA\r\n", b"WARC-Segment-Number: 2\r\n",
    b"WARC-Truncated: length\r\n", b"\n", b"\x00"),
    *(b"WARC-Date: 2024-13-45T99:99:99Z\r\n", b"WARC-Target-URI: http://[::1/\r\n", b"curator-event: {", b"HTTP/1.1 200 OK\r\n",
    b"filedesc://"),
)  # fmt: skip
_NAMES = ("a.warc.gz", "a.warc", "a.arc", "a.warc.gz")


def _reads_warc(data: bytes) -> None:
    kind, content = (data[0] % len(_NAMES), data[1:]) if data else (0, b"")
    if kind == 3:  # whole members of damaged records
        content = b"".join(seams.pack(one) for one in re.split(rb"(?=WARC/1\.)", content) if one)
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / _NAMES[kind]
        path.write_bytes(content)
        told: list[Any] = []
        for record in seams.read_records(path, on_damage=told.append):
            assert 0 <= record.offset <= record.end <= len(content)
        for one in told:
            assert one.reason
            assert 0 <= one.offset <= len(content)
        for reader in (seams.read_exchanges, seams.read_warc, seams.list_exchanges):
            assert list(reader(path, on_damage=told.append)) is not None
        with suppress(CorpusError):
            list(seams.read_records(path))
        with closing(seams.Checker()) as checker:
            assert all(finding.message for finding in checker.check([path]))
        whole = list(seams.read_exchanges(path, on_damage=told.append))
        if kind == 0:
            left_open = path.rename(path.with_name(f"{path.name}.open"))
            assert seams.repair(left_open, 0) >= 0
            if whole:
                assert list(seams.read_exchanges(path, on_damage=told.append)) == whole


def _reads_events(number: int) -> None:
    chance = Random(number)
    site = _corpus()
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        corpus = Path(folder) / "corpus"
        (corpus / "warc").mkdir(parents=True)
        spoilt = {chance.choice(site.warcs) for _ in range(2)}
        for warc in site.warcs:
            copied = Path(copy(warc, corpus / "warc"))
            if warc in spoilt:
                spoil_one_event(copied, chance)
        try:
            seams.index(_portal_of_corpus(), corpus=corpus)
        except CorpusError as error:
            assert re.search(r"\.warc\.gz: byte \d+: ", str(error)), error


@cache
def _portal_of_corpus() -> Any:
    (file,) = _corpus().folder.glob("*.yaml")
    return load_portal(file)


# --- what comes over the network ---

_MESSAGES = (
    b"\x00HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
    b"\x05HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: 1\r\n\r\n",
    b"\x02HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 304 Not Modified\r\nX-Raw: \xff\r\n folded\r\n\r\n",
    b"\x03GET /a HTTP/1.1\r\nHost: a\r\nCookie: secret\r\n more\r\nAuthorization : x\r\n\r\nbody",
    b"\x01HTTP/1.1 429 X\r\nRetry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\nContent-Length: 0\r\n\r\n",
)  # fmt: skip
_MESSAGE_PIECES = (
    b"\r\n", b"\n", b"\r", b": ", b"chunked", b"0\r\n\r\n", b"ffffffffffffffff\r\n", b"Content-Length: -1\r\n", b" ", b"\x00", b"\xff",
    b"HTTP/1.1 1",
)  # fmt: skip


def _takes_apart(data: bytes) -> None:
    piece, message = (data[0] % 7 + 1, data[1:]) if data else (1, b"")
    for method in ("GET", "HEAD"):
        whole = seams.parse_response(message, method)
        growing = bytearray()
        reader = seams.ResponseReader(method, growing)
        for start in range(0, len(message), piece):
            growing += message[start : start + piece]
            reader.advance()
        assert reader.response() == whole, (reader.response(), whole)
        if whole is not None:
            assert len(whole.entity) <= len(message)
            assert 100 <= whole.status <= 999
            for _, value in whole.headers:
                waiting = seams.read_retry_after(value, NOW)
                assert waiting is None or (math.isfinite(waiting) and waiting >= 0)
    seams.parse_request(message)
    shown, names = seams.redact(message)
    as_answer = seams.parse_response(b"HTTP/1.1 200 OK\r\n" + shown.partition(b"\n")[2], "HEAD")
    for name, value in as_answer.headers if as_answer is not None else ():
        assert name.lower() not in seams.SECRET_HEADERS or value == "[redacted]", (name, value)
    assert len(names) <= message.count(b"\n")


def _reads_feed(given: tuple[str, bytes]) -> None:
    name, body = given
    read_feed(body, name)


def _joins(given: tuple[str, str]) -> None:
    base, reference_ = given
    joined = seams.join(base, reference_)
    if joined is not None and seams.is_http(joined):
        assert joined.isascii()
        assert not set(joined) & set(' "<>\\^`{|}\t\r\n')
        assert seams.bare_host(joined)
        assert seams.normalise(seams.normalise(joined)) == seams.normalise(joined)
        assert seams.join(base, joined) == joined


_ADDRESS = st.one_of(
    st.text(alphabet="aZ0/.%?#&=:@[]{}\\ éő\t~-_'\"+41;|", max_size=40),
    st.text(max_size=40),
    st.lists(st.sampled_from(["https:", "http://", "//", "[::1]", "[", "]", "@", ":80", "xn--", "ß.example", "%zz", "..", "/", "?",
        "#", "\u2028"]), max_size=8).map("".join),
)  # fmt: skip

TARGETS: dict[str, Target] = {
    "decode": Target(
        promise="every body is a text in a known encoding, or has a reason why it is none",
        inputs=mutants_of(_encoded, (b"\xff\xfe", b"\x1f\x8b", b"<meta charset=utf-16>", b"\xed\xa0\x80", b"+AGE-"), most=20_000),
        check=_decodes,
        seeds=_encoded,
    ),
    "JSON-LD": Target(
        promise="broken JSON is mended into data, or is none; whole JSON is read as Python reads it",
        inputs=mutants_of(lambda: _JSON_SEEDS, _JSON_PIECES, most=5_000) | _JSON.map(orjson.dumps),
        check=_repairs,
        seeds=lambda: _JSON_SEEDS,
    ),
    "dates": Target(
        promise="what is read from any text by any pattern is a date in ISO 8601, or nothing", inputs=_DATES, check=_reads_date
    ),
    "picks": Target(
        promise="a pick is refused with its mistakes, or gives clean values and web addresses",
        inputs=st.tuples(_FIELDS, st.fixed_dictionaries({"link": _PICKS}, optional={"item": _PICKS, "fields": _FIELDS})),
        check=_picks,
        seconds=15.0,
    ),
    "portal files": Target(
        promise="a file is a portal that can be written and read again, or all its mistakes are told at their lines",
        inputs=mutants_of(_portal_files, _YAML_PIECES, most=20_000),
        check=_loads,
        seeds=_portal_files,
        seconds=15.0,
    ),
    "rewriting": Target(
        promise="every character of a body is kept, or dropped by a rule, and all blocks fit the model",
        inputs=st.tuples(HTML, LAYERS, st.sampled_from(["", "két szó", "a"])),
        check=_rewrites,
    ),
    "TEI": Target(
        promise="every article makes a valid document, also without its posts, and with other names",
        inputs=st.tuples(any_article.articles, any_article.portals),
        check=_writes,
    ),
    "pages": Target(
        promise="every page has an outcome with a reason, or is a valid document",
        inputs=st.tuples(
            BROKEN_PAGES,
            st.sampled_from(PORTALS),
            st.sampled_from(["text/html", "text/html; charset=iso-8859-2", "text/html; charset=utf-16", ""]),
        ),
        check=_reads_page,
        seconds=20.0,
    ),
    "WARC": Target(
        promise="whole records are read, damage is told with its place, and a repair keeps every whole exchange",
        inputs=mutants_of(_warc_files, _WARC_PIECES, most=100_000),
        check=_reads_warc,
        seeds=_warc_files,
    ),
    "events": Target(
        promise="a strange event makes no difference, or the file and the byte are named",
        inputs=st.integers(0, 2**48),
        check=_reads_events,
        seconds=10.0,
    ),
    "HTTP messages": Target(
        promise="a message is read alike in one piece and in many, and no secret is left in what is stored of it",
        inputs=st.tuples(st.integers(0, 255), messages()).map(lambda pair: bytes([pair[0]]) + pair[1])
        | mutants_of(lambda: _MESSAGES, _MESSAGE_PIECES, most=20_000),
        check=_takes_apart,
        seeds=lambda: _MESSAGES,
    ),
    "feeds and sitemaps": Target(
        promise="what is listed is read as far as it goes, or there is a reason why nothing is",
        inputs=st.tuples(
            st.sampled_from(sorted(FEED_PORTALS)),
            mutants_of(
                lambda: [one.encode() for one in DOCUMENTS.values()],
                (b"<item>", b"</", b"<![CDATA[", b"]]>", b"<!--", b"&#x110000;", b"null", b"\x00"),
            ),
        ),
        check=_reads_feed,
    ),
    "addresses": Target(
        promise="whatever a page links to is a clean address that stays as it is when it is read again, or none",
        inputs=st.tuples(st.sampled_from([_URL, "https://pelda.example/a/?b#c"]) | _ADDRESS, _ADDRESS),
        check=_joins,
    ),
}
