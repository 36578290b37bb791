"""Add the products that leads ask for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the column."""
    op.add_column("leads", sa.Column("products", sa.JSON))
