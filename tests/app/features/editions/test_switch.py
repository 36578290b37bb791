"""The switch of all machines: its rules, whatever the processes do and in whatever order."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, update
from stores.postgresql import PostgreSQL

from app.features.editions.store import (
    AHEAD,
    GIVEN_UP,
    LEASE,
    SETTLED,
    Check,
    Node,
    Switch,
    SwitchStore,
    edition_checks,
)
from app.platform.database.database import Database
from app.tables import all_tables

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
WAIT = timedelta(seconds=30)
OLD, NEW, LATER = "a" * 40, "b" * 40, "c" * 40
PENDING = Switch(7, OLD, NEW, NOW)


def node(name: str, ready: str, left: float = 5) -> Node:
    """Return a process whose lease ends in some seconds."""
    return Node(name, ready, NOW + timedelta(seconds=left))


def test_the_first_commit_is_current_at_once() -> None:
    """There is nothing to switch from."""
    assert Switch().proposed(OLD, NOW) == Switch(1, OLD, OLD)


def test_a_later_proposal_waits_for_the_end_of_the_switch() -> None:
    """The newest one counts, which may be what is wanted, or current, already."""
    later = PENDING.proposed(LATER, NOW)
    assert later == replace(PENDING, number=8, next=LATER)
    assert later.newest == LATER
    assert later.proposed("d" * 40, NOW).next == "d" * 40
    assert later.proposed(NEW, NOW) == replace(PENDING, number=9)
    settled = replace(later, at=NOW, is_settled=True)
    assert settled.after([], "a", NOW, WAIT) == Switch(8, NEW, LATER, NOW)
    back = PENDING.proposed(OLD, NOW)
    assert replace(back, at=NOW, is_settled=True).after([], "a", NOW, WAIT).wanted == OLD
    left = Switch(8, NEW, NEW, next=LATER)  # by a process of version 1.0
    assert left.after([], "a", NOW, WAIT) == Switch(8, NEW, LATER, NOW)


def test_what_no_process_gets_ready_is_given_up() -> None:
    """If there is a newer one; the processes may still be at it before that."""
    nodes = [Node("a", OLD, NOW + GIVEN_UP + LEASE)]
    later = PENDING.proposed(LATER, NOW)
    assert later.after(nodes, "a", NOW + WAIT, WAIT) == later
    assert later.after(nodes, "a", NOW + GIVEN_UP, WAIT) == Switch(8, OLD, LATER, NOW + GIVEN_UP)
    assert PENDING.after(nodes, "a", NOW + GIVEN_UP, WAIT) == PENDING


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.integers(1, 20), st.integers(2, 16), st.sampled_from([30, 600]))
def test_a_switch_always_ends(slowest: int, interval: int, pushes: int, wait: int) -> None:
    """However fast commits come, and however slow a process is; the last one is shown at last."""
    switch, shown = Switch().proposed("0", NOW), ["0"]
    ready, preparing = ({"quick": "0", "slow": "0"} for _ in range(2))
    done_at = {"quick": 0.0, "slow": 0.0}
    for step in range(5 * (pushes * interval + 3 * (slowest + 10))):
        second = step / 5
        now, number = NOW + timedelta(seconds=second), int(second) // interval + 1
        if second % interval == 0 and number <= pushes:
            switch = switch.proposed(str(number), now)
        for name, seconds in (("quick", 1), ("slow", slowest)):
            if ready[name] == preparing[name] != switch.wanted:  # what is begun is finished
                preparing[name], done_at[name] = switch.wanted, second + seconds
            if second >= done_at[name]:
                ready[name] = preparing[name]
            nodes = [Node(each, commit, now + LEASE) for each, commit in ready.items()]
            switch = switch.after(nodes, name, now, timedelta(seconds=wait))
            if switch.current != shown[-1]:
                shown.append(switch.current)
    assert shown[-1] == str(pushes)
    assert shown == sorted(shown, key=int)
    longest = min(slowest, wait) + AHEAD.seconds + 2
    assert len(shown) - 1 >= (pushes - 1) * interval // (longest + interval)


def test_it_is_announced_once_all_live_processes_are_ready() -> None:
    """One without a lease does not count; one that is slow is left out after a while."""
    ready, slow, dead = node("a", NEW), node("b", OLD), node("c", OLD, -1)
    assert PENDING.after([ready, slow, dead], "a", NOW, WAIT) == PENDING
    announced = replace(PENDING, at=NOW + AHEAD)
    assert PENDING.after([ready, dead], "a", NOW, WAIT) == announced
    assert PENDING.after([ready, dead], "b", NOW, WAIT) == replace(
        announced, missing=frozenset("a")
    )
    later = NOW + WAIT
    slow = slow._replace(until=later + LEASE)
    assert PENDING.after([ready, slow], "b", later, WAIT) == PENDING  # nobody would switch
    ready = ready._replace(until=later + LEASE)
    assert PENDING.after([ready, slow], "b", later, WAIT).missing == {"a"}


def test_it_is_settled_only_if_all_have_agreed_in_time() -> None:
    """Else it is withdrawn, and announced again; nobody has switched by then."""
    announced = replace(PENDING, at=NOW + AHEAD, missing=frozenset("ab"))
    late = NOW + AHEAD - SETTLED
    agreed = announced.after([], "a", NOW, WAIT)
    assert agreed == replace(announced, missing=frozenset("b"))
    assert agreed.after([], "a", NOW, WAIT) == agreed
    assert agreed.after([], "b", late, WAIT) == PENDING
    settled = agreed.after([], "b", NOW, WAIT)
    assert settled == replace(announced, missing=frozenset(), is_settled=True)
    assert settled.after([], "a", late, WAIT) == settled
    assert settled.after([], "a", NOW + AHEAD, WAIT) == Switch(7, NEW, NEW)


def test_who_is_late_leaves_the_load_balancer() -> None:
    """From the announcement on, so that it is gone when the others switch."""
    announced = replace(PENDING, at=NOW)
    settled = replace(announced, is_settled=True)
    assert not PENDING.is_late(OLD, OLD)
    assert announced.is_late(OLD, OLD)
    assert not announced.is_late(OLD, NEW)
    assert not settled.is_late(NEW, NEW)
    assert Switch(9, NEW, NEW).is_late(OLD, NEW)
    assert not Switch().is_late(OLD, OLD)  # nothing is known yet


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 0.4)), min_size=1, max_size=60))
def test_what_is_settled_is_never_taken_back(looks: list[tuple[str, float]]) -> None:
    """A process that has seen it may switch by itself, however long it sees nothing more."""
    switch, now, promised = PENDING, NOW, False
    for own, pause in looks:
        now += timedelta(seconds=pause)
        nodes = [node(name, NEW, 100) for name in "abc"]
        switch = switch.after(nodes, own, now, WAIT)
        assert not promised or switch.is_settled or switch.current == NEW
        promised = switch.is_settled or switch.current == NEW
        assert not switch.is_settled or not switch.missing


async def test_processes_agree_in_the_database(postgresql: PostgreSQL) -> None:
    """A proposal that is based on an earlier look counts for nothing; a purge is claimed once."""
    url = await asyncio.to_thread(postgresql.migrated_database)
    async with Database(url, tables=all_tables) as database:
        a, b = SwitchStore(database, 30), SwitchStore(database, 30)
        seen = (await a.look(None)).switch
        assert await a.propose(OLD, seen)
        assert not await b.propose(NEW, seen)
        assert await b.current() == OLD
        seen = (await b.look(OLD)).switch
        assert await b.propose(NEW, seen)
        assert not await a.propose(OLD, seen)
        assert await a.propose(NEW, seen)  # it is the newest already
        assert (await a.look(OLD)).switch.at is None
        await b.leave()
        look = await a.look(NEW)
        assert look.switch.at is not None
        assert not look.switch.missing
        async with database.writing() as connection:
            assert await a.claims_purge(connection, NEW, "1") is None
            assert await a.claims_purge(connection, OLD, "1")
            assert not await b.claims_purge(connection, OLD, "1")


async def test_a_row_is_renewed_only_when_needed(postgresql: PostgreSQL) -> None:
    """Each look reads; a lease is written when half of it is over."""
    url = await asyncio.to_thread(postgresql.migrated_database)
    async with Database(url, tables=all_tables) as database:
        store = SwitchStore(database, 30)
        await store.look(OLD)
        told = store._told
        await store.look(OLD)
        assert store._told is told
        await store.look(NEW)
        assert store._told is not told


async def test_one_process_checks_a_commit_for_all(postgresql: PostgreSQL) -> None:
    """The others learn the reason; if it dies, another one takes over; other rules count anew."""
    url = await asyncio.to_thread(postgresql.migrated_database)
    async with Database(url, tables=all_tables) as database:
        a, b = SwitchStore(database, 30), SwitchStore(database, 30)
        assert await a.check(NEW, "errors") == Check(is_own=True, reason=None)
        assert await b.check(NEW, "errors") == Check(is_own=False, reason=None)
        assert (await a.check(NEW, "errors")).is_own  # which renews its lease
        assert (await b.check(NEW, "warnings")).is_own
        assert (await b.check(OLD, "errors")).is_own
        async with database.writing() as connection:
            await connection.execute(update(edition_checks).values(until=func.clock_timestamp()))
        assert (await b.check(NEW, "errors")).is_own
        assert not (await a.check(NEW, "errors")).is_own
        await b.check(NEW, "errors", "pages/b.md:3: no title")
        for each in (a, b):
            assert await each.check(NEW, "errors") == Check(False, "pages/b.md:3: no title")
        await b.check(OLD, "errors", "")
        assert await a.check(OLD, "errors") == Check(is_own=False, reason="")
        async with database.writing() as connection:
            day_ago = func.clock_timestamp() - timedelta(days=1, seconds=1)
            await connection.execute(update(edition_checks).values(until=day_ago))
        assert (await a.check(OLD, "errors")).is_own  # it is forgotten after a day
