"""The stylesheet of a page: what a page has decides it, and its address alone makes it again."""

from __future__ import annotations

import re
from pathlib import Path

from cases import cases
from conftest import Visit
from contract.visitor import Visitor

from renderers.html import page_styles, styles

HTML = {"Accept": "text/html"}
SITE = {"pages/code.md": "---\ntitle: Code\n---\n```python\nx = 1\n```\n"}
SCRIPTS = sorted(styles.FOLDER.rglob("*.js"))
LINK = re.compile('<link rel="stylesheet" href="([^"]+)"')


def stylesheet(site: Visitor, path: str) -> str:
    """Return the path of the only stylesheet of a page."""
    (only,) = LINK.findall(site.get(path, HTML).text)
    return str(only)


def test_rules_of_what_scripts_add_are_kept(shared_visit: Visit) -> None:
    """Copy buttons, and the frames around code, are on no page before its script runs."""
    site = shared_visit(SITE)
    css = site.get(stylesheet(site, "/ae/en/code")).text
    assert ".coded{" in css
    assert ".copy:hover{" in css
    assert ".copy" not in site.get(stylesheet(site, "/ae/en")).text


@cases("path", SCRIPTS)
def test_scripts_give_classes_in_the_one_way_that_is_found(path: Path) -> None:
    """A class that is given in another way would have no rules."""
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"classList|\.className|[\"']class[\"']|innerHTML|insertAdjacent", source)
    assert source.count("className") == len(re.findall(r'className: "[\w -]+"', source))


def test_another_process_makes_the_same_file(shared_visit: Visit) -> None:
    """It has not rendered the page, and knows only the address."""
    site = shared_visit(SITE)
    path = stylesheet(site, "/ae/en/code")
    expected = site.get(path)
    page_styles._file.cache_clear()
    page_styles._deciding.cache_clear()
    again = site.get(path)
    assert (again.status, again.body) == (200, expected.body)


def test_pages_with_the_same_classes_share_a_file(shared_visit: Visit) -> None:
    """Browsers load it once."""
    page = "---\ntitle: A page\n---\n## One\n\nText.\n"
    site = shared_visit({"pages/a.md": page, "pages/b.md": page.replace("One", "Two\n\n- A list")})
    assert stylesheet(site, "/ae/en/a") == stylesheet(site, "/ae/en/b")


@cases("written", ['class="stats"', "class='stats'", "class=stats"])
def test_a_class_of_a_template_may_be_written_in_each_way(
    shared_visit: Visit, written: str
) -> None:
    """Templates of sites are HTML of any style."""
    own = (
        '{% extends "majlis/content.html" %}{% block main %}<dl ' + written + "></dl>{% endblock %}"
    )
    site = shared_visit({"_templates/content.html": own, "pages/a.md": "---\ntitle: A\n---\nText"})
    assert ".stats dd{" in site.get(stylesheet(site, "/ae/en/a")).text


def test_a_head_of_a_site_that_links_other_styles_keeps_them(shared_visit: Visit) -> None:
    """Its page has all rules."""
    own = (
        '{% extends "majlis/content.html" %}'
        '{% block head %}<link href="{{ static("site.css") }}" rel="stylesheet">{% endblock %}'
    )
    site = shared_visit({"_templates/content.html": own, "pages/a.md": "---\ntitle: A\n---\nText"})
    html = site.get("/ae/en/a", HTML).text
    assert f'<link href="{styles.url("site.css")}" rel="stylesheet">' in html
    assert site.get(styles.url("site.css")).status == 200
