"""Previews: a page that is not yet published, for whoever has its signed link."""

from __future__ import annotations

import hmac
import logging
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from quart import Blueprint, Quart, Response
from werkzeug.routing import BaseConverter

from app.features.previews.settings import PreviewSettings
from app.platform.asgi.caching import Caching
from app.platform.keys import InvalidKey, KeyFile, signature
from app.services import edition, services
from app.web.http import parameters
from app.web.http.responses import or_404, represent
from app.web.http.route_policy import PAGE, policy
from app.web.site.pages import RENDERERS, chosen_media_type
from app.web.site.paths import SitePath
from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel, preview_page

log = logging.getLogger(__name__)
routes = Blueprint("previews", __name__)

PREVIEW = replace(PAGE, cacheable=False)

TOKEN = r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}"  # noqa: S105  # a pattern, not a secret
"""The pattern of a token: what is signed, and 32 bytes of signature, in base64."""


class TokenConverter(BaseConverter):
    """Matches a token; any other path below `/preview/` may be a file of the content folder."""

    regex = TOKEN


def install(app: Quart) -> None:
    """Add the route of previews."""
    app.url_map.converters["preview_token"] = TokenConverter
    app.register_blueprint(routes)


PATH = "/preview/"


@routes.get(f"{PATH}<preview_token:token>")
@policy(PREVIEW)
def get_preview(token: str) -> Response:
    """Get a page before it is published; a link that is not valid is a 404 without a reason."""
    page = _page(or_404(_link(token)))
    representation = RENDERERS[chosen_media_type(None, RENDERERS)](page)
    return represent(representation, Caching.NEVER, headers={"X-Robots-Tag": "noindex"})


def _link(token: str) -> PreviewLink | None:
    """Return the valid link of a token; None without a key."""
    try:
        key = KeyFile(services().settings.of(PreviewSettings).preview_key_file).read()
    except (InvalidKey, OSError) as error:
        log.error("Preview links are not valid: %s", error)
        return None
    return PreviewLink.verified(token, key, services().clock()) if key else None


def _page(shown: PreviewLink) -> PageModel[Resource]:
    path = SitePath.parse(shown.path, edition().snapshot.page_types)
    view = parameters.view_of(or_404(path.locale))
    return preview_page(view, or_404(path.address), shown.at, shown.valid_until)


_PURPOSE = b"majlis preview 1\n"
"""Signed too, so that the key signs nothing else by accident."""


@dataclass(frozen=True, slots=True)
class PreviewLink:
    """The page at a path, as it is at `at` (None: whatever its dates), both in whole seconds."""

    path: str
    at: datetime | None
    valid_until: datetime

    def token(self, key: bytes) -> str:
        """Return the last part of the link's path."""
        at = f"{self.at.timestamp():.0f}" if self.at else ""
        signed = _encode(f"{self.valid_until.timestamp():.0f}\n{at}\n{self.path}".encode())
        return f"{signed}.{signature(key, _PURPOSE, signed)}"

    @classmethod
    def verified(cls, token: str, key: bytes, now: datetime) -> Self | None:
        """Return the link of a token; None if it is forged or no longer valid."""
        signed, _, sent = token.partition(".")
        if not hmac.compare_digest(sent, signature(key, _PURPOSE, signed)):
            return None
        until, at, path = _decode(signed).decode().split("\n", 2)
        link = cls(path, _instant(at) if at else None, _instant(until))
        return link if now < link.valid_until else None


def _encode(value: bytes) -> str:
    return urlsafe_b64encode(value).decode("ascii").rstrip("=")


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _instant(seconds: str) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)
