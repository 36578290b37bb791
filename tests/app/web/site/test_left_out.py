"""Documents that cannot be rendered, though they load: all others are shown."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from conftest import Visit
from contract.visitor import Visitor

from app.operations.cli.rendering import rendering
from app.services import services_of
from knowledge.diagnostics.diagnostic import LeftOut
from knowledge.fields.content_types import POST, PRODUCT, AnyContentType
from knowledge.snapshot.snapshot import Snapshot

TOKEN = {"Authorization": "Bearer token-of-the-erp"}
PRODUCT_TEXT = (
    '---\nid: {id}\nsku: s\ntitle: {title}\nprices: {{AED: "1.00"}}\n---\nText of {title}.\n'
)
POST_TEXT = "---\ntitle: {title}\ndate: 2026-01-0{day}\ncategory: news\n---\nText of {title}.\n"
FILES = {
    "products/sound.md": PRODUCT_TEXT.format(id=1, title="Sound one"),
    "products/broken.md": PRODUCT_TEXT.format(id=2, title="Broken one"),
    "posts/sound.md": POST_TEXT.format(title="Sound post", day=1),
    "posts/broken.md": POST_TEXT.format(title="Broken post", day=2),
    "categories/news.md": "---\nname: News\n---\n",
    "pages/page.md": "---\ntitle: A page\n---\nText.\n",
}


def snapshot_of(visitor: Visitor) -> Snapshot:
    """Return the current snapshot of the application."""
    return services_of(visitor.quart).content_store.current.snapshot


def put(snapshot: Snapshot, kind: AnyContentType, field: str, value: object) -> None:
    """Set a value that the loader would refuse in the broken document of a type."""
    entry = snapshot.entry(kind, "broken")
    assert entry is not None
    document = entry.documents[0]
    object.__setattr__(document.fields, field, value)


@pytest.fixture
def broken(visit: Visit) -> Visitor:
    """Return a client of a site with a price and a date that cannot be rendered."""
    visitor = visit(FILES, erp_pull_api_token="token-of-the-erp")
    snapshot = snapshot_of(visitor)
    put(snapshot, PRODUCT, "prices", {"AED": Decimal("1e999999")})
    put(snapshot, POST, "updated_at", "no date at all")
    return visitor


@pytest.mark.parametrize("form", ["text/html", "text/markdown", "application/json"])
def test_lists_show_the_other_documents(broken: Visitor, form: str) -> None:
    """A product with an invalid price is left out, and so is its page."""
    reply = broken.get("/ae/en/products", {"Accept": form})
    assert reply.status == 200
    assert "Sound one" in reply.text
    assert "Broken one" not in reply.text
    assert broken.get("/ae/en/products/broken").status == 500
    assert broken.get("/ae/en/products/sound").status == 200


def test_partners_have_the_other_products(broken: Visitor) -> None:
    """The response has the other products, and `/openapi.json` still works."""
    assert [each["id"] for each in broken.get("/api/products", TOKEN).json["products"]] == [1]
    assert broken.get("/openapi.json").status == 200


@pytest.mark.parametrize("target", ["/llms-full.txt", "/ae/en/llms.txt", "/sitemap.xml"])
def test_maps_list_the_other_documents(broken: Visitor, target: str) -> None:
    """This holds for everything that covers all pages."""
    reply = broken.get(target)
    assert reply.status == 200
    assert "sound" in reply.text.lower()


@pytest.mark.parametrize(
    "target", ["/ae/en/blog", "/ae/en/blog/feed.xml", "/ae/en/blog/feed.json", "/ae/en"]
)
def test_the_blog_shows_the_other_posts(broken: Visitor, target: str) -> None:
    """One post has an invalid date; pages that list no posts are there too."""
    reply = broken.get(target)
    assert (reply.status, "Sound post" in reply.text) == (200, True)
    assert broken.get("/ae/en/page").status == 200


def test_a_card_that_cannot_be_drawn_is_missing_from_the_list(visit: Visit) -> None:
    """The date is valid in UTC, and out of range in the time zone of the country."""
    visitor = visit(FILES)
    last = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    snapshot = snapshot_of(visitor)
    index = snapshot.post_indexes.of(snapshot.open_locales[0])
    assert index.by_slug["broken"].is_published_at(visitor.clock())
    put(snapshot, POST, "published_at", last)
    visitor.clock = lambda: last
    services = services_of(visitor.quart)
    object.__setattr__(services, "clock", lambda: last)
    text = visitor.get("/ae/en/blog", {"Accept": "text/html"}).text
    assert "Sound post" in text
    assert "Broken post" not in text


def test_each_is_logged_once_with_its_file(
    broken: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged once, however many requests meet it."""
    with caplog.at_level(logging.ERROR, "knowledge.diagnostics.diagnostic"):
        for target in ("/ae/en/products", "/ae/ar/products", "/api/public/v1/pages"):
            broken.get(target)
        broken.get("/api/products", TOKEN)
    logged = [record.getMessage() for record in caplog.records]
    assert [text.partition(" ")[0] for text in logged] == ["products/broken.md"]


def test_health_names_them(broken: Visitor) -> None:
    """It does so once a page had to be shown without one, and so does the metric."""
    health = "/api/public/v1/health"
    assert broken.get(health).json["bootstrapError"] is None
    broken.get("/ae/en/products", {"Accept": "text/html"})
    assert (
        broken.get(health).json["bootstrapError"].startswith("products/broken.md:1: The document")
    )
    counts = dict(each[1:] for each in services_of(broken.quart).content_store.metrics_samples())
    assert counts["error",] == 1


def test_the_check_names_them(broken: Visitor) -> None:
    """This covers documents that cannot be listed, and those whose page fails."""
    with rendering(snapshot_of(broken), broken.clock()) as diagnostics:
        named = {diagnostic.path for diagnostic in diagnostics}
    assert named >= {"products/broken.md", "posts/broken.md"}


def test_what_can_be_made_is_made() -> None:
    """The order is kept, and the first reason is reported."""
    left_out = LeftOut()
    for _ in range(2):
        assert list(left_out.each("1x2", int, lambda text: f"pages/{text}.md")) == [1, 2]
    (diagnostic,) = left_out.diagnostics
    assert diagnostic.path == "pages/x.md"
    assert "ValueError" in diagnostic.message
