"""Links as other generators' sites resolve them: to pages, files and headings."""

from __future__ import annotations

import pytest
from conftest import NOW, Content, ViewOf

from knowledge.checks.content_linter import check_content
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView

FILES: dict[str, str | bytes] = {
    "posts/2020-01-02-Hello_World.v1.md": "## What's new?\n\n## Part\n\n## Part\n",
    "posts/2021/other/index.md": "x",
    "pages/guide/01-install.md": "---\ntitle: Installing it\n---\n## Next {#after}",
    "pages/guide/README.md": "---\nslug: guide\n---\nx",
    "pages/api/use.mdx": "x",
    "pages/reference/_index.md": "x",
    "modules/stock.md": "x",
    "pages/My Notes.md": "x",
    "images/Plan A.png": "x",
    "images/old/logo.svg": "x",
}


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """Return a view of content that was copied from other generators."""
    return view_of(FILES)


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        pytest.param("pages/a.md", "/2020/01/02/hello-world-v1.html", "/blog/hello-world-v1"),
        pytest.param("pages/a.md", "/posts/Hello_World.v1/", "/blog/hello-world-v1", id="spelling"),
        pytest.param("pages/a.md", "/hello%20world.v1", "/blog/hello-world-v1", id="encoded"),
        pytest.param("posts/b.md", "../hello-world-v1/", "/blog/hello-world-v1", id="pretty URL"),
        pytest.param("posts/b.md", "2020-01-02-hello-world-v1", "/blog/hello-world-v1", id="date"),
        pytest.param("posts/b.md", "/_posts/2020-01-02-Hello_World.v1.md", "/blog/hello-world-v1"),
        pytest.param("pages/a.md", "@/posts/2021/other/index.md", "/blog/other", id="Zola"),
        pytest.param("pages/a.md", "/blog/2021/other", "/blog/other", id="folder of a post"),
        pytest.param("pages/a.md", "guide/install", "/01-install", id="number in the file name"),
        pytest.param("pages/guide/c.md", "./", "/guide", id="README of the folder"),
        pytest.param("pages/a.md", "/docs/guide/", "/guide", id="folder"),
        pytest.param("pages/a.md", "/reference/", "/reference", id="section of Hugo"),
        pytest.param("pages/a.md", "api/use", "/use", id="MDX"),
        pytest.param("pages/a.md", "api/use.md", "/use", id="another extension"),
        pytest.param("pages/a.md", "My%20Notes", "/my-notes", id="note"),
        pytest.param("pages/a.md", "my notes.md", "/my-notes", id="note in lower case"),
        pytest.param("pages/a.md", "/posts/", "/blog", id="list"),
        pytest.param("pages/a.md", "/modules/install", "/modules/install", id="of another kind"),
        pytest.param("pages/a.md", "/ae/en/install", "/ae/en/install", id="with a locale"),
        pytest.param("pages/a.md", "?page=2", "?page=2", id="query alone"),
        pytest.param("posts/b.md", "plan%20a.PNG", "/images/Plan%20A.png", id="image anywhere"),
        pytest.param("posts/b.md", "/static/old/logo.svg", "/images/old/logo.svg", id="image root"),
    ],
)
def test_a_link_of_another_generator_leads_to_its_page(
    view: ContentView, source: str, target: str, path: str
) -> None:
    """By the end of its path; our own addresses keep their meaning."""
    is_page = path != target and not path.startswith("/images")
    assert view.path(target, source) == (f"/ae/en{path}" if is_page else path)


@pytest.mark.parametrize(
    ("target", "fragment"),
    [
        pytest.param("hello-world-v1#whats-new", "what-s-new", id="GitHub"),
        pytest.param("hello-world-v1#What's%20new?", "what-s-new", id="Obsidian"),
        pytest.param("hello-world-v1#part-1", "part-2", id="repeated"),
        pytest.param("hello-world-v1#part-2", "part-2", id="our own id"),
        pytest.param("guide/install#next", "after", id="heading with an id"),
        pytest.param("guide/install#installing-it", "main", id="title"),
        pytest.param("guide/install#gone", "gone", id="unknown"),
    ],
)
def test_a_fragment_becomes_our_id_of_the_heading(
    view: ContentView, target: str, fragment: str
) -> None:
    """As GitHub and other generators derive it from the heading."""
    assert view.path(target, "pages/a.md").partition("#")[2] == fragment


def test_a_fragment_of_the_same_page_is_led_too(view: ContentView) -> None:
    """In the file whose text the link is in."""
    source = "posts/2020-01-02-Hello_World.v1.md"
    assert view.markdown("[a](#whats-new) [b](#x)", source) == "[a](#what-s-new) [b](#x)"


def test_check_accepts_what_is_led_to_a_page(content: Content) -> None:
    """And reports the rest."""
    text = "---\ntitle: A\n---\n## It's\n\n[a](#its) [b](/docs/b.html#no) [c](c) [d](d#x)"
    files = {"pages/a.md": text, "pages/b.md": "---\ntitle: B\n---\nx", "pages/d/e.md": "x"}
    found = [each.message for each in check_content(load_content(content(files)), NOW)]
    broken = [message for message in found if "Broken" in message]
    assert broken == [
        "Broken anchor: the page has no heading #no.",
        "Broken link: c does not exist.",
        "Broken link: d#x does not exist.",
    ]


def test_the_folders_of_a_link_choose_among_pages_of_one_name(view_of: ViewOf) -> None:
    """Then the nearest one; a page that was left out is not replaced by another."""
    files = {"pages/a/use.md": "x", "modules/b/use.md": "x", "posts/c/use.md": "x"}
    view = view_of({**files, "pages/d/use.md": "x"})
    assert view.path("/site/b/use", "pages/x.md") == "/ae/en/modules/use"
    assert view.path("use", "posts/c/x.md") == "/ae/en/blog/use"
    assert view.path("../d/use.md", "pages/a/x.md") == "../d/use.md"
