"""The configuration of nginx with a cache in front of the service."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from app.operations.edge.header_rules import (
    HeaderRule,
    accept_rules,
    coding_rules,
    language_rules,
)
from app.platform.asgi.caching import Caching, is_storable
from renderers.representation import PAGE_MEDIA_TYPES


@dataclass(frozen=True, slots=True, kw_only=True)
class NginxOptions:
    """What differs between installations."""

    upstreams: Sequence[str] = ("127.0.0.1:8000",)
    listen: str = "80"
    server_name: str = "_"
    cache_path: str = "/var/cache/nginx/majlis"
    cache_size: str = "1g"
    renewal_port: int = 8090
    country_header: str = "CF-IPCountry"
    country_from: Sequence[str] = ()
    """The networks of the proxies that set this header."""


def nginx_configuration(options: NginxOptions) -> str:
    """Return the configuration, to be included in `http { }`."""
    return fill(
        "nginx.conf",
        upstreams="\n".join(_upstream(each) for each in options.upstreams),
        listen=options.listen,
        server_name=options.server_name,
        cache_path=options.cache_path,
        cache_size=options.cache_size,
        renewal_address=f"127.0.0.1:{options.renewal_port}",
        country_header=options.country_header,
        country_sources="\n".join(
            ["    default 0;", *(f"    {each} 1;" for each in options.country_from)]
        ),
        country=options.country_header.lower().replace("-", "_"),
        storable="|".join(_storable()),
        forms=_map_lines(accept_rules()),
        codings=_map_lines(coding_rules()),
        languages=_map_lines(language_rules()),
        default_form=PAGE_MEDIA_TYPES[0].partition("/")[2],
    )


def _upstream(address: str) -> str:
    return f"    server {address} max_fails=1 fail_timeout=5s;"


def _storable() -> Iterable[str]:
    """Return the values of Cache-Control that a cache with the chosen form in its key may keep.

    A page with a suggestion is for one reader; the response cache has that in its key.
    """
    return [each for each in Caching if is_storable(each.encode()) and each != Caching.SUGGESTING]


def _map_lines(rules: Iterable[HeaderRule]) -> str:
    """Return the lines of a `map`; the default is the empty text."""
    return "\n".join(f"    {_key(rule)} {rule.value};" for rule in rules)


def _key(rule: HeaderRule) -> str:
    """Return the key of a rule in a map; nginx compares an empty value with no pattern."""
    if rule.text is not None:
        return f'"{rule.text}"'
    escaped = rule.pattern.replace('"', r"\"")
    return f'"~*{escaped}"'


class ConfigurationTemplate(Template):
    """A template whose placeholders differ from the variables of nginx and VCL."""

    delimiter = "@"


def fill(name: str, **values: str) -> str:
    """Return a template of this package with its values."""
    text = files(__package__ or "").joinpath(name).read_text(encoding="utf-8")
    return ConfigurationTemplate(text).substitute(values)
