"""The key file of IndexNow, by which search engines verify who sends them changes."""

from __future__ import annotations

from quart import Quart, Response

from app.features.changes.followers.indexnow import key_path
from app.features.changes.settings import ChangeSettings
from app.services import services
from app.web.http.responses import represent
from app.web.http.route_policy import MAP, policy
from renderers.representation import Representation

MEDIA_TYPE = "text/plain; charset=utf-8"


def install(app: Quart, key: str) -> None:
    """Add the route of the key file, if there is a key."""
    if key:
        app.add_url_rule(key_path(key), "indexnow_key", get_key)


@policy(MAP)
def get_key() -> Response:
    """Get the key of IndexNow."""
    return represent(
        Representation(MEDIA_TYPE, services().settings.of(ChangeSettings).indexnow_key.encode())
    )
