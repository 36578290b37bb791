"""Loading: a content folder becomes a snapshot; unchanged files are not read again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from cases import cases
from conftest import NOW, Content, locale_of

import knowledge.snapshot.loading
from knowledge.diagnostics.diagnostic import Severity
from knowledge.documents.files import SourceFile, read_document, scan
from knowledge.fields.content_types import PAGE, POST, REGISTRY, AnyContentType
from knowledge.locales.locale import Country
from knowledge.snapshot.layer_resolution import resolve
from knowledge.snapshot.loading import LoadedContent, load_consistent, load_content

CITY = "---\ncountryCode: SA\nname: Riyadh\n---\nx"


def titles(loaded: LoadedContent, kind: AnyContentType = PAGE) -> dict[str, str | None]:
    """Return the English titles of a content type by slug."""
    by_slug = {}
    for entry in loaded.snapshot.all(kind):
        resolved = resolve(entry, locale_of("ae/en"), NOW)
        by_slug[entry.slug] = resolved.pick(resolved.fields.title) if resolved else None
    return by_slug


def test_unchanged_files_are_not_read_again(content: Content) -> None:
    """The next load reuses their documents."""
    root = content({"pages/a.md": "one", "pages/b.md": "two"})
    first = load_content(root)
    content({"pages/b.md": "two, changed"})
    again = load_content(root, first)
    assert again.files["pages/a.md"] is first.files["pages/a.md"]
    assert again.files["pages/b.md"].document is not first.files["pages/b.md"].document
    assert again.snapshot.by_path["pages/b.md"][1].body == "two, changed"


@pytest.mark.parametrize("changed", [None, {"pages/a.md"}, {"notes.txt"}])
def test_without_changes_the_previous_load_is_returned(
    content: Content, changed: set[str] | None
) -> None:
    """So everything derived from it can be reused."""
    root = content({"pages/a.md": "one", "posts/b.md": b"\xff", "_synonyms.txt": "till, pos"})
    first = load_content(root)
    content({"notes.txt": "not a content file"})
    assert load_content(root, first, changed) is first


@pytest.mark.parametrize("path", ["pages/new.md", "images/a.svg", "_synonyms.txt", "odd/a.md"])
def test_new_files_change_the_load(content: Content, path: str) -> None:
    """Documents, assets, word lists and unknown files."""
    root = content({"pages/a.md": "one"})
    first = load_content(root)
    content({path: "till, pos"})
    assert not load_content(root, first).is_equivalent_to(first)


def test_a_change_of_the_same_size_is_detected_by_its_time(content: Content) -> None:
    """For example, if an author replaces one letter."""
    root = content({"pages/a.md": "one"})
    first = load_content(root)
    content({"pages/a.md": "two"})
    os.utime(root / "pages/a.md", ns=(1, 1))
    assert load_content(root, first).snapshot.by_path["pages/a.md"][1].body == "two"


@cases(
    ("path", "text"),
    [
        ("pages/a.md", "one"),
        ("_static/site.css", ".a { color: red }"),
        ("images/a.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
        ("_templates/post.html", "<p>one</p>"),
        ("_redirects", "/one /a"),
        ("posts/authors.yml", "mona: {name: one}"),
    ],
)
@pytest.mark.parametrize("is_replaced", [False, True], ids=["in place", "by another file"])
def test_a_change_of_the_same_size_and_time_is_detected(
    content: Content, path: str, text: str, *, is_replaced: bool
) -> None:
    """By the inode, and by the time that no program can set back."""
    file = content({path: text}) / path
    os.utime(file, ns=(1, 1))
    root = content({})
    first, before = load_content(root), file.stat()
    target = file.with_name("next") if is_replaced else file
    while file.stat().st_ctime_ns == before.st_ctime_ns:
        target.write_text(text.swapcase(), encoding="utf-8")
        os.utime(target, ns=(1, 1))
        target.replace(file)
    after = file.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert load_content(root, first) is not first


@pytest.mark.parametrize(
    "breakage",
    [
        pytest.param(b"---\ntitle: [\n---\n", id="YAML"),
        pytest.param(b"\xff", id="bytes"),
        pytest.param(b"", id="emptied"),
        pytest.param(b"---\npublishedAt: soon\n---\n", id="value"),
    ],
)
def test_a_broken_file_keeps_its_last_good_version(content: Content, breakage: bytes) -> None:
    """Through several broken versions, until it is valid again."""
    root = content({"pages/a.md": "---\ntitle: Good\n---\nx"})
    loaded = load_content(root)
    for broken in (breakage, breakage + b"\n\xff more"):
        content({"pages/a.md": broken})
        loaded = load_content(root, loaded)
        assert titles(loaded) == {"a": "Good"}
        assert [diagnostic.path for diagnostic in loaded.diagnostics] == ["pages/a.md"]
    assert load_content(root, loaded).diagnostics == loaded.diagnostics
    content({"pages/a.md": "---\ntitle: Corrected\n---\nx"})
    corrected = load_content(root, loaded)
    assert titles(corrected) == {"a": "Corrected"}
    assert corrected.diagnostics == ()


def test_a_file_broken_from_the_start_is_left_out_and_reported(content: Content) -> None:
    """The other files are served."""
    root = content({"pages/a.md": "---\ntitle: [\n---\n", "pages/b.md": "---\ntitle: B\n---\n"})
    loaded = load_content(root)
    assert titles(loaded) == {"b": "B"}
    assert [diagnostic.path for diagnostic in loaded.diagnostics] == ["pages/a.md"]


def test_a_file_that_changes_during_the_load_is_read_again(
    content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the load would mix two states: `b` is written before `a`."""
    root = content({"pages/a.md": "old", "pages/b.md": "old"}, countries=False)

    def read_then_change_both(root: Path, path: str) -> SourceFile:
        source = read_document(root, path)
        if source.text == "old" and path == "pages/a.md":
            content({"pages/b.md": "new"}, countries=False)
            content({"pages/a.md": "new"}, countries=False)
        return source

    monkeypatch.setattr(knowledge.snapshot.loading, "read_document", read_then_change_both)
    loaded = load_consistent(root, None, None, lambda: True)
    assert [document.body for _, document in loaded.snapshot.by_path.values()] == ["new", "new"]


