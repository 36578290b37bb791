"""How agents find the MCP server while it is on, and that nothing tells of it while it is off."""

from __future__ import annotations

import json

import pytest
from agents import HOST, legacy, modern
from cases import cases
from conftest import ViewOf, Visit, locale_of
from contract.adverts import AI_CATALOG, API_CATALOG, SKILLS, advertised, expected_type
from contract.discovery_formats import AICatalog, ServerCard
from contract.visitor import BASE_URL, NOW, Visitor
from mcp_calls import call

from app.features.mcp.settings import McpSettings
from app.features.mcp.tools import running_server
from app.services import services_of
from knowledge.resources.site_map import site_map
from knowledge.views.content_view import ContentView
from llms import mcp_server, well_known
from llms.mcp_server import McpServer
from llms.skill import site_skill

CARD = "/mcp/server-card"
ALIASES = ("/.well-known/mcp/server-card.json", "/.well-known/mcp.json", "/.well-known/mcp")
GUIDES = ("/llms.txt", "/sa/ar/llms.txt", "/ae/en/llms.txt")
PAGE = "---\ntitle: Bread\n---\nText.\n"


def server(base_url: str) -> McpServer:
    """Return the facts of a server that runs at an address."""
    facts = running_server(McpSettings(_env_file=None, base_url=base_url, mcp=True))
    assert facts
    return facts


def test_the_card_tells_what_the_server_tells(site: Visitor) -> None:
    """It is valid, and its version, title and revisions are those of both introductions."""
    card = site.get(CARD).json
    ServerCard.model_validate(card)
    assert card["name"] == "example.wahat.www/majlis"
    assert len(card["description"]) <= 100
    introduced = legacy(site, "initialize", {"protocolVersion": "2025-11-25"}).json["result"]
    for name in ("version", "title", "websiteUrl"):
        assert card[name] == introduced["serverInfo"][name]
    (remote,) = card["remotes"]
    discovered = modern(site, "server/discover").json["result"]
    assert remote["supportedProtocolVersions"] == list(discovered["supportedVersions"])
    assert remote["type"] == "streamable-http"
    assert remote["url"] == f"{BASE_URL}/mcp"


@cases("path", [CARD, *ALIASES])
def test_the_card_is_the_same_at_all_its_paths(site: Visitor, path: str) -> None:
    """With the headers that the protocol asks for; scripts of any site may read it again."""
    reply = site.get(path, {"Accept": "application/mcp-server-card+json"})
    assert reply.headers["Content-Type"] == "application/mcp-server-card+json"
    assert reply.headers["Cache-Control"] == "public, max-age=3600"
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in reply.headers["Access-Control-Expose-Headers"]
    assert reply.body == site.get(CARD).body
    known = site.get(path, {"If-None-Match": reply.headers["ETag"]})
    assert (known.status, known.body) == (304, b"")
    assert site.ask("HEAD", path).headers["ETag"] == reply.headers["ETag"]
    asked = {"Origin": "https://a.example", "Access-Control-Request-Headers": "If-None-Match"}
    preflight = site.ask("OPTIONS", path, {**asked, "Access-Control-Request-Method": "GET"})
    assert preflight.headers["Access-Control-Allow-Headers"] == "*, Authorization"


def test_the_catalog_follows_its_specifications(site: Visitor) -> None:
    """AI Catalog 1.0, and the fields of Agentic Resource Discovery 0.9."""
    reply = site.get(AI_CATALOG)
    assert reply.headers["Content-Type"] == "application/ai-catalog+json"
    catalog = reply.json
    AICatalog.model_validate(catalog)
    assert catalog["host"]["displayName"] == "Wahat"
    identifiers = [entry["identifier"] for entry in catalog["entries"]]
    assert identifiers[0] == "urn:air:www.wahat.example:mcp:majlis"
    assert len(set(identifiers)) == len(identifiers) == 4
    tools = modern(site, "tools/list").json["result"]["tools"]
    mcp, skill, *_ = catalog["entries"]
    assert [entry["type"] for entry in catalog["entries"]] == [
        "application/mcp-server-card+json",
        'text/markdown; profile="urn:air:agent-skills"',
        "application/vnd.oai.openapi+json",
        "text/markdown",
    ]
    assert mcp["capabilities"] == [tool["name"] for tool in tools]
    assert 2 <= len(mcp["representativeQueries"]) <= 5
    (listed,) = site.get(SKILLS).json["skills"]
    assert (skill["url"], skill["metadata"]["digest"]) == (listed["url"], listed["digest"])


