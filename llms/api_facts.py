"""API facts: what the manual at `/developers` states of the API, as the app passes it in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from babel.units import format_unit

from knowledge.locales.locale import Language
from llms.mcp_server import McpServer


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An API operation; `variables` are the names of its query parameters or body fields.

    `successor` is the stable path if the operation is deprecated. A `secured` operation needs a
    credential.
    """

    method: str
    path: str
    group: str
    summary: str
    variables: tuple[str, ...] = ()
    successor: str | None = None
    secured: bool = False


@dataclass(frozen=True, slots=True)
class Contract:
    """The OpenAPI document of one tag: its path, and what the tag is about."""

    path: str
    subject: str


@dataclass(frozen=True, slots=True)
class Status:
    """An HTTP error status, its code in the error envelope, and its meaning."""

    number: int
    code: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A rate limit: the requests it counts, the maximum per client, and the window in seconds."""

    scope: str
    requests: int
    seconds: int

    def window(self, language: Language) -> str:
        """Return the window in minutes or seconds, in words.

        >>> Limit("", 12, 600).window(Language.EN), Limit("", 120, 60).window(Language.EN)
        ('10 minutes', '60 seconds')
        """
        minutes, rest = divmod(self.seconds, 60)
        in_seconds = rest or minutes < 2
        number, unit = (self.seconds, "second") if in_seconds else (minutes, "minute")
        return format_unit(number, f"duration-{unit}", locale=language)


@dataclass(frozen=True, slots=True)
class ApiFacts:
    """The facts that the manual states.

    `root` is the path prefix of the stable API, `legacy_contract` the path of the OpenAPI document
    of the aliases.
    """

    base_url: str
    root: str
    contract_version: str
    legacy_contract: str
    contracts: Sequence[Contract]
    sunset: str
    endpoints: Sequence[Endpoint]
    statuses: Sequence[Status]
    limits: Sequence[Limit]
    error_example: str
    page_caching: str
    api_caching: str
    markdown_caching: str
    mcp: McpServer | None = None
    """The MCP server, if it runs."""
    webhooks: Sequence[str] = ()
    """What the deployment sends to webhooks: `leads`, `orders`, `changes`."""
