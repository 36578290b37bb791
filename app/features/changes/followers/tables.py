"""The table of how far each follower has been told."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, String, Table

from app.platform.database.metadata import metadata

follower_positions = Table(
    "follower_positions",
    metadata,
    Column("follower", String(64), primary_key=True),
    Column("last_change", BigInteger, nullable=False),
)
"""The number of the newest change of which each follower has a delivery."""
