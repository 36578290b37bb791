"""Add the assessments of leads as spam or not, and sketches of their texts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create both tables; leads of before have no assessment."""
    op.create_table(
        "lead_assessments",
        sa.Column("lead_id", sa.String(36), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("sender", sa.String(64), nullable=False),
        sa.Column("domain", sa.String(64), nullable=False),
        sa.Column("network", sa.String(64)),
        sa.Column("released_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name="fk_lead_assessments_lead_id_leads", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("lead_id", name="pk_lead_assessments"),
    )
    op.create_index("ix_lead_assessments_sender", "lead_assessments", ["sender"])
    op.create_index("ix_lead_assessments_domain", "lead_assessments", ["domain"])
    op.create_index("ix_lead_assessments_network", "lead_assessments", ["network", "received_at"])
    op.create_table(
        "lead_sketches",
        sa.Column("lead_id", sa.String(36), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name="fk_lead_sketches_lead_id_leads", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("lead_id", "digest", name="pk_lead_sketches"),
    )
    op.create_index("ix_lead_sketches_digest", "lead_sketches", ["digest", "received_at"])
