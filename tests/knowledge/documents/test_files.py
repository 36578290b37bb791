"""Scanning and reading of real files, including broken and unreadable ones."""

from __future__ import annotations

import os
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Content
from gulf import write_site
from hypothesis import given
from hypothesis import strategies as st

from knowledge.diagnostics.diagnostic import ContentFileError, Severity
from knowledge.documents.assets import read_asset
from knowledge.documents.content_path import parse_content_path
from knowledge.documents.document import parse_document
from knowledge.documents.files import MAX_DOCUMENT_BYTES, SourceFile, read_document, scan

NOBODY = 65534


@pytest.fixture
def content(tmp_path: Path) -> Content:
    """A content folder without the files of countries."""
    return lambda files, countries=False: write_site(tmp_path / "content", files, countries)


def broken(root: Path, path: str) -> str:
    """Return the line and message of the one diagnostic of an unreadable file."""
    with pytest.raises(ContentFileError) as caught:
        read_document(root, path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.path == path
    assert diagnostic.severity is Severity.ERROR
    return f"{diagnostic.line}: {diagnostic.message}"


def test_a_scan_separates_documents_and_assets(content: Content) -> None:
    """By suffix in any case; other files are ignored."""
    root = content({"pages/a.md": "x", "pages/b.MARKDOWN": "x", "images/c.PNG": "x", "x.txt": "x"})
    scanned = scan(root)
    assert set(scanned.documents) == {"pages/a.md", "pages/b.MARKDOWN"}
    assert set(scanned.assets) == {"images/c.PNG"}
    assert scanned.diagnostics == ()


@pytest.mark.parametrize(
    "path",
    ["_drafts/a.md", ".git/a.md", "pages/_a.md", "pages/.a.md", "pages/.obsidian/a.md"],
)
def test_names_that_begin_with_a_dot_or_underscore_are_skipped(path: str, content: Content) -> None:
    """Both files and folders."""
    assert scan(content({path: "x", "pages/a.md": "x"})).documents.keys() == {"pages/a.md"}


def test_a_file_named_like_a_suffix_is_no_document(content: Content) -> None:
    """`md` has no suffix."""
    scanned = scan(content({"pages/md": "x", "images/png": "x"}))
    assert not scanned.documents
    assert not scanned.assets


def test_a_folder_named_like_a_file_is_scanned(content: Content) -> None:
    """`pages/a.md/b.md` is a file in a folder."""
    assert "pages/a.md/b.md" in scan(content({"pages/a.md/b.md": "x"})).documents


def test_a_byte_order_mark_is_removed_with_a_warning(content: Content) -> None:
    """Otherwise it would hide the front matter."""
    source = read_document(content({"pages/a.md": b"\xef\xbb\xbf---\na: 1\n---\n"}), "pages/a.md")
    assert source.text.startswith("---")
    assert [diagnostic.severity for diagnostic in source.diagnostics] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("text", "diagnostic"),
    [
        pytest.param(b"one\ntwo \xe9\n", "2: The file is not UTF-8: byte 0xe9", id="Latin-1"),
        pytest.param("a".encode("utf-16"), "1: The file is not UTF-8: byte 0xff", id="UTF-16"),
        pytest.param(b"one\n\0", "2: The file contains a NUL", id="NUL"),
        pytest.param(b"", "1: The file is empty", id="empty"),
        pytest.param(b" \n\t\n", "1: The file is empty", id="blank"),
        pytest.param(b"\xef\xbb\xbf", "1: The file is empty", id="only a byte order mark"),
    ],
)
def test_a_text_that_cannot_be_decoded_is_reported(
    text: bytes, diagnostic: str, content: Content
) -> None:
    """With the line of the problem."""
    assert broken(content({"pages/a.md": text}), "pages/a.md").startswith(diagnostic)


def test_line_ends_become_line_feeds(content: Content) -> None:
    """Those of Windows, and of Macs before 2001."""
    root = content({"pages/a.md": b"one\r\ntwo\rthree"})
    assert read_document(root, "pages/a.md").text == "one\ntwo\nthree"