def test_every_advertised_address_answers_with_the_advertised_type(site: Visitor) -> None:
    """Of all documents that tell of the server; the pages of the site are walked elsewhere."""
    documents = (*GUIDES, AI_CATALOG, API_CATALOG, SKILLS, CARD, "/robots.txt", "/developers.md")
    roots = ("/.well-known/", "/mcp", "/developers", "/openapi", "/llms", "/apple", "/robots")
    for document in documents:
        for advert in advertised(document, site.get(document)):
            if advert.path.startswith(roots) or advert.path == "":
                reply = site.get(advert.path or "/", {"Accept": expected_type(advert) or "*/*"})
                answered = reply.headers["Content-Type"].partition(";")[0]
                assert reply.status == 200, advert
                assert expected_type(advert) in (None, answered), advert


@cases(
    ("path", "address"),
    [
        ("/llms.txt", f"connect it to {BASE_URL}/mcp\n"),
        ("/ae/en/llms.txt", f"connect it to {BASE_URL}/mcp?country=ae&lang=en\n"),
        ("/sa/ar/llms.txt", f"{BASE_URL}/mcp?country=sa&lang=ar\n"),
    ],
)
def test_the_guides_tell_of_the_server(site: Visitor, path: str, address: str) -> None:
    """In their language, with the locale in the address; none says that there is no server."""
    told = site.get(path).text
    assert address in told
    assert f"]({BASE_URL}/developers.md#model-context-protocol)" in told
    assert "no MCP" not in told
    assert "لا يوجد خادم MCP" not in told
    query = address.partition("?")[2].strip()
    assert modern(site, "tools/list", target=f"/mcp?{query}").status == 200


def test_the_manual_and_the_skill_tell_of_the_server(site: Visitor) -> None:
    """With its tools, its revisions and a request that works."""
    manual = site.get("/developers.md").text
    _, _, section = manual.partition("\n## Model Context Protocol\n")
    assert f"`{BASE_URL}/mcp`" in section
    for told in ("find_passages", "list_pages", "2026-07-28", "2025-03-26"):
        assert f"`{told}`" in section
    (body,) = (line for line in section.splitlines() if '"jsonrpc"' in line)
    message = body.partition("--data '")[2].partition("'")[0]
    assert site.post("/mcp", json.loads(message), HOST).json["result"]["tools"]
    html = site.get("/developers", {"Accept": "text/html"}).text
    assert 'id="model-context-protocol"' in html
    (skill,) = site.get(SKILLS).json["skills"]
    text = site.get(skill["url"].removeprefix(BASE_URL)).text
    assert f"the server at {BASE_URL}/mcp (Streamable HTTP, no key)" in text
    assert "`search`, `fetch`, `find_passages`, `list_pages`" in text


def test_machines_are_led_to_the_server(site: Visitor) -> None:
    """By the API catalog and the Link header; robots.txt has only what checkers know."""
    linkset = site.get(API_CATALOG).json["linkset"]
    (api,) = (each for each in linkset if each["anchor"] == f"{BASE_URL}/mcp")
    card = {"href": BASE_URL + CARD, "type": "application/mcp-server-card+json"}
    assert api["service-desc"] == [card]
    for path in ("/ae/en", "/ae/en/nothing", "/api/public/v1/countries"):
        assert f'<{BASE_URL}{AI_CATALOG}>; rel="ai-catalog"' in site.get(path).links
    assert AI_CATALOG not in site.get("/robots.txt").text


@cases("path", [CARD, *ALIASES, AI_CATALOG])
def test_while_the_server_is_off_there_is_none_of_it(sample: Visitor, path: str) -> None:
    """The answer is that of any missing page."""
    reply, missing = sample.get(path), sample.get("/.well-known/nothing")
    assert (reply.status, reply.text[:60]) == (404, missing.text[:60])


