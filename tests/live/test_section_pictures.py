"""The sections of the author's guide in a browser, and their pictures in the guide."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from guide_sections import GUIDE
from live.checkers import accessibility_faults, html_faults
from live.documents import ROOT
from live.fixtures import made_of_sample
from live.guide_pictures import FILES
from live.section_pictures import PICTURES, examples, write_pages
from live.server import Server
from playwright.sync_api import Page

pytestmark = pytest.mark.slow

OUTSIDE = """() => [...document.querySelectorAll("main *")].filter(element => {
  const box = element.getBoundingClientRect();
  const isOut = box.width && (box.left < -1 || box.right > innerWidth + 1);
  return isOut && !element.closest(".table, .hidden");
}).map(element => element.outerHTML.slice(0, 80))"""
SMALL = """() => [...document.querySelectorAll("main .button, main summary")].filter(element => {
  const box = element.getBoundingClientRect();
  return element.checkVisibility() && (box.height < 43.5 || box.width < 43.5);
}).map(element => element.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The sample content with the examples of the guide."""
    folder = tmp_path_factory.mktemp("sections")
    write_pages(folder / "content")
    with Server(folder / "content", folder, **made_of_sample()) as running:
        yield running


@pytest.mark.parametrize("window", ["desk", "phone"])
@pytest.mark.parametrize("path", ["/ae/en/examples", "/sa/ar/examples", "/sa/ar/pricing"])
def test_all_types_are_accessible_and_within_the_window(
    server: Server, window: str, path: str, request: pytest.FixtureRequest
) -> None:
    """On a wide light screen and on a narrow dark one; buttons are large enough."""
    page: Page = request.getfixturevalue(window)
    page.goto(server.url + path)
    assert accessibility_faults(page) == []
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SMALL) == []


def test_the_w3c_checker_finds_no_problem(server: Server, tmp_path: Path) -> None:
    """In the markup of all types."""
    html = server.client_get("/ae/en/examples").content
    (tmp_path / "examples.html").write_bytes(html)
    assert html_faults(tmp_path) == []


@pytest.mark.parametrize("width", [320, 390])
def test_a_price_is_in_view_without_scrolling_sideways(
    server: Server, phone: Page, width: int
) -> None:
    """The cards of plans stand below each other on phones."""
    phone.set_viewport_size({"width": width, "height": 800})
    phone.goto(f"{server.url}/sa/ar/pricing")
    boxes = [price.bounding_box() for price in phone.locator(".plans .price:visible").all()]
    assert len(boxes) == 3
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


@pytest.mark.parametrize("name", sorted(examples()))
def test_the_guide_has_a_picture_of_each_type(name: str) -> None:
    """Small ones; `make pictures` makes them."""
    assert f"](pictures/{name}.webp)" in GUIDE
    assert 0 < (PICTURES / f"{name}.webp").stat().st_size < 40_000


@pytest.mark.parametrize("name", FILES)
def test_guides_have_pictures_in_their_languages(name: str) -> None:
    """Small ones; `make pictures` makes them."""
    guide, shown = name.split("-", maxsplit=1)[0], name.replace(".ar", "")
    suffix = ".ar" if ".ar" in name else ""
    assert f"](pictures/{shown})" in (ROOT / "docs" / f"{guide}{suffix}.md").read_text("utf-8")
    assert 0 < (PICTURES / name).stat().st_size < 60_000