def test_a_link_out_of_the_folder_is_not_followed(content: Content, tmp_path: Path) -> None:
    """A content folder must not publish other files of the machine."""
    (tmp_path / "secret.md").write_text("secret")
    root = content({"pages/a.md": "x"})
    (root / "pages/leak.md").symlink_to(tmp_path / "secret.md")
    (root / "pages/up.md").symlink_to("../../secret.md")
    scanned = scan(root)
    assert set(scanned.documents) == {"pages/a.md"}
    assert [diagnostic.path for diagnostic in scanned.diagnostics] == [
        "pages/leak.md",
        "pages/up.md",
    ]
    assert all(
        "outside the content folder" in diagnostic.message for diagnostic in scanned.diagnostics
    )


def test_a_link_to_a_hidden_file_is_not_followed(content: Content) -> None:
    """The `.git` of a checkout tells where the repository is on the machine."""
    root = content({".git": "gitdir: /srv/secret\n", ".hidden/a.md": "secret", "pages/a.md": "x"})
    (root / "pages/leak.md").symlink_to("../.git")
    (root / "pages/inner.md").symlink_to("../.hidden/a.md")
    scanned = scan(root)
    assert set(scanned.documents) == {"pages/a.md"}
    assert ["to a hidden file" in each.message for each in scanned.diagnostics] == [True, True]
    with pytest.raises(ContentFileError):
        read_document(root, "pages/leak.md")


def test_a_link_within_the_folder_is_a_file(content: Content) -> None:
    """The same text can have two paths."""
    root = content({"pages/a.md": "x"})
    (root / "pages/b.md").symlink_to("a.md")
    assert set(scan(root).documents) == {"pages/a.md", "pages/b.md"}


def test_broken_links_are_reported(content: Content) -> None:
    """Dangling links, loops and links to folders; the other files are scanned."""
    root = content({"pages/a.md": "x"})
    (root / "pages/dangling.md").symlink_to("gone.md")
    (root / "pages/self.md").symlink_to("self.md")
    (root / "pages/one.md").symlink_to("two.md")
    (root / "pages/two.md").symlink_to("one.md")
    (root / "pages/again").symlink_to("..")
    scanned = scan(root)
    assert set(scanned.documents) == {"pages/a.md"}
    assert {diagnostic.path for diagnostic in scanned.diagnostics} == {
        f"pages/{name}" for name in ("dangling.md", "self.md", "one.md", "two.md", "again")
    }


def test_a_fifo_does_not_block_the_reader(content: Content) -> None:
    """A blocking open would wait for a writer for ever."""
    root = content({"pages/a.md": "x"})
    os.mkfifo(root / "pages/pipe.md")
    assert "pages/pipe.md" in scan(root).documents
    assert "not a regular file" in broken(root, "pages/pipe.md")


def test_a_huge_file_is_refused_without_reading_it_all(content: Content) -> None:
    """A sparse file of 50 MiB is reported with the limit."""
    root = content({"pages/a.md": "x"})
    os.truncate(root / "pages/a.md", 50 * 1024 * 1024)
    tracemalloc.start()
    try:
        assert "larger than 4 MiB" in broken(root, "pages/a.md")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * MAX_DOCUMENT_BYTES


def test_the_largest_file_allowed_is_read(content: Content) -> None:
    """A file of exactly the limit is valid."""
    root = content({"pages/a.md": b"x" * MAX_DOCUMENT_BYTES})
    assert len(read_document(root, "pages/a.md").text) == MAX_DOCUMENT_BYTES


def test_an_asset_is_its_bytes(content: Content) -> None:
    """Nothing is decoded; a missing asset raises ContentFileError."""
    root = content({"images/a.png": b"\x89PNG\0\xff"})
    assert read_asset(root, "images/a.png") == b"\x89PNG\0\xff"
    with pytest.raises(ContentFileError, match="no such file"):
        read_asset(root, "images/b.png")


