"""Add the tables of orders, of their counter, of deliveries and of delivery attempts."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_INSTANT = sa.DateTime(timezone=True)
_PENDING = sa.text("status = 'pending'")


def upgrade() -> None:
    """Create the four tables, and the single row of the counter."""
    _orders()
    _counter()
    _deliveries()
    _attempts()


def _orders() -> None:
    op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("number", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("updated_at", _INSTANT, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_orders"),
        sa.UniqueConstraint("number", name="uq_orders_number"),
    )
    op.create_index("ix_orders_updated_at", "orders", ["updated_at"])


def _counter() -> None:
    counter = op.create_table(
        "order_counter",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("last_id", sa.BigInteger, nullable=False),
        sa.Column("last_updated_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_order_counter"),
    )
    beginning = datetime(1970, 1, 1, tzinfo=UTC)
    op.bulk_insert(counter, [{"id": 1, "last_id": 0, "last_updated_at": beginning}])


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("order_id", sa.BigInteger, nullable=False),
        sa.Column("order_number", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
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
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name="fk_deliveries_order_id"),
    )
    op.create_index("ix_deliveries_created_at", "deliveries", ["created_at"])
    op.create_index(
        "ix_deliveries_due",
        "deliveries",
        ["next_attempt_at"],
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    )
    op.create_index(
        "uq_deliveries_pending",
        "deliveries",
        ["order_id", "revision"],
        unique=True,
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    )


def _attempts() -> None:
    op.create_table(
        "delivery_attempts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
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
    op.create_index("ix_delivery_attempts_delivery_id", "delivery_attempts", ["delivery_id"])
