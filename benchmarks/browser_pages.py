"""What pages cost that a browser shows: pages a second, CPU, and memory of the program with its browser.

  python benchmarks/browser_pages.py [--pages 1000] [--at-once 2] [--hostile]

A server in a process of its own gives pages whose article comes by a script and by data of its own (60 KB), and of which each keeps
what it can in the browser's memory. `--hostile`: every fiftieth never ends a loop, or takes memory until it is stopped.
The same pages are then asked for without a browser.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
from results import Record, result_option

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.browser.source import BrowserSource
from webarticlecurator.fetch.response import MEGABYTE
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Request
from webarticlecurator.model.rendering import Rendering

SENTENCE = "The council met on Tuesday and talked for hours about the bridge, and nobody went home before midnight. "
PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>{number}</title><link rel="stylesheet" href="/style.css"></head>
<body><nav>{menu}</nav><main></main><script>const number = {number};{more}</script><script src="/app.js"></script></body></html>"""
MENU = "".join(f'<a href="/section/{number}">Section {number}</a>' for number in range(60))
SCRIPT = """window.kept = Array.from({length: 20}, (_, one) => new Array(10000).fill(one));
fetch("/data/" + number).then(one => one.json()).then(data => {
  const paragraphs = data.paragraphs.map(one => `<p>${one}</p>`).join("");
  document.querySelector("main").innerHTML = `<article><h1>${data.title}</h1>${paragraphs}</article>`;
});"""
HOSTILE = ("while (true) {}", "const all = []; setInterval(() => all.push(new Array(2e6).fill(Math.random())), 5);")


class Portal(BaseHTTPRequestHandler):
    """What the server answers."""

    protocol_version = "HTTP/1.1"
    hostile = False

    def do_GET(self) -> None:
        kind, _, number = self.path[1:].partition("/")
        files = {"app.js": (SCRIPT, "text/javascript"), "style.css": ("", "text/css")}
        if kind not in ("page", "data", *files):
            self.send_error(404)
            return
        text, kind = files.get(kind) or (self._page(number) if kind == "page" else self._data(number))
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600" if "/" not in self.path[1:] else "no-store")
        self.end_headers()
        self.wfile.write(body)

    def _page(self, number: str) -> tuple[str, str]:
        is_hostile = self.hostile and int(number) % 50 == 49
        return PAGE.format(number=number, menu=MENU, more=HOSTILE[int(number) // 50 % 2] if is_hostile else ""), "text/html"

    def _data(self, number: str) -> tuple[str, str]:
        return json.dumps({"title": f"Article {number}", "paragraphs": [f"{number}. {SENTENCE * 6}"] * 100}), "application/json"

    def log_message(self, *_: object) -> None:
        """Nothing."""


def serve(hostile: bool) -> None:
    Portal.hostile = hostile
    server = ThreadingHTTPServer(("127.0.0.1", 0), Portal)
    print(server.server_port, flush=True)
    server.serve_forever()


class Watch:
    """The memory of this process and all that it started, twice a second, and the CPU time of each kind."""

    def __init__(self, but: int) -> None:
        self._but = but
        self._own = psutil.Process()
        self._over = threading.Event()
        self.most = Counter[str]()
        self._cpu: dict[tuple[str, int], float] = {}
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._over.wait(0.5):
            held = Counter[str]()
            for process in [self._own, *self._own.children(recursive=True)]:
                try:
                    if process.pid == self._but:
                        continue
                    kind = "program" if process == self._own else "driver" if "node" in process.name() else "browser"
                    held[kind] += process.memory_full_info().pss
                    times = process.cpu_times()
                    self._cpu[kind, process.pid] = times.user + times.system
                except psutil.Error:
                    continue
            held["all"] = held.total()
            self.most = Counter({kind: max(held[kind], self.most[kind]) for kind in held | self.most})

    def end(self) -> Counter[str]:
        """Seconds of CPU by kind of process."""
        self._over.set()
        self._thread.join()
        spent = Counter[str]()
        for (kind, _), seconds in self._cpu.items():
            spent[kind] += seconds  # type: ignore[assignment]
        return spent


def ask(port: int, pages: int, at_once: int, rendering: Rendering | None, server: int, record: Record) -> None:
    rules = FetchRules(delay=timedelta(0), concurrency=8, private_hosts=("127.0.0.1",), retries=0)
    web = Web(rules, hosts=frozenset({"127.0.0.1"}))
    source = BrowserSource(web, may_follow=lambda _: None, stop=threading.Event(), say=print, limits=BrowserLimits(silence=10.0))
    outcomes, whole = Counter[str](), 0
    watch, begun = Watch(server), time.monotonic()
    with ThreadPoolExecutor(at_once) as pool:
        requests = (Request(url=f"http://127.0.0.1:{port}/page/{number}", rendering=rendering) for number in range(pages))
        for fetched in pool.map(source.fetch, requests):
            outcomes[fetched.verdict.outcome.value if fetched.capture else fetched.verdict.reason] += 1
            whole += fetched.capture is not None and b"<article><h1>Article" in fetched.capture.entity
    seconds = time.monotonic() - begun
    cpu = watch.end()
    source.close()
    web.close()
    how = "with a browser" if rendering else "without"
    table = [(f"memory of {kind}, MB", held / MEGABYTE) for kind, held in sorted(watch.most.items())]
    table += [(f"CPU of {kind}, ms a page", 1000 * spent / pages) for kind, spent in sorted(cpu.items())]
    record.table(f"{pages} pages {how}", ("", "measured"), [*table, *outcomes.most_common()])
    record.figure(f"pages a second {how}", pages / seconds)
    record.figure(f"pages with their article {how}, of {pages}", whole, **({"at_least": pages} if rendering and not Portal.hostile else {}))
    if rendering:
        record.figure("most memory of the program and its browser together", watch.most["all"] / MEGABYTE, "MB", at_most=1000)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = result_option(parser).parse_args(arguments)
    if options.serve:
        serve(options.hostile)
        return
    record = Record(
        "Pages that a browser shows",
        "Pages that are empty without their scripts are asked of a server on loopback through the browser, and then as plain answers.",
    )
    command = [sys.executable, __file__, "--serve", *(["--hostile"] if options.hostile else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        try:
            ask(port, options.pages, options.at_once, Rendering(wait="article"), server.pid, record)
            ask(port, options.pages, options.at_once, None, server.pid, record)
        finally:
            server.terminate()
    record.end(options.result)


if __name__ == "__main__":
    main()
