"""Changes: what was published, changed, moved or taken away since a cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quart import Blueprint, Response

from app.features.changes.feed import ChangeList, example
from app.features.changes.log import PATTERN, Cursor
from app.features.changes.service import Changes
from app.platform.asgi.caching import Caching
from app.services import edition, services
from app.web.http import parameters
from app.web.http.parameters import Parameter, SiteParameter
from app.web.http.responses import respond
from app.web.http.route_policy import RoutePolicy, Workload, policy
from app.web.http.workloads import in_executor
from app.web.openapi.operation import operation
from knowledge.locales.locale import Locales


def _any(parameter: SiteParameter[Any], description: str) -> SiteParameter[Any]:
    """Return a parameter without which the changes of all locales are returned."""

    def make(locales: Locales) -> Parameter[Any] | None:
        found = parameter.make(locales)
        if found is None:
            return None
        schema = {name: value for name, value in found.schema.items() if name != "default"}
        return replace(found, description=description, schema=schema, default=None)

    return SiteParameter(parameter.name, make)


SINCE = Parameter[Cursor | None](
    "since",
    "The `cursor` of an earlier response; without it, the newest changes are returned.",
    "",
    {"type": "string", "pattern": f"^({PATTERN})?$"},
    Cursor.parse,
    None,
    "the cursor of an earlier response",
)
COUNTRY = _any(parameters.COUNTRY, "Only changes of pages for this country.")
LANG = _any(parameters.LANG, "Only changes of pages in this language.")
LIMIT = parameters.integer(
    "limit", "Maximum number of changes.", example=50, default=50, low=1, high=500
)


routes = Blueprint("changes", __name__)

CHANGES = RoutePolicy(workload=Workload.MAPS)
"""Many pages are rendered for a response."""


@routes.get("/changes")
@policy(CHANGES)
@operation(ChangeList, example, query=(SINCE, COUNTRY, LANG, LIMIT), errors=(410, 503))
async def list_changes() -> Response:
    """List what was published, changed, moved or taken away since a cursor.

    The pages are those of the sitemap, in each locale. Without `since`, the newest changes are
    listed, oldest first; keep their `cursor`, and send it as `since` to get what comes after. If
    nothing does, the cursor stays the same. A response may have fewer changes than `limit`
    allows: read on while `more` is true. A cursor that is unknown or too old gives 410; the error
    says from where to go on once all pages are read again.
    """
    since, limit = SINCE.read(), LIMIT.read()
    country, language = COUNTRY.read(), LANG.read()
    changes = services().part(Changes)
    log, feed = changes.log, changes.feed
    head, now, snapshot = await log.head(), services().clock(), edition().snapshot
    if since is None:
        newest = await log.newest(limit, country, language)
        listed = await in_executor(feed.newest, newest, head, snapshot, now)
    else:
        page = await log.after(since.position(head), limit, country, language)
        listed = await in_executor(feed.after, page, head.log, snapshot, now)
    return respond(listed, Caching.REVALIDATED)
