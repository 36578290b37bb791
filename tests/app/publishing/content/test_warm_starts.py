"""Parsed files on disk: a warm start says the same as a cold one; what is doubted is not used."""

from __future__ import annotations

import ast
import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from gulf import write_site

import knowledge
import knowledge.snapshot.loading
from app.publishing.content.store import ContentStore
from knowledge.documents import parsed_files
from knowledge.documents.document import Document
from knowledge.documents.files import DirectoryScan, SourceFile, read_document, scan
from knowledge.documents.parsed_files import RACY_NS, LoadedFile
from knowledge.fields.front_matter import Fields
from knowledge.locales.locale import Language

OLD_NS = time.time_ns() - 3_600_000_000_000
POST = "---\ntitle: Stock\nexcerpt: {}\n---\nText."
SITE = {
    "posts/stock.md": POST.format("Counted"),
    "posts/tax.md": "---\ntitle: Taxes\npublishedAt: 2026-05-01T08:00:00Z\n---\nText {{< x >}}.",
    "posts/night.md": "---\ntitle: Night\ndate: 2026-05-02T01:30:00+03:00\n---\nText.",
    "pages/bad.md": "---\ntitle: [\n---\nx",
}

Start = Callable[[], ContentStore]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a content folder whose files are an hour old."""
    folder = write_site(tmp_path / "content", SITE)
    make_old(folder)
    return folder


@pytest.fixture
def start(tmp_path: Path, folder: Path) -> Start:
    """Return a function that starts a store, and keeps what it parsed."""

    def start() -> ContentStore:
        content_store = ContentStore(folder, cache_dir=tmp_path / "cache")
        content_store.reload()
        content_store.compact(lambda: None)
        return content_store

    return start


def make_old(folder: Path) -> None:
    """Make all files so old that their times can be trusted."""
    for path in folder.rglob("*.md"):
        os.utime(path, ns=(OLD_NS, OLD_NS))


def kept(tmp_path: Path) -> Path:
    """Return the one file of the cache."""
    (file,) = (tmp_path / "cache").glob("*.parsed")
    return file


@contextmanager
def parsed_paths(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the paths of the documents that are read."""
    read: list[str] = []

    def reading(root: Path, path: str) -> SourceFile:
        read.append(path)
        return read_document(root, path)

    with monkeypatch.context() as patch:
        patch.setattr(knowledge.snapshot.loading, "read_document", reading)
        yield read


def plain(value: object) -> object:
    """Return a value with the types of all that it consists of."""
    if isinstance(value, (Document, LoadedFile, Fields)):
        names = [field.name for field in fields(value)]
        return type(value), [(name, plain(getattr(value, name))) for name in names]
    if isinstance(value, dict):
        return dict, [(plain(key), plain(item)) for key, item in value.items()]
    if isinstance(value, list):
        return list, [plain(item) for item in value]
    return type(value), value


def test_a_warm_start_equals_a_cold_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All documents of the sample, in values and types, and all diagnostics."""
    sample = tmp_path / "content"
    source = Path(knowledge.__file__).parent / "content"
    write_site(
        sample,
        {
            str(path.relative_to(source)): path.read_text(encoding="utf-8")
            for path in source.rglob("*.md")
        },
    )
    make_old(sample)
    cold, warm = (ContentStore(sample, cache_dir=tmp_path / "cache") for _ in range(2))
    cold.reload()
    cold.compact(lambda: None)
    with parsed_paths(monkeypatch) as read:
        warm.reload()
    assert read == []
    before, after = cold.current.content, warm.current.content
    assert len(after.files) > 250
    assert plain(dict(after.files)) == plain(dict(before.files))
    assert after.diagnostics == before.diagnostics


def test_diagnostics_are_kept_and_files_that_cannot_be_served_are_read_again(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a warm start says the same as a cold one."""
    cold = start().current.content.diagnostics
    with parsed_paths(monkeypatch) as read:
        warm = start().current.content.diagnostics
    assert warm == cold
    assert {each.path for each in cold} >= {"pages/bad.md", "posts/tax.md"}
    assert read == ["pages/bad.md"]


