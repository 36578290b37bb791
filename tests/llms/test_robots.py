"""robots.txt as crawlers read it: private paths closed to each of them, public ones open."""

from __future__ import annotations

import pytest
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from protego import Protego

from knowledge.locale import all_locales
from llms.robots import (
    SEARCH_CRAWLERS,
    TRAINING_CRAWLERS,
    USER_FETCHERS,
    content_usage,
    disallowed_paths,
)

CRAWLERS = ("*", "Googlebot", *SEARCH_CRAWLERS, *USER_FETCHERS, *TRAINING_CRAWLERS)
PRIVATE = ("/api/admin/users", "/cms/api/x", "/cart", "/cart/1", "/checkout", "/account")
ROOTS = ("", *(locale.path for locale in all_locales()))


def rules(visitor: Visitor) -> Protego:
    """The rules that a visitor's service gives."""
    return Protego.parse(visitor.get("/robots.txt").text)


@pytest.mark.parametrize("crawler", CRAWLERS)
def test_private_paths_are_closed_to_every_crawler(sample: Visitor, crawler: str) -> None:
    """At the root and under each locale."""
    found = rules(sample)
    private = (*PRIVATE, *disallowed_paths())
    open_paths = [
        path
        for root in ROOTS
        for path in private
        if found.can_fetch(BASE_URL + root + path, crawler) and not path.startswith(ROOTS[1:])
    ]
    assert open_paths == []


@pytest.mark.parametrize("crawler", CRAWLERS)
def test_every_public_page_is_open_to_every_crawler(sample: Visitor, crawler: str) -> None:
    """And the maps, twins and API resources beside them."""
    found = rules(sample)
    beside = ("/llms.txt", "/sitemap.xml", "/ae/en/erp.md", "/api/public/v1/pages", "/")
    assert all(found.can_fetch(BASE_URL + path, crawler) for path in beside)
    assert all(found.can_fetch(f"{BASE_URL}{root}/erp", crawler) for root in ROOTS)


@pytest.mark.parametrize("crawler", ["*", *TRAINING_CRAWLERS])
def test_a_public_namesake_of_a_private_path_is_open(visit: Visit, crawler: str) -> None:
    """`/ae/en/accounting` is a page, `/ae/en/account` is not."""
    found = rules(visit({"pages/accounting.md": "---\ntitle: A\n---\nText.\n"}))
    assert found.can_fetch(f"{BASE_URL}/ae/en/accounting", crawler)
    assert not found.can_fetch(f"{BASE_URL}/ae/en/account", crawler)
    assert not found.can_fetch(f"{BASE_URL}/ae/en/account/1", crawler)


def test_the_sitemap_is_named_with_its_full_address(sample: Visitor) -> None:
    """Once."""
    assert list(rules(sample).sitemaps) == [f"{BASE_URL}/sitemap.xml"]


def test_one_setting_gives_both_signals_to_every_group(visit: Visit) -> None:
    """Groups do not inherit."""
    signal = "search=yes, ai-train=yes"
    text = visit({}, content_signal=signal).get("/robots.txt").text
    groups = text.count("\n\n")
    assert text.count(f"Content-Signal: {signal}\n") == groups
    assert text.count("Content-Usage: train-ai=y\n") == groups
    assert content_usage("search=yes") is None
