"""Add anonymised leads, the instant of catching up with them, and the record of exports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column with its index and the row of catching up, and create the table."""
    op.add_column("leads", sa.Column("anonymised_at", sa.DateTime(timezone=True)))
    is_identified = sa.text("anonymised_at IS NULL")
    op.create_index(
        "ix_leads_identified",
        "leads",
        ["received_at"],
        sqlite_where=is_identified,
        postgresql_where=is_identified,
    )
    op.execute("INSERT INTO lead_retention (id) VALUES (2)")
    op.create_table(
        "lead_exports",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("exported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("command", sa.String(16), nullable=False),
        sa.Column("os_user", sa.Text, nullable=False),
        sa.Column("stated_by", sa.Text),
        sa.Column("selection", sa.Text, nullable=False),
        sa.Column("number", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_lead_exports"),
    )
    op.create_index("ix_lead_exports_exported_at", "lead_exports", ["exported_at"])
