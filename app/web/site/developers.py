"""`/developers`: the API manual as HTML and markdown, and the OpenAPI document as JSON."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from quart import Blueprint, Quart, Response, current_app, request

from app.platform.asgi.caching import Caching
from app.platform.limits.rate_limits import SHARED_BUCKETS, Bucket
from app.services import Services, services_of
from app.web.extensions import ContractPart, WebhookReceivers
from app.web.http import parameters
from app.web.http.error_envelope import CODES, error_body
from app.web.http.parameters import of_site
from app.web.http.response_headers import SUNSET
from app.web.http.route_policy import MAP, policy
from app.web.openapi.document import added_tags, contract, documented_operations
from app.web.openapi.information import CONTRACT, CONTRACT_VERSION, LEGACY_PATH, part_of_tag
from app.web.openapi.operation import RouteSpec
from app.web.openapi.responses import ERROR_RESPONSES, SECURED_STATUSES
from app.web.public import STABLE
from app.web.site.pages import Renderers, answer_page
from knowledge.diagnostics.messages import Text
from knowledge.fields.content_types import FORM
from knowledge.resources.base import COUNTRY_KEYWORD, FORM_KEYWORD
from knowledge.resources.document_page import not_found
from knowledge.resources.errors import NotFound
from knowledge.resources.seo import builtin_alternates
from knowledge.resources.site_map import (
    DEVELOPERS,
    DEVELOPERS_IN_ARABIC,
    BuiltinPage,
    builtin_pages,
)
from knowledge.resources.site_page import DocumentationPage
from knowledge.snapshot.snapshot import Snapshot, form_kind
from knowledge.views.content_view import ContentView
from llms.developers import ApiFacts, Contract, Endpoint, Limit, Status, developers_text
from llms.mcp_server import McpServer
from renderers.feeds import sitemap
from renderers.html import renderer as html
from renderers.markdown import renderer as markdown
from renderers.markdown.renderer import as_plain_text
from renderers.representation import MediaType, split_suffix, suffixed_path

routes = Blueprint("developers", __name__)


@routes.get(DEVELOPERS.path)
@routes.get(suffixed_path(DEVELOPERS.path, MediaType.MARKDOWN))
@routes.get(suffixed_path(DEVELOPERS.path, MediaType.JSON))
@routes.get(suffixed_path(DEVELOPERS.path, MediaType.XML))
@policy(MAP)
def get_developers() -> Response:
    """Get the manual of the public API in the requested format."""
    return _manual_response(DEVELOPERS, parameters.default_view())


@routes.get(DEVELOPERS_IN_ARABIC.path)
@routes.get(suffixed_path(DEVELOPERS_IN_ARABIC.path, MediaType.MARKDOWN))
@routes.get(suffixed_path(DEVELOPERS_IN_ARABIC.path, MediaType.JSON))
@routes.get(suffixed_path(DEVELOPERS_IN_ARABIC.path, MediaType.XML))
@policy(MAP)
def get_developers_in_arabic() -> Response:
    """Get the manual in Arabic, on a site in Arabic, in the requested format."""
    view = parameters.default_view()
    if DEVELOPERS_IN_ARABIC not in builtin_pages(view.snapshot.locales):
        raise NotFound("This site has no page in Arabic.", Text("See {}.", DEVELOPERS.path))
    return _manual_response(DEVELOPERS_IN_ARABIC, view)


def _manual_response(page: BuiltinPage, view: ContentView) -> Response:
    documentation = manual(current_app, view, page)
    return answer_page(documentation, _RENDERERS, split_suffix(request.path)[1])


def manual(app: Quart, view: ContentView, page: BuiltinPage = DEVELOPERS) -> DocumentationPage:
    """Return the manual of the API of an application, in the language of its page."""
    if page.language is not DEVELOPERS.language:
        view = view.for_locale(view.locale.in_language(page.language))
    facts = _facts(app, view.snapshot)
    text = developers_text(facts, view.snapshot.locales, page.language)
    return DocumentationPage(view, page, text, page.language, alternates=builtin_alternates(view))


_RENDERERS: Renderers[DocumentationPage] = {
    MediaType.HTML: html.render_document,
    MediaType.MARKDOWN: markdown.render_documentation,
    MediaType.JSON: lambda _: contract(),
    MediaType.XML: sitemap.render_documentation,
    MediaType.PLAIN: lambda page: as_plain_text(markdown.render_documentation(page)),
}


def _facts(app: Quart, snapshot: Snapshot) -> ApiFacts:
    services = services_of(app)
    settings = services.settings
    specs = documented_operations(app, snapshot)
    tags = CONTRACT.tags(specs, added_tags(services))
    parameters_of = partial(_endpoint, snapshot)
    error = not_found("page", "prices")
    mcp = services.find(McpServer)
    example = error_body(404, error.message, error.resolution)
    return ApiFacts(
        base_url=settings.public_url,
        root=STABLE,
        contract_version=CONTRACT_VERSION,
        sunset=SUNSET,
        endpoints=list(map(parameters_of, specs)),
        legacy_contract=LEGACY_PATH,
        contracts=[Contract(part_of_tag(tag.name).path, tag.description) for tag in tags],
        statuses=[
            Status(number, CODES[number], error.meaning)
            for number, error in ERROR_RESPONSES.items()
            if number not in SECURED_STATUSES or any(spec.operation.secured for spec in specs)
        ],
        limits=[
            Limit(bucket.requests, bucket.limit, bucket.seconds)
            for bucket in documented_buckets(services)
        ],
        error_example=example.model_dump_json(indent=2),
        page_caching=Caching.PUBLIC,
        api_caching=Caching.PUBLIC,
        markdown_caching=Caching.NEGOTIATED,
        mcp=mcp,
        tools=mcp.tools_of(snapshot) if mcp else (),
        webhooks=[each.name for each in services.all(WebhookReceivers)],
    )


def documented_buckets(services: Services) -> Sequence[Bucket]:
    """Return the buckets that all share, and those of features by their descriptions."""
    added = chain.from_iterable(part.buckets for part in services.all(ContractPart))
    return [*SHARED_BUCKETS, *sorted(added, key=attrgetter("requests"))]


def _fields(spec: RouteSpec, snapshot: Snapshot) -> Iterator[str]:
    """Yield the names of the fields in the request body that the site does not ignore."""
    fields = spec.operation.body.model_fields if spec.operation.body else {}
    has_forms = any(form_kind(each) is None for each in snapshot.all(FORM))
    for name, field in fields.items():
        extra = field.json_schema_extra
        marks = extra if isinstance(extra, dict) else {}
        has_countries = snapshot.locales.countries or COUNTRY_KEYWORD not in marks
        if has_countries and (has_forms or FORM_KEYWORD not in marks):
            yield field.alias or name


def _endpoint(snapshot: Snapshot, spec: RouteSpec) -> Endpoint:
    locales = snapshot.locales
    query = filter(None, (of_site(each, locales) for each in spec.operation.query))
    return Endpoint(
        method=spec.method,
        path=spec.path,
        group=spec.tag.description.partition(":")[0].removesuffix("."),
        summary=spec.summary,
        variables=(*(parameter.name for parameter in query), *_fields(spec, snapshot)),
        successor=spec.successor,
        secured=spec.operation.secured,
    )
