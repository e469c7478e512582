"""What `from webarticlecurator import ...` gives, whatever was imported before."""

from __future__ import annotations

import webarticlecurator
from webarticlecurator import pipeline
from webarticlecurator.extraction import article


def test_every_public_name_is_there() -> None:
    assert all(getattr(webarticlecurator, name) is not None for name in webarticlecurator.__all__)


def test_no_stage_hides_the_function_of_its_name() -> None:
    """A folder `crawl` would, as soon as it is imported: that is why the stages are called `crawling` and `building`.

    The package `extract` can be called itself.
    """
    assert webarticlecurator.crawl is pipeline.crawl
    assert callable(webarticlecurator.build)
    page = ("<title>Híd</title><p>Szöveg.", "https://pelda.example/")
    assert webarticlecurator.extract(*page) == article.extract(*page)
