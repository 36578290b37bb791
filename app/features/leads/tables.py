"""Tables for leads, their keys and assessments, the state of retention, the record of exports."""

import sqlalchemy as sa

from app.features.leads.model import Lead
from app.platform.database.metadata import UtcDateTime, begin_with, metadata

_IS_QUARANTINED = sa.and_(sa.column("quarantined", sa.Boolean))

_JSON = sa.JSON(none_as_null=True)

leads = sa.Table(
    "leads",
    metadata,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("received_at", UtcDateTime, nullable=False, index=True),
    *(
        sa.Column(
            name, _JSON if name in ("answers", "products") else sa.Text, nullable=name != "email"
        )
        for name in Lead.model_fields
    ),
    sa.Column("email_folded", sa.Text, nullable=False, index=True),  # `erase` searches by it
    sa.Column("phone_e164", sa.Text),
    sa.Column("notify", sa.Text),  # the addresses of those who are told instead of the usual ones
    sa.Column("copy_to", sa.Text),  # the mailbox of the sender, if the form sends a copy
    sa.Column("quarantined", sa.Boolean, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),  # of the content, to detect duplicates
    sa.Column(
        "notified", sa.Boolean, nullable=False, server_default=sa.false()
    ),  # somebody was told of it
    sa.Column("anonymised_at", UtcDateTime),  # nothing in the row identifies a person since then
    sa.Index(None, "digest", "received_at"),
    sa.Index("ix_leads_identified", "received_at", sqlite_where=sa.text("anonymised_at IS NULL")),
    # Of those that count for the hourly limit, so that a wave of spam does not slow it down.
    sa.Index("ix_leads_accepted", "received_at", sqlite_where=~_IS_QUARANTINED),
    sa.Index("ix_leads_quarantined", "received_at", sqlite_where=_IS_QUARANTINED),
)

lead_page = sa.func.coalesce(leads.c.page, leads.c.source_page)
"""The page of a lead: the one before the form if it is known, else the one with the form."""

lead_files = sa.Table(
    "lead_files",
    metadata,
    sa.Column(
        "lead_id",
        sa.ForeignKey("leads.id", name="fk_lead_files_lead_id_leads", ondelete="CASCADE"),
        primary_key=True,
    ),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""The files of leads, in the order in which the answers name them; served to nobody."""

lead_keys = sa.Table(
    "lead_keys",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),  # of the client's address and its key
    sa.Column("body_digest", sa.String(64), nullable=False),
    sa.Column("lead_id", sa.ForeignKey("leads.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("received_at", UtcDateTime, nullable=False, index=True),
)
"""The lead of each Idempotency-Key, by digest; neither key nor client address is stored."""

lead_retention = sa.Table(
    "lead_retention",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("caught_up_at", UtcDateTime),
)
"""When catching up with overdue leads last began: a row for deletion, and one to anonymise."""

begin_with(lead_retention, {"id": 1}, {"id": 2})

lead_exports = sa.Table(
    "lead_exports",
    metadata,
    sa.Column(
        "id",
        sa.BigInteger().with_variant(sa.Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    sa.Column("exported_at", UtcDateTime, nullable=False, index=True),
    sa.Column("command", sa.String(16), nullable=False),
    sa.Column("os_user", sa.Text, nullable=False),
    sa.Column("stated_by", sa.Text),
    sa.Column("selection", sa.Text, nullable=False),
    sa.Column("number", sa.Integer),  # of leads; none while the command runs, or if it was killed
)
"""Who exported which leads. It has no data of the leads but IDs."""

quarantine_digests = sa.Table(
    "quarantine_digests",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("told_until", UtcDateTime),
)
"""One row: until when somebody was told of leads in quarantine."""

begin_with(quarantine_digests, {"id": 1})

lead_assessments = sa.Table(
    "lead_assessments",
    metadata,
    sa.Column(
        "lead_id",
        sa.ForeignKey("leads.id", name="fk_lead_assessments_lead_id_leads", ondelete="CASCADE"),
        primary_key=True,
    ),
    sa.Column("received_at", UtcDateTime, nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("reasons", sa.Text, nullable=False),
    sa.Column("sender", sa.String(64), nullable=False),
    sa.Column("domain", sa.String(64), nullable=False),
    sa.Column("network", sa.String(64)),
    sa.Column("released_at", UtcDateTime),  # an operator took the lead out of quarantine
    sa.Index("ix_lead_assessments_network", "network", "received_at"),
    *(
        sa.Index(
            f"ix_lead_assessments_released_{name}",
            name,
            sqlite_where=sa.text("released_at IS NOT NULL"),
        )
        for name in ("sender", "domain")
    ),
)
"""Why a lead is in quarantine or not, and keyed digests of where it came from."""

lead_sketches = sa.Table(
    "lead_sketches",
    metadata,
    sa.Column(
        "lead_id",
        sa.ForeignKey("leads.id", name="fk_lead_sketches_lead_id_leads", ondelete="CASCADE"),
        primary_key=True,
    ),
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("received_at", UtcDateTime, nullable=False),
    sa.Index("ix_lead_sketches_digest", "digest", "received_at"),
)
"""Keyed digests of word sequences of a text, by which similar texts are found."""
