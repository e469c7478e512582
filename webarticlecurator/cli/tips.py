"""Tips: for each command the most useful thing to do next, in one sentence for each way in which it may
end."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from webarticlecurator.cli.process import ExitCode

TIPS: dict[tuple[str | ExitCode, ...], str] = {
    (
        "detect",
    ): "`curator new {site}` looks for the pages that list all articles, and writes a portal file of them",
    (
        "check",
        "schema",
    ): "name it in your editor's settings for YAML; `curator check PORTAL` checks a file by it, and by more",
    (
        "check",
        "archive",
    ): "`curator check {typed} --fetch` looks at the first archive pages; `curator crawl {typed}` gets all "
    "of them",
    (
        "check",
        "fetched",
    ): "`curator crawl {typed} --limit 20` gets the first articles; `curator crawl {typed}` all of them",
    ("check", "differs"): (
        "where the portal has changed, its file must: `curator check {typed} --show` prints it, `curator new "
        "NAME` copies one that came with curator"
    ),
    ("check", "silent"): (
        "see whether this machine is on the network, since nothing answered; then `curator check --online "
        "{typed}` again"
    ),
    ("check", "no archive"): "`curator warc import {typed} FILES` takes pages into a corpus",
    (
        "crawl",
        ExitCode.OK,
    ): "`curator status {typed}` shows what is there; `curator build {typed}` makes TEI documents",
    ("crawl", "waiting"): "`curator crawl {typed} --articles-only` fetches the {wait}",
    ("crawl", ExitCode.USAGE): "`curator crawl {typed}`, when that is put right",
    (
        "crawl",
        ExitCode.BLOCKED,
    ): "wait, or raise fetch.delay in the portal file; then `curator crawl {typed}` goes on",
    (
        "crawl",
        ExitCode.DRIFT,
    ): "`curator try {typed} URL --as archive --fetch` on such a page shows what the rules still find",
    (
        "crawl",
        ExitCode.INCOMPLETE,
    ): "`curator crawl {typed}` goes on; `curator status {typed}` shows what is missing",
    (
        "crawl",
        ExitCode.FAILURES,
    ): "`curator status {typed}` shows what failed and why; the next crawl asks again",
    ("crawl", "dry run"): "`curator crawl {typed}` with the same flags does it",
    (
        "build",
        "empty",
    ): "`curator crawl {typed}` gets articles: nothing is stored that documents could be made of",
    ("build", "no archive"): (
        "`curator warc import {typed} FILES` takes in articles: nothing is stored that documents could be "
        "made of"
    ),
    ("build", ExitCode.DRIFT): "`curator watch {typed}` shows the pages before and after",
    ("build", ExitCode.INCOMPLETE): "`curator build {typed}{form}` goes on",
    (
        "build",
        ExitCode.FAILURES,
    ): "`curator try {typed} URL` on one that failed shows what the rules make of it",
    ("build", ExitCode.OK): (
        "`curator audit {typed}` looks for text that the rules lose; `curator build {typed} --compare`, "
        "whenever they"
        " were changed, says what that would do"
    ),
    ("compare", ExitCode.OK): "`curator build {typed}` would change nothing",
    ("compare", ExitCode.INCOMPLETE): "`curator build {typed} --compare` again, to its end",
    ("compare", ExitCode.FAILURES): "`curator build {typed}` does it",
    ("try", "highlight"): "open {file} in a browser; nothing in it runs, and it asks for nothing",
    (
        "try",
        "archive",
    ): "`curator try {typed} {url}{pages} --as article` shows what the rules make of an article",
    (
        "try",
        "leads on",
    ): "`curator try {typed} {url}{pages} --as archive` shows a part of the archive that it leads to",
    (
        "try",
        "no articles",
    ): "mend `item` and `link` in the portal file, then `curator try {typed} {url}{pages} --as archive`",
    (
        "try",
        "bad URL",
    ): "`curator try {typed} URL` with the whole address of the page, as a browser shows it: https://...",
    ("try", "not had"): "look at {url} in a browser, and try again later, or with another address",
    ("try", "unread"): "`curator try {typed} {url} --fetch` gets the page from the portal",
    ("try", "no article"): (
        "if this is an article, mend `body` in the portal file, then `curator try {typed} {url}{pages} --as "
        "article`;"
        " if it lists articles, `curator try {typed} {url}{pages} --as archive`"
    ),
    ("try", "undecided"): "`curator tags {typed}{pages}` shows what is undecided in all pages",
    ("try", "elsewhere"): "`curator crawl {typed}` gets articles; --limit 20 the first of them",
    ("try", "no archive"): "`curator warc import {typed} FILES` takes pages into a corpus",
    ("try", "well"): "`curator audit {typed}{pages}` looks at all pages",
    ("test", "accepted"): "`curator test {typed}{pages}` holds all pages against what is expected of them",
    ("test", "differs"): (
        "`curator try {typed}{pages} {url}` shows what the page gives; if that is right, `curator test "
        "{typed}{pages} --accept {url}`"
    ),
    ("test", "not stored"): "`curator crawl {typed}` gets what the archive lists",
    ("test", "well"): "`curator audit {typed}{pages}` looks at all pages",
    (
        "audit",
        "findings",
    ): "`curator try {typed} {url}{pages}` shows what the rules make of a page; then audit again",
    ("audit", "again"): "`curator audit {typed}{pages}` again, when the rules were changed",
    (
        "audit",
        "well",
    ): "`curator build {typed}` brings the TEI documents up to date; `curator stats {typed}` tells what they "
    "are made of",
    ("audit archive", "missing"): (
        "`curator crawl {typed} --full` finds what the lists got later, further down. Does it not, `curator "
        "try {typed} URL --as archive"
        " --fetch`, with a page that should list one of them, shows whether a rule misses it; what no page "
        "lists, a column with"
        " `format: urls` can name"
    ),
    ("audit archive", "unasked"): "`curator crawl {typed}` goes on",
    ("audit archive", "failed"): "`curator audit {typed} --archive --fetch` asks for them again",
    (
        "audit archive",
        "unread",
    ): "`curator audit {typed} --archive --fetch` also compares what the site's feeds and sitemaps name",
    ("audit archive", "well"): "`curator status {typed}` shows what the walks proved",
    ("status", "unproved"): (
        "`curator try {typed} {url} --as archive` shows what the rules find there; crawling again changes "
        "nothing before they do"
    ),
    ("status", "goes on"): "`curator crawl {typed}` goes on",
    ("status", "build"): "`curator build {typed}` {what}",
    ("status", "limited"): (
        "`curator crawl {typed}` goes on where a limit ended {columns}; one that stands in the portal file "
        "must be raised before"
    ),
    ("status", "well"): (
        "`curator audit {typed} --archive --fetch` asks the site's feeds and sitemaps for articles that no "
        "list named;"
        " `curator crawl {typed}` fetches what is new since the last crawl"
    ),
    ("coverage", "theirs"): "`curator crawl {typed} --from-archive` gets what only the archive has",
    ("coverage", "nothing"): "`curator report {typed}` shows what the corpus has",
    ("coverage", ExitCode.INCOMPLETE): "the same command goes on where it was",
    ("report", "own"): "`curator open {typed}` shows it in the browser",
    ("report", "elsewhere"): "open it in a browser",
    ("stats", "lacking"): "`{command}` makes what is missing, or tells why",
    ("stats", "well"): "`curator report {typed}` shows all of it as pictures",
    ("new", "well"): (
        "read {file}, then `curator crawl {typed} --limit 50`; `curator learn {typed}` makes more rules of "
        "what is stored by then"
    ),
    ("new", "empty"): (
        "no articles were found: write `archive` into {file} by hand; `curator check {typed} --fetch` tries "
        "it"
    ),
    ("new", "copied"): "`curator check --online {typed}` asks whether the portal is still as described",
    ("new", "interrupted"): "run the command again",
    (
        "new",
        "blocked",
    ): "ask its publisher; or save pages in a browser as WARC, and `curator new --warc FILE` looks at those",
    ("new", "unread"): "look at {url} in a browser; try again later, or with another address",
    (
        "convert",
        "done",
    ): "read {file}, with what stands at its end; `curator check {file}` finds every mistake",
    ("portals", "some"): (
        "`curator check --online {typed}` asks whether one is still as described, `curator crawl {typed} "
        "--column {column} --limit 20` gets its first articles, `curator new {typed}` copies its file"
    ),
    ("portals", "presets"): "`extends: {typed}` in a portal file says that a site is made with it",
    ("portals", "near"): (
        "did you mean {near}? If not, `curator new URL` looks at a site, and writes a first portal file"
    ),
    ("portals", "none"): "`curator new URL` looks at a site, and writes a first portal file",
    ("convert", "nothing"): "`curator new URL` looks at a site, and writes a first portal file",
    ("learn", "open"): "curator learn {typed}{flags} --write  (with your numbers)",
    ("learn", "sure"): "curator learn {typed}{flags} --write",
    ("learn", "no articles"): (
        "`curator check {typed} --fetch` shows what the rules find on the first archive pages: mend "
        "`archive` in the portal file by that"
    ),
    (
        "learn",
        "well",
    ): "`curator audit {typed}` says what the rules lose; `curator test {typed}` what they should give",
    ("export", "well"): "`curator stats {typed}` tells what the corpus is made of",
    ("export", "filtered"): "`curator export {typed} --to {format}` without some of the filters",
    ("export", "empty"): "`curator status {typed}` tells why nothing is built",
    (
        "annotate",
        ExitCode.OK,
    ): "`curator export {typed} --to conllu` writes the texts with what the program said",
    ("annotate", ExitCode.FAILURES): "the same command tries these articles again",
    ("annotate", ExitCode.INCOMPLETE): "the same command, without --all, goes on",
    ("annotate", "share"): "the same command without --share, once all shares are there, puts them together",
    ("search", "found"): "`curator open {typed} {url}` shows the first of these articles beside its page",
    ("search", "counted"): "`curator search {typed} {query}` shows the places",
    ("search", "nothing"): (
        "`curator search {typed} {query} --with comments,captions,boxes` searches these, too; begin* finds "
        "all words that begin so"
    ),
    (
        "release",
        "made",
    ): "`curator release verify {folder}` checks it; keep the fingerprint apart from it, or publish it",
    ("fix", "mended"): "`curator build {typed}` applies it; `curator fix {typed}` lists what was mended",
    ("fix", "none"): "`curator fix {typed} URL title='...'` mends a value of one article",
    ("fix", "waiting"): "`curator build {typed}` applies what waits",
    ("fix", "not applied"): (
        "`curator fix {typed} {url} FIELD=VALUE` mends it again; `curator fix {typed} {url} --forget "
        "{field}` takes it back"
    ),
    ("fix", "well"): "`curator fix {typed} URL --forget FIELD` takes one back",
    ("diff", "some"): "`curator diff {typed} {url}` shows what changed in this one",
    (
        "diff",
        "none",
    ): "`curator crawl {typed} --recheck 30d` looks again at what was stored for the last time before",
    ("diff", "shown"): "`curator open {typed} {url}` shows the article beside its page",
    ("watch", ExitCode.OK): "`curator audit {typed}` looks for what the rules lose on all pages alike",
    ("watch", ExitCode.INCOMPLETE): "`curator watch {typed}` goes on",
    ("watch", ExitCode.DRIFT): (
        "`curator try {typed} {url}` shows what the rules make of the first page; when the portal file is "
        "changed, `curator build"
        " {typed}`. Where all is right as it is, an entry of `layouts` with this date says so"
    ),
    ("label", "trained"): "curator label eval {typed} says how good one is on pages that it has not seen",
    ("label", "measured"): "curator label train {typed} keeps one that is trained on all of them",
    ("warc", "corpus"): "`curator status {typed}` shows what the corpus has now",
    ("warc", "nothing"): "`curator warc check {typed}` says what is wrong with the files",
    ("warc", "listed"): "`curator warc cat {typed} {url} --payload` shows a page",
    ("warc", "shown"): "`curator warc list {typed}` shows what else is in these files",
    ("warc", "chosen"): "`curator warc list {file}` shows what was chosen",
    ("warc", "none chosen"): "`curator warc list {typed}` shows what there is to choose from",
    ("warc", "errors"): "`curator warc list {typed}` shows what can be read all the same",
    ("warc", "sound"): "`curator warc list {typed}` shows what the files hold",
    ("push", "interrupted"): "the same command goes on where it was",
    ("push", "open"): "`curator crawl {typed}` completes what is open; then the same command brings it",
    (
        "push",
        "well",
    ): "`curator build {typed}` reads the files where they lie; `curator crawl {typed}` goes on here",
    ("tags", "none"): (
        "if the portal file has a `body.root`, `curator try {typed}{pages} URL` shows whether it matches; "
        "without it the general finder looks for running text"
    ),
    (
        "tags",
        "table",
    ): "fill in the column `operation` of {table}; then `curator tags apply {table} {portal}`",
    (
        "tags",
        "page",
    ): "open {file} in a browser; what is decided there is downloaded as a table for `curator tags apply`",
    ("tags", "undecided"): (
        "`curator tags {typed}{pages} --tsv tags.tsv`; fill in its column `operation`; then `curator tags "
        "apply tags.tsv {portal}`"
    ),
    ("tags", "decided"): (
        "every tag with text{of_which} is decided: `curator audit {typed}{pages}` shows what was lost and "
        "what should not be there"
    ),
    ("tags apply", "dry run"): "curator tags apply {table} {portal}",
    ("tags apply", "applied"): "curator build {portal} --compare",
    ("compare",): "open {page} in a browser; `curator audit {typed}` looks for text that the rules lose",
    (
        "extract",
        "urls",
    ): "`curator extract URL` gets the text of one; `curator new {url}` begins a corpus of all",
    ("extract", "done"): "`curator new URL` begins a corpus of a whole site",
    ("advice", "index"): "`curator warc index {typed}` makes the ledger again from the WARC files.",
    ("advice", "rebuild"): "`curator build {typed} --all` makes it again.",
    ("advice", "build"): "`curator build {typed}` comes first.",
    (
        "advice",
        "annotate",
    ): "The command that made it makes it again with --all.",
    ("advice", "accept"): "`curator test {typed} --accept URL` writes what is right.",
    ("advice", "release"): "Name the folder that `curator release` made.",
    ("advice", "check"): "`curator warc check FILES` says what else is wrong.",
    ("advice", "begin"): "If not, `curator crawl {typed}` begins it.",
    ("advice", "coverage"): "`curator coverage {typed} --cdx FILE` writes it.",
    ("advice", "crawl"): "`curator crawl {typed}` gets pages.",
    ("advice", "train"): "`curator label train PORTAL|DIR` makes one.",
    ("advice", "portals"): "`curator portals {typed}` lists those that came with curator.",
    ("advice", "names"): "`curator portals` lists the names that came with curator.",
    ("advice", "by"): "Say --by NAME.",
    ("advice", "selectors"): "Write drop=SELECTOR or keep=SELECTOR; --forget takes them back.",
    ("advice", "try"): "`curator try {typed} URL` shows what becomes of its elements.",
    ("advice", "new"): "`curator new URL` looks at the site and writes one.",
}


def first_that_holds(situations: Mapping[str, object]) -> str:
    """Return the name of the first situation that holds; the last one holds where no other does."""
    return next((name for name, holds in situations.items() if holds), [*situations][-1])


def tip(*situation: str | ExitCode, **names: object) -> str:
    """The sentence for a situation. `typed`: the portal and its corpus as they were typed; an address is
    quoted for a shell."""
    url = {"url": shlex.quote(str(names["url"]))} if "url" in names else {}
    return TIPS[situation].format(**{"pages": "", **names, **url})
