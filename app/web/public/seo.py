"""SEO metadata."""

from quart import Blueprint, Response

from app.web.http import parameters
from app.web.http.parameters import Parameter, SiteParameter
from app.web.http.responses import respond
from app.web.openapi.operation import operation
from knowledge.locales.locale import Locales
from knowledge.resources import seo

routes = Blueprint("seo", __name__)


def _path(locales: Locales) -> Parameter[str]:
    return parameters.required_text(
        "path",
        "Public site path, including its locale if it has one.",
        example=locales.default.path,
        allowed=f"a public site path such as {locales.other.path}/about",
    )


PATH = SiteParameter("path", _path)


@routes.get("/seo-page")
@operation(
    seo.SeoPage, lambda view: seo.seo_page(view, view.snapshot.locales.default.path), query=(PATH,)
)
def get_seo_page() -> Response:
    """Get title, robots, canonical URL and alternates of a public site path.

    For a path without a page, `noIndex` is true and there are no alternates.
    """
    view = parameters.view(by_country=False, by_language=False)
    return respond(seo.seo_page(view, PATH.read() or ""))
