"""Tables of the audience: one number for each key, by day."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Date, Integer, String, Table

from app.platform.database.metadata import metadata

audience_pages = Table(
    "audience_pages",
    metadata,
    Column("day", Date, primary_key=True),
    Column("page", String(200), primary_key=True),
    Column("form", String(16), primary_key=True),
    Column("status", Integer, primary_key=True, autoincrement=False),
    Column("reader", String(16), primary_key=True),
    Column("number", BigInteger, nullable=False),
)

audience_agents = Table(
    "audience_agents",
    metadata,
    Column("day", Date, primary_key=True),
    Column("agent", String(64), primary_key=True),
    Column("reader", String(16), primary_key=True),
    Column("form", String(16), primary_key=True),
    Column("number", BigInteger, nullable=False),
)

audience_missed = Table(
    "audience_missed",
    metadata,
    Column("day", Date, primary_key=True),
    Column("path", String(200), primary_key=True),
    Column("origin", String(200), primary_key=True),
    Column("reader", String(16), primary_key=True),
    Column("number", BigInteger, nullable=False),
)

audience_searches = Table(
    "audience_searches",
    metadata,
    Column("day", Date, primary_key=True),
    Column("channel", String(16), primary_key=True),
    Column("query", String(200), primary_key=True),
    Column("hits", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
)

TABLES = (audience_pages, audience_agents, audience_missed, audience_searches)
