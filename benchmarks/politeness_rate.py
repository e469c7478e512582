"""How much of the permitted rate a crawl holds, by the latency of the server and the requests in flight.

  python benchmarks/politeness_rate.py [--delay 0.05] [--requests 120]

The server answers each request after a fixed latency, given as a share of in-flight / rate. Below 1 the whole permitted rate
should be held (at least 0.95 of it); from 1 on the crawler leaves a labouring server time to breathe.
"""

from __future__ import annotations

import argparse
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Request

SHARES = (0.0, 0.5, 0.9, 0.95, 1.5, 3.0)
BODY = b"<p>" + b"x" * 77_000
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


class SlowServer:
    """Answers everything with the same page, after a while; remembers when it was asked for pages."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.asked: list[float] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        while head := connection.recv(65536):
            if b" /page" in head:
                self.asked.append(time.monotonic())
                time.sleep(self.latency)
            connection.sendall(ANSWER)


def held(delay: float, in_flight: int, share: float, count: int) -> float:
    """The rate that the server saw, over the permitted one."""
    server = SlowServer(share * in_flight * delay)
    rules = FetchRules(delay=timedelta(seconds=delay), concurrency=in_flight, private_hosts=("127.0.0.1",))
    web = Web(rules, hosts=frozenset({"127.0.0.1"}))
    with ThreadPoolExecutor(in_flight + 1) as pool:
        list(pool.map(lambda number: web.fetch(Request(url=f"{server.url}/page/{number}")), range(count)))
    web.close()
    return (count - 1) * delay / (server.asked[-1] - server.asked[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds from request to request (default 0.05)")
    parser.add_argument("--requests", type=int, default=120, help="requests for each figure (default 120)")
    asked = parser.parse_args()
    print("latency as a share of in-flight / rate -> share of the permitted rate that was held")
    for in_flight in (1, 2):
        for share in SHARES:
            ratio = held(asked.delay, in_flight, share, asked.requests)
            note = "" if share >= 1 or ratio >= 0.95 else "   below 0.95!"
            print(f"in flight {in_flight}  latency {share:4.2f}  ->  {ratio:.3f}{note}", flush=True)


if __name__ == "__main__":
    main()
