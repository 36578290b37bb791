"""The table of the keys that all instances share."""

from __future__ import annotations

from sqlalchemy import Column, String, Table

from app.platform.database.metadata import metadata

shared_keys = Table(
    "shared_keys",
    metadata,
    Column("variable", String(64), primary_key=True),
    Column("fingerprint", String(16), nullable=False),
)
"""The fingerprint of each key, by the variable that names its file."""
