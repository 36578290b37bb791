"""The site's own bundles."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.resources import home, site
from knowledge.resources.base import resource_in
from renderers.l10n.translation import complete_site_settings

routes = Blueprint("site", __name__)


@routes.get("/site-settings")
@operation(site.SiteSettings, complete_site_settings)
def get_site_settings() -> Response:
    """Get the company's settings, main menu, footer, words and contact form."""
    return respond(complete_site_settings(parameters.view(by_country=False, by_language=False)))


@routes.get("/homepage")
@operation(home.Homepage, home.homepage, query=parameters.LOCALE)
def get_homepage() -> Response:
    """Get everything the home page shows."""
    return respond(home.homepage(parameters.view()))


@routes.get("/site")
@operation(home.Homepage, home.homepage, query=parameters.LOCALE)
def get_site() -> Response:
    """Get the whole site bundle, in the same format as the home page."""
    return respond(home.homepage(parameters.view()))


@routes.get("/navigation")
@operation(site.Navigation, site.navigation, query=parameters.LOCALE)
def get_navigation() -> Response:
    """Get the main menu, the footer and the list of pages."""
    view = parameters.view()
    return respond(resource_in(view.locale, site.navigation(view)))
