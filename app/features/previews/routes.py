"""Previews: a page that is not yet published, for whoever has its signed link."""

from __future__ import annotations

import logging
from dataclasses import replace

from quart import Blueprint, Quart, Response
from werkzeug.routing import BaseConverter

from app.features.previews import link
from app.features.previews.link import PreviewLink
from app.features.previews.settings import PreviewSettings
from app.platform.asgi.caching import Caching
from app.platform.key_file import InvalidKey, KeyFile
from app.services import services
from app.web.http import parameters
from app.web.http.responses import represent
from app.web.http.route_policy import PAGE, policy
from app.web.site.errors import or_404
from app.web.site.pages import RENDERERS, SitePath, chosen_media_type
from knowledge.resources.base import Resource
from knowledge.resources.previews import preview_page
from knowledge.resources.site_page import PageModel

log = logging.getLogger(__name__)
routes = Blueprint("previews", __name__)

PREVIEW = replace(PAGE, cacheable=False)


class TokenConverter(BaseConverter):
    """Matches a token; any other path below `/preview/` may be a file of the content folder."""

    regex = link.TOKEN


def install(app: Quart) -> None:
    """Add the route of previews."""
    app.url_map.converters["preview_token"] = TokenConverter
    app.register_blueprint(routes)


@routes.get(f"{link.PATH}<preview_token:token>")
@policy(PREVIEW)
def get_preview(token: str) -> Response:
    """Get a page before it is published; a link that is not valid is a 404 without a reason."""
    page = _page(or_404(_link(token)))
    representation = RENDERERS[chosen_media_type(None, RENDERERS)](page)
    return represent(representation, Caching.NEVER, headers={"X-Robots-Tag": "noindex"})


def _link(token: str) -> PreviewLink | None:
    """Return the valid link of a token; None without a key."""
    try:
        key = KeyFile(services().settings.of(PreviewSettings).preview_key_file).read()
    except (InvalidKey, OSError) as error:
        log.error("Preview links are not valid: %s", error)
        return None
    return PreviewLink.verified(token, key, services().clock()) if key else None


def _page(shown: PreviewLink) -> PageModel[Resource]:
    path = SitePath.parse(shown.path)
    view = parameters.view_of(or_404(path.locale))
    return preview_page(view, or_404(path.address), shown.at, shown.valid_until)
