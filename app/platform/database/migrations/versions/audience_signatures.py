"""Add the table of the signatures that agents claim, by day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the table; the number is that of the responses with equal keys."""
    op.create_table(
        "audience_signatures",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("signer", sa.String(200), nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", "signer", "agent", "reader", name="pk_audience_signatures"),
    )
