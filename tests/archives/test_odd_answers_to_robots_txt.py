"""Whatever is answered to robots.txt: its rules are obeyed where they can be read, and where they cannot, nothing is asked."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from loopback import Loopback, answer
from scripted_portal import Crawler

RULES = b"User-agent: *\nDisallow: /closed/\n"
TEXT = RULES.decode()
OBEYED, NOTHING, ALL = ["/list", "/open/1"], [], ["/closed/1", "/list", "/open/1"]


def packed(body: bytes, coding: str) -> bytes:
    return answer(body, f"Content-Encoding: {coding}", kind="text/plain")


def raw_deflate(body: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(body) + engine.flush()


def bytes_then_end(message: bytes) -> Callable[[Any], None]:
    return lambda connection: connection.sendall(message)


def head(*lines: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode()


LONG_RULES = RULES + b"".join(b"# line %d\n" % number for number in range(500))
GZIP = gzip.compress(RULES, mtime=0)
LONG_GZIP = gzip.compress(LONG_RULES, mtime=0)
FILLING = b"# filling\n" * 49_000
ANSWERS: dict[str, tuple[Any, list[str]]] = {
    "plain": (answer(RULES, kind="text/plain"), OBEYED),
    "no type": (answer(RULES, kind=None), OBEYED),
    "a type that lies": (answer(RULES, kind="image/png"), OBEYED),
    "a charset that lies": (answer(RULES, kind="text/plain; charset=utf-16"), OBEYED),
    "a charset that nobody knows": (answer(RULES, kind="text/plain; charset=x"), OBEYED),
    "a mark of UTF-8": (answer(b"\xef\xbb\xbf" + RULES), OBEYED),
    "UTF-16 with its mark": (answer(b"\xff\xfe" + TEXT.encode("utf-16-le")), OBEYED),
    "UTF-16 of big ends with its mark": (answer(b"\xfe\xff" + TEXT.encode("utf-16-be")), OBEYED),
    "UTF-16 without mark": (answer(TEXT.encode("utf-16-le")), OBEYED),
    "UTF-16 of big ends without mark": (answer(TEXT.encode("utf-16-be")), OBEYED),
    "UTF-16 that ends in half a character": (answer(TEXT.rstrip("\n").encode("utf-16-le") + b"\n"), OBEYED),
    "UTF-8 that ends in half a character": (answer(RULES.rstrip(b"\n") + b"\xc5"), OBEYED),
    "UTF-16 that is declared": (answer(TEXT.encode("utf-16-le"), kind="text/plain; charset=utf-16"), OBEYED),
    "a NUL in its rule": (answer(RULES.replace(b"closed", b"clo\0sed")), OBEYED),
    "NULs at its ends": (answer(b"\0" + RULES + bytes(9)), OBEYED),
    "a NUL behind the star": (answer(RULES.replace(b"*", b"*\0")), OBEYED),
    "half a character": (answer(b"# \xed\xa0\x80\n" + RULES), OBEYED),
    "line ends of old": (answer(RULES.replace(b"\n", b"\r")), OBEYED),
    "an end mark of DOS": (answer(RULES + b"\x1a"), OBEYED),
    "gzip": (packed(GZIP, "gzip"), OBEYED),
    "gzip by its older name": (packed(GZIP, "x-gzip"), OBEYED),
    "gzip in capitals and blanks": (packed(GZIP, " , GZip ,"), OBEYED),
    "gzip over plain text": (packed(RULES, "gzip"), OBEYED),
    "gzip of which the end is cut": (packed(LONG_GZIP[:-200], "gzip"), NOTHING),
    "gzip without its last bytes": (packed(GZIP[:-8], "gzip"), NOTHING),
    "damaged gzip": (packed(LONG_GZIP[:30] + b"\xff" * 40 + LONG_GZIP[70:], "gzip"), NOTHING),
    "gzip of two members": (packed(gzip.compress(b"# a\n") + GZIP, "gzip"), OBEYED),
    "gzip in gzip, and both are told": (packed(gzip.compress(GZIP), "gzip, gzip"), OBEYED),
    "gzip in gzip, and one is told": (packed(gzip.compress(GZIP), "gzip"), NOTHING),
    "gzip that is told twice": (packed(GZIP, "gzip, gzip"), OBEYED),
    "gzip that nobody tells": (answer(GZIP), NOTHING),
    "deflate": (packed(zlib.compress(RULES), "deflate"), OBEYED),
    "deflate without its header": (packed(raw_deflate(RULES), "deflate"), OBEYED),
    "deflate that nobody tells": (answer(raw_deflate(b"# a\n" + RULES)), NOTHING),
    "deflate that is called nothing, and is short": (
        answer(b"SVH\xd6W8:Q\x817\xb48\xb5H71=5\xaf\xc4JA\x8b\xd7%\xb381''\xbf\xdcJA?9'\xbf85"),
        NOTHING,
    ),
    "deflate over plain text": (packed(RULES, "deflate"), NOTHING),
    "deflate that is cut": (packed(zlib.compress(LONG_RULES)[:-60], "deflate"), NOTHING),
    "deflate in gzip": (packed(gzip.compress(zlib.compress(RULES)), "deflate, gzip"), OBEYED),
    "br over plain text": (packed(RULES, "br"), NOTHING),
    "no name of a coding": (packed(RULES, "nonsense"), NOTHING),
    "identity": (packed(RULES, "identity"), OBEYED),
    "an empty coding": (packed(RULES, ""), OBEYED),
    "five codings": (packed(RULES, "gzip, gzip, gzip, gzip, gzip"), NOTHING),
    "bytes of a picture": (answer(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2", kind="image/png"), NOTHING),
    "the rule stands before 490 KB": (answer(RULES + FILLING), OBEYED),
    "the rule stands behind 490 KB": (answer(FILLING + RULES), OBEYED),
    "packed, the rule stands behind 490 KB": (packed(gzip.compress(FILLING + RULES + FILLING), "gzip"), OBEYED),
    "chunks": (bytes_then_end(head("Transfer-Encoding: chunked") + b"%x\r\n%s\r\n0\r\n\r\n" % (len(RULES), RULES)), OBEYED),
    "chunks that are cut": (bytes_then_end(head("Transfer-Encoding: chunked") + b"%x\r\n%s" % (len(RULES), RULES[:20])), NOTHING),
    "a length that is too long": (bytes_then_end(head("Content-Length: 999") + RULES), NOTHING),
    "a length that is too short": (bytes_then_end(head("Content-Length: 9") + RULES), NOTHING),
    "no length": (bytes_then_end(head() + RULES), OBEYED),
    "a page": (answer(b"<!DOCTYPE html><p>not found, but politely</p>"), ALL),
    "a page in Cyrillic": (answer("<!DOCTYPE html><title>404</title><p>нет такой страницы".encode("cp1251")), ALL),
    "nothing in it": (answer(b""), ALL),
    "204": (answer(b"", status="204 X"), ALL),
    **{status: (answer(RULES, status=f"{status} X"), NOTHING) for status in ("206", "300", "304", "408", "425", "429", "500", "503")},
    **{status: (answer(RULES, status=f"{status} X"), ALL) for status in ("400", "401", "403", "404", "410", "451")},
    "429 with much to say": (answer(b"x" * 600_000, status="429 X"), NOTHING),
    "a redirect to itself": (answer(b"", "Location: /robots.txt", status="301 X"), ALL),
    "a redirect to no address of the web": (answer(b"", "Location: mailto:a@b.example", status="301 X"), ALL),
}


@pytest.mark.parametrize(("said", "asked"), ANSWERS.values(), ids=ANSWERS)
def test_what_robots_txt_says_is_obeyed_or_nothing_is_asked(crawler: Crawler, server: Loopback, said: Any, asked: list[str]) -> None:
    crawler.portal.home = server.url
    crawler.rules = "archive: {url: HOME/list, format: urls}\n"
    server.answers |= {"/open/1": answer(), "/closed/1": answer(b"<p>closed"), "/list": answer(b"/open/1\n/closed/1\n", kind="text/plain")}
    server.answers["/robots.txt"] = said
    crawler.crawl()
    assert sorted({*server.paths()} - {"/", "/sitemap.xml"}) == asked, crawler.said
    assert asked or server.paths() == []
