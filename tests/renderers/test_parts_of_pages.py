"""The parts of a page are made once for all its forms, until an edit touches them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import BASE_URL, NOW, Content, locale_of

from knowledge.addresses.addresses import parse_address
from knowledge.edits import recording
from knowledge.resources.base import Resource
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import PageModel, preview_page, site_page
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.views.content_view import ContentView
from knowledge.views.edit_effects import touched, with_shared_results
from renderers.blocks.page_blocks import PageBlocks, page_blocks, plain_query
from renderers.html.renderer import FormState, render
from renderers.page_rendering import page_renderers, page_title
from renderers.representation import MediaType

FILES: dict[str, str | bytes] = {
    "pages/about.md": "---\ntitle: About\n---\nOpening.\n\n## Team\n\nWe are here.\n",
    "pages/visit.md": "---\ntitle: Visit\n---\n## Way\n\nBy tram.\n",
    "posts/one.md": "---\ntitle: One\n---\n## First\n\nText.\n",
    "posts/two.md": "---\ntitle: Two\n---\n## Second\n\nText.\n",
}

FORMS = (MediaType.HTML, MediaType.MARKDOWN, MediaType.JSON)


def page_at(
    loaded: LoadedContent, path: str, query: PageQuery | None = None
) -> PageModel[Resource]:
    """Return a page in English of the Emirates."""
    view = ContentView(loaded.snapshot, locale_of("ae/en"), NOW, BASE_URL)
    address = parse_address(path, loaded.snapshot)
    assert address
    return site_page(view, address, query or plain_query())


def blocks_of(loaded: LoadedContent, path: str, query: PageQuery | None = None) -> PageBlocks:
    """Return the blocks of a page, made while what is read for them is recorded."""
    with recording():
        page = page_at(loaded, path, query)
        return page_blocks(page, page_title(page))


def texts_of(loaded: LoadedContent, path: str) -> dict[MediaType, str]:
    """Return a page in each form."""
    with recording():
        page = page_at(loaded, path)
        return {each: page_renderers()[each](page).body.decode() for each in FORMS}


def edited(root: Path, loaded: LoadedContent, path: str, text: str) -> LoadedContent:
    """Return the content after an edit, with what the edit does not touch of the parts."""
    (root / path).write_text(text)
    after = load_content(root, loaded, {path})
    with_shared_results(touched(loaded, after), loaded.snapshot, after.snapshot, NOW)
    return after


def test_the_forms_of_a_page_share_its_blocks(content: Content) -> None:
    """A second request for the page, in whatever form, finds them."""
    loaded = load_content(content(FILES))
    made = blocks_of(loaded, "/about")
    texts_of(loaded, "/about")
    assert blocks_of(loaded, "/about") is made
    assert blocks_of(loaded, "/visit") is not made


def test_an_answer_to_a_query_is_not_kept(content: Content) -> None:
    """Visitors may ask anything: what they get would push out the pages."""
    loaded = load_content(content(FILES))
    query = replace(plain_query(), search="text")
    assert blocks_of(loaded, "/blog", query) is not blocks_of(loaded, "/blog", query)


def test_an_edit_drops_the_parts_that_it_touches(content: Content) -> None:
    """Those of other pages are carried over to the next edition."""
    root = content(FILES)
    before = load_content(root)
    made = {path: blocks_of(before, path) for path in ("/about", "/visit", "/blog")}
    after = edited(root, before, "pages/visit.md", "---\ntitle: Visit\n---\n## Way\n\nOn foot.\n")
    assert blocks_of(after, "/about") is made["/about"]
    assert blocks_of(after, "/blog") is made["/blog"]
    assert blocks_of(after, "/visit") is not made["/visit"]


@pytest.mark.parametrize("first", FORMS)
def test_every_form_shows_an_edit(content: Content, first: MediaType) -> None:
    """Also a list of the edited document, whichever form was asked for first."""
    root = content(FILES)
    before = load_content(root)
    for path in ("/blog", "/blog/one"):
        with recording():
            page_renderers()[first](page_at(before, path))
    after = edited(root, before, "posts/one.md", "---\ntitle: Uno\n---\n## Primo\n\nNew.\n")
    for path, shown in (("/blog", "Uno"), ("/blog/one", "Primo")):
        for form, text in texts_of(after, path).items():
            assert shown in text, (path, form)
            assert "One" not in text, (path, form)


def test_what_was_made_unrecorded_ends_with_its_edition(content: Content) -> None:
    """Nothing tells which edit would touch it."""
    root = content(FILES)
    before = load_content(root)
    page = page_at(before, "/about")
    made = page_blocks(page, page_title(page))
    after = edited(root, before, "pages/visit.md", "---\ntitle: Visit\n---\n## Way\n\nOn foot.\n")
    assert blocks_of(after, "/about") is not made


@pytest.mark.parametrize("form", FORMS)
def test_a_second_rendering_is_the_same(content: Content, form: MediaType) -> None:
    """Nothing that is made once depends on what was rendered before."""
    loaded = load_content(content(FILES))
    first, second = texts_of(loaded, "/about"), texts_of(loaded, "/about")
    assert first[form] == second[form]
    if form is MediaType.JSON:
        assert json.loads(first[form])["blocks"]


def test_a_suggestion_is_for_its_reader_alone(content: Content) -> None:
    """The header of others, which is made once, has none."""
    page = page_at(
        load_content(content({**FILES, "pages/about.ar.md": "---\ntitle: من نحن\n---\n"})), "/about"
    )
    plain = render(page).body
    suggested = render(page, suggested=locale_of("ae/ar")).body
    assert b'class="suggested"' in suggested
    assert render(page).body == plain
    assert b'class="suggested"' not in plain


def test_the_parts_of_a_page_with_a_form_are_kept_without_it(content: Content) -> None:
    """What a visitor wrote is in no part that others get."""
    form = "---\ntitle: Visit\n---\n## Way\n\nBy tram.\n\n:::{form} Tour\n:form: tour\n:::\n"
    fields = (
        "---\ntitle: Tour\nrequireOneOf: [email]\n"
        "fields:\n  email: {type: email}\n  day: {type: text, label: Day}\n---\n"
    )
    loaded = load_content(content({"pages/visit.md": form, "forms/tour.md": fields}))
    page = page_at(loaded, "/visit")
    states = [FormState("/forms/tour", {"day": day}) for day in ("Monday", "Tuesday")]
    first, second = (render(page, {"tour": state}).body.decode() for state in states)
    assert "Monday" in first
    assert "Monday" not in second
    assert "Tuesday" in second


def test_what_a_preview_shows_is_on_no_public_page(content: Content) -> None:
    """Pages share what they have in common, such as the link to the contact page."""
    call = "---\nText.\n\n:::{cta} Ask us\nAt any time.\n:::\n"
    draft = f"---\ntitle: Secret desk\ndraft: true\n{call}"
    loaded = load_content(
        content({"pages/contact.md": draft, "pages/asks.md": f"---\ntitle: Asks\n{call}"})
    )
    view = ContentView(loaded.snapshot, locale_of("ae/en"), NOW, BASE_URL)
    address = parse_address("/contact", loaded.snapshot)
    assert address
    preview = preview_page(view, address, None, NOW)
    assert "Secret desk" in page_renderers()[MediaType.HTML](preview).body.decode()
    assert all("Secret desk" not in text for text in texts_of(loaded, "/asks").values())
