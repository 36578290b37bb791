"""`majlis mcp`: what others want to know of the MCP server."""

from dataclasses import replace

import click

from app.console import command_settings
from app.console.default_view import default_view
from app.features.mcp.server import has_domain
from app.features.mcp.settings import McpSettings
from app.features.mcp.tools import running_server
from app.platform.printable import printable_json
from llms.mcp_server import is_server_name, server_json


@click.group("mcp")
def mcp_group() -> None:
    """Describe the MCP server for registries."""


@mcp_group.command("server-json")
@click.option("--name", help="Name in registries, such as com.example/site; default of BASE_URL.")
def print_server_json(name: str | None) -> None:
    """Print the server.json that registries of MCP servers want.

    The domain of the name must be yours: registries check it when you publish.
    """
    settings = command_settings().of(McpSettings)
    server = running_server(settings)
    if server is None:
        raise click.ClickException(
            "MCP is off: the address in server.json would not answer. Set MCP=on."
        )
    if not settings.base_url:
        raise click.ClickException(
            "BASE_URL is not set. Set it to the public address of the service, such as"
            " https://www.example.com."
        )
    if name is None and not has_domain(settings.public_url):
        raise click.ClickException(
            f"BASE_URL {settings.base_url} has no domain to make a name of. Give one with --name."
        )
    if name is not None and not is_server_name(name):
        raise click.BadParameter(
            f"{name!r} is not a domain in reverse, a slash and a name, such as com.example/site.",
            param_hint="--name",
        )
    document = server_json(default_view(settings), replace(server, name=name or server.name))
    click.echo(printable_json(document, indent=2))
