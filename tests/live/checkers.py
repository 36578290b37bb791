"""Checkers of pages: axe for accessibility, and the W3C's Nu Html Checker (vnu)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from live.tools import checker, program
from playwright.sync_api import Page

VNU_SECONDS = 120


def accessibility_faults(page: Page, only: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong with a page as it is shown now: rule, element and reason.

    All its rules are asked, or `only` some.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(only)} if only else {})
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@cache
def _axe() -> str:
    return checker("axe-core/axe.min.js").read_text(encoding="utf-8")


def html_faults(folder: Path) -> list[str]:
    """What the Nu Html Checker says of all HTML files in a folder: file, line and message."""
    java, jar = program("java"), checker("vnu-jar/build/dist/vnu.jar")
    # The checker recurses deeply, and one short run is not worth the optimising compiler.
    swift = ("-Xss8m", "-XX:TieredStopAtLevel=1")
    done = subprocess.run(
        [java, *swift, "-jar", str(jar), "--format", "json", "--skip-non-html", str(folder)],
        capture_output=True,
        text=True,
        timeout=VNU_SECONDS,
        check=False,
    )
    messages: list[dict[str, Any]] = json.loads(done.stderr)["messages"]
    return [
        f"{Path(each.get('url', '')).name}:{each.get('lastLine', 0)}: {each['message']}"
        for each in messages
    ]
