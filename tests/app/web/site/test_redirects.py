"""Redirects from old addresses: those that documents list, and the rules of `_redirects`."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases
from conftest import Visit

from app.services import services_of

POST = "---\ntitle: Hello\naliases: [/2019/05/hello.html, old-hello, /sa/ar/marhaba]\n---\nText.\n"
TREE = {
    "posts/hello.md": POST,
    "posts/hello.ar.md": "---\ntitle: مرحبا\n---\nنص.\n",
    "posts/2019-05-07-pattern.md": "---\ntitle: P\ncategory: C++\n"
    "permalink: /:year/:month/:title/\n---\nText.\n",
    "posts/later.md": "---\ntitle: Later\ndate: 2027-01-01\naliases: /soon\n---\nText.\n",
    "pages/about.md": "---\ntitle: A\npermalink: /about/\nredirect_from: /about-us/\n---\nText.\n",
    "pages/contact.md": "---\ntitle: C\n---\nText.\n",
    "categories/tax.md": "---\ntitle: Tax\n---\n",
    "images/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "_redirects": """\
# Addresses of the old site
/news/:year/:slug   /blog/:slug
/feed.xml           /blog/feed.xml     302
/tax/feed.xml       /blog/category/tax/feed.xml
/none/feed.xml      /blog/category/none/feed.xml
/docs/*             https://docs.example.com/:splat
/first              /second            # a chain
/second             /2019/05/hello.html
/removed            /                  410
/removed-too        410
/picture            /images/a.svg
/nowhere            /not-there
/round              /and-round
/and-round          /round
/deep/*             /deep/x/:splat
/to-arabic          /sa/ar/blog/hello
/with-query         /blog/hello?a=1#top
/contact/           /contact
/about              /pricing
/2019/05/hello.html /about
/sa/en/only-here    /about
/any/*              /:splat
/:slug.html         /blog/:slug
/?p=20              /first
/?page_id=11&lang=ar /sa/ar/about
/ id=30             /about             302
/?p=40              410
/index.php?p=20     /about
""",
}


@cases(
    ("old", "status", "new"),
    [
        pytest.param("/2019/05/hello.html", 301, "/ae/en/blog/hello", id="as written"),
        pytest.param("/hello.html", 301, "/ae/en/blog/hello", id="placeholder and extension"),
        pytest.param("/about", 301, "/ae/en/about", id="without slash"),
        pytest.param("/about/", 301, "/ae/en/about", id="with slash"),
        pytest.param("/about/index.html", 301, "/ae/en/about", id="index page"),
        pytest.param("/contact", 301, "/ae/en/contact", id="a rule to a page of the same name"),
        pytest.param("/sa/en/about-us", 301, "/sa/en/about", id="redirect_from, in a locale"),
        pytest.param("/kw/ar/2019/05/hello.html", 301, "/kw/ar/blog/hello", id="in each locale"),
        pytest.param("/blog/old-hello", 301, "/ae/en/blog/hello", id="name beside the page"),
        pytest.param("/sa/ar/blog/old-hello", 301, "/sa/ar/blog/hello", id="name in a locale"),
        pytest.param("/sa/en/blog/old-hello.md", 301, "/sa/en/blog/hello.md", id="its markdown"),
        pytest.param("/sa/en/about-us/", 301, "/sa/en/about", id="with slash, in a locale"),
        pytest.param("/sa/en/about/", 308, "/sa/en/about", id="slash after a page"),
        pytest.param("/sa/ar/marhaba", 301, "/sa/ar/blog/hello", id="alias of a locale"),
        pytest.param("/2019/05/pattern/", 301, "/ae/en/blog/pattern", id="pattern"),
        pytest.param("/news/2019/hello", 301, "/ae/en/blog/hello", id="placeholder"),
        pytest.param("/sa/ar/news/2019/hello", 301, "/sa/ar/blog/hello", id="rule in a locale"),
        pytest.param("/feed.xml", 302, "/ae/en/blog/feed.xml", id="status"),
        pytest.param("/tax/feed.xml", 301, "/ae/en/blog/category/tax/feed.xml", id="category feed"),
        pytest.param("/none/feed.xml", 404, None, id="feed of no category"),
        pytest.param("/docs/a/b", 301, "https://docs.example.com/a/b", id="splat"),
        pytest.param("/docs", 301, "https://docs.example.com/", id="empty splat"),
        pytest.param("/first", 301, "/ae/en/blog/hello", id="chain in one step"),
        pytest.param("/picture", 301, "/images/a.svg", id="file"),
        pytest.param("/to-arabic", 301, "/sa/ar/blog/hello", id="target in a locale"),
        pytest.param("/first?a=1&b=%2F", 301, "/ae/en/blog/hello?a=1&b=%2F", id="query"),
        pytest.param("/with-query?b=2", 301, "/ae/en/blog/hello?a=1&b=2#top", id="both queries"),
        pytest.param("/sa/en/only-here", 301, "/sa/en/about", id="rule of one locale"),
        pytest.param("/sa/ar/only-here", 404, None, id="not in another locale"),
        pytest.param("/removed", 410, None, id="gone"),
        pytest.param("/removed-too", 410, None, id="gone without target"),
        pytest.param("/nowhere", 404, None, id="target does not exist"),
        pytest.param("/round", 404, None, id="circle"),
        pytest.param("/deep/a", 404, None, id="endless splat"),
        pytest.param("/soon", 404, None, id="not published yet"),
        pytest.param("/any/%2Fevil.example", 404, None, id="splat is no host"),
        pytest.param("/any//evil.example", 404, None, id="splat begins with a slash"),
        pytest.param("/any/%5C%5Cevil.example", 404, None, id="backslashes"),
        pytest.param("/docs/%0D%0ASet-Cookie:a", 400, None, id="line break"),
        pytest.param("/sa/en/about", 200, None, id="a rule hides no page"),
        pytest.param("/blog/hello/", 301, "/ae/en/blog/hello", id="page without a locale"),
        pytest.param("/Blog/hello.html", 301, "/ae/en/blog/hello", id="its letters and suffix"),
        pytest.param("/blog/hello.md", 301, "/ae/en/blog/hello.md", id="its markdown, no locale"),
        pytest.param("/blog/later", 404, None, id="unpublished page without a locale"),
        pytest.param("/page/2/", 301, "/ae/en/blog", id="later page"),
        pytest.param("/blog/index-3.html", 301, "/ae/en/blog", id="later page of Nikola"),
        pytest.param("/archives/2026/05/", 301, "/ae/en/blog", id="archive of a month"),
        pytest.param("/blog/2019/", 301, "/ae/en/blog", id="archive of a year"),
        pytest.param(
            "/category/c.html", 301, "/ae/en/blog/category/c-plus-plus", id="former slug, suffix"
        ),
        pytest.param("/archive.html", 301, "/ae/en/blog", id="archive"),
        pytest.param("/kw/ar/page/2/", 301, "/kw/ar/blog", id="later page in a locale"),
        pytest.param("/category/tax/page/3/", 301, "/ae/en/blog/category/tax", id="of a list"),
        pytest.param("/?p=20", 301, "/ae/en/blog/hello", id="query of the root"),
        pytest.param("/?utm=a&p=20", 301, "/ae/en/blog/hello?utm=a", id="further parameters"),
        pytest.param("/?lang=ar&page_id=11", 301, "/sa/ar/about", id="two parameters"),
        pytest.param("/?page_id=11", 200, None, id="one of two parameters"),
        pytest.param("/?id=30", 302, "/ae/en/about", id="as Netlify writes it"),
        pytest.param("/?p=40", 410, None, id="gone by query"),
        pytest.param("/index.php?p=20", 301, "/ae/en/about", id="query of a path"),
    ],
)
def test_an_old_address(shared_visit: Visit, old: str, status: int, new: str | None) -> None:
    """It leads to the page in one step, and the page is there."""
    site = shared_visit(TREE)
    reply = site.get(old)
    assert (reply.status, reply.headers.get("Location")) == (status, new)
    if new and new.startswith("/"):
        assert site.get(new.partition("#")[0]).status == 200


def test_the_reader_decides_the_locale(shared_visit: Visit) -> None:
    """As at the root: by country hint and language."""
    site = shared_visit(TREE, trusted_proxies="127.0.0.0/8")
    arabic = {"Accept-Language": "ar"}
    assert site.get("/about-us", headers=arabic).headers["Location"] == "/ae/ar/about"
    kuwait = {**arabic, "CF-IPCountry": "KW"}
    reply = site.ask("GET", "/about-us", kuwait, "127.0.0.1")
    assert reply.headers["Location"] == "/kw/ar/about"


@cases("accept", ["text/html", "text/markdown", "application/json"])
@cases("method", ["GET", "HEAD"])
def test_every_client_gets_the_redirect(shared_visit: Visit, method: str, accept: str) -> None:
    """Whatever it accepts."""
    site = shared_visit(TREE)
    reply = site.ask(method, "/sa/ar/2019/05/hello.html", headers={"Accept": accept})
    assert (reply.status, reply.headers["Location"]) == (301, "/sa/ar/blog/hello")


def test_a_redirect_is_cached_without_query_only(visit: Visit) -> None:
    """It repeats the query, of which the key of the cache has a part."""
    site = visit(TREE)
    path = "/sa/ar/2019/05/hello.html"
    cache = services_of(site.quart).cache
    assert site.get(path).headers["Cache-Control"].startswith("public")
    hits = cache.hits
    assert site.get(path).headers["Location"] == "/sa/ar/blog/hello"
    assert cache.hits == hits + 1
    assert site.get(f"{path}?a=1").headers["Location"] == "/sa/ar/blog/hello?a=1"
    assert site.get(path).headers["Location"] == "/sa/ar/blog/hello"
    assert site.get("/2019/05/hello.html").headers["Cache-Control"] == "private, no-store"


def test_a_changed_file_counts_at_once(visit: Visit, tmp_path: Path) -> None:
    """A broken one keeps the rules that there were."""
    site = visit({**TREE, "_redirects": "/x /blog/hello"})
    rules = tmp_path / "content" / "_redirects"
    assert site.get("/x").status == 301
    rules.write_text("/y /blog/hello", "utf-8")
    services_of(site.quart).content_store.reload()
    assert (site.get("/x").status, site.get("/y").status) == (404, 301)
    rules.write_bytes(b"/z /blog/hello \xff")
    services_of(site.quart).content_store.reload()
    assert (site.get("/z").status, site.get("/y").status) == (404, 301)
    rules.unlink()
    services_of(site.quart).content_store.reload()
    assert site.get("/y").status == 404


def test_a_link_to_an_old_address_leads_to_the_page(shared_visit: Visit) -> None:
    """At once, without a redirect."""
    site = shared_visit(
        {**TREE, "posts/link.md": "---\ntitle: L\n---\n[x](/2019/05/hello.html#y)\n"}
    )
    assert (
        'href="/sa/en/blog/hello#y"'
        in site.get("/sa/en/blog/link", headers={"Accept": "text/html"}).text
    )
