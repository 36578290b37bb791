"""The snapshot and its post indexes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from conftest import NOW, Content, ViewOf, locale_of
from gulf import COUNTRIES

from knowledge.diagnostics.diagnostic import Severity
from knowledge.fields.content_types import PAGE, POST, REGISTRY
from knowledge.locales.locale import Country
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import reserved_slugs


def test_layers_of_one_slug_are_one_entry(content: Content) -> None:
    """Layers are sorted from general to specific, independent of their order on disk."""
    city = "---\ncountryCode: SA\nname: Riyadh\n---\n"
    paths = ("erp.sa.riyadh.ar", "erp.sa.ar", "erp.ar", "erp", "erp.sa")
    files = {f"registry/{path}.md": "x" for path in paths}
    snapshot = load_content(content({**files, "cities/riyadh.md": city})).snapshot
    entry = snapshot.entry(REGISTRY, "erp")
    assert entry is not None
    layers = [str(document.layer) for document in entry.documents]
    assert layers == ["global", "ar", "sa", "sa.ar", "sa.riyadh.ar"]
    assert snapshot.cities == {"riyadh": Country("SA")}
    assert snapshot.entry(PAGE, "erp") is None


@pytest.mark.parametrize(
    ("files", "left_out"),
    [
        pytest.param(["pages/a.md", "pages/a/index.md"], "pages/a.md", id="folder and file"),
        pytest.param(["pages/A.md", "pages/a.md"], "pages/a.md", id="capitals"),
        pytest.param(["posts/2026-01-01-a.md", "posts/a.md"], "posts/a.md", id="dated name"),
        pytest.param(["posts/a.markdown", "posts/a.md"], "posts/a.md", id="two suffixes"),
    ],
)
def test_two_files_for_one_layer_are_an_error(
    files: list[str], left_out: str, content: Content
) -> None:
    """The first path wins."""
    loaded = load_content(content(dict.fromkeys(files, "x")))
    (diagnostic,) = loaded.diagnostics
    assert (diagnostic.path, diagnostic.severity) == (left_out, Severity.ERROR)
    assert "is already used by" in diagnostic.message
    assert left_out not in loaded.snapshot.by_path


def test_a_slug_in_front_matter_applies_to_all_layers(content: Content) -> None:
    """It needs to be set only once."""
    files = {"pages/a.md": "---\nslug: Über Uns\n---\nx", "pages/a.ar.md": "ا"}
    snapshot = load_content(content(files)).snapshot
    entry = snapshot.entry(PAGE, "über-uns")
    assert entry is not None
    assert len(entry.documents) == 2
    assert snapshot.entry(PAGE, "a") is None


def test_conflicting_slugs_of_layers_are_a_warning(content: Content) -> None:
    """The most general layer decides."""
    files = {"pages/a.md": "---\nslug: b\n---\nx", "pages/a.ar.md": "---\nslug: c\n---\nا"}
    loaded = load_content(content(files))
    assert loaded.snapshot.entry(PAGE, "b") is not None
    (diagnostic,) = loaded.diagnostics
    assert (diagnostic.path, diagnostic.severity) == ("pages/a.ar.md", Severity.WARNING)


@pytest.mark.parametrize("slug", ["blog", "index", "products", "testimonials"])
def test_a_page_cannot_use_a_reserved_slug(slug: str, content: Content) -> None:
    """Its address is a list page; in other folders the slug is allowed."""
    files = {f"pages/{slug}.md": "x", f"posts/{slug}.md": "x"}
    loaded = load_content(content(files, countries=False))
    (diagnostic,) = loaded.diagnostics
    assert (diagnostic.path, diagnostic.severity) == (f"pages/{slug}.md", Severity.ERROR)
    assert list(loaded.snapshot.by_path) == [f"posts/{slug}.md"]


def test_no_form_has_a_reserved_slug(content: Content) -> None:
    """Every address of the service, and of the list of a kind, is the same for forms."""
    kind = {"_kinds/offers.md": "---\nsingular: Offer\nplural: Offers\n---\n"}
    pages = load_content(content(kind, countries=False)).places.kinds.page_types
    reserved = reserved_slugs(has_countries=False, pages=pages)
    slugs = {slug for slug in reserved if slug and "/" not in slug}
    assert {"blog", "products", "offers", "ar"} <= slugs
    forms = {f"forms/{slug}.md": FORM_TEXT for slug in sorted(slugs)}
    loaded = load_content(content({**forms, "forms/visit.md": FORM_TEXT}, countries=False))
    found = {each.path: (each.severity, str(each.kind)) for each in loaded.diagnostics}
    assert found == dict.fromkeys(forms, (Severity.ERROR, "reserved-address"))
    assert "forms/visit.md" in loaded.snapshot.by_path


FORM_TEXT = "---\ntitle: Visit\nfields:\n  email: { type: email, required: true }\n---\n"


@pytest.mark.parametrize("countries", [True, False])
def test_a_language_is_a_reserved_slug_without_countries(content: Content, countries: bool) -> None:
    """`/ar/en` would be English for Argentina."""
    loaded = load_content(content({"pages/en.md": "x", "pages/a.ar.md": "س"}, countries))
    assert ("pages/en.md" in loaded.snapshot.by_path) == countries
    assert [diagnostic.path for diagnostic in loaded.diagnostics] == ["pages/en.md"][countries:]


def test_a_slug_that_is_already_used_is_an_error(content: Content) -> None:
    """For example, by another document's file name."""
    loaded = load_content(content({"pages/a.md": "---\nslug: b\n---\nx", "pages/b.md": "y"}))
    (diagnostic,) = loaded.diagnostics
    assert diagnostic.path == "pages/b.md"
    assert "pages/a.md" in diagnostic.message


