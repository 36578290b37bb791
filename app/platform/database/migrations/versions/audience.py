"""Add the tables of the audience: who read what, by day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables; the number is that of the responses or searches with equal keys."""
    _create(
        "audience_pages",
        sa.Column("page", sa.String(200), nullable=False),
        sa.Column("form", sa.String(16), nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
    )
    _create(
        "audience_agents",
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
        sa.Column("form", sa.String(16), nullable=False),
    )
    _create(
        "audience_missed",
        sa.Column("path", sa.String(200), nullable=False),
        sa.Column("origin", sa.String(200), nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
    )
    _create(
        "audience_searches",
        sa.Column("channel", sa.String(16), nullable=False),
        sa.Column("query", sa.String(200), nullable=False),
        sa.Column("hits", sa.Integer, nullable=False),
    )


def _create(table: str, *key: sa.Column[str] | sa.Column[int]) -> None:
    op.create_table(
        table,
        sa.Column("day", sa.Date, nullable=False),
        *key,
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", *(column.name for column in key), name=f"pk_{table}"),
    )
