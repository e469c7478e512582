"""What a line of a web archive's index says: CDX with or without its header, CDXJ, JSON; and which article is meant by that."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import BinaryIO, NamedTuple

import orjson

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal, fitting_column
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.url_rules import article_url, identity_of
from webarticlecurator.http.message import GZIP_MAGIC
from webarticlecurator.model.links import RefusedLink
from webarticlecurator.urls import MAX_LENGTH, any_spelling, bare_host, host_allowed, is_http, normalise, split

DAMAGED = (EOFError, OSError, zlib.error)
"""What a packed file may lead to that is cut or spoilt."""
_LONGEST = 64 << 10
_HEADER = re.compile(r" CDX((?: [A-Za-z])+)")
_WITHOUT_HEADER = {11: "NbamskrMSVg", 9: "NbamskrVg", 7: "NbamskS"}
"""Number of fields -> what they are."""
_TOLD = ["url", "timestamp", "mime", "status", "digest", "length", "offset", "filename"]
_NAMES = dict(zip("abmskSVg", _TOLD, strict=True)) | {"original": "url", "mimetype": "mime", "statuscode": "status"}
_HTML = ("text/html", "application/xhtml+xml")


class IndexLine(NamedTuple):
    """One capture."""

    url: str
    moment: datetime
    mime: str
    status: str
    digest: str
    length: str
    offset: str
    filename: str

    @property
    def kind(self) -> str:
        """Whether it is a page, or the revisit of one, or why neither."""
        if self.mime == "warc/revisit":
            return "revisits"
        if self.status == "200":
            return "pages" if self.mime in _HTML else "other types"
        return "redirects" if self.status.startswith("3") else "errors"


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Line by line, packed or not, to the end; one that is too long is given as what can be none."""
    with file:
        is_packed = file.read(2) == GZIP_MAGIC
        file.seek(0)
        plain = gzip.GzipFile(fileobj=file) if is_packed else file
        while line := plain.readline(_LONGEST):
            yield line if line.endswith(b"\n") or len(line) < _LONGEST else b"?"
            while len(line) == _LONGEST and not line.endswith(b"\n"):
                line = plain.readline(_LONGEST)


def captures_in(lines: Iterable[bytes]) -> Iterator[IndexLine | None]:
    """What each tells; None of what is no line of an index. Headers are heeded, and passed over with empty lines."""
    names: Sequence[str] = ()
    for raw in lines:
        line = raw.decode("utf-8", "replace").strip("\r\n")
        try:
            if header := _HEADER.fullmatch(line.rstrip()):
                names = header[1].split()
            elif " {" in (spaced := f" {line}"):
                key, _, text = spaced.partition(" {")
                fields = orjson.loads(f"{{{text}")
                yield _capture(["timestamp", *fields], [key.rpartition(" ")[2], *fields.values()])
            elif line.strip():
                values = line.split(" ")
                yield _capture(names or _WITHOUT_HEADER.get(len(values), ""), values)
        except orjson.JSONDecodeError:
            yield None


def _capture(names: Sequence[str], fields: Collection[object]) -> IndexLine | None:
    pairs = zip(names, fields, strict=False) if len(names) == len(fields) else ()
    values = {_NAMES.get(name, name): str(value) for name, value in pairs if isinstance(value, (str, int))}
    url, stamp = values.get("url", ""), values.get("timestamp", "")
    moment = moment_of(stamp)
    if moment is None or len(url) > MAX_LENGTH or not is_http(url) or not url.isprintable() or " " in url:
        return None
    mime = values.get("mime", "").partition(";")[0].strip().lower()
    rest = (values.get(name, "")[:MAX_LENGTH] for name in _TOLD[3:])
    return IndexLine(url, moment, mime if "/" in mime else values.get("mime-detected", mime), *rest)


def moment_of(stamp: str) -> datetime | None:
    """Of 14 digits."""
    try:
        return datetime.fromisoformat(f"{stamp[:8]}T{stamp[8:]}+00:00") if len(stamp) == 14 else None
    except ValueError:
        return None


def article_of(url: str, portal: Portal) -> tuple[str, str] | str:
    """The portal's article at a captured address: as the portal would write that, and what all spellings of its identity have in common;
    or why there is none."""
    if not host_allowed(url, (), portal.asked_hosts):
        return "other hosts"
    home = split(portal.home)
    if bare_host(url) == bare_host(portal.home):  # the archive may have seen it by http, with another port, with `www.`
        url = str(split(url)._replace(scheme=home.scheme, authority=home.authority))
    try:
        with Budget():
            article = article_url(url, portal.article_urls, portal)
            if isinstance(article, RefusedLink):
                return "no articles by the portal file"
            normal = normalise(article)
            identity = any_spelling(identity_of(normal, portal))
        if any_spelling(normal) == any_spelling(normalise(portal.home)) or fitting_column(portal, normal) is not None:
            return "archive pages"
    except PatternTimeout:
        return "addresses on which a rule took too long"
    return normal, identity
