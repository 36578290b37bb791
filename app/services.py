"""The services of an application, and functions through which handlers get them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from quart import Quart, current_app, g

from app.features.audience.audience import Audience
from app.features.changes.feed import ChangeFeed
from app.features.changes.followers.service import FollowerService
from app.features.changes.log import ChangeLog
from app.features.feedback.store import FeedbackStore
from app.features.images.drawings import Drawings
from app.features.images.variants import ImageVariants
from app.features.leads.notifications.service import NotificationService
from app.features.leads.proof import Proof
from app.features.leads.spam_filter import SpamFilter
from app.features.leads.store import LeadStore
from app.features.orders.partner.service import PartnerService
from app.platform.asgi.client_address import TrustedProxies
from app.platform.clock import Clock
from app.platform.concurrency.executors import Executors
from app.platform.database.database import Database
from app.platform.database.transaction_groups import TransactionGroups
from app.platform.key_file import ProcessKey
from app.platform.limits.limiter import Limiter
from app.platform.observability.access_log import AccessLog
from app.platform.observability.metrics import Metrics
from app.platform.observability.tracing import TracingService
from app.publishing.cache.response_cache import ResponseCache
from app.publishing.content.store import ContentStore, Edition
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
