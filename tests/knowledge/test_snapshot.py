"""The snapshot and its shelves of posts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from conftest import NOW, Content, ViewOf, locale_of

from knowledge.content_path import ContentType
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.loading import LoadedContent, load_content
from knowledge.locale import Country


def faults_of(reading: LoadedContent) -> list[Diagnostic]:
    """Its faults, worst first."""
    return sorted(reading.diagnostics, key=lambda diagnostic: -diagnostic.severity)


def test_layers_of_one_slug_are_one_entry(content: Content) -> None:
    """From broad to particular, whatever their order on disk."""
    city = "---\ncountryCode: SA\nname: Riyadh\n---\n"
    paths = ("erp.sa.riyadh.ar", "erp.sa.ar", "erp.ar", "erp", "erp.sa")
    files = {f"registry/{path}.md": "x" for path in paths}
    snapshot = load_content(content({**files, "cities/riyadh.md": city})).snapshot
    entry = snapshot.entry(ContentType.REGISTRY, "erp")
    assert entry is not None
    layers = [str(document.layer) for document in entry.documents]
    assert layers == ["global", "ar", "sa", "sa.ar", "sa.riyadh.ar"]
    assert snapshot.cities == {"riyadh": Country.SA}
    assert snapshot.entry(ContentType.PAGE, "erp") is None


@pytest.mark.parametrize(
    ("files", "left_out"),
    [
        pytest.param(["pages/a.md", "pages/a/index.md"], "pages/a.md", id="folder and file"),
        pytest.param(["pages/A.md", "pages/a.md"], "pages/a.md", id="capitals"),
        pytest.param(["posts/2026-01-01-a.md", "posts/a.md"], "posts/a.md", id="dated name"),
        pytest.param(["posts/a.markdown", "posts/a.md"], "posts/a.md", id="two suffixes"),
    ],
)
def test_two_files_in_one_place_are_a_named_fault(
    files: list[str], left_out: str, content: Content
) -> None:
    """The first path wins."""
    reading = load_content(content(dict.fromkeys(files, "x")))
    (diagnostic,) = reading.diagnostics
    assert (diagnostic.path, diagnostic.severity) == (left_out, Severity.ERROR)
    assert "is taken by" in diagnostic.message
    assert left_out not in reading.snapshot.by_path


def test_a_slug_in_front_matter_is_the_document_s(content: Content) -> None:
    """For all its layers, given once."""
    files = {"pages/a.md": "---\nslug: Über Uns\n---\nx", "pages/a.ar.md": "ا"}
    snapshot = load_content(content(files)).snapshot
    entry = snapshot.entry(ContentType.PAGE, "über-uns")
    assert entry is not None
    assert len(entry.documents) == 2
    assert snapshot.entry(ContentType.PAGE, "a") is None


def test_layers_that_disagree_on_the_slug_are_told(content: Content) -> None:
    """The broadest layer decides."""
    files = {"pages/a.md": "---\nslug: b\n---\nx", "pages/a.ar.md": "---\nslug: c\n---\nا"}
    reading = load_content(content(files))
    assert reading.snapshot.entry(ContentType.PAGE, "b") is not None
    (diagnostic,) = reading.diagnostics
    assert (diagnostic.path, diagnostic.severity) == ("pages/a.ar.md", Severity.WARNING)


@pytest.mark.parametrize("slug", ["blog", "index", "products", "testimonials"])
def test_a_page_cannot_stand_where_the_site_has_one(slug: str, content: Content) -> None:
    """Nobody would ever see it; in another folder the name is free."""
    reading = load_content(content({f"pages/{slug}.md": "x", f"posts/{slug}.md": "x"}))
    (diagnostic,) = reading.diagnostics
    assert (diagnostic.path, diagnostic.severity) == (f"pages/{slug}.md", Severity.ERROR)
    assert list(reading.snapshot.by_path) == [f"posts/{slug}.md"]


def test_a_slug_that_is_taken_is_a_named_fault(content: Content) -> None:
    """By another document's file name."""
    reading = load_content(content({"pages/a.md": "---\nslug: b\n---\nx", "pages/b.md": "y"}))
    (diagnostic,) = reading.diagnostics
    assert diagnostic.path == "pages/b.md"
    assert "pages/a.md" in diagnostic.message


