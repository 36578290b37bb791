"""The MCP server of the site, as guides, catalogs and cards tell of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class McpServer:
    """The facts of a server that runs; where none runs, None stands for it.

    `name` is that of registries, such as `com.example.www/majlis`, and `versions` are the
    revisions of the protocol that it speaks, newest first.
    """

    path: str
    name: str
    version: str
    versions: tuple[str, ...]
    tools: tuple[str, ...]
