"""Add which leads somebody was told of, and until when those in quarantine were."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column, false for the leads of before, and the table with its single row."""
    is_notified = sa.Column("notified", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("leads", is_notified)
    table = op.create_table(
        "quarantine_digests",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("told_until", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_quarantine_digests"),
    )
    op.bulk_insert(table, [{"id": 1}])
