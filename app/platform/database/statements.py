"""Statements that the two databases write differently: upserts, and locks for a transaction."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from sqlalchemy import ARRAY, BigInteger, ColumnElement, Connection, Table, func, select
from sqlalchemy import cast as sql_cast
from sqlalchemy.dialects import sqlite


def insert_of(table: Table, *, is_postgresql: bool) -> sqlite.Insert:
    """Return an INSERT of the database's dialect; that of PostgreSQL has the same methods."""
    if is_postgresql:
        # The dialect takes 30 ms to import, which SQLite does not need.
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        return cast("sqlite.Insert", postgresql.insert(table))
    return sqlite.insert(table)


def advisory_lock_id(digest: str) -> int:
    """Return a hexadecimal digest as the 64-bit number that names an advisory lock."""
    return int.from_bytes(bytes.fromhex(digest[:16]), signed=True)


def lock_digests(connection: Connection, digests: Collection[str]) -> None:
    """Lock digests until the transaction ends; always in one order, so that none deadlock."""
    lock = _numbers(digests)
    connection.execute(select(func.pg_advisory_xact_lock(lock)))


def try_to_lock_digests(connection: Connection, digests: Collection[str]) -> frozenset[str]:
    """Lock digests until the transaction ends; return those that another one has locked."""
    lock = _numbers(digests)
    rows = connection.execute(select(lock, func.pg_try_advisory_xact_lock(lock)))
    refused = {number for number, is_locked in rows if not is_locked}
    return frozenset(each for each in digests if advisory_lock_id(each) in refused)


def _numbers(digests: Collection[str]) -> ColumnElement[int]:
    numbers = sorted(map(advisory_lock_id, digests))
    return func.unnest(sql_cast(numbers, ARRAY(BigInteger))).column_valued("number")
