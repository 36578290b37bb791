"""MCP: the Model Context Protocol, for agents."""

from app.features.feature import Feature

FEATURE = Feature(
    name="mcp",
    switch="mcp",
    facts="app.features.mcp.facts:facts",
    parts="app.features.mcp.layer:open_parts",
    routes=("app.features.mcp.routes:routes", "app.features.mcp.discovery:routes"),
    commands={"mcp": "app.features.mcp.commands:mcp_group"},
)
