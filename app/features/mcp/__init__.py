"""MCP: the Model Context Protocol, for agents."""

from app.feature import Demo, Feature
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


FEATURE = Feature(
    name="mcp",
    settings="app.features.mcp:McpSettings",
    switch="mcp",
    facts="app.features.mcp.tools:facts",
    parts="app.features.mcp.layer:open_parts",
    routes=("app.features.mcp.routes:routes",),
    commands={"mcp": "app.features.mcp.commands:mcp_group"},
    demo=Demo(
        title="What an agent asks through the Model Context Protocol",
        line=(
            "curl -s $url/mcp -H 'Content-Type: application/json' -d '"
            """{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": """
            """{"name": "find_passages", "arguments": """
            """{"query": "e-invoicing", "country": "KSA", "limit": 1}}}'"""
        ),
        variables={"MCP": "on"},
    ),
)
