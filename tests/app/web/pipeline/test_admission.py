"""Admission: responses with content are rendered in the threads of the right executor."""

from __future__ import annotations

import threading
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

from app.platform.concurrency.executors import BoundedExecutor, Permit
from app.web.pipeline.rate_limits import workload_of

AWAITING = {
    *("get_health", "get_locale_hint", "get_locale_routing", "get_erp_status"),
    *(
        "post_lead",
        "post_feedback",
        "list_changes",
        "post_contact",
        "post_form",
        "get_site_path",
        "get_image",
        "get_favicon",
        "get_touch_icon",
    ),
    *("list_products", "list_orders", "get_order", "preview_order", "push_order"),
}
"""Handlers that wait for a store or another executor, or read no content."""

API = "/api/public/v1"


def test_every_other_handler_runs_in_a_thread(sample: Visitor) -> None:
    """Add a new coroutine handler to AWAITING if it does no work that blocks the event loop."""
    handlers = set(sample.quart.view_functions.values())
    assert {handler.__name__ for handler in handlers if iscoroutinefunction(handler)} == AWAITING


@cases(
    ("target", "executor"),
    [
        pytest.param("/", "pages", id="the root"),
        pytest.param("/ae/en/erp.md?x=1", "pages", id="a page as markdown"),
        pytest.param("/ae/en/blog?page=2", "pages", id="a list"),
        pytest.param("/ae/en/no-such", "pages", id="a missing page"),
        pytest.param("/no-such", "pages", id="a missing path"),
        pytest.param("/static/x/site.css", "pages", id="a style"),
        pytest.param(f"{API}/pages", "pages", id="the API"),
        pytest.param("/api/page/about?search=x", "pages", id="an alias that searches nothing"),
        pytest.param("/ae/en/blog?page=2&search=x", "searches", id="a search of the blog"),
        pytest.param("/ae/en/search?q=x", "searches", id="a search of the site"),
        pytest.param("/ae/en/search?q=", "pages", id="a search for nothing"),
        pytest.param(f"{API}/blog/posts?search=x", "searches", id="a search of the API"),
        pytest.param("/openapi.json", "maps", id="the contract"),
        pytest.param("/developers.md", "maps", id="the manual"),
        pytest.param("/ae/en/llms.txt", "maps", id="llms.txt"),
        pytest.param("/api/products", None, id="what waits for the database first"),
        pytest.param("/images/logo.svg", None, id="a file"),
        pytest.param(f"{API}/health", None, id="health"),
        pytest.param("/api/health", None, id="its alias"),
        pytest.param("/api/no-such", None, id="no route"),
    ],
)
def test_each_read_uses_one_executor(sample: Visitor, target: str, executor: str | None) -> None:
    """It depends on the path, and on whether the query has a search."""
    assert workload_of(sample.context("GET", target)) == executor
    assert workload_of(sample.context("POST", target)) is None


@pytest.mark.parametrize("target", ["/ae/ar/pricing", f"{API}/cities?lang=ar", "/sitemap.xml"])
def test_the_event_loop_renders_nothing(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    """All rendering happens in threads; no response of another test is in the cache."""
    site = visit({"pages/pricing.md": "---\ntitle: Pricing\n---\nText.\n"})
    names: list[str] = []
    run = BoundedExecutor._run

    async def recording_run(self: BoundedExecutor, work: Callable[[], Any], permit: Permit) -> Any:
        def recorded() -> Any:
            names.append(threading.current_thread().name)
            return work()

        return await run(self, recorded, permit)

    monkeypatch.setattr(BoundedExecutor, "_run", recording_run)
    assert site.ask("HEAD", target).status == 200
    site.get(target.replace("pricing", "no-such-page"))
    assert all(name.startswith("majlis-") for name in names)
    assert names
