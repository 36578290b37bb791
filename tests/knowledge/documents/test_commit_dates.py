"""Dates of posts from the last commit of their files."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import Content

from knowledge.documents import commit_dates
from knowledge.snapshot.loading import LoadedContent, load_content

FIRST, SECOND = datetime(2024, 3, 4, 10, tzinfo=UTC), datetime(2025, 5, 6, tzinfo=UTC)
TEXT = "---\ntitle: T\n---\nText"


def git(folder: Path, *words: str, at: datetime = FIRST) -> None:
    """Run Git in a folder, with commits at a time."""
    names = ("user.name=a", "user.email=a@a.example", "commit.gpgsign=false")
    options = [option for name in names for option in ("-c", name)]
    moment = at.isoformat()
    dates = {"GIT_COMMITTER_DATE": moment, "GIT_AUTHOR_DATE": moment}
    command = ["git", *options, *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=os.environ | dates)


def commit(folder: Path, at: datetime) -> None:
    """Commit all files of a folder."""
    git(folder, "add", ".")
    git(folder, "commit", "-m", "x", at=at)


@pytest.fixture
def checkout(content: Content) -> Path:
    """A checkout whose content has been committed once."""
    files = {"posts/a.md": TEXT, "posts/a.ar.md": TEXT, "posts/قديم.md": TEXT, "pages/p.md": TEXT}
    folder = content(files)
    git(folder, "init")
    commit(folder, FIRST)
    return folder


def dates(loaded: LoadedContent) -> dict[str, datetime | None]:
    """Return the dates of all documents by path."""
    documents = loaded.snapshot.by_path.items()
    return {
        path: document.fields.published_at
        for path, (_, document) in documents
        if not path.startswith("countries/")
    }


def test_undated_posts_have_the_date_of_their_last_commit(checkout: Path) -> None:
    """The broadest file has it, for all layers; pages have none."""
    (checkout / "posts" / "b.md").write_text(TEXT, "utf-8")
    commit(checkout, SECOND)
    (checkout / "posts" / "new.md").write_text(TEXT, "utf-8")
    assert dates(load_content(checkout)) == {
        "posts/a.md": FIRST,
        "posts/a.ar.md": None,
        "posts/b.md": SECOND,
        "posts/قديم.md": FIRST,
        "posts/new.md": None,
        "pages/p.md": None,
    }


def test_a_date_of_the_author_counts(checkout: Path) -> None:
    """Of any layer."""
    dated = "---\ntitle: T\ndate: 2020-01-01\n---\nText"
    (checkout / "posts" / "a.ar.md").write_text(dated, "utf-8")
    found = dates(load_content(checkout))
    assert found["posts/a.ar.md"] == datetime(2020, 1, 1, tzinfo=UTC)
    assert found["posts/a.md"] is None


def test_a_new_commit_is_seen_at_the_next_load(checkout: Path) -> None:
    """Without one, nothing is loaded again."""
    loaded = load_content(checkout)
    assert load_content(checkout, loaded) is loaded
    (checkout / "posts" / "a.md").write_text(TEXT + " changed", "utf-8")
    commit(checkout, SECOND)
    assert dates(load_content(checkout, loaded))["posts/a.md"] == SECOND


def test_git_is_asked_once_for_a_state(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit does not wait for it."""
    loaded = load_content(checkout)
    monkeypatch.setattr(commit_dates, "which", lambda _: pytest.fail("asked again"))
    (checkout / "posts" / "a.md").write_text(TEXT + " changed", "utf-8")
    assert dates(load_content(checkout, loaded))["posts/a.md"] == FIRST


def test_a_commit_of_the_future_does_not_hide_a_post(checkout: Path) -> None:
    """Its clock was wrong."""
    (checkout / "posts" / "b.md").write_text(TEXT, "utf-8")
    commit(checkout, datetime(2099, 1, 1, tzinfo=UTC))
    assert dates(load_content(checkout))["posts/b.md"] is None


def test_a_repository_runs_no_program(checkout: Path, tmp_path: Path) -> None:
    """Whatever its configuration says."""
    trap = tmp_path / "trap"
    (program := tmp_path / "program").write_text(f"#!/bin/sh\ntouch {trap}\n", "utf-8")
    program.chmod(0o755)
    names = ("core.fsmonitor", "core.pager", "gpg.program", "diff.external", "pager.log")
    for name in names:
        git(checkout, "config", name, str(program))
    git(checkout, "config", "log.showSignature", "true")
    for hook in ("post-index-change", "reference-transaction"):
        (checkout / ".git" / "hooks" / hook).symlink_to(program)
    assert dates(load_content(checkout))["posts/a.md"] == FIRST
    assert not trap.exists()


def test_a_shallow_checkout_and_a_work_tree_work(checkout: Path, tmp_path: Path) -> None:
    """What Git knows of them counts."""
    git(tmp_path, "clone", "--depth=1", f"file://{checkout}", "shallow")
    git(checkout, "worktree", "add", str(tmp_path / "tree"))
    for name in ("shallow", "tree"):
        assert dates(load_content(tmp_path / name))["posts/a.md"] == FIRST


@pytest.mark.parametrize("git_is", ["missing", "broken", "slow"])
def test_without_git_there_are_no_dates(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git_is: str
) -> None:
    """The content is served all the same."""
    (program := tmp_path / "git").write_text("#!/bin/sh\nexec sleep 60\n", "utf-8")
    program.chmod(0o755 if git_is == "slow" else 0o644)
    found = None if git_is == "missing" else str(program)
    monkeypatch.setattr(commit_dates, "which", lambda _: found)
    monkeypatch.setattr(commit_dates, "_MAX_SECONDS", 0.1)
    assert dates(load_content(checkout))["posts/a.md"] is None


def test_the_day_of_a_commit_is_that_of_its_author(checkout: Path) -> None:
    """Half past one in Riyadh is the evening before in UTC."""
    night = datetime.fromisoformat("2025-05-06T01:30:00+03:00")
    (checkout / "posts" / "b.md").write_text(TEXT, "utf-8")
    commit(checkout, night)
    found = dates(load_content(checkout))["posts/b.md"]
    assert found == night
    assert found.isoformat() == night.isoformat()
