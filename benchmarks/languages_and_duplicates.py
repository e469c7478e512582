"""How surely languages and near-duplicates are told, on real articles; and how long the analysis of a corpus takes.

    python benchmarks/languages_and_duplicates.py [--corpus FOLDER] [--processes 2]

Languages: of articles whose pages declare what their text shows, stretches of so many letters are identified alone. Duplicates:
articles are changed in ways that are known (words here and there, whole sentences, another lead, only a common appendix), put among
all others, and analysed together. The pages are not part of the project: without them only `--corpus` is measured, a folder that was
made by large_corpus.py.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from reader_score import DATA, WCXB, pages

from webarticlecurator import extract
from webarticlecurator.analysis.analyses import analyse
from webarticlecurator.analysis.clusters import THRESHOLD, clusters_of
from webarticlecurator.analysis.fingerprints import fingerprint
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.model.analysis import same_language
from webarticlecurator.model.article import Article
from webarticlecurator.model.article_json import to_json
from webarticlecurator.workers.carriers import Workers

SETS = (WCXB, "trafilatura", "fundus", "cleanportaleval")
LETTERS = (20, 40, 60, 80, 100, 150, 300)
STRETCHES = 800
LONG = 1_500
"""Characters from which an article's language is out of question, where its page declares the same."""
CHANGED = (5, 10, 20, 30, 40, 50)
PAIRS = 300

