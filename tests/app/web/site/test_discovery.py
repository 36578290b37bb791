"""Sitemaps, llms.txt and robots.txt: headers, and that hidden documents are in none of them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor

INSTANT = timedelta(microseconds=1)
START = NOW + timedelta(hours=1)
END = NOW + timedelta(hours=2)

GUIDES = ("/llms.txt", "/ae/en/llms.txt", "/llms-full.txt", "/ae/en/llms-full.txt")
FEEDS = ("/ae/en/blog/feed.xml", "/ae/en/blog/feed.json")
MAPS = (*GUIDES, *FEEDS, "/sitemap.xml", "/robots.txt")
MEDIA_TYPES = {
    "/llms.txt": "text/markdown; charset=utf-8",
    "/sa/ar/llms.txt": "text/markdown; charset=utf-8",
    "/llms-full.txt": "text/markdown; charset=utf-8",
    "/sa/ar/llms-full.txt": "text/markdown; charset=utf-8",
    "/sa/ar/blog/feed.xml": "application/atom+xml; charset=utf-8",
    "/sa/ar/blog/feed.json": "application/feed+json",
    "/sa/ar/blog/category/erp-guides/feed.xml": "application/atom+xml; charset=utf-8",
    "/sa/ar/blog/category/erp-guides/feed.json": "application/feed+json",
    "/sa/ar/opensearch.xml": "application/opensearchdescription+xml",
    "/.well-known/agent-skills/index.json": "application/json",
    "/.well-known/agent-skills/wahat-knowledge/SKILL.md": "text/markdown; charset=utf-8",
    "/robots.txt": "text/plain; charset=utf-8",
    "/.well-known/security.txt": "text/plain; charset=utf-8",
}


@cases("path", ["/sitemap.xml", "/llms.txt", "/ae/en/llms.txt"])
def test_no_map_lists_a_copy_of_the_contact_page(shared_visit: Visit, path: str) -> None:
    """Texts may link to the form with a query; each such page would be one more copy."""
    files = {
        "registry/contact.md": "---\ntitle: Contact\n---\nText.\n",
        "pages/a.md": "---\ntitle: A\n---\n:::{cta} Begin\n[Go](/contact?topic=demo)\n:::\n",
    }
    text = shared_visit(files).get(path).text
    assert "/contact" in text
    assert "/contact?" not in text


@cases("path", MEDIA_TYPES)
@cases("accept", ["", "text/html", "application/json", "image/png"])
def test_a_map_has_one_form_whatever_the_accept(sample: Visitor, path: str, accept: str) -> None:
    """It is public, and its ETag gets 304."""
    reply = sample.get(path, {"Accept": accept})
    assert (reply.status, reply.headers["Content-Type"]) == (200, MEDIA_TYPES[path])
    assert reply.headers["Cache-Control"].startswith("public, max-age=")
    assert int(reply.headers["Content-Length"]) == len(reply.body)
    head = sample.ask("HEAD", path, {"Accept": accept})
    assert head.headers["ETag"] == reply.headers["ETag"]
    again = sample.get(path, {"If-None-Match": reply.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


MARKDOWN = [path for path, media_type in MEDIA_TYPES.items() if "markdown" in media_type]


@cases("path", [*MARKDOWN, "/ae/en/erp.md", "/sa/ar/index.md", "/index.md", "/developers.md"])
def test_markdown_is_plain_text_for_a_client_that_prefers_it(sample: Visitor, path: str) -> None:
    """The same text, which no shared cache keeps for clients of the markdown."""
    markdown, plain = sample.get(path), sample.get(path, {"Accept": "text/plain"})
    assert markdown.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert plain.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert plain.body == markdown.body
    assert {markdown.headers["Vary"], plain.headers["Vary"]} == {"Accept, Accept-Encoding"}
    assert plain.headers["Cache-Control"].startswith("private")
    again = sample.get(path, {"Accept": "text/plain", "If-None-Match": plain.headers["ETag"]})
    assert again.status == 304
    either = sample.get(path, {"Accept": "text/markdown, text/plain;q=0.9, */*;q=0.8"})
    assert either.headers["Content-Type"] == markdown.headers["Content-Type"]


@cases(("suffix", "media_type"), [("md", "text/markdown"), ("json", "application/json")])
def test_the_index_of_the_root_is_that_of_the_main_locale(
    shared_visit: Visit, suffix: str, media_type: str
) -> None:
    """Agents add `index.md` to the address of a site."""
    visitor = shared_visit({"registry/home.md": "---\ntitle: Home\n---\nText.\n"})
    root, main = visitor.get(f"/index.{suffix}"), visitor.get(f"/ae/en/index.{suffix}")
    assert (root.status, root.body) == (200, main.body)
    assert root.headers["Content-Type"].startswith(media_type)
    assert root.links.count('rel="describedby"') == 1
    assert f'<{BASE_URL}/ae/en/llms.txt>; rel="describedby"' in root.links
    assert visitor.get("/index.html").headers["Location"] == "/ae/en"


@cases("name", ["llms.txt", "llms-full.txt", "blog/feed.xml", "blog/feed.json", "opensearch.xml"])
def test_only_an_open_locale_in_lower_case_has_maps(shared_visit: Visit, name: str) -> None:
    """Upper case leads on, as it would be a second URL of the same document."""
    closed = "---\ncode: BH\nenabled: false\n---\n"
    visitor = shared_visit({"countries/bh.md": closed})
    assert visitor.get(f"/sa/ar/{name}").status == 200
    for locale in ("SA/ar", "sa/AR"):
        upper = visitor.get(f"/{locale}/{name}")
        assert (upper.status, upper.headers["Location"]) == (308, f"/sa/ar/{name}")
    for locale in ("sa/fr", "fr/en", "sa/en-us", "bh/en", "bh/ar"):
        assert visitor.get(f"/{locale}/{name}").status == 404


def test_a_further_file_is_there_only_where_it_is_needed(sample: Visitor) -> None:
    """The pages of the sample fit into one file."""
    assert sample.get("/ae/en/llms-1.txt").status == 404
    assert sample.get("/ae/en/llms-2.txt").status == 404


HIDDEN = [
    pytest.param("published: false", id="draft"),
    pytest.param("publishedAt: 2099-01-01", id="scheduled"),
    pytest.param("unpublishAt: 2020-01-01", id="expired"),
    pytest.param("countries: []", id="no country"),
    pytest.param("seo: {noIndex: true}", id="noIndex"),
    pytest.param("seo: {robotsIndex: noindex}", id="robots noindex"),
]
FILES = ("pages/accounting.md", "modules/secret.md", "posts/secret.md", "products/secret.md")


@cases("hiding", HIDDEN)
def test_what_is_hidden_is_in_no_map(shared_visit: Visit, hiding: str) -> None:
    """Neither titles nor URLs are listed."""
    dated = "" if "publishedAt" in hiding else "publishedAt: 2026-01-01\n"
    text = f"---\ntitle: Xyzzy\n{dated}{hiding}\n---\nXyzzy.\n"
    visitor = shared_visit(dict.fromkeys(FILES, text))
    hidden = {"Xyzzy", *(Path(file).stem for file in FILES)}
    seen = {path: hidden & words(visitor.get(path).text) for path in MAPS}
    assert {path: each for path, each in seen.items() if each} == {}


@cases("file", FILES)
def test_what_is_not_hidden_is_in_each_guide(shared_visit: Visit, file: str) -> None:
    """Its title is listed."""
    shown = "---\ntitle: Xyzzy\npublishedAt: 2026-01-01\n---\nXyzzy.\n"
    visitor = shared_visit({file: shown})
    assert [path for path in GUIDES if "Xyzzy" not in words(visitor.get(path).text)] == []


def words(text: str) -> set[str]:
    """Return the words and path segments of a text."""
    for sign in "/[]()<>:.,#-\n":
        text = text.replace(sign, " ")
    return set(text.split())


@pytest.mark.parametrize("path", [path for path in MAPS if path != "/robots.txt"])
def test_a_post_is_in_a_map_from_its_first_instant_to_its_last(
    visit: Visit, clock: FakeClock, path: str
) -> None:
    """This is exact to the microsecond, without a reload, through the response cache."""
    times = f"publishedAt: {START.isoformat()}\nunpublishAt: {END.isoformat()}\n"
    visitor = visit({"posts/soon.md": f"---\ntitle: Xyzzy\n{times}---\nText.\n"})
    seen = []
    for clock.now in (START - INSTANT, START, END - INSTANT, END):
        seen.append("/blog/soon" in visitor.get(path).text)
    assert seen == [False, True, True, False]


def test_robots_opens_a_namesake_at_the_instant_it_is_published(
    visit: Visit, clock: FakeClock
) -> None:
    """The slug is not disclosed before."""
    page = f"---\ntitle: A\npublishedAt: {START.isoformat()}\n---\nText.\n"
    settings = "---\nprivatePaths: {/account: own data}\n---\n"
    visitor = visit({"pages/accounting.md": page, "site/settings.md": settings})
    seen = []
    for clock.now in (START - INSTANT, START):
        seen.append("/accounting" in visitor.get("/robots.txt").text)
    assert seen == [False, True]


def test_a_closed_country_has_no_pages_and_is_in_no_map(shared_visit: Visit) -> None:
    """Its URLs respond with the locales that have the page, without links to closed ones."""
    files = {
        "countries/bh.md": "---\ncode: BH\nenabled: false\n---\n",
        "pages/x.md": "---\ntitle: X\n---\nText.\n",
    }
    visitor = shared_visit(files)
    assert [path for path in MAPS if "/bh/" in visitor.get(path).text.split("Disallow")[0]] == []
    for path in ("/bh/en", "/bh/en/x", "/bh/ar/x.md", "/bh/en/x.json"):
        reply = visitor.get(path)
        assert reply.status == 404
        assert "/bh/" not in reply.text
        assert "/ae/en/" in reply.text
    assert visitor.get("/api/public/v1/seo-page?path=/bh/en/x").json["noIndex"] is True


def test_if_ae_is_closed_the_first_open_locale_is_the_default(shared_visit: Visit) -> None:
    """This holds for the root and for the maps of the whole service."""
    visitor = shared_visit({"countries/ae.md": "---\ncode: AE\nenabled: false\n---\n"})
    assert "/sa/en/llms.txt" in visitor.get("/llms.txt").text
    assert "/ae/en" not in visitor.get("/llms.txt").text
    root, home = (visitor.get(path, {"Accept": "text/html"}) for path in ("/", "/sa/en"))
    assert (root.status, root.body) == (200, home.body)
