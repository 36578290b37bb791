"""Maps: the resources by which agents, search engines and readers' programs find the rest."""

from __future__ import annotations

from typing import TypeVar

from quart import Blueprint, Response

from app import parameters
from app.responses import Caching, represent
from app.services import services
from app.site.locales import locale_of
from knowledge.errors import NotFound
from knowledge.locale import DEFAULT_LOCALE, Locale
from knowledge.resources.site_map import SiteMap, site_map
from knowledge.view import View
from llms import catalog, robots
from renderers import feed, sitemap, static_files
from renderers.representation import Representation

routes = Blueprint("maps", __name__)

Thing = TypeVar("Thing")


@routes.get(sitemap.INDEX_PATH)
async def get_sitemap() -> Response:
    """Get every public page with its variants, or the index of the parts that hold them."""
    return represent(sitemap.render(_site_map(), services().settings.public_url))


@routes.get("/sitemap-<int:number>.xml")
async def get_sitemap_part(number: int) -> Response:
    """Get one part of a large sitemap."""
    part = sitemap.render_part(_site_map(), services().settings.public_url, number)
    return represent(_found(part))


@routes.get("/robots.txt")
async def get_robots() -> Response:
    """Get the rules for crawlers."""
    settings = services().settings
    return represent(robots.robots_txt(_site_map(), settings.public_url, settings.content_signal))


@routes.get("/<country>/<language>/blog/feed.xml")
async def get_feed(country: str, language: str) -> Response:
    """Get the newest posts of a locale as an Atom feed."""
    return represent(feed.render(_view(locale_of(country, language))))


@routes.get(catalog.CATALOG_PATH)
async def get_api_catalog() -> Response:
    """Get the linkset of the interfaces there are (RFC 9727)."""
    headers = {"Link": f'<{catalog.CATALOG_PATH}>; rel="api-catalog"'}
    return represent(catalog.api_catalog(services().settings.public_url), headers=headers)


@routes.get(catalog.SECURITY_PATH)
async def get_security() -> Response:
    """Get where to report a vulnerability (RFC 9116)."""
    return represent(catalog.security_txt(_view()))


@routes.get("/static/<digest>/<name>")
async def get_static(digest: str, name: str) -> Response:
    """Get the stylesheet or a font; the path changes with the content."""
    file = _found(static_files.find(digest, name))
    return represent(Representation(file.media_type, file.content), Caching.FOREVER)


def _view(locale: Locale = DEFAULT_LOCALE) -> View:
    return parameters.view_of(locale)


def _site_map() -> SiteMap:
    view = _view()
    return site_map(view.snapshot, view.now)


def _found(thing: Thing | None) -> Thing:
    if thing is None:
        raise NotFound("There is nothing at this path.", "See /llms.txt for what there is.")
    return thing
