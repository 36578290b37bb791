"""Tables for leads, their keys and assessments, the state of retention, the record of exports."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    and_,
    column,
    false,
    func,
    text,
)

from app.features.leads.model import Lead
from app.platform.database.metadata import UtcDateTime, begin_with, metadata

_IS_QUARANTINED = and_(column("quarantined", Boolean))

_JSON = JSON(none_as_null=True)

leads = Table(
    "leads",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("received_at", UtcDateTime, nullable=False, index=True),
    *(
        Column(name, _JSON if name in ("answers", "products") else Text, nullable=name != "email")
        for name in Lead.model_fields
    ),
    Column("email_folded", Text, nullable=False, index=True),  # `erase` searches by it
    Column("phone_e164", Text),
    Column("notify", Text),  # the addresses of those who are told instead of the usual ones
    Column("quarantined", Boolean, nullable=False),
    Column("digest", String(64), nullable=False),  # of the content, to detect duplicates
    Column("notified", Boolean, nullable=False, server_default=false()),  # somebody was told of it
    Column("anonymised_at", UtcDateTime),  # nothing in the row identifies a person since then
    Index(None, "digest", "received_at"),
    Index("ix_leads_identified", "received_at", sqlite_where=text("anonymised_at IS NULL")),
    # Of those that count for the hourly limit, so that a wave of spam does not slow it down.
    Index("ix_leads_accepted", "received_at", sqlite_where=~_IS_QUARANTINED),
    Index("ix_leads_quarantined", "received_at", sqlite_where=_IS_QUARANTINED),
)

lead_page = func.coalesce(leads.c.page, leads.c.source_page)
"""The page of a lead: the one before the form if it is known, else the one with the form."""

lead_files = Table(
    "lead_files",
    metadata,
    Column(
        "lead_id",
        ForeignKey("leads.id", name="fk_lead_files_lead_id_leads", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)
"""The files of leads, in the order in which the answers name them; served to nobody."""

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
"""When catching up with overdue leads last began: a row for deletion, and one to anonymise."""

begin_with(lead_retention, {"id": 1}, {"id": 2})

lead_exports = Table(
    "lead_exports",
    metadata,
    Column(
        "id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    ),
    Column("exported_at", UtcDateTime, nullable=False, index=True),
    Column("command", String(16), nullable=False),
    Column("os_user", Text, nullable=False),
    Column("stated_by", Text),
    Column("selection", Text, nullable=False),
    Column("number", Integer),  # of leads; none while the command runs, or if it was killed
)
"""Who exported which leads. It has no data of the leads but IDs."""

quarantine_digests = Table(
    "quarantine_digests",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("told_until", UtcDateTime),
)
"""One row: until when somebody was told of leads in quarantine."""

begin_with(quarantine_digests, {"id": 1})

lead_assessments = Table(
    "lead_assessments",
    metadata,
    Column(
        "lead_id",
        ForeignKey("leads.id", name="fk_lead_assessments_lead_id_leads", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("received_at", UtcDateTime, nullable=False),
    Column("score", Integer, nullable=False),
    Column("reasons", Text, nullable=False),
    Column("sender", String(64), nullable=False),
    Column("domain", String(64), nullable=False),
    Column("network", String(64)),
    Column("released_at", UtcDateTime),  # an operator took the lead out of quarantine
    Index("ix_lead_assessments_network", "network", "received_at"),
    *(
        Index(
            f"ix_lead_assessments_released_{name}",
            name,
            sqlite_where=text("released_at IS NOT NULL"),
        )
        for name in ("sender", "domain")
    ),
)
"""Why a lead is in quarantine or not, and keyed digests of where it came from."""

lead_sketches = Table(
    "lead_sketches",
    metadata,
    Column(
        "lead_id",
        ForeignKey("leads.id", name="fk_lead_sketches_lead_id_leads", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("digest", String(64), primary_key=True),
    Column("received_at", UtcDateTime, nullable=False),
    Index("ix_lead_sketches_digest", "digest", "received_at"),
)
"""Keyed digests of word sequences of a text, by which similar texts are found."""
