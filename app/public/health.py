"""Health: whether the service can answer, and what is wrong with its content."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter

from quart import Blueprint, Response

from app.asgi.caching import Caching
from app.concurrency.capacity import Overloaded
from app.http.responses import respond
from app.openapi.operation import operation
from app.services import Services, services
from knowledge.content_view import ContentView
from knowledge.resources.base import Resource

SERVICE = "majlis"

_UNREADABLE = "The content folder cannot be read. Check that it is there and mounted."
"""Said until the watcher has noticed it as well."""

routes = Blueprint("health", __name__)


class CacheCounts(Resource):
    """How often the response cache could answer."""

    hits: int
    misses: int


class Environment(Resource):
    """The deployment; `nodeEnv` is the contract's name for APP_ENV."""

    node_env: str
    port: int


class Health(Resource):
    """`bootstrapError` is the first fault of the content, by path relative to its folder."""

    ok: bool
    bootstrap_ready: bool
    bootstrap_error: str | None
    data_dir_readable: bool
    data_dir_check_ms: int
    dist_assets: int
    serve_static: bool
    uptime_sec: int
    time: datetime
    cache: CacheCounts
    env: Environment
    service: str
    timestamp: datetime


def example(view: ContentView) -> Health:
    """What a service answers that is well; its instant is fixed, as an example's is."""
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    return Health(
        ok=True,
        bootstrap_ready=True,
        bootstrap_error=None,
        data_dir_readable=True,
        data_dir_check_ms=0,
        dist_assets=len(view.snapshot.assets),
        serve_static=True,
        uptime_sec=3_600,
        time=noon,
        cache=CacheCounts(hits=950, misses=50),
        env=Environment(node_env="production", port=8000),
        service=SERVICE,
        timestamp=noon,
    )


@routes.get("/health")
@operation(Health, example, same_body_statuses=(503,), errors=())
async def get_health() -> Response:
    """Tell whether the service can answer: 200, or 503 with the same body.

    It can as soon as content was read once: a folder that is gone since leaves the last edition.
    """
    health = await _health(services())
    return respond(health, Caching.NEVER, 200 if health.ok else 503)


async def _health(at: Services) -> Health:
    started = perf_counter()
    readable = await _folder_is_readable(at)
    now = at.clock()
    loaded = at.content_store.loaded
    return Health(
        ok=loaded,
        bootstrap_ready=loaded,
        bootstrap_error=at.content_store.first_error or (None if readable else _UNREADABLE),
        data_dir_readable=readable,
        data_dir_check_ms=round((perf_counter() - started) * 1000),
        dist_assets=len(at.content_store.current.snapshot.assets) if loaded else 0,
        serve_static=True,
        uptime_sec=int((now - at.started_at).total_seconds()),
        time=now,
        cache=CacheCounts(hits=at.cache.hits, misses=at.cache.misses),
        env=Environment(node_env=at.settings.app_env, port=at.settings.port),
        service=SERVICE,
        timestamp=now,
    )


async def _folder_is_readable(at: Services) -> bool:
    """Whether the content can be read; no where those who asked before wait for an answer still."""
    try:
        return await at.executors.health.run(partial(_is_readable, at.settings.content_dir))
    except Overloaded:
        return False


def _is_readable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)
