"""The intake of leads: stores many in one transaction, each as if it came alone.

In order: a lead with a known key, or with the content of a recent one, is that lead, whether that
one was stored before or stands earlier in the same group.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, delete, insert, select, update

from app.features.leads.model import Lead, Reason, Submission
from app.features.leads.notices import LeadNotifier
from app.features.leads.spam_filter import store_assessments
from app.features.leads.tables import lead_assessments, lead_files, lead_keys, leads
from app.platform.database.metadata import lock_digests, try_to_lock_digests
from app.platform.observability.tracing import TraceHeaders, trace_headers
from knowledge.resources.errors import MajlisError

DEDUPE_WINDOW = timedelta(minutes=10)
"""Equal content received within this time of the first is the same lead, e.g. a double click."""

IDEMPOTENCY_TTL = timedelta(hours=24)
"""How long an Idempotency-Key is stored."""


class KeyInFlight(MajlisError):
    """A request with the same Idempotency-Key is in progress."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "A request with this Idempotency-Key is in progress.",
            "Wait a second, then send the request again.",
        )


class KeyReused(MajlisError):
    """The Idempotency-Key was sent before with a different body."""

    status = 422

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was already used with a different body.",
            "Use a new key for each body.",
        )


Traces = Mapping[str, TraceHeaders]
"""The trace of the request that each lead is told of for, by its ID."""


@dataclass(frozen=True, slots=True)
class Received:
    """A submission, and what is derived from it before the transaction begins."""

    submission: Submission
    digest: str
    body_digest: str | None
    row: Mapping[str, Any]
    trace: TraceHeaders


def received(submission: Submission) -> Received:
    """Return a submission as the intake gets it, with the trace of the current request."""
    lead, digest = submission.lead, submission.lead.digest
    row = {
        "id": submission.id,
        "received_at": submission.received_at,
        "quarantined": submission.quarantined,
        "digest": digest,
        "email_folded": lead.email_folded,
        "phone_e164": submission.phone_e164,
        "notify": ",".join(submission.notify) or None,
        "copy_to": submission.copy_to,
        **{name: getattr(lead, name) for name in Lead.model_fields},
    }
    body_digest = submission.body_digest if submission.key else None
    return Received(submission, digest, body_digest, row, trace_headers())


@dataclass(frozen=True, slots=True)
class _Known:
    """A lead that is stored, or will be, and may be the same as a later one."""

    id: str
    received_at: datetime
    quarantined: bool
    is_trapped: bool

    def is_same_as(self, submission: Submission) -> bool:
        """Whether a submission of the same content is this lead; a trapped one is no other lead.

        Leads with a slightly later time count too, in case the clock was set back.
        """
        is_recent = abs(self.received_at - submission.received_at) <= DEDUPE_WINDOW
        return is_recent and self.is_trapped == submission.is_trapped


@dataclass(slots=True)
class _Group:
    """What is known of the leads and keys of a group, and what is to be written."""

    locked: frozenset[str]
    keys: dict[str, tuple[str, str]]
    leads: defaultdict[str, list[_Known]]
    new: list[Received] = field(default_factory=list)
    released: dict[str, TraceHeaders] = field(default_factory=dict)
    new_keys: list[Mapping[str, Any]] = field(default_factory=list)

    def admit(self, each: Received) -> str | KeyInFlight | KeyReused:
        """Return the ID of a lead, new or known, or why there is none."""
        key = each.submission.key
        if key is None:
            return self._lead_of(each)
        if key in self.locked:
            return KeyInFlight()
        if key in self.keys:
            body_digest, lead_id = self.keys[key]
            return lead_id if body_digest == each.body_digest else KeyReused()
        lead_id, body_digest = self._lead_of(each), each.body_digest or ""
        self.keys[key] = body_digest, lead_id
        self.new_keys.append(
            {
                "digest": key,
                "body_digest": body_digest,
                "lead_id": lead_id,
                "received_at": each.submission.received_at,
            }
        )
        return lead_id

    def _lead_of(self, each: Received) -> str:
        submission, same = each.submission, self.leads[each.digest]
        known = min(
            (known for known in same if known.is_same_as(submission)),
            key=lambda known: (known.quarantined, known.received_at),
            default=None,
        )
        if known is None:
            self.new.append(each)
            at, is_trapped = submission.received_at, submission.is_trapped
            same.append(_Known(submission.id, at, submission.quarantined, is_trapped))
            return submission.id
        if not submission.quarantined:  # one copy was judged honest
            self.released.setdefault(known.id, each.trace)
            same[same.index(known)] = replace(known, quarantined=False)
        return known.id


