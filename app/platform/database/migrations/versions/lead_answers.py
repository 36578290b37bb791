"""Add the answers of leads to the forms of a site, their files, and who is told of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("leads", sa.Column("form", sa.Text))
    op.add_column("leads", sa.Column("answers", sa.JSON))
    op.add_column("leads", sa.Column("notify", sa.Text))
    lead = sa.ForeignKey("leads.id", name="fk_lead_files_lead_id_leads", ondelete="CASCADE")
    op.create_table(
        "lead_files",
        sa.Column("lead_id", sa.String(36), lead, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("lead_id", "number", name="pk_lead_files"),
    )
