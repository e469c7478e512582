"""What the watch after a build costs, beside the build: real pages of 60 to 100 KB, built at once, then again after a few new ones.

  python benchmarks/watch_cost.py [--articles 2048] [--new 100]

One process; CPU time. The pages are not part of the project: without them there is nothing to do.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from build_pages import make_corpus, real_pages, write_warc

from webarticlecurator import corpus_build, corpus_watch
from webarticlecurator.building.options import BuildOptions
from webarticlecurator.config.load import load_portal
from webarticlecurator.pipeline import import_warcs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=2048)
    parser.add_argument("--new", type=int, default=100)
    asked = parser.parse_args()
    pages = real_pages()
    if not pages:
        raise SystemExit("no pages")
    spent: list[float] = []
    quietly = corpus_watch.watch_quietly

    def timed(*where: Any, **what: Any) -> str | None:
        begin = time.process_time()
        told = quietly(*where, **what)
        spent.append(time.process_time() - begin)
        return told

    corpus_watch.watch_quietly = timed
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_warc(folder / "pages.warc.gz", pages, asked.articles)
        file = make_corpus(folder, folder / "pages.warc.gz")
        _built(file, f"{asked.articles} articles", spent)
        write_warc(folder / "more.warc.gz", pages, asked.articles + asked.new)
        import_warcs(load_portal(file), [folder / "more.warc.gz"], corpus=folder / "corpus")
        _built(file, f"{asked.new} new ones", spent)
        _built(file, "nothing new", spent)


def _built(file: Path, what: str, spent: list[float]) -> None:
    spent.clear()
    begin = time.process_time()
    built = corpus_build.build(file, corpus=file.parent / "corpus", options=BuildOptions(jobs=1))
    whole = time.process_time() - begin
    watching = sum(spent)
    told = f"{what}: {built.articles - built.unchanged} built in {whole:.2f} s of CPU"
    print(f"{told}, of which the watch {watching:.2f} s ({watching / whole:.1%})")


if __name__ == "__main__":
    main()
