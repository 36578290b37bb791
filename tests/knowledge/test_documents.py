"""One content file each, read, typed and placed in its layer."""

from __future__ import annotations

import pytest
from conftest import document_of

from knowledge.content_path import parse_content_path
from knowledge.diagnostics import ContentFileError, Severity
from knowledge.documents import parse_document
from knowledge.files import SourceFile
from knowledge.locale import Language


def faults_of(text: str, path: str = "posts/a.md") -> list[str]:
    """The doubts about a file that can be served, with their lines."""
    name = parse_content_path(path, {})
    assert name is not None
    _, diagnostics = parse_document(SourceFile(path, text), name)
    assert all(diagnostic.severity is Severity.WARNING for diagnostic in diagnostics)
    return [f"{diagnostic.line}: {diagnostic.message}" for diagnostic in diagnostics]


def test_only_what_the_file_sets_is_there() -> None:
    """Absent and null keys leave no trace, so that layers inherit."""
    document = document_of("posts/a.md", "---\ntitle: x\nheading: ~\nseo: {noIndex: ~}\n---\nx")
    assert document.metadata == {"title": {"en": "x"}, "seo": {}}


def test_unknown_keys_are_no_fault() -> None:
    """They belong to other tools."""
    assert faults_of("---\nlayout: post\nparams: {a: [1]}\n---\nx") == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("x", Language.EN, id="English by default"),
        pytest.param("---\nlang: ar\n---\nx", Language.AR, id="as it says"),
        pytest.param("---\nlang: AR-sa\n---\nx", Language.AR, id="with region"),
    ],
)
def test_a_file_without_suffix_says_its_language(text: str, language: Language) -> None:
    """English unless `lang` says otherwise."""
    assert document_of("pages/a.md", text).language is language


def test_a_suffix_beats_lang() -> None:
    """The name is what the author sees."""
    assert document_of("pages/a.en.md", "---\nlang: ar\n---\nx").language is Language.EN


@pytest.mark.parametrize(
    ("written", "slug"),
    [
        pytest.param("/blog/My-Post/", "my-post", id="a path"),
        pytest.param("Ünï Cödé", "ünï-cödé", id="letters"),
        pytest.param("'!!'", None, id="only signs"),
    ],
)
def test_a_slug_is_normalised(written: str, slug: str | None) -> None:
    """Other generators allow paths and capitals."""
    metadata = document_of("posts/a.md", f"---\nslug: {written}\n---\nx").metadata
    assert metadata.get("slug") == slug


@pytest.mark.parametrize("path", ["cities/dubai.md", "cities/dubai.ar.md", "site/home.md"])
def test_a_file_that_is_known_by_its_name_keeps_it(path: str) -> None:
    """The author learns that the slug is left out."""
    text = "---\ncountryCode: AE\nslug: other\n---\nx"
    assert "slug" not in document_of(path, text).metadata
    assert faults_of(text, path) == [
        "3: slug: “other” is left out, as other files know this one by its own name."
    ]


@pytest.mark.parametrize(
    ("text", "has_body"),
    [
        pytest.param("---\na: 1\n---\n", False, id="none"),
        pytest.param("---\na: 1\n---\n \n\t\n", False, id="blank"),
        pytest.param("---\na: 1\n---\nx", True, id="text"),
    ],
)
def test_a_body_is_more_than_blanks(text: str, has_body: bool) -> None:
    """A file of front matter alone overrides no text."""
    assert document_of("pages/a.md", text).has_body is has_body


def test_a_borrowed_key_that_does_not_fit_is_a_doubt() -> None:
    """The file is served without it, under the name the author wrote."""
    (diagnostic,) = faults_of("---\ntitle: x\nsummary: [a]\n---\nx")
    assert diagnostic.startswith("3: summary: ")


def test_a_borrowed_date_that_does_not_fit_breaks_the_file() -> None:
    """What cannot be dated must not be published by accident."""
    with pytest.raises(ContentFileError, match=r"a.md:2: date: “someday”"):
        faults_of("---\ndate: someday\n---\nx")


def test_every_misfit_is_named_at_once() -> None:
    """An author mends a file in one go."""
    with pytest.raises(ContentFileError) as caught:
        faults_of("---\nsortOrder: x\npublished: x\ntitle: []\n---\nx")
    assert sorted(diagnostic.line for diagnostic in caught.value.diagnostics) == [2, 3, 4]


def test_a_scalar_other_tools_would_change_is_a_doubt() -> None:
    """It is served as it stands."""
    (diagnostic,) = faults_of("---\nexcerpt: x\ntitle: no\n---\nx")
    assert diagnostic.startswith("3: “no” stands without quotes")
    assert faults_of("---\npublished: no\n---\nx") == []


def test_a_name_of_nothing_but_signs_is_broken() -> None:
    """There is no address to show it at."""
    with pytest.raises(ContentFileError, match="gives no slug"):
        document_of("pages/!!.md", "x")
