"""Create the table of the keys that all instances share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create it empty: the first instance that starts enters its keys."""
    op.create_table(
        "shared_keys",
        sa.Column("variable", sa.String(64), nullable=False),
        sa.Column("fingerprint", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("variable", name="pk_shared_keys"),
    )
