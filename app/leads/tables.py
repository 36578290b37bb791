"""Tables for leads, their idempotency keys and the state of retention."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, text

from app.database.metadata import UtcDateTime, metadata
from app.leads.lead import Lead

leads = Table(
    "leads",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("received_at", UtcDateTime, nullable=False, index=True),
    *(
        Column(name, Text, nullable=not field.is_required())
        for name, field in Lead.model_fields.items()
    ),
    Column("email_folded", Text, nullable=False, index=True),  # `erase` searches by it
    Column("phone_e164", Text),
    Column("quarantined", Boolean, nullable=False),
    Column("digest", String(64), nullable=False),  # of the content, to detect duplicates
    Index(None, "digest", "received_at"),
    Index(
        "ix_leads_quarantined",
        "received_at",
        sqlite_where=text("quarantined = 1"),
        postgresql_where=text("quarantined"),
    ),
)

lead_keys = Table(
    "lead_keys",
    metadata,
    Column("digest", String(64), primary_key=True),  # of the client's address and its key
    Column("body_digest", String(64), nullable=False),
    Column("lead_id", ForeignKey("leads.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("received_at", UtcDateTime, nullable=False, index=True),
)
"""The lead of each Idempotency-Key, by digest; neither key nor client address is stored."""

lead_retention = Table(
    "lead_retention",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("caught_up_at", UtcDateTime),
)
"""One row: when retention last started to catch up with overdue leads."""
