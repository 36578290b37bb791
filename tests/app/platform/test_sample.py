"""The copy of the sample that `majlis demo` and `majlis init --sample` write."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.platform import sample


def test_the_copy_of_a_sample_that_cannot_be_written_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package is often installed by another user."""
    source = tmp_path / "sample"
    (source / "pages").mkdir(parents=True)
    (source / "pages" / "about.md").write_text("About")
    for path in (source / "pages" / "about.md", source / "pages", source):
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.setattr(sample, "SAMPLE_CONTENT", source)
    sample.write_sample(tmp_path / "copy")
    copied = tmp_path / "copy" / "pages" / "about.md"
    assert copied.read_text() == "About"
    assert all(path.stat().st_mode & 0o200 for path in (copied, *copied.parents[:2]))
