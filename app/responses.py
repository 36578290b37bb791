"""Responses: every HTTP manner of an answer stands here, none in a handler."""

from __future__ import annotations

from enum import StrEnum

from quart import Response, request
from werkzeug.http import parse_etags

from app import codings
from knowledge.resources.base import Answer, Body, Resource
from renderers import json
from renderers.representation import Representation

VARY = "Accept, Accept-Encoding"


class Caching(StrEnum):
    """Who may keep an answer, and how long."""

    PUBLIC = "public, max-age=60, stale-while-revalidate=300"
    PERSONAL = "private, no-store"
    NEVER = "no-store"
    ASSET = "public, max-age=3600, stale-while-revalidate=86400"


def respond(
    answer: Answer[Body] | Body, caching: Caching = Caching.PUBLIC, status: int = 200
) -> Response:
    """A resource in the form the request asks for; a bare one speaks no language."""
    if isinstance(answer, Resource):
        answer = Answer(answer)
    return represent(json.render(answer), caching, status)


def represent(
    representation: Representation, caching: Caching = Caching.PUBLIC, status: int = 200
) -> Response:
    """A representation as bytes, or 304 where the client has them already."""
    coding = codings.IDENTITY
    if len(representation.body) >= codings.MIN_BYTES:
        coding = codings.choose(request.headers.get("Accept-Encoding"))
    etag = representation.tag if coding == codings.IDENTITY else f"{representation.tag}-{coding}"
    if status == 200 and _is_known(etag):
        response = Response(b"", 304)
        del response.headers["Content-Type"]
    else:
        response = Response(
            codings.encode(representation.body, coding),
            status,
            content_type=representation.media_type,
        )
        if coding != codings.IDENTITY:
            response.headers["Content-Encoding"] = coding
        if representation.language:
            response.headers["Content-Language"] = representation.language
    if status == 200:
        response.set_etag(etag)
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = VARY
    return response


def _is_known(etag: str) -> bool:
    known = request.headers.get("If-None-Match")
    # A weak comparison, as RFC 9110 wants for If-None-Match.
    return bool(known) and parse_etags(known).contains_weak(etag)
