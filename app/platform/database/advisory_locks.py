"""Advisory locks of PostgreSQL, each named by a digest."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ARRAY, BigInteger, ColumnElement, Connection, cast, func, select


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
    return func.unnest(cast(numbers, ARRAY(BigInteger))).column_valued("number")
