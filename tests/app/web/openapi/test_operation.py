"""Operation declarations, and errors for routes without one."""

from __future__ import annotations

import pytest
from conftest import ViewOf

from app.web.openapi.operation import first_of, operation_of
from app.web.public.site import get_page
from knowledge.fields.content_types import POST
from knowledge.resources.pages import PageDetail

PAGE = "---\ntitle: A\n---\nText.\n"


def test_a_declaration_can_be_read_from_its_handler() -> None:
    """The decorator stores it on the function."""
    assert operation_of(get_page).model is PageDetail


def test_a_handler_without_a_declaration_is_named() -> None:
    """So that the error is easy to find."""

    async def get_nothing() -> None:
        """Get nothing."""

    with pytest.raises(LookupError, match="get_nothing"):
        operation_of(get_nothing)


@pytest.mark.parametrize(
    ("files", "slug"),
    [
        pytest.param(["posts/a.md", "posts/b.md", "posts/b.ar.md"], "b", id="both languages"),
        pytest.param(["posts/a.md", "posts/b.md"], "a", id="one language"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_examples_prefer_documents_in_both_languages(
    view_of: ViewOf, files: list[str], slug: str | None
) -> None:
    """Of equal ones it is the first by slug; without any there is no example."""
    assert first_of(POST)(view_of(dict.fromkeys(files, PAGE))) == slug
