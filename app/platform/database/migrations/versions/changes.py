"""Add the tables of the changes of pages, and of the published state that they come from."""

from __future__ import annotations

from secrets import token_hex

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the three tables, and the single row of the state."""
    _state()
    _pages()
    _changes()


def _state() -> None:
    table = op.create_table(
        "published_state",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("log", sa.String(16), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("last_change", sa.BigInteger, nullable=False),
        sa.Column("purged_change", sa.BigInteger, nullable=False),
        sa.Column("checked_at", _INSTANT),
        sa.Column("site", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_published_state"),
    )
    row = {"id": 1, "log": token_hex(4), "revision": 0, "last_change": 0, "purged_change": 0}
    op.bulk_insert(table, [{**row, "site": ""}])


def _pages() -> None:
    op.create_table(
        "published_pages",
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("path", name="pk_published_pages"),
    )
    op.create_index("ix_published_pages_revision", "published_pages", ["revision"])


def _changes() -> None:
    op.create_table(
        "changes",
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("recorded_at", _INSTANT, nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("change", sa.String(16), nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("moved_to", sa.Text),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("country", sa.String(2)),
        sa.Column("language", sa.String(2), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
    )
    op.create_index("ix_changes_recorded_at", "changes", ["recorded_at"])
