"""The errors of callers: pages of other sites, and other names of this one."""

from __future__ import annotations

from knowledge.resources.errors import MajlisError


class CallerNotAllowed(MajlisError):
    """A page of another site made the browser call MCP."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "Browsers may not call MCP from pages of this origin.",
            "Ask the operator to add the origin to MCP_ORIGINS.",
        )


class HostNotAllowed(MajlisError):
    """The service is called by a name that is not its own."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "MCP is not served under this host name.",
            "Use the public address of the service, which the operator sets with BASE_URL.",
        )
