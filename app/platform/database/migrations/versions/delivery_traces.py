"""Add the trace of the request that caused a delivery."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add two columns; deliveries before have no trace."""
    op.add_column("deliveries", sa.Column("traceparent", sa.String(55)))
    op.add_column("deliveries", sa.Column("tracestate", sa.String(512)))