def test_the_load_does_not_wait_for_an_old_broken_file(content: Content) -> None:
    """Its writer has finished."""
    root = content({"pages/a.md": ""})
    os.utime(root / "pages/a.md", ns=(1, 1))

    def wait() -> bool:
        raise AssertionError

    assert len(load_consistent(root, None, None, wait).diagnostics) == 1


def test_a_deleted_file_is_gone(content: Content) -> None:
    """So are a deleted folder and a deleted broken file."""
    files = {"pages/a.md": "x", "pages/b.md": "x", "posts/c.md": "x"}
    root = content(files, countries=False)
    first = load_content(root)
    content({"pages/b.md": b""}, countries=False)
    broken = load_content(root, first)
    (root / "pages/a.md").unlink()
    (root / "pages/b.md").unlink()
    shutil.rmtree(root / "posts")
    last = load_content(root, broken)
    assert not last.snapshot.by_path
    assert last.diagnostics == ()


def test_a_new_city_changes_the_meaning_of_file_names(content: Content) -> None:
    """Files loaded before are parsed and indexed again."""
    root = content({"registry/erp.md": "x", "registry/erp.sa.riyadh.md": "city"})
    first = load_content(root)
    assert first.snapshot.entry(REGISTRY, "erp-sa-riyadh") is not None
    content({"cities/riyadh.md": CITY})
    second = load_content(root, first)
    assert second.snapshot.cities == {"riyadh": Country("SA")}
    assert second.snapshot.entry(REGISTRY, "erp-sa-riyadh") is None
    entry = second.snapshot.entry(REGISTRY, "erp")
    assert entry is not None
    assert [str(document.layer) for document in entry.documents] == ["global", "sa.riyadh"]


def test_a_city_that_breaks_keeps_its_pages(content: Content) -> None:
    """Its last good version still gives the country."""
    root = content({"cities/riyadh.md": CITY, "registry/erp.sa.riyadh.md": "x"})
    first = load_content(root)
    content({"cities/riyadh.md": b"\xff"})
    snapshot = load_content(root, first).snapshot
    assert snapshot.cities == {"riyadh": Country("SA")}
    entry = snapshot.entry(REGISTRY, "erp")
    assert entry is not None
    assert [str(document.layer) for document in entry.documents] == ["sa.riyadh"]


def test_a_city_without_a_country_is_reported(content: Content) -> None:
    """It is left out."""
    loaded = load_content(content({"cities/riyadh.md": "---\nname: Riyadh\n---\n"}))
    (diagnostic,) = loaded.diagnostics
    assert "countryCode" in diagnostic.message
    assert loaded.snapshot.cities == {}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        pytest.param("README.md", "not in a content folder", id="at the root"),
        pytest.param("page/a.md", "Unknown content folder “page”", id="folder misspelt"),
        pytest.param("site/footer.md", "Unknown file name in site/", id="unknown site document"),
    ],
)
def test_unknown_files_are_reported(content: Content, path: str, words: str) -> None:
    """The other files are served."""
    loaded = load_content(content({path: "x", "pages/a.md": "x"}))
    (diagnostic,) = loaded.diagnostics
    assert diagnostic.path == path
    assert words in diagnostic.message
    assert "pages/a.md" in loaded.snapshot.by_path


