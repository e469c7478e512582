"""Requests to several hosts at a time: what goes wrong with one of them is no matter of the others."""

from __future__ import annotations

import pytest

from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.errors import CuratorError, UsageError
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict


class Source:
    """Answers all URLs but those on which it fails."""

    def __init__(self, **failures: BaseException) -> None:
        self.failures = failures

    def fetch(self, request: Request) -> Fetched:
        error = self.failures.get(request.url)
        if error is not None:
            raise error
        return Fetched(request=request, verdict=Verdict(FetchOutcome.GONE, "HTTP 404"))


def fault(error: Exception, url: str) -> Verdict:
    return Verdict(FetchOutcome.ERROR, f"{type(error).__name__} at {url}")


def answers(source: Source, *urls: str) -> dict[str, tuple[str, bool]]:
    """What becomes of each URL, all of one host."""
    found = {}
    with ParallelRequests[str](source, len(urls), fault=fault) as requests:
        for url in urls:
            requests.submit("pelda.example", url, Request(url=url))
        while requests.in_flight:
            taken = requests.take(timeout=5)
            assert taken is not None
            _, url, fetched = taken
            found[url] = (fetched.verdict.reason, fetched.fault)
    return found


def test_a_fault_of_the_program_ends_the_url_that_it_happened_on() -> None:
    assert answers(Source(b=OverflowError("date value out of range")), "a", "b", "c") == {
        "a": ("HTTP 404", False),
        "b": ("OverflowError at b", True),
        "c": ("HTTP 404", False),
    }


@pytest.mark.parametrize("error", [UsageError("set CURATOR_KEY"), CuratorError("act"), KeyboardInterrupt(), SystemExit(3)])
def test_what_a_person_must_act_on_or_did_ends_more_than_one_url(error: BaseException) -> None:
    with pytest.raises(type(error)):
        answers(Source(b=error), "a", "b", "c")