def test_registry_and_cms_pages_share_one_address(content: Content) -> None:
    """The registry page is served, the CMS page is reported."""
    loaded = load_content(content({"registry/erp.md": "x", "pages/erp.md": "y"}))
    (diagnostic,) = loaded.diagnostics
    assert diagnostic.path == "pages/erp.md"
    assert "/erp" in diagnostic.message
    assert loaded.snapshot.by_path.keys() & {"registry/erp.md", "pages/erp.md"} == {
        "registry/erp.md"
    }


def test_next_change_at_is_the_next_scheduled_instant(content: Content) -> None:
    """Publications and withdrawals of any layer, strictly after `now`."""
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
    assert snapshot.last_change_at(NOW) == snapshot.last_change_at(first - timedelta(seconds=1))
    assert snapshot.last_change_at(first) == first
    assert snapshot.last_change_at(NOW - timedelta(days=999)) < NOW - timedelta(days=999)


def test_entries_are_due_after_an_instant_up_to_another(content: Content) -> None:
    """By any of their layers; the later one counts, the earlier one does not."""
    first, second = NOW + timedelta(hours=1), NOW + timedelta(days=1)
    files = {
        "posts/a.md": "x",
        "posts/a.sa.md": f"---\ndate: {second.isoformat()}\n---\nx",
        "pages/b.md": f"---\nunpublishAt: {first.isoformat()}\n---\nx",
        "pages/c.md": "x",
    }
    snapshot = load_content(content(files)).snapshot

    def due(since: datetime, now: datetime) -> list[str]:
        return sorted(entry.slug for entry in snapshot.entries_due(since, now))

    assert due(NOW, first - timedelta(seconds=1)) == []
    assert due(NOW, first) == ["b"]
    assert due(first, second) == ["a"]
    assert due(NOW, second) == ["a", "b"]
    assert due(second, second + timedelta(days=9)) == []


def test_a_country_can_be_disabled(content: Content) -> None:
    """The file name or `code` gives the country."""
    assert load_content(content({"pages/a.md": "x"})).snapshot.open.countries == COUNTRIES
    files = {
        "countries/qa.md": "---\nenabled: false\n---\n",
        "countries/oman.md": "---\ncode: OM\nenabled: false\n---\n",
        "countries/sa.md": "---\nenabled: true\n---\n",
    }
    (content({}) / "countries/om.md").unlink()
    open_countries = load_content(content(files)).snapshot.open.countries
    assert set(open_countries) == set(COUNTRIES) - {Country("QA"), Country("OM")}


def test_a_post_index_has_the_posts_of_one_locale_newest_first(view_of: ViewOf) -> None:
    """Equal dates are sorted by slug, undated posts are last; other locales are excluded."""
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
        return [record.slug for record in snapshot.posts(locale_of(locale)).at(now)]

    assert slugs("ae/en") == ["new", "a", "b", "old", "undated"]
    assert slugs("ae/ar") == ["arabic"]
    assert "saudi" in slugs("sa/en")
    assert slugs("ae/en", datetime(2026, 5, 2, 12, tzinfo=UTC))[0] == "gone"
    assert slugs("ae/en", datetime(2026, 9, 1, tzinfo=UTC))[0] == "future"


def test_the_post_index_and_resolution_agree(view_of: ViewOf) -> None:
    """The index contains exactly the posts that resolve."""
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
        index = {record.slug for record in view.snapshot.posts(here.locale).at(NOW)}
        assert index == {post.entry.slug for post in here.resolve_all(POST)}
