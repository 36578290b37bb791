"""Calls of tools: their definitions, the checks of their arguments, and their results as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json

from app.features.mcp.arguments import argument_schema, read_arguments, result_schema
from app.features.mcp.countries import with_countries
from app.features.mcp.tool import Tool, ToolContext, ToolError
from knowledge.resources.errors import MajlisError

_ANNOTATIONS: Mapping[str, bool] = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


@dataclass(frozen=True, slots=True)
class Result:
    """A result: a JSON object without its closing brace, so that fields can follow.

    One that is not `final`, such as an error, is computed anew for each request. `hits` is how
    much a search found, and `page` the path of the page that it has.
    """

    open_json: bytes
    final: bool = True
    hits: int | None = None
    page: str | None = None


def tool_definition(tool: Tool, countries: Sequence[object] = ()) -> Mapping[str, object]:
    """Return a tool as `tools/list` describes it, on a site with these options for a country."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": with_countries(argument_schema(tool.arguments), countries),
        "outputSchema": result_schema(tool.result),
        "annotations": {"title": tool.title, **_ANNOTATIONS},
    }


def call_tool(tool: Tool, arguments: Mapping[str, Any], context: ToolContext) -> Result:
    """Return the result of a call; what an agent can put right is a result that says how."""
    try:
        result = tool.call(context, read_arguments(tool.arguments, arguments))
    except ToolError as error:
        return _failed(str(error))
    except MajlisError as error:
        return _failed(told(error))
    hits = tool.hits(result) if tool.hits else None
    page = tool.page(result) if tool.page else None
    return Result(_succeeded(result), hits=hits, page=page)


def told(error: MajlisError) -> str:
    """Return what an error says, and what to do."""
    return f"{error.message.removesuffix('.')}. {error.resolution}"


def _succeeded(result: BaseModel) -> bytes:
    """Return a result with the same facts twice, as some clients read only one of the fields."""
    text = result.model_dump_json(by_alias=True)
    content = b'{"content":[{"type":"text","text":%b}],' % to_json(text)
    return b'%b"structuredContent":%b,"isError":false' % (content, text.encode())


def _failed(message: str) -> Result:
    content = b'{"content":[{"type":"text","text":%b}],"isError":true' % to_json(message)
    return Result(content, final=False)
