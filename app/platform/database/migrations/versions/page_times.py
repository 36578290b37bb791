"""Add when the recorded state of a page was first seen."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column; what is recorded already counts as seen now, so that nobody misses it."""
    op.add_column("published_pages", sa.Column("seen_at", sa.DateTime(timezone=True)))
    pages = sa.table("published_pages", sa.column("seen_at", sa.DateTime(timezone=True)))
    op.execute(pages.update().values(seen_at=datetime.now(UTC)))
