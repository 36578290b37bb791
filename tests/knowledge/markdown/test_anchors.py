"""Anchors of headings."""

from __future__ import annotations

from cases import cases
from conftest import ViewOf

from knowledge.markdown.slugs import Anchor, Anchors, Heading, allocate
from knowledge.resources.pages import page_detail
from knowledge.resources.posts import post_detail


def ids(*headings: Heading, taken: tuple[str, ...] = ()) -> list[str]:
    """Return the ids of headings."""
    (anchors,) = allocate((headings,), taken)
    return [anchor.id for anchor in anchors]


def id_list(*anchors: Anchor) -> list[str]:
    """Return the ids of anchors."""
    return [anchor.id for anchor in anchors]


def test_ids_are_derived_from_texts_and_numbered_in_order() -> None:
    """A number skips an id that another heading has."""
    headings = [Heading(text) for text in ("A-2", "A", "A", "A", "🎉", "!", "Main")]
    assert ids(*headings) == ["a-2", "a", "a-3", "a-4", "section", "section-2", "main-2"]


def test_explicit_ids_come_first() -> None:
    """A heading before it does not take an id that an author set; a second one gets a number."""
    headings = [Heading("Hours"), Heading("Open", "hours"), Heading("Shut", "hours")]
    assert ids(*headings) == ["hours-2", "hours", "hours-3"]
    assert ids(Heading("A", "b"), Heading("B"), taken=("b",)) == ["b-2", "b-3"]


def test_an_anchor_is_stable_over_edits_of_other_headings() -> None:
    """It depends on its own text, unless a heading before it has the same."""
    assert ids(Heading("New"), Heading("Hours"))[1] == ids(Heading("Hours"))[0] == "hours"


def test_former_ids_are_kept_unless_another_heading_has_them() -> None:
    """Marks separated words until November 2026."""
    groups = (Heading("المكوّنات"),), (Heading("فورًا"), Heading("فور ا"))
    assert allocate(groups) == (
        (Anchor("المكوّنات", "المكو-نات", "s-1"),),
        (Anchor("فورًا", "", "s-2"), Anchor("فور-ا", "", "s-3")),
    )


def test_an_id_that_is_long_in_a_url_has_a_short_one_beside_it() -> None:
    """It counts the headings of the page, and never takes the id of an author or of a heading."""
    texts = (("جرد", ""), ("Stock", ""), ("ضريبة", ""), ("S 3", ""), ("x", "s-1"))
    (anchors,) = allocate((tuple(Heading(*each) for each in texts),))
    assert [anchor.short for anchor in anchors] == ["s-1-2", "", "s-3-2", "", ""]
    assert [anchor.link for anchor in anchors] == ["s-1-2", "stock", "s-3-2", "s-3", "s-1"]


def test_the_short_id_of_a_template_s_heading_follows_from_its_text() -> None:
    """Whichever headings stand before it."""
    first, second = Anchors(), Anchors(["الأسعار"])
    second.anchor("قبله")
    assert first.anchor("تواصل").link == second.anchor("تواصل").link
    assert first.anchor("تواصل").link != first.anchor("تواصل").link


def test_a_page_numbers_ids_over_all_its_sections(view_of: ViewOf) -> None:
    """Those of sections do not change; questions, answers and cards have ids too."""
    body = (
        "### Hours\n\n## Hours\n\n### Open {#now}\n\n> #### Quoted {#q}\n\n"
        ":::{featureGrid} Parts {#parts}\n\n- **Stock**: by branch\n- **Sales**\n- none\n:::\n\n"
        ":::{faq} Ask\n\n### Stock? {#why}\n\nSo.\n\n##### Stock\n\n### Hours?\n\nNine.\n:::\n"
    )
    view = view_of({"pages/a.md": f"---\ntitle: A\n---\n{body}"})
    sections = page_detail(view, "a").resource.page.sections
    assert [id_list(each.anchor, *each.body_anchors) for each in sections] == [
        ["intro", "hours-2"],
        ["hours", "now", "q"],
        ["parts", "stock", "sales"],
        ["ask"],
    ]
    questions = sections[3].items or ()
    assert [id_list(each.anchor, *each.text_anchors) for each in questions] == [
        ["why", "stock-2"],
        ["hours-3"],
    ]
    assert "{#" not in "".join(section.model_dump_json() for section in sections)


def test_an_override_by_a_former_section_id_still_replaces(view_of: ViewOf) -> None:
    """An author may have copied it from the API."""
    files = {
        "pages/a.ar.md": "---\ntitle: ا\n---\n## المكوّنات\n\nعام.",
        "pages/a.sa.ar.md": "---\ntitle: ا\n---\n## المكونات {#المكو-نات}\n\nخاص.",
    }
    (section,) = page_detail(view_of(files, "sa/ar"), "a").resource.page.sections
    assert (section.id, section.body) == ("المكوّنات", "خاص.")


def test_a_post_has_the_ids_of_its_headings(view_of: ViewOf) -> None:
    """Also of headings in quotes, lists and directives; the ids are no text."""
    body = (
        "## A {#x}\n\nB {#y}\n===\n\n> # C {#z} #\n\n- ## D\n\n"
        ":::{cta} E {#e}\n### F\n:::\n\n```\n## G {#g}\n```\n"
    )
    view = view_of({"posts/p.md": f"---\ntitle: P\n---\n{body}"})
    post = post_detail(view, "p").resource.post
    assert [anchor.id for anchor in post.anchors] == ["x", "y", "z", "d", "e", "f"]
    texts = [block.text for block in post.body]
    assert texts == ["## A", "B\n===", "> # C #", "- ## D", "## E", "### F", "```\n## G {#g}\n```"]


@cases("text", ["Title", "main", "🎉"])
def test_claimed_ids_never_repeat(text: str) -> None:
    """Nor are they one of the site's own."""
    anchors = Anchors(["title"])
    claimed = [anchors.claim(text) for _ in range(3)]
    assert len({*claimed, "title", "main"}) == 5
