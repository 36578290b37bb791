"""Documents: parsing and validation of one content file."""

from __future__ import annotations

import pytest
from cases import cases
from conftest import document_of, set_values

from knowledge.diagnostics.diagnostic import ContentFileError, Severity
from knowledge.documents.content_path import parse_content_path
from knowledge.documents.document import parse_document
from knowledge.documents.files import SourceFile
from knowledge.locales.locale import Language


def warnings_of(text: str, path: str = "posts/a.md") -> list[str]:
    """Return the warnings for a file that can be served, with their lines."""
    name = parse_content_path(path)
    assert name is not None
    _, diagnostics = parse_document(SourceFile(path, text), name)
    assert all(diagnostic.severity is Severity.WARNING for diagnostic in diagnostics)
    return [f"{diagnostic.line}: {diagnostic.message}" for diagnostic in diagnostics]


def test_fields_contain_only_set_keys() -> None:
    """Absent and null keys are omitted, so that layers inherit."""
    document = document_of("posts/a.md", "---\ntitle: x\nheading: ~\nseo: {noIndex: ~}\n---\nx")
    assert set_values(document.fields) == {"title": {"en": "x"}, "seo": {}}


def test_unknown_keys_are_ignored() -> None:
    """They belong to other tools."""
    assert warnings_of("---\nlayout: post\nparams: {a: [1]}\n---\nx") == []


@cases(
    ("text", "language"),
    [
        pytest.param("x", Language.EN, id="English by default"),
        pytest.param("---\nlang: ar\n---\nx", Language.AR, id="lang"),
        pytest.param("---\nlang: AR-sa\n---\nx", Language.AR, id="with region"),
    ],
)
def test_lang_sets_the_language_of_a_file_without_suffix(text: str, language: Language) -> None:
    """Its region does not count; without it the file is English."""
    assert document_of("pages/a.md", text).language is language


def test_a_suffix_takes_precedence_over_lang() -> None:
    """The file name decides."""
    assert document_of("pages/a.en.md", "---\nlang: ar\n---\nx").language is Language.EN


@cases(
    ("written", "slug"),
    [
        pytest.param("/blog/My-Post/", "my-post", id="a path"),
        pytest.param("Ünï Cödé", "ünï-cödé", id="letters"),
        pytest.param("'!!'", None, id="only punctuation"),
    ],
)
def test_a_slug_is_normalised(written: str, slug: str | None) -> None:
    """Other generators allow paths and capitals."""
    assert document_of("posts/a.md", f"---\nslug: {written}\n---\nx").chosen_slug == slug


@cases("path", ["cities/dubai.md", "cities/dubai.ar.md", "site/home.md"])
def test_the_slug_of_cities_and_site_files_is_ignored(path: str) -> None:
    """A warning reports it."""
    text = "---\ncountryCode: AE\nslug: other\n---\nx"
    assert document_of(path, text).chosen_slug is None
    assert warnings_of(text, path) == [
        "3: slug: “other” is ignored, because this file is identified by its name."
    ]


@cases(
    ("text", "has_body"),
    [
        pytest.param("---\na: 1\n---\n", False, id="none"),
        pytest.param("---\na: 1\n---\n \n\t\n", False, id="blank"),
        pytest.param("---\na: 1\n---\nx", True, id="text"),
    ],
)
def test_white_space_is_not_a_body(text: str, has_body: bool) -> None:
    """A file with only front matter overrides no text."""
    assert document_of("pages/a.md", text).has_body is has_body


def test_an_invalid_alias_is_a_warning() -> None:
    """The file is served without the value; the warning has the key that the author wrote."""
    text = "---\ntitle: x\nsummary: [a]\n---\nx"
    (diagnostic,) = warnings_of(text)
    assert diagnostic.startswith("3: summary: ")
    assert set_values(document_of("posts/a.md", text).fields) == {"title": {"en": "x"}}


def test_an_invalid_date_alias_breaks_the_file() -> None:
    """A file with an invalid date must not be published by accident."""
    with pytest.raises(ContentFileError, match=r"a.md:2: date: invalid date “someday”"):
        warnings_of("---\ndate: someday\n---\nx")


def test_all_invalid_values_are_reported_at_once() -> None:
    """An author can correct them in one edit."""
    with pytest.raises(ContentFileError) as caught:
        warnings_of("---\nsortOrder: x\npublished: x\ntitle: []\n---\nx")
    assert sorted(diagnostic.line for diagnostic in caught.value.diagnostics) == [2, 3, 4]


def test_an_ambiguous_scalar_is_a_warning() -> None:
    """It is served as text."""
    text = "---\nexcerpt: x\ntitle: no\n---\nx"
    (diagnostic,) = warnings_of(text)
    assert diagnostic.startswith("3: “no” is not quoted")
    assert set_values(document_of("posts/a.md", text).fields)["title"] == {"en": "no"}
    assert warnings_of("---\npublished: no\n---\nx") == []


def test_a_name_without_letters_or_digits_is_an_error() -> None:
    """It gives no slug, and so no address."""
    with pytest.raises(ContentFileError, match="no letter or digit"):
        document_of("pages/!!.md", "x")


CONTACT = """---
siteSettings:
  phoneDisplay: {phone}
  mapUrl: {url}
---
"""


@cases(
    ("phone", "url", "expected"),
    [
        pytest.param('"+971 4 555 0142"', "https://x.test/map", [], id="right"),
        pytest.param('""', '""', [], id="empty"),
        pytest.param(
            "call us",
            "x.test",
            [
                "3: siteSettings.phoneDisplay: invalid phone number “call us”; it is not linked.",
                "4: siteSettings.mapUrl: invalid URL “x.test”; it is not linked.",
            ],
            id="wrong",
        ),
        pytest.param(
            '"04 555 0142"',
            "/map",
            ["3: siteSettings.phoneDisplay: invalid phone number “04 555 0142”; it is not linked."],
            id="without the code of the country",
        ),
    ],
)
def test_contact_data_that_leads_nowhere_is_a_warning(
    phone: str, url: str, expected: list[str]
) -> None:
    """The file is served; each warning has the line of its key."""
    assert warnings_of(CONTACT.format(phone=phone, url=url), "site/settings.md") == expected


def test_a_phone_number_of_a_city_that_cannot_be_called_is_a_warning() -> None:
    """With the line of its key."""
    text = '---\ncountryCode: AE\nname: Dubai\nwhatsapp: "12"\n---\n'
    message = "4: whatsapp: invalid phone number “12”; it is not linked."
    assert warnings_of(text, "cities/dubai.md") == [message]