def test_the_snapshot_contains_the_paths_of_assets(content: Content) -> None:
    """Relative to the content folder."""
    assert load_content(content({"images/a.png": "x"})).snapshot.assets == {"images/a.png"}


def test_a_missing_folder_raises_an_os_error(tmp_path: Path) -> None:
    """The caller keeps the last edition."""
    with pytest.raises(OSError, match="gone"):
        load_content(tmp_path / "gone")


def test_loading_twice_gives_equal_results(content: Content) -> None:
    """With and without a previous load."""
    root = content({"pages/a.md": "---\ntitle: A\n---\n", "posts/b.md": "x", "README.md": "x"})
    first = load_content(root)
    for again in (load_content(root), load_content(root, first)):
        assert again.diagnostics == first.diagnostics
        assert titles(again) == titles(first)
        assert list(again.snapshot.by_path) == list(first.snapshot.by_path)


def test_texts_that_are_not_read_are_told(content: Content) -> None:
    """Ignored by their names, in another language, or outside of all folders: with three names."""
    ignored = {f"_notes/{name}.md": "x" for name in "dcba"}
    outside = {f"docs/{name}.md": "x" for name in "wxyz"}
    loaded = load_content(content({**ignored, **outside, "pages/a.rst": "x", "pages/_b.md": "x"}))
    first, second, third = loaded.diagnostics
    assert (first.path, first.severity) == ("docs/w.md", Severity.WARNING)
    assert "4 files are not read, docs/w.md, docs/x.md, docs/y.md, …." in first.message
    assert "Move them to one of" in first.suggestion
    assert (second.path, second.severity) == ("_notes/a.md", Severity.NOTICE)
    assert "5 files are ignored, because of a name that begins with “_”" in second.message
    assert third.path == "pages/a.rst"
    assert "1 file is ignored, because only markdown is read: pages/a.rst." in third.message


@cases(
    "name",
    [
        "vat.sync-conflict-20260501-101500-ABCDEFG.md",
        "vat (Mona's conflicted copy 2026-05-01).md",
        "vat (conflicted copy 2026-05-01 101500).md",
        "vat_conflict-20260501-101500.md",
        "vat.bak.md",
        "vat.BAK.markdown",
        "vat.orig.mdx",
        "ضريبة (نسخة conflicted copy).md",
    ],
)
@pytest.mark.parametrize("folder", ["posts", "pages/guide"])
def test_copies_of_programs_are_not_read(content: Content, name: str, folder: str) -> None:
    """What they hold is published once, or was not meant to be published; a notice names them."""
    root = content({f"{folder}/copies.md": "x", f"{folder}/{name}": "An older text."})
    loaded = load_content(root)
    assert [path for path in loaded.files if path.startswith(folder)] == [f"{folder}/copies.md"]
    (notice,) = loaded.diagnostics
    assert (notice.path, notice.severity) == (f"{folder}/{name}", Severity.NOTICE)
    assert "1 file is ignored, as a copy that a program has made" in notice.message
    (root / folder / name).unlink()


@cases("name", ["conflicted-copy.md", "vat (2).md", "vat.sync.md", "bak.md", "a (copy).md"])
def test_other_names_are_no_copies(content: Content, name: str) -> None:
    """An author may write about copies."""
    assert f"posts/{name}" in load_content(content({f"posts/{name}": "x"})).files


def test_the_folders_of_jekyll_are_read_as_posts(content: Content) -> None:
    """In a source of Jekyll; its drafts are not published."""
    files = {"_posts/2020-01-02-a.md": "x", "_drafts/b.md": "x", "_posts/_c.md": "x"}
    assert load_content(content(files, False)).document_count == 0
    loaded = load_content(content({"_config.yml": "title: A"}, False))
    posts = {entry.slug: entry.documents[0].fields for entry in loaded.snapshot.all(POST)}
    assert {slug: fields.published for slug, fields in posts.items()} == {"a": None, "b": False}


def test_a_section_page_of_hugo_is_its_folder(content: Content) -> None:
    """Except among posts, where it is a list."""
    files = {"pages/guide/_index.md": "x", "pages/_index.md": "x", "posts/2020/_index.md": "x"}
    loaded = load_content(content(files, False))
    assert {path: file.name.slug for path, file in loaded.files.items()} == {
        "pages/guide/_index.md": "guide"
    }
    assert len(loaded.scanned.ignored) == 2


def test_a_rescan_finds_what_a_full_scan_finds(content: Content) -> None:
    """Also below folders that are passed over."""
    root = content({"_notes/a.md": "x", "pages/a.md": "x"})
    before = scan(root)
    content({"_notes/deep/b.md": "x", "pages/c.rst": "x"})
    (root / "_notes/a.md").unlink()
    changed = ("_notes/a.md", "_notes/deep/b.md", "pages/c.rst")
    assert scan(root, before, changed) == scan(root)
