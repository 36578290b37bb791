"""`majlis nginx`: prints a configuration of nginx with a cache in front of the service."""

import re
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any, TypeVar

import click

from app.console import command_settings
from app.operations.edge import NginxOptions, nginx_configuration

_WORD = re.compile(r"[\w.:/*\[\]~-]+")
_DEFAULTS = NginxOptions()

Command = TypeVar("Command", bound=Callable[..., Any])


def _word(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Refuse a value that would be more than one word of the configuration."""
    for each in value if isinstance(value, tuple) else (value,):
        if _WORD.fullmatch(each) is None:
            problem = f"{each!r} has characters other than letters, digits and . : / * [ ] ~ - _"
            raise click.BadParameter(problem, context, parameter)
    return value


def _networks(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Refuse what is neither an address nor a network."""
    try:
        return tuple(str(ip_network(each, strict=False)) for each in value)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


_LISTEN_PARAMETER = re.compile(
    r"default_server|ssl|http2|quic|proxy_protocol|deferred|bind|reuseport|ipv6only=(?:on|off)"
    r"|(?:backlog|rcvbuf|sndbuf|fastopen|setfib)=\w+|so_keepalive=[\w:]+"
)


def _listen(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse anything but an address and the parameters that nginx knows for it."""
    address, *parameters = value.split(" ")
    _word(context, parameter, address)
    for each in parameters:
        if _LISTEN_PARAMETER.fullmatch(each) is None:
            problem = f"{each!r} is no parameter of nginx's `listen`; write for example 443 ssl"
            raise click.BadParameter(problem, context, parameter)
    return value


def _option(name: str, text: str, **settings: Any) -> Callable[[Command], Command]:
    """Return an option whose default is that of NginxOptions."""
    default = getattr(_DEFAULTS, name.removeprefix("--").replace("-", "_"))
    return click.option(name, default=default, help=text, **settings)


@click.command()
@click.option(
    "--upstream",
    "upstreams",
    multiple=True,
    default=_DEFAULTS.upstreams,
    callback=_word,
    metavar="HOST:PORT",
    help="Address of an instance; repeat it for several.",
)
@_option("--server-name", "Name of the site; _ answers to any.", callback=_word)
@_option(
    "--listen",
    "Port, or address and port, that nginx listens on, and parameters such as ssl.",
    callback=_listen,
)
@_option("--cache-path", "Folder of the cache, best in memory.", callback=_word)
@_option("--cache-size", "Size of the cache, such as 500m.", type=click.STRING, callback=_word)
@_option(
    "--renewal-port",
    "Free port on 127.0.0.1, between the cache and the service.",
    type=click.IntRange(1, 65_535),
)
@click.option(
    "--country-from",
    multiple=True,
    callback=_networks,
    metavar="NETWORK",
    help="Network of a proxy that sets COUNTRY_HEADER, which others cannot; repeat it for several.",
)
def nginx(**options: Any) -> None:
    """Print a configuration of nginx with a cache, to be included in `http`.

    It follows from how this version chooses forms and codings, and from COUNTRY_HEADER: print it
    again after an update.
    """
    country_header = command_settings().country_header
    click.echo(
        nginx_configuration(NginxOptions(country_header=country_header, **options)), nl=False
    )
