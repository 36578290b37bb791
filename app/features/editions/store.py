"""The switch of all machines to the next commit, agreed on in PostgreSQL in two phases.

A switch under way ends before the next one begins, to the newest commit by then: commits that come
faster than they are prepared hold none up. One process checks a commit for all.

Each process tells which commit it has ready, and renews a lease. Once all live ones are ready, or
after a wait some of them, a process announces an instant of the database's clock, a second ahead.
Those that are ready agree; once the last has, it is settled, and each switches by itself at the
instant, also if the database is gone by then. If one has not agreed in time, nobody switches. One
that is not ready leaves the load balancer meanwhile, as does one that loses the database between
its agreement and the others': it does not know whether they switch.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from secrets import token_hex
from time import monotonic
from typing import NamedTuple, cast

from sqlalchemy import Boolean, Column, Integer, String, Table, Text, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.platform.database.database import Database
from app.platform.database.metadata import UtcDateTime, begin_with, insert_of, metadata


class Check(NamedTuple):
    """What is known of the check of a commit, and whether this process is to make it."""

    is_own: bool
    reason: str | None


boot_seconds = partial(time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
"""Returns a time that goes on while the machine sleeps, unlike that of `time.monotonic`."""


class Node(NamedTuple):
    """A process."""

    node: str
    ready: str
    until: datetime


LEASE = timedelta(seconds=6)
AHEAD = timedelta(seconds=1)
"""How long before it happens a switch is announced."""
SETTLED = timedelta(seconds=0.3)
"""How long before a switch it is settled at the latest."""

_CHECK_FORGOTTEN = timedelta(days=1)
GIVEN_UP = timedelta(minutes=15)
"""How long a commit that no process gets ready keeps the next one waiting."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The commit that all serve, the one that they switch to, and the one after that.

    A switch is announced while it has an instant. `missing` are the processes that have not agreed
    to it, and `is_settled` says that all have. `number` counts the proposals.
    """

    number: int = 0
    current: str = ""
    wanted: str = ""
    wanted_at: datetime | None = None
    """Since when there is another commit to switch to."""
    at: datetime | None = None
    missing: frozenset[str] = frozenset()
    is_settled: bool = False
    next: str = ""
    """The newest commit, if it came during the switch."""

    @property
    def newest(self) -> str:
        """The last commit that was proposed."""
        return self.next or self.wanted

    def proposed(self, commit: str, now: datetime) -> Switch:
        """Return the switch with a newer commit; the first one is current at once."""
        number = self.number + 1
        if not self.current:
            return Switch(number, commit, commit)
        if self.wanted == self.current:
            return Switch(number, self.current, commit, now)
        return replace(self, number=number, next="" if commit == self.wanted else commit)

    def after(self, nodes: Sequence[Node], own: str, now: datetime, wait: timedelta) -> Switch:
        """Return the switch as a process with this name sees to it that it is."""
        if self.wanted == self.current:  # version 1.0 leaves the next one to others
            return self._to_next(self.current, now) if self.next else self
        if self.at is None:
            return self._announced(nodes, own, now, wait)
        if self.is_settled:
            return self if now < self.at else self._to_next(self.wanted, now)
        if now >= self.at - SETTLED:
            return replace(self, at=None, missing=frozenset())
        missing = self.missing - {own}
        return replace(self, missing=missing, is_settled=not missing)

    def _announced(self, nodes: Sequence[Node], own: str, now: datetime, wait: timedelta) -> Switch:
        live = [each for each in nodes if each.until > now]
        ready = frozenset(each.node for each in live if each.ready == self.wanted)
        has_waited = self.wanted_at is not None and now - self.wanted_at >= wait
        if not ready and self.next and self.wanted_at and now - self.wanted_at >= GIVEN_UP:
            return self._to_next(self.current, now)
        if not ready or (len(ready) < len(live) and not has_waited):
            return self
        return replace(self, at=now + AHEAD, missing=ready - {own})

    def _to_next(self, current: str, now: datetime) -> Switch:
        return Switch(self.number, current, self.next or current, now if self.next else None)

    def is_late(self, serving: str | None, ready: str | None) -> bool:
        """Return whether a process serves an older commit than others do, or soon will."""
        if not self.current:
            return False
        if self.at is not None and ready != self.wanted:
            return True
        return serving != self.current and not (self.is_settled and serving == self.wanted)


class Look(NamedTuple):
    """What a process sees of the switch; `at` is its instant by `time.monotonic`.

    `until` is the end of the lease of the process by `boot_seconds`.
    """

    switch: Switch
    at: float
    until: float = 0.0


_COMMIT = 64
edition_switch = Table(
    "edition_switch",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("current", String(_COMMIT), nullable=False),
    Column("wanted", String(_COMMIT), nullable=False),
    Column("next", String(_COMMIT)),
    Column("wanted_at", UtcDateTime),
    Column("at", UtcDateTime),
    Column("missing", Text, nullable=False),
    Column("is_settled", Boolean, nullable=False),
    Column("purged", Text, nullable=False),
)
_TEXTS = dict.fromkeys(("current", "wanted", "missing", "purged"), "")
begin_with(edition_switch, {"id": 1, "number": 0, "is_settled": False, **_TEXTS})
"""One row, see `Switch`. `purged` names the last purge that a CDN was told of."""

edition_nodes = Table(
    "edition_nodes",
    metadata,
    Column("node", String(32), primary_key=True),
    Column("ready", String(_COMMIT), nullable=False),
    Column("until", UtcDateTime, nullable=False),
)
"""The processes that serve: the commit that each has ready, and the end of its lease."""

edition_checks = Table(
    "edition_checks",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("node", String(32), nullable=False),
    Column("until", UtcDateTime, nullable=False),
    Column("reason", Text),
)
"""The process that checks a commit, by a digest of commit and rules, and the end of its lease. The
reason is that of a refusal, empty of a commit that may be published, and NULL until it is known."""

_FORGOTTEN = timedelta(minutes=1)
"""How long after its lease the row of a process is deleted."""


class SwitchStore:
    """The switch in PostgreSQL, as one process sees it; every method may raise StoreUnavailable."""

    def __init__(self, database: Database, wait_seconds: float) -> None:
        self._database = database
        self._wait = timedelta(seconds=wait_seconds)
        self._node = token_hex(8)
        self._told: Node | None = None

    async def look(self, ready: str | None) -> Look:
        """Tell which commit this process has ready, and return the switch.

        A process that has none is not waited for. All look one after another: the row is locked.
        """
        async with self._database.writing() as connection:
            before = await _locked(connection)
            asked, began = monotonic(), boot_seconds()
            clock = select(func.clock_timestamp(), func.pg_postmaster_start_time())
            now, started = (await connection.execute(clock)).one()
            answered = (asked + monotonic()) / 2
            told = await self._tell(connection, ready, now) if ready else None
            rows = (await connection.execute(select(edition_nodes))).all()
            # While the database was down nobody could renew a lease.
            nodes = [Node(row.node, row.ready, max(row.until, started + LEASE)) for row in rows]
            switch = before.after(nodes, self._node, now, self._wait)
            if switch != before:
                await _store(connection, switch)
        self._told = told
        at = answered + (switch.at - now).total_seconds() if switch.at else 0.0
        until = began + (told.until - now).total_seconds() if told else 0.0
        return Look(switch, at, until)

    async def propose(self, commit: str, seen: Switch) -> bool:
        """Want a commit that was fetched after a look; return whether it is the newest one now.

        If another was proposed since the look, it is not: so no process, however slow, replaces a
        commit by an earlier one.
        """
        async with self._database.writing() as connection:
            switch = await _locked(connection)
            if switch.number != seen.number:
                return switch.newest == commit
            await _store(connection, switch.proposed(commit, await _now(connection)))
        return True

    async def check(self, commit: str, rules: str, reason: str | None = None) -> Check:
        """Tell why a commit is refused, or return what is known of its check.

        Without a reason, this process gets a lease if it is to make the check or is at it. The
        reason is empty if the commit may be published.
        """
        id_ = sha256(f"{commit} {rules}".encode()).hexdigest()
        async with self._database.writing() as connection:
            await _locked(connection)
            now = await _now(connection)
            forgotten = edition_checks.c.until < now - _CHECK_FORGOTTEN
            await connection.execute(delete(edition_checks).where(forgotten))
            query = select(edition_checks).where(edition_checks.c.id == id_)
            known = (await connection.execute(query)).one_or_none()
            is_taken = known and known.node != self._node and now < known.until
            if reason is None and known and (is_taken or known.reason is not None):
                return Check(False, known.reason)
            new = {"id": id_, "node": self._node, "until": now + LEASE, "reason": reason}
            upsert = insert_of(edition_checks, is_postgresql=True).values(new)
            await connection.execute(upsert.on_conflict_do_update(index_elements=["id"], set_=new))
        return Check(reason is None, reason)

    async def current(self) -> str:
        """Return the commit that all serve."""
        async with self._database.reading() as connection:
            return str((await connection.execute(select(edition_switch.c.current))).scalar_one())

    async def claims_purge(
        self, connection: AsyncConnection, commit: str, purge: str
    ) -> bool | None:
        """Return whether this is the first process with a purge; None for one of another commit."""
        switch = await _locked(connection)
        if switch.current != commit:
            return None
        unknown = edition_switch.c.purged != purge
        claim = update(edition_switch).where(unknown).values(purged=purge)
        return bool((await connection.execute(claim)).rowcount)

    async def leave(self) -> None:
        """Delete the row of this process, which is not waited for any longer."""
        async with self._database.writing() as connection:
            own = edition_nodes.c.node == self._node
            await connection.execute(delete(edition_nodes).where(own))

    async def _tell(self, connection: AsyncConnection, ready: str, now: datetime) -> Node:
        """Renew the lease when half of it is over, or another commit is ready."""
        known = self._told
        if known is not None and known.ready == ready and known.until - now > LEASE / 2:
            return known
        told = Node(self._node, ready, now + LEASE)
        upsert = insert_of(edition_nodes, is_postgresql=True)
        new = {name: upsert.excluded[name] for name in ("ready", "until")}
        await connection.execute(
            upsert.on_conflict_do_update(index_elements=["node"], set_=new), told._asdict()
        )
        forgotten = edition_nodes.c.until < now - _FORGOTTEN
        await connection.execute(delete(edition_nodes).where(forgotten))
        return told


async def _locked(connection: AsyncConnection) -> Switch:
    row = (await connection.execute(select(edition_switch).with_for_update())).one()
    return Switch(
        row.number,
        row.current,
        row.wanted,
        row.wanted_at,
        row.at,
        frozenset(row.missing.split()),
        row.is_settled,
        row.next or "",
    )


async def _now(connection: AsyncConnection) -> datetime:
    return cast(datetime, await connection.scalar(select(func.clock_timestamp())))


async def _store(connection: AsyncConnection, switch: Switch) -> None:
    values = {**asdict(switch), "missing": " ".join(sorted(switch.missing))}
    await connection.execute(update(edition_switch).values(values))
