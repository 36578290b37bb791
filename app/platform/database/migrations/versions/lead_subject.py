"""Add the subject of leads, and move topics to it that the API contract does not have."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

_TOPICS = ("demo", "pricing", "support", "other")


def upgrade() -> None:
    """Add the column; the topic of a lead whose topic was a site's own is `other`."""
    op.add_column("leads", sa.Column("subject", sa.Text))
    leads = sa.table("leads", sa.column("topic", sa.Text), sa.column("subject", sa.Text))
    op.execute(
        leads.update()
        .where(leads.c.topic.not_in(_TOPICS))
        .values(subject=leads.c.topic, topic="other")
    )
