"""MCP: the Model Context Protocol at `/mcp`, for agents that read the site through tools."""
