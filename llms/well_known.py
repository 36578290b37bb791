"""Files at fixed paths: the API and AI catalogs, security.txt, robots.txt; and the Link header.

The AI catalog follows AI Catalog 1.0, as Agentic Resource Discovery 0.9 extends it. Sites have one
only while their MCP server runs.

In robots.txt groups do not inherit rules, so all agents that may fetch the pages stand in one group
(RFC 9309), with every rule once. `Allow: /` is last, for crawlers that apply the first matching
rule instead of the longest one. What the content may be used for is sent as headers with the file
and each page too. Content-Signal is a directive of the group that may fetch the pages, where
checkers look for it; Content-Usage is a comment, as they call a directive that they do not know an
error.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from knowledge.addresses.addresses import Address, page_of
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import PRODUCT, REGISTRY
from knowledge.resources.document_page import title_of
from knowledge.resources.listing import private_paths
from knowledge.resources.seo import resolve_route
from knowledge.resources.site import site_settings
from knowledge.resources.site_map import SiteMap, developers_page
from knowledge.sections.section_type import FAQ, PLANS, Section
from knowledge.sections.sections import merged_sections
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView, absolute
from llms import content_usage, forbids_grounding, forbids_training, mcp_server
from llms.mcp_server import MEDIA_TYPE as CARD_MEDIA_TYPE
from llms.mcp_server import McpServer, card_path
from llms.phrases import say, site_name
from llms.skill import Skill
from renderers.feeds.sitemap import INDEX_PATH
from renderers.images.drawings import TOUCH_ICON
from renderers.representation import Representation

CATALOG_PATH = "/.well-known/api-catalog"
SECURITY_PATH = "/.well-known/security.txt"
SECURITY_MEDIA_TYPE = "text/plain; charset=utf-8"

_CONTRACT = ("/openapi.json", "application/json")
_LEGACY_CONTRACT = ("/openapi-legacy.json", "application/json")
_DOCUMENTS = {
    "service-doc": ("/developers", "text/html"),
    "service-meta": ("/llms.txt", "text/markdown"),
}
"""The manual and the guide of the APIs: path and media type by relation."""


_LINKS = {
    "api-catalog": (CATALOG_PATH, "application/linkset+json"),
    "service-desc": _CONTRACT,
    "service-doc": _DOCUMENTS["service-doc"],
    "describedby": _DOCUMENTS["service-meta"],
}

PATH = "/.well-known/ai-catalog.json"
MEDIA_TYPE = "application/ai-catalog+json"
OPENAPI_TYPE = "application/vnd.oai.openapi+json"
SKILL_TYPE = 'text/markdown; profile="urn:air:agent-skills"'


def link_header(base_url: str = "", mcp: bool = False, in_locale: bool = False) -> str:
    """Return the Link header of every response; relative if no base URL is given.

    `mcp` says whether the MCP server runs, with which there is an AI catalog. Pages `in_locale`
    name the llms.txt of their locale themselves.

    >>> link_header().partition(",")[0]
    '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"'
    """
    links = {**_LINKS, **({"ai-catalog": (PATH, MEDIA_TYPE)} if mcp else {})}
    if in_locale:
        del links["describedby"]
    return ", ".join(
        f'<{base_url}{path}>; rel="{relation}"; type="{media_type}"'
        for relation, (path, media_type) in links.items()
    )


class Deployment(NamedTuple):
    """A site as it is served: the view of its main locale, which may not be loaded yet.

    `apis` are those of features that are of use, with the path of their status by their root, and
    `mcp` is the MCP server that runs.
    """

    base_url: str
    apis: Mapping[str, str]
    mcp: McpServer | None
    view: Callable[[], ContentView]


Render = Callable[[Deployment], Representation]


class WellKnownFile(NamedTuple):
    """A file under `/.well-known` that every site has, and its `relation` to the site.

    A file of a static host `is_static`; others describe what only a service has.
    """

    path: str
    render: Render
    relation: str
    is_static: bool


WELL_KNOWN_FILES: list[WellKnownFile] = []
"""Their routes have the docstrings of the functions that render them."""


def _well_known(
    path: str, relation: str = "", *, is_static: bool = False
) -> Callable[[Render], Render]:
    def declare(render: Render) -> Render:
        WELL_KNOWN_FILES.append(WellKnownFile(path, render, relation, is_static))
        return render

    return declare


CATALOG_MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

_PUBLIC_API = "/api/public/v1"
_STATUS = f"{_PUBLIC_API}/health"
_ALIASES = "/api"
"""The root of the aliases without a version, which have a contract of their own."""


@_well_known(CATALOG_PATH, "api-catalog")
def api_catalog(site: Deployment) -> Representation:
    """Get the linkset of the available APIs (RFC 9727): description, manual, guide and status."""
    base_url, mcp = site.base_url, site.mcp
    apis = {_PUBLIC_API: _STATUS, **site.apis}
    catalog: dict[str, Any] = {
        "anchor": absolute(base_url, CATALOG_PATH),
        "item": [{"href": absolute(base_url, status)} for status in apis.values()],
    }
    links = [_api(base_url, root, status) for root, status in apis.items()]
    links.append(_api(base_url, _ALIASES, _STATUS, _LEGACY_CONTRACT))
    if mcp:
        card = card_path(mcp.path)
        catalog["item"].append({"href": absolute(base_url, card)})
        links.append(_api(base_url, mcp.path, _STATUS, (card, CARD_MEDIA_TYPE)))
    body = json.dumps({"linkset": [catalog, *links]}, indent=2)
    return Representation(CATALOG_MEDIA_TYPE, f"{body}\n".encode())


def _api(
    base_url: str, root: str, status: str, description: tuple[str, str] = _CONTRACT
) -> dict[str, object]:
    links = {"service-desc": description, **_DOCUMENTS, "status": (status, "application/json")}
    targets = {
        relation: [{"href": absolute(base_url, path), "type": media_type}]
        for relation, (path, media_type) in links.items()
    }
    return {"anchor": absolute(base_url, root), **targets}


@_well_known(SECURITY_PATH, is_static=True)
def security_txt(site: Deployment) -> Representation:
    """Get where to report a vulnerability (RFC 9116), with the contact address of the content."""
    view = site.view()
    lines = (
        f"Contact: {_contact(view)}",
        f"Expires: {_expiry(view.now):%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(sorted(view.snapshot.locales.languages, reverse=True))}",
        f"Canonical: {absolute(view.base_url, SECURITY_PATH)}",
    )
    return Representation(SECURITY_MEDIA_TYPE, "".join(f"{line}\n" for line in lines).encode())


def _contact(view: ContentView) -> str:
    email = site_settings(view).site_settings.primary_email
    if email:
        return f"mailto:{email}"
    return view.absolute(view.locale.path + page_of(REGISTRY, "contact", view.snapshot).path)


def _expiry(now: datetime) -> datetime:
    """Return one year after the start of the month: at most a year, and stable for a month."""
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return month.replace(year=month.year + 1)


_AI_CATALOG_DOCUMENTS = (
    ("api", "public", "The API of {site}", OPENAPI_TYPE, "/openapi.json"),
    ("guide", "llms", "The pages of {site}, and when to read each", "text/markdown", "/llms.txt"),
)
"""Namespace, name, title, media type and path of what every site has."""


def render(view: ContentView, pages: SiteMap, mcp: McpServer, skill: Skill) -> Representation:
    """Render the catalog; `pages` are those of the site."""
    host = {
        "displayName": site_name(view),
        "documentationUrl": view.absolute("/developers"),
        "logoUrl": view.absolute(TOUCH_ICON),
    }
    queries = [query for query, _path in representative_queries(view, pages)]
    entries = list(_entries(view, mcp, skill, queries))
    catalog = {"specVersion": "1.0", "host": host, "entries": entries}
    body = json.dumps(catalog, ensure_ascii=False, indent=2)
    return Representation(MEDIA_TYPE, f"{body}\n".encode())


def _entries(
    view: ContentView, mcp: McpServer, skill: Skill, queries: list[str]
) -> Iterator[Mapping[str, object]]:
    site = site_name(view)
    domain_in_reverse = mcp.name.partition("/")[0].split(".")
    publisher = ".".join(reversed(domain_in_reverse))
    yield {
        "identifier": f"urn:air:{publisher}:mcp:{mcp.name.partition('/')[2]}",
        "displayName": site,
        "type": mcp_server.MEDIA_TYPE,
        "url": view.absolute(mcp_server.card_path(mcp.path)),
        "description": mcp_server.purpose(view),
        "capabilities": mcp.tools_of(view.snapshot),
        "representativeQueries": queries,
        "version": mcp.version,
    }
    yield {
        "identifier": f"urn:air:{publisher}:skill:{skill.name}",
        "displayName": f"How to answer from what {site} publishes",
        "type": SKILL_TYPE,
        "url": view.absolute(skill.path),
        "description": skill.description,
        "representativeQueries": queries,
        "metadata": {"digest": skill.digest},
    }
    for namespace, name, title, media_type, path in _AI_CATALOG_DOCUMENTS:
        yield {
            "identifier": f"urn:air:{publisher}:{namespace}:{name}",
            "displayName": title.format(site=site),
            "type": media_type,
            "url": view.absolute(path),
        }


_MOST_QUERIES = 5
_MOST_READ = 40
"""Of so many pages the sections are read, to find questions and plans."""


def representative_queries(view: ContentView, pages: SiteMap) -> list[tuple[str, str]]:
    """Return up to five questions that the site answers, each with the path of the answer.

    They are made from the pages: a question that one answers, a plan, a product, the contact page
    and the API. Titles of pages follow, if there is less.
    """
    shown = [page.address for page in pages.pages if view.locale in page.locales]
    home = say(view, _("What does %(site)s do?"), site=site_name(view)), view.locale.path
    queries = dict((*_asked(view, shown), _about_api(view), *_titles(view, shown), home))
    return list(islice(queries.items(), _MOST_QUERIES))


def _asked(view: ContentView, shown: Sequence[Address]) -> Iterator[tuple[str, str]]:
    """Yield a question about each of the parts of a site that it has."""
    paths = {address: view.locale.path + address.path for address in shown}
    sections = {section.type: (each, section) for each, section in _sections(view, shown)}
    if FAQ in sections:
        address, section = sections[FAQ]
        yield section.items[0].title, paths[address]
    if PLANS in sections:
        address, section = sections[PLANS]
        yield _price_of(view, section.items[0].title), paths[address]
    product = next((each for each in shown if each.page.content_types == (PRODUCT,)), None)
    if product and (resolved := resolve_route(view, product)):
        yield _price_of(view, title_of(resolved)), paths[product]
    contact = page_of(REGISTRY, "contact", view.snapshot)
    if contact in paths:
        yield say(view, _("How do I reach %(site)s?"), site=site_name(view)), paths[contact]


def _price_of(view: ContentView, title: str) -> str:
    return say(view, _("How much is %(title)s?"), title=title)


def _sections(view: ContentView, shown: Sequence[Address]) -> Iterator[tuple[Address, Section]]:
    """Yield the visible sections with items of the first pages, each with its page, last first."""
    own = (each for each in shown if any(kind.has_sections for kind in each.page.content_types))
    for address in reversed(list(islice(own, _MOST_READ))):
        resolved = resolve_route(view, address)
        for section, _source in reversed(merged_sections(resolved) if resolved else ()):
            if section.visible and section.items:
                yield address, section


def _about_api(view: ContentView) -> tuple[str, str]:
    page = developers_page(view.locale.language, view.snapshot.locales)
    return say(view, _("Does %(site)s have an API?"), site=site_name(view)), page.path


def _titles(view: ContentView, shown: Sequence[Address]) -> Iterator[tuple[str, str]]:
    for address in islice(shown, _MOST_READ):
        resolved = None if address.page.is_list else resolve_route(view, address)
        if resolved is not None:
            yield title_of(resolved), view.locale.path + address.path


ROBOTS_MEDIA_TYPE = "text/plain; charset=utf-8"

SEARCH_CRAWLERS = (
    "OAI-SearchBot",
    "Claude-SearchBot",
    "PerplexityBot",
    "DuckAssistBot",
    "Amzn-SearchBot",
)
USER_FETCHERS = ("ChatGPT-User", "Claude-User", "Perplexity-User", "MistralAI-User")
TRAINING_CRAWLERS = (
    "AI2Bot",
    "Amazonbot",
    "anthropic-ai",
    "Applebot-Extended",
    "Bytespider",
    "CCBot",
    "ChatGLM-Spider",
    "ClaudeBot",
    "cohere-ai",
    "cohere-training-data-crawler",
    "DeepSeekBot",
    "Diffbot",
    "GPTBot",
    "ICC-Crawler",
    "img2dataset",
    "Kangaroo Bot",
    "LAIONDownloader",
    "meta-externalagent",
    "omgili",
    "PanguBot",
    "SBIntuitionsBot",
    "Timpibot",
)
"""Crawlers that gather content to train models; Applebot-Extended is a name in robots.txt only.