def test_registry_and_cms_pages_share_one_address(content: Content) -> None:
    """A page hidden behind a registry page is named."""
    reading = load_content(content({"registry/erp.md": "x", "pages/erp.md": "y"}))
    (diagnostic,) = reading.diagnostics
    assert diagnostic.path == "pages/erp.md"
    assert "/erp" in diagnostic.message


def test_the_next_turn_is_the_next_instant_at_which_anything_changes(content: Content) -> None:
    """Publications and withdrawals, of any layer; the past and now itself are over."""
    first, second = NOW + timedelta(hours=1), NOW + timedelta(days=1)
    files = {
        "posts/a.md": f"---\ndate: {second.isoformat()}\n---\nx",
        "pages/b.md": f"---\nunpublishAt: {first.isoformat()}\n---\nx",
        "pages/c.md": f"---\npublishedAt: {NOW.isoformat()}\n---\nx",
        "posts/2026-07-01-d.md": "x",
    }
    snapshot = load_content(content(files)).snapshot
    assert snapshot.next_change_at(NOW) == first
    assert snapshot.next_change_at(first) == second
    assert snapshot.next_change_at(second) == datetime(2026, 7, 1, tzinfo=UTC)
    assert snapshot.next_change_at(datetime(2026, 7, 1, tzinfo=UTC)) is None


def test_a_country_can_be_switched_off(content: Content) -> None:
    """By its file's name or code; without files all six are open."""
    assert load_content(content({"pages/a.md": "x"})).snapshot.open_countries == set(Country)
    files = {
        "countries/qa.md": "---\nenabled: false\n---\n",
        "countries/oman.md": "---\ncode: OM\nenabled: false\n---\n",
        "countries/sa.md": "---\nenabled: true\n---\n",
    }
    open_countries = load_content(content(files)).snapshot.open_countries
    assert open_countries == set(Country) - {Country.QA, Country.OM}


def test_a_shelf_holds_the_posts_of_one_locale_newest_first(view_of: ViewOf) -> None:
    """Undated ones last, equals by slug; other languages and countries are not on it."""
    files: dict[str, str | bytes] = {
        "posts/old.md": "---\ndate: 2026-01-01\n---\nx",
        "posts/new.md": "---\ndate: 2026-05-01\n---\nx",
        "posts/b.md": "---\ndate: 2026-03-01\n---\nx",
        "posts/a.md": "---\ndate: 2026-03-01\n---\nx",
        "posts/undated.md": "x",
        "posts/arabic.ar.md": "ا",
        "posts/saudi.sa.md": "x",
        "posts/draft.md": "---\ndraft: true\n---\nx",
        "posts/for-oman.md": "---\ncountries: om\n---\nx",
        "posts/future.md": "---\ndate: 2026-09-01\n---\nx",
        "posts/gone.md": "---\ndate: 2026-05-02\nunpublishAt: 2026-05-03\n---\nx",
    }
    snapshot = view_of(files).snapshot

    def slugs(locale: str, now: datetime = NOW) -> list[str]:
        return [record.entry.slug for record in snapshot.posts(locale_of(locale)).at(now)]

    assert slugs("ae/en") == ["new", "a", "b", "old", "undated"]
    assert slugs("ae/ar") == ["arabic"]
    assert "saudi" in slugs("sa/en")
    assert slugs("ae/en", datetime(2026, 5, 2, 12, tzinfo=UTC))[0] == "gone"
    assert slugs("ae/en", datetime(2026, 9, 1, tzinfo=UTC))[0] == "future"


def test_a_shelf_and_resolution_agree(view_of: ViewOf) -> None:
    """What is on the shelf can be read, and what can be read is on it."""
    layers = ("", ".ar", ".sa", ".sa.ar")
    heads = (
        "draft: true",
        "date: 2027-01-01",
        "countries: sa",
        "title: x",
        "unpublishAt: 2026-01-01",
    )
    files: dict[str, str | bytes] = {
        f"posts/p{layer.replace('.', '-')}-{number}{layer}.md": f"---\n{head}\n---\nx"
        for layer in layers
        for number, head in enumerate(heads)
    }
    files |= {f"posts/all{layer}.md": f"---\n{heads[3]}\n---\nx" for layer in layers}
    view = view_of(files)
    for locale in ("ae/en", "ae/ar", "sa/en", "sa/ar"):
        here = view.for_locale(locale_of(locale))
        index = {record.entry.slug for record in view.snapshot.posts(here.locale).at(NOW)}
        assert index == {each.entry.slug for each in here.resolve_all(ContentType.POST)}
