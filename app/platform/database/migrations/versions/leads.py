"""Add the tables of leads and of their idempotency keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "leads",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("email_folded", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("phone", sa.Text),
        sa.Column("phone_e164", sa.Text),
        sa.Column("company", sa.Text),
        sa.Column("topic", sa.Text),
        sa.Column("message", sa.Text),
        sa.Column("source_page", sa.Text),
        sa.Column("source", sa.Text),
        sa.Column("product_service", sa.Text),
        sa.Column("country_code", sa.Text),
        sa.Column("locale_country", sa.Text),
        sa.Column("locale_lang", sa.Text),
        sa.Column("quarantined", sa.Boolean, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leads"),
    )
    op.create_index("ix_leads_received_at", "leads", ["received_at"])
    op.create_index("ix_leads_email_folded", "leads", ["email_folded"])
    op.create_index("ix_leads_digest_received_at", "leads", ["digest", "received_at"])
    op.create_table(
        "lead_keys",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("body_digest", sa.String(64), nullable=False),
        sa.Column("lead_id", sa.String(36), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_lead_keys"),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name="fk_lead_keys_lead_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_lead_keys_lead_id", "lead_keys", ["lead_id"])
    op.create_index("ix_lead_keys_received_at", "lead_keys", ["received_at"])
