"""Settings of the service itself, and the types of values that features use in theirs."""

import base64
import re
from collections.abc import Mapping
from ipaddress import ip_network
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, cast
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

import knowledge
from app.platform import Extra
from app.platform.asgi.client_address import Network
from app.platform.database.url import DEFAULT_URL, checked_url
from app.platform.deliveries.smtp import parse_smtp_url
from app.platform.observability.tracing import Exporter
from app.platform.secret_files import SecretFiles
from llms import DEFAULT_SIGNAL

_SECRET_PREFIX = "whsec_"  # noqa: S105  # a prefix, not a secret


LONGEST_RETENTION_DAYS = 36_500
"""A hundred years. A much longer period would begin before the first year of `datetime`."""
_ORIGIN = re.compile(r"https?://([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d{1,5})?", re.IGNORECASE)
"""An origin as browsers send it; they write names with non-ASCII letters in punycode."""


def parts(text: str) -> tuple[str, ...]:
    """Split at commas, strip blanks and drop empty parts."""
    return tuple(part for part in map(str.strip, text.split(",")) if part)


def is_web_address(url: str) -> bool:
    """Return whether a text is an absolute HTTP URL with a usable host and port.

    >>> is_web_address("https://a.example:8443/x"), is_web_address("https://a.example:99999")
    (True, False)
    """
    try:
        split = urlsplit(url)
        has_host = bool(split.hostname) and split.port != 0
    except ValueError:  # an invalid port, or an unbalanced bracket
        return False
    # urlsplit removes line breaks silently, so the whole text is checked for them.
    return has_host and split.scheme in ("http", "https") and " " not in url and url.isprintable()


def _web_address(url: str) -> str:
    if url and not is_web_address(url):
        example = "https://www.example.com"
        raise ValueError(f"use an absolute URL such as {example}, with a port up to 65535")
    return url


def _origins(origins: str) -> str:
    if not all(map(_ORIGIN.fullmatch, parts(origins))):
        raise ValueError("use origins such as https://www.example.com, without a path")
    return origins.lower()


def _is_webhook_secret(text: str) -> bool:
    """Return whether a text is a well-formed secret: the prefix, then bytes in base64.

    >>> [_is_webhook_secret(text) for text in ("whsec_c2VjcmV0", "c2VjcmV0", "whsec_", "whsec_?")]
    [True, False, False, False]
    """
    encoded = text.removeprefix(_SECRET_PREFIX)
    padded = encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4)
    try:
        return text.startswith(_SECRET_PREFIX) and bool(base64.b64decode(padded, validate=True))
    except ValueError:
        return False


def _webhook_secret(secret: str) -> str:
    if secret and not _is_webhook_secret(secret):
        raise ValueError("use whsec_ and base64, for example from `openssl rand -base64 32`")
    return secret


def checked_source(address: str) -> str:
    """Return where artefacts are; raises ValueError unless it can be used."""
    scheme, slashes, _ = address.partition("://")
    if slashes and (scheme not in ("http", "https", "s3") or not urlsplit(address).hostname):
        raise ValueError("use a folder, https://host/path or s3://bucket/prefix")
    if slashes and scheme == "s3":
        Extra.S3.require()
    return address


WebAddress = Annotated[str, AfterValidator(_web_address)]
SourceAddress = Annotated[str, AfterValidator(checked_source)]
Origins = Annotated[str, AfterValidator(_origins)]
"""Origins with commas between."""

WebhookSecret = Annotated[str, AfterValidator(_webhook_secret)]


SAMPLE_CONTENT = Path(knowledge.__file__).parent / "content"

_ALL = ("::", "0.0.0.0")  # noqa: S104  # what an operator asks for
"""All addresses of a machine: each family has a socket, so that clients keep their addresses."""
_BEYOND_ROOT = frozenset("/?#@\\")
"""What begins a path, a query or a fragment, or ends a password."""