def test_while_the_server_is_off_no_document_tells_of_one(sample: Visitor) -> None:
    """llms.txt says that there is none."""
    assert "There is no MCP server, no sandbox" in sample.get("/llms.txt").text
    (skill,) = sample.get(SKILLS).json["skills"]
    paths = (
        API_CATALOG,
        "/robots.txt",
        "/developers.md",
        *GUIDES[1:],
        skill["url"][len(BASE_URL) :],
    )
    for path in paths:
        reply = sample.get(path)
        told = reply.text.replace("there is no hosted MCP server and no webhooks product", "")
        assert "mcp" not in told.lower(), path
        assert "Model Context" not in reply.text, path
        assert "ai-catalog" not in reply.links + reply.text, path


@pytest.mark.parametrize("mcp", [True, False])
def test_the_guide_of_a_small_site_tells_the_truth_too(visit: Visit, *, mcp: bool) -> None:
    """Its settings say what there is not, with the server and without."""
    limits = "There is no MCP server, no sandbox."
    settings = f"---\nagents:\n  limits: {limits}\n  limitsWithMcp: There is no sandbox.\n---\n"
    files = {"pages/bread.md": PAGE, "site/settings.md": settings}
    site = visit(files, countries=False, mcp=mcp)
    told = site.get("/llms.txt").text
    assert (limits in told) is not mcp
    assert ("There is no sandbox" in told) is mcp
    assert (f"{BASE_URL}/mcp?lang=en\n" in site.get("/en/llms.txt").text) is mcp


def test_the_questions_of_the_catalog_are_about_what_is_published(view_of: ViewOf) -> None:
    """A draft of a product and an expired post are not; an empty site has an API."""
    assert len(queries({}, view_of)) == 2
    files = {
        "pages/bread.md": PAGE,
        "products/p.md": "---\nid: 1\ntitle: Draft\npublished: false\n---\nText.\n",
        "posts/old.md": f"---\ntitle: Old\n{EXPIRED}---\nX\n",
    }
    told = queries(files, view_of)
    assert [word for word in ("Draft", "Old", "much", "reach") if word in " ".join(told)] == []
    assert "Bread" in told
    contact = {"registry/contact.md": PAGE, "pages/p.md": FAQ_AND_PLANS}
    asked = ["Do you bake?", "How much is Rye?"]
    assert queries(contact, view_of)[:2] == asked
    assert queries(contact, view_of)[2].startswith("How do I reach ")


EXPIRED = "publishedAt: 2020-01-01\nunpublishAt: 2020-02-01\n"
FAQ_AND_PLANS = """---
title: Plans
---
:::{faq} Ask
### Do you bake?
Yes.
:::

:::{plans} Plans
### Rye
:price: 3 AED
:::
"""


@cases("locale", ["ae/en", "ae/ar", "sa/en", "kw/ar"])
def test_each_question_of_the_catalog_is_answered(site: Visitor, locale: str) -> None:
    """By the first or the second passage, in each language."""
    country, lang = locale.split("/")
    snapshot = services_of(site.quart).content_store.current.snapshot
    view = ContentView(snapshot, locale_of(locale), NOW, BASE_URL)
    asked = well_known.representative_queries(view, site_map(snapshot, NOW))
    assert len(asked) == 5
    for query, path in asked:
        found = call(site, "find_passages", query=query, country=country, lang=lang)["passages"]
        pages = [each["id"].partition("#")[0] for each in found[:2]]
        assert path in pages, (query, pages)


def queries(files: dict[str, str], view_of: ViewOf) -> list[str]:
    """Return the questions of the catalog of a site."""
    view, mcp = view_of(files), server(BASE_URL)
    pages = site_map(view.snapshot, view.now)
    rendered = well_known.render(view, pages, mcp, site_skill(view, pages, mcp))
    return list(json.loads(rendered.body)["entries"][0]["representativeQueries"])


@pytest.mark.parametrize(
    "base_url",
    ["http://127.0.0.1:8000", "http://[::1]:8000", "https://مثال.example", "https://a_b.example"],
)
def test_any_address_gives_a_valid_card_and_catalog(view_of: ViewOf, base_url: str) -> None:
    """Names and identifiers have ASCII only; a very long name of a site is cut."""
    settings = f"---\nseo: {{pageTitle: '{'Long ' * 60}'}}\n---\n"
    view, mcp = view_of({"pages/bread.md": PAGE, "site/settings.md": settings}), server(base_url)
    ServerCard.model_validate_json(mcp_server.render_card(view, mcp).body)
    pages = site_map(view.snapshot, view.now)
    catalog = well_known.render(view, pages, mcp, site_skill(view, pages, mcp))
    AICatalog.model_validate_json(catalog.body)
