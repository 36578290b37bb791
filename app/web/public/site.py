"""The site: its bundles, its pages with their SEO metadata, and its testimonials."""

from quart import Response

from app.web.http import parameters
from app.web.http.parameters import Parameter, SiteParameter
from app.web.http.responses import respond
from app.web.openapi.operation import FINDS_ONE, Operations, PathParameter, first_of, operation
from knowledge.fields.content_types import PAGE, TESTIMONIAL
from knowledge.locales.locale import Locales
from knowledge.resources import home, pages, seo, site, testimonials
from knowledge.resources.base import resource_in
from renderers.l10n.translation import complete_site_settings

bundles = Operations("site", "The site's own bundles.")


@bundles.get("/site-settings")
@operation(site.SiteSettings, complete_site_settings)
def get_site_settings() -> Response:
    """Get the company's settings, main menu, footer, words and contact form."""
    return respond(complete_site_settings(parameters.view(by_country=False, by_language=False)))


@bundles.get("/homepage")
@operation(home.Homepage, home.homepage, query=parameters.LOCALE)
def get_homepage() -> Response:
    """Get everything the home page shows."""
    return respond(home.homepage(parameters.view()))


@bundles.get("/site")
@operation(home.Homepage, home.homepage, query=parameters.LOCALE)
def get_site() -> Response:
    """Get the whole site bundle, in the same format as the home page."""
    return respond(home.homepage(parameters.view()))


@bundles.get("/navigation")
@operation(site.Navigation, site.navigation, query=parameters.LOCALE)
def get_navigation() -> Response:
    """Get the main menu, the footer and the list of pages."""
    view = parameters.view()
    return respond(resource_in(view.locale, site.navigation(view)))


cms_pages = Operations("pages", "CMS pages.")
SLUG = PathParameter("Slug of a published page, from the list of pages.", first_of(PAGE))


@cms_pages.get("/pages")
@operation(pages.PageList, pages.page_list, query=parameters.LOCALE)
def list_pages() -> Response:
    """List the published CMS pages."""
    view = parameters.view()
    return respond(resource_in(view.locale, pages.page_list(view)))


@cms_pages.get("/pages/<slug>")
@operation(
    pages.PageDetail, pages.page_detail, path=(SLUG,), query=parameters.LOCALE, errors=FINDS_ONE
)
def get_page(slug: str) -> Response:
    """Get one published CMS page with its sections and SEO metadata.

    A page that is not translated is returned in the other language; see `Content-Language`.
    """
    return respond(pages.page_detail(parameters.view(), slug))


quotes = Operations("testimonials", "Testimonials.")


@quotes.get("/testimonials")
@operation(
    testimonials.TestimonialList,
    testimonials.testimonial_list,
    query=parameters.LOCALE,
    kinds=(TESTIMONIAL,),
)
def list_testimonials() -> Response:
    """List the testimonials in the requested language, with the texts of their section."""
    view = parameters.view()
    return respond(resource_in(view.locale, testimonials.testimonial_list(view)))


def _path(locales: Locales) -> Parameter[str]:
    return parameters.required_text(
        "path",
        "Public site path, including its locale if it has one.",
        example=locales.default.path,
        allowed=f"a public site path such as {locales.other.path}/about",
    )


search_engines = Operations("seo", "SEO metadata.")
PATH = SiteParameter("path", _path)


@search_engines.get("/seo-page")
@operation(
    seo.SeoPage, lambda view: seo.seo_page(view, view.snapshot.locales.default.path), query=(PATH,)
)
def get_seo_page() -> Response:
    """Get title, robots, canonical URL and alternates of a public site path.

    For a path without a page, `noIndex` is true and there are no alternates.
    """
    view = parameters.view(by_country=False, by_language=False)
    return respond(seo.seo_page(view, PATH.read() or ""))
