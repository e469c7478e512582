"""What an audit tells a person: for each kind of finding a sentence on what was found, and one on what to do."""

from __future__ import annotations

from collections.abc import Mapping

from webarticlecurator.survey.audit.results import Kind

# {tag} and {rule} are what the finding is about; {words} is how much text is at stake, {note} what else is to be said.
MESSAGES: Mapping[Kind, str] = {
    Kind.NO_ROOT: "{rule} finds no container: nothing of these pages is kept",
    Kind.LISTING: "most of what is kept are links, so these pages are taken for listings",
    Kind.GOES_ON: "the articles go on at further pages, and articles.next does not lead there",
    Kind.SAME_BODY: "one text is the body of {note} articles, in {tag}",
    Kind.ROOT_TOO_SMALL: "running text stands outside of the container, in {tag}",
    Kind.LOST: "text that differs from page to page is dropped with {tag}",
    Kind.ROOT_TOO_LARGE: "the container holds the article in {tag}, and {words} words beside it that are kept but no running text",
    Kind.FURNITURE: "the same text is kept on many pages, in {tag}",
    Kind.LINKS: "links that lead away, or signs, are kept as text, in {tag}",
    Kind.NAMED: "{tag} is kept, and its name says that it is furniture",
    Kind.INTERRUPTED: "{tag} is dropped out of the middle of sentences",
    Kind.GROWN_TOGETHER: "two words stand together where {tag} was dropped between them",
    Kind.CUT: "paragraphs break off, and the next one goes on in the middle of the sentence, at {tag}",
    Kind.GLUED: "several paragraphs of the page become one, from {tag}",
    Kind.HEADING: "running text becomes headings, from {tag}",
    Kind.FLATTENED: "items of lists, or cells of tables, become paragraphs, from {tag}",
    Kind.ALMOST_EMPTY: "next to nothing is kept of these pages",
    Kind.REPEATED: "the same text is kept twice in one article, in {tag}",
    Kind.BYLINE: "the author, or the date of publication, is kept as a paragraph, in {tag}",
    Kind.UNDECIDED: "no rule decides {tag}, which holds much text",
    Kind.METADATA_EMPTY: "{tag} is empty in all of {note} articles",
    Kind.METADATA_RULE: "{rule} gives next to no values; what the pages say of themselves is taken instead, or nothing",
    Kind.METADATA: "{tag} is missing on these pages",
    Kind.UNUSED_RULE: "{rule} matches nothing{note}",
}
ADVICE: Mapping[Kind, str] = {
    Kind.NO_ROOT: "Look at one of the pages: body.root needs another alternative, or the pages a layout of their own.",
    Kind.LISTING: "Look at one of the pages: if it is an article, body.root takes in too much; if not, articles.skip can say so.",
    Kind.GOES_ON: "If these are pages of the article, write the rule; `curator crawl --recheck TIME` then fetches them.",
    Kind.SAME_BODY: "Look at one of the pages: body.root may point at a notice; where nothing else is there, articles.skip can say so.",
    Kind.ROOT_TOO_SMALL: "If it is of the article, body.root has to take it in: a wider element, or several with all_of.",
    Kind.LOST: "If it is of the article, take it out of what is dropped, or give it a block's name.",
    Kind.ROOT_TOO_LARGE: "Make body.root smaller, or decompose what does not belong there.",
    Kind.FURNITURE: "If it is not of the article, add it to decompose.",
    Kind.LINKS: "If it is not of the article, add it, or what it stands in, to decompose.",
    Kind.NAMED: "If it is what it says, add it to decompose; if not, a rule that says what it is ends this.",
    Kind.INTERRUPTED: "If it belongs to the sentence, unwrap it or give it an inline's name.",
    Kind.GROWN_TOGETHER: "If it belongs to the sentence, unwrap it or give it an inline's name.",
    Kind.CUT: "An inline may have been made a block there: give it an inline's name, or unwrap it.",
    Kind.GLUED: "Look for unwrap-all around it, or for a block's name on what holds several paragraphs.",
    Kind.HEADING: "Make the selector of the heading rule narrower.",
    Kind.FLATTENED: "Do not unwrap lists and tables, or their parts; those that are only layout are better decided by their class.",
    Kind.ALMOST_EMPTY: "Look at one of the pages: the container, or a rule, may be wrong for them.",
    Kind.REPEATED: "Decompose one of the two places.",
    Kind.BYLINE: "Pick it as metadata, and decompose it in the body.",
    Kind.UNDECIDED: "Decide it in body.tags; the tag inventory shows it with examples.",
    Kind.METADATA_EMPTY: "Look at one of the pages: if it has the value, pick it; if none has it, take the pick out, or let const name it.",
    Kind.METADATA_RULE: "Correct the pick, or take it out.",
    Kind.METADATA: "Look at one of the pages: a pick may be wrong for them, or they need a layout of their own.",
    Kind.UNUSED_RULE: "Correct the selector, or take it out.",
}
_NOWHERE = "an element without a class"


def message_of(kind: Kind, *, rule: str = "", tag: str = "", words: int = 0, note: str = "") -> str:
    """What was found."""
    return MESSAGES[kind].format(rule=rule or "the general finder", tag=tag or _NOWHERE, words=f"{words:,}", note=note)


def advice_of(kind: Kind) -> str:
    """What to do."""
    return ADVICE[kind]
