"""The past: unversioned aliases of the stable routes, to be deleted in one commit after 2027."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quart import Quart, Response

from app.http.path_templates import rule

STABLE = "/api/public/v1"
SUNSET = "Sat, 01 Jan 2028 00:00:00 GMT"

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
"""Legacy path → stable path below the prefix; the same handler answers both."""

SOFTWARE_DETAIL = "/api/software-detail/{kind}/{slug}"
"""Legacy only, in a shape of its own; what follows it has another shape."""

_SUCCESSORS: Mapping[str, str] = {
    **ALIASES,
    SOFTWARE_DETAIL: "/locale-content/software/{kind}/{slug}",
}


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))


_PATTERNS = tuple(
    (_pattern(legacy), STABLE + successor) for legacy, successor in _SUCCESSORS.items()
)


def successor(path: str) -> str | None:
    """The stable path that replaces a legacy one, None for a path that is not legacy.

    `path` is as sent, percent-encoding and all, and so is the answer.

    >>> successor("/api/page/about")
    '/api/public/v1/pages/about'
    """
    for pattern, stable in _PATTERNS:
        match = pattern.fullmatch(path)
        if match:
            return stable.format(**match.groupdict())
    return None


def install(app: Quart) -> None:
    """Answer each alias with the handler of its stable path, which must be there already."""
    rules = {each.rule: each for each in app.url_map.iter_rules()}
    for alias, stable in ALIASES.items():
        same = rules[rule(STABLE + stable)]
        methods = (same.methods or set()) - {"HEAD", "OPTIONS"}  # these come of themselves
        view = app.view_functions[same.endpoint]
        app.add_url_rule(rule(alias), f"legacy {alias}", view, methods=methods)


def mark(response: Response, path: str) -> Response:
    """Tell clients of a legacy path, on every answer, where to go and until when."""
    stable = successor(path)
    if stable is not None:
        response.headers["Deprecation"] = "true"
        response.headers["Sunset"] = SUNSET
        response.headers.add("Link", '</developers#versioning>; rel="deprecation"')
        response.headers.add("Link", f'<{stable}>; rel="successor-version"')
    return response
