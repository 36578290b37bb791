"""The recipe "A media type", performed on a copy of the packages: text/gemini."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from recipes.copied_tree import Answer, CopiedTree

pytestmark = pytest.mark.slow

NEXT_ROW = "    XML = (\n"
GEMINI_ROW = '    GEMINI = "text/gemini", ".gmi", "renderers.gemini:render"\n'
MODULE = '''
"""The Gemini renderer: the markdown without its front matter."""

from __future__ import annotations

from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from renderers.markdown.renderer import page_text
from renderers.representation import Representation

MEDIA_TYPE = "text/gemini; charset=utf-8"


def render(page: PageModel[Resource]) -> Representation:
    """Render a public page for Gemini."""
    body = page_text(page).encode()
    return Representation(MEDIA_TYPE, body, page.language, page.updated_at)
'''
PATH = "/sa/en/erp"
REQUESTS: tuple[tuple[str, Mapping[str, str]], ...] = (
    (PATH, {"Accept": "text/gemini"}),
    (f"{PATH}.gmi", {}),
    (PATH, {"Accept": "text/html"}),
    (PATH, {"Accept": "image/png"}),
    ("/sa/en", {"Accept": "text/gemini;q=0.5, text/markdown;q=0.4"}),
    ("/developers", {"Accept": "text/markdown"}),
    ("/sa/en/llms.txt", {}),
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopiedTree:
    """Return a copy with the representation."""
    tree = CopiedTree(tmp_path_factory.mktemp("gemini"))
    tree.write("renderers/gemini.py", MODULE.lstrip())
    tree.replace("renderers/representation.py", NEXT_ROW, GEMINI_ROW + NEXT_ROW)
    return tree


@pytest.fixture(scope="module")
def answers(tree: CopiedTree) -> list[Answer]:
    """Return the responses to `REQUESTS`."""
    return list(tree.ask(*REQUESTS))


def test_the_media_type_is_negotiated(answers: list[Answer]) -> None:
    """By name and by quality; the page's own URL is private to the client."""
    named, _, _, _, weighted, *_ = answers
    assert named.headers["content-type"] == "text/gemini; charset=utf-8"
    assert named.headers["content-location"] == f"{PATH}.gmi"
    assert named.headers["cache-control"].startswith("private")
    assert named.text.startswith("# ")
    assert weighted.headers["content-type"] == "text/gemini; charset=utf-8"


def test_it_has_per_format_urls(answers: list[Answer]) -> None:
    """They are public, and not indexed; other files with the suffix are what they were."""
    named, suffixed, *_, guide = answers
    assert suffixed.text == named.text
    assert suffixed.headers["cache-control"].startswith("public")
    assert suffixed.headers["x-robots-tag"] == "noindex"
    assert "## " in guide.text


def test_pages_link_to_it(answers: list[Answer]) -> None:
    """In the Link header and in the head of the HTML."""
    page = answers[2]
    assert (
        f'<https://www.wahat.example{PATH}.gmi>; rel="alternate"; type="text/gemini"'
        in (page.headers["link"])
    )
    assert f'<link rel="alternate" type="text/gemini" href="{PATH}.gmi">' in page.text


def test_the_refusal_and_the_manual_name_it(answers: list[Answer]) -> None:
    """Among the media types and suffixes that were there before."""
    refused, manual = answers[3], answers[5]
    assert refused.status == 406
    assert "application/json, text/gemini, application/xml and text/plain" in refused.text
    assert "`application/json`, `text/gemini`, `application/xml`, `text/plain`" in manual.text
    assert "/contact.gmi`" in manual.text


def test_a_row_without_its_module_is_a_sentence(tree: CopiedTree) -> None:
    """So is a module without its function."""
    sentence = "text/gemini has no renderer: write render(page) in the module renderers.gemini."
    try:
        (tree.folder / "renderers/gemini.py").unlink()
        assert sentence in tree.error()
        tree.write("renderers/gemini.py", '"""Nothing yet."""\n')
        assert sentence in tree.error()
    finally:
        tree.write("renderers/gemini.py", MODULE.lstrip())
