"""Add the table of how far each follower has been told of changes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "follower_positions",
        sa.Column("follower", sa.String(64), nullable=False),
        sa.Column("last_change", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("follower", name="pk_follower_positions"),
    )
