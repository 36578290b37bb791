"""Site pages over HTTP: negotiation, the root, per-format URLs, and errors."""

from __future__ import annotations

import re

import pytest
from cases import cases
from conftest import Visit
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import BASE_URL, Visitor

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
HTML, MARKDOWN, JSON = "text/html", "text/markdown", "application/json"
PLAIN = "text/plain"
OPENCODE = (
    "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1"
)
OPENCODE_HTML = (
    "text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, text/markdown;q=0.7, */*;q=0.1"
)
CURSOR = "text/markdown, text/plain;q=0.9, */*;q=0.8"


@cases(
    ("accept", "on_pages", "under_api"),
    [
        pytest.param(BROWSER, HTML, JSON, id="browser"),
        pytest.param("*/*", HTML, JSON, id="curl"),
        pytest.param("", HTML, JSON, id="empty"),
        pytest.param("text/*", HTML, MARKDOWN, id="any text"),
        pytest.param("text/markdown, text/html, */*", MARKDOWN, MARKDOWN, id="Claude Code"),
        pytest.param(CURSOR, MARKDOWN, MARKDOWN, id="Cursor"),
        pytest.param(OPENCODE, MARKDOWN, MARKDOWN, id="OpenCode"),
        pytest.param(OPENCODE_HTML, HTML, MARKDOWN, id="OpenCode for HTML"),
        pytest.param("application/json, text/plain, */*", JSON, JSON, id="axios"),
        pytest.param("text/plain", PLAIN, JSON, id="plain text"),
        pytest.param("text/plain, */*;q=0.1", PLAIN, JSON, id="plain text before all others"),
        pytest.param("text/x-markdown", MARKDOWN, MARKDOWN, id="the old name"),
        pytest.param("TEXT/Markdown;Charset=UTF-8", MARKDOWN, MARKDOWN, id="case and charset"),
        pytest.param("text/html;q=x, application/json", JSON, JSON, id="malformed q"),
    ],
)
def test_real_clients_get_the_form_they_want(
    sample: Visitor, accept: str, on_pages: str, under_api: str
) -> None:
    """Pages and API negotiate the same way, with different defaults."""
    page = sample.get("/sa/ar/erp", {"Accept": accept})
    api = sample.get("/api/public/v1/locale-content/erp", {"Accept": accept})
    assert page.headers["Content-Type"].partition(";")[0] == on_pages
    assert api.headers["Content-Type"].partition(";")[0] == under_api


@cases("agent", ["GPTBot", "ClaudeBot/1.0", "Mozilla/5.0", "curl/8"])
def test_the_user_agent_changes_nothing(sample: Visitor, agent: str) -> None:
    """The media type depends on Accept alone."""
    assert sample.get("/ae/en", {"User-Agent": agent}).body == sample.get("/ae/en").body


@cases("accept", ["image/png", "application/pdf", "*/*;q=0"])
def test_a_client_that_accepts_no_form_is_told_which_there_are(
    sample: Visitor, accept: str
) -> None:
    """Pages respond 406, and the API never does."""
    refused = sample.get("/ae/en/erp", {"Accept": accept})
    assert refused.status == 406
    assert all(form in refused.text for form in (HTML, MARKDOWN, JSON))
    assert "Accept" in refused.headers["Vary"]
    assert sample.get("/api/public/v1/pages", {"Accept": accept}).headers["Content-Type"] == JSON


def test_the_root_is_the_default_home_without_a_hint(sample: Visitor) -> None:
    """It is not cacheable, as the target depends on the reader."""
    root = sample.get("/", {"Accept": BROWSER})
    assert root.status == 200
    assert root.body == sample.get("/ae/en", {"Accept": BROWSER}).body
    assert root.headers["Cache-Control"] == "private, no-store"
    assert f'<{BASE_URL}/ae/en>; rel="canonical"' in root.links


def test_the_root_leads_to_the_country_that_a_trusted_proxy_names(visit: Visit) -> None:
    """The language is the one that the reader prefers; only a trusted proxy is believed."""
    visitor = visit({"site/home.md": "---\ntitle: Home\n---\n"}, trusted_proxies="10.0.0.0/8")
    headers = {"CF-IPCountry": "KW", "Accept-Language": "en;q=0.2, ar;q=0.9"}
    led = visitor.ask("GET", "/", headers, peer="10.0.0.1")
    assert (led.status, led.headers["Location"]) == (302, "/kw/ar")
    assert led.headers["Cache-Control"] == "private, no-store"
    assert visitor.ask("GET", "/", headers, peer="192.0.2.1").headers["Location"] == "/ae/ar"


