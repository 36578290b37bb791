"""The services of an application, and functions through which handlers get them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from quart import Quart, current_app, g

from app.asgi.client_address import TrustedProxies
from app.audience.audience import Audience
from app.cache.denser_codings import DenserCodings
from app.cache.response_cache import ResponseCache
from app.changes.feed import ChangeFeed
from app.changes.log import ChangeLog
from app.clock import Clock
from app.concurrency.executors import Executors
from app.content.store import ContentStore, Edition
from app.database.database import Database
from app.database.transaction_groups import TransactionGroups
from app.feedback.store import FeedbackStore
from app.followers.service import FollowerService
from app.images.drawings import Drawings
from app.images.variants import ImageVariants
from app.key_file import ProcessKey
from app.leads.proof import Proof
from app.leads.spam_filter import SpamFilter
from app.leads.store import LeadStore
from app.limits.limiter import Limiter
from app.notifications.service import NotificationService
from app.observability.access_log import AccessLog
from app.observability.metrics import Metrics
from app.observability.tracing import TracingService
from app.partner.service import PartnerService
from app.settings import Settings

KEY = "majlis"
"""The name of the services among the extensions of an application."""


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass(frozen=True, slots=True)
class Services:
    """The services that the factory creates once for each application."""

    settings: Settings
    access_log: AccessLog | None
    tracer: TracingService | None
    audience: Audience | None
    clock: Clock
    content_store: ContentStore
    executors: Executors
    cache: ResponseCache
    denser_codings: DenserCodings
    variants: ImageVariants
    drawings: Drawings
    database: Database
    writer: TransactionGroups
    leads: LeadStore
    lead_key: ProcessKey
    spam_filter: SpamFilter
    proof: Proof | None
    feedback: FeedbackStore
    changes: ChangeLog
    change_feed: ChangeFeed
    limiter: Limiter
    metrics: Metrics
    partner: PartnerService
    followers: FollowerService
    notifications: NotificationService
    proxies: TrustedProxies
    new_id: Callable[[], str]
    started_at: datetime
    records_changes: asyncio.Event = field(default_factory=_set_event)
    """Whether this process records changes; of several workers one is enough."""


def services_of(app: Quart) -> Services:
    """Return the services of an application."""
    return cast(Services, app.extensions[KEY])


def services() -> Services:
    """Return the services of the application that handles the current request."""
    return services_of(current_app)


def edition() -> Edition:
    """Return the edition for the current request; the same one at every call in a request.

    Raises ContentUnavailable if no edition has been loaded yet.
    """
    if "edition" not in g:
        g.edition = services().content_store.current
    return cast(Edition, g.edition)