def test_only_changed_files_are_read(
    folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A warm start has today's content."""
    start()
    (folder / "posts/stock.md").write_text(POST.format("Counted twice"))
    with parsed_paths(monkeypatch) as read:
        content = start().current.content
    assert read == ["pages/bad.md", "posts/stock.md"]
    document = content.files["posts/stock.md"].document
    assert document is not None
    assert document.fields.excerpt == {"en": "Counted twice"}  # type: ignore[attr-defined]


def test_no_file_is_read_twice(folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings too, which are loaded before the countries that their names may mean."""
    settings = {
        "site/settings.md": "---\nlang: en\n---\n",
        "site/settings.sa.md": "---\nid: x\n---\n",
    }
    write_site(folder, settings)
    with parsed_paths(monkeypatch) as read:
        start()
    assert sorted(read) == sorted(set(read))
    assert {*settings} <= {*read}


@contextmanager
def counted_scans(monkeypatch: pytest.MonkeyPatch, after_ns: int) -> Iterator[list[Path]]:
    """Collect the scans of the folder, by a clock that is ahead of that of its files."""
    scans: list[Path] = []

    def scanning(root: Path, *before: Any) -> DirectoryScan:
        scans.append(root)
        return scan(root, *before)

    with monkeypatch.context() as patch:
        patch.setattr(knowledge.snapshot.loading, "scan", scanning)
        patch.setattr(knowledge.snapshot.loading, "time_ns", lambda: time.time_ns() + after_ns)
        yield scans


@pytest.mark.parametrize(
    ("path", "text", "after_ns", "expected"),
    [
        pytest.param("posts/stock.md", None, 10 * RACY_NS, 1, id="at rest"),
        pytest.param("posts/stock.md", None, 0, 2, id="just changed"),
        pytest.param("posts/new.md", POST.format("New"), 10 * RACY_NS, 2, id="read"),
    ],
)
def test_a_warm_start_looks_once_at_files_that_were_at_rest(
    folder: Path,
    start: Start,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    text: str | None,
    after_ns: int,
    expected: int,
) -> None:
    """If a file was read, or changed so shortly before, the scan may mix two states."""
    (folder / "pages/bad.md").unlink()  # is read at each start
    start()
    if text is not None:
        write_site(folder, {path: text})
    with counted_scans(monkeypatch, after_ns) as scans:
        start()
    assert len(scans) == expected


def test_a_scan_of_what_is_known_is_not_repeated(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reload of everything costs one scan if nothing has changed, and looks at no document."""
    content_store = start()
    before = content_store.current
    monkeypatch.setattr(knowledge.snapshot.loading, "build_snapshot", None)
    with counted_scans(monkeypatch, 0) as scans:
        content_store.reload()
    assert len(scans) == 1
    assert content_store.current is before


def test_another_file_of_the_same_size_and_time_is_read(
    folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its inode differs."""
    start()
    (folder / "new").write_text(POST.format("Guessed"))
    (folder / "new").replace(folder / "posts/stock.md")
    make_old(folder)
    with parsed_paths(monkeypatch) as read:
        start()
    assert "posts/stock.md" in read


def test_a_file_that_was_modified_as_it_was_read_is_not_trusted(
    folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second modification at the same time would go unnoticed."""
    os.utime(folder / "posts/stock.md")
    start()
    with parsed_paths(monkeypatch) as read:
        start()
    assert "posts/stock.md" in read


def test_a_new_country_changes_what_a_name_means(
    folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sa` is a part of the slug until the site has Saudi Arabia."""
    write_site(folder, {"posts/stock.sa.md": POST.format("In Riyadh")})
    (folder / "countries/sa.md").unlink(missing_ok=True)
    make_old(folder)
    start()
    write_site(folder, {"countries/sa.md": "---\nname: Saudi Arabia\n---\n"})
    file = start().current.content.files["posts/stock.sa.md"]
    assert file.name.slug == "stock"
    assert file.document is not None
    assert file.document.layer.country == "SA"


def test_a_site_in_another_language_is_read_again(folder: Path, start: Start) -> None:
    """Files that state no language, not even by their letters, are in that of the site."""
    write_site(folder, {"posts/figures.md": "---\ntitle: 2026\nexcerpt: 15\n---\n1.5"})
    make_old(folder)
    start()
    write_site(folder, {"site/settings.md": "---\nlang: ar\n---\n"})
    document = start().current.content.files["posts/figures.md"].document
    assert document is not None
    assert document.fields.excerpt == {"ar": "15"}  # type: ignore[attr-defined]


def test_a_site_whose_texts_are_in_arabic_is_not_read_again(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A warm start begins with the language that was found from the texts."""
    arabic = "---\ntitle: المخزون\n---\nعد المخزون في كل فرع."
    write_site(tmp_path / "content", {"posts/stock.md": arabic})
    (tmp_path / "content/pages/bad.md").unlink()
    make_old(tmp_path / "content")
    start()
    with parsed_paths(monkeypatch) as read:
        content = start().current.content
    assert read == []
    assert content.snapshot.default_locale.language is Language.AR


def cut(file: Path) -> None:
    """Cut the end off."""
    file.write_bytes(file.read_bytes()[:-8])


def flip(file: Path) -> None:
    """Change one bit in the middle."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def empty(file: Path) -> None:
    """Make it empty."""
    file.write_bytes(b"")


def scramble(file: Path) -> None:
    """Replace it by something else."""
    file.write_bytes(b"\xff" * 4_096)


@pytest.mark.parametrize("damage", [cut, flip, empty, scramble])
def test_a_damaged_file_is_thrown_away(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
) -> None:
    """Everything is parsed, and kept anew."""
    start()
    damage(kept(tmp_path))
    for expected in (set(SITE), {"pages/bad.md"}):
        with parsed_paths(monkeypatch) as read:
            start()
        assert set(read) & set(SITE) == expected


def test_what_another_version_of_the_code_parsed_is_not_used(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its documents may differ."""
    start()
    monkeypatch.setattr(parsed_files, "parsing_version", lambda: "another")
    with parsed_paths(monkeypatch) as read:
        start()
    assert set(read) >= set(SITE)


def test_a_file_that_may_not_be_read_any_more_is_not_taken_from_what_is_kept(
    folder: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read again: permissions change neither its time of modification nor its size."""
    start()
    (folder / "posts/stock.md").chmod(0)
    monkeypatch.setattr(os, "access", lambda path, _: not str(path).endswith("stock.md"))
    with parsed_paths(monkeypatch) as read:
        start()
    assert "posts/stock.md" in read


def test_a_folder_that_cannot_be_written_fails_no_start(
    tmp_path: Path, start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    """It costs time only, and is logged."""
    (tmp_path / "cache").write_text("a file")
    assert start().loaded
    assert "Parsed files are not kept for the next start" in caplog.text


def test_one_process_writes(tmp_path: Path, start: Start) -> None:
    """Another one that holds the lock is not waited for."""
    (tmp_path / "cache").mkdir()
    with (tmp_path / "cache/.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert start().loaded
    assert not list((tmp_path / "cache").glob("*.parsed"))


def test_the_folder_is_bounded(tmp_path: Path, start: Start) -> None:
    """Of several content folders the last ones are kept; what a killed process left is deleted."""
    (tmp_path / "cache").mkdir()
    for number in range(6):
        old = tmp_path / f"cache/{number}.parsed"
        old.write_bytes(b"")
        os.utime(old, ns=(OLD_NS, OLD_NS))
    (tmp_path / "cache/unfinished-x").write_bytes(b"")
    start()
    assert len(list((tmp_path / "cache").glob("*.parsed"))) == 4
    assert not (tmp_path / "cache/unfinished-x").exists()


def test_little_that_changed_is_not_written(tmp_path: Path, folder: Path, start: Start) -> None:
    """A start after an edit does not write all content again."""
    write_site(folder, {f"posts/{number}.md": POST.format(number) for number in range(200)})
    (folder / "pages/bad.md").unlink()
    make_old(folder)
    start()
    before = kept(tmp_path).stat().st_ino
    (folder / "posts/3.md").unlink()
    write_site(folder, {"posts/4.md": POST.format("Edited")})
    start()
    assert kept(tmp_path).stat().st_ino == before


def test_what_is_kept_is_readable_by_its_owner_only(tmp_path: Path, start: Start) -> None:
    """It has unpublished texts."""
    start()
    assert kept(tmp_path).stat().st_mode & 0o777 == 0o600


def imported_by(node: ast.AST) -> Iterable[str]:
    """Return the modules that a statement imports, at the head of a file or in a function."""
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def test_the_version_names_every_library_that_parses() -> None:
    """Another version of one may parse otherwise."""
    modules = {
        "frontmatter": "python-frontmatter",
        "phonenumbers": "phonenumberslite",
        "yaml": "pyyaml",
        "pydantic_core": "pydantic-core",
    }
    not_parsing = {"PIL", "latex2mathml", "markupsafe", "rich", "typing_extensions", "knowledge"}
    folder = Path(parsed_files.__file__).parents[1]
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    imported = {
        module.partition(".")[0]
        for text in texts
        for node in ast.walk(ast.parse(text))
        for module in imported_by(node)
    }
    others = imported - sys.stdlib_module_names - not_parsing
    assert {modules.get(name, name) for name in others} == set(parsed_files.LIBRARIES)
