"""Pages rendered as HTML from files of a test, and their images."""

from __future__ import annotations

import re
from collections.abc import Mapping

from conftest import ViewOf

from knowledge.addresses.addresses import parse_address
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from renderers.html import renderer

TITLE = "---\ntitle: T\n---\n"
Files = Mapping[str, str | bytes]


def images(html: str) -> list[dict[str, str]]:
    """Return the attributes of the images of a page."""
    return [dict(re.findall(r'([a-z]+)="([^"]*)"', tag)) for tag in re.findall("<img[^>]*>", html)]


def page(view_of: ViewOf, files: Files, path: str = "/x") -> str:
    """Return the main part of the HTML of a page."""
    view, address = view_of(files), parse_address(path)
    assert address
    html = renderer.render(site_page(view, address, PageQuery())).body.decode()
    return html[html.index("<main") : html.index("</main")]
