"""Legacy routes: unversioned paths of the public API, to be removed after 2027.

To remove an alias, delete its row. To remove all, delete this module, its test, and the lines of
`app.web.routes` that install it.
"""

import re
from collections.abc import Mapping

from quart import Blueprint, Quart, Response

from app.web.http import parameters
from app.web.http.response_headers import deprecated_paths
from app.web.http.responses import respond
from app.web.openapi.operation import FINDS_ONE, operation
from app.web.public import STABLE
from app.web.public.localized import SOFTWARE, SOFTWARE_KIND, SOFTWARE_SLUG
from knowledge.resources import software


def rule_of(template: str) -> str:
    """Return the routing rule of a documented path.

    >>> rule_of("/api/page/{slug}")
    '/api/page/<slug>'
    """
    return re.sub(r"\{(\w+)\}", r"<\1>", template)


SOFTWARE_DETAIL = "/api/software-detail/{kind}/{slug}"
"""A legacy route with its own response shape; the response of its successor differs."""

routes = Blueprint("software", __name__)


@routes.get(rule_of(SOFTWARE_DETAIL))
@operation(
    software.SoftwareDetail,
    software.software_detail,
    path=(SOFTWARE_KIND, SOFTWARE_SLUG),
    query=parameters.LOCALE,
    errors=FINDS_ONE,
    kinds=SOFTWARE,
)
def get_software_detail(kind: str, slug: str) -> Response:
    """Get a page of one of these kinds in the legacy format."""
    return respond(software.software_detail(parameters.view(), kind, slug))


ALIASES: Mapping[str, str] = {
    "/api/health": "/health",
    "/api/site-settings": "/site-settings",
    "/api/public/countries": "/countries",
    "/api/homepage": "/homepage",
    "/api/public/homepage": "/homepage",
    "/api/public/site": "/site",
    "/api/public/navigation": "/navigation",
    "/api/public/pages": "/pages",
    "/api/public/pages/{slug}": "/pages/{slug}",
    "/api/page/{slug}": "/pages/{slug}",
    "/api/public/locale-content/{slug}": "/locale-content/{slug}",
    "/api/public/locale-content/software/{kind}/{slug}": "/locale-content/software/{kind}/{slug}",
    "/api/public/cities": "/cities",
    "/api/public/testimonials": "/testimonials",
    "/api/public/blog/categories": "/blog/categories",
    "/api/public/blog/posts": "/blog/posts",
    "/api/public/blog/posts/{slug}": "/blog/posts/{slug}",
    "/api/public/blog/homepage": "/blog/homepage",
    "/api/public/locale-hint": "/locale-hint",
    "/api/public/locale-routing": "/locale-routing",
    "/api/public/seo-page": "/seo-page",
    "/api/leads": "/leads",
}
"""Legacy path → stable path below the prefix; both have the same handler."""

_SOFTWARE_CONTENT = "/locale-content/software/{kind}/{slug}"


def install(app: Quart) -> None:
    """Route each alias to the handler of its stable path, which must be registered already."""
    deprecated = deprecated_paths(app)
    stable_rules = {existing.rule: existing for existing in app.url_map.iter_rules()}
    for alias, stable in ALIASES.items():
        stable_rule = stable_rules.get(rule_of(STABLE + stable))
        if stable_rule is None:  # that of a feature that was removed
            continue
        methods = (stable_rule.methods or set()) - {"HEAD", "OPTIONS"}  # Quart adds these
        handler = app.view_functions[stable_rule.endpoint]
        app.add_url_rule(rule_of(alias), f"legacy {alias}", handler, methods=methods)
        deprecated.add(alias, STABLE + stable)
    app.register_blueprint(routes)
    deprecated.add(SOFTWARE_DETAIL, STABLE + _SOFTWARE_CONTENT)
