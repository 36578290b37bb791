"""The switch of all machines: its rules, whatever the processes do and in whatever order."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from stores.postgresql import PostgreSQL

from app.features.editions.store import AHEAD, LEASE, SETTLED, Node, Switch, SwitchStore
from app.platform.database.database import Database
from app.tables import all_tables

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
WAIT = timedelta(seconds=30)
OLD, NEW = "a" * 40, "b" * 40
PENDING = Switch(7, OLD, NEW, NOW)


def node(name: str, ready: str, left: float = 5) -> Node:
    """Return a process whose lease ends in some seconds."""
    return Node(name, ready, NOW + timedelta(seconds=left))


def test_the_first_commit_is_current_at_once() -> None:
    """There is nothing to switch from."""
    assert Switch().proposed(OLD, NOW) == Switch(1, OLD, OLD)


def test_a_later_proposal_replaces_one_that_is_not_announced() -> None:
    """Its wait goes on, so that many pushes do not delay the switch for ever."""
    later = PENDING.proposed("c" * 40, NOW + WAIT)
    assert later == Switch(8, OLD, "c" * 40, NOW)
    assert PENDING.proposed(OLD, NOW).wanted == OLD  # which cancels the switch


def test_it_is_announced_once_all_live_processes_are_ready() -> None:
    """One without a lease does not count; one that is slow is left out after a while."""
    ready, slow, dead = node("a", NEW), node("b", OLD), node("c", OLD, -1)
    assert PENDING.after([ready, slow, dead], "a", NOW, WAIT) == PENDING
    announced = replace(PENDING, number=8, at=NOW + AHEAD)
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
    assert agreed.after([], "b", late, WAIT) == Switch(8, OLD, NEW, NOW)
    settled = agreed.after([], "b", NOW, WAIT)
    assert settled == replace(announced, missing=frozenset(), is_settled=True)
    assert settled.after([], "a", late, WAIT) == settled
    assert settled.after([], "a", NOW + AHEAD, WAIT) == Switch(8, NEW, NEW)


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
        assert await b.propose(NEW, (await b.look(OLD)).switch)
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
