"""Site routes: the root, and every path that no other route takes."""

from __future__ import annotations

from quart import Blueprint, Quart, Response
from werkzeug.routing import PathConverter

from app.site.assets import asset
from app.site.contact import take_form
from app.site.pages import localized_page, root
from knowledge.addresses import split_locale
from knowledge.errors import NotFound

routes = Blueprint("site_paths", __name__)


class SitePath(PathConverter):
    """Any path outside `/api/`, where what is unknown must be 404 to every method."""

    regex = r"(?!api/)[^/].*?"


def install(app: Quart) -> None:
    """Add the site's routes, which take what no other route takes."""
    app.url_map.converters["site_path"] = SitePath
    app.register_blueprint(routes)


@routes.get("/")
async def get_root() -> Response:
    """Lead to the hinted locale, or answer the default home page."""
    return root()


@routes.post("/<country>/<language>/contact")
async def post_contact(country: str, language: str) -> Response:
    """Send the contact page's form."""
    return await take_form(split_locale(f"/{country}/{language}")[0])


@routes.get("/<site_path:path>")
async def get_site_path(path: str) -> Response:
    """Get a page, a page's twin, or an image or download of the content folder."""
    found = localized_page(f"/{path}") or await asset(path)
    if found is None:
        raise NotFound("There is nothing at this path.", "See /llms.txt for what there is.")
    return found
