"""The schema of release 1.0, with which migrations begin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from secrets import token_hex

import sqlalchemy as sa
from alembic import op

_INSTANT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def create_release() -> None:
    """Create all tables, and the rows that some of them begin with."""
    _leads()
    _subscribers()
    _feedback()
    _orders()
    _deliveries()
    _changes()
    _audience()
    _editions()
    _keys()


def _leads() -> None:
    op.create_table(
        "leads",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("received_at", _INSTANT, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("phone", sa.Text),
        sa.Column("company", sa.Text),
        sa.Column("topic", sa.Text),
        sa.Column("message", sa.Text),
        sa.Column("source_page", sa.Text),
        sa.Column("source", sa.Text),
        sa.Column("product_service", sa.Text),
        sa.Column("country_code", sa.Text),
        sa.Column("locale_country", sa.Text),
        sa.Column("locale_lang", sa.Text),
        sa.Column("page", sa.Text),
        sa.Column("utm_source", sa.Text),
        sa.Column("utm_medium", sa.Text),
        sa.Column("utm_campaign", sa.Text),
        sa.Column("utm_term", sa.Text),
        sa.Column("utm_content", sa.Text),
        sa.Column("subject", sa.Text),
        sa.Column("form", sa.Text),
        sa.Column("answers", sa.JSON(none_as_null=True)),
        sa.Column("products", sa.JSON(none_as_null=True)),
        sa.Column("email_folded", sa.Text, nullable=False),
        sa.Column("phone_e164", sa.Text),
        sa.Column("notify", sa.Text),
        sa.Column("quarantined", sa.Boolean, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("notified", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("anonymised_at", _INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_leads"),
    )
    _partial("ix_leads_accepted", "leads", ["received_at"], "quarantined = 0", "NOT quarantined")
    op.create_index("ix_leads_digest_received_at", "leads", ["digest", "received_at"])
    op.create_index("ix_leads_email_folded", "leads", ["email_folded"])
    _partial("ix_leads_identified", "leads", ["received_at"], "anonymised_at IS NULL")
    _partial("ix_leads_quarantined", "leads", ["received_at"], "quarantined = 1", "quarantined")
    op.create_index("ix_leads_received_at", "leads", ["received_at"])
    op.create_table(
        "lead_exports",
        sa.Column("id", _NUMBER, nullable=False),
        sa.Column("exported_at", _INSTANT, nullable=False),
        sa.Column("command", sa.String(16), nullable=False),
        sa.Column("os_user", sa.Text, nullable=False),
        sa.Column("stated_by", sa.Text),
        sa.Column("selection", sa.Text, nullable=False),
        sa.Column("number", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_lead_exports"),
    )
    op.create_index("ix_lead_exports_exported_at", "lead_exports", ["exported_at"])
    retention = op.create_table(
        "lead_retention",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("caught_up_at", _INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_lead_retention"),
    )
    op.bulk_insert(retention, [{"id": 1}, {"id": 2}])
    digests = op.create_table(
        "quarantine_digests",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("told_until", _INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_quarantine_digests"),
    )
    op.bulk_insert(digests, [{"id": 1}])
    op.create_table(
        "lead_assessments",
        sa.Column("lead_id", sa.String(36), nullable=False),
        sa.Column("received_at", _INSTANT, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("sender", sa.String(64), nullable=False),
        sa.Column("domain", sa.String(64), nullable=False),
        sa.Column("network", sa.String(64)),
        sa.Column("released_at", _INSTANT),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name="fk_lead_assessments_lead_id_leads", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("lead_id", name="pk_lead_assessments"),
    )
    op.create_index("ix_lead_assessments_network", "lead_assessments", ["network", "received_at"])
    _partial(
        "ix_lead_assessments_released_domain",
        "lead_assessments",
        ["domain"],
        "released_at IS NOT NULL",
    )
    _partial(
        "ix_lead_assessments_released_sender",
        "lead_assessments",
        ["sender"],
        "released_at IS NOT NULL",
    )
    op.create_table(
        "lead_files",
        sa.Column("lead_id", sa.String(36), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name="fk_lead_files_lead_id_leads", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("lead_id", "number", name="pk_lead_files"),
    )
    op.create_table(
        "lead_keys",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("body_digest", sa.String(64), nullable=False),
        sa.Column("lead_id", sa.String(36), nullable=False),
        sa.Column("received_at", _INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name="fk_lead_keys_lead_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_lead_keys"),
    )
    op.create_index("ix_lead_keys_lead_id", "lead_keys", ["lead_id"])
    op.create_index("ix_lead_keys_received_at", "lead_keys", ["received_at"])
    op.create_table(
        "lead_sketches",
        sa.Column("lead_id", sa.String(36), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("received_at", _INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name="fk_lead_sketches_lead_id_leads", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("lead_id", "digest", name="pk_lead_sketches"),
    )
    op.create_index("ix_lead_sketches_digest", "lead_sketches", ["digest", "received_at"])


def _subscribers() -> None:
    op.create_table(
        "subscribers",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("email_folded", sa.Text, nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("country", sa.String(2)),
        sa.Column("requested_at", _INSTANT, nullable=False),
        sa.Column("confirmed_at", _INSTANT),
        sa.Column("mailed_at", _INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_subscribers"),
        sa.UniqueConstraint("email_folded", "form", name="uq_subscribers_email_folded_form"),
    )
    op.create_index("ix_subscribers_mailed_at", "subscribers", ["mailed_at"])


def _feedback() -> None:
    op.create_table(
        "feedback",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("received_at", _INSTANT, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feedback"),
    )
    op.create_index("ix_feedback_digest_received_at", "feedback", ["digest", "received_at"])
    op.create_index("ix_feedback_received_at", "feedback", ["received_at"])


def _orders() -> None:
    counter = op.create_table(
        "order_counter",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("last_id", sa.BigInteger, nullable=False),
        sa.Column("last_updated_at", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_order_counter"),
    )
    beginning = datetime(1970, 1, 1, tzinfo=UTC)
    op.bulk_insert(counter, [{"id": 1, "last_id": 0, "last_updated_at": beginning}])
    op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("number", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("updated_at", _INSTANT, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_orders"),
        sa.UniqueConstraint("number", name="uq_orders_number"),
    )
    op.create_index("ix_orders_updated_at", "orders", ["updated_at"])


def _deliveries() -> None:
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
        sa.Column("traceparent", sa.String(55)),
        sa.Column("tracestate", sa.String(512)),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
    )
    op.create_index("ix_deliveries_created_at", "deliveries", ["created_at"])
    _partial("ix_deliveries_due", "deliveries", ["kind", "next_attempt_at"], "status = 'pending'")
    op.create_index("ix_deliveries_status", "deliveries", ["kind", "status"])
    _partial(
        "uq_deliveries_leased",
        "deliveries",
        ["kind", "subject_id"],
        "ordered = 1 AND lease IS NOT NULL",
        "ordered AND lease IS NOT NULL",
        unique=True,
    )
    _partial(
        "uq_deliveries_pending",
        "deliveries",
        ["kind", "subject_id", "revision"],
        "status = 'pending'",
        unique=True,
    )
    op.create_table(
        "delivery_attempts",
        sa.Column("id", _NUMBER, nullable=False),
        sa.Column("delivery_id", sa.String(40), nullable=False),
        sa.Column("started_at", _INSTANT, nullable=False),
        sa.Column("finished_at", _INSTANT, nullable=False),
        sa.Column("response_status", sa.Integer),
        sa.Column("error", sa.Text),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["deliveries.id"], name="fk_delivery_attempts_delivery_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_delivery_attempts"),
    )
    op.create_index("ix_delivery_attempts_delivery_id", "delivery_attempts", ["delivery_id"])


def _changes() -> None:
    op.create_table(
        "changes",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("recorded_at", _INSTANT, nullable=False),
        sa.Column("at", _INSTANT, nullable=False),
        sa.Column("change", sa.String(16), nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("moved_to", sa.Text),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("country", sa.String(2)),
        sa.Column("language", sa.String(2), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
    )
    op.create_index("ix_changes_recorded_at", "changes", ["recorded_at"])
    op.create_table(
        "follower_positions",
        sa.Column("follower", sa.String(64), nullable=False),
        sa.Column("last_change", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("follower", name="pk_follower_positions"),
    )
    op.create_table(
        "published_pages",
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("seen_at", _INSTANT),
        sa.PrimaryKeyConstraint("path", name="pk_published_pages"),
    )
    op.create_index("ix_published_pages_revision", "published_pages", ["revision"])
    state = op.create_table(
        "published_state",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("log", sa.String(16), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("last_change", sa.BigInteger, nullable=False),
        sa.Column("purged_change", sa.BigInteger, nullable=False),
        sa.Column("checked_at", _INSTANT),
        sa.Column("site", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_published_state"),
    )
    row = {"id": 1, "log": token_hex(4), "revision": 0, "last_change": 0, "purged_change": 0}
    op.bulk_insert(state, [{**row, "site": ""}])


def _audience() -> None:
    op.create_table(
        "audience_agents",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
        sa.Column("form", sa.String(16), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", "agent", "reader", "form", name="pk_audience_agents"),
    )
    op.create_table(
        "audience_missed",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("path", sa.String(200), nullable=False),
        sa.Column("origin", sa.String(200), nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", "path", "origin", "reader", name="pk_audience_missed"),
    )
    op.create_table(
        "audience_pages",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("page", sa.String(200), nullable=False),
        sa.Column("form", sa.String(16), nullable=False),
        sa.Column("status", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint(
            "day", "page", "form", "status", "reader", name="pk_audience_pages"
        ),
    )
    op.create_table(
        "audience_searches",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("channel", sa.String(16), nullable=False),
        sa.Column("query", sa.String(200), nullable=False),
        sa.Column("hits", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", "channel", "query", "hits", name="pk_audience_searches"),
    )
    op.create_table(
        "audience_signatures",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("signer", sa.String(200), nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("reader", sa.String(16), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", "signer", "agent", "reader", name="pk_audience_signatures"),
    )


def _editions() -> None:
    op.create_table(
        "edition_nodes",
        sa.Column("node", sa.String(32), nullable=False),
        sa.Column("ready", sa.String(64), nullable=False),
        sa.Column("until", _INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("node", name="pk_edition_nodes"),
    )
    switch = op.create_table(
        "edition_switch",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("current", sa.String(64), nullable=False),
        sa.Column("wanted", sa.String(64), nullable=False),
        sa.Column("wanted_at", _INSTANT),
        sa.Column("at", _INSTANT),
        sa.Column("missing", sa.Text, nullable=False),
        sa.Column("is_settled", sa.Boolean, nullable=False),
        sa.Column("purged", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_edition_switch"),
    )
    texts = dict.fromkeys(("current", "wanted", "missing", "purged"), "")
    op.bulk_insert(switch, [{"id": 1, "number": 0, "is_settled": False, **texts}])


def _keys() -> None:
    op.create_table(
        "shared_keys",
        sa.Column("variable", sa.String(64), nullable=False),
        sa.Column("fingerprint", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("variable", name="pk_shared_keys"),
    )


def _partial(
    name: str,
    table: str,
    columns: Sequence[str],
    condition: str,
    of_postgresql: str = "",
    *,
    unique: bool = False,
) -> None:
    """Create an index of the rows that meet a condition; SQLite writes booleans as numbers."""
    op.create_index(
        name,
        table,
        columns,
        unique=unique,
        sqlite_where=sa.text(condition),
        postgresql_where=sa.text(of_postgresql or condition),
    )
