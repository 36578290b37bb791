"""Add the subscribers of newsletters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Add the table."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "subscribers",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("email_folded", sa.Text, nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("country", sa.String(2)),
        sa.Column("requested_at", moment, nullable=False),
        sa.Column("confirmed_at", moment),
        sa.Column("mailed_at", moment),
        sa.PrimaryKeyConstraint("id", name="pk_subscribers"),
        sa.UniqueConstraint("email_folded", "form", name="uq_subscribers_email_folded_form"),
    )
    op.create_index("ix_subscribers_mailed_at", "subscribers", ["mailed_at"])
