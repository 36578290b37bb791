"""Fixtures shared by all tests."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pytest
import pytest_asyncio
from _pytest.doctest import DoctestModule
from contract.visitor import SAMPLE_FOLDER, FakeClock, Visitor
from gulf import places, write_site
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir
from live.server import Way
from live.tools import REQUIRED
from stores.migrated import migrated_sqlite
from stores.postgresql import PostgreSQL
from stores.redis import Redis

from app.platform.database.database import Database
from app.tables import all_tables
from knowledge.documents.content_path import parse_content_path
from knowledge.documents.document import Document, parse_document
from knowledge.documents.files import SourceFile
from knowledge.fields.front_matter import Fields, adapter
from knowledge.locales.locale import Country, Language, Locale
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView

# A folder `.hypothesis` at the root would be collected, as norecursedirs names other folders.
set_hypothesis_home_dir(Path(__file__).parents[1] / ".pytest_cache" / "hypothesis")

# Run in environments of their own: by Schemathesis, and with SDKs of MCP.
collect_ignore = ["live/schemathesis_hooks.py", "clients/programs"]

# Examples have no deadline. `make fuzz` uses the other profile; slow tests run a fraction of its
# examples, see `examples`.
settings.register_profile("suite", deadline=None)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "10000")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("suite")

_SLOW = ("pytest.mark.slow", "pytest.mark.any_server")
"""What the text of each file with slow tests has."""
_ALL_SLOW = re.compile(r"^pytestmark = (?:\[)?pytest\.mark\.slow", re.MULTILINE)
"""What a file has of which all tests are slow."""

_DESCRIPTORS = Path("/dev/fd")
_MAX_DESCRIPTORS = 800
"""Clients that wait with `select` cannot use numbers from 1,024 on."""


def pytest_configure(config: pytest.Config) -> None:
    """Give the processes of the run a folder for what is made of the sample content once."""
    if SAMPLE_FOLDER not in os.environ:
        folder = TemporaryDirectory(prefix="majlis-sample-")
        os.environ[SAMPLE_FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)
    config.pluginmanager.register(FewerDoctests())


class FewerDoctests:
    """Collects doctests of files that have some: to look for them takes seconds in each process.

    It is a plugin of its own, as this file concerns no file outside its folder.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Leave out the doctests of a Python file without any."""
        collectors = yield
        if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
            return collectors
        return [each for each in collectors if not isinstance(each, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collections of garbage, which is seldom among what they consist of."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processors plus one, as many tests wait for other processes."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest files first, so that no processor waits for them at the end.

    Raises UsageError if a file with slow tests does not name the mark, by which it is found.
    """
    for path in {item.path for item in items if item.get_closest_marker("slow")}:
        if not _has_slow_tests(path):
            raise pytest.UsageError(f"{path} has slow tests: write {_SLOW[0]} in this file.")
    longest = {
        item.path
        for item in items
        if item.get_closest_marker("slow") and item.get_closest_marker("load")
    }
    items.sort(key=lambda item: item.path not in longest)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without slow tests in a run of these, and files of these alone in the other.

    Each process would import them all, and the other runs without the packages of slow tests.
    """
    if collection_path.suffix != ".py" or config.option.markexpr not in ("slow", "not slow"):
        return None
    if config.option.markexpr == "slow":
        return not _has_slow_tests(collection_path) or None
    return _ALL_SLOW.search(collection_path.read_text(encoding="utf-8")) is not None or None


def _has_slow_tests(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    return any(mark in text for mark in _SLOW)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of what any server does also with stock Hypercorn, among the slow ones."""
    if metafunc.definition.get_closest_marker("any_server") is not None:
        others = (Way.STOCK, Way.HYPERCORN)
        ways = [Way.FRONT, *(pytest.param(way, marks=pytest.mark.slow) for way in others)]
        metafunc.parametrize(
            "server", ways, indirect=True, scope="session", ids=lambda way: way.name
        )


@pytest.fixture(autouse=True)
def few_descriptors() -> Iterator[None]:
    """Free applications that earlier tests have frozen, with the files of their indexes.

    `app.platform.memory` keeps what lives as long as a service from collections.
    """
    yield
    if len(list(_DESCRIPTORS.iterdir())) > _MAX_DESCRIPTORS:
        gc.unfreeze()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn every skipped test into a failure if all services are required."""
    report = yield
    if report.skipped and os.environ.get(REQUIRED):
        report.outcome = "failed"
        report.longrepr = f"Skipped although {REQUIRED} is set: {report.longrepr}"
    return report


def examples(times: float) -> int:
    """Return the number of examples for a test that is faster or slower than others."""
    return round(times * settings().max_examples)


NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
BASE_URL = "https://wahat.test"

Visit = Callable[..., Visitor]
"""Starts an application with these content files by path; keywords are settings.

