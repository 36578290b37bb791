"""The table of feedback."""

from __future__ import annotations

from sqlalchemy import Column, Index, String, Table, Text

from app.platform.database.metadata import UtcDateTime, metadata

feedback = Table(
    "feedback",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("received_at", UtcDateTime, nullable=False, index=True),
    Column("path", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("digest", String(64), nullable=False),  # of the content, to detect duplicates
    Index(None, "digest", "received_at"),
)