class ServiceSettings(BaseSettings):
    """Service.

    The groups of features extend it. A group is named by the first line of its docstring, and the
    text below a field is its description, in Markdown.
    """

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        defer_build=True,  # of all groups only the last one is used
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return where values come from, the first first."""
        variables = (dotenv_settings, env_settings)
        files = SecretFiles(settings_cls, *(cast(EnvSettingsSource, each) for each in variables))
        return init_settings, files, env_settings, dotenv_settings

    topics: ClassVar[Mapping[str, str]] = {
        "host": "Address",
        "content_dir": "Content and search",
        "database_url": "Databases",
        "smtp_url": "Mail and forms",
        "max_connections": "Connections",
        "metrics_port": "Monitoring and logs",
        "otel_sdk_disabled": "Traces",
    }
    """The topics of the guide, by the first setting of each."""

    host: str = "127.0.0.1"
    """Address to listen on, or several with commas between; `::` is all addresses, of IPv4 and
    IPv6."""
    port: int = Field(8000, ge=0, le=65535)
    """Port to listen on; 0 picks a free one."""
    base_url: WebAddress = ""
    """Public URL, used in every absolute link: scheme, host and port, since the service needs a
    host name of its own; without it `http://HOST:PORT`, which others cannot reach."""
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = ()
    """Addresses or CIDRs of proxies whose headers are trusted, separated by commas."""
    country_header: str = "CF-IPCountry"
    """Header in which a trusted proxy sends the reader's country."""
    content_dir: Path = SAMPLE_CONTENT
    """Folder with the markdown files."""
    content_signal: str = DEFAULT_SIGNAL
    """What crawlers may use the content for, sent as `Content-Signal` and `Content-Usage`; with
    `ai-train=no` robots.txt keeps crawlers out that train models; one line of ASCII."""
    cache_dir: Path = Path("var/cache")
    """Folder of parsed files, from which a restart loads what has not changed; if it cannot be
    written, each start parses all."""
    index_dir: Path = Path("var/index")
    """Folder of the search indexes; if it cannot be written, they are in memory."""
    index_source: SourceAddress = Field("", repr=False)
    """Where `majlis index --output` has put search indexes: a folder, `https://host/path` or
    `s3://bucket/prefix`; what is not there is made, see
    [several-machines.md](several-machines.md#artefacts)."""
    meaning: bool = False
    """`on` ranks what a search finds by its meaning too. It needs the packages of the extra
    `meaning`, and a folder of indexes that can be written; see [search.md](search.md#meaning)."""
    database_url: Annotated[str, AfterValidator(checked_url)] = Field(DEFAULT_URL, repr=False)
    """Database of leads, orders, deliveries and counts of readers; for PostgreSQL
    `postgresql://user:password@host/name`, or several hosts with commas between, see
    [several-machines.md](several-machines.md#postgresql)."""
    database_pool: int = Field(10, ge=2, le=1000)
    """Connections to PostgreSQL that a process opens at most; one of them is for writes of many
    requests at once."""
    redis_url: str = Field("", repr=False)
    """Redis or Valkey that shares rate limits between processes; without it each process counts
    separately. With Sentinels `redis+sentinel://host1,host2/name/0`, for a cluster
    `redis+cluster://host1,host2`, see [several-machines.md](several-machines.md#redis)."""
    redis_timeout_seconds: float = Field(0.25, gt=0, le=1)
    """How long a request waits for Redis before its process counts it locally, at most 1."""
    smtp_url: str = Field("", repr=False)
    """Mail server: `smtps://user:password@host`, or `smtp://` with STARTTLS, see
    [leads.md](leads.md#e-mail)."""
    leads_origins: Origins = ""
    """Origins of other sites that may send leads, such as `https://www.example.com`, separated by
    commas."""
    max_connections: int | None = Field(None, ge=1)
    """Open connections per process; without it as many as the limit of open files allows."""
    max_connections_per_client: int | None = Field(None, ge=1)
    """Connections per client; without it half of `MAX_CONNECTIONS`, at most 256. Trusted proxies
    have no such limit."""
    fast_front: bool = True
    """Whether the [fast front](serving.md#another-server) answers cached reads and limits
    connections; `off` leaves stock Hypercorn."""
    startup_seconds: float = Field(120.0, gt=0, le=86_400)
    """How long a start may take, which first fetches and checks a repository and reads all content;
    then it ends, and says what took how long."""
    stop_delay_seconds: float = Field(0.0, ge=0, le=300)
    """How long to keep serving after SIGTERM while `/ready` already returns 503."""
    metrics_port: int | None = Field(None, ge=1, le=65535)
    """Port of `/metrics` for Prometheus and `/ready` for load balancers."""
    app_env: str = "production"
    """Name of the deployment, shown by health."""
    access_log: Literal["off", "json", "combined"] = "off"
    """`json` or `combined`: writes a line for each request, see
    [operating.md](operating.md#the-access-log)."""
    access_log_file: Path | None = None
    """File of the access log; if unset, it is written to standard output."""
    access_log_addresses: Literal["network", "full", "none"] = "network"
    """What the access log has of addresses: their `network` (`/24`, `/48`), the `full` address, or
    `none`."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """`DEBUG`, `INFO`, `WARNING` or `ERROR`; libraries log warnings and errors only, Hypercorn at
    `INFO` and above."""
    otel_sdk_disabled: bool = False
    """`on` switches traces off, whatever the other variables say."""
    otel_traces_exporter: Literal["", "otlp", "console", "none"] = ""
    """`otlp` sends traces to a collector, `console` writes them to standard output; without it
    `otlp` if there is an endpoint. It needs the packages of the extra `otel`, see
    [monitoring.md](monitoring.md#traces)."""
    otel_exporter_otlp_protocol: Literal["http/protobuf"] = "http/protobuf"
    """How traces are sent; no other protocol is supported."""
    otel_exporter_otlp_endpoint: WebAddress = ""
    """Base address of the collector; setting it switches traces on."""
    otel_exporter_otlp_traces_endpoint: WebAddress = ""
    """The whole address for traces, in place of the base address and `/v1/traces`; setting it
    switches traces on."""

    @field_validator("host")
    @classmethod
    def _hosts(cls, host: str) -> str:
        if not parts(host):
            raise ValueError("use an address such as 127.0.0.1, or several with commas between")
        return host

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

    @field_validator("meaning")
    @classmethod
    def _has_encoder(cls, value: bool) -> bool:
        """Refuse what asks for meaning if the packages are missing."""
        if value:
            Extra.MEANING.require()
        return value

    @field_validator("content_signal")
    @classmethod
    def _header_value(cls, signal: str) -> str:
        if not (signal.isascii() and signal.isprintable()):
            raise ValueError("use one line of visible ASCII characters, such as ai-train=no")
        return signal

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, url: str) -> str:
        if not url:
            return url
        Extra.REDIS.require()
        # Few installations need its client, which takes long to load.
        from app.platform.limits.redis_store import checked_address  # noqa: PLC0415

        return checked_address(url)

    @field_validator("smtp_url")
    @classmethod
    def _mail_server(cls, url: str) -> str:
        if url:
            parse_smtp_url(url)
        return url

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _networks(cls, value: Any) -> Any:
        if isinstance(value, str):
            return tuple(ip_network(part, strict=False) for part in parts(value))
        return value

    @field_validator(
        "otel_traces_exporter", "otel_exporter_otlp_endpoint", "otel_exporter_otlp_traces_endpoint"
    )
    @classmethod
    def _is_traceable(cls, value: str, info: ValidationInfo) -> str:
        """Refuse what asks for traces if the packages are missing."""
        exporter = info.data.get("otel_traces_exporter", value)
        is_off = info.data.get("otel_sdk_disabled") or exporter == "none"
        if value and not is_off:
            Extra.OTEL.require()
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
        listed = (_ALL if host == _ALL[0] else (host,) for host in parts(self.host))
        return tuple(dict.fromkeys(chain.from_iterable(listed)))

    @property
    def lead_origins(self) -> tuple[str, ...]:
        """Other origins whose pages may send leads, as browsers write them."""
        return parts(self.leads_origins)

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
