"""Reading again what changed gives what reading everything gives, whatever the edits were."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from conftest import NOW
from hypothesis import given, settings
from hypothesis import strategies as st

from indexes.page_text import gather
from indexes.search import SearchIndex, first_index
from knowledge.loading import LoadedContent, load_content
from knowledge.locale import Language, all_locales

NAMES = st.sampled_from(
    [
        *("posts/a.md", "posts/a.ar.md", "posts/a.sa.md", "posts/b.md", "posts/2026-01-02-b.md"),
        *("posts/c.md", "categories/c.md", "pages/a.md", "pages/c.md", "pages/blog.md"),
        *("registry/c.md", "registry/erp.md", "registry/erp.sa.riyadh.md", "cities/riyadh.md"),
    ]
)
LINES = st.lists(
    st.sampled_from(
        [
            *("slug: b", "slug: c", "tags: [x, y]", "tags: [y]", "category: c", "title: T"),
            *("countries: [sa]", "countryCode: SA", "published: false", "date: 2026-01-03"),
            *("date: 2027-01-01", "unpublishAt: 2026-02-01", "title: [", "lang: ar"),
        ]
    ),
    max_size=3,
    unique_by=lambda line: line.partition(":")[0],
)
STEPS = st.lists(st.tuples(NAMES, st.none() | LINES), min_size=1, max_size=10)


def change(root: Path, path: str, lines: list[str] | None) -> None:
    """Write a file with these lines as its front matter, or delete it."""
    target = root / path
    target.parent.mkdir(exist_ok=True)
    if lines is None:
        target.unlink(missing_ok=True)
    else:
        target.write_text("\n".join(["---", *lines, "---", "Text."]))


def told(loaded: LoadedContent) -> object:
    """All that others take from a reading."""
    snapshot = loaded.snapshot
    entries = {
        (kind, slug): [document.path for document in entry.documents]
        for kind, slugs in snapshot.entries.items()
        for slug, entry in slugs.items()
    }
    post_indexes = []
    for locale in all_locales():
        index = snapshot.posts(locale)
        records = [(record.slug, record.tags, record.category) for record in index.records]
        indexed = [
            {name: [record.slug for record in found] for name, found in files.items()}
            for files in (index.by_tag, index.by_category)
        ]
        read = [record.slug for record in index.at(NOW)]
        post_indexes.append((records, indexed, read, sorted(index.by_slug)))
    by_kind = sorted(entries.items(), key=lambda item: item[0][0])
    return by_kind, post_indexes, snapshot.schedule, snapshot.cities, loaded.diagnostics


def texts(index: SearchIndex) -> object:
    """What is searched, in an order of its own."""
    return {
        language: sorted(
            (text.address, sorted(text.countries), text.title, text.is_listed)
            for text in index.gathered.spoken(language)
        )
        for language in Language
    }


@settings(max_examples=150)
@given(STEPS)
def test_an_edit_leads_to_what_a_start_leads_to(
    steps: list[tuple[str, list[str] | None]],
) -> None:
    """Entries, slugs, shelves, turns, faults and texts, after each edit."""
    with TemporaryDirectory() as name:
        root = Path(name)
        loaded = load_content(root)
        index = first_index(loaded.snapshot)
        for path, lines in steps:
            told(loaded)  # what is in use is carried over, so all is
            change(root, path, lines)
            loaded = load_content(root, loaded, {path})
            index = index.updated(loaded.snapshot, index.vocabulary.lists)
            if any(file.diagnostics for file in loaded.files.values()):
                continue  # a broken file keeps its last good version, of which a start knows none
            whole = load_content(root)
            assert told(loaded) == told(whole)
            assert texts(index) == texts(first_index(whole.snapshot))


def test_texts_are_taken_of_what_changed_alone(tmp_path: Path) -> None:
    """The others are the very same objects."""
    for slug in ("a", "b"):
        change(tmp_path, f"posts/{slug}.md", [f"title: {slug}"])
    first = load_content(tmp_path)
    before = gather(first.snapshot)
    change(tmp_path, "posts/a.md", ["title: Edited"])
    after = gather(load_content(tmp_path, first, {"posts/a.md"}).snapshot, before)
    kept = {*before.spoken(Language.EN)} & {*after.spoken(Language.EN)}
    assert [text.address.slug for text in kept] == ["b"]
