"""Add an index of leads in quarantine, and the table that records when retention last caught up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the index and the table with its single row."""
    op.create_index(
        "ix_leads_quarantined",
        "leads",
        ["received_at"],
        sqlite_where=sa.text("quarantined = 1"),
        postgresql_where=sa.text("quarantined"),
    )
    table = op.create_table(
        "lead_retention",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("caught_up_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_lead_retention"),
    )
    op.bulk_insert(table, [{"id": 1}])
