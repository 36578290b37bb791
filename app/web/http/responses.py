"""Responses: all headers of content responses are set here, none in a handler."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TypeVar
from urllib.parse import quote

from quart import Response, request
from werkzeug.http import http_date

from app.platform.asgi import caching as content_encoding
from app.platform.asgi.caching import Caching
from app.services import services
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.parameters import site_snapshot
from app.web.http.request_context import current_request
from app.web.http.response_headers import POLICY, header_url, policy_allowing, security_headers
from knowledge.edits import CLOCK, reads_so_far
from knowledge.resources.base import Body, LocalizedResource, Resource
from knowledge.resources.errors import MajlisError, NotFound
from knowledge.snapshot.snapshot import NO_DOCUMENTS
from knowledge.views.content_view import ContentView
from llms import content_usage
from renderers import json
from renderers.feeds import sitemap
from renderers.markdown import renderer as markdown
from renderers.representation import MediaType, Representation

T = TypeVar("T")

RETRY_SECONDS = 5
"""The Retry-After of a 503."""

_LOCATION_BYTES = 2_200
"""The longest location of a redirect: proxies limit response heads to 4 KiB."""


class URLTooLong(MajlisError):
    """The redirect of a URL would not fit into a response head."""

    status = 414

    def __init__(self) -> None:
        super().__init__(*EXPLANATIONS[414])


def or_404(value: T | None) -> T:
    """Return a value; raises NotFound if there is none."""
    if value is None:
        raise NotFound(*EXPLANATIONS[404])
    return value


def respond(
    resource: LocalizedResource[Body] | Body,
    caching: Caching = Caching.PUBLIC,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    fields: Sequence[str] = (),
) -> Response:
    """Return an API resource in the negotiated media type; a bare resource has no language.

    A resource that is about no pages has no sitemap, and is JSON instead. With `fields` JSON has
    only these. What shows one document has the blocks of its page, too.
    """
    snapshot = site_snapshot() or NO_DOCUMENTS
    if isinstance(resource, Resource):
        resource = LocalizedResource(resource, locale=snapshot.default_locale)
    media_type, public_url = current_request.get().media_type, services().settings.public_url
    is_sitemap = media_type is MediaType.XML and resource.resource.has_listed_pages()
    now, is_static = services().clock(), services().is_static
    view = ContentView(snapshot, resource.locale, now, public_url, is_static)
    if media_type is not MediaType.MARKDOWN and not is_sitemap:
        shown = json.render_resource(view, resource, fields)
        return represent(shown, caching, status, headers)
    if is_sitemap:
        representation = sitemap.render_resource(resource, view)
    else:
        representation = markdown.render_resource(view, resource)
    if caching is Caching.PUBLIC:
        caching = Caching.NEGOTIATED
    return represent(representation, caching, status, headers)


def represent(
    representation: Representation,
    caching: Caching = Caching.PUBLIC,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response for a representation, with its headers and entity tag.

    Markdown is plain text for a client that prefers it. A shared cache that ignores Vary may keep
    only the markdown.
    """
    context, is_markdown = current_request.get(), representation.media_type == markdown.MEDIA_TYPE
    if is_markdown and context.media_type is MediaType.PLAIN:
        representation = markdown.as_plain_text(representation)
        caching = Caching.NEGOTIATED if caching is Caching.PUBLIC else caching
    coding = _encoding(representation)
    is_filled, complete = representation.fill is not None, representation.completed()
    if is_filled and status == 200 and context.method == "GET":
        context.filled.append(representation)
    body = content_encoding.encode(complete.body, coding, fast=is_filled)
    response = Response(body, status, content_type=representation.media_type)
    response.headers.update(_entity_headers(representation, coding))
    if status == 200 and context.method in ("GET", "HEAD"):
        response.set_etag(content_encoding.coded_tag(complete.tag, coding), weak=is_filled)
    if caching in (Caching.PUBLIC, Caching.NEGOTIATED) and CLOCK in (reads_so_far() or ()):
        caching = Caching.PRESENT
    response.headers["Cache-Control"] = caching
    negotiates = context.negotiates or is_markdown or status != 200
    if negotiates or content_encoding.can_shrink(representation.media_type):
        response.headers["Vary"] = context.vary(has_one_form=not negotiates)
    if status == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    response.headers.update(headers or {})
    return response


def allow_scripts(response: Response, sources: Collection[str]) -> Response:
    """Let a page load scripts from further sources, beside those that its policy allows."""
    response.headers[POLICY] = policy_allowing(response.headers[POLICY], sources)
    return response


def redirect(path: str, status: int, caching: Caching = Caching.PUBLIC) -> Response:
    """Return a redirect to a site path."""
    return redirect_to(quote(path, safe="/?&=%+"), status, caching)


def redirect_to(location: str, status: int, caching: Caching = Caching.PUBLIC) -> Response:
    """Return a redirect to a location, percent-encoded as it may be; raises URLTooLong."""
    location = header_url(location)
    if len(location) > _LOCATION_BYTES:
        raise URLTooLong
    vary = current_request.get().vary()
    return Response(b"", status, {"Location": location, "Cache-Control": caching, "Vary": vary})


def with_query(path: str) -> str:
    """Return a path with the query of the request."""
    query = request.query_string.decode("ascii", "replace")
    return f"{path}?{query}" if query else path


def _encoding(representation: Representation) -> str:
    is_small = len(representation.body) < content_encoding.MIN_BYTES
    if is_small or not content_encoding.can_shrink(representation.media_type):
        return content_encoding.IDENTITY
    return current_request.get().coding


def _entity_headers(representation: Representation, coding: str) -> dict[str, str]:
    """Return the headers that describe the body, and what browsers may do with it."""
    cors = current_request.get().route.policy.cors
    headers = {**security_headers(representation.media_type, cors)}
    if representation.media_type.startswith(MediaType.HTML):
        headers.update(usage_headers(services().settings.content_signal))
    if representation.scripts:
        headers[POLICY] = policy_allowing(headers[POLICY], representation.scripts)
    if coding != content_encoding.IDENTITY:
        headers["Content-Encoding"] = coding
    if representation.language:
        headers["Content-Language"] = representation.language
    if representation.updated_at:
        headers["Last-Modified"] = http_date(representation.updated_at)
    if representation.tokens is not None:
        headers["X-Markdown-Tokens"] = str(representation.tokens)
        headers.update(usage_headers(services().settings.content_signal))
    return headers


@cache
def usage_headers(signal: str) -> Mapping[str, str]:
    """Return what a text may be used for, as Content-Signal and as Content-Usage (AIPREF)."""
    usage = content_usage(signal)
    return {"Content-Signal": signal} | ({"Content-Usage": usage} if usage else {})
