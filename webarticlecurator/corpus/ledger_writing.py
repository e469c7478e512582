"""Writes the ledger: what each event means for its tables, and nothing that an event does not say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import orjson
from msgspec.structs import asdict

from webarticlecurator.corpus import events
from webarticlecurator.corpus.ledger_schema import ASKED_AGAIN_IN_SQL, key_of
from webarticlecurator.databases import Database
from webarticlecurator.dates import latest_moment
from webarticlecurator.model.capture import url_of_key
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.urls import host_and_port, normalise
from webarticlecurator.warc.stored import StoredExchange, StoredResponse

_LIST = """
    INSERT INTO listings AS l VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, rules = excluded.rules
    WHERE l.rules IS NOT excluded.rules
    OR l.seq < (SELECT max(seq) FROM listings WHERE url_id = excluded.url_id AND column_id = excluded.column_id)
"""
"""The statement that notes a listing. A listing that comes again after another one, or by other rules, counts
as the newest; a rerun that lists the same writes nothing."""
_OTHER_TITLE = """
    SELECT title FROM (
        SELECT coalesce(json_extract(fields, '$.headline[0]'), json_extract(fields, '$.name[0]')) AS title
        FROM urls u JOIN listings l ON l.url_id = u.id WHERE u.identity_key = ? AND l.key != 0 AND u.id IS NOT ? LIMIT 50
    ) WHERE title != ?
"""
_ROWS_OF = """
    SELECT u.url, u.id FROM json_each(?) l
    CROSS JOIN urls u ON u.key = json_extract(l.value, '$[0]') AND u.url = json_extract(l.value, '$[1]')
"""
_IS_LAST = ":outcome = 'fetched' AND :next IS NULL AND :identity IS NULL"
_UNFOLLOWED = ", ".join(
    f"{name} = CASE WHEN {_IS_LAST} THEN :{name} ELSE {name} END"
    for name in ("unfollowed", "goes_on", "no_page", "led_by")
)
"""The last page decides; what is imported is not looked into."""

_COLUMNS_OF_PLACE = ("whole", "record", "target", "at", "digest", "file", "offset", "length")
"""Columns that say where a style sheet, a picture or a font is stored."""
_ASKED_FOR = """
    UPDATE requisites SET outcome = :outcome, reason = :reason, tries = tries + 1, asked_run = :run,
        whole = :whole, record = :record, target = :target, at = :at, digest = :digest,
        file = :file, offset = :offset, length = :length
    WHERE key = :key
