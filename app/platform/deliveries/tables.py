"""Tables of the outbox: deliveries and their attempts."""

from sqlalchemy import (
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
    text,
)

from app.platform.database.metadata import UtcDateTime, metadata

IS_PENDING = text("status = 'pending'")

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("subject_id", String(64), nullable=False),
    Column("subject", String(255), nullable=False),
    Column("revision", Integer),
    Column("ordered", Boolean, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("status", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False, index=True),
    Column("next_attempt_at", UtcDateTime),
    Column("leased_until", UtcDateTime),
    Column("lease", String(40)),
    Column("response_status", Integer),
    Column("error", Text),
    Column("traceparent", String(55)),
    Column("tracestate", String(512)),
    Index("ix_deliveries_status", "kind", "status"),  # metrics count by both
    Index("ix_deliveries_due", "kind", "next_attempt_at", sqlite_where=IS_PENDING),
    Index(
        "uq_deliveries_pending",
        "kind",
        "subject_id",
        "revision",
        unique=True,
        sqlite_where=IS_PENDING,
    ),
    Index(  # so that no two processes ever send deliveries of an ordered subject at once
        "uq_deliveries_leased",
        "kind",
        "subject_id",
        unique=True,
        sqlite_where=and_(column("ordered", Boolean), column("lease").is_not(None)),
    ),
)

delivery_attempts = Table(
    "delivery_attempts",
    metadata,
    Column(
        "id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    ),
    Column("delivery_id", ForeignKey("deliveries.id"), nullable=False, index=True),
    Column("started_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    Column("response_status", Integer),
    Column("error", Text),
)
