"""An object store on loopback: moto's server, which can be told to answer badly, and counts what is read from it."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

Answer = Iterable[bytes]
BUCKET = "corpora"


@dataclass(slots=True)
class Faults:
    """How some answers are spoiled: each of these takes the number of a request for bytes of an object, from 1 on."""

    unavailable: Callable[[int], bool] = lambda _: False
    cut: Callable[[int], bool] = lambda _: False


@dataclass(slots=True)
class ObjectStore:
    """What runs, and what was asked of it."""

    endpoint: str = ""
    faults: Faults = field(default_factory=Faults)
    asked: int = 0
    """Requests for bytes of objects."""
    requests: int = 0
    """Of any kind."""
    given: dict[str, int] = field(default_factory=dict)
    """Bytes that were given of each object."""
    refused: Callable[[str, str], bool] = lambda _method, _path: False
    """Whether a request is answered with 503, by its method and path."""
    unheard: Callable[[str, str], bool] = lambda _method, _path: False
    """Whether it is, after the store has done what was asked for."""

    def bytes_of(self, part: str) -> int:
        """Given of all objects that are named so."""
        return sum(number for path, number in self.given.items() if part in path)

    def spoiling(self, app: Callable[..., Answer]) -> Callable[..., Answer]:
        """The same application, with these faults."""

        def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Answer:
            method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
            self.requests += 1
            if self.refused(method, path):
                return _unavailable(start)
            if self.unheard(method, path):
                b"".join(app(environ, lambda *_: None))
                return _unavailable(start)
            if method != "GET" or path.strip("/").count("/") < 1:
                return app(environ, start)
            self.asked += 1
            number = self.asked
            if self.faults.unavailable(number):
                return _unavailable(start)
            body = b"".join(app(environ, start))
            body = body[: len(body) // 2] if self.faults.cut(number) else body  # the length that the head names stays
            self.given[path] = self.given.get(path, 0) + len(body)
            return [body]

        return answer


def _unavailable(start: Callable[..., Any]) -> Answer:
    start("503 Service Unavailable", [("Content-Type", "application/xml")])
    return [b"<Error><Code>ServiceUnavailable</Code><Message>try again</Message></Error>"]


@contextmanager
def object_store(cache: Path) -> Iterator[ObjectStore]:
    """A store with an empty bucket, as the environment of this process and of those that it starts names it."""
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    store = ObjectStore()
    app = store.spoiling(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=MotoRequestHandler)
    store.endpoint = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ENDPOINT_URL", store.endpoint)
        environment.setenv("AWS_ACCESS_KEY_ID", "key-of-tests")
        environment.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-tests")
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        environment.setenv("XDG_CACHE_HOME", str(cache))
        environment.setenv("NO_PROXY", ",".join(filter(None, (os.environ.get("NO_PROXY"), "127.0.0.1"))))
        _forget_connections()
        import boto3

        boto3.client("s3").create_bucket(Bucket=BUCKET)
        try:
            yield store
        finally:
            _forget_connections()
            server.shutdown()
            thread.join()
            _forget_objects()


def _forget_connections() -> None:
    """Those of a store that was at another address."""
    import fsspec
    import seams

    seams.forget_stores()
    fsspec.filesystem("s3").clear_instance_cache()


def _forget_objects() -> None:
    from moto.s3.models import s3_backends

    for accounts in s3_backends.values():
        for backend in accounts.values():
            backend.reset()
