"""robots.txt, read by a crawler's parser: private paths are disallowed, public ones allowed."""

from __future__ import annotations

import pytest
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from gulf import all_locales
from protego import Protego

from app.services import services_of
from llms.content_signal import content_usage
from llms.robots import SEARCH_CRAWLERS, TRAINING_CRAWLERS, USER_FETCHERS, disallowed_paths

CRAWLERS = ("*", "Googlebot", *SEARCH_CRAWLERS, *USER_FETCHERS, *TRAINING_CRAWLERS)
PRIVATE = ("/api/admin/users", "/cms/api/x", "/cart", "/cart/1", "/checkout", "/account")
ROOTS = ("", *(locale.path for locale in all_locales()))


def rules(visitor: Visitor) -> Protego:
    """Parse the robots.txt of the visitor's service."""
    return Protego.parse(visitor.get("/robots.txt").text)


@pytest.mark.parametrize("crawler", CRAWLERS)
def test_private_paths_are_disallowed_for_every_crawler(sample: Visitor, crawler: str) -> None:
    """Private paths exist at the root and under each locale."""
    robots = rules(sample)
    snapshot = services_of(sample.quart).content_store.current.snapshot
    private = (*PRIVATE, *disallowed_paths(snapshot))
    allowed = [
        path
        for root in ROOTS
        for path in private
        if robots.can_fetch(BASE_URL + root + path, crawler) and not path.startswith(ROOTS[1:])
    ]
    assert allowed == []


@pytest.mark.parametrize("crawler", CRAWLERS)
def test_public_pages_are_allowed_for_every_crawler(sample: Visitor, crawler: str) -> None:
    """Discovery documents, per-format URLs and API resources are allowed too."""
    robots = rules(sample)
    other_paths = ("/llms.txt", "/sitemap.xml", "/ae/en/erp.md", "/api/public/v1/pages", "/")
    assert all(robots.can_fetch(BASE_URL + path, crawler) for path in other_paths)
    assert all(robots.can_fetch(f"{BASE_URL}{root}/erp", crawler) for root in ROOTS)


@pytest.mark.parametrize("crawler", ["*", *TRAINING_CRAWLERS])
def test_a_public_path_that_starts_like_a_private_one_is_allowed(
    visit: Visit, crawler: str
) -> None:
    """`/ae/en/accounting` is a page, `/ae/en/account` is not."""
    product = "---\nid: 1\ntitle: P\n---\nText.\n"
    page = "---\ntitle: A\n---\nText.\n"
    robots = rules(visit({"pages/accounting.md": page, "products/p.md": product}))
    assert robots.can_fetch(f"{BASE_URL}/ae/en/accounting", crawler)
    assert not robots.can_fetch(f"{BASE_URL}/ae/en/account", crawler)
    assert not robots.can_fetch(f"{BASE_URL}/ae/en/account/1", crawler)


def test_the_sitemap_is_listed_once(sample: Visitor) -> None:
    """Its URL is absolute."""
    assert list(rules(sample).sitemaps) == [f"{BASE_URL}/sitemap.xml"]


def test_one_setting_sets_both_signals_in_every_group(visit: Visit) -> None:
    """Groups do not inherit directives, so each has Content-Signal and Content-Usage."""
    signal = "search=yes, ai-train=yes"
    text = visit({}, content_signal=signal).get("/robots.txt").text
    groups = text.count("\n\n")
    assert text.count(f"Content-Signal: {signal}\n") == groups
    assert text.count("Content-Usage: train-ai=y, search=y\n") == groups


@pytest.mark.parametrize(
    ("signal", "usage"),
    [
        pytest.param("search=yes, ai-input=yes, ai-train=no", "train-ai=n, search=y", id="default"),
        pytest.param("AI-Train = NO", "train-ai=n", id="upper case and spaces"),
        pytest.param("search=no", "search=n", id="search only"),
        pytest.param("ai-input=yes", None, id="no category of AIPREF"),
        pytest.param("x-search=yes, research=no, search=maybe", None, id="other words"),
    ],
)
def test_content_usage_tells_what_content_signal_tells(
    visit: Visit, signal: str, usage: str | None
) -> None:
    """In the headers of markdown, in every group of robots.txt, and nowhere else."""
    site = visit({"pages/x.md": "---\ntitle: X\n---\nText.\n"}, content_signal=signal)
    assert content_usage(signal) == usage
    for path in ("/ae/en/x.md", "/llms.txt", "/developers.md"):
        headers = site.get(path).headers
        assert (headers["Content-Signal"], headers.get("Content-Usage")) == (signal, usage)
    assert "Content-Usage" not in site.get("/ae/en/x", {"Accept": "text/html"}).headers
    lines = site.get("/robots.txt").text.splitlines()
    assert set(filter(lambda line: line.startswith("Content-Usage"), lines)) == (
        {f"Content-Usage: {usage}"} if usage else set()
    )
