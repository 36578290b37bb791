"""Hostile documents: every other page is served, and `majlis check` ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from command_line import run_majlis
from live.server import Server, eventually

pytestmark = pytest.mark.slow

PRODUCT = '---\nid: {id}\nsku: s\ntitle: {title}\nprices: {{AED: "{price}"}}\n---\nText.\n'
NESTED = {
    "directives": ":::{faq} x\n" * 1_000,
    "directives in lists": "- a\n:::{faq} x\n> b\n" * 500,
    "lists and quotes": "- a\n> b\n" * 1_000,
    "quotes": "> " * 2_000 + "a",
    "brackets": "[" * 5_000,
}
TOKEN = "a-token-of-the-partner"
TARGETS = (
    "/ae/en",
    "/ae/en/page",
    "/ae/en/page.md",
    "/ae/en/products",
    "/ae/en/products.md",
    "/ae/en/products.json",
    "/ae/en/blog",
    "/ae/en/search?q=sound",
    "/api/products",
    "/api/public/v1/pages",
    "/openapi.json",
    "/llms.txt",
    "/llms-full.txt",
    "/sitemap.xml",
    "/ae/en/blog/feed.xml",
    "/ae/en/blog/feed.json",
    "/.well-known/agent-skills/index.json",
)


@pytest.fixture(scope="module")
def attacked(shared_start: Callable[..., Server]) -> Server:
    """A service with an absurdly large price and with deeply nested documents."""
    server = shared_start(ERP_PULL_API_TOKEN=TOKEN)
    server.write("products/dear.md", PRODUCT.format(id=1, title="Dear", price="1e999999"))
    for number, body in enumerate(NESTED.values()):
        server.write(f"pages/nested-{number}.md", f"---\ntitle: Nested\n---\n{body}\n")
        server.write(f"posts/nested-{number}.md", f"---\ntitle: Nested\n---\n{body}\n")
    server.write("products/sound.md", PRODUCT.format(id=2, title="Sound", price="1.00"))
    eventually(lambda: server.client_get("/ae/en/products/sound").status_code == 200)
    return server


def test_a_hostile_file_affects_no_other_page(attacked: Server) -> None:
    """Pages, lists, sitemaps and APIs work; the nested pages are served as well."""
    with attacked.client() as client:
        client.headers["Authorization"] = f"Bearer {TOKEN}"
        folders = ("", "blog/")
        nested = [f"/ae/en/{folder}nested-{n}" for folder in folders for n in range(len(NESTED))]
        targets = [*TARGETS, *nested]
        statuses = {target: client.get(target).status_code for target in targets}
        assert statuses == dict.fromkeys(targets, 200)
        products = client.get("/api/products").json()["products"]
        assert [product["id"] for product in products] == [2]


def test_the_check_names_the_files_and_ends(attacked: Server) -> None:
    """With line and remedy, and without a traceback."""
    done = run_majlis("check", str(attacked.content), folder=attacked.content.parent)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr
    assert "products/dear.md:5 prices.AED" in done.stdout
    assert "digits before the decimal point" in done.stdout
    assert "pages/nested-0.md" in done.stdout
