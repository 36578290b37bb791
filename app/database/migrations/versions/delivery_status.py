"""An index by which deliveries are counted and listed by status."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make it."""
    op.create_index("ix_deliveries_status", "deliveries", ["status"])
