"""Settings: every environment variable of the service, validated at start."""

from __future__ import annotations

import re
from ipaddress import ip_network
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

import knowledge
from app.platform.asgi.client_address import Network
from app.platform.database.url import DEFAULT_URL, checked_url
from app.platform.deliveries.signature import is_webhook_secret
from app.platform.deliveries.smtp_server import parse_smtp_url
from app.platform.email_address import is_email
from app.platform.observability.tracing import INSTALL, Exporter, is_installed
from knowledge.fields.value_problems import value_problem
from llms.content_signal import DEFAULT_SIGNAL

SAMPLE_CONTENT = Path(knowledge.__file__).parent / "content"

CDN = Literal["off", "on", "vary"]
"""What CDNs are told: nothing, what a cache that ignores Vary may keep, or all that may be kept."""

LONGEST_RETENTION_DAYS = 36_500
"""A hundred years. A much longer period would begin before the first year of `datetime`."""

SHORTEST_TOKEN = 16
"""Minimum length of a partner token: 16 hexadecimal digits cannot be guessed."""

TURNSTILE_URL = "https://challenges.cloudflare.com/turnstile/v0/siteverify"
"""Where Cloudflare tells whether an answer to Turnstile is valid."""

INDEXNOW_URL = "https://api.indexnow.org/indexnow"
"""The endpoint that passes changes on to all search engines that take part."""

_INDEXNOW_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")

_ALL = ("::", "0.0.0.0")  # noqa: S104  # what an operator asks for
"""All addresses of a machine: each family has a socket, so that clients keep their addresses."""

_BEYOND_ROOT = frozenset("/?#@\\")
"""What begins a path, a query or a fragment, or ends a password."""

_PASSWORD = re.compile(r"//[^/]*@")
_QUOTED = re.compile(r"'(\w+)'")
_ORIGIN = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d{1,5})?", re.IGNORECASE)
"""An origin as browsers send it; they write names with non-ASCII letters in punycode."""


class SettingsError(Exception):
    """A variable has an invalid value; the message names it."""


