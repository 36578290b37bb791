"""Resolution by example; the laws stand in test_resolution_properties."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from conftest import NOW, ViewOf, document_of, locale_of

from knowledge.content_path import ContentType
from knowledge.locale import Country, Language
from knowledge.resolution import Entry, Resolved, deep_merge, provenance, resolve
from knowledge.sections import merged_sections

RIYADH = {"riyadh": Country.SA}


def entry(files: dict[str, str]) -> Entry:
    """The layers of one document, by file name in registry/ or another folder."""
    documents = [
        document_of(path if "/" in path else f"registry/{path}", text, RIYADH)
        for path, text in files.items()
    ]
    ordered = sorted(documents, key=lambda document: document.layer.order)
    return Entry(documents[0].kind, documents[0].slug, tuple(ordered))


def seen(files: dict[str, str], locale: str, city: str | None = None) -> Resolved | None:
    """The document as readers have it at NOW."""
    return resolve(entry(files), locale_of(locale), NOW, city)


def flags(resolved: Resolved | None) -> tuple[str, bool, bool]:
    """resolvedFrom, inherited, fallbackUsed."""
    assert resolved is not None
    found = provenance(resolved, [d.layer.scope for _, d in merged_sections(resolved)])
    return found.resolved_from.label, found.inherited, found.other_language


def front(**keys: object) -> str:
    """A file of front matter alone."""
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + "---\n"


@pytest.mark.parametrize(
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
            id="one key of the country",
        ),
        pytest.param(
            {"e.md": "x", "e.sa.en.md": front(title="T")},
            "sa/en",
            None,
            ("locale_override", True, False),
            id="one text of the locale",
        ),
        pytest.param(
            {"e.md": "## A\n1", "e.sa.md": "## A\n2"},
            "sa/en",
            None,
            ("country_default", False, False),
            id="all replaced is nothing inherited",
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
            id="city not asked",
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
            id="seo is not what a reader sees",
        ),
        pytest.param(
            {"e.md": "x", "e.sa.md": front(publishedAt="2026-01-01", countries="[sa]")},
            "sa/en",
            None,
            ("global", False, False),
            id="controls are no content",
        ),
    ],
)
def test_flags_tell_where_a_page_came_from(
    files: dict[str, str], locale: str, city: str | None, expected: tuple[str, bool, bool]
) -> None:
    """The four layers of the picture."""
    assert flags(seen(files, locale, city)) == expected


@pytest.mark.parametrize(
    ("base", "top", "merged"),
    [
        pytest.param({"a": 1}, {}, {"a": 1}, id="absent inherits"),
        pytest.param({"a": 1}, {"a": None}, {"a": 1}, id="null inherits"),
        pytest.param({"a": "x"}, {"a": ""}, {"a": ""}, id="empty text overrides"),
        pytest.param({"a": [1]}, {"a": []}, {"a": []}, id="empty list overrides"),
        pytest.param({"a": [1, 2]}, {"a": [3]}, {"a": [3]}, id="lists replace"),
        pytest.param({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}, id="key by key"),
        pytest.param({"a": {"b": 1}}, {"a": 2}, {"a": 2}, id="a scalar replaces a mapping"),
        pytest.param({"a": False}, {"a": 0}, {"a": 0}, id="false is a value"),
    ],
)
def test_one_layer_on_another(
    base: dict[str, object], top: dict[str, object], merged: dict[str, object]
) -> None:
    """The merging rules, one by one; neither side changes."""
    before = repr((base, top))
    assert deep_merge(base, top) == merged
    assert repr((base, top)) == before


@pytest.mark.parametrize(
    ("keys", "visible"),
    [
        pytest.param({}, True, id="by default"),
        pytest.param({"published": "false"}, False, id="unpublished"),
        pytest.param({"publishedAt": "2026-06-01T12:00:00Z"}, True, id="at its very instant"),
        pytest.param({"publishedAt": "2026-06-01T12:00:01Z"}, False, id="a second early"),
        pytest.param({"unpublishAt": "2026-06-01T12:00:00Z"}, False, id="at its end"),
        pytest.param({"unpublishAt": "2026-06-01T12:00:01Z"}, True, id="a second before the end"),
        pytest.param({"publishedAt": "2026-06-01T16:00:00+04:00"}, True, id="in Gulf time"),
        pytest.param({"countries": "[sa]"}, False, id="for another country"),
        pytest.param({"countries": "[ae, sa]"}, True, id="for this country too"),
        pytest.param({"countries": "[]"}, False, id="for no country"),
    ],
)
def test_a_page_is_there_to_read(keys: dict[str, object], visible: bool) -> None:
    """Published, in its window, and the country listed."""
    assert (seen({"e.md": front(**keys) + "x"}, "ae/en") is not None) is visible


def test_a_hidden_layer_hides_what_it_covers() -> None:
    """It never falls through to a broader one, nor to the other language."""
    files = {"e.md": "x", "e.ar.md": "ا", "e.sa.ar.md": front(published="false")}
    assert seen(files, "sa/ar") is None
    assert seen(files, "sa/en") is not None
    assert seen(files, "ae/ar") is not None


def test_a_hidden_base_hides_all() -> None:
    """A more particular layer cannot publish it again."""
    files = {"e.md": front(published="false") + "x", "e.sa.md": front(published="true") + "y"}
    assert seen(files, "sa/en") is None


def test_hidden_arabic_text_does_not_stand_in() -> None:
    """Scheduled text of the other language waits for its own hour."""
    arabic = front(title="سر", publishedAt="2027-01-01") + "سر"
    assert seen({"e.ar.md": arabic}, "ae/en") is None
    english = seen({"e.md": front(title="T") + "x", "e.ar.md": arabic}, "ae/en")
    assert english is not None
    assert english.metadata["title"] == {"en": "T"}


def test_a_layer_in_arabic_gives_english_readers_arabic_only() -> None:
    """The English half of its bilingual string would override the English page."""
    files = {
        "e.md": front(title="Base") + "x",
        "e.sa.ar.md": front(title="{en: Sneaked, ar: عنوان}") + "ا",
    }
    resolved = seen(files, "sa/en")
    assert resolved is not None
    assert resolved.metadata["title"] == {"en": "Base", "ar": "عنوان"}


def test_settings_of_a_layer_in_the_other_language_leave_no_trace() -> None:
    """Not even a null, which a reader of the value would trip over."""
    files = {"e.md": "x", "e.ar.md": front(sortOrder=3, seo="{noIndex: true}") + "ا"}
    resolved = seen(files, "ae/en")
    assert resolved is not None
    assert resolved.metadata == {}


def test_pages_whose_other_language_alone_sorts_are_still_listed(view_of: ViewOf) -> None:
    """A sortOrder in an Arabic file leaves the English list as it was."""
    view = view_of({"pages/a.md": "x", "pages/a.ar.md": front(sortOrder=1), "pages/b.md": "x"})
    assert [each.entry.slug for each in view.resolve_all(ContentType.PAGE)] == ["a", "b"]


@pytest.mark.parametrize("folder", ["posts", "categories", "testimonials"])
def test_some_kinds_never_fall_back(folder: str) -> None:
    """Lists hold only what speaks the language."""
    files = {f"{folder}/a.md": front(title="T", quote="Q") + "x"}
    assert seen(files, "ae/en") is not None
    assert seen(files, "ae/ar") is None


@pytest.mark.parametrize("folder", ["pages", "registry", "modules", "industries", "products"])
def test_page_like_kinds_fall_back(folder: str) -> None:
    """Flagged, with the true language."""
    resolved = seen({f"{folder}/a.md": front(title="T") + "x"}, "ae/ar")
    assert resolved is not None
    assert resolved.language is Language.EN
    assert resolved.text("title") == "T"


def test_a_body_counts_for_its_own_language() -> None:
    """A bilingual title does not make an English body Arabic."""
    resolved = seen({"e.md": front(title="{en: T, ar: ت}") + "x"}, "ae/ar")
    assert resolved is not None
    assert resolved.language is Language.EN
    assert resolved.text("title") == "ت"


def test_lang_says_whose_the_body_is() -> None:
    """An unsuffixed file in Arabic."""
    resolved = seen({"e.md": front(lang="ar") + "ا"}, "ae/ar")
    assert resolved is not None
    assert resolved.language is Language.AR


def test_dates_and_ids_are_the_author_s() -> None:
    """Never guessed from the file system."""
    resolved = seen({"e.md": front(id="42", publishedAt="2026-01-01") + "x"}, "ae/en")
    assert resolved is not None
    assert resolved.id == "42"
    assert resolved.updated_at == datetime(2026, 1, 1, tzinfo=UTC)
    bare = seen({"e.md": "x"}, "ae/en")
    assert bare is not None
    assert bare.id == "registry-e"
    assert bare.updated_at is None


def test_a_page_changed_when_the_newest_of_its_layers_did() -> None:
    """Among those that speak its language: an edit of the other text is none of this one."""
    files = {
        "e.md": front(updatedAt="2026-05-01") + "x",
        "e.sa.md": front(updatedAt="2026-02-01") + "y",
        "e.ar.md": front(updatedAt="2026-07-01") + "ص",
    }
    for locale, month in (("ae/en", 5), ("sa/en", 5), ("sa/ar", 7)):
        resolved = seen(files, locale)
        assert resolved is not None
        assert resolved.updated_at == datetime(2026, month, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        pytest.param("x", 1, id="by name"),
        pytest.param("---\ndate: 2026-05-03\n---\nx", 3, id="by front matter"),
    ],
)
def test_the_date_in_a_name_gives_way_to_the_front_matter(text: str, day: int) -> None:
    """Jekyll does the same."""
    resolved = seen({"posts/2026-05-01-a.md": text}, "ae/en")
    assert resolved is not None
    assert resolved.published_at == datetime(2026, 5, day, tzinfo=UTC)


def test_a_post_dated_tomorrow_by_its_name_waits() -> None:
    """The name publishes as the front matter does."""
    tomorrow = NOW + timedelta(days=1)
    assert seen({f"posts/{tomorrow:%Y-%m-%d}-a.md": "x"}, "ae/en") is None
