"""Health: whether the service is available, and the first error in its content."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from time import perf_counter

from quart import Blueprint, Response

from app.platform.asgi.caching import Caching
from app.platform.concurrency.executors import Overloaded
from app.services import edition, services
from app.web.http.responses import respond
from app.web.http.route_policy import HEALTH_CHECK, policy
from app.web.openapi.operation import operation
from knowledge.fields.field_types import Omittable
from knowledge.resources.base import Resource
from knowledge.views.content_view import ContentView

SERVICE = "majlis"

_UNREADABLE = "The content folder cannot be read. Check that it exists and is mounted."
"""Reported until the watcher detects the problem too."""

routes = Blueprint("health", __name__)


class CacheCounts(Resource):
    """Hits and misses of the response cache."""

    hits: int
    """Requests that the cache answered."""
    misses: int
    """Requests that it did not."""


class Environment(Resource):
    """The deployment; `nodeEnv` is the value of APP_ENV."""

    node_env: str
    """Value of APP_ENV."""
    port: int
    """Port on which the service listens."""


class Health(Resource):
    """Health; `bootstrapError` is the first content error, with its path in the content folder."""

    ok: bool
    """Whether the service is available."""
    bootstrap_ready: bool
    """Whether content is loaded."""
    bootstrap_error: str | None
    """The first error in the content, with its path in the content folder; null without one."""
    data_dir_readable: bool
    """Whether the content folder can be read."""
    data_dir_check_ms: int
    """How long the check of the folder took, in milliseconds."""
    dist_assets: int
    """Number of files besides documents."""
    serve_static: bool
    """Whether the service serves these files."""
    uptime_sec: int
    """Seconds since the process started."""
    time: datetime
    """Current time of the service."""
    cache: CacheCounts
    """Counts of the response cache."""
    env: Environment
    """The deployment."""
    service: str
    """Name of the service."""
    timestamp: datetime
    """The same as `time`."""
    edition: Omittable[str] = None
    """Commit of the content, if the service fetches it from a repository."""
    edition_waiting_sec: Omittable[int] = None
    """Seconds for which the oldest newer commit waits to be served, if there is a repository."""


def example(view: ContentView) -> Health:
    """Return an example: the health of an available service, at a fixed time."""
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
@policy(HEALTH_CHECK)
@operation(Health, example, same_body_statuses=(503,), errors=())
async def get_health() -> Response:
    """Get the health of the service: 200 if it is available, or 503 with the same body.

    The service is available once it has loaded content. If the folder disappears later, it
    continues to serve the last edition.
    """
    health = await _health()
    return respond(health, Caching.NEVER, 200 if health.ok else 503)


async def _health() -> Health:
    started = perf_counter()
    readable = await _folder_is_readable()
    service, store = services(), services().content_store
    now, problem = service.clock(), store.origin.problem or store.first_error
    current = edition() if store.loaded else None
    waiting = store.origin.waiting_seconds
    return Health(
        ok=store.loaded,
        bootstrap_ready=store.loaded,
        bootstrap_error=problem or (None if readable else _UNREADABLE),
        data_dir_readable=readable,
        data_dir_check_ms=round((perf_counter() - started) * 1000),
        dist_assets=len(current.snapshot.assets) if current else 0,
        serve_static=True,
        uptime_sec=int((now - service.started_at).total_seconds()),
        time=now,
        cache=CacheCounts(hits=service.cache.hits, misses=service.cache.misses),
        env=Environment(node_env=service.settings.app_env, port=service.settings.port),
        service=SERVICE,
        timestamp=now,
        edition=store.origin.commit_of(current) if current else None,
        edition_waiting_sec=None if waiting is None else int(waiting),
    )


async def _folder_is_readable() -> bool:
    """Return whether the content folder can be read; False if too many checks are waiting."""
    try:
        folder = services().content_store.content_dir
        return await services().executors.health.run(
            lambda: folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)
        )
    except Overloaded:
        return False