class Settings(BaseSettings):
    """The settings, read from the environment and from `.env`."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore"
    )

    host: str = Field(
        "127.0.0.1",
        description="Addresses to listen on, separated by commas; :: is all, of IPv4 and IPv6.",
    )
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 picks a free one.")
    base_url: str = Field("", description="Public address; default from HOST and PORT.")
    app_env: str = Field("production", description="Name of the deployment, reported by health.")
    content_dir: Path = Field(SAMPLE_CONTENT, description="Folder of the markdown files.")
    index_dir: Path = Field(
        Path("var/index"),
        description="Folder of the search index; if it cannot be written, it is in memory.",
    )
    image_dir: Path = Field(
        Path("var/images"),
        description="Folder of smaller images; if it cannot be written, they are in memory.",
    )
    cache_dir: Path = Field(
        Path("var/cache"),
        description="Folder of parsed files; without it each start parses all of them.",
    )
    database_url: Annotated[str, AfterValidator(checked_url)] = Field(
        DEFAULT_URL,
        description="Database of leads and orders: sqlite:///file or postgresql://user:password@host/name.",
        repr=False,  # it may hold a password; error messages omit values of such settings
    )
    preview_key_file: Path = Field(
        Path("var/preview.key"),
        description="File of the key that signs preview links; delete it to revoke them.",
    )
    redis_url: str = Field(
        "",
        description="Redis for rate limits shared by all instances; unset counts in memory.",
        repr=False,
    )
    redis_timeout_seconds: float = Field(
        0.05,
        gt=0,
        le=1,
        description="How long a request waits for Redis before its process counts it in memory.",
    )
    lead_retention_days: int | None = Field(
        None,
        ge=1,
        le=LONGEST_RETENTION_DAYS,
        description="Days after which leads are deleted; unset keeps them.",
    )
    lead_anonymise_days: int | None = Field(
        None,
        ge=1,
        le=LONGEST_RETENTION_DAYS,
        description="Days after which leads lose what identifies a person; unset keeps it.",
    )
    changes_retention_days: int = Field(
        90,
        ge=1,
        le=LONGEST_RETENTION_DAYS,
        description="Days for which changes of pages are kept for those who follow them.",
    )
    leads_origins: str = Field(
        "",
        description="Origins of other sites whose pages may send leads, separated by commas.",
    )
    leads_key_file: Path = Field(
        Path("var/leads.key"),
        description="File of the key that signs the contact form and digests origins of leads.",
    )
    leads_per_network: int = Field(
        20, ge=1, description="Leads accepted from one network per hour; more are quarantined."
    )
    leads_per_hour: int = Field(
        200, ge=1, description="Leads accepted from everybody per hour; more are quarantined."
    )
    leads_webhook_url: str = Field(
        "", description="URL that is told of every lead; it may hold a secret.", repr=False
    )
    leads_webhook_secret: str = Field(
        "",
        description="Signs what LEADS_WEBHOOK_URL gets: whsec_ and base64; unset sends unsigned.",
        repr=False,
    )
    leads_mapping: Path | None = Field(
        None,
        description="YAML file that says what LEADS_WEBHOOK_URL gets, if it is that of a CRM.",
    )
    turnstile_site_key: str = Field("", description="Site key of Cloudflare Turnstile.")
    turnstile_secret: str = Field("", description="Secret key of Cloudflare Turnstile.", repr=False)
    turnstile_url: str = Field(
        TURNSTILE_URL, description="Where answers to Turnstile are verified; another is for tests."
    )
    leads_proof: Literal["off", "altcha", "turnstile"] = Field(
        "off", description="Proof of a browser that the contact form asks for; see docs/leads.md."
    )
    smtp_url: str = Field(
        "", description="Mail server: smtps://user:password@host or smtp://host.", repr=False
    )
    leads_email_to: str = Field(
        "", description="E-mail addresses that are told of every lead, separated by commas."
    )
    leads_email_from: str = Field(
        "", description="Sender of these mails; default the first address of LEADS_EMAIL_TO."
    )
    leads_email_language: Literal["en", "ar"] = Field(
        "en", description="Language of these mails: en or ar."
    )
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = Field(
        (), description="CIDRs of proxies whose forwarding headers are trusted."
    )
    country_header: str = Field(
        "CF-IPCountry", description="Header in which a trusted proxy sends the country."
    )
    erp_pull_api_token: str = Field(
        "",
        description="Partner tokens of 16 or more characters, separated by commas; unset disables.",
        repr=False,
    )
    erp_webhook_url: str = Field(
        "", description="Where orders are pushed to; it may hold a secret.", repr=False
    )
    erp_webhook_secret: str = Field(
        "", description="Signs pushed orders: whsec_ and base64; unset sends unsigned.", repr=False
    )
    changes_webhook_url: str = Field(
        "",
        description="URLs that are told of changes of pages, separated by commas.",
        repr=False,
    )
    changes_webhook_secret: str = Field(
        "",
        description="Signs what CHANGES_WEBHOOK_URL gets: whsec_ and base64; unset sends unsigned.",
        repr=False,
    )
    indexnow_key: str = Field(
        "", description="Key of IndexNow; search engines are told of changes, see docs/changes.md."
    )
    indexnow_url: str = Field(
        INDEXNOW_URL, description="Where IndexNow gets changes; another one is for tests."
    )
    cdn: CDN = Field(
        "off",
        description="Whether responses tell a CDN what to keep: off, on, or vary; see docs/cdn.md.",
    )
    cdn_purge_url: str = Field(
        "",
        description="URL that is told which responses a CDN has to drop; it may hold a secret.",
        repr=False,
    )
    cdn_purge_secret: str = Field(
        "",
        description="Signs what CDN_PURGE_URL gets: whsec_ and base64; unset sends unsigned.",
        repr=False,
    )
    content_signal: str = Field(
        DEFAULT_SIGNAL,
        description="What crawlers may use the content for; sent in headers and robots.txt.",
    )
    mcp: bool = Field(
        False, description="Serve the Model Context Protocol at /mcp: on or off; see docs/mcp.md."
    )
    mcp_origins: str = Field(
        "",
        description="Origins of other sites whose pages may call /mcp, separated by commas.",
    )
    audience: bool = Field(
        False, description="Count who reads what, by day and without anything personal: on or off."
    )
    audience_retention_days: int = Field(
        400,
        ge=1,
        le=LONGEST_RETENTION_DAYS,
        description="Days after which the counts of readers are deleted.",
    )
    audience_write_seconds: float = Field(
        60.0,
        ge=0.1,
        le=3_600,
        description="How often the counts of readers are written to the database.",
    )
    max_connections: int | None = Field(
        None,
        ge=1,
        description="Maximum connections of a process; default from the limit of open files.",
    )
    max_connections_per_client: int | None = Field(
        None,
        ge=1,
        description="Maximum connections of one client; trusted proxies are exempt.",
    )
    metrics_port: int | None = Field(
        None, ge=1, le=65535, description="Port of /metrics and /ready; unset disables both."
    )
    stop_delay_seconds: float = Field(
        0.0,
        ge=0,
        le=300,
        description="How long to keep serving after SIGTERM while /ready reports 503.",
    )
    access_log: Literal["off", "json", "combined"] = Field(
        "off", description="Format of the access log, one line for each request; off writes none."
    )
    access_log_file: Path | None = Field(
        None, description="File of the access log; unset writes to standard output."
    )
    access_log_addresses: Literal["network", "full", "none"] = Field(
        "network", description="What the access log has of addresses: networks of /24 and /48."
    )
    otel_sdk_disabled: bool = Field(
        False, description="Switches traces off, whatever the other OTEL_ variables say."
    )
    otel_traces_exporter: Literal["", "otlp", "console", "none"] = Field(
        "", description="Where traces go: otlp, console or none; otlp if it has an endpoint."
    )
    otel_exporter_otlp_protocol: Literal["http/protobuf"] = Field(
        "http/protobuf", description="How traces are sent to OTLP."
    )
    otel_exporter_otlp_endpoint: str = Field(
        "", description="Base address of an OpenTelemetry collector, such as http://127.0.0.1:4318."
    )
    otel_exporter_otlp_traces_endpoint: str = Field(
        "", description="Whole address for traces, in place of the base address and /v1/traces."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="Least severe messages to log."
    )

    @field_validator("host")
    @classmethod
    def _hosts(cls, host: str) -> str:
        if not _parts(host):
            raise ValueError("use an address such as 127.0.0.1, or several with commas between")
        return host

    @field_validator(
        "base_url",
        "erp_webhook_url",
        "leads_webhook_url",
        "cdn_purge_url",
        "turnstile_url",
        "indexnow_url",
        "otel_exporter_otlp_endpoint",
        "otel_exporter_otlp_traces_endpoint",
    )
    @classmethod
    def _web_address(cls, url: str) -> str:
        if url and not _is_web_address(url):
            example = "https://www.example.com"
            raise ValueError(f"use an absolute URL such as {example}, with a port up to 65535")
        return url

    @field_validator("base_url")
    @classmethod
    def _root(cls, url: str) -> str:
        """Refuse what the service cannot serve below: all its paths begin at the root."""
        if not _BEYOND_ROOT.isdisjoint(url.partition("://")[2].removesuffix("/")):
            raise ValueError(
                "use scheme, host and port alone, such as https://www.example.com, without path, "
                "query, fragment and password; the service needs a host name of its own"
            )
        return url

    @field_validator("cdn_purge_url")
    @classmethod
    def _purge(cls, url: str, others: ValidationInfo) -> str:
        if url and others.data.get("cdn") == "off":
            raise ValueError("set CDN to on or vary too, or responses have no tags to purge")
        return url

    @field_validator("changes_webhook_url")
    @classmethod
    def _web_addresses(cls, urls: str) -> str:
        if not all(map(_is_web_address, _parts(urls))):
            raise ValueError(
                "use absolute URLs such as https://www.example.com, and commas between"
            )
        addresses = {url.partition("?")[0] for url in _parts(urls)}
        if len(addresses) < len(_parts(urls)):
            raise ValueError("use each URL once; two that differ only after a ? count as one")
        return urls

    @field_validator("indexnow_key")
    @classmethod
    def _key_of_indexnow(cls, key: str) -> str:
        if key and not _INDEXNOW_KEY.fullmatch(key):
            raise ValueError(
                "use 8 to 128 letters, digits and hyphens, as from `openssl rand -hex 16`"
            )
        if key == "llms-full":
            raise ValueError("use another key, because /llms-full.txt is a file of the service")
        return key

    @field_validator("erp_pull_api_token")
    @classmethod
    def _tokens(cls, tokens: str) -> str:
        if not (tokens.isascii() and tokens.isprintable()) or " " in tokens.replace(", ", ","):
            raise ValueError("use tokens of ASCII letters, digits and signs, without spaces")
        if any(len(token) < SHORTEST_TOKEN for token in _parts(tokens)):
            minimum = f"use tokens of at least {SHORTEST_TOKEN} characters"
            raise ValueError(f"{minimum}, for example from `openssl rand -hex 32`")
        return tokens

    @field_validator("leads_origins", "mcp_origins")
    @classmethod
    def _origins(cls, origins: str) -> str:
        if not all(map(_ORIGIN.fullmatch, _parts(origins))):
            raise ValueError("use origins such as https://www.example.com, without a path")
        return origins.lower()

    @field_validator(
        "erp_webhook_secret", "changes_webhook_secret", "leads_webhook_secret", "cdn_purge_secret"
    )
    @classmethod
    def _secret(cls, secret: str) -> str:
        if secret and not is_webhook_secret(secret):
            raise ValueError("use whsec_ and base64, for example from `openssl rand -base64 32`")
        return secret

    @field_validator("leads_proof")
    @classmethod
    def _proof(cls, kind: str, others: ValidationInfo) -> str:
        names = ("turnstile_site_key", "turnstile_secret")
        if kind == "turnstile" and not all(others.data.get(name) for name in names):
            raise ValueError("set TURNSTILE_SITE_KEY and TURNSTILE_SECRET too")
        return kind

    @field_validator("leads_mapping")
    @classmethod
    def _mapping(cls, path: Path | None, others: ValidationInfo) -> Path | None:
        if path is not None and not others.data.get("leads_webhook_url"):
            raise ValueError("set LEADS_WEBHOOK_URL too, the address of the CRM")
        return path

    @field_validator("smtp_url")
    @classmethod
    def _mail_server(cls, url: str) -> str:
        if url:
            parse_smtp_url(url)
        return url

    @field_validator("leads_email_to", "leads_email_from")
    @classmethod
    def _email_addresses(cls, addresses: str, others: ValidationInfo) -> str:
        parts = _parts(addresses)
        if not all(is_email(each) and each.isascii() for each in parts):
            raise ValueError("use addresses such as sales@example.com, of ASCII characters")
        if len({each.casefold() for each in parts}) < len(parts):
            raise ValueError("use each address once")
        if others.field_name == "leads_email_from" and len(parts) > 1:
            raise ValueError("use one address")
        if parts and not others.data.get("smtp_url"):
            raise ValueError("set SMTP_URL too, the mail server")
        return addresses

    @field_validator("content_signal")
    @classmethod
    def _header_value(cls, signal: str) -> str:
        if not (signal.isascii() and signal.isprintable()):
            raise ValueError("use one line of visible ASCII characters, such as ai-train=no")
        return signal

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, url: str) -> str:
        if url and urlsplit(url).scheme not in ("redis", "rediss", "unix"):
            raise ValueError("use redis://host:port/number, rediss:// or unix://")
        if url:
            _check_parameters_of_redis(url)
        return url

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _networks(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(ip_network(part, strict=False) for part in _parts(value))
        return value

    @field_validator(
        "otel_traces_exporter",
        "otel_exporter_otlp_endpoint",
        "otel_exporter_otlp_traces_endpoint",
    )
    @classmethod
    def _is_traceable(cls, value: str, info: ValidationInfo) -> str:
        """Refuse what asks for traces if the packages are missing."""
        exporter = info.data.get("otel_traces_exporter", value)
        is_off = info.data.get("otel_sdk_disabled") or exporter == "none"
        if value and not is_off and not is_installed():
            raise ValueError(f"OpenTelemetry is missing: {INSTALL}, or unset the variable")
        return value

    @field_validator("access_log", "access_log_addresses", "otel_traces_exporter", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses to listen on, each once."""
        listed = (_ALL if host == _ALL[0] else (host,) for host in _parts(self.host))
        return tuple(dict.fromkeys(chain.from_iterable(listed)))

    @property
    def partner_tokens(self) -> tuple[str, ...]:
        """The tokens that partners authenticate with; several while one is being replaced."""
        return _parts(self.erp_pull_api_token)

    @property
    def lead_origins(self) -> tuple[str, ...]:
        """Other origins whose pages may send leads, as browsers write them."""
        return _parts(self.leads_origins)

    @property
    def lead_recipients(self) -> tuple[str, ...]:
        """The e-mail addresses that are told of leads."""
        return _parts(self.leads_email_to)

    @property
    def lead_sender(self) -> str:
        """The address from which mails about leads come."""
        return self.leads_email_from or next(iter(self.lead_recipients), "")

    @property
    def other_mcp_origins(self) -> tuple[str, ...]:
        """Other origins whose pages may call MCP, as browsers write them."""
        return _parts(self.mcp_origins)

    @property
    def change_webhooks(self) -> tuple[str, ...]:
        """The webhooks that are told of changes."""
        return _parts(self.changes_webhook_url)

    @property
    def tracing(self) -> Exporter | None:
        """What gets the traces; None if there are none."""
        exporter = self.otel_traces_exporter
        if self.otel_sdk_disabled or exporter == "none":
            return None
        return exporter or ("otlp" if self.otlp_endpoint else None)

    @property
    def otlp_endpoint(self) -> str:
        """Where traces are sent; if it is empty, to the default address of OpenTelemetry."""
        base = self.otel_exporter_otlp_endpoint.rstrip("/")
        return self.otel_exporter_otlp_traces_endpoint or (base and f"{base}/v1/traces")

    @property
    def public_url(self) -> str:
        """The base of every absolute URL, without a trailing slash."""
        if self.base_url:
            return self.base_url.rstrip("/")
        first = self.addresses[0]
        host = f"[{first}]" if ":" in first else first
        return f"http://{host}:{self.port}"


