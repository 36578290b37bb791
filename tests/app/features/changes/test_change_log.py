"""The change log and the published state, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from contract.visitor import NOW
from gulf import COUNTRIES

from app.features.changes.log import ChangeLog
from app.features.changes.model import Change, ChangePage, ChangeType
from app.features.changes.published import Difference, PublishedState, PublishedStates
from app.platform.database.database import Database
from knowledge.locales.locale import Language

EMIRATES, ARABIA, *_ = COUNTRIES
DAY = timedelta(days=1)


def change_of(slug: str, country: str = "ae", language: str = "en") -> Change:
    """Return the publication of a post."""
    found = next(each for each in COUNTRIES if each.slug == country)
    path = f"/{country}/{language}/blog/{slug}"
    return Change(ChangeType.PUBLISHED, path, "post", found, Language(language), NOW)


def difference_of(*changes: Change, **records: str) -> Difference:
    """Return a difference with these changes, and records of pages by path."""
    return Difference(changes, records, NOW, "site")


async def recorded(database: Database, *changes: Change, age: timedelta = 0 * DAY) -> None:
    """Record changes as the next revision."""
    states = PublishedStates(database)
    assert await states.record(await states.load(), difference_of(*changes), NOW - age)


def paths(page: ChangePage) -> list[str]:
    """Return the last parts of the paths of changes."""
    return [item.change.path.rpartition("/")[2] for item in page.items]


async def test_changes_are_read_in_order_from_a_cursor_on(database: Database) -> None:
    """A page tells from where to go on, and whether there is more; an empty one keeps it."""
    log = ChangeLog(database)
    await recorded(database, change_of("a"), change_of("b"))
    await recorded(database, change_of("c"))
    first = await log.after(0, 2)
    assert (paths(first), first.more) == (["a", "b"], True)
    second = await log.after(first.cursor, 2)
    assert (paths(second), second.more) == (["c"], False)
    assert await log.after(second.cursor, 2) == ChangePage([], second.cursor, more=False)
    assert (await log.head()).last == second.cursor == 3
    assert [item.number for item in await log.newest(2)] == [2, 3]


async def test_a_change_is_read_as_it_was_recorded(database: Database) -> None:
    """Also where a page has moved to, and on a site without countries."""
    moved = Change(
        ChangeType.MOVED, "/ar/a", "page", None, Language.AR, NOW - DAY, moved_to="/ar/b"
    )
    await recorded(database, moved, change_of("a"))
    page = await ChangeLog(database).after(0, 10)
    assert [item.change for item in page.items] == [moved, change_of("a")]


async def test_changes_of_a_country_or_a_language_are_read_alone(database: Database) -> None:
    """Both conditions may be combined."""
    log = ChangeLog(database)
    await recorded(
        database, change_of("a", "ae", "en"), change_of("b", "sa", "en"), change_of("c", "sa", "ar")
    )
    assert paths(await log.after(0, 9, country=ARABIA)) == ["b", "c"]
    assert paths(await log.after(0, 9, language=Language.EN)) == ["a", "b"]
    assert paths(await log.after(0, 1, ARABIA, Language.AR)) == ["c"]
    assert [item.number for item in await log.newest(1, EMIRATES)] == [1]


async def test_of_two_processes_that_see_the_same_edit_one_records_it(database: Database) -> None:
    """The other one reads what has been recorded."""
    states = PublishedStates(database)
    state = await states.load()
    edit = difference_of(change_of("a"), **{"/blog/a": "1"})
    results = await asyncio.gather(*(states.record(state, edit, NOW) for _ in range(4)))
    assert [result is not None for result in results].count(True) == 1
    assert len(await ChangeLog(database).newest(9)) == 1
    assert await states.refreshed(state) == await states.load() == next(filter(None, results))


async def test_the_state_of_another_process_is_read_incrementally(database: Database) -> None:
    """Also that a page is gone."""
    states = PublishedStates(database)
    first = await states.load()
    both = await states.record(first, difference_of(**{"/a": "1", "/b": "1"}), NOW)
    assert both is not None
    after = await states.record(both, difference_of(**{"/a": "", "/b": "2"}), NOW)
    assert after is not None
    assert after.records == {"/b": "2"}
    assert await states.refreshed(both) == await states.refreshed(first) == after
    assert await states.refreshed(after) is after


async def test_a_replaced_database_is_noticed(database: Database, tmp_path: object) -> None:
    """A restored backup is older, and a new database has another log."""
    states = PublishedStates(database)
    state = await states.load()
    later = PublishedState(state.log, state.revision + 1, 0)
    other = PublishedState("ffffffff", state.revision, 0)
    assert await states.refreshed(later) is None
    assert await states.refreshed(other) is None
    assert await states.record(other, difference_of(), NOW) is None


async def test_old_changes_are_deleted_and_numbers_are_not_used_again(database: Database) -> None:
    """The pages that were gone by then are forgotten; the head tells where the log begins."""
    log, states = ChangeLog(database), PublishedStates(database)
    for age in (100, 95, 10):
        await recorded(database, change_of(f"{age}"), age=age * DAY)
    assert [await log.purge(NOW - 90 * DAY, 1) for _ in range(3)] == [1, 1, 0]
    assert paths(await log.after(0, 9)) == ["10"]
    assert (await log.head()).purged == 2
    assert await log.purge(NOW + DAY, 9) == 1
    assert await log.newest(9) == []
    await recorded(database, change_of("next"))
    assert [item.number for item in await log.newest(9)] == [4]
    assert (await states.load()).last_change == 4
