"""Add the last time that was believed: that of the newest row which tells of one."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add the table and its row."""
    table = op.create_table(
        "seen_clock",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_seen_clock"),
    )
    op.bulk_insert(table, [{"id": 1}])
    op.execute(
        "UPDATE seen_clock SET at = (SELECT max(at) FROM (SELECT max(received_at) AS at FROM leads"
        " UNION ALL SELECT checked_at FROM published_state) AS rows_seen)"
    )
