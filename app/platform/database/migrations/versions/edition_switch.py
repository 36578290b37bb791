"""Add the switch of all machines to the next edition."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the tables, and the row of the switch."""
    moment = sa.DateTime(timezone=True)
    switch = op.create_table(
        "edition_switch",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("current", sa.String(64), nullable=False),
        sa.Column("wanted", sa.String(64), nullable=False),
        sa.Column("wanted_at", moment),
        sa.Column("at", moment),
        sa.Column("missing", sa.Text, nullable=False),
        sa.Column("is_settled", sa.Boolean, nullable=False),
        sa.Column("purged", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_edition_switch"),
    )
    texts = dict.fromkeys(("current", "wanted", "missing", "purged"), "")
    op.bulk_insert(switch, [{"id": 1, "number": 0, "is_settled": False, **texts}])
    op.create_table(
        "edition_nodes",
        sa.Column("node", sa.String(32), nullable=False),
        sa.Column("ready", sa.String(64), nullable=False),
        sa.Column("until", moment, nullable=False),
        sa.PrimaryKeyConstraint("node", name="pk_edition_nodes"),
    )
