"""What surrounds a crawl fails or changes: network, names, certificates, clocks, databases that are in use, the portal file itself."""

from __future__ import annotations

import datetime as dt
import errno
import os
import shutil
import socket
import sqlite3
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

from crawling import Crawling, crawling, exit_code
from loopback import Loopback
from seams import ExitCode, connections, politeness, robots

from soak import commands
from soak.cases import Case, Limits, Outcome
from soak.facts import Facts, compared, compared_files, facts_of
from soak.kills import built_files, stored, stored_and_built
from webarticlecurator import CorpusError, CrawlSummary, load_portal
from webarticlecurator import crawl as crawl_portal

_COLUMNS = ("belfold", "english", "naptar")
_START = datetime(2024, 6, 1, 12, tzinfo=UTC)
_LONGEST_BEGINNING = 60.0
"""Seconds that a command may take to read its portal file on a busy machine."""


@contextmanager
def _portal(folder: Path, columns: tuple[str, ...] = _COLUMNS) -> Iterator[tuple[Crawling, Facts, Callable[[int], Crawling]]]:
    """A portal, what an undisturbed crawl holds of it, and what gives the place of the next crawl."""
    with crawling(folder, articles=24, page_size=3, columns=columns) as site:
        if exit_code(site.crawl(now=lambda: _START)) is not ExitCode.OK:
            raise RuntimeError("an undisturbed crawl was not complete")

        def another(number: int) -> Crawling:
            there = folder / f"{number}"
            there.mkdir()
            return Crawling(site.portal, there, columns=site.columns)

        yield site, facts_of(site.corpus), another


def _finished(found: Outcome, there: Crawling, whole: Facts, now: Callable[[], datetime] = lambda: _START) -> None:
    """The next crawl, undisturbed, makes it whole."""
    code = exit_code(there.crawl(now=now))
    found.broken += [] if code is ExitCode.OK else [f"the undisturbed crawl after it ended with {code}"]
    found.add(compared(facts_of(there.corpus), whole))
    shutil.rmtree(there.folder)


# --- the network ---


