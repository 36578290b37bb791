"""MCP: the Model Context Protocol, for agents."""

from app.feature import Feature

FEATURE = Feature(
    name="mcp",
    settings="app.features.mcp.settings:McpSettings",
    switch="mcp",
    facts="app.features.mcp.tools:facts",
    parts="app.features.mcp.layer:open_parts",
    routes=("app.features.mcp.routes:routes",),
    commands={"mcp": "app.features.mcp.commands:mcp_group"},
)
