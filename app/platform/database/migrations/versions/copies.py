"""Add the mailbox that gets a copy of a lead."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the column."""
    op.add_column("leads", sa.Column("copy_to", sa.Text))
