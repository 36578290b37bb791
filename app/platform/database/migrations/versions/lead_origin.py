"""Add the page and the campaign from which the sender of a lead came."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_COLUMNS = ("page", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content")


def upgrade() -> None:
    """Add the columns; leads of before have no values in them."""
    for name in _COLUMNS:
        op.add_column("leads", sa.Column(name, sa.Text))
