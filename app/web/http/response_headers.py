"""Headers of every response: links, CORS, security, and the replacements of deprecated paths."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import cast
from urllib.parse import quote

from quart import Quart

from app.platform.asgi.scope import Headers
from app.web.http.route_policy import Cors, RoutePolicy
from llms.well_known import link_header
from renderers.representation import MediaType

_EXPOSED = (
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit, RateLimit-Policy, "
    "Retry-After, ETag, Link, Deprecation, Sunset, X-Request-Id"
)
ALLOWED_HEADERS = "*, Authorization"
"""The request headers that scripts of other sites may send; `*` does not include Authorization."""

CORS_HEADERS: Headers = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", _EXPOSED.encode()),
]
"""Allow the script that sent a request to read its response."""

_NOT_INDEXED = (b"x-robots-tag", b"noindex")
"""Of the API: search engines are to show pages instead of the bodies that programs read."""


def headers_of(
    policy: RoutePolicy,
    public_url: str,
    deprecation: Headers,
    *,
    is_api: bool,
    mcp: bool,
    in_locale: bool,
) -> Headers:
    """Return the headers of every response to a path.

    `deprecation` has those of an alias, `is_api` says whether it is below `/api/`, and `mcp`
    whether the MCP server runs. A page `in_locale` names its own guide. Messages of a protocol are
    no documents, and have no links.
    """
    headers = [(b"x-content-type-options", b"nosniff")]
    if policy.message_form is None:
        headers += [
            (b"referrer-policy", b"strict-origin-when-cross-origin"),
            (b"link", link_header(public_url, mcp, in_locale).encode()),
            *deprecation,
        ]
    if is_api:
        headers.append(_NOT_INDEXED)
    if public_url.startswith("https:"):
        headers.append((b"strict-transport-security", b"max-age=31536000"))
    return headers + CORS_HEADERS if policy.cors is Cors.ANYONE else headers


_URL_SAFE = "/?:@!$&'()*+,;=%-._~#[]"
_LONE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


def header_url(url: str) -> str:
    """Return a URL with all percent-encoded that no URL has; what is encoded already stays.

    Each URL of a header passes here, as it may repeat what a client has sent.

    >>> header_url('/a>; rel="x"/%3E?q=é#b')
    '/a%3E;%20rel=%22x%22/%3E?q=%C3%A9#b'
    """
    return quote(_LONE_PERCENT.sub("%25", url), safe=_URL_SAFE)


def link(url: str, relation: str, **parameters: str) -> str:
    """Return a value of the Link header.

    >>> link("/a>", "alternate", type="text/html")
    '</a%3E>; rel="alternate"; type="text/html"'
    """
    described = "".join(f'; {name}="{value}"' for name, value in parameters.items())
    return f'<{header_url(url)}>; rel="{relation}"{described}'


POLICY = "Content-Security-Policy"
SCRIPT_SOURCE = re.compile(r"'sha256-[\w+/=]+'", re.ASCII)
"""The source by which a policy allows a script in a page: its hash."""

_PAGE = {
    POLICY: (
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' https:; "
        "media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Pages may load their own styles, fonts and media, and images over https, but no scripts,
except for the page with the form if `LEADS_PROOF` asks for one, and for pages with code: see
`policy_allowing`.

`connect-src` is for tools that fetch robots.txt from within the page, as Lighthouse does. Other
sites cannot embed a page or keep a handle on its window; nothing on it asks for a permission.
"""

_DATA = {POLICY: "default-src 'none'; frame-ancestors 'none'"}
"""JSON, markdown, XML and text load nothing, even if a browser takes them for a page."""

_LOADED_BY_PAGES = ("image/", "font/", "text/css")


def policy_allowing(policy: str, scripts: Collection[str]) -> str:
    """Return a policy that allows further scripts by their sources, and frames of their origins.

    >>> policy_allowing("default-src 'none'; style-src 'self'", ["'sha256-x'"])
    "default-src 'none'; script-src 'sha256-x'; style-src 'self'"
    >>> policy_allowing("default-src 'none'; script-src 'self'", ["'sha256-x'"])
    "default-src 'none'; script-src 'self' 'sha256-x'"
    >>> policy_allowing("default-src 'none'", ["https://a.com"])
    "default-src 'none'; script-src https://a.com; frame-src https://a.com"
    """
    if not scripts:
        return policy
    first, *others = policy.split("; ")
    before = next((each for each in others if each.startswith("script-src ")), "")
    sources = " ".join(sorted({*before.split()[1:], *scripts}))
    origins = [each for each in scripts if each.startswith("https:")]
    frames = [f"frame-src {' '.join(origins)}"] if origins else []
    rest = [each for each in others if each != before]
    return "; ".join((first, f"script-src {sources}", *frames, *rest))


@cache
def security_headers(media_type: str, cors: Cors) -> Mapping[str, str]:
    """Return the security headers of a body by its media type and who may read its route.

    What everyone may read, other sites may embed, such as pictures and feeds.
    """
    if media_type.startswith(MediaType.HTML):
        return _PAGE
    policy = {} if media_type.startswith(_LOADED_BY_PAGES) else _DATA
    return {**policy, "Cross-Origin-Resource-Policy": resource_policy(cors)}


def resource_policy(cors: Cors) -> str:
    """Return the pages of which sites may load a response without asking for permission."""
    return "cross-origin" if cors is Cors.ANYONE else "same-origin"


SUNSET = "Sat, 01 Jan 2028 00:00:00 GMT"
"""When deprecated paths may be removed."""

_KEY = "majlis.deprecated"
_SUCCESSOR_BYTES = 1_024
"""The longest path that is named as a successor; only paths with nothing at them are longer."""


class DeprecatedPaths:
    """The deprecated paths of an application; all paths are percent-encoded.

    >>> paths = DeprecatedPaths()
    >>> paths.add("/api/page/{slug}", "/api/public/v1/pages/{slug}")
    >>> paths.successor("/api/page/about"), paths.successor("/api/page")
    ('/api/public/v1/pages/about', None)
    """

    def __init__(self) -> None:
        self._successors: list[tuple[re.Pattern[str], str]] = []

    def add(self, path: str, successor: str) -> None:
        """Deprecate a path; both are templates with the same variables."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)
        self._successors.append((re.compile(pattern), successor))

    def successor(self, path: str) -> str | None:
        """Return the path that replaces a deprecated one; None if it is not deprecated."""
        for pattern, successor in self._successors:
            match = pattern.fullmatch(path)
            if match:
                return successor.format(**match.groupdict())
        return None

    def headers_of(self, path: str) -> Headers:
        """Return the headers of a deprecated path, none for another."""
        successor = self.successor(path)
        if successor is None:
            return []
        headers = [
            (b"deprecation", b"true"),
            (b"sunset", SUNSET.encode()),
            (b"link", link("/developers#versioning", "deprecation").encode()),
        ]
        if len(header_url(successor)) <= _SUCCESSOR_BYTES:
            headers.append((b"link", link(successor, "successor-version").encode()))
        return headers


def deprecated_paths(app: Quart) -> DeprecatedPaths:
    """Return the deprecated paths of an application."""
    return cast(DeprecatedPaths, app.extensions.setdefault(_KEY, DeprecatedPaths()))
