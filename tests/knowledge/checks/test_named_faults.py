"""Faults of forms, kinds and YAML that are named, and syntax that is read in any spelling."""

from __future__ import annotations

from typing import Any

import pytest
from cases import cases
from conftest import NOW, Content, document_of

from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import Diagnostic, Severity
from knowledge.fields import yaml
from knowledge.fields.content_types import POST
from knowledge.fields.kind_fields import schema_org
from knowledge.markdown.inline import tokens_of
from knowledge.markdown.parsed_blocks import parse_blocks
from knowledge.snapshot.loading import load_content

EMAIL = "  email: { type: email, required: true }\n"


def diagnostics(content: Content, files: dict[str, str]) -> list[Diagnostic]:
    """Return what the check says about files."""
    return check_content(load_content(content(files)), NOW)


@cases(
    ("field", "message"),
    [
        ("seats: { type: number, min: 10, max: 3 }", "fields.seats: min is above max"),
        ("day: { type: date, min: 2026-05-02, max: 2026-05-01 }", "fields.day: min is above max"),
        *(
            (f"{name}: {{ type: text }}", f"fields.{name}: reserved name")
            for name in ("form", "answers", "id")
        ),
    ],
)
def test_a_field_of_a_form_that_cannot_work_is_an_error(
    field: str, message: str, content: Content
) -> None:
    """The limits are compared as numbers or days, and equal ones are allowed."""
    form = f"---\ntitle: Visit\nfields:\n{EMAIL}  {field}\n---\n"
    found = diagnostics(content, {"forms/visit.md": form})
    assert any(message in each.message for each in found if each.severity is Severity.ERROR)
    good = form.replace("max: 3", "max: 10").replace("max: 2026-05-01", "max: today")
    if good != form:
        found = diagnostics(content, {"forms/visit.md": good})
        assert {each.severity for each in found} == {Severity.NOTICE}


def test_templates_and_types_that_do_not_exist_are_named(content: Content) -> None:
    """By the file that names them; a template of the site's own is none of them."""
    kind = "---\nsingular: Doctor\nplural: Doctors\nschemaType: {}\n---\n"
    page = "---\ntitle: A\ntemplate: {}\n---\nText.\n"
    files = {
        "_templates/landing.html": "{% extends 'majlis/content.html' %}",
        "_kinds/doctors.md": kind.format("Fysician"),
        "pages/a.md": page.format("landing"),
        "pages/b.md": page.format("landin"),
    }
    found = {
        each.path: each.message
        for each in diagnostics(content, files)
        if str(each.kind) == "unknown-reference"
    }
    assert found.keys() == {"_kinds/doctors.md", "pages/b.md"}
    assert "Fysician" in found["_kinds/doctors.md"]
    assert {"Physician", "Event", "LocalBusiness"} <= schema_org("types")


def test_a_kind_keeps_the_folder_that_is_named_as_its_file(content: Content) -> None:
    """With capitals and spaces; other folders stay unknown."""
    kind = "---\nsingular: Offer\nplural: Offers\n---\n"
    text = "---\ntitle: One\n---\nText.\n"
    files = {"_kinds/Price List.md": kind, "Price List/one.md": text, "Posts/two.md": text}
    loaded = load_content(content(files))
    assert "Price List/one.md" in loaded.snapshot.by_path
    assert "Posts/two.md" not in loaded.snapshot.by_path


@cases(
    ("text", "advice"),
    [
        *((f"title: {sign}home", f"“{sign}”") for sign in "@`%"),
        ("title: [open", "“[”"),
        ("title: {x}y", "“{”"),
        ("title: {{ date }}", "begins with {"),
        ("title: *news", '"*news"'),
        ("title: - item", "“-”"),
        ("title: 'it's'", "other quotation marks"),
        ('title: "One" more', "other quotation marks"),
        ("title: Wahat: the company", "colon"),
    ],
)
def test_the_advice_fits_the_character(text: str, advice: str) -> None:
    """That begins the value; a line of another key does not matter."""
    for below in ("", "\ntags: [a]\n"):
        with pytest.raises(yaml.YamlError) as raised:
            yaml.load(text + below)
        assert advice in raised.value.suggestion


@cases(
    ("name", "kind"),
    [
        *(("ملاحظة", "note"), ("نصيحة", "tip"), ("مهم", "important"), ("تحذير", "warning")),
        *(("تنبيه", "warning"), ("خطر", "caution"), ("معلومة", "note")),
    ],
)
def test_a_box_may_have_an_arabic_name(name: str, kind: str) -> None:
    """As a quote and between colons, also within another one, without a title of its own."""
    for text in (f"> [!{name}]\n> نص", f":::{name}\nنص\n:::", f":::note\n:::{name}\nنص\n:::\n:::"):
        *_, token = (each for each in _all(tokens_of(text)) if each["type"] == "callout")
        assert token["attrs"] == {"kind": kind, "has_title": False}, text


def _all(tokens: list[dict[str, Any]]) -> list[dict[str, Any]]:
    inner = [each for token in tokens for each in _all(token.get("children", []))]
    return [*tokens, *inner]


@cases(
    ("text", "ids"),
    [
        ("## One {#v1.2}\n\n## Two {#sec:two}\n", ["v1.2", "sec:two"]),
        ("One {#a.b:c}\n-----\n", ["a.b:c"]),
        ("## [Link](https://a.example) {#own .x}\n", ["own"]),
    ],
)
def test_ids_of_headings_may_have_dots_and_colons(text: str, ids: list[str]) -> None:
    """As in Pandoc and Hugo."""
    body = document_of("posts/a.md", text).body
    assert [block.anchor for block in parse_blocks(body) if block.type == "heading"] == ids


def test_a_link_to_an_id_that_is_left_out_says_why(content: Content) -> None:
    """The id is named as well, and is no text of the page."""
    text = "---\ntitle: A\n---\n![A till](/a.png){#fig:1}\n\n[The picture](#fig:1)\n"
    found = {str(each.kind): each for each in diagnostics(content, {"pages/a.md": text})}
    assert "ids of pictures" in found["broken-anchor"].suggestion
    assert "{#fig:1}" in found["foreign-syntax"].message


@cases(
    ("keys", "image", "alt"),
    [
        ("cover: {image: a.png, alt: Words, caption: More}", "a.png", "Words"),
        ("cover: {image: a.png, caption: More}", "a.png", "More"),
        ("image: {path: a.png, alt: Words}", "a.png", "Words"),
        ("header: {overlay_image: a.png, image_description: Words}", "a.png", "Words"),
        ("header: {teaser: a.png}", "a.png", None),
        ("ogImage: a.png\nimageAlt: Words", "a.png", "Words"),
        ("cover: {image: a.png, alt: Other}\ncoverImageAlt: Words", "a.png", "Words"),
    ],
)
def test_covers_of_themes_keep_their_alternative_text(
    keys: str, image: str, alt: str | None
) -> None:
    """PaperMod, Chirpy, Minimal Mistakes, AstroPaper."""
    fields = document_of("posts/a.md", f"---\ntitle: A\n{keys}\n---\nText.\n").fields
    assert isinstance(fields, POST.fields)
    assert (fields.cover_image, fields.cover_image_alt) == (image, alt and {"en": alt})


def test_a_figure_keeps_title_and_caption() -> None:
    """The shortcode of Hugo becomes a picture with both below it."""
    text = '{{< figure src="a.png" title="The title" caption="The caption" >}}'
    body = document_of("posts/a.md", text).body
    assert body == "![The caption](a.png) *The title: The caption*"