def _is_web_address(url: str) -> bool:
    """Return whether a text is an absolute HTTP URL with a usable host and port.

    >>> _is_web_address("https://a.example:8443/x"), _is_web_address("https://a.example:99999")
    (True, False)
    """
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port, or an unbalanced bracket
        return False
    # urlsplit removes line breaks silently, so the whole text is checked for them.
    return has_host and parts.scheme in ("http", "https") and " " not in url and url.isprintable()


def _check_parameters_of_redis(url: str) -> None:
    """Refuse what the client of Redis would raise an error for at each request."""
    from redis.asyncio import ConnectionPool  # noqa: PLC0415  # which few installations need

    try:
        pool = ConnectionPool.from_url(url)
        pool.connection_class(**pool.connection_kwargs)  # which connects to nothing yet
    except (TypeError, ValueError) as error:  # its message may have a part of the URL
        name = _QUOTED.search(str(error))
        given = dict(parse_qsl(urlsplit(url).query))
        if name and name[1] in given:
            raise ValueError(f"the parameter {name[1]} is not supported; remove it") from None
        raise ValueError("write redis://user:password@host:port/number, percent-encoded") from None


def _parts(text: str) -> tuple[str, ...]:
    """Split at commas, strip blanks and drop empty parts."""
    return tuple(part for part in map(str.strip, text.split(",")) if part)


def load_settings(**overrides: Any) -> Settings:
    """Load settings from the environment; raises SettingsError naming each invalid variable."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError("; ".join(map(_problem, error.errors()))) from None


def _problem(detail: ErrorDetails) -> str:
    """Describe an invalid variable; its value is left out if it may be a secret."""
    name = str(detail["loc"][0])
    problem = f"{name.upper()}: {value_problem(detail)}"
    value = str(detail["input"])
    is_secret = not Settings.model_fields[name].repr or _PASSWORD.search(value)
    return problem if is_secret else f"{problem} (got {value!r})"
