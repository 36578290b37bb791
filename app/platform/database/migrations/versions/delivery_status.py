"""Add an index for counting and listing deliveries by status."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_deliveries_status", "deliveries", ["status"])