@cases(
    ("accepted", "location"),
    [
        pytest.param("ar", "/ae/ar", id="Arabic"),
        pytest.param("ar-SA,ar;q=0.9,en;q=0.8", "/ae/ar", id="a region names no country"),
        pytest.param("en;q=0.3, ar;q=0.5", "/ae/ar", id="quality before order"),
        pytest.param("fr, ar;q=0.1", "/ae/ar", id="the first that is served"),
        pytest.param("en;q=0, *", "/ae/ar", id="any but English"),
        pytest.param("en-GB,en;q=0.9,ar;q=0.8", None, id="English first"),
        pytest.param("ar;q=0", None, id="no Arabic"),
        pytest.param("ar;q=x, ;;=", None, id="malformed"),
        pytest.param("fr, de", None, id="none served"),
        pytest.param("*", None, id="any"),
        pytest.param("", None, id="empty"),
    ],
)
@cases("accept", [BROWSER, "text/markdown", "*/*"])
def test_the_root_leads_to_the_language_of_the_reader(
    sample: Visitor, accept: str, accepted: str, location: str | None
) -> None:
    """Also without a proxy; each answer is for one reader, and says on what it depends."""
    root = sample.get("/", {"Accept": accept, "Accept-Language": accepted})
    assert (root.status, root.headers.get("Location")) == (302 if location else 200, location)
    assert root.headers["Cache-Control"] == "private, no-store"
    assert "Accept-Language" in root.headers["Vary"]


def test_the_root_of_a_site_of_one_language_leads_nowhere(visit: Visit) -> None:
    """There is no other language to lead to."""
    files = {"countries/ae.md": "---\ncode: AE\n---\n", "pages/a.md": "---\ntitle: A\n---\n"}
    visitor = visit(files, countries=False)
    assert visitor.get("/", {"Accept-Language": "ar"}).status == 200


@cases("path", ["/sa/ar/erp/", "/sa/ar/", "/ae/en/blog/?page=2"])
def test_a_slash_too_many_leads_to_the_page(sample: Visitor, path: str) -> None:
    """The redirect is permanent and keeps the query."""
    moved = sample.get(path)
    place, _, query = path.partition("?")
    target = place.rstrip("/") + (f"?{query}" if query else "")
    assert (moved.status, moved.headers["Location"]) == (308, target)


@cases(
    "path",
    [
        pytest.param("/ae/en/nothing-here", id="no document"),
        pytest.param("/ae/en/nothing-here.md", id="no document, as markdown"),
        pytest.param("/ae/en/erp.txt", id="no such form"),
        pytest.param("/ae/en/index", id="a home has one address"),
        pytest.param("/ae/en/cities/riyadh", id="another country's city"),
        pytest.param("/ae/fr/erp", id="no such language"),
        pytest.param("/ae/en/blog/ramadan-trading-hours", id="not out yet"),
        pytest.param("/ae/ar/blog/barcode-labels-that-scan", id="not in this language"),
        pytest.param("/ae/en//erp", id="doubled slash"),
        pytest.param("//ae/en/erp", id="doubled slash before the page"),
    ],
)
def test_what_is_not_published_is_404_in_every_form(sample: Visitor, path: str) -> None:
    """HTML if it is named, short markdown for wildcards, and the envelope for JSON."""
    for accept, media_type in {
        BROWSER: "text/html; charset=utf-8",
        "*/*": "text/markdown; charset=utf-8",
        "": "text/markdown; charset=utf-8",
        "text/markdown, text/html, */*": "text/markdown; charset=utf-8",
        "application/json": "application/json",
    }.items():
        reply = sample.get(path, {"Accept": accept})
        assert reply.status == 404
        assert reply.headers["Content-Type"] == media_type
        assert reply.headers["Cache-Control"] == "no-store"
        assert "Accept" in reply.headers["Vary"]
    assert violations(ERROR_ENVELOPE, {"error": reply.json["error"]}) == []


def test_a_home_s_twin_answers_to_both_of_its_names(sample: Visitor) -> None:
    """`index.md` is the documented URL; `<page>.md` works for every page."""
    assert sample.get("/sa/ar.md").body == sample.get("/sa/ar/index.md").body


