"""The webhook by which a platform tells of a push, with the signature of each platform."""

import hmac
from collections.abc import Iterator
from typing import cast

from quart import Blueprint, Response, request
from standardwebhooks import Webhook, WebhookVerificationError

from app.features.editions.service import Editions
from app.features.editions.settings import EditionSettings
from app.platform.asgi.caching import Caching
from app.platform.limits.rate_limits import Bucket
from app.services import services
from app.web.http.responses import represent
from app.web.http.route_policy import Cors, RoutePolicy, policy
from knowledge.resources.errors import MajlisError, NotFound
from renderers.representation import Representation


class InvalidSignature(MajlisError):
    """The request is not signed with the secret of the service."""

    status = 401

    def __init__(self) -> None:
        super().__init__(
            "The request is not signed with the secret of this service.",
            "Set the same secret in the webhook and in CONTENT_GIT_SECRET.",
        )


routes = Blueprint("content_hook", __name__)

_MAX_BYTES = 4 * 1024 * 1024
"""Pushes of many commits are long; nothing of the body is read but its signature."""
BUCKET = Bucket("content-hook", 120, 60, "Pushes of content")
HOOK = RoutePolicy(
    bucket=BUCKET, cors=Cors.NOBODY, cacheable=False, body_bytes=lambda *_: _MAX_BYTES
)


@routes.post("/hooks/content")
@policy(HOOK)
async def content_pushed() -> Response:
    """Look for a new commit soon; whoever asks shows that it knows the secret."""
    secret = services().settings.of(EditionSettings).content_git_secret
    if not secret:
        raise NotFound("There is no webhook here.", "Set CONTENT_GIT_SECRET.")
    body = cast(bytes, await request.get_data(cache=False))
    if not any(_signatures(secret, body)):
        raise InvalidSignature
    services().part(Editions).asked.set()
    told = Representation("text/plain", b"The repository will be looked at.\n")
    response = represent(told, Caching.NEVER)
    response.status_code = 202
    return response


def _signatures(secret: str, body: bytes) -> Iterator[bool]:
    """Yield whether each signature that the request has is right.

    GitHub and Gitea send an HMAC of the body, GitLab the secret itself or, as all that follow
    Standard Webhooks, an HMAC of the body and of a time that must be recent.
    """
    headers, digest = request.headers, hmac.digest(secret.encode(), body, "sha256").hex()
    for name, wanted in (
        ("X-Hub-Signature-256", f"sha256={digest}"),
        ("X-Gitea-Signature", digest),
        ("X-Gitlab-Token", secret),
    ):
        if given := headers.get(name):
            yield hmac.compare_digest(given.encode(), wanted.encode())
    if "webhook-signature" in headers:
        yield _is_signed(Webhook(secret), body)


def _is_signed(webhook: Webhook, body: bytes) -> bool:
    try:
        webhook.verify(body, dict(request.headers), json_parse=False)
    except (WebhookVerificationError, ValueError):
        return False
    return True
