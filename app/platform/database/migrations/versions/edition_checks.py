"""Add the commit after the next one, and the checks of commits that one process makes for all."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Add the column and the table."""
    op.add_column("edition_switch", sa.Column("next", sa.String(64)))
    op.create_table(
        "edition_checks",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("node", sa.String(32), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_edition_checks"),
    )
