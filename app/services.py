"""The services of an application, its start, and functions through which handlers get them."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import NoReturn, TypeVar, cast

from quart import Quart, current_app, g

from app.platform.asgi.client_address import TrustedProxies
from app.platform.clock import Clock
from app.platform.concurrency.executors import Executors
from app.platform.database.database import Database
from app.platform.database.transaction_groups import TransactionGroups
from app.platform.deliveries.delivery import DeliveryKind
from app.platform.limits.limiter import Limiter
from app.platform.limits.rate_limits import UploadsUnderWay
from app.platform.observability.logs import STDERR
from app.platform.observability.metrics import Metrics
from app.publishing.content.store import ContentStore, Edition, made_of
from app.publishing.response_cache import ResponseCache
from app.settings import Settings

log = logging.getLogger(__name__)


class Startup:
    """A start that may take some seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._steps = [("preparing", monotonic())]
        self.has_ended = False

    @property
    def left(self) -> float:
        """The seconds until the start has taken too long."""
        return max(0.0, self._seconds - (monotonic() - self._steps[0][1]))

    def begin(self, step: str) -> None:
        """Begin a step, which its first word names; after the start there is none."""
        if not self.has_ended:
            log.info(step)
            self._steps.append((step.split(maxsplit=1)[0].lower(), monotonic()))

    def told(self) -> str:
        """Return what took how long so far."""
        ends = [*(began for _, began in self._steps[1:]), monotonic()]
        took = zip(self._steps, ends, strict=True)
        return ", ".join(f"{step} took {end - began:.0f} s" for (step, began), end in took)

    def end_process(self) -> NoReturn:
        """End this process as it starts for too long, although a thread may load content."""
        logging.shutdown()
        sys.stderr.write(
            f"The start took longer than {self._seconds:g} seconds: {self.told()}. "
            "Raise STARTUP_SECONDS.\n"
        )
        STDERR.close()  # a thread writes what goes to standard error
        os._exit(1)


Part = TypeVar("Part")

KEY = "majlis"
"""The name of the services among the extensions of an application."""


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass(frozen=True, slots=True)
class StaticSite:
    """The files of a static host; `service` is the URL of a service that gets its forms."""

    service: str = ""


@dataclass(frozen=True, slots=True)
class Services:
    """The services that the factory creates once for each application."""

    settings: Settings
    clock: Clock
    content_store: ContentStore
    executors: Executors
    cache: ResponseCache
    database: Database
    writer: TransactionGroups
    limiter: Limiter
    metrics: Metrics
    proxies: TrustedProxies
    new_id: Callable[[], str]
    started_at: datetime
    startup: Startup
    uploads: UploadsUnderWay = field(default_factory=UploadsUnderWay)
    records_changes: asyncio.Event = field(default_factory=_set_event)
    """Whether this process records changes; of several workers one is enough."""

    delivery_kinds: tuple[DeliveryKind, ...] = ()
    static_site: StaticSite | None = None
    """What responses are to be if they become files of a static host, None for a service."""

    parts: tuple[object, ...] = ()
    """What the features add: components, and instances of the types by which others extend web."""

    @property
    def is_static(self) -> bool:
        """Whether responses become files, see `ContentView.is_static`."""
        return self.static_site is not None

    def all(self, kind: type[Part]) -> list[Part]:
        """Return the parts of a type."""
        return [part for part in self.parts if isinstance(part, kind)]

    def find(self, kind: type[Part]) -> Part | None:
        """Return the part of a type; None if no feature adds one, or it is off."""
        return next((part for part in self.parts if isinstance(part, kind)), None)

    def part(self, kind: type[Part]) -> Part:
        """Return the part of a type; raises LookupError if there is none."""
        found = self.find(kind)
        if found is None:
            raise LookupError(f"No feature adds a {kind.__name__}.")
        return found


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
        made_of.get().append(g.edition)
    return cast(Edition, g.edition)
