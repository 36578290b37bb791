"""Calls of tools: what agents are told of a tool, and what they get from it."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from cases import cases
from pydantic import BaseModel, Field

from app.features.mcp import tool
from app.features.mcp.tool import Tool, ToolContext, ToolError, call_tool, tool_definition
from knowledge.fields.field_types import Omittable
from knowledge.resources.errors import NotFound


class Arguments(tool.Arguments):
    """Not shown."""

    word: str = Field(description="A word.")
    times: int | None = Field(None, ge=1, le=3)


class Echo(BaseModel):
    """Not shown."""

    text: str
    note: Omittable[str] = None


def _echo(_: ToolContext, arguments: Arguments) -> Echo:
    if arguments.word == "none":
        raise ToolError("There is no echo. Try “سلام”.")
    if arguments.word == "missing":
        raise NotFound("There is no page.", "List what is there.")
    return Echo(text=arguments.word * (arguments.times or 1))


ECHO = Tool("echo", "Echo", "Repeats a word.", Arguments, Echo, _echo)
CONTEXT = cast(ToolContext, None)


def called(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a call."""
    result = call_tool(ECHO, arguments, CONTEXT)
    whole: dict[str, Any] = json.loads(result.open_json + b"}")
    assert result.final is not whole["isError"]
    return whole


def test_a_definition_has_schemas_and_says_that_the_tool_only_reads() -> None:
    """Without the titles and docstrings of models, which cost tokens; nothing is ever null."""
    word = {"type": "string", "description": "A word."}
    times = {"type": "integer", "minimum": 1, "maximum": 3}
    text = {"type": "string"}
    assert tool_definition(ECHO) == {
        "name": "echo",
        "title": "Echo",
        "description": "Repeats a word.",
        "inputSchema": {
            "type": "object",
            "properties": {"word": word, "times": times},
            "required": ["word"],
            "additionalProperties": False,
        },
        "outputSchema": {
            "type": "object",
            "properties": {"text": text, "note": text},
            "required": ["text"],
        },
        "annotations": {
            "title": "Echo",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }


def test_a_result_is_there_as_an_object_and_as_text() -> None:
    """Arabic is not escaped: that would cost six times the tokens."""
    result = called({"word": "سلام", "times": 2})
    assert result["structuredContent"] == {"text": "سلامسلام"}
    assert result["content"] == [{"type": "text", "text": '{"text":"سلامسلام"}'}]


@cases(
    ("arguments", "told"),
    [
        pytest.param({}, "word is required. Send word as a word", id="none"),
        pytest.param({"word": 1}, "word: “1” is not allowed. Send word as a word", id="a number"),
        pytest.param({"word": "a", "times": 4}, "times as an integer from 1 to 3", id="too many"),
        pytest.param({"word": "a", "x" * 5_000: 1}, "There is no argument “xxx", id="unknown"),
        pytest.param({"word": "none"}, "There is no echo. Try “سلام”.", id="the tool's own error"),
        pytest.param({"word": "missing"}, "There is no page. List what is there.", id="of content"),
    ],
)
def test_what_an_agent_can_put_right_is_a_result(arguments: dict[str, Any], told: str) -> None:
    """It says what is wrong and what is possible, in few words."""
    result = called(arguments)
    (content,) = result["content"]
    assert (result["isError"], "structuredContent" in result) == (True, False)
    assert told in content["text"]
    assert len(content["text"]) < 300


def test_an_error_is_not_kept() -> None:
    """It may be the state of the moment."""
    assert not call_tool(ECHO, {}, CONTEXT).final
