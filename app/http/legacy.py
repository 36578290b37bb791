"""Legacy routes: unversioned aliases of the stable routes, to be removed after 2027."""

from __future__ import annotations

import re
from collections.abc import Mapping

from quart import Quart

from app.asgi.scope import Headers
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
"""Legacy path → stable path below the prefix; both have the same handler."""

SOFTWARE_DETAIL = "/api/software-detail/{kind}/{slug}"
"""A legacy route with its own response shape; the response of its successor differs."""

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
    """Return the stable path that replaces a legacy one; None if the path is not legacy.

    Both paths are percent-encoded.

    >>> successor("/api/page/about")
    '/api/public/v1/pages/about'
    """
    for pattern, stable in _PATTERNS:
        match = pattern.fullmatch(path)
        if match:
            return stable.format(**match.groupdict())
    return None


def install(app: Quart) -> None:
    """Route each alias to the handler of its stable path, which must be registered already."""
    rules = {existing.rule: existing for existing in app.url_map.iter_rules()}
    for alias, stable in ALIASES.items():
        stable_rule = rules[rule(STABLE + stable)]
        methods = (stable_rule.methods or set()) - {"HEAD", "OPTIONS"}  # Quart adds these
        handler = app.view_functions[stable_rule.endpoint]
        app.add_url_rule(rule(alias), f"legacy {alias}", handler, methods=methods)


def headers_of(path: str) -> Headers:
    """Return the deprecation headers of a legacy path, none for another."""
    stable = successor(path)
    if stable is None:
        return []
    return [
        (b"deprecation", b"true"),
        (b"sunset", SUNSET.encode()),
        (b"link", b'</developers#versioning>; rel="deprecation"'),
        (b"link", f'<{stable}>; rel="successor-version"'.encode()),
    ]