The list is our own: `crawler-user-agents` does not tell crawlers that train from those that search
or answer a person, which are never kept out. A test holds the list against its data.
"""

GOOGLE_EXTENDED = "Google-Extended"
"""A name in robots.txt only: whether Gemini trains with the content, and bases answers on it."""


def robots_txt(site_map: SiteMap, snapshot: Snapshot, base_url: str, signal: str) -> Representation:
    """Render the file; `signal` is the Content-Signal, from which Content-Usage is derived.

    If it forbids training, crawlers that train models may fetch nothing. Of Google-Extended that
    holds only if it forbids answers from the content too, since one name stands for both uses.
    """
    kept_out: tuple[str, ...] = TRAINING_CRAWLERS if forbids_training(signal) else ()
    if kept_out and forbids_grounding(signal):
        kept_out = (*kept_out, GOOGLE_EXTENDED)
    named = (*SEARCH_CRAWLERS, *USER_FETCHERS, *TRAINING_CRAWLERS, GOOGLE_EXTENDED)
    readers = ("*", *(agent for agent in named if agent not in kept_out))
    rules = (
        *([f"Content-Signal: {signal}"] if signal.strip() else []),
        *(f"Allow: {path}" for path in _allow_exceptions(site_map, snapshot)),
        *(f"Disallow: {pattern}" for pattern in _disallowed(snapshot)),
        "Allow: /",
    )
    parts = (
        *([f"# Content-Usage: {usage}"] if (usage := content_usage(signal)) else []),
        *([_agent_group(kept_out, ("Disallow: /",))] if kept_out else []),
        _agent_group(readers, rules),
        f"Sitemap: {absolute(base_url, INDEX_PATH)}\n",
    )
    return Representation(ROBOTS_MEDIA_TYPE, "\n\n".join(parts).encode())


def prepare_robots(site_map: SiteMap, snapshot: Snapshot) -> None:
    """Find the exceptions, for which all pages are looked at."""
    _allow_exceptions(site_map, snapshot)


def _disallowed(snapshot: Snapshot) -> Iterator[str]:
    """Yield patterns of all private paths; a folder has one for all locales, so the file is small.

    A path has one for each locale, as `/*/cart` would match `/ae/en/blog/cart-systems`.
    """
    private = [absolute("", path) for path in private_paths(snapshot)]
    yield from private
    for path in private:
        if path.endswith("/"):
            yield f"/*{path}"
        else:
            yield from (locale.path + path for locale in snapshot.locales.all)


def _agent_group(agents: Iterable[str], rules: Sequence[str]) -> str:
    return "\n".join((*(f"User-agent: {agent}" for agent in agents), *rules))


def _allow_exceptions(site_map: SiteMap, snapshot: Snapshot) -> Sequence[str]:
    """Return public paths that start with a private path but are not below it.

    Otherwise `Disallow: /ae/en/account` would exclude `/ae/en/accounting` too.
    """
    return site_map.once(_allow_exceptions, lambda: tuple(_exceptions(site_map, snapshot)))


def _exceptions(site_map: SiteMap, snapshot: Snapshot) -> Iterator[str]:
    starts = tuple(private_paths(snapshot))
    for page in site_map.pages:
        path = page.address.path
        if path.startswith(starts):  # it is listed, so it is none of them and not below one
            yield from (absolute("", locale.path + path) for locale in page.locales)