The site has the countries of the sample, except with `countries=False`.
"""


@pytest.fixture(scope="session")
def sample() -> Iterator[Visitor]:
    """An application with the sample content, shared by all tests; do not move its clock."""
    with Visitor() as visitor:
        yield visitor


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the applications that `visit` starts."""
    return FakeClock()


@pytest.fixture
def visit(tmp_path: Path, clock: FakeClock) -> Iterator[Visit]:
    """Starts applications with test content, and stops them at the end of the test."""
    with ExitStack() as started:

        def start(
            files: Mapping[str, str | bytes], countries: bool = True, **settings: object
        ) -> Visitor:
            folder = write_site(tmp_path / "content", files, countries)
            return started.enter_context(Visitor(clock, content_dir=folder, **settings))

        yield start


@pytest.fixture(scope="module")
def shared_visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """Starts applications for tests that only read: equal ones are one for all tests of a file.

    Such tests move no clock and change no file. Those that store leads begin with `forget_leads`.
    """
    running: dict[str, Visitor] = {}
    with ExitStack() as started:

        def start(
            files: Mapping[str, str | bytes], countries: bool = True, **settings: object
        ) -> Visitor:
            key = repr((sorted(files.items()), countries, sorted(settings.items())))
            if key not in running:
                folder = write_site(tmp_path_factory.mktemp("content"), files, countries)
                visitor = Visitor(None, content_dir=folder, **settings)
                running[key] = started.enter_context(visitor)
            return running[key]

        yield start


# Real servers, one of each for all tests, started by the first test that needs it.


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server; a test that stops it must start it again."""
    with PostgreSQL() as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A Redis server; a test that stops it must start it again."""
    with Redis() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_server(request: pytest.FixtureRequest) -> PostgreSQL | None:
    """The server of the database, None for SQLite; runs the test on SQLite and on PostgreSQL."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgresql")


@pytest.fixture
def database_url(database_server: PostgreSQL | None, tmp_path: Path) -> str:
    """The URL of a new, empty database."""
    if database_server is None:
        return f"sqlite:///{tmp_path}/majlis.db"
    return database_server.new_database()


@pytest.fixture
def migrated_url(database_server: PostgreSQL | None, tmp_path: Path) -> str:
    """The URL of a new database, which has the current schema already."""
    if database_server is None:
        return migrated_sqlite(tmp_path / "majlis.db")
    return database_server.migrated_database()


@pytest_asyncio.fixture
async def database(migrated_url: str) -> AsyncIterator[Database]:
    """A database with the current schema, on SQLite and on PostgreSQL."""
    async with Database(migrated_url, tables=all_tables) as opened:
        await opened.upgrade()
        yield opened


# Content trees without an application.


class Content(Protocol):
    """Writes files by path relative to the content folder, and returns the folder."""

    def __call__(self, files: Mapping[str, str | bytes], countries: bool = True) -> Path:
        """Return the folder with these files, and with the countries of the sample."""
        ...


class ViewOf(Protocol):
    """Writes files and returns their view for a locale such as `sa/ar` at NOW."""

    def __call__(
        self, files: Mapping[str, str | bytes], locale: str = "ae/en", countries: bool = True
    ) -> ContentView:
        """Return the view of these files, and of the countries of the sample."""
        ...


def locale_of(text: str) -> Locale:
    """Return the locale of a short form such as `sa/ar`."""
    country, _, language = text.rpartition("/")
    return Locale(Country(country.upper()) if country else None, Language(language))


def document_of(path: str, text: str, cities: Mapping[str, Country] | None = None) -> Document:
    """Parse a document from a path and a text."""
    name = parse_content_path(path, places(cities))
    assert name is not None
    return parse_document(SourceFile(path, text), name)[0]


def set_values(fields: Fields) -> dict[str, Any]:
    """Return the front matter values that are set, by field name."""
    values: dict[str, Any] = adapter(type(fields)).dump_python(
        fields, by_alias=False, exclude_none=True
    )
    return values


@pytest.fixture
def content(tmp_path: Path) -> Content:
    """A content folder under tmp_path; later calls add to it."""
    return lambda files, countries=True: write_site(tmp_path / "content", files, countries)


@pytest.fixture
def view_of(content: Content) -> ViewOf:
    """A view of files written for the test."""

    def view(
        files: Mapping[str, str | bytes], locale: str = "ae/en", countries: bool = True
    ) -> ContentView:
        snapshot = load_content(content(files, countries)).snapshot
        return ContentView(snapshot, locale_of(locale), NOW, BASE_URL)

    return view