Change = Callable[[str, random.Random], str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if DATA.is_dir():
        articles = [article for name in SETS for meta, html in pages(DATA, name) if (article := _article(html, meta["url"]))]
        told_languages(articles)
        told_duplicates([article.text for article in articles])
    else:
        print(f"{DATA} is not there: languages and duplicates are not measured.")
    if options.corpus is not None:
        measure(Corpus(options.corpus / "corpora" / "large"), options.processes)


def _article(html: bytes, url: str) -> Article | None:
    try:
        return extract(html, url)
    except ValueError:
        return None


def told_languages(articles: Sequence[Article]) -> None:
    """By the length of a stretch of text: how often its language is told, and how often wrongly."""
    from webarticlecurator.analysis.languages import CERTAIN, LanguageModel

    begin = time.perf_counter()
    model = LanguageModel()
    print(f"the model: {time.perf_counter() - begin:.1f} s to load")
    by_language: dict[str, list[str]] = defaultdict(list)
    different, begin = Counter[str](), time.process_time()
    for article in articles:
        found = model.languages(to_json(article).get("blocks", ()))
        if found.language and article.language and not same_language(found.language, article.language):
            different[f"{article.language} {found.language}"] += 1
        elif found.language and article.language and len(article.text) > LONG:
            by_language[found.language].append(" ".join(article.text.split()))
    print(f"{1000 * (time.process_time() - begin) / len(articles):.2f} ms an article, reading it included")
    print(f"articles: {len(articles)}; of these, declared and identified differ: {dict(different.most_common())}")
    print("long ones by language:", ", ".join(f"{name} {len(texts)}" for name, texts in sorted(by_language.items())))
    print(f"\nletters   right   told (certainty {CERTAIN})   of these wrong")
    chance = random.Random(1)
    for letters in LETTERS:
        right = told = wrong = 0
        for number in range(STRETCHES):
            language = sorted(by_language)[number % len(by_language)]
            other, certainty = model.identify(_stretch(chance.choice(by_language[language]), letters, chance))
            right += same_language(language, other)
            told += certainty >= CERTAIN
            wrong += certainty >= CERTAIN and not same_language(language, other)
        print(f"{letters:7} {100 * right / STRETCHES:6.1f} % {100 * told / STRETCHES:10.1f} % {wrong:22} of {told}")


def _stretch(text: str, letters: int, chance: random.Random) -> str:
    start = text.find(" ", chance.randrange(max(1, len(text) - 2 * letters))) + 1
    end = start
    while letters and end < len(text):
        letters -= text[end].isalpha()
        end += 1
    return text[start:end]


def _words(percent: int) -> Change:
    """Every so many words another one, wherever they stand."""

    def change(text: str, chance: random.Random) -> str:
        words = text.split()
        return " ".join(f"x{chance.randrange(9**9)}" if chance.random() < percent / 100 else word for word in words)

    return change


def _sentences(percent: int) -> Change:
    """Sentences with so many of the words are written anew."""

    def change(text: str, chance: random.Random) -> str:
        return " ".join(
            " ".join(f"x{chance.randrange(9**9)}" for _ in sentence.split()) if chance.random() < percent / 100 else sentence
            for sentence in re.split(r"(?<=[.!?])\s+", text)
        )

    return change


def _own_lead(percent: int) -> Change:
    """The text of an agency behind a lead of one's own, which is so long beside it."""

    def change(text: str, chance: random.Random) -> str:
        return " ".join(f"x{chance.randrange(9**9)}" for _ in range(len(text.split()) * percent // 100)) + " " + text

    return change


APPENDIX = " ".join(f"appendix{number}" for number in range(100))


def _only_the_appendix(text: str, chance: random.Random) -> str:
    """Another text of the same length; only 100 words behind both are the same."""
    return " ".join(f"x{chance.randrange(9**9)}" for _ in text.split()) + " " + APPENDIX


CHANGES: Mapping[str, Change] = {
    **{f"{percent} % of the words, scattered": _words(percent) for percent in CHANGED},
    **{f"{percent} % of the sentences": _sentences(percent) for percent in CHANGED},
    **{f"own lead, {percent} % as long": _own_lead(percent) for percent in (25, 50, 100)},
}


def told_duplicates(texts: Sequence[str]) -> None:
    """How many pairs of a text and what was made of it are found, among all texts."""
    bases = [text for text in dict.fromkeys(texts) if 150 <= len(text.split()) <= 1500][:PAIRS]
    alone = _clusters([*bases])
    print(f"\n{len(bases)} articles of 150 to 1500 words, as they are: {len(alone)} of them in clusters (similarity {THRESHOLD})")
    print("pairs that differ by              true similarity   found")
    chance = random.Random(2)
    for name, change in CHANGES.items():
        _tell(name, bases, [change(text, chance) for text in bases])
    _tell("only 100 words are common", [f"{text} {APPENDIX}" for text in bases], [_only_the_appendix(text, chance) for text in bases])
    for words in (30, 60, 100):
        short = [" ".join(text.split()[:words]) for text in bases]
        _tell(f"{words} words, of which 2 differ", short, [_swap(text, 2, chance) for text in short])


def _swap(text: str, number: int, chance: random.Random) -> str:
    words = text.split()
    for place in chance.sample(range(len(words)), number):
        words[place] = "swapped"
    return " ".join(words)


def _tell(name: str, bases: Sequence[str], changed: Sequence[str]) -> None:
    clusters = _clusters([*bases, *changed])
    found = sum(clusters.get(number, -1) == clusters.get(number + len(bases), -2) for number in range(len(bases)))
    false = sum(first % len(bases) != number % len(bases) for number, first in clusters.items())
    similarity = sum(map(_similarity, bases, changed)) / len(bases)
    print(f"{name:35} {similarity:10.2f} {100 * found / len(bases):9.1f} %   joined wrongly: {false}")


def _similarity(one: str, other: str) -> float:
    sets = [set(zip(*(text.casefold().split()[shift:] for shift in range(5)), strict=False)) for text in (one, other)]
    return len(sets[0] & sets[1]) / max(1, len(sets[0] | sets[1]))


def _clusters(texts: Sequence[str]) -> dict[int, int]:
    """Number of each text in a cluster, and of the first in it."""
    prints = (fingerprint(text, None) for text in texts)
    return {member.number: member.near for member in clusters_of((one.exact, one.signature) for one in prints)}


def measure(corpus: Corpus, processes: int) -> None:
    """A whole corpus: from nothing, and again with nothing new."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Corpus(Path(folder))
        shutil.copy(corpus.build_database, copy.build_database)
        for what in ("from nothing", "again"):
            begin, cpu = time.perf_counter(), sum(os.times()[:4])
            summary = analyse(copy, "large", workers=Workers(processes))
            wall, cpu = time.perf_counter() - begin, sum(os.times()[:4]) - cpu
            size = copy.analysis_database.stat().st_size
            print(
                f"{what}: {summary.analysed} articles analysed, {wall:.1f} s, {cpu:.1f} s of CPU; analysis.sqlite has {size / 1e6:.0f} MB"
            )


if __name__ == "__main__":
    main()
