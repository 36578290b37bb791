"""The file-name grammar."""

from __future__ import annotations

import pytest
from cases import cases
from gulf import places

from knowledge.documents.content_path import parse_content_path
from knowledge.fields.content_types import CONTENT_TYPES, AnyContentType
from knowledge.locales.locale import Country
from knowledge.markdown.slugs import former_slug, slugify

PLACES = places({"riyadh": Country("SA"), "dubai": Country("AE")})


@cases(
    ("path", "slug", "layer"),
    [
        pytest.param("registry/erp.md", "erp", "global", id="global"),
        pytest.param("registry/erp.ar.md", "erp", "ar", id="language"),
        pytest.param("registry/erp.sa.md", "erp", "sa", id="country"),
        pytest.param("registry/erp.sa.ar.md", "erp", "sa.ar", id="country and language"),
        pytest.param("registry/erp.sa.riyadh.md", "erp", "sa.riyadh", id="city"),
        pytest.param("registry/erp.sa.riyadh.ar.md", "erp", "sa.riyadh.ar", id="all three"),
        pytest.param("registry/erp/index.md", "erp", "global", id="folder"),
        pytest.param("registry/erp/index.sa.riyadh.en.md", "erp", "sa.riyadh.en", id="in folder"),
        pytest.param("pages/index.ar.md", "index", "ar", id="index without folder is a name"),
        pytest.param("posts/Rust.1.43.1.md", "rust-1-43-1", "global", id="dots stay in the name"),
        pytest.param("posts/v1.2.ar.md", "v1-2", "ar", id="dots before a language"),
        pytest.param("pages/a.ar.sa.md", "a-ar", "sa", id="language before country is a name"),
        pytest.param("pages/a.fr.md", "a-fr", "global", id="language not served is a name"),
        pytest.param("pages/a.riyadh.md", "a-riyadh", "global", id="city without its country"),
        pytest.param("pages/a.ae.riyadh.md", "a-ae-riyadh", "global", id="city of another country"),
        pytest.param("pages/My Page_2.md", "my-page-2", "global", id="blanks and capitals"),
        pytest.param("posts/2026-05-01-hello.en.md", "hello", "en", id="date of Jekyll"),
        pytest.param("posts/2026-05-01-hello/index.md", "hello", "global", id="dated folder"),
        pytest.param("posts/2026-13-01-hello.md", "2026-13-01-hello", "global", id="no such date"),
        pytest.param("posts/2026-05-01-.md", "2026-05-01", "global", id="date alone"),
        pytest.param("pages/2026-05-01-x.md", "2026-05-01-x", "global", id="date of a page"),
        pytest.param("posts/مقال.ar.md", "مقال", "ar", id="Arabic name"),
        pytest.param("pages/a.markdown", "a", "global", id="long suffix"),
        pytest.param("pages/....md", "", "global", id="nothing but dots"),
        pytest.param("ar/posts/hello.md", "hello", "ar", id="language folder at the root"),
        pytest.param("posts/ar/hello.md", "hello", "ar", id="language folder in a type's"),
        pytest.param("posts/en/2026/hello.md", "hello", "en", id="folder in a language's"),
        pytest.param("content/ar/posts/hello.md", "hello", "ar", id="as Hugo has it"),
        pytest.param("content/posts/hello.ar.md", "hello", "ar", id="suffix as Hugo has it"),
        pytest.param("ar/posts/hello.en.md", "hello", "en", id="the suffix wins"),
        pytest.param("posts/ar/hello.sa.md", "hello", "sa.ar", id="country in a language folder"),
        pytest.param("posts/2026/ar/hello.md", "hello", "global", id="folder further down"),
        pytest.param("posts/ar/index.md", "index", "ar", id="no name of its own"),
        pytest.param("posts/ar/hello/index.md", "hello", "ar", id="folder of a document"),
        pytest.param("pages/ar.md", "ar", "global", id="a file is no folder"),
    ],
)
def test_a_path_gives_slug_and_layer(path: str, slug: str, layer: str) -> None:
    """Suffixes are parsed from the end; other parts belong to the name."""
    name = parse_content_path(path, PLACES)
    assert name is not None
    assert (name.slug, str(name.layer)) == (slug, layer)


@cases(
    "path", ["README.md", "drafts/a.md", "posts", "", "ar/a.md", "content/a.md", "xx/posts/a.md"]
)
def test_a_path_outside_the_content_folders_is_none(path: str) -> None:
    """Other files are ignored without an exception."""
    assert parse_content_path(path, PLACES) is None


def test_only_posts_have_a_date_in_their_name() -> None:
    """The date is midnight UTC; for other types it is part of the slug."""
    post = parse_content_path("posts/2026-5-1-a.md")
    page = parse_content_path("pages/2026-05-01-a.md")
    assert post is not None
    assert post.date is not None
    assert post.date.isoformat() == "2026-05-01T00:00:00+00:00"
    assert page is not None
    assert page.date is None


@cases("kind", list(CONTENT_TYPES))
def test_the_folder_gives_the_content_type(kind: AnyContentType) -> None:
    """Each type has a folder of its name, and a name for one of its documents."""
    name = parse_content_path(f"{kind}/a.md")
    assert name is not None
    assert name.kind is kind
    assert kind.singular


def test_slugs_are_stable_and_composed() -> None:
    """Slugs do not change when slugified again, and slugify composes decomposed letters."""
    assert slugify("Cafe\u0301  – Menü!") == "café-menü"
    assert slugify(slugify("A__b--C")) == slugify("A__b--C") == "a-b-c"
    assert slugify("؟ !") == ""


@cases(
    ("text", "slug", "former"),
    [
        pytest.param("المكوّنات", "المكوّنات", "المكو-نات", id="shadda"),
        pytest.param("فورًا، الآن", "فورًا-الآن", "فور-ا-الآن", id="tanwin"),
        pytest.param("हिन्दी", "हिन्दी", "ह-न-द", id="vowel signs"),
        pytest.param("İstanbul", "i̇stanbul", "i-stanbul", id="a mark from lower case"),
        pytest.param(" ّكلمة ّ ثمّ", "كلمة-ثمّ", "كلمة-ثم", id="marks without a letter"),
        pytest.param("ℹ️ info 1️⃣", "ℹ-info-1", "ℹ-info-1", id="emoji"),
    ],
)
def test_combining_marks_belong_to_words(text: str, slug: str, former: str) -> None:
    """The former slug, in which they separated words, is derived from the new one."""
    assert slugify(text) == slugify(slug) == slug
    assert former_slug(slug) == former
