"""`majlis words`: all words by key with their texts, and those that a site has not set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from click.testing import CliRunner

from app.operations.cli import main
from knowledge.fields import yaml
from knowledge.fields.content_types import OPTIONAL_KINDS
from knowledge.fields.kind_texts import words_of
from knowledge.fields.site_fields import WORDS
from knowledge.snapshot.loading import load_content


def words(folder: Path, *options: str) -> dict[str, dict[str, str]]:
    """Return what the command prints, read as YAML."""
    done = CliRunner().invoke(main, ["words", str(folder), *options])
    assert done.exit_code == 0, done.output
    return cast("dict[str, dict[str, str]]", yaml.load(done.stdout) or {})


def test_the_words_of_a_site_are_printed_by_key(tmp_path: Path) -> None:
    """They are lines for the file, with the site's own texts; some are missing in one language."""
    (tmp_path / "site").mkdir()
    own = "---\ntalkToUs: { en: Call {name}, ar: اتصل بنا }\nsearch: { en: Find }\nsend: ''\n---\n"
    (tmp_path / "site/words.md").write_text(own.replace("Call {name}", '"Call {name}"'))
    printed = words(tmp_path)
    assert len(printed) == len(WORDS.keys() - words_of(OPTIONAL_KINDS))
    assert printed["talkToUs"] == {"en": "Call {name}", "ar": "اتصل بنا"}
    assert printed["search"] == {"en": "Find", "ar": "بحث"}
    missing = words(tmp_path, "--missing")
    assert printed.keys() - missing.keys() == {"talkToUs", "send"}
    lines = "".join(f"{key}: {json.dumps(texts)}\n" for key, texts in missing.items())
    (tmp_path / "site/words.md").write_text(
        f"---\ntalkToUs: {{ en: A, ar: ب }}\nsend: ''\n{lines}---\n"
    )
    assert load_content(tmp_path).diagnostics == ()
    assert words(tmp_path, "--missing") == {}
