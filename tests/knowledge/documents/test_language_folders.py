"""Language folders: they are layers, as the endings of file names are."""

from __future__ import annotations

import pytest
from conftest import Content, ViewOf, locale_of

from knowledge.fields.content_types import PAGE, POST, SETTINGS
from knowledge.snapshot.loading import load_content

ENGLISH = "---\ntitle: Hello\n---\nIn English. [Other](other.md)\n"
ARABIC = "---\ntitle: مرحبًا\n---\nبالعربية.\n"


@pytest.mark.parametrize("path", ["ar/posts/a.md", "posts/ar/a.md", "content/ar/posts/a.md"])
def test_a_language_folder_is_a_layer(view_of: ViewOf, path: str) -> None:
    """The two files are one post in both languages."""
    view = view_of({"posts/a.md": ENGLISH, path: ARABIC})
    titles = {}
    for locale in ("sa/en", "sa/ar"):
        post = view.for_locale(locale_of(locale)).resolve(POST, "a")
        titles[locale] = post and post.fields.title
    assert titles == {"sa/en": {"en": "Hello"}, "sa/ar": {"en": "Hello", "ar": "مرحبًا"}}


def test_a_document_of_one_language_folder_stands_alone(content: Content) -> None:
    """Nothing is missing; both original languages may be in folders."""
    files = {"pages/ar/only.md": ARABIC, "pages/en/a.md": ENGLISH, "pages/ar/a.md": ARABIC}
    loaded = load_content(content(files))
    entry = loaded.snapshot.entry(PAGE, "a")
    assert loaded.diagnostics == ()
    assert entry is not None
    assert [str(document.layer) for document in entry.documents] == ["ar", "en"]
    assert loaded.snapshot.entry(PAGE, "only") is not None


def test_settings_countries_and_cities_may_be_in_language_folders(view_of: ViewOf) -> None:
    """They give their names in that language."""
    files = {
        "site/settings.md": "---\nseo: {pageTitle: Wahat}\n---\n",
        "ar/site/settings.md": "---\nseo: {pageTitle: واحات}\n---\n",
        "ar/countries/eg.md": "---\nname: مصر\n---\n",
        "content/cities/cairo.md": "---\nname: Cairo\ncountryCode: EG\n---\n",
    }
    view = view_of(files, "eg/ar")
    settings = view.singleton(SETTINGS)
    assert settings is not None
    assert settings.fields.seo is not None
    assert settings.fields.seo.page_title == {"en": "Wahat", "ar": "واحات"}
    assert view.snapshot.cities == {"cairo": "EG"}
    assert view.snapshot.countries[view.snapshot.cities["cairo"]].name == {"ar": "مصر"}


def test_one_layer_in_two_places_is_reported(content: Content) -> None:
    """The first path is served."""
    loaded = load_content(content({"posts/a.ar.md": ARABIC, "posts/ar/a.md": ARABIC}))
    (diagnostic,) = loaded.diagnostics
    assert "already used by posts/a.ar.md" in diagnostic.message
    assert loaded.snapshot.by_path.keys() & {"posts/a.ar.md", "posts/ar/a.md"} == {"posts/a.ar.md"}


def test_a_link_between_files_of_a_language_folder_is_resolved(view_of: ViewOf) -> None:
    """It leads to the page of the reader's locale."""
    view = view_of({"posts/en/a.md": ENGLISH, "posts/en/other.md": ENGLISH}, "sa/en")
    assert "[Other](/sa/en/blog/other)" in view.markdown(ENGLISH, "posts/en/a.md")
