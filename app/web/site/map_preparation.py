"""Preparation of maps: the table of all pages is ready before a sitemap or llms.txt is asked for.

After an edit only what changed is made again. While edits follow each other, maps are not prepared.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from functools import partial

from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import Overloaded
from app.services import Services
from knowledge.resources.site_map import site_map
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms import llms_txt, well_known
from llms.mcp_server import McpServer
from llms.page_lines import kept_locales
from renderers.feeds import sitemap

_QUIET_SECONDS = 2.0


async def prepare_maps(services: Services, stop: asyncio.Event) -> None:
    """Prepare the maps of each edition that stays for some seconds, until `stop` is set."""
    seen = prepared = None
    while not stop.is_set():
        await wait_or_stop(stop, _QUIET_SECONDS)
        store = services.content_store
        edition = store.current if store.loaded else None
        if edition is None or stop.is_set():
            continue
        snapshot = edition.snapshot
        if snapshot is seen and snapshot is not prepared:
            settings, now = services.settings, services.clock()
            mcp = services.find(McpServer)
            with suppress(Overloaded):
                await services.executors.maps.run(
                    partial(prepare, snapshot, now, settings.public_url, mcp)
                )
                prepared = snapshot
        seen = snapshot


def prepare(snapshot: Snapshot, now: datetime, base_url: str, mcp: McpServer | None) -> None:
    """Prepare the maps of a snapshot; with thousands of pages it takes seconds.

    Of the maps of locales, those of the default one, and those that have been asked for.
    """
    view = ContentView(snapshot, snapshot.default_locale, now, base_url)
    pages = site_map(snapshot, now)
    sitemap.prepare(pages, base_url)
    well_known.prepare_robots(pages)
    for locale in dict.fromkeys((view.locale, *kept_locales(snapshot, base_url))):
        llms_txt.prepare(view.for_locale(locale), pages, mcp)