def test_a_missing_page_shows_ways_on_in_the_language_of_its_path(sample: Visitor) -> None:
    """It links the index, the sitemap, the home page and similar pages, in HTML and markdown."""
    for accept, form in ((BROWSER, ""), ("*/*", ".md")):
        reply = sample.get("/sa/ar/modules/financ", {"Accept": accept})
        assert reply.headers["Content-Language"] == "ar"
        assert "/llms.txt" in reply.text
        assert "/sitemap.xml" in reply.text
        assert f"/sa/ar/modules/finance{form}" in reply.text
        assert ("/sa/ar/index.md" if form else 'href="/sa/ar"') in reply.text


def test_a_page_published_elsewhere_is_pointed_to(visit: Visit) -> None:
    """It is the same as in the 404 of the API."""
    visitor = visit({"pages/about.md": "---\ntitle: About us\ncountries: [SA]\n---\nx"})
    for accept in (BROWSER, "*/*"):
        assert f"{BASE_URL}/sa/en/about" in visitor.get("/kw/en/about", {"Accept": accept}).text


@cases("accept", [BROWSER, "*/*", "application/json"])
def test_nothing_of_the_request_comes_back_in_an_error(sample: Visitor, accept: str) -> None:
    """An attacker can inject no script, header or markdown link."""
    path = "/ae/en/%3Cscript%3Ealert(1)%3C/script%3E%5Bx%5D(javascript:alert(1))"
    reply = sample.get(f"{path}?q=%3Cscript%3E", {"Accept": accept})
    assert reply.status == 404
    assert not re.search(r"alert|%3C|\(javascript", reply.text)


@cases("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_page_can_only_be_read(sample: Visitor, method: str) -> None:
    """The 405 lists the supported methods; it is the short text, which costs next to nothing."""
    reply = sample.ask(method, "/ae/en/erp", {"Accept": BROWSER})
    assert reply.status == 405
    assert "GET" in reply.headers["Allow"]
    assert "This address can only be read." in reply.text
    assert "<header" not in reply.text


def test_links_never_come_from_the_host_header(sample: Visitor) -> None:
    """This holds for every media type."""
    for accept in (BROWSER, "text/markdown", "application/json"):
        reply = sample.get("/sa/ar/erp", {"Accept": accept, "Host": "evil.example"})
        assert "evil.example" not in reply.text + str(reply.headers)


def test_last_modified_is_the_content_s_own_word(visit: Visit) -> None:
    """A document without a modification date has no Last-Modified."""
    visitor = visit(
        {
            "pages/dated.md": "---\ntitle: D\nupdatedAt: 2026-03-04T05:06:07Z\n---\nx",
            "pages/undated.md": "---\ntitle: U\n---\nx",
        }
    )
    dated = visitor.get("/ae/en/dated").headers
    assert dated["Last-Modified"] == "Wed, 04 Mar 2026 05:06:07 GMT"
    assert "Last-Modified" not in visitor.get("/ae/en/undated").headers


def test_a_page_kept_from_the_index_says_so_at_its_own_address(visit: Visit) -> None:
    """The author's directives are in the header."""
    visitor = visit({"pages/thanks.md": "---\ntitle: T\nseo: {noIndex: true}\n---\nx"})
    assert visitor.get("/ae/en/thanks").headers["X-Robots-Tag"] == "noindex, follow"


def test_a_fallback_page_tells_its_language_in_every_form(visit: Visit) -> None:
    """An Arabic request gets English content, whose canonical URL is the English one."""
    visitor = visit({"pages/only.md": "---\ntitle: Only English\n---\nText."})
    for accept in (BROWSER, "text/markdown", "application/json"):
        reply = visitor.get("/sa/ar/only", {"Accept": accept})
        assert reply.headers["Content-Language"] == "en"
        assert f'<{BASE_URL}/sa/en/only>; rel="canonical"' in reply.links


def test_a_page_s_frame_holds_under_a_strict_policy(sample: Visitor) -> None:
    """No inline code by its place alone, and no framing; the common headers are set."""
    headers = sample.get("/ae/en", {"Accept": BROWSER}).headers
    policy = headers["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert headers["Strict-Transport-Security"].startswith("max-age=")


def test_transport_security_is_claimed_under_https_alone(visit: Visit) -> None:
    """A service on plain HTTP sends no HSTS."""
    visitor = visit({}, base_url="http://intranet.example")
    assert "Strict-Transport-Security" not in visitor.get("/ae/en").headers
