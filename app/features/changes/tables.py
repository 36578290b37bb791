"""Tables of the changes of pages, of the published state, and of what followers were told."""

from __future__ import annotations

from secrets import token_hex

from sqlalchemy import BigInteger, Column, Integer, String, Table, Text

from app.platform.database.metadata import UtcDateTime, begin_with, metadata

published_state = Table(
    "published_state",
    metadata,
    Column("id", Integer, primary_key=True),
    Column(  # a random name, which cursors hold
        "log", String(16), nullable=False, default=lambda: token_hex(4)
    ),
    Column("revision", Integer, nullable=False),
    Column("last_change", BigInteger, nullable=False),
    Column("purged_change", BigInteger, nullable=False),
    Column("checked_at", UtcDateTime),
    Column("site", Text, nullable=False),
)
begin_with(
    published_state,
    {"id": 1, "revision": 0, "last_change": 0, "purged_change": 0, "site": ""},
)
"""One row: the state of the log. Each writer increases `revision`, and so comes after the others.

`last_change` is the number of the newest change, and `purged_change` that of the newest one that
retention has deleted. What is scheduled has been recorded up to `checked_at`, for the locales and
cities of `site`.
"""

published_pages = Table(
    "published_pages",
    metadata,
    Column("path", Text, primary_key=True),
    Column("record", Text, nullable=False),
    Column("revision", Integer, nullable=False, index=True),
    Column("seen_at", UtcDateTime),
)
"""The recorded state of each page, by its path below a locale; `""` if it is no longer there.

`seen_at` is when the service first saw that state."""

changes = Table(
    "changes",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    Column("recorded_at", UtcDateTime, nullable=False, index=True),
    Column("at", UtcDateTime, nullable=False),
    Column("change", String(16), nullable=False),
    Column("path", Text, nullable=False),
    Column("moved_to", Text),
    Column("kind", String(64), nullable=False),
    Column("country", String(2)),
    Column("language", String(2), nullable=False),
)


follower_positions = Table(
    "follower_positions",
    metadata,
    Column("follower", String(64), primary_key=True),
    Column("last_change", BigInteger, nullable=False),
)
"""The number of the newest change of which each follower has a delivery."""
