"""Parsing and validation of DATABASE_URL."""

from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from app.platform import Extra

SQLITE = "sqlite:///"
DEFAULT_URL = f"{SQLITE}var/majlis.db"
_POSTGRESQL = ("postgresql", "postgres")
_ALLOWED = "use sqlite:///path/to/file.db or postgresql://user:password@host/database"
_TIMEOUT = "connect_timeout"
_PARAMETERS = frozenset(
    "host port dbname user password passfile service application_name options sslmode "
    "sslnegotiation sslcert sslkey sslpassword sslrootcert sslcrl ssl_min_protocol_version "
    f"ssl_max_protocol_version target_session_attrs krbsrvname gsslib {_TIMEOUT}".split()
)
"""The parameters of libpq that the driver follows; it would send any other one to the server."""


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite URL, or None for a PostgreSQL URL.

    >>> str(sqlite_file("sqlite:///var/majlis.db")), sqlite_file("postgresql://host/name")
    ('var/majlis.db', None)
    """
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def checked_url(url: str) -> str:
    """Return the URL; raises ValueError unless it names an SQLite file or a PostgreSQL server.

    >>> checked_url("mysql://host/name")
    Traceback (most recent call last):
    ValueError: use sqlite:///path/to/file.db or postgresql://user:password@host/database
    """
    if url.startswith(SQLITE):
        if url == SQLITE or ":memory:" in url:
            raise ValueError(f"{_ALLOWED}; a database in memory is not supported")
    elif urlsplit(url).scheme not in _POSTGRESQL:
        raise ValueError(_ALLOWED)
    else:
        Extra.POSTGRES.require()
        _check_parameters(url)
    return url


def _check_parameters(url: str) -> None:
    """Refuse what the driver would not follow, by its name; a value may be a secret."""
    try:
        given = dict(parse_qsl(urlsplit(url).query, strict_parsing=True))
    except ValueError:
        if urlsplit(url).query:
            raise ValueError("write parameters as ?name=value&name=value") from None
        return
    if unknown := sorted(given.keys() - _PARAMETERS):
        raise ValueError(
            f"the parameter {', '.join(unknown)} is not supported; remove it, or write a setting "
            "of the server as options=-c%20name%3Dvalue"
        )
    seconds = given.get(_TIMEOUT, "1")
    if not seconds.isdecimal() or int(seconds) == 0:
        raise ValueError(f"write {_TIMEOUT} in whole seconds, 1 or more")


def driver_urls(url: str) -> tuple[str, ...]:
    """Return the URL of each server as its driver reads it, which names this program by default.

    Of several servers, one that accepts writes is meant, unless the URL says otherwise.

    >>> driver_urls("postgresql://host/name?sslmode=require&connect_timeout=2")
    ('postgresql://host/name?application_name=majlis&sslmode=require',)
    >>> [each.partition("?")[0] for each in driver_urls("postgresql://me@one:5433,two/name")]
    ['postgresql://me@one:5433/name', 'postgresql://me@two/name']
    """
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    given = {"application_name": "majlis", **dict(parse_qsl(parts.query))}
    given.pop(_TIMEOUT, None)
    if "," in hosts:
        given.setdefault("target_session_attrs", "read-write")
    query = urlencode(given, quote_via=quote)
    servers = (parts._replace(netloc=f"{user}{at}{host}", query=query) for host in hosts.split(","))
    return tuple(each.geturl() for each in servers)


def connect_seconds(url: str, at_most: float) -> float:
    """Return how long to wait for a server to connect: the service's own limit, or a shorter one.

    >>> connect_seconds("postgresql://h/n?connect_timeout=2", 3), connect_seconds("postgres://h", 3)
    (2.0, 3.0)
    """
    given = dict(parse_qsl(urlsplit(url).query))
    return min(float(given.get(_TIMEOUT, at_most)), float(at_most))
