"""Index what is asked of earlier leads: accepted ones, senders and domains of released ones.

A wave of spam adds to neither. The indexes of all senders and domains are dropped.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_RELEASED = sa.text("released_at IS NOT NULL")


def upgrade() -> None:
    """Replace the indexes."""
    op.create_index(
        "ix_leads_accepted",
        "leads",
        ["received_at"],
        sqlite_where=sa.text("quarantined = 0"),
        postgresql_where=sa.text("NOT quarantined"),
    )
    for name in ("sender", "domain"):
        op.drop_index(f"ix_lead_assessments_{name}", "lead_assessments")
        op.create_index(
            f"ix_lead_assessments_released_{name}",
            "lead_assessments",
            [name],
            sqlite_where=_RELEASED,
            postgresql_where=_RELEASED,
        )
