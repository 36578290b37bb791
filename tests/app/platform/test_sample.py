"""The copy of the sample that `majlis demo` serves and `majlis init --sample` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.platform import sample as sample_site


def test_the_copy_of_a_sample_that_cannot_be_written_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package is often installed by another user."""
    sample = tmp_path / "sample"
    (sample / "pages").mkdir(parents=True)
    (sample / "pages" / "about.md").write_text("About")
    for path in (sample / "pages" / "about.md", sample / "pages", sample):
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.setattr(sample_site, "SAMPLE_CONTENT", sample)
    sample_site.write_sample(tmp_path / "copy")
    copied = tmp_path / "copy" / "pages" / "about.md"
    assert copied.read_text() == "About"
    assert all(path.stat().st_mode & 0o200 for path in (copied, *copied.parents[:2]))
