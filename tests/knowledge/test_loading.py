"""A content folder becomes a snapshot; what did not change is not read again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import NOW, Content, locale_of

import knowledge.loading
from knowledge.content_path import ContentType
from knowledge.files import SourceFile, read_document
from knowledge.loading import LoadedContent, load_consistent, load_content
from knowledge.locale import Country
from knowledge.resolution import resolve

CITY = "---\ncountryCode: SA\nname: Riyadh\n---\nx"


def titles(loaded: LoadedContent, kind: ContentType = ContentType.PAGE) -> dict[str, str | None]:
    """The English titles of a kind, by slug."""
    found = {}
    for entry in loaded.snapshot.all(kind):
        resolved = resolve(entry, locale_of("ae/en"), NOW)
        found[entry.slug] = resolved.text("title") if resolved else None
    return found


def test_unchanged_files_are_not_read_again(content: Content) -> None:
    """Not even parsed: it is the same document."""
    root = content({"pages/a.md": "one", "pages/b.md": "two"})
    first = load_content(root)
    content({"pages/b.md": "two, changed"})
    again = load_content(root, first)
    assert again.files["pages/a.md"] is first.files["pages/a.md"]
    assert again.files["pages/b.md"].document is not first.files["pages/b.md"].document
    assert again.snapshot.by_path["pages/b.md"][1].body == "two, changed"


@pytest.mark.parametrize("changed", [None, {"pages/a.md"}, {"notes.txt"}])
def test_where_nothing_is_new_the_reading_stays(content: Content, changed: set[str] | None) -> None:
    """Then nothing that was worked out of it is made again."""
    root = content({"pages/a.md": "one", "posts/b.md": b"\xff", "_synonyms.txt": "till, pos"})
    first = load_content(root)
    content({"notes.txt": "nothing that is looked for"})
    assert load_content(root, first, changed) is first


@pytest.mark.parametrize("path", ["pages/new.md", "images/a.svg", "_synonyms.txt", "odd/a.md"])
def test_whatever_is_new_makes_another_reading(content: Content, path: str) -> None:
    """Texts, pictures, words for search and faults."""
    root = content({"pages/a.md": "one"})
    first = load_content(root)
    content({path: "till, pos"})
    assert not load_content(root, first).is_equivalent_to(first)


def test_a_change_of_same_size_is_seen_by_its_time(content: Content) -> None:
    """An editor may replace one letter."""
    root = content({"pages/a.md": "one"})
    first = load_content(root)
    content({"pages/a.md": "two"})
    os.utime(root / "pages/a.md", ns=(1, 1))
    assert load_content(root, first).snapshot.by_path["pages/a.md"][1].body == "two"


@pytest.mark.parametrize(
    "breakage",
    [
        pytest.param(b"---\ntitle: [\n---\n", id="YAML"),
        pytest.param(b"\xff", id="bytes"),
        pytest.param(b"", id="emptied"),
        pytest.param(b"---\npublishedAt: soon\n---\n", id="value"),
    ],
)
def test_a_file_that_breaks_keeps_its_last_good_version(content: Content, breakage: bytes) -> None:
    """However often it breaks, until it is mended."""
    root = content({"pages/a.md": "---\ntitle: Good\n---\nx"})
    loaded = load_content(root)
    for broken in (breakage, breakage + b"\n\xff more"):
        content({"pages/a.md": broken})
        loaded = load_content(root, loaded)
        assert titles(loaded) == {"a": "Good"}
        assert [diagnostic.path for diagnostic in loaded.diagnostics] == ["pages/a.md"]
    assert load_content(root, loaded).diagnostics == loaded.diagnostics
    content({"pages/a.md": "---\ntitle: Mended\n---\nx"})
    mended = load_content(root, loaded)
    assert titles(mended) == {"a": "Mended"}
    assert mended.diagnostics == ()


def test_a_file_broken_from_the_start_is_left_out_and_named(content: Content) -> None:
    """The rest is served."""
    root = content({"pages/a.md": "---\ntitle: [\n---\n", "pages/b.md": "---\ntitle: B\n---\n"})
    loaded = load_content(root)
    assert titles(loaded) == {"b": "B"}
    assert [diagnostic.path for diagnostic in loaded.diagnostics] == ["pages/a.md"]


def test_a_file_written_anew_while_the_first_reading_goes_on_is_read_again(
    content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would be of a state that never was: `b` is written before `a`."""
    root = content({"pages/a.md": "old", "pages/b.md": "old"})

    def then_both_change(root: Path, path: str) -> SourceFile:
        found = read_document(root, path)
        if found.text == "old" and path == "pages/a.md":
            content({"pages/b.md": "new"})
            content({"pages/a.md": "new"})
        return found

    monkeypatch.setattr(knowledge.loading, "read_document", then_both_change)
    loaded = load_consistent(root, None, None, lambda: True)
    assert [document.body for _, document in loaded.snapshot.by_path.values()] == ["new", "new"]


