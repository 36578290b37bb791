"""Sitemaps: the urlset of every page and every list about pages, and who gets it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from cases import cases
from conftest import ViewOf, Visit
from contract.test_page_law import AGENT, BROWSER, EVERY_PAGE, FRONTEND
from contract.visitor import BASE_URL, Reply, Visitor

from knowledge.resources.site_map import site_map
from renderers.feeds import sitemap
from renderers.feeds.sitemap import SitemapLimits
from renderers.representation import MediaType

API = "/api/public/v1"
XML = {"Accept": "application/xml"}
NAMES = {
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "x": "http://www.w3.org/1999/xhtml",
    "i": "http://www.google.com/schemas/sitemap-image/1.1",
}
LOCALES = ("ae/en", "sa/ar")
BROWSERS = {
    "Chrome": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,"
    "image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
    "Firefox": BROWSER,
    "Safari before 2010": "application/xml,application/xhtml+xml,text/html;q=0.9,"
    "text/plain;q=0.8,image/png,*/*;q=0.5",
    "Firefox before 2008": "text/xml,application/xml,application/xhtml+xml,text/html;q=0.9,"
    "text/plain;q=0.8,image/png,*/*;q=0.5",
    "Android before 2012": "application/xml,application/xhtml+xml,text/html;q=0.9,text/plain;q=0.8,"
    "image/png,*/*;q=0.5,application/youtube-client",
    "a phone of 2005": "application/vnd.wap.xhtml+xml, application/xml, text/xml, "
    "application/xhtml+xml;q=0.1",
    "Opera 9": "text/html, application/xml;q=0.9, application/xhtml+xml, image/png, image/jpeg, "
    "image/gif, image/x-xbitmap, */*;q=0.1",
    "Internet Explorer": "image/gif, image/jpeg, image/pjpeg, application/xaml+xml, "
    "application/x-ms-application, */*",
    "Claude Code": AGENT,
    "axios": FRONTEND,
    "jQuery": "application/json, text/javascript, */*; q=0.01",
    "curl": "*/*",
    "any application": "application/*",
}
"""Accept of clients that are never to get a sitemap."""

KINDS = (
    *("", "/blog", "/blog/category/guides", "/products", "/modules", "/industries", "/cities"),
    *("/testimonials", "/erp", "/contact", "/pricing", "/search?q=erp", "/products/compare"),
)
"""Below a locale: a page of each type that is found without a list."""


def parsed(body: bytes) -> ET.Element:
    """Parse XML that the service made."""
    return ET.fromstring(body)  # noqa: S314


def entries(reply: Reply) -> dict[str, tuple[str | None, list[tuple[str, str]]]]:
    """Return date and alternates of each URL of a urlset."""
    root = parsed(reply.body)
    assert root.tag == f"{{{NAMES['s']}}}urlset"
    found = {}
    for each in root.findall("s:url", NAMES):
        links = [
            (link.attrib["hreflang"], link.attrib["href"]) for link in each.findall("x:link", NAMES)
        ]
        found[each.findtext("s:loc", "", NAMES)] = (each.findtext("s:lastmod", None, NAMES), links)
    return found


@pytest.fixture(scope="module")
def whole(sample: Visitor) -> dict[str, tuple[str | None, list[tuple[str, str]]]]:
    """Return the entries of the sitemap of the site."""
    return entries(sample.get("/sitemap.xml"))


def urls_of(whole: dict[str, Any], locale: str, folder: str = "", depth: int = 0) -> set[str]:
    """Return the URLs of the sitemap in a folder of a locale, of that many further parts."""
    start = f"{BASE_URL}/{locale}{folder}"
    below = {url for url in whole if url == start or url.startswith(f"{start}/")}
    return {url for url in below if not depth or url.removeprefix(start).count("/") == depth}


@EVERY_PAGE
def test_the_urlset_of_a_page_has_its_own_entry(
    sample: Visitor, whole: dict[str, Any], path: str
) -> None:
    """First, as the sitemap of the site has it; so has that of a list for all its pages."""
    listed = entries(sample.get(path, XML))
    assert next(iter(listed)) == BASE_URL + path or path[1:] in LOCALES
    assert BASE_URL + path in listed
    assert {url: whole[url] for url in listed} == listed


@cases("locale", LOCALES)
def test_the_urlset_of_a_list_has_the_whole_list(
    sample: Visitor, whole: dict[str, Any], locale: str
) -> None:
    """On each of its parts; the home page of a locale lists all its pages."""

    def listed(path: str) -> set[str]:
        return set(entries(sample.get(f"/{locale}{path}", XML)))

    assert listed("") == urls_of(whole, locale)
    own = f"{BASE_URL}/{locale}"
    posts = {url for url in urls_of(whole, locale, "/blog", 1) if "/blog/" in url}
    assert len(posts) > 9
    assert listed("/blog") == listed("/blog?page=2") == posts | {f"{own}/blog"}
    for folder, name in (("/products", "products"), ("/modules", "modules")):
        assert listed(folder) == urls_of(whole, locale, folder, 1) | {f"{own}/{name}"}
    assert listed("/industries") == urls_of(whole, locale, "/industries", 1) | {f"{own}/industries"}
    language = locale.partition("/")[2]
    cities = {
        url
        for url in whole
        if url.removeprefix(BASE_URL).split("/")[2:4] == [language, "cities"]
        and url.count("/") == 6
    }
    assert listed("/cities") == cities | {f"{own}/cities"}
    assert len(cities) > 2


@cases("kind", ["category", "tag", "author"])
@cases("locale", LOCALES)
def test_the_urlset_of_a_term_has_all_its_posts(
    sample: Visitor, whole: dict[str, Any], locale: str, kind: str
) -> None:
    """As many as its list counts."""
    terms = [url.removeprefix(BASE_URL) for url in urls_of(whole, locale, f"/blog/{kind}", 1)]
    assert terms
    for path in terms:
        total = sample.get(path, {"Accept": "application/json"}).json["pagination"]["total"]
        assert len(entries(sample.get(path, XML))) == total + 1


@cases("locale", LOCALES)
@cases(
    ("target", "path"),
    [
        ("/blog/posts?pageSize=1", "/blog"),
        ("/homepage", ""),
        ("/site", ""),
        ("/navigation", ""),
        ("/locale-content/erp", "/erp"),
        ("/locale-content/industries", "/industries"),
        ("/testimonials", "/testimonials"),
    ],
)
def test_the_urlset_of_the_api_is_that_of_the_page(
    sample: Visitor, locale: str, target: str, path: str
) -> None:
    """The list of posts has no entry of the blog, which is another resource."""
    country, language = locale.split("/")
    separator = "&" if "?" in target else "?"
    reply = sample.get(f"{API}{target}{separator}country={country}&lang={language}", XML)
    assert reply.headers["Cache-Control"] == "private, max-age=300"
    assert reply.headers["Vary"] == "Accept, Accept-Encoding"
    page = entries(sample.get(f"/{locale}{path}", XML))
    page.pop(f"{BASE_URL}/{locale}/blog") if path == "/blog" else None
    assert entries(reply) == page
    again = sample.get(
        f"{API}{target}{separator}country={country}&lang={language}",
        {**XML, "If-None-Match": reply.headers["ETag"]},
    )
    assert (again.status, again.body) == (304, b"")


def operations(sample: Visitor) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a request to each public operation that reads, with its documented responses."""
    document = sample.get("/openapi.json").json
    for template, methods in document["paths"].items():
        operation = methods.get("get")
        if operation is None or operation["security"] or not template.startswith(API):
            continue
        path, query = template, []
        for parameter in operation.get("parameters", []):
            name, example = parameter.get("name"), str(parameter.get("example"))
            if parameter.get("in") == "path":
                path = path.replace(f"{{{name}}}", example)
            elif parameter.get("required"):
                query.append(f"{name}={quote(example)}")
        yield f"{path}?{'&'.join(query)}", operation["responses"]["200"]["content"]