class _MovedTime(threading.Event):
    """A clock, and a stop signal, whose waits take no time: so minutes without a network are over at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def clock(self) -> float:
        self.now += 0.05
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0.0
        return self.is_set()


@contextmanager
def _outage(time: _MovedTime, port: int, since: float, until: float, error: Callable[[], Exception]) -> Iterator[None]:
    """Between these moments no connection is made, and those that were made carry nothing."""
    with ExitStack() as patched:
        for name, of in (("sendall", _peer_port), ("connect", _port_asked_for)):
            patched.enter_context(patch.object(socket.socket, name, _failing(name, of, time, port, since, until, error), create=True))
        resolve = socket.getaddrinfo

        def resolved(host: Any, *words: Any, **more: Any) -> Any:
            if since <= time.now < until and isinstance(error(), socket.gaierror):
                raise error()
            return resolve(host, *words, **more)

        patched.enter_context(patch.object(socket, "getaddrinfo", resolved))
        for module in (politeness, robots):
            patched.enter_context(patch.object(module, "time", SimpleNamespace(monotonic=time.clock)))
        yield


def _failing(
    name: str, port_of: Callable[..., int], time: _MovedTime, port: int, since: float, until: float, error: Callable[[], Exception]
) -> Callable[..., Any]:
    real = getattr(socket.socket, name)

    def failing(of: socket.socket, *words: Any) -> Any:
        if since <= time.now < until and port_of(of, *words) == port:
            raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH)) if isinstance(error(), socket.gaierror) else error()
        return real(of, *words)

    return failing


def _peer_port(of: socket.socket, *_: Any) -> int:
    try:
        return int(of.getpeername()[1])
    except (OSError, IndexError):
        return 0


def _port_asked_for(_: socket.socket, address: Any, *__: Any) -> int:
    return int(address[1]) if isinstance(address, tuple) else 0


def _without_network(folder: Path, limits: Limits, error: Callable[[], Exception]) -> Outcome:
    found, chance = Outcome(), Random(5)
    with _portal(folder) as (site, whole, another):
        port = int(site.portal.home.rpartition(":")[2])
        for number in limits.numbers():
            there, time = another(number), _MovedTime()
            since = time.now + chance.uniform(1, 40)
            with _outage(time, port, since, since + chance.choice([20, 120, 600, 3600]), error):
                summary = there.crawl(stop=time, now=lambda: _START)
            found.times += 1
            lacking = {url for url in whole.urls if there.outcomes.get(url) != "fetched"}
            if lacking and exit_code(summary) is ExitCode.OK:
                found.broken.append(f"exit code 0, though {len(lacking)} articles are lacking")
            _finished(found, there, whole)
    return found


def network_cut(folder: Path, limits: Limits) -> Outcome:
    return _without_network(folder, limits, lambda: OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH)))


def no_names(folder: Path, limits: Limits) -> Outcome:
    return _without_network(folder, limits, lambda: socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"))


# --- TLS ---


def certificate_expires(folder: Path, limits: Limits) -> Outcome:
    """In the middle of a crawl the server shows a certificate that is over; later it has a new one."""
    found = Outcome()
    with closing(Loopback()) as server:
        home = f"https://127.0.0.1:{server.port}"
        articles = [f"{home}/c/{number}" for number in range(8)]
        server.answers["/list"] = _answer("\n".join(articles), "text/plain")
        for number, url in enumerate(articles):
            server.answers[url.removeprefix(home)] = _answer(
                f"<html><body><article><h1>{number}</h1><p>Text {number}.</p></article></body></html>"
            )
        valid, over = (_certificate(folder / name, days) for name, days in (("valid", 30), ("over", -1)))
        for number in limits.numbers():
            corpus = folder / f"{number}"
            found.times += 1
            with _tls(server, folder, valid, over, after=3 + number % 6) as served:
                broken = _crawl(folder, home, corpus)
                served.end()
                found.broken += _told(corpus, broken, "certificate")
                again = _crawl(folder, home, corpus)
            found.broken += [] if exit_code(again) is ExitCode.OK else [f"the crawl after it: {again}"]
            with closing(sqlite3.connect(corpus / "ledger.sqlite")) as ledger:
                fetched = {url for (url,) in ledger.execute("SELECT url FROM urls WHERE outcome = 'fetched'")}
            found.lost += sorted(set(articles) - fetched)
    return found


def _answer(body: str, kind: str = "text/html") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()


def _crawl(folder: Path, home: str, corpus: Path) -> CrawlSummary:
    file = folder / "portal.yaml"
    file.write_text(
        f"portal: pelda\nhome: {home}/\nfetch: {{delay: 0s, retries: 0, timeout: 5s, private_hosts: [127.0.0.1]}}\n"
        f"archive: {{url: '{home}/list', format: urls}}\n",
        encoding="utf-8",
    )
    return crawl_portal(load_portal(file), corpus=corpus)


def _told(corpus: Path, summary: CrawlSummary, word: str) -> list[str]:
    """What is wrong with how it was told."""
    reasons = (corpus / "problems.jsonl").read_text("utf-8") if (corpus / "problems.jsonl").exists() else ""
    if exit_code(summary) is ExitCode.OK:
        return ["exit code 0 without a valid certificate"]
    return [] if word in f"{reasons}{summary.failures}{summary.impossible}" else [f"the certificate is not named: {reasons[:300]}"]


def _certificate(folder: Path, days: int) -> ssl.SSLContext:
    """One that signs itself, valid for 127.0.0.1 until so many days from now."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    folder.mkdir()
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    names = x509.SubjectAlternativeName([x509.IPAddress(__import__("ipaddress").ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - timedelta(days=60)).not_valid_after(now + timedelta(days=days))
        .add_extension(names, critical=False).add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.PrivateFormat.TraditionalOpenSSL
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, plain, serialization.NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


class _Served:
    """Which certificate the server shows."""

    def __init__(self, valid: ssl.SSLContext, over: ssl.SSLContext, after: int) -> None:
        self._valid, self._over, self._left = valid, over, after
        self._ended = False

    def end(self) -> None:
        """The certificate is renewed."""
        self._ended = True

    def context(self) -> ssl.SSLContext:
        self._left -= 1
        return self._valid if self._ended or self._left >= 0 else self._over


@contextmanager
def _tls(server: Loopback, folder: Path, valid: ssl.SSLContext, over: ssl.SSLContext, after: int) -> Iterator[_Served]:
    served, plain = _Served(valid, over, after), server._serve

    def serve(connection: socket.socket) -> None:
        try:
            plain(served.context().wrap_socket(connection, server_side=True))
        except OSError:
            connection.close()

    trusted = folder / "trusted.pem"
    trusted.write_bytes(b"".join((folder / name / "certificate.pem").read_bytes() for name in ("valid", "over")))
    connections.tls_context.cache_clear()
    try:
        with patch.object(server, "_serve", serve), patch.object(connections.certifi, "where", lambda: str(trusted)):
            yield served
    finally:
        connections.tls_context.cache_clear()


# --- clocks ---

_BUDAPEST = ZoneInfo("Europe/Budapest")
_CLOCKS: dict[str, Callable[[int], datetime]] = {
    "back by a day": lambda count: _START - timedelta(days=1 if count > 25 else 0),
    "on by ten years": lambda count: _START + timedelta(days=3650 if count > 25 else 0),
    "back to 1970": lambda count: datetime(1970, 1, 1, tzinfo=UTC) if count > 25 else _START,
    "to and fro": lambda count: _START + timedelta(hours=(-1) ** count * (count % 50)),
    "summer time begins": lambda count: datetime(2024, 3, 31, 0, 59, 50, tzinfo=UTC) + timedelta(seconds=count / 4),
    "summer time ends": lambda count: datetime(2024, 10, 27, 0, 59, 50, tzinfo=UTC) + timedelta(seconds=count / 4),
    "midnight": lambda count: datetime(2024, 6, 1, 23, 59, 55, tzinfo=_BUDAPEST).astimezone(UTC) + timedelta(seconds=count / 4),
}


def clocks(folder: Path, limits: Limits) -> Outcome:
    """The clock of the machine jumps during a crawl; the next one has the right time again."""
    found = Outcome()
    with _portal(folder) as (_, whole, another):
        for number, (name, moment) in zip(limits.numbers(), _CLOCKS.items(), strict=False):
            there, count = another(number), [0]

            def now(moment: Callable[[int], datetime] = moment, count: list[int] = count) -> dt.datetime:
                count[0] += 1
                return moment(count[0])

            there.crawl(now=now)
            found.times += 1
            before = len(found.lost) + len(found.doubled) + len(found.broken)
            there.crawl(now=lambda: _START)
            state = facts_of(there.corpus)
            # days that only the wrong clock has seen are proved, too
            late = Facts(state.urls, state.responses, state.contents, state.proved & whole.proved)
            found.add(compared(late, whole))
            if len(found.lost) + len(found.doubled) + len(found.broken) > before:
                found.broken.append(f"clock: {name}")
            shutil.rmtree(there.folder)
    return found


# --- databases in use ---


@contextmanager
def _held(database: Path, seconds: float | None) -> Iterator[None]:
    """Another program writes to a database, for a while, or until the end of the block."""
    database.parent.mkdir(parents=True, exist_ok=True)
    over = threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            begun.set()
            over.wait(seconds)

    begun = threading.Event()
    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait(10)
    try:
        yield
    finally:
        over.set()
        thread.join()


def locked_ledger(folder: Path, limits: Limits) -> Outcome:
    """For two seconds, which are waited for; and for ever."""
    found = Outcome()
    with _portal(folder, ("belfold", "english")) as (_, whole, another):
        for number in limits.numbers():
            there, seconds = another(number), 2.0 if number % 2 else None
            there.crawl(limit=3, now=lambda: _START)
            said = ""
            with _held(there.corpus / "ledger.sqlite", seconds):
                try:
                    there.crawl(now=lambda: _START)
                except CorpusError as error:
                    said = str(error)
            found.times += 1
            if (seconds is None) != ("in use by another program" in said):
                found.broken.append(f"held for {seconds}: it said: {said}")
            _finished(found, there, whole)
    return found


def locked_build_database(folder: Path, limits: Limits) -> Outcome:
    found = Outcome()
    file, original = stored()
    words: list[object] = ["build", file, "--jobs", 1, "--corpus"]
    undisturbed = shutil.copytree(original, folder / "whole" / "corpus")
    commands.start(folder, *words, undisturbed).end()
    whole = built_files(undisturbed.parent)
    for number in limits.numbers():
        there = shutil.copytree(original, folder / f"{number}" / "corpus")
        commands.start(there.parent, *words, there).kill_after(0.5)  # so that a database is there
        with _held(there / "build.sqlite", 2.0 if number % 2 else None):
            held = commands.start(there.parent, *words, there)
            code = held.end()
        found.times += 1
        found.broken += held.bad_signs
        if code not in ((ExitCode.USAGE,) if number % 2 == 0 else (ExitCode.OK, ExitCode.FAILURES, ExitCode.USAGE)):
            found.broken.append(f"exit code {code}: {held.said.read_text('utf-8')[-300:]}")
        found.broken += [f"exit code {code}" for code in (commands.start(there.parent, *words, there).end(),) if code not in (0, 1)]
        found.add(compared_files(built_files(there.parent), whole))
        shutil.rmtree(there.parent)
    return found


def damaged_pages(folder: Path, limits: Limits) -> Outcome:
    """A disk gives back one page of a database as something else; then a person does what the sentence says."""
    found, chance = Outcome(), Random(7)
    file, original = stored_and_built()
    words: list[object] = ["build", file, "--all", "--jobs", 1, "--corpus"]
    undisturbed = shutil.copytree(original, folder / "whole" / "corpus")
    commands.start(folder, *words, undisturbed).end()
    whole = built_files(undisturbed.parent)
    for number in limits.numbers():
        there = shutil.copytree(original, folder / f"{number}" / "corpus")
        database = there / ("build.sqlite", "ledger.sqlite")[number % 2]
        with database.open("r+b") as content:
            content.seek(4096 * chance.randrange(1, database.stat().st_size // 4096))
            content.write(chance.randbytes(4096))
        running = commands.start(there.parent, *words, there)
        code, said = running.end(), running.said.read_text("utf-8")
        found.times += 1
        found.broken += running.bad_signs
        if f"{database} is damaged" in said or not _is_whole(database):  # which a build need not have met
            if database.name == "build.sqlite":
                database.unlink()
            else:
                commands.start(there.parent, "warc", "index", file, "--corpus", there).end()
            code = commands.start(there.parent, *words, there).end()
        if code not in (ExitCode.OK, ExitCode.FAILURES):
            found.broken.append(f"exit code {code}: {said[-300:]}")
        found.add(compared_files(built_files(there.parent), whole))
        shutil.rmtree(there.parent)
    return found


def _is_whole(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as opened, suppress(sqlite3.DatabaseError):
        return bool(opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)])
    return False


# --- the portal file ---

_EDITS: dict[str, Callable[[str], str]] = {
    "rules that find nothing": lambda text: text.replace("item:", "item: div.none #"),
    "no YAML any more": lambda text: text[: len(text) // 2] + "\n  : [",
    "empty": lambda _: "",
    "another portal": lambda text: text.replace("portal: kilenchid", "portal: masik"),
}


def edited_file(folder: Path, limits: Limits) -> Outcome:
    """While a crawl, and then a build, is running; afterwards the file is as it was."""
    found, chance = Outcome(), Random(6)
    with _portal(folder, ("english", "deutsch")) as (site, whole, another):
        documents = site.folder / "documents"
        commands.start(documents, "build", site.file, "--corpus", site.corpus, "--jobs", 2).end()
        built = {path.name.partition("-")[0] for path in (site.corpus / "tei").rglob("*.xml")}
        expected = len(list((site.corpus / "tei").rglob("*.xml")))
        for number, (name, edit) in zip(limits.numbers(), list(_EDITS.items()) * 100, strict=False):
            there = another(number)
            file = there.file
            text, words = file.read_text("utf-8"), there.command("--quiet")[3:]
            site.portal.switch_on("latency")
            asked = len(site.portal.requests)
            running = commands.start(there.folder, *words)
            _wait_until(running, lambda asked=asked: len(site.portal.requests) > asked)
            running.process.join(chance.uniform(0, 1.2))
            file.write_text(edit(text), "utf-8")
            code = running.end()
            site.portal.switch_off()
            found.times += 1
            found.broken += [f"{name}: exit code {code}: {running.said.read_text('utf-8')[-300:]}"] if code else []
            file.write_text(text, "utf-8")
            building = commands.start(there.folder, "build", file, "--corpus", there.corpus, "--jobs", 2)
            _wait_until(building, (there.corpus / "build.sqlite").exists)
            building.process.join(chance.uniform(0, 0.8))
            file.write_text(edit(text), "utf-8")
            building.end()
            found.broken += running.bad_signs + building.bad_signs
            file.write_text(text, "utf-8")
            commands.start(there.folder, "build", file, "--corpus", there.corpus, "--jobs", 1).end()
            names = [path.name.partition("-")[0] for path in (there.corpus / "tei").rglob("*.xml")]
            found.lost += [f"{expected - len(names)} documents"] if len(names) < expected else []
            found.invented += [f"{len(names) - expected} documents"] if len(names) > expected or set(names) != built else []
            _finished(found, there, whole)
    return found


def _wait_until(running: commands.Running, sign: Callable[[], bool]) -> None:
    """A command that other work slows down may begin late: what is done before it has read its file says nothing of it."""
    until = monotonic() + _LONGEST_BEGINNING
    while running.process.is_alive() and not sign() and monotonic() < until:
        running.process.join(0.02)


CASES = [
    Case(
        kind="network", name="a network that is cut for minutes", run=network_cut, times=60, short=2,
        done="no connection is made, and those that were made break, for 20 seconds to an hour of a clock that is moved",
        happens="requests are repeated after pauses; what does not come then is an error (exit code 1 or 3), and the next crawl asks again",
    ),
    Case(
        kind="network", name="names that are not resolved", run=no_names, times=60, short=1,
        done="the name server does not answer for as long",
        happens="the same",
    ),
    Case(
        kind="network", name="a certificate that expires", run=certificate_expires, times=12, short=1,
        done="in the middle of a crawl the certificate of the server is over, and later renewed",
        happens="nothing is fetched without a valid certificate; the reason names it, and the next crawl asks again",
    ),
    Case(
        kind="clocks", name="clocks that jump", run=clocks, times=7, short=2,
        done="during a crawl the clock goes back by a day or to 1970, on by ten years, to and fro; summer time begins or ends; or a day",
        happens="the crawl ends as usual; with the right time again, the next one finds what is missing",
    ),
    Case(
        kind="databases", name="a ledger that is in use", run=locked_ledger, times=6, short=1,
        done="another program holds the ledger for two seconds, or for good",
        happens="two seconds are waited for; else the crawl ends with a sentence (exit code 2), and the next one goes on",
    ),
    Case(
        kind="databases", name="a build database that is in use", run=locked_build_database, times=6, short=0,
        done="the same with the build database",
        happens="two seconds are waited for, but where the database is only now made; else the build ends with a sentence (exit code 2)",
    ),
    Case(
        kind="databases", name="a database with a damaged page", run=damaged_pages, times=60, short=2,
        done="before a build one page, drawn by chance, of the build database or of the ledger is overwritten by random bytes",
        happens="a build that meets it ends with a sentence (exit code 2) that says how to make that database again; then all is as it was",
    ),
    Case(
        kind="portal files", name="a portal file that is edited during a run", run=edited_file, times=12, short=1,
        done="while a crawl or a build runs, the file gets rules that find nothing, is broken, empty, or another portal's",
        happens="the run goes on by the rules that it has read; the next run reads the file anew",
    ),
]  # fmt: skip