"""


class LedgerWriter:
    """Applies events, one at a time, inside a transaction of whoever calls."""

    def __init__(self, connection: Database) -> None:
        self._db = connection
        self.inserted = 0
        """URLs seen for the first time since the ledger was opened."""

    def url_id(self, url: str) -> int | None:
        """The row of an article's URL; None where it is not known as one."""
        rows = self._db.execute("SELECT id FROM urls WHERE key = ? AND url = ?", (key_of(url), url))
        return next((row_id for (row_id,) in rows), None)

    def apply(self, event: events.Event, stored: StoredExchange) -> None:
        """Take one event in; `stored` says where its records lie. Inside a transaction."""
        apply = self._APPLY.get(type(event), _change_nothing)
        apply(self, event, stored.response)
        self._db.execute(
            "INSERT INTO files VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET committed = max(committed, "
            "excluded.committed),"
            " first = min(first, excluded.first), last = max(last, excluded.last), run = max(run, "
            "excluded.run)",
            (
                stored.location.file,
                stored.location.offset + stored.location.length,
                event.seq,
                event.seq,
                event.run,
            ),
        )

    def _apply_links(self, event: events.LinksEvent, _: StoredResponse | None) -> None:
        fresh = self._note_links(event)
        self._db.execute(
            "UPDATE walks SET links = links + ?, fresh = fresh + ? WHERE id = ?",
            (len(event.links), fresh, event.walk),
        )

    def _apply_unproved(self, event: events.UnprovedEvent, _: StoredResponse | None) -> None:
        for column in event.columns:
            self._unprove(event.reason, "column = ?", column)

    def _apply_drift(self, event: events.DriftEvent, _: StoredResponse | None) -> None:
        for walk in event.walks:
            self._db.execute(
                "UPDATE walks SET end = ?, reason = ? WHERE id = ?",
                (events.EndKind.DRIFT, event.reason, walk),
            )
            self._db.execute("UPDATE spans SET proved = 0 WHERE walk = ?", (walk,))

    def _apply_page(self, event: events.PageEvent, response: StoredResponse | None) -> None:
        fresh = self._note_links(event)
        if event.span != events.NO_SPAN:
            self._insert(
                "spans", id=event.span, walk=event.walk, column=event.column, interval=event.interval
            )
        # archive pages are told apart by their addresses, but for the steps of a page that grows in a browser
        _, steps, step = event.request.partition(f"{url_of_key(event.request)} step ")
        page = key_of(f"{event.url} step {step}" if steps else event.url)
        links = len(event.links) or len(
            event.sections
        )  # a page that only leads on to sections gives something, too
        first_links = (
            key_of("\n".join(sorted(url for url, _, _ in event.links)))
            if event.index == 0 and event.links
            else None
        )
        self._db.execute(
            "UPDATE walks SET pages = pages + 1, links = links + ?, fresh = fresh + ?, more = more + ?,"
            " covered = covered + (? AND NOT EXISTS (SELECT 1 FROM pages WHERE key = ? AND walk = walks.id)),"
            " first_links = coalesce(?, first_links) WHERE id = ?",
            (
                links,
                fresh,
                event.more,
                event.result == events.PageResult.LINKS,
                page,
                first_links,
                event.walk,
            ),
        )
        self._insert(
            "pages", walk=event.walk, key=page, url=event.url, outcome=event.outcome,
            result=event.result, reason=event.reason, whole=event.whole, links=links + event.before, at=event.at,
        )  # fmt: skip
        # counted anew in each run: what an earlier run saw may have moved to another page since
        self._db.executemany(
            "INSERT INTO lookalikes VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " pages = CASE WHEN run = excluded.run AND rules = excluded.rules THEN pages + (via != "
            "excluded.via AND pages < 2) ELSE 1 END,"
            " via = CASE WHEN run = excluded.run AND rules = excluded.rules THEN via ELSE excluded.via END,"
            " run = excluded.run, rules = excluded.rules, selector = excluded.selector,"
            " in_list = excluded.in_list, in_box = excluded.in_box, on_empty = excluded.on_empty",
            [
                (
                    event.column,
                    url,
                    event.rules,
                    event.run,
                    event.url,
                    selector,
                    in_list,
                    in_box,
                    not event.links,
                )
                for url, selector, in_list, in_box in event.lookalikes
            ],
        )
        for older in event.joined:
            self._merge(older, event.span)
            self._take_bottom(older, event.span)
        if event.bottom is not None:
            self._db.execute(
                "UPDATE spans SET bottom_index = ?, bottom_page = ?, bottom_url = ?, bottom_links = ? WHERE "
                "id = ?",
                (*event.bottom, orjson.dumps(event.bottom_links).decode(), event.span),
            )
        is_kept = self._keep_response(event, response)
        if is_kept and response is not None and response.made_of is not None:
            self._note_loaded(f"GET {response.made_of.target}", response.made_of)

    def _note_links(self, event: events.PageEvent | events.LinksEvent) -> int:
        """Note what the page lists, and what it was refused; return how many articles nobody knew before."""
        self._insert(
            "walks",
            id=event.walk,
            run=event.run,
            started=event.at,
            rules=event.rules,
            column=event.column,
            interval=event.interval,
        )
        column = self._id_of("columns", "name", event.column)
        rules = self._field_rules(event, column)
        known, identities = self.inserted, dict[str, str | None]()
        for url, identity, _ in event.links:
            identities.setdefault(url, identity)
        rows = self._url_ids(identities, event, via=event.url, walk=event.walk)
        for url, identity, listing in event.links:
            is_edited = "lastmod" in listing
            if is_edited:
                self._note_lastmod(rows[url], column, listing["lastmod"][0], event.at)
            if self._list(rows[url], column, event.seq, rules, listing):
                # the same address may have another title: there it says when it was edited
                self._note_other_title(
                    url, identity or url, listing, event.at, besides=rows[url] if is_edited else None
                )
        if rows and isinstance(event, events.PageEvent) and event.covers:
            self._db.execute(
                "INSERT OR REPLACE INTO span_links SELECT ?, value, ? FROM json_each(?)",
                (column, event.span, orjson.dumps([*rows.values()]).decode()),
            )
        refused = [(url, key_of(url), host_and_port(url), reason) for url, reason in event.refused]
        self._db.executemany("INSERT OR REPLACE INTO refused VALUES (?, ?, ?, ?)", refused)
        return self.inserted - known

    def _field_rules(self, event: events.PageEvent | events.LinksEvent, column: int) -> int | None:
        """Return the row of the rules by which fields are read: the event's, or those that the column had
        before."""
        if event.field_rules is None:
            (before,) = self._db.execute("SELECT rules FROM columns WHERE id = ?", (column,)).fetchone()
            return int(before) if before is not None else None
        rules = self._id_of("field_rules", "rules", event.field_rules)
        self._db.execute(
            "UPDATE columns SET rules = ? WHERE id = ? AND rules IS NOT ?", (rules, column, rules)
        )
        return rules

    def _list(
        self, row: int, column: int, seq: int, rules: int | None, listing: Mapping[str, Sequence[str]]
    ) -> bool:
        """Write down what a column lists of an article; False if it said the same before."""
        fields = {name: values for name, values in listing.items() if name != "lastmod"}
        text = orjson.dumps(fields, option=orjson.OPT_SORT_KEYS).decode()
        return (
            self._db.execute(_LIST, (row, column, key_of(text) if fields else 0, seq, rules, text)).rowcount
            > 0
        )

    def _note_other_title(
        self, url: str, identity: str, listing: Mapping[str, Sequence[str]], at: str, *, besides: int | None
    ) -> None:
        """Note a conflict for a person where the listings gave another title to the same identity."""
        titles = listing.get("headline") or listing.get("name")
        if not titles:
            return
        key, title = key_of(identity), titles[0]
        other = self._db.execute(_OTHER_TITLE, (key, besides, title)).fetchone()
        if other is not None:
            reason = f"the listings give one article two titles: {other[0]!r} and {title!r}"
            self._insert("conflicts", identity=identity, key=key, url=url, reason=reason, since=at)

    def _merge(self, older: int, into: int) -> None:
        self._db.execute(
            "UPDATE spans SET merged_into = ? WHERE id = ? OR merged_into = ?", (into, older, older)
        )

    def _take_bottom(self, older: int, into: int) -> None:
        """A span that goes on in an older one reaches down to where that one does."""
        self._db.execute(
            "UPDATE spans SET (bottom_index, bottom_page, bottom_url, bottom_links) ="
            " (SELECT bottom_index, bottom_page, bottom_url, bottom_links FROM spans WHERE id = ?) WHERE id "
            "= ?",
            (older, into),
        )

    def _apply_walk_end(self, event: events.WalkEndEvent, _: StoredResponse | None) -> None:
        self._db.execute(
            "UPDATE walks SET ended = :at, end = :end, reason = :reason, ground = :ground, last_url = :last, "
            "last_links = :last_links"
            " WHERE id = :walk",
            asdict(event),
        )
        if event.end == events.EndKind.UNPROVED:
            self._forget_spans("walk = ?", event.walk)
        if event.proves is None:
            return
        self._db.execute("UPDATE spans SET proved = 1 WHERE id = ?", (event.proves,))
        if event.whole:
            others = self._db.execute(
                "SELECT id, proved FROM spans WHERE column = ? AND interval IS ? AND merged_into IS NULL AND "
                "id != ? ORDER BY id",
                (event.column, event.interval, event.proves),
            ).fetchall()
            for other, proved in others:
                if proved and event.end == events.EndKind.KNOWN:
                    self._take_bottom(other, event.proves)
                self._merge(other, event.proves)

    def _apply_article(self, event: events.ArticleEvent, response: StoredResponse | None) -> None:
        url_id = self._url_ids({event.url: event.identity}, event, via=event.via)[event.url]
        had = event.outcome == FetchOutcome.FETCHED
        part = event.part if had and not event.another else 0
        if event.again:
            self._note_asked_again(event, url_id)
        elif not self._settle(event, url_id, part):
            # the page before is not in the files any more: the article is open from there on
            sql = (
                "UPDATE urls SET outcome = 'queued', reason = 'a page of it is missing in the WARC files', "
                "since = ? WHERE id = ?"
            )
            self._db.execute(sql, (event.at, url_id))
        self._keep_response(event, response, url_id=url_id, part=part, rights=event.rights)

    def _note_asked_again(self, event: events.ArticleEvent, url_id: int) -> None:
        is_further_page = event.part > 1 and event.outcome != FetchOutcome.FETCHED
        reason = f"its page {event.part}, {event.reason}" if is_further_page else event.reason
        self._db.execute(
            "UPDATE urls SET reason = :why, again = CASE WHEN :outcome != 'fetched' THEN :outcome END, "
            "asked_run = :run,"
            f" changed = changed AND :outcome IN {ASKED_AGAIN_IN_SQL}, {_UNFOLLOWED}, gone = CASE"
            " WHEN :part = 1 AND :outcome = 'gone' THEN coalesce(gone, :at) WHEN :outcome != 'fetched' THEN "
            "gone END WHERE id = :id",
            {**asdict(event), "why": reason, "id": url_id},
        )

    def _settle(self, event: events.ArticleEvent, url_id: int, part: int) -> bool:
        """Write down how it ended with an article, or with a page of it; False if the page before is not
        known."""
        values = {
            **asdict(event),
            "id": url_id,
            "code": "whole-post" if event.whole_post else None,
            "parts": part or event.part - 1,
        }
        if event.outcome != FetchOutcome.FETCHED:
            values["next"] = event.asked if event.part > 1 else None
        elif event.next is not None:
            values |= {
                "outcome": FetchOutcome.QUEUED,
                "reason": "its next page is still to be fetched",
                "run": 0,
            }
        sql = (
            "UPDATE urls SET since = CASE WHEN outcome = :outcome AND reason = :reason THEN since ELSE :at "
            "END, outcome = :outcome,"
            " reason = :reason, again = NULL, code = :code, saw = :saw, parts = :parts, next_url = :next, "
            "asked_run = :run,"
            f" {_UNFOLLOWED}, gone = NULL, lost = CASE WHEN :outcome NOT IN ('fetched', 'duplicate') THEN "
            "lost END"
            " WHERE id = :id AND parts >= :part - 1"
        )
        return self._db.execute(sql, values).rowcount > 0

    def _apply_seen(self, event: events.SeenEvent, _: StoredResponse | None) -> None:
        """Take in what is known now, in place of what was known before."""
        for table in ("seen_on", "seen_forms", "seen_addresses"):
            self._db.execute(f"DELETE FROM {table}")
        self._db.execute("INSERT INTO seen_on VALUES (?, ?)", (event.run, event.pages))
        self._db.executemany(
            "INSERT OR REPLACE INTO seen_forms VALUES (?, ?, ?)", [form[:3] for form in event.forms]
        )
        addresses = [(form, *address) for form, _, _, addresses in event.forms for address in addresses]
        self._db.executemany("INSERT OR REPLACE INTO seen_addresses VALUES (?, ?, ?, ?)", addresses)

    def _apply_joined(self, event: events.JoinedEvent, _: StoredResponse | None) -> None:
        article = self.url_id(event.url)
        rows = [row for page in event.pages if (row := self.url_id(page)) is not None]
        place = {page: part for part, page in enumerate(event.pages, start=1)}
        marks = ", ".join("?" * len(rows))
        for response_id, request in self._db.execute(
            f"SELECT id, request FROM responses WHERE url_id IN ({marks})", rows
        ).fetchall():
            part = place.get(url_of_key(request))
            if part is not None:
                self._db.execute(
                    "UPDATE responses SET url_id = ?, part = ? WHERE id = ?", (article, part, response_id)
                )
        self._db.execute(
            "UPDATE urls SET outcome = 'duplicate', reason = 'a further page of an article that was "
            "imported', code = 'further-page',"
            " since = ?, parts = 0, next_url = NULL, (identity_key, other_identity) ="
            f" (SELECT identity_key, identity FROM urls WHERE id = ?) WHERE id IN ({marks}) AND id != ?",
            (event.at, article, *rows, article),
        )
        outcome = FetchOutcome.FETCHED if event.next is None else FetchOutcome.QUEUED
        reason, code = (
            ("imported", None)
            if event.next is None
            else ("a page of it was in none of the imported files", "page-missing")
        )
        self._db.execute(
            "UPDATE urls SET outcome = ?, reason = ?, code = ?, since = ?, parts = ?, next_url = ?, "
            "asked_run = 0 WHERE id = ?",
            (outcome.value, reason, code, event.at, event.whole, event.next, article),
        )

    def _apply_loaded(self, event: events.LoadedEvent, response: StoredResponse | None) -> None:
        if response is not None:
            self._note_loaded(event.request, response)

    def _note_loaded(self, request: str, response: StoredResponse) -> None:
        if response.kind == "response" and response.status == 200:
            self._insert("loaded", "REPLACE", key=key_of(request), **_place_of(response), file=response.file)

    def _apply_named(self, event: events.NamedEvent, _: StoredResponse | None) -> None:
        for record in event.records:
            self._insert("looked_through", "REPLACE", record=record, kinds=" ".join(event.kinds))
        for url, kind in event.names:
            self._note_requisite(url, kind, event.depth + 1, "not asked for yet")

    def _apply_requisite(self, event: events.RequisiteEvent, response: StoredResponse | None) -> None:
        self._note_requisite(event.url, event.needed_as, event.depth, event.reason)
        place: dict[str, Any] = dict.fromkeys(_COLUMNS_OF_PLACE)
        if response is not None and event.outcome is FetchOutcome.FETCHED:
            is_whole = response.kind == "response"
            place = {**_place_of(response), "file": response.file, "whole": is_whole}
        self._db.execute(_ASKED_FOR, {**asdict(event), **place, "key": key_of(normalise(event.url))})

    def _note_requisite(self, url: str, kind: str, depth: int, reason: str) -> None:
        self._insert(
            "requisites", key=key_of(normalise(url)), url=url, host=host_and_port(url), needed_as=kind,
            depth=depth, outcome=FetchOutcome.QUEUED, reason=reason, tries=0, asked_run=0,
        )  # fmt: skip

    def _lose_requisites(self, file: str, kept: int) -> None:
        """Have those asked for again that were in the lost end of a file, and what stood for one of them."""
        lost = {"file": file, "kept": kept, "reason": f"what was stored of it is lost ({file})"}
        again = """
            UPDATE requisites SET outcome = 'queued', reason = :reason, tries = 0, asked_run = 0,
                whole = NULL, record = NULL
        """
        whole = "(SELECT digest FROM requisites WHERE whole)"
        self._db.execute(f"{again} WHERE file = :file AND offset + length > :kept", lost)
        self._db.execute(f"{again} WHERE whole = 0 AND digest NOT IN {whole}", lost)

    def _apply_blocked(self, event: events.BlockedEvent, _: StoredResponse | None) -> None:
        for url in event.urls:
            values = {**asdict(event), "id": self.url_id(url)}
            # What had counted as fetched was the block's page, and no version of the article; else it was
            # seen to be none already.
            self._db.execute(
                "UPDATE responses SET part = 0 WHERE id = (SELECT max(id) FROM responses WHERE url_id = :id)"
                " AND (SELECT outcome = 'fetched' AND again IS NULL FROM urls WHERE id = :id)",
                values,
            )
            stays = self._db.execute(
                "UPDATE urls SET reason = :reason, again = 'blocked' WHERE id = :id AND (:again OR (outcome "
                "= 'fetched' AND EXISTS ("
                "SELECT 1 FROM responses r WHERE r.url_id = :id AND r.part = 1 AND r.status BETWEEN 200 AND "
                "299)))",
                values,
            ).rowcount
            if not stays:  # it is asked for from its first page on
                self._db.execute(
                    "UPDATE urls SET parts = CASE outcome WHEN 'fetched' THEN 0 ELSE parts END, outcome = "
                    "'blocked', reason = :reason,"
                    " since = :at, asked_run = :run WHERE id = :id",
                    values,
                )

    def _apply_lost(self, event: events.LostEvent, _: StoredResponse | None) -> None:
        if event.archive:
            self._unprove(f"archive pages are lost ({event.file or 'a damaged or missing file'})", "TRUE")
        if event.file is None:
            return
        reason, beyond = f"what was stored of it is lost ({event.file})", "file = ? AND offset + length > ?"
        for url, identity, via, *_rest in event.articles:
            url_id = self._url_ids({url: identity}, event, via=via)[url]
            self._db.execute(
                "UPDATE urls SET outcome = 'queued', reason = ?, saw = NULL, code = NULL, parts = 0, "
                "next_url = NULL, lost = ?,"
                " asked_run = 0, since = ? WHERE id = ?",
                (reason, event.file, event.at, url_id),
            )
        self._db.execute(
            "INSERT INTO lost VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET size = excluded.size, known = "
            "max(known, excluded.known),"
            " articles = articles + excluded.articles, archive_pages = archive_pages + "
            "excluded.archive_pages",
            (event.file, event.size, event.known, len(event.articles), event.archive_pages),
        )
        for table in ("responses", "loaded"):
            self._db.execute(f"DELETE FROM {table} WHERE {beyond}", (event.file, event.kept))
        self._lose_requisites(event.file, event.kept)
        self._db.execute("DELETE FROM files WHERE name = ? AND first >= ?", (event.file, event.first))
        self._db.execute(
            "UPDATE files SET committed = ?, last = ? WHERE name = ?",
            (event.kept, event.first - 1, event.file),
        )

    def _unprove(self, reason: str, which: str, *values: str | None) -> None:
        self._db.execute(
            "UPDATE walks SET end = 'unproved', reason = ? WHERE id IN (SELECT id FROM proved_walks WHERE "
            f"{which})",
            (reason, *values),
        )
        self._forget_spans(which, *values)

    def _forget_spans(self, which: str, *values: int | str | None) -> None:
        """Forget spans: what a doubtful walk covered, or a lost page, is nothing that another walk can join:
        the next one reads every page again."""
        self._db.execute(f"UPDATE spans SET proved = 0, bottom_url = NULL WHERE {which}", values)

    def _apply_looked_at(self, event: events.LookedAtEvent, response: StoredResponse | None) -> None:
        self._keep_response(event, response)

    def _keep_response(
        self,
        event: events.PageEvent | events.ArticleEvent | events.LookedAtEvent,
        response: StoredResponse | None,
        *,
        url_id: int | None = None,
        part: int | None = None,
        rights: Mapping[str, str] | None = None,
    ) -> bool:
        """Keep what says what is there; what a browser came to that could not show the page is no page for
        anybody to read."""
        if response is None or (response.kind == "conversion" and event.outcome != FetchOutcome.FETCHED):
            return False
        made_of = orjson.dumps(_place_of(response.made_of)).decode() if response.made_of is not None else None
        self._insert(
            "responses", key=key_of(event.request), request=event.request, url_id=url_id, part=part, status=response.status,
            kind=response.kind, **_place_of(response), file=response.file, made_of=made_of,
            rights=orjson.dumps(rights, option=orjson.OPT_SORT_KEYS).decode() if rights else None,
        )  # fmt: skip
        return True

    def _note_lastmod(self, url_id: int, column: int, listed: str, at: str) -> None:
        """An article that was changed after its last capture is asked for again; what lies in the future is
        not believed.

        So is one of which the same column says a later time than before, though our copy is younger: some
        portals show a change hours after its time. What a column says twice of one article is the later of
        both.
        """
        changed = latest_moment(listed)
        if changed is not None:
            is_later = (
                "(parts > 0 AND :changed <= :at AND :changed >"
                " coalesce((SELECT max(at) FROM responses WHERE url_id = urls.id AND part = 1), :changed))"
            )
            is_known = (
                "(lastmod_by IS :column AND julianday(lastmod) BETWEEN julianday(:listed) AND julianday(:at))"
            )
            has_moved = (
                "(parts > 0 AND :changed <= :at AND lastmod_by IS :column AND julianday(:listed) > "
                "julianday(lastmod))"
            )
            self._db.execute(
                f"UPDATE urls SET lastmod = :listed, lastmod_by = :column, changed = changed OR {is_later} "
                f"OR coalesce({has_moved}, 0)"
                f" WHERE id = :id AND (NOT coalesce({is_known}, lastmod IS :listed) OR (NOT changed AND "
                f"{is_later}))",  # what is new
                {"id": url_id, "column": column, "listed": listed, "changed": changed.isoformat(), "at": at},
            )

    def _id_of(self, table: str, column: str, text: str) -> int:
        """The row with a text, made where there is none."""
        self._insert(table, **{column: text})
        row_id: int = self._db.execute(f"SELECT id FROM {table} WHERE {column} = ?", (text,)).fetchone()[0]
        return row_id

    def _url_ids(
        self,
        identities: Mapping[str, str | None],
        event: events.Event,
        *,
        via: str | None,
        walk: int | None = None,
    ) -> dict[str, int]:
        """The rows of URLs with these identities, made where there are none."""
        rows = dict(
            self._db.execute(_ROWS_OF, (orjson.dumps([(key_of(url), url) for url in identities]).decode(),))
        )
        for url, identity in identities.items():
            if url not in rows:
                self.inserted += 1
                rows[url] = self._insert(
                    "urls", key=key_of(url), url=url, identity_key=key_of(identity or url),
                    other_identity=identity if identity != url else None, host=host_and_port(url), walk=walk, via=via,
                    outcome=FetchOutcome.QUEUED.value, reason="not "
                                                              "asked "
                                                              "for yet", first_seen=event.at, since=event.at,
                )  # fmt: skip
        return rows

    def _insert(self, table: str, or_else: str = "IGNORE", /, **values: object) -> int:
        """A row, unless there is one with its key; gives its number."""
        sql = (
            f"INSERT OR {or_else} INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        )
        row = self._db.execute(sql, tuple(values.values())).lastrowid
        assert row is not None
        return row

    _APPLY: ClassVar[dict[type[events.Event], Callable[[LedgerWriter, Any, StoredResponse | None], None]]] = {
        events.PageEvent: _apply_page,
        events.LinksEvent: _apply_links,
        events.WalkEndEvent: _apply_walk_end,
        events.UnprovedEvent: _apply_unproved,
        events.DriftEvent: _apply_drift,
        events.ArticleEvent: _apply_article,
        events.LoadedEvent: _apply_loaded,
        events.NamedEvent: _apply_named,
        events.RequisiteEvent: _apply_requisite,
        events.JoinedEvent: _apply_joined,
        events.SeenEvent: _apply_seen,
        events.LookedAtEvent: _apply_looked_at,
        events.BlockedEvent: _apply_blocked,
        events.LostEvent: _apply_lost,
    }
    """The step that each kind of event takes; events of other kinds change nothing."""


def _change_nothing(*_: object) -> None:
    """Keep only the number of an event."""


def _place_of(response: StoredResponse) -> dict[str, str | int]:
    """Return which record holds a response, and where in its file."""
    return {
        name: getattr(response, name) for name in ("record", "target", "at", "digest", "offset", "length")
    }
