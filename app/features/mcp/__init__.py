"""MCP: the Model Context Protocol, for agents."""

from app.feature import Demo, Feature

FEATURE = Feature(
    name="mcp",
    settings="app.features.mcp.settings:McpSettings",
    switch="mcp",
    facts="app.features.mcp.tools:facts",
    parts="app.features.mcp.endpoint:open_parts",
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
