"""The MCP endpoint over HTTP."""