class LeadIntake:
    """Stores submissions, and tells the notifier, if there is one, of what is not quarantined."""

    def __init__(self, notifier: LeadNotifier | None, *, is_postgresql: bool) -> None:
        self._notifier = notifier
        self._is_postgresql = is_postgresql

    def store(
        self, connection: Connection, group: Sequence[Received]
    ) -> list[str | KeyInFlight | KeyReused]:
        """Store a group; return the ID of each lead, or the error of its key."""
        known = self._known(connection, group)
        outcomes = [known.admit(each) for each in group]
        self._insert(connection, known.new)
        if known.released:
            self._release(connection, known.released)
        if known.new_keys:
            connection.execute(_INSERT_KEY, known.new_keys)
        return outcomes

    def release(self, connection: Connection, lead_ids: Collection[str]) -> frozenset[str]:
        """Take leads out of quarantine, and tell the notifier; return the IDs that changed."""
        return self._release(connection, dict.fromkeys(lead_ids, trace_headers()))

    def _known(self, connection: Connection, group: Sequence[Received]) -> _Group:
        """Lock keys and contents until the transaction ends, and read what is stored of them.

        A locked key is refused at once rather than waited for, so that no two transactions
        deadlock.
        """
        keys = {each.submission.key for each in group if each.submission.key is not None}
        locked: frozenset[str] = frozenset()
        if self._is_postgresql:
            if keys:
                locked = try_to_lock_digests(connection, keys)
            lock_digests(connection, {each.digest for each in group})
        return _Group(
            locked, _keys(connection, keys, group) if keys else {}, _leads(connection, group)
        )

    def _insert(self, connection: Connection, new: Sequence[Received]) -> None:
        """Insert leads, and tell the notifier of those that are not in quarantine."""
        if not new:
            return
        told = {
            each.submission.id: each.trace
            for each in new
            if self._notifier and not each.submission.quarantined
        }
        rows = [{**each.row, "notified": each.submission.id in told} for each in new]
        connection.execute(_INSERT_LEAD, rows)
        files = [
            {"lead_id": each.submission.id, "number": number, "content": content}
            for each in new
            for number, content in enumerate(each.submission.files, 1)
        ]
        if files:
            connection.execute(insert(lead_files), files)
        store_assessments(connection, [each.submission for each in new])
        self._tell(connection, told)

    def _release(self, connection: Connection, traces: Traces) -> frozenset[str]:
        statement = update(leads).where(leads.c.id.in_(traces), leads.c.quarantined)
        changed = connection.execute(statement.values(quarantined=False).returning(leads.c.id))
        released = frozenset(changed.scalars())
        if self._notifier and released:
            untold = _to_tell(connection, released)
            self._tell(connection, {each: traces[each] for each in untold})
        return released

    def _tell(self, connection: Connection, traces: Traces) -> None:
        if self._notifier and traces:
            self._notifier.tell(connection, traces)


def _keys(
    connection: Connection, keys: Collection[str], group: Iterable[Received]
) -> dict[str, tuple[str, str]]:
    """Return the digest of the body and the lead of each stored key; delete expired keys."""
    now = max(each.submission.received_at for each in group)
    expired = lead_keys.c.received_at < now - IDEMPOTENCY_TTL
    connection.execute(delete(lead_keys).where(expired))
    stored = select(lead_keys.c.digest, lead_keys.c.body_digest, lead_keys.c.lead_id)
    rows = connection.execute(stored.where(lead_keys.c.digest.in_(keys)))
    return {key: (body_digest, lead_id) for key, body_digest, lead_id in rows}


def _leads(connection: Connection, group: Sequence[Received]) -> defaultdict[str, list[_Known]]:
    """Return the recent leads of the same contents, by digest."""
    times = [each.submission.received_at for each in group]
    asked = {
        "digests": list({each.digest for each in group}),
        "first": min(times) - DEDUPE_WINDOW,
        "last": max(times) + DEDUPE_WINDOW,
    }
    known: defaultdict[str, list[_Known]] = defaultdict(list)
    for digest, *columns in connection.execute(_SAME_LEADS, asked):
        known[digest].append(_Known(*columns))
    return known


def _same_leads() -> Select[Any]:
    """Select the leads of some contents with the values of `_Known`."""
    judged = select(lead_assessments.c.lead_id).where(
        lead_assessments.c.lead_id == leads.c.id,
        ~lead_assessments.c.reasons.startswith(Reason.HONEYPOT),
    )
    is_trapped = and_(leads.c.quarantined, ~judged.exists())
    return select(
        leads.c.digest, leads.c.id, leads.c.received_at, leads.c.quarantined, is_trapped
    ).where(
        leads.c.digest.in_(bindparam("digests", expanding=True)),
        leads.c.received_at.between(bindparam("first"), bindparam("last")),
    )


_SAME_LEADS, _INSERT_LEAD, _INSERT_KEY = _same_leads(), insert(leads), insert(lead_keys)
"""Built once: to build a statement takes as long as to run it."""


def _to_tell(connection: Connection, lead_ids: Collection[str]) -> frozenset[str]:
    """Mark leads as told, and return the ids of those that were not."""
    statement = update(leads).where(leads.c.id.in_(lead_ids), ~leads.c.notified)
    marked = connection.execute(statement.values(notified=True).returning(leads.c.id))
    return frozenset(marked.scalars())
