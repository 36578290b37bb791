"""The tables of orders, and of the counter by which their ids grow in the order of commits."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, Text

from app.database.metadata import UtcDateTime, metadata

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
"""Who writes an order holds this row until the commit. So an id is seen after all smaller ones,
and an `updated_at` after all earlier ones: a reader who follows either skips nothing."""
