"""`majlis templates`: blocks, variables, filters and types, as the guide has them."""

from __future__ import annotations

import re

from click.testing import CliRunner
from live.documents import ROOT

from app.operations.cli import main
from renderers.html.site_templates import built_in_trees

FOLDERS = ("knowledge/content", "tests/samples/clinic")


def test_the_guide_of_the_templates_is_printed_by_the_service() -> None:
    """From pages of the sample and of the clinic."""
    printed = CliRunner().invoke(main, ["templates", *(str(ROOT / each) for each in FOLDERS)])
    command = f"majlis templates {' '.join(FOLDERS)} > docs/templates.md"
    guide = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8")
    assert printed.stdout == guide, f"run {command}"
    documented = set(re.findall(r"^## `(.+)`$", guide, re.MULTILINE))
    pages = {name for name in built_in_trees() if "/" not in name} - {"bare_error.html"}
    assert pages <= documented
    links = set(re.findall(r"\]\(#(\w+)\)", guide))
    assert links <= {each.lower() for each in re.findall(r"^## (\w+)$", guide, re.MULTILINE)}