def test_a_file_that_has_been_broken_for_long_is_not_waited_for(content: Content) -> None:
    """Nobody is writing to it."""
    root = content({"pages/a.md": ""})
    os.utime(root / "pages/a.md", ns=(1, 1))

    def wait() -> bool:
        raise AssertionError

    assert len(load_consistent(root, None, None, wait).diagnostics) == 1


def test_a_deleted_file_is_gone(content: Content) -> None:
    """So is a deleted folder, and a broken version that is deleted."""
    root = content({"pages/a.md": "x", "pages/b.md": "x", "posts/c.md": "x"})
    first = load_content(root)
    content({"pages/b.md": b""})
    broken = load_content(root, first)
    (root / "pages/a.md").unlink()
    (root / "pages/b.md").unlink()
    shutil.rmtree(root / "posts")
    last = load_content(root, broken)
    assert not last.snapshot.by_path
    assert last.diagnostics == ()


def test_a_city_added_gives_names_another_meaning(content: Content) -> None:
    """Files that were read before are placed anew."""
    root = content({"registry/erp.md": "x", "registry/erp.sa.riyadh.md": "city"})
    first = load_content(root)
    assert first.snapshot.entry(ContentType.REGISTRY, "erp-sa-riyadh") is not None
    content({"cities/riyadh.md": CITY})
    second = load_content(root, first)
    assert second.snapshot.cities == {"riyadh": Country.SA}
    assert second.snapshot.entry(ContentType.REGISTRY, "erp-sa-riyadh") is None
    entry = second.snapshot.entry(ContentType.REGISTRY, "erp")
    assert entry is not None
    assert [str(document.layer) for document in entry.documents] == ["global", "sa.riyadh"]


def test_a_city_that_breaks_keeps_its_pages(content: Content) -> None:
    """Its last good version still places its files."""
    root = content({"cities/riyadh.md": CITY, "registry/erp.sa.riyadh.md": "x"})
    first = load_content(root)
    content({"cities/riyadh.md": b"\xff"})
    assert load_content(root, first).snapshot.cities == {"riyadh": Country.SA}


def test_a_city_of_no_country_is_named(content: Content) -> None:
    """It can be shown nowhere."""
    loaded = load_content(content({"cities/riyadh.md": "---\nname: Riyadh\n---\n"}))
    (diagnostic,) = loaded.diagnostics
    assert "countryCode" in diagnostic.message
    assert loaded.snapshot.cities == {}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        pytest.param("README.md", "in no folder of a kind", id="at the root"),
        pytest.param("page/a.md", "No kind of document is called “page”", id="folder misspelt"),
        pytest.param("site/footer.md", "no document of this name", id="no such singleton"),
    ],
)
def test_files_that_nothing_looks_for_are_told(content: Content, path: str, words: str) -> None:
    """They stop nothing."""
    loaded = load_content(content({path: "x", "pages/a.md": "x"}))
    (diagnostic,) = loaded.diagnostics
    assert diagnostic.path == path
    assert words in diagnostic.message
    assert "pages/a.md" in loaded.snapshot.by_path


def test_assets_are_known_to_the_snapshot(content: Content) -> None:
    """By their path."""
    assert load_content(content({"images/a.png": "x"})).snapshot.assets == {"images/a.png"}


def test_without_a_folder_there_is_no_reading(tmp_path: Path) -> None:
    """The caller keeps the last edition."""
    with pytest.raises(OSError, match="gone"):
        load_content(tmp_path / "gone")


def test_reading_the_same_twice_gives_the_same(content: Content) -> None:
    """With and without a previous reading."""
    root = content({"pages/a.md": "---\ntitle: A\n---\n", "posts/b.md": "x", "README.md": "x"})
    first = load_content(root)
    for again in (load_content(root), load_content(root, first)):
        assert again.diagnostics == first.diagnostics
        assert titles(again) == titles(first)
        assert list(again.snapshot.by_path) == list(first.snapshot.by_path)