@pytest.mark.parametrize("name", [b"\xff.md", b"two\nlines.md"])
def test_a_name_that_is_not_text_is_left_out_and_reported(name: bytes, content: Content) -> None:
    """Its bytes cannot be part of a response or a log line."""
    root = content({"pages/a.md": "x"})
    (root / os.fsdecode(b"pages/" + name)).write_text("x")
    scanned = scan(root)
    assert set(scanned.documents) == {"pages/a.md"}
    (diagnostic,) = scanned.diagnostics
    assert diagnostic.path.encode()
    assert diagnostic.path.isprintable()
    assert "name is not UTF-8" in diagnostic.message


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """Return a folder below /tmp, and run as a user to whom permissions apply."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        if os.geteuid() != 0:
            yield root
            return
        os.seteuid(NOBODY)
        try:
            yield root
        finally:
            os.seteuid(0)


def test_paths_without_permission_are_reported(unprivileged: Path) -> None:
    """A folder and a file; the other files are served."""
    root = unprivileged
    was_root = os.getuid() == 0
    if was_root:
        os.seteuid(0)
    (root / "pages").mkdir()
    (root / "posts").mkdir()
    (root / "pages/a.md").write_text("x")
    (root / "pages/shut.md").write_text("x")
    (root / "pages/shut.md").chmod(0)
    (root / "posts").chmod(0)
    if was_root:
        os.seteuid(NOBODY)
    scanned = scan(root)
    assert set(scanned.documents) == {"pages/a.md", "pages/shut.md"}
    assert [diagnostic.path for diagnostic in scanned.diagnostics] == ["posts"]
    assert "permission denied" in broken(root, "pages/shut.md")
    if not was_root:
        (root / "posts").chmod(0o755)


def test_a_missing_folder_is_an_os_error(tmp_path: Path) -> None:
    """The caller decides how to handle it."""
    with pytest.raises(FileNotFoundError):
        scan(tmp_path / "gone")


markers = st.sampled_from(
    ["---\n", "+++\n", "a: ", "date: ", "published: ", "tags: [", "a = ", ":::{faq} x\n", "\n", "é"]
)
texts = st.lists(st.one_of(st.binary(max_size=12), markers.map(str.encode)), max_size=12)


@given(st.one_of(st.binary(max_size=300), texts.map(b"".join)), st.sampled_from(["posts", "site"]))
def test_any_bytes_give_a_document_or_diagnostics(data: bytes, folder: str) -> None:
    """Reading and parsing raise no exception but ContentFileError."""
    with tempfile.TemporaryDirectory() as name:
        path = f"{folder}/settings.md"
        (Path(name) / folder).mkdir()
        (Path(name) / path).write_bytes(data)
        parsed = parse_content_path(path)
        assert parsed is not None
        try:
            document, diagnostics = parse_document(read_document(Path(name), path), parsed)
        except ContentFileError as broken_file:
            diagnostics = broken_file.diagnostics
        else:
            assert document.path == path
    assert all(diagnostic.path == path and diagnostic.line >= 1 for diagnostic in diagnostics)


_VALUES = st.sampled_from(
    ["", "x", "no", "2026-05-01", "[a, b]", "{en: a}", "12:30", "1.10", "-1", "'", "~", "!!int 3"]
)


@given(
    st.sampled_from(["posts", "pages", "site", "products", "cities", "testimonials"]),
    st.dictionaries(
        st.sampled_from(
            ["title", "date", "draft", "published", "tags", "category", "image", "seo", "lang"]
        ),
        _VALUES,
    ),
)
def test_any_values_of_known_keys_give_a_document_or_diagnostics(
    folder: str, keys: dict[str, str]
) -> None:
    """Parsing raises no exception but ContentFileError."""
    block = "".join(f"{key}: {value}\n" for key, value in keys.items())
    path = f"{folder}/settings.md"
    name = parse_content_path(path)
    assert name is not None
    try:
        document, diagnostics = parse_document(SourceFile(path, f"---\n{block}---\nText"), name)
    except ContentFileError as broken_file:
        diagnostics = broken_file.diagnostics
        assert diagnostics
    else:
        assert document.body == "\nText"
    lines = block.count("\n") + 2
    assert all(1 <= diagnostic.line <= lines for diagnostic in diagnostics)