def test_each_operation_about_pages_has_a_urlset_and_the_others_stay_json(sample: Visitor) -> None:
    """As the contract says, in both languages; every entry is one of the sitemap."""
    whole = entries(sample.get("/sitemap.xml"))
    kinds = {"application/xml": 0, "application/json": 0}
    for target, documented in operations(sample):
        for language in ("en", "ar"):
            reply = sample.get(f"{target}&lang={language}", XML)
            expected = "application/xml" if "application/xml" in documented else "application/json"
            assert reply.headers["Content-Type"].partition(";")[0] == expected, target
            kinds[expected] += 1
            if expected == "application/xml":
                assert reply.status == 200
                assert entries(reply).items() <= whole.items()
    assert min(kinds.values()) >= 6


@cases("accept", BROWSERS.values())
def test_a_browser_gets_no_urlset(sample: Visitor, accept: str) -> None:
    """On a page of each type, in both languages, and on the API, where JSON stays the default."""
    pages = [f"/{locale}{kind}" for locale in LOCALES for kind in KINDS]
    for path in ("/", "/developers", *pages):
        reply = sample.get(path, {"Accept": accept})
        assert reply.status in {200, 302, 404, 406}  # 406 to what names XHTML, but not HTML
        assert not reply.headers["Content-Type"].startswith("application/xml")
        assert "Accept" in reply.headers["Vary"]
    for target, _ in operations(sample):
        media_type = sample.get(target, {"Accept": accept}).headers["Content-Type"]
        assert media_type.startswith(("application/json", "text/markdown"))
        assert accept == AGENT or media_type == "application/json"


