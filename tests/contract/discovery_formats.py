"""The formats of discovery documents, as their specifications state them.

Server Card: the draft extension of MCP (SEP-2127). Catalog: AI Catalog 1.0 and Agentic Resource
Discovery 0.9. A field that a specification does not have is an error.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AnyHttpUrl, BaseModel, ConfigDict, Field

_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
Text = Annotated[str, Field(min_length=1)]


class _Format(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Remote(_Format):
    type: Literal["streamable-http", "sse"]
    url: AnyHttpUrl
    supportedProtocolVersions: list[str]  # noqa: N815 - the name in the specification


class _Icon(_Format):
    src: AnyHttpUrl
    mimeType: Text  # noqa: N815
    sizes: list[str]


class ServerCard(_Format):
    """A card of an MCP server."""

    schema_: Literal[_SCHEMA] = Field(alias="$schema")  # type: ignore[valid-type]
    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", max_length=200)]
    version: Annotated[str, Field(min_length=1, max_length=255)]
    description: Annotated[str, Field(min_length=1, max_length=100)]
    title: Annotated[str, Field(min_length=1, max_length=100)]
    websiteUrl: AnyHttpUrl  # noqa: N815
    remotes: Annotated[list[_Remote], Field(min_length=1)]
    icons: list[_Icon] = []


class _Host(_Format):
    displayName: Text  # noqa: N815
    identifier: Text | None = None
    documentationUrl: AnyHttpUrl | None = None  # noqa: N815
    logoUrl: AnyHttpUrl | None = None  # noqa: N815


class _Entry(_Format):
    identifier: Annotated[str, Field(pattern=r"^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$")]
    displayName: Text  # noqa: N815
    type: Annotated[str, Field(pattern=r"^[a-z]+/[a-z0-9.+-]+(; .+)?$")]
    url: AnyHttpUrl
    description: Text | None = None
    tags: list[Text] = []
    capabilities: list[Text] = []
    representativeQueries: Annotated[list[Text], Field(min_length=2, max_length=5)] | None = None  # noqa: N815
    version: Text | None = None
    updatedAt: datetime | None = None  # noqa: N815
    metadata: dict[str, str | float | bool | None] = {}


class AICatalog(_Format):
    """A catalog of what a host offers to agents."""

    specVersion: Literal["1.0"]  # noqa: N815
    host: _Host
    entries: list[_Entry]
