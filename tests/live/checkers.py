"""Page checkers: axe for accessibility, and the W3C's Nu Html Checker (vnu)."""

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
    """Return the problems that axe finds on the current page: rule, element and reason.

    `only` limits the check to some rules.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(only)} if only else {})
    results = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]


@cache
def _axe() -> str:
    return checker("axe-core/axe.min.js").read_text(encoding="utf-8")


def html_faults(folder: Path) -> list[str]:
    """Return the messages of the Nu Html Checker for all HTML files in a folder."""
    java, jar = program("java"), checker("vnu-jar/build/dist/vnu.jar")
    # The checker recurses deeply, and the optimising compiler does not pay off in a short run.
    options = ("-Xss8m", "-XX:TieredStopAtLevel=1")
    done = subprocess.run(
        [java, *options, "-jar", str(jar), "--format", "json", "--skip-non-html", str(folder)],
        capture_output=True,
        text=True,
        timeout=VNU_SECONDS,
        check=False,
    )
    messages: list[dict[str, Any]] = json.loads(done.stderr)["messages"]
    return [
        f"{Path(message.get('url', '')).name}:{message.get('lastLine', 0)}: {message['message']}"
        for message in messages
    ]
