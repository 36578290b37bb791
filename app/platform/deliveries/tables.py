"""Tables of the outbox: deliveries and their attempts."""

import sqlalchemy as sa

from app.platform.database.metadata import UtcDateTime, metadata

IS_PENDING = sa.text("status = 'pending'")

deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("subject_id", sa.String(64), nullable=False),
    sa.Column("subject", sa.String(255), nullable=False),
    sa.Column("revision", sa.Integer),
    sa.Column("ordered", sa.Boolean, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("created_at", UtcDateTime, nullable=False, index=True),
    sa.Column("next_attempt_at", UtcDateTime),
    sa.Column("leased_until", UtcDateTime),
    sa.Column("lease", sa.String(40)),
    sa.Column("response_status", sa.Integer),
    sa.Column("error", sa.Text),
    sa.Column("traceparent", sa.String(55)),
    sa.Column("tracestate", sa.String(512)),
    sa.Index("ix_deliveries_status", "kind", "status"),  # metrics count by both
    sa.Index("ix_deliveries_due", "kind", "next_attempt_at", sqlite_where=IS_PENDING),
    sa.Index(
        "uq_deliveries_pending",
        "kind",
        "subject_id",
        "revision",
        unique=True,
        sqlite_where=IS_PENDING,
    ),
    sa.Index(  # so that no two processes ever send deliveries of an ordered subject at once
        "uq_deliveries_leased",
        "kind",
        "subject_id",
        unique=True,
        sqlite_where=sa.and_(sa.column("ordered", sa.Boolean), sa.column("lease").is_not(None)),
    ),
)

delivery_attempts = sa.Table(
    "delivery_attempts",
    metadata,
    sa.Column(
        "id",
        sa.BigInteger().with_variant(sa.Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    sa.Column("delivery_id", sa.ForeignKey("deliveries.id"), nullable=False, index=True),
    sa.Column("started_at", UtcDateTime, nullable=False),
    sa.Column("finished_at", UtcDateTime, nullable=False),
    sa.Column("response_status", sa.Integer),
    sa.Column("error", sa.Text),
)
