"""Routes: those of web and of features, and the root, static files and all other paths."""

from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter

from quart import Blueprint, Quart, Response

from app.platform.asgi.caching import Caching
from app.web import errors, legacy, public
from app.web.http import parameters, request_context
from app.web.http.responses import or_404, redirect, represent
from app.web.http.route_policy import PAGE, policy
from app.web.http.workloads import in_executor
from app.web.openapi.document import routes as openapi_routes
from app.web.site import developers, discovery, pages
from app.web.site.assets import asset
from app.web.site.paths import (
    HashedNameConverter,
    LocaleConverter,
    SitePath,
    SitePathConverter,
    queried_address_response,
)
from knowledge.addresses.addresses import Address
from knowledge.resources import places
from knowledge.resources.home import HOME_PAGE
from renderers.html import styles
from renderers.html.page_styles import find_stylesheet
from renderers.representation import MediaType, Representation


def add_routes(app: Quart, api: Iterable[Blueprint], others: Iterable[Blueprint]) -> None:
    """Add all routes; `api` are below the prefix of the public API.

    The route of all other paths is the last.
    """
    errors.install(app)
    for each in sorted((*public.blueprints(), *api), key=attrgetter("name")):
        app.register_blueprint(each, url_prefix=public.STABLE + (each.url_prefix or ""))
    legacy.install(app)
    app.url_map.converters |= {
        "locale": LocaleConverter,
        "site_path": SitePathConverter,
        "hashed": HashedNameConverter,
    }
    for each in (discovery.routes, openapi_routes, developers.routes, *others, routes):
        app.register_blueprint(each)


routes = Blueprint("site_paths", __name__)

ROOT = replace(PAGE, depends_on_visitor=True)
SITE_PATH = replace(
    PAGE,
    serves_files=True,
    parameters_of=pages.page_parameters,
    page_of=pages.localized_address,
    reads_referer=pages.has_form,
    negotiates=pages.is_negotiated,
)


@routes.get("/")
@policy(ROOT)
def get_root() -> Response:
    """Redirect to the reader's country or language; return the home page of the main ones."""
    former = queried_address_response()
    if former:
        return former
    view = parameters.main_view()
    routing = places.locale_routing(
        view.snapshot, request_context.hinted_country(), request_context.accepted_languages()
    )
    if routing.redirect:
        return redirect(routing.redirect, 302, Caching.PERSONAL)
    response = pages.page_response(view, Address(HOME_PAGE), None)
    response.headers["Cache-Control"] = Caching.PERSONAL
    return response


@routes.get("/static/<hashed:digest>/<name>")
def get_static(digest: str, name: str) -> Response:
    """Get a stylesheet or a font; the path changes with the content."""
    file = or_404(
        styles.find(digest, name) or find_stylesheet(parameters.main_view(), digest, name)
    )
    if file.digest != digest:  # the page was cached before the styles changed
        return redirect(file.url, 302, Caching.PERSONAL)
    return represent(Representation(file.media_type, file.content), Caching.FOREVER)


@routes.get("/<site_path:path>")
@policy(SITE_PATH)
async def get_site_path(path: SitePath) -> Response:
    """Get a page, also at a per-format URL, or an image or download of the content folder."""
    response = await asset(path.text[1:])
    if response is None and path.locale:
        return await in_executor(pages.localized_page, path)
    is_main = path.canonical == "/index" and path.media_type is not MediaType.XML  # Hugo's feed
    if response is None and path.media_type and is_main:
        home = Address(HOME_PAGE)
        return await in_executor(
            lambda: pages.page_response(parameters.main_view(), home, path.media_type)
        )
    return or_404(response)
