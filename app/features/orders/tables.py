"""Tables for orders, and for the counter that assigns their ids in commit order."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, Text

from app.platform.database.metadata import UtcDateTime, begin_with, metadata

orders = Table(
    "orders",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("number", String(64), nullable=False, unique=True),
    Column("revision", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("body", Text, nullable=False),  # the draft as JSON
    Index(None, "updated_at"),
)

order_counter = Table(
    "order_counter",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # 1: there is one row
    Column("last_id", BigInteger, nullable=False),
    Column("last_updated_at", UtcDateTime, nullable=False),
)
"""Every write of an order locks this row until the commit. So ids and `updated_at` become visible
in ascending order, and a client that pages by either of them misses nothing."""

begin_with(
    order_counter, {"id": 1, "last_id": 0, "last_updated_at": datetime.fromtimestamp(0, UTC)}
)
