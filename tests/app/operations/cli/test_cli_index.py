"""`majlis index`: the search index is there before the service starts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from contract.visitor import write_tree
from meanings import encoder

from app.factory import open_content_store
from app.operations.cli import main
from app.publishing.content.indexes import SearchPosts
from app.publishing.content.search_pages import SearchPages
from app.publishing.content.store import ContentStore
from app.settings import load_settings
from indexes.bases import digest_of
from indexes.passages import meaning


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the folders of content and index."""
    page = "---\ntitle: A\n---\n\nScales.\n"
    write_tree(tmp_path / "content", {"pages/a.md": page, "posts/b.md": page})
    monkeypatch.setenv("CONTENT_DIR", str(tmp_path / "content"))
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "index"))


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["index", *arguments])


def test_the_command_makes_the_index_that_a_start_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says where and how many; the service then cuts no page."""
    made = run()
    assert made.exit_code == 0
    assert made.output.startswith(f"{tmp_path / 'index'}: ")
    assert "passages of" in made.output
    assert made.output.endswith(", 1 posts.\n")

    def passages(_: SearchPages, page: str) -> object:
        raise AssertionError(page)

    monkeypatch.setattr(SearchPages, "passages", passages)
    monkeypatch.setattr(SearchPosts, "texts", passages)
    content_store = ContentStore(tmp_path / "content", tmp_path / "index")
    content_store.reload()
    edition = content_store.current.passages
    assert edition is not None
    assert edition.is_settled
    posts = content_store.current.posts
    assert posts is not None
    assert posts.is_settled
    assert run().output == made.output


def test_the_index_has_the_pages_that_the_service_has(tmp_path: Path) -> None:
    """Not those of forms that it does not answer: it would make another one, and fetch none."""
    form = "---\nkind: newsletter\ntitle: News\n---\n\nScales.\n"
    write_tree(tmp_path / "content", {"forms/news.md": form})
    assert run().exit_code == 0
    content_store = open_content_store(load_settings())
    content_store.reload()
    edition = content_store.current.passages
    assert edition is not None
    names = [path.parent.name for path in (tmp_path / "index").glob("*/manifest.json")]
    assert [name.rpartition("-")[2] for name in names] == [digest_of(edition.pages.versions)]


def noting(calls: list[object], method: Callable[..., object]) -> Callable[..., object]:
    """Return a method that notes its calls."""

    def noted(*given: object) -> object:
        calls.append(given)
        return method(*given)

    return noted


def test_an_index_of_another_machine_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the vectors of texts; if it is damaged, or of other content, this one makes its own."""
    monkeypatch.setenv("MEANING", "on")
    monkeypatch.setattr(meaning, "Encoder", encoder)
    assert run("--output", str(tmp_path / "source")).exit_code == 0
    kinds = sorted(path.name.partition("-")[0] for path in (tmp_path / "source").iterdir())
    assert kinds == ["index", "index", "meaning"]
    monkeypatch.setenv("INDEX_SOURCE", str(tmp_path / "source"))
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "other"))
    cut: list[object] = []
    for kind, name in ((SearchPages, "passages"), (SearchPosts, "texts")):
        monkeypatch.setattr(kind, name, noting(cut, getattr(kind, name)))
    assert run().exit_code == 0
    assert not cut
    vectors = [next((tmp_path / name).glob("meaning/*.vectors")) for name in ("index", "other")]
    assert vectors[0].read_bytes() == vectors[1].read_bytes() != b""
    for path in (tmp_path / "source").iterdir():
        path.write_bytes(path.read_bytes()[1:])
    monkeypatch.setenv("INDEX_DIR", str(tmp_path / "third"))
    assert run().exit_code == 0
    assert cut


def test_a_check_makes_nothing(tmp_path: Path) -> None:
    """It tells whether there is an index."""
    checked = run("--check")
    assert checked.exit_code == 1
    assert "There is no index" in checked.output
    assert not (tmp_path / "index").exists()
    run()
    assert run("--check").exit_code == 0


@pytest.mark.parametrize("missing", ["*-*", "posts/*-*"], ids=["passages", "posts"])
def test_what_is_missing_is_made(tmp_path: Path, missing: str) -> None:
    """A check tells of either index."""
    run()
    for folder in (tmp_path / "index").glob(missing):
        shutil.rmtree(folder)
    assert run("--check").exit_code == 1
    assert run().exit_code == 0
    assert run("--check").exit_code == 0


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """An index in memory is lost with the command."""
    (tmp_path / "index").write_text("a file")
    assert run().exit_code == 1


def test_a_missing_content_folder_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is made."""
    monkeypatch.setenv("CONTENT_DIR", str(tmp_path / "none"))
    failed = run()
    assert failed.exit_code == 1
    assert f"Cannot read {tmp_path / 'none'}" in failed.output
    assert not (tmp_path / "index").exists()
