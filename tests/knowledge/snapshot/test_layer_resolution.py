"""Resolution by example; test_resolution_properties tests its properties."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cases import cases
from conftest import NOW, ViewOf, document_of, locale_of, set_values

from knowledge.fields.content_types import PAGE
from knowledge.locales.locale import Country, Language
from knowledge.sections.sections import merged_sections
from knowledge.snapshot.layer_resolution import Entry, Resolved, provenance, resolve

RIYADH = {"riyadh": Country("SA")}


def entry(files: dict[str, str]) -> Entry:
    """Return an entry of files given by name; the default folder is registry/."""
    documents = [
        document_of(path if "/" in path else f"registry/{path}", text, RIYADH)
        for path, text in files.items()
    ]
    ordered = sorted(documents, key=lambda document: document.layer.order)
    return Entry(documents[0].kind, documents[0].slug, tuple(ordered))


def resolved_of(files: dict[str, str], locale: str, city: str | None = None) -> Resolved | None:
    """Return the document resolved at NOW."""
    return resolve(entry(files), locale_of(locale), NOW, city)


def flags(resolved: Resolved | None) -> tuple[str, bool, bool]:
    """Return resolvedFrom, inherited and fallbackUsed."""
    assert resolved is not None
    origin = provenance(resolved, [d.layer.scope for _, d in merged_sections(resolved)])
    return origin.resolved_from.label, origin.inherited, origin.other_language


def front(**keys: object) -> str:
    """Return the text of a file with only front matter."""
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + "---\n"


@cases(
    ("files", "locale", "city", "expected"),
    [
        pytest.param({"e.md": "x"}, "sa/en", None, ("global", False, False), id="global"),
        pytest.param(
            {"e.md": "x", "e.ar.md": "ا"}, "sa/ar", None, ("global", False, False), id="ar"
        ),
        pytest.param({"e.md": "x"}, "sa/ar", None, ("global", False, True), id="other language"),
        pytest.param(
            {"e.md": "x", "e.sa.md": front(template="t")},
            "sa/en",
            None,
            ("country_default", True, False),
            id="one key from the country",
        ),
        pytest.param(
            {"e.md": "x", "e.sa.en.md": front(title="T")},
            "sa/en",
            None,
            ("locale_override", True, False),
            id="one text from the locale",
        ),
        pytest.param(
            {"e.md": "## A\n1", "e.sa.md": "## A\n2"},
            "sa/en",
            None,
            ("country_default", False, False),
            id="nothing inherited if all is replaced",
        ),
        pytest.param(
            {"e.md": "x", "e.sa.riyadh.md": front(title="R")},
            "sa/en",
            "riyadh",
            ("city_override", True, False),
            id="city",
        ),
        pytest.param(
            {"e.md": "x", "e.sa.riyadh.md": front(title="R")},
            "sa/en",
            None,
            ("global", False, False),
            id="city not requested",
        ),
        pytest.param(
            {"e.md": front(title="{en: T, ar: ت}") + "x", "e.ar.md": "ا"},
            "ae/ar",
            None,
            ("global", False, False),
            id="bilingual text",
        ),
        pytest.param(
            {"e.md": front(title="T") + "x", "e.ar.md": "ا"},
            "ae/ar",
            None,
            ("global", False, True),
            id="a title in the other language",
        ),
        pytest.param(
            {"e.md": front(seo="{title: T}") + "x", "e.ar.md": "ا"},
            "ae/ar",
            None,
            ("global", False, False),
            id="seo is not visible text",
        ),
        pytest.param(
            {"e.md": "x", "e.sa.md": front(publishedAt="2026-01-01", countries="[sa]")},
            "sa/en",
            None,
            ("global", False, False),
            id="control keys are not content",
        ),
    ],
)
def test_flags_report_the_origin_of_a_page(
    files: dict[str, str], locale: str, city: str | None, expected: tuple[str, bool, bool]
) -> None:
    """For each of the four scopes."""
    assert flags(resolved_of(files, locale, city)) == expected


@cases(
    ("keys", "visible"),
    [
        pytest.param({}, True, id="by default"),
        pytest.param({"published": "false"}, False, id="unpublished"),
        pytest.param({"publishedAt": "2026-06-01T12:00:00Z"}, True, id="at its first instant"),
        pytest.param({"publishedAt": "2026-06-01T12:00:01Z"}, False, id="a second early"),
        pytest.param({"unpublishAt": "2026-06-01T12:00:00Z"}, False, id="at its end"),
        pytest.param({"unpublishAt": "2026-06-01T12:00:01Z"}, True, id="a second before the end"),
        pytest.param({"publishedAt": "2026-06-01T16:00:00+04:00"}, True, id="in Gulf time"),
        pytest.param({"countries": "[sa]"}, False, id="for another country"),
        pytest.param({"countries": "[ae, sa]"}, True, id="for this country too"),
        pytest.param({"countries": "[]"}, False, id="for no country"),
    ],
)
def test_a_page_is_visible(keys: dict[str, object], visible: bool) -> None:
    """If it is published, within its dates, and the country is listed."""
    assert (resolved_of({"e.md": front(**keys) + "x"}, "ae/en") is not None) is visible


def test_a_hidden_layer_hides_the_document_where_it_applies() -> None:
    """There is no fallback to a more general layer or to the other language."""
    files = {"e.md": "x", "e.ar.md": "ا", "e.sa.ar.md": front(published="false")}
    assert resolved_of(files, "sa/ar") is None
    assert resolved_of(files, "sa/en") is not None
    assert resolved_of(files, "ae/ar") is not None


def test_a_hidden_base_hides_the_document_everywhere() -> None:
    """A more specific layer cannot publish it again."""
    files = {"e.md": front(published="false") + "x", "e.sa.md": front(published="true") + "y"}
    assert resolved_of(files, "sa/en") is None


def test_hidden_arabic_text_is_no_fallback() -> None:
    """Scheduled text of the other language is not shown before its date."""
    arabic = front(title="سر", publishedAt="2027-01-01") + "سر"
    assert resolved_of({"e.ar.md": arabic}, "ae/en") is None
    english = resolved_of({"e.md": front(title="T") + "x", "e.ar.md": arabic}, "ae/en")
    assert english is not None
    assert english.fields.title == {"en": "T"}


def test_an_arabic_layer_contributes_only_arabic_texts() -> None:
    """The English part of its bilingual text must not override the English page."""
    files = {
        "e.md": front(title="Base") + "x",
        "e.sa.ar.md": front(title="{en: Sneaked, ar: عنوان}") + "ا",
    }
    resolved = resolved_of(files, "sa/en")
    assert resolved is not None
    assert resolved.fields.title == {"en": "Base", "ar": "عنوان"}


def test_other_values_of_a_layer_in_the_other_language_are_ignored() -> None:
    """No key is added, not even with the value null."""
    files = {"e.md": "x", "e.ar.md": front(sortOrder=3, seo="{noIndex: true}") + "ا"}
    resolved = resolved_of(files, "ae/en")
    assert resolved is not None
    assert set_values(resolved.fields) == {}


def test_a_sort_order_in_the_other_language_is_ignored(view_of: ViewOf) -> None:
    """A sortOrder in an Arabic file does not change the English list."""
    view = view_of({"pages/a.md": "x", "pages/a.ar.md": front(sortOrder=1), "pages/b.md": "x"})
    assert [page.entry.slug for page in view.resolve_all(PAGE)] == ["a", "b"]


@cases("folder", ["posts", "categories", "testimonials"])
def test_some_content_types_never_fall_back(folder: str) -> None:
    """Their lists contain only documents in the requested language."""
    files = {f"{folder}/a.md": front(title="T", quote="Q") + "x"}
    assert resolved_of(files, "ae/en") is not None
    assert resolved_of(files, "ae/ar") is None


@cases("folder", ["pages", "registry", "modules", "industries", "products"])
def test_other_content_types_fall_back(folder: str) -> None:
    """`language` is the language of the text."""
    resolved = resolved_of({f"{folder}/a.md": front(title="T") + "x"}, "ae/ar")
    assert resolved is not None
    assert resolved.language is Language.EN
    assert resolved.pick(resolved.fields.title) == "T"


def test_the_body_decides_the_language() -> None:
    """A bilingual title does not make an English page Arabic."""
    resolved = resolved_of({"e.md": front(title="{en: T, ar: ت}") + "x"}, "ae/ar")
    assert resolved is not None
    assert resolved.language is Language.EN
    assert resolved.pick(resolved.fields.title) == "ت"


def test_lang_sets_the_language_of_the_body() -> None:
    """In an Arabic file without a suffix."""
    resolved = resolved_of({"e.md": front(lang="ar") + "ا"}, "ae/ar")
    assert resolved is not None
    assert resolved.language is Language.AR


def test_dates_and_ids_come_from_the_front_matter() -> None:
    """Dates never come from the file system."""
    resolved = resolved_of({"e.md": front(id="42", publishedAt="2026-01-01") + "x"}, "ae/en")
    assert resolved is not None
    assert resolved.id == "42"
    assert resolved.updated_at == datetime(2026, 1, 1, tzinfo=UTC)
    bare = resolved_of({"e.md": "x"}, "ae/en")
    assert bare is not None
    assert bare.id == "registry-e"
    assert bare.updated_at is None


def test_updated_at_is_that_of_the_newest_layer() -> None:
    """Only layers in the page's language count."""
    files = {
        "e.md": front(updatedAt="2026-05-01") + "x",
        "e.sa.md": front(updatedAt="2026-02-01") + "y",
        "e.ar.md": front(updatedAt="2026-07-01") + "ص",
    }
    for locale, month in (("ae/en", 5), ("sa/en", 5), ("sa/ar", 7)):
        resolved = resolved_of(files, locale)
        assert resolved is not None
        assert resolved.updated_at == datetime(2026, month, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        pytest.param("x", 1, id="by name"),
        pytest.param("---\ndate: 2026-05-03\n---\nx", 3, id="by front matter"),
    ],
)
def test_a_date_in_front_matter_overrides_the_date_in_the_name(text: str, day: int) -> None:
    """As in Jekyll."""
    resolved = resolved_of({"posts/2026-05-01-a.md": text}, "ae/en")
    assert resolved is not None
    assert resolved.fields.published_at == datetime(2026, 5, day, tzinfo=UTC)


def test_a_date_in_the_name_of_a_translation_overrides_the_base() -> None:
    """As a date in its front matter does."""
    files = {"posts/a.md": front(publishedAt="2026-05-01") + "x", "posts/2026-05-03-a.ar.md": "ا"}
    for locale, day in (("ae/en", 1), ("ae/ar", 3)):
        resolved = resolved_of(files, locale)
        assert resolved is not None
        assert resolved.fields.published_at == datetime(2026, 5, day, tzinfo=UTC)


def test_a_future_date_in_the_name_schedules_a_post() -> None:
    """As a date in front matter does."""
    tomorrow = NOW + timedelta(days=1)
    assert resolved_of({f"posts/{tomorrow:%Y-%m-%d}-a.md": "x"}, "ae/en") is None