def test_what_search_engines_shall_not_index_is_in_no_urlset(visit: Visit) -> None:
    """Pages that are not indexed, copies of other pages; an error is no sitemap."""
    site = visit(
        {
            "pages/hidden.md": "---\ntitle: A\nseo: {noIndex: true}\n---\n",
            "pages/copy.md": "---\ntitle: A\nseo: {canonicalUrl: 'https://a.test/'}\n---\n",
            "pages/shown.md": "---\ntitle: A\nupdatedAt: 2026-03-01T08:00:00Z\n---\n",
        },
        audience=True,
    )
    for path in ("hidden", "copy"):
        assert entries(site.get(f"/ae/en/{path}.xml")) == {}
        assert entries(site.get(f"{API}/pages/{path}", XML)) == {}
    ((date, _),) = entries(site.get("/ae/en/shown?utm_source=x", XML)).values()
    assert date == "2026-03-01T08:00:00Z"
    assert set(entries(site.get(f"{API}/pages", XML))) == {f"{BASE_URL}/ae/en/shown"}
    missing = site.get("/ae/en/nothing", XML)
    assert (missing.status, missing.headers["Content-Type"]) == (
        404,
        "text/markdown; charset=utf-8",
    )


def test_an_entry_has_the_pictures_of_the_page(visit: Visit) -> None:
    """Those of its front matter, also in the list; of this site or another one, over HTTP."""
    site = visit(
        {
            "posts/a.md": "---\ntitle: A\ncoverImage: /images/a.png\n---\nText.\n",
            "posts/b.md": "---\ntitle: B\ncoverImage: https://cdn.test/b.png?x=1&y=2\n---\nText.\n",
            "posts/c.md": "---\ntitle: C\ncoverImage: javascript:x()\n---\nText.\n",
        }
    )
    root = parsed(site.get("/ae/en/blog", XML).body)
    pictures = [each.text for each in root.iterfind(".//i:loc", NAMES)]
    assert sorted(filter(None, pictures)) == [
        "https://cdn.test/b.png?x=1&y=2",
        f"{BASE_URL}/images/a.png",
    ]
    own = parsed(site.get("/ae/en/blog/a", XML).body)
    assert [each.text for each in own.iterfind(".//i:loc", NAMES)] == [f"{BASE_URL}/images/a.png"]


@cases(
    ("accept", "media_type"),
    [
        pytest.param(BROWSER, "application/xml", id="browser"),
        pytest.param("text/html", "application/xml", id="HTML only"),
        pytest.param("*/*", "application/xml", id="curl"),
        pytest.param("image/png", "application/xml", id="nothing that there is"),
        pytest.param("application/xml", "application/xml", id="search engine"),
        pytest.param(AGENT, "text/markdown", id="agent"),
        pytest.param(FRONTEND, "application/json", id="frontend"),
    ],
)
def test_the_sitemap_of_the_site_has_three_forms(
    sample: Visitor, accept: str, media_type: str
) -> None:
    """All with the same URLs; only XML may be kept by shared caches."""
    reply = sample.get("/sitemap.xml", {"Accept": accept})
    assert reply.headers["Content-Type"].partition(";")[0] == media_type
    assert reply.headers["Vary"] == "Accept, Accept-Encoding"
    is_xml = media_type == "application/xml"
    assert reply.headers["Cache-Control"].startswith("public" if is_xml else "private")
    assert listed_urls(reply) == list(entries(sample.get("/sitemap.xml")))
    head = sample.ask("HEAD", "/sitemap.xml", {"Accept": accept})
    assert sorted(head.headers.items()) == sorted(reply.headers.items())


def listed_urls(reply: Reply) -> list[str]:
    """Return the URLs of a sitemap in any form."""
    media_type = reply.headers["Content-Type"]
    if media_type.startswith("text/markdown"):
        return [line[3:].partition(">")[0] for line in reply.text.splitlines() if line[:1] == "-"]
    if media_type == "application/json":
        return [page["url"] for page in reply.json["pages"]]
    return list(entries(reply))


@pytest.mark.parametrize("media_type", [MediaType.MARKDOWN, MediaType.JSON])
def test_a_large_sitemap_has_the_same_parts_in_each_form(
    view_of: ViewOf, media_type: MediaType
) -> None:
    """The index names them; a part that is not there is missing in each form."""
    view = view_of({f"pages/p-{n}.md": "---\ntitle: A\n---\nText.\n" for n in range(9)})
    pages, limits = site_map(view.snapshot, view.now), SitemapLimits(urls=30)

    def form(number: int | None) -> str:
        made = sitemap.render_form(pages, BASE_URL, media_type, number, limits)
        return made.body.decode() if made else ""

    parts = range(1, len(sitemap.split(pages, BASE_URL, limits)) + 1)
    assert len(parts) > 1
    assert [f"{BASE_URL}/sitemap-{number}.xml" in form(None) for number in parts] == [True] * len(
        parts
    )
    for number in parts:
        xml = sitemap.render_part(pages, BASE_URL, number, limits)
        assert xml is not None
        urls = [each.text for each in parsed(xml.body).iterfind("s:url/s:loc", NAMES)]
        if media_type is MediaType.JSON:
            assert [page["url"] for page in json.loads(form(number))["pages"]] == urls
        else:
            assert [line[3:].partition(">")[0] for line in form(number).splitlines()[2:]] == urls
    assert form(0) == form(len(parts) + 1) == ""
