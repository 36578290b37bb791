"""Settings of MCP."""

from app.platform.settings import Origins, ServiceSettings, parts


class McpSettings(ServiceSettings):
    """Model Context Protocol."""

    mcp: bool = False
    """`on` serves the Model Context Protocol at `/mcp`, through which agents search and read the
    site; see [mcp.md](mcp.md)."""
    mcp_origins: Origins = ""
    """Origins of other sites whose pages may call `/mcp`, such as `https://app.example.com`,
    separated by commas."""

    @property
    def other_mcp_origins(self) -> tuple[str, ...]:
        """Other origins whose pages may call MCP, as browsers write them."""
        return parts(self.mcp_origins)
