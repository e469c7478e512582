"""Many portals in one command: does every host get its permitted rate, is none asked too often, and what does it cost?

  python benchmarks/many_portals.py [--portals 500] [--delay 10] [--articles 10] [--sharing 20] [--cluster local:2]

Each portal has a loopback address of its own (127.1.0.1, 127.1.0.2, ...) and a latency of its own; of the last ones every two share an
address, and so its pace. One process serves them all and writes down when each was asked. The rate of a host is taken from its first
request to its last, robots.txt included; "ahead" is by how much the host was at worst ahead of its pace, over every stretch of its
requests, as a share of `delay` (half of a tenth is what the crawler may make good after a late start, the rest what requests are under
way). The crawl is `curator crawl` as a person runs it, in a process of its own; its memory, threads and open files are looked at every
second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from results import Record, result_option

HELD = 0.95
AHEAD = 0.1
ARCHIVE_PAGES = 2
_PATH = re.compile(rb"[A-Z]+ /(p\d+)/(archive|article)/(\d+)")
_ITEM = '<article class="listed"><h2><a href="/{portal}/article/{number}">Article {number}</a></h2></article>\n'
_WORDS = b"<p>" + b"Some words of an article that nobody wrote. " * 200

PORTAL = """\
portal: {name}
home: http://{address}:{port}/{name}/
fetch: {{delay: {delay:.0f}ms}}
archive: {{pages: infinite, item: article.listed, link: h2 a}}
columns: {{all: {{url: "http://{address}:{port}/{name}/archive/{{page}}"}}}}
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many portals there are, and what they look like."""

    portals: int
    sharing: int
    """So many of them share an address with another."""
    articles: int
    """Of each portal."""
    delay: float

    def address(self, portal: int) -> str:
        alone = self.portals - self.sharing
        number = portal if portal < alone else alone + (portal - alone) // 2
        return f"127.1.{number // 250}.{number % 250 + 1}"

    @property
    def addresses(self) -> list[str]:
        return list(dict.fromkeys(self.address(portal) for portal in range(self.portals)))

    def latency(self, address: str) -> float:
        """From nothing to four fifths of the delay, though at most two seconds."""
        number = sum(int(part) << 8 * at for at, part in enumerate(reversed(address.split("."))))
        return min(2.0, 0.8 * self.delay) * (number * 7 % 10) / 10


# --- the server ---


@dataclass(slots=True)
class Server:
    """All portals in one process."""

    shape: Shape
    asked: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    async def serve(self) -> None:
        first, *others = self.shape.addresses
        listening = await asyncio.start_server(partial(self._converse, first), first, 0, backlog=64)
        port = listening.sockets[0].getsockname()[1]
        for address in others:
            await asyncio.start_server(partial(self._converse, address), address, port, backlog=64)
        print(json.dumps({"port": port}), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        print(json.dumps(self.asked), flush=True)

    async def _converse(self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        latency = self.shape.latency(address)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.asked[address].append(time.monotonic())
                await asyncio.sleep(latency)
                writer.write(self._answer(head))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def _answer(self, head: bytes) -> bytes:
        found = _PATH.match(head)
        status, body = b"200 OK", b""
        if found is None:
            status, body = b"404 Not Found", b"nothing here"
        elif found[2] == b"archive":
            body = self._listing(found[1].decode(), int(found[3])).encode()
        else:
            body = b"<html><body><h1>%b %b</h1>%b</body></html>" % (found[1], found[3], _WORDS)
        return b"HTTP/1.1 %b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body)

    def _listing(self, portal: str, page: int) -> str:
        each = -(-self.shape.articles // ARCHIVE_PAGES)
        numbers = range((page - 1) * each, min(page * each, self.shape.articles))
        return f"<html><body>{''.join(_ITEM.format(portal=portal, number=number) for number in numbers)}</body></html>"


# --- the crawl, seen from outside ---


@dataclass(slots=True)
class Cost:
    """What a process and those that it started took at most."""

    megabytes: float = 0.0
    threads: int = 0
    files: int = 0

    def look(self, process: int) -> None:
        found = [_of_process(one) for one in _family(process)]
        megabytes, threads, files = (sum(column) for column in zip(*found, strict=True)) if found else (0.0, 0, 0)
        self.megabytes, self.threads, self.files = max(self.megabytes, megabytes), max(self.threads, threads), max(self.files, files)


def _family(process: int) -> list[int]:
    found = [process]
    for one in found:
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found.extend(map(int, children.read_text().split()))
            except OSError:
                continue
    return found


def _of_process(process: int) -> tuple[float, int, int]:
    try:
        status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
        files = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
        return int(status["VmRSS"].split()[0]) / 1024, int(status["Threads"]), files
    except (OSError, KeyError):  # it has just ended
        return 0.0, 0, 0


def crawl(files: Sequence[Path], folder: Path, cluster: str | None, open_files: int) -> tuple[Cost, float, float, list[dict[str, object]]]:
    """Run the command; gives its cost, its CPU seconds, how long it took, and what it says of each portal."""
    command = [sys.executable, "-m", "webarticlecurator", "crawl", *map(str, files), "--json", "--quiet"]
    command += ["--cluster", cluster] if cluster else []
    cost, began = Cost(), time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    said = folder / "summaries.jsonl"
    with said.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, preexec_fn=few_files)
        while process.poll() is None:
            cost.look(process.pid)
            time.sleep(1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if process.returncode:
        print(f"exit code {process.returncode}")
    return cost, cpu, time.monotonic() - began, [json.loads(line) for line in said.read_text("utf-8").splitlines()]


def rates(asked: Mapping[str, Sequence[float]], delay: float) -> tuple[list[float], list[float]]:
    """Of each host the rate over the permitted one, and by how much it was at worst ahead of its pace, as a share of the delay."""
    held = [(len(moments) - 1) * delay / (moments[-1] - moments[0]) for moments in asked.values()]
    ahead = []
    for moments in asked.values():
        late = [number * delay - moment for number, moment in enumerate(moments)]
        best, worst = late[0], 0.0
        for one in late:
            best = min(best, one)
            worst = max(worst, one - best)
        ahead.append(worst / delay)
    return sorted(held), sorted(ahead)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portals", type=int, default=500, help="default 500")
    parser.add_argument("--sharing", type=int, default=20, help="so many of them share a host with another (default 20)")
    parser.add_argument("--articles", type=int, default=10, help="of each portal (default 10)")
    parser.add_argument("--delay", type=float, default=10.0, help="seconds from request to request (default 10)")
    parser.add_argument("--cluster", help="as `curator crawl --cluster`; without it one process")
    parser.add_argument("--open-files", type=int, default=1024, help="the soft limit that the command begins with (default 1024)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = result_option(parser).parse_args()
    shape = Shape(asked.portals, asked.sharing, asked.articles, asked.delay)
    if asked.serve:
        asyncio.run(Server(shape).serve())
        return
    record = Record(
        "Many portals in one command",
        "Each portal has a loopback address and a latency of its own; of the last ones every two share an address, and so its pace. The "
        "rate of a host is taken from its first request to its last.",
    )
    told, cost, cpu, seconds, summaries = _measure(shape, asked.cluster, asked.open_files)
    fetched = [summary["fetched"] for summary in summaries]
    if fetched != [shape.articles] * shape.portals:
        raise SystemExit(f"not all portals were crawled whole: {sum(one != shape.articles for one in fetched)} of {len(fetched)} were not")
    held, ahead = rates(told, shape.delay)
    requests = sum(map(len, told.values()))
    by = f"{asked.cluster or 'one process'}"
    record.table(
        f"{shape.portals} portals on {len(told)} hosts, {shape.delay:g} s from request to request, by {by}",
        ("", "lowest", "median", "highest"),
        [
            ("rate of a host / the permitted one", held[0], held[len(held) // 2], held[-1]),
            ("ahead of its pace at worst / delay", ahead[0], ahead[len(ahead) // 2], ahead[-1]),
        ],
    )
    record.figure("least rate of a host / the permitted one", held[0], at_least=HELD)
    record.figure("most that a host was ahead of its pace / the delay", ahead[-1], at_most=AHEAD)
    if shared := [address for address in told if sum(shape.address(one) == address for one in range(shape.portals)) > 1]:
        together, _ = rates({address: told[address] for address in shared}, shape.delay)
        record.figure(f"least rate of the {len(shared)} hosts that two portals share / the permitted one", together[0], at_least=HELD)
    record.figure("requests a second, of all portals together", requests / seconds)
    record.figure("CPU for a request", 1000 * cpu / requests, "ms")
    record.figure("most memory", cost.megabytes, "MB")
    record.figure("most threads", cost.threads)
    record.figure("most open files", cost.files)
    record.end(asked.result)


def _measure(
    shape: Shape, cluster: str | None, open_files: int
) -> tuple[dict[str, list[float]], Cost, float, float, list[dict[str, object]]]:
    with tempfile.TemporaryDirectory() as temporary, served(shape, Path(temporary)) as (files, told):
        return told, *crawl(files, Path(temporary), cluster, open_files)


@contextmanager
def served(shape: Shape, folder: Path) -> Iterator[tuple[list[Path], dict[str, list[float]]]]:
    """The portal files of portals that are served meanwhile, and, when that is over, when each host was asked."""
    sizes = ("--portals", shape.portals, "--sharing", shape.sharing, "--articles", shape.articles, "--delay", shape.delay)
    command = [sys.executable, __file__, *map(str, sizes), "--serve"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    asked: dict[str, list[float]] = {}
    try:
        port = json.loads(server.stdout.readline())["port"]
        files = []
        for number in range(shape.portals):
            name = f"p{number:03}"
            values = {"name": name, "address": shape.address(number), "port": port}
            files.append(folder / f"{name}.yaml")
            files[-1].write_text(PORTAL.format(**values, delay=1000 * shape.delay), "utf-8")
        yield files, asked
        server.stdin.write("done\n")
        server.stdin.flush()
        asked |= json.loads(server.stdout.readline())
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
