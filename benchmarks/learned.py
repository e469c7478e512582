"""How right is what `curator learn` proposes, and how much better are pages read by it?

    python benchmarks/learned.py links [--sets recorded,example,sites] [--one-page]
    python benchmarks/learned.py paging [--sets recorded,example] [--one-page]
    python benchmarks/learned.py metadata [--hosts even|odd]
    python benchmarks/learned.py bodies [--sets cleanportaleval,scrapinghub,fundus] [--hosts even|odd] [--ours-only]

`links`, `paging`: rules are proposed from the stored archive pages of a portal (`--one-page`: of each alone), written into a portal file,
and asked as `curator try --json` asks them. Pages are `recorded` real ones, those of the columns of the `example` portal, and
theme-true `sites` of which everything is known (`examples/sites`).
`metadata`: headline, day and authors. The pages of one publisher are one portal. Of one page a person confirms the truth, and the others
are scored. A headline is right if it is the truth's but for case and signs; a day if it is the same at the publisher; authors if they are
the same set.
`bodies`: the pages of one host are one portal, whose file says nothing but what it is. What is sure is written into the file by the editor
that `curator learn --write` uses, and the pages are read through that file. After one corrected page, which stands in tests.yaml, the other
pages are scored. The workshop: the two portals of benchmarks/workshop, after one corrected page, beside the rules of a person.

`--show` tells what is wrong, and what was learned. Real pages are not part of the project.
"""

from __future__ import annotations

import sys
from pathlib import Path

from results import Record, result_option, script_parser
from truths import DATA, HALVES, ROOT

sys.path.insert(0, str(ROOT))

from learned_archives import links, paging
from learned_articles import bodies, metadata

QUESTIONS = {
    "links": (
        links,
        "Learning: links to articles",
        "Rules for links are proposed from archive pages alone, written into a portal file, and asked as `curator try` asks them. A page "
        "is exact where the rule finds all of its articles and nothing else.",
    ),
    "paging": (
        paging,
        "Learning: how archives and articles are paged",
        "The paging of archives, and of articles with several pages, is proposed from stored pages alone, written into a portal file, "
        "and asked as `curator try` asks it.",
    ),
    "metadata": (
        metadata,
        "Learning: headline, day and authors",
        "The pages of one publisher are one portal. Of one page a person confirms the truth; the others are read by the rules that this "
        "teaches.",
    ),
    "bodies": (
        bodies,
        "Learning: rules for bodies",
        "The pages of one host are one portal, whose file says nothing but what it is. `curator learn` proposes rules from these pages; "
        "what is sure is written, and the pages are read by it. After one corrected page, only the others are scored.",
    ),
}


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sets", help="with commas")
    parser.add_argument("--hosts", choices=HALVES)
    parser.add_argument("--one-page", action="store_true", help="each page alone, as if the portal had no other")
    parser.add_argument("--ours-only", action="store_true", help="not beside trafilatura")
    parser.add_argument("--show", action="store_true")
    asked = result_option(parser).parse_args()
    answer, title, about = QUESTIONS[asked.question]
    record = Record(title, about)
    answer(asked, record)
    record.end(asked.result)


if __name__ == "__main__":
    main()
