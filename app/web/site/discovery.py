"""Discovery resources: llms.txt, sitemaps, robots.txt, feeds, the skill and well-known files."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from quart import Blueprint, Response

from app.platform.asgi.caching import Caching
from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import Overloaded
from app.publishing.content.titles import titles_beginning
from app.services import Services, edition, services
from app.web.extensions import ContractPart
from app.web.http import parameters
from app.web.http.request_context import current_request
from app.web.http.response_headers import link
from app.web.http.responses import or_404, represent, usage_headers
from app.web.http.route_policy import MAP, NEGOTIATED_MAP, PAGE, policy
from app.web.openapi.information import offers_secured
from app.web.site.pages import page_response
from app.web.site.paths import open_locale
from knowledge.addresses.addresses import Address, address_of
from knowledge.locales.locale import Locale
from knowledge.resources.blog import BLOG_PAGE, CATEGORY_PAGE
from knowledge.resources.errors import NotFound
from knowledge.resources.site_map import SiteMap, site_map
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms import llms_txt, skill, well_known
from llms.mcp_server import McpServer
from llms.page_lines import kept_locales
from llms.skill import Skill
from llms.well_known import WELL_KNOWN_FILES, Deployment, WellKnownFile
from renderers.feeds import opensearch, post_feeds, sitemap
from renderers.html.page_links import NAMESAKE
from renderers.representation import MediaType, Representation

routes = Blueprint("maps", __name__)

Render = Callable[[ContentView, SiteMap], Representation | None]
"""Renders a resource from the table of all pages; None if there is no such resource."""


@routes.get(llms_txt.SERVICE_PATH)
@policy(MAP)
def get_llms() -> Response:
    """Get the llms.txt guide to the whole service for agents."""
    partners, mcp = offers_secured(edition().snapshot, services()), services().find(McpServer)
    return _render_map(partial(llms_txt.render_service, partners=partners, mcp=mcp))


@routes.get("/<locale:locale>/llms.txt")
@policy(MAP)
def get_locale_llms(locale: Locale | None) -> Response:
    """Get the llms.txt guide to a locale for agents."""
    render = partial(llms_txt.render_locale, mcp=services().find(McpServer))
    return _render_map(render, _locale_view(locale))


@routes.get("/<locale:locale>/llms-<int:number>.txt")
@policy(MAP)
def get_locale_llms_part(locale: Locale | None, number: int) -> Response:
    """Get a further part of a guide that is split into several files."""
    mcp = services().find(McpServer)
    render = partial(llms_txt.render_part, number=number, mcp=mcp)
    return _render_map(render, _locale_view(locale))


@routes.get(llms_txt.FULL_PATH)
@policy(MAP)
def get_llms_full() -> Response:
    """Get the pages of the default locale as one text."""
    return _render_map(llms_txt.render_full)


@routes.get("/<locale:locale>/llms-full.txt")
@policy(MAP)
def get_locale_llms_full(locale: Locale | None) -> Response:
    """Get the pages of a locale as one text."""
    return _render_map(llms_txt.render_full, _locale_view(locale))


@routes.get(sitemap.INDEX_PATH)
@policy(NEGOTIATED_MAP)
def get_sitemap() -> Response:
    """Get the sitemap of all public pages, or the index of its parts, also as markdown and JSON."""
    return _sitemap(lambda view, pages: sitemap.render(pages, view.base_url))


@routes.get("/sitemap-<int:number>.xml")
@policy(NEGOTIATED_MAP)
def get_sitemap_part(number: int) -> Response:
    """Get one part of a large sitemap, also as markdown and JSON."""
    return _sitemap(
        lambda view, pages: sitemap.render_part(pages, view.base_url, number), number=number
    )


@routes.get("/robots.txt")
@policy(MAP)
def get_robots() -> Response:
    """Get the rules for crawlers."""
    signal = services().settings.content_signal
    return _render_map(
        lambda view, pages: well_known.robots_txt(pages, view.snapshot, view.base_url, signal),
        headers=usage_headers(signal),
    )


@routes.get("/<locale:locale>/blog/feed.xml")
@policy(MAP)
def get_feed(locale: Locale | None) -> Response:
    """Get the newest posts of a locale as an Atom feed."""
    return represent(or_404(post_feeds.render_atom(_blog_view(locale))))


@routes.get("/<locale:locale>/blog/category/<slug>/feed.xml")
@policy(MAP)
def get_category_feed(locale: Locale | None, slug: str) -> Response:
    """Get the newest posts of a category as an Atom feed."""
    return represent(
        or_404(post_feeds.render_atom(_blog_view(locale), Address(CATEGORY_PAGE, slug)))
    )


@routes.get("/<locale:locale>/blog/category/<slug>/feed.json")
@policy(MAP)
def get_category_json_feed(locale: Locale | None, slug: str) -> Response:
    """Get the newest posts of a category as a JSON Feed."""
    return represent(
        or_404(post_feeds.render_json_feed(_blog_view(locale), Address(CATEGORY_PAGE, slug)))
    )


@routes.get("/<locale:locale>/blog/feed.json")
@policy(MAP)
def get_json_feed(locale: Locale | None) -> Response:
    """Get the newest posts of a locale as a JSON Feed; a post “feed” has its own JSON here."""
    view = _blog_view(locale)
    rendered = post_feeds.render_json_feed(view)
    if rendered is None:
        return page_response(view, NAMESAKE, MediaType.JSON)
    return represent(rendered)


@routes.get("/<locale:locale>/opensearch.xml")
@policy(MAP)
def get_opensearch(locale: Locale | None) -> Response:
    """Get how to search a locale, as an OpenSearch description."""
    return represent(opensearch.render(_locale_view(locale)))


SUGGESTIONS = replace(PAGE, parameters_of=lambda **_: (parameters.SITE_SEARCH,))


@routes.get(f"/<locale:locale>{opensearch.SUGGESTIONS_PATH}")
@policy(SUGGESTIONS)
def get_suggestions(locale: Locale | None) -> Response:
    """Get the titles of pages that begin as `q`, as OpenSearch suggestions."""
    view, typed = _locale_view(locale), parameters.SITE_SEARCH.read() or ""
    return represent(opensearch.render_suggestions(view, typed, titles_beginning(view, typed)))


def _add_well_known(file: WellKnownFile) -> None:
    """Add the route of a file under `/.well-known`."""

    @policy(MAP)
    def get_file() -> Response:
        now = services()
        snapshot = edition().snapshot if now.content_store.loaded else None
        parts = now.all(ContractPart)
        useful = (each.apis for each in parts if snapshot is None or each.is_useful(snapshot))
        apis = {root: status for each in useful for root, status in each.items()}
        mcp, view = now.find(McpServer), parameters.main_view
        rendered = file.render(Deployment(now.settings.public_url, apis, mcp, view))
        headers = {"Link": link(file.path, file.relation)} if file.relation else {}
        return represent(rendered, headers=headers)

    get_file.__doc__ = file.render.__doc__
    routes.add_url_rule(file.path, f"get_{file.render.__name__}", get_file)


for each_file in WELL_KNOWN_FILES:
    _add_well_known(each_file)


@routes.get(skill.INDEX_PATH)
@policy(MAP)
def get_skills() -> Response:
    """Get the index of agent skills (Agent Skills Discovery 0.2.0)."""
    return represent(skill.render_index(current_skill(), services().settings.public_url))


@routes.get(skill.skill_path("<name>"))
@policy(MAP)
def get_skill(name: str) -> Response:
    """Get the agent skill of the site: how to find, read and cite what it publishes."""
    current = current_skill()
    return represent(skill.render_skill(or_404(current if current.name == name else None)))


def current_skill() -> Skill:
    """Return the skill of the site as it is now."""
    view = parameters.main_view()
    pages = site_map(view.snapshot, view.now)
    return skill.site_skill(view, pages, services().find(McpServer))


def _sitemap(render: Render, number: int | None = None) -> Response:
    """Render a sitemap as XML, unless the client prefers markdown or JSON to a page in HTML.

    The choice follows from that for pages, on which shared caches and the response cache depend.
    """
    media_type = current_request.get().media_type
    if media_type not in (MediaType.MARKDOWN, MediaType.JSON):
        return _render_map(render)
    return _render_map(
        lambda view, pages: sitemap.render_form(pages, view.base_url, media_type, number),
        caching=Caching.NEGOTIATED,
    )


def _locale_view(locale: Locale | None) -> ContentView:
    """Return the view of an open locale; raises NotFound."""
    return parameters.view_of(open_locale(locale))


def _blog_view(locale: Locale | None) -> ContentView:
    """Return the view of an open locale whose blog is at the built-in path; raises NotFound.

    At another path its feeds are found with its pages.
    """
    view = _locale_view(locale)
    if address_of(view.snapshot, BLOG_PAGE).path != BLOG_PAGE.path:
        raise NotFound("There is no feed at this path.", "See llms.txt for what there is.")
    return view


def _render_map(
    render: Render,
    locale_view: ContentView | None = None,
    headers: Mapping[str, str] | None = None,
    caching: Caching = Caching.PUBLIC,
) -> Response:
    """Render a resource from the table of all pages, of a locale or of the service."""
    view = locale_view or parameters.main_view()
    pages = site_map(view.snapshot, view.now)
    rendered = or_404(render(view, pages.localized if view.is_static else pages))
    return represent(rendered, caching, headers=headers)


_QUIET_SECONDS = 2.0
"""While edits follow each other faster, maps are not prepared."""


async def prepare_maps(services: Services, stop: asyncio.Event) -> None:
    """Prepare the maps of each edition that stays for some seconds, until `stop` is set.

    The table of all pages is then ready before a sitemap or llms.txt is asked for. After an edit
    only what changed is made again.
    """
    seen = prepared = None
    while not stop.is_set():
        await wait_or_stop(stop, _QUIET_SECONDS)
        store = services.content_store
        if not store.loaded or stop.is_set():
            continue
        snapshot = store.current.snapshot
        if snapshot is seen and snapshot is not prepared:
            settings, now = services.settings, services.clock()
            mcp = services.find(McpServer)
            with suppress(Overloaded):
                await services.executors.maps.run(
                    partial(make_maps, snapshot, now, settings.public_url, mcp)
                )
                prepared = snapshot
        seen = snapshot


def make_maps(snapshot: Snapshot, now: datetime, base_url: str, mcp: McpServer | None) -> None:
    """Prepare the maps of a snapshot; with thousands of pages it takes seconds.

    Of the maps of locales, those of the default one, and those that have been asked for.
    """
    view = ContentView(snapshot, snapshot.default_locale, now, base_url)
    pages = site_map(snapshot, now)
    sitemap.prepare(pages, base_url)
    well_known.prepare_robots(pages, snapshot)
    for locale in dict.fromkeys((view.locale, *kept_locales(snapshot, base_url))):
        llms_txt.prepare(view.for_locale(locale), pages, mcp)
