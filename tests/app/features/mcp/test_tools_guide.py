"""Tests of the tools in docs/mcp.md: its table has their arguments, its examples are true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cases import cases
from contract.visitor import Visitor
from mcp_calls import call

from app.features.mcp.tool import argument_schema
from app.features.mcp.tools import TOOLS

GUIDE = (Path(__file__).parents[4] / "docs" / "mcp.md").read_text("utf-8")
_NAME = re.compile(r"`(\w+)`")


def _documented() -> dict[str, list[str]]:
    """Return the arguments of each tool in the table."""
    arguments: dict[str, list[str]] = {}
    table = GUIDE.split("| Tool | Argument |", 1)[1].split("\n\n", 1)[0]
    for row in table.splitlines()[2:]:
        tool, argument = row.split("|")[1:3]
        names = _NAME.findall(tool) or [list(arguments)[-1]]
        arguments.setdefault(names[0], []).extend(_NAME.findall(argument))
    return arguments


def _examples(name: str) -> tuple[Any, Any]:
    """Return the arguments and the result in the section of a tool."""
    section = GUIDE.split(f"\n### {name}\n", 1)[1].split("\n### ", 1)[0]
    arguments, result = re.findall(r"(?ms)^```json\n(.*?)^```$", section)
    return json.loads(arguments), json.loads(result)


def _is_shortened(shown: Any, actual: Any) -> bool:
    """Return whether a value is shown as it is, or with fewer items or the beginning of a text."""
    if isinstance(shown, dict):
        same_keys = isinstance(actual, dict) and shown.keys() == actual.keys()
        return same_keys and all(_is_shortened(shown[key], actual[key]) for key in shown)
    if isinstance(shown, list):
        return len(shown) <= len(actual) and all(map(_is_shortened, shown, actual))
    if isinstance(shown, str) and shown.endswith("…"):
        return str(actual).startswith(shown[:-1])
    return bool(shown == actual)


def test_the_table_has_the_arguments_of_all_tools() -> None:
    """And no others."""
    actual = {tool.name: sorted(argument_schema(tool.arguments)["properties"]) for tool in TOOLS}
    assert {name: sorted(names) for name, names in _documented().items()} == actual


@cases("name", [tool.name for tool in TOOLS])
def test_the_example_of_a_tool_is_its_result_on_the_sample(sample: Visitor, name: str) -> None:
    """A list may be shown with fewer items, and a text by its beginning."""
    arguments, shown = _examples(name)
    actual = call(sample, name, **arguments)
    assert _is_shortened(shown, actual), actual
