"""Free deliveries from orders: each has a kind and a subject instead of an order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_INSTANT = sa.DateTime(timezone=True)
_PENDING = sa.text("status = 'pending'")
_KEPT = (
    *("id", "revision", "body", "status", "attempts", "created_at", "next_attempt_at"),
    *("leased_until", "lease", "response_status", "error"),
)
_ATTEMPT = ("id", "delivery_id", "started_at", "finished_at", "response_status", "error")


def upgrade() -> None:
    """Change the table of deliveries and keep its rows, which are all of orders."""
    for name in ("uq_deliveries_pending", "ix_deliveries_due", "ix_deliveries_status"):
        op.drop_index(name, "deliveries")
    if op.get_context().dialect.name == "sqlite":
        _recreate()
    else:
        _alter()
    _create_indexes()


def _alter() -> None:
    op.drop_constraint("fk_deliveries_order_id", "deliveries", type_="foreignkey")
    for column in (
        sa.Column("kind", sa.String(16), nullable=False, server_default="order"),
        sa.Column("ordered", sa.Boolean, nullable=False, server_default=sa.false()),
    ):
        op.add_column("deliveries", column)
        op.alter_column("deliveries", column.name, server_default=None)
    op.alter_column(
        "deliveries",
        "order_id",
        new_column_name="subject_id",
        type_=sa.String(64),
        postgresql_using="order_id::text",
    )
    op.alter_column("deliveries", "order_number", new_column_name="subject", type_=sa.String(255))
    op.alter_column("deliveries", "revision", nullable=True)


def _recreate() -> None:
    """SQLite cannot drop a foreign key, so both tables are copied, and the old ones dropped."""
    op.drop_index("ix_deliveries_created_at", "deliveries")
    op.drop_index("ix_delivery_attempts_delivery_id", "delivery_attempts")
    op.rename_table("deliveries", "order_deliveries")
    op.rename_table("delivery_attempts", "order_delivery_attempts")
    _create_deliveries()
    _create_attempts()
    kept, attempt = ", ".join(_KEPT), ", ".join(_ATTEMPT)
    op.execute(
        f"INSERT INTO deliveries ({kept}, kind, subject_id, subject, ordered)"  # noqa: S608  # constants
        f" SELECT {kept}, 'order', CAST(order_id AS TEXT), order_number, 0 FROM order_deliveries"
    )
    op.execute(
        f"INSERT INTO delivery_attempts ({attempt})"  # noqa: S608  # constants
        f" SELECT {attempt} FROM order_delivery_attempts"
    )
    op.drop_table("order_delivery_attempts")
    op.drop_table("order_deliveries")
    op.create_index("ix_deliveries_created_at", "deliveries", ["created_at"])
    op.create_index("ix_delivery_attempts_delivery_id", "delivery_attempts", ["delivery_id"])


def _create_deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("subject_id", sa.String(64), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("revision", sa.Integer),
        sa.Column("ordered", sa.Boolean, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("next_attempt_at", _INSTANT),
        sa.Column("leased_until", _INSTANT),
        sa.Column("lease", sa.String(40)),
        sa.Column("response_status", sa.Integer),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
    )


def _create_attempts() -> None:
    op.create_table(
        "delivery_attempts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("delivery_id", sa.String(40), nullable=False),
        sa.Column("started_at", _INSTANT, nullable=False),
        sa.Column("finished_at", _INSTANT, nullable=False),
        sa.Column("response_status", sa.Integer),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_delivery_attempts"),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["deliveries.id"], name="fk_delivery_attempts_delivery_id"
        ),
    )


def _create_indexes() -> None:
    op.create_index("ix_deliveries_status", "deliveries", ["kind", "status"])
    op.create_index(
        "ix_deliveries_due",
        "deliveries",
        ["kind", "next_attempt_at"],
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    )
    op.create_index(
        "uq_deliveries_pending",
        "deliveries",
        ["kind", "subject_id", "revision"],
        unique=True,
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    )
    op.create_index(
        "uq_deliveries_leased",
        "deliveries",
        ["kind", "subject_id"],
        unique=True,
        sqlite_where=sa.text("ordered = 1 AND lease IS NOT NULL"),
        postgresql_where=sa.text("ordered AND lease IS NOT NULL"),
    )
