"""Hourly deletion: the background task that deletes what is older than its limit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.platform.concurrency.wait_or_stop import wait_or_stop
from app.platform.database.errors import SchemaMismatch, StoreUnavailable

log = logging.getLogger(__name__)

_EVERY_SECONDS = 3_600


async def delete_hourly(
    delete_due: Callable[[], Awaitable[object]], what: str, stop: asyncio.Event
) -> None:
    """Delete what is due now and then every hour, until `stop` is set.

    `what` names it in the log. A database that is unavailable is tried again after an hour.
    """
    while not stop.is_set():
        try:
            await delete_due()
        except StoreUnavailable:
            pass  # the database layer has logged it
        except SchemaMismatch as error:
            log.error("Cannot delete %s that are due: %s", what, error)
        await wait_or_stop(stop, _EVERY_SECONDS)
