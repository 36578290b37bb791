"""What each check of `majlis doctor` says of given facts."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from contract.visitor import NOW

from app.operations.cli.doctor import CHECKS, examine
from app.operations.doctor import (
    CertificateFacts,
    Facts,
    FolderFacts,
    HttpAnswer,
    Level,
    PublicFacts,
    ReceiverFacts,
    RedisFacts,
)
from app.platform.database.inspection import DatabaseState
from app.platform.database.metadata import NEWEST
from app.platform.keys import SharedKey
from app.settings import Settings

GIB = 1024**3
BASE = "https://www.example.com"
HEALTH = {"service": "majlis", "env": {"nodeEnv": "production", "port": 8000}}
FOLDER = FolderFacts(
    variable="INDEX_DIR",
    path=Path("var/index"),
    exists=True,
    readable=True,
    writable=True,
    may_create=True,
    owner=1000,
    device=1,
    free_bytes=10 * GIB,
    total_bytes=20 * GIB,
    free_files=900,
    total_files=1000,
)
HTML, MARKDOWN = (
    HttpAnswer(200, {"content-type": f"{kind}; charset=utf-8", "vary": "Accept-Encoding, Accept"})
    for kind in ("text/html", "text/markdown")
)
PUBLIC = PublicFacts(
    health=HttpAnswer(200, {"date": format_datetime(NOW)}, json.dumps(HEALTH), NOW),
    certificate=CertificateFacts(NOW + timedelta(days=60)),
    by_http=HttpAnswer(308, {"location": f"{BASE}/"}),
    robots=HttpAnswer(200, {}, f"User-agent: *\nSitemap: {BASE}/sitemap.xml\n"),
    pages=(HTML, MARKDOWN, HTML),
    hints={"SA": None, "KW": None},
)


KEY = SharedKey("LEADS_KEY_FILE", Path("var/leads.key"))
PREVIEW_KEY = SharedKey("PREVIEW_KEY_FILE", Path("var/preview.key"), needed=False)


def settings(**changed: Any) -> Settings:
    """Return settings of an installation behind a proxy."""
    values = {"base_url": BASE, "trusted_proxies": (ip_network("10.0.0.0/8"),), **changed}
    return Settings(_env_file=None, **values)


GOOD = Facts(
    settings=settings(),
    now=NOW,
    user=1000,
    similar_names={},
    open_files=[],
    folders=[replace(FOLDER, variable="CONTENT_DIR"), FOLDER],
    database=DatabaseState(revision=NEWEST, ahead_seconds=0.2, fingerprints={KEY.variable: "a1"}),
    keys=[(KEY, "a1"), (PREVIEW_KEY, None)],
    redis=RedisFacts(0.001),
    public=PUBLIC,
    receivers=[ReceiverFacts("ERP_WEBHOOK_URL", "erp.example.com")],
    peers=frozenset({"10.1.2.3"}),
)


def test_every_check_finds_a_good_installation_well() -> None:
    """Each says so, so that an operator sees what was checked; no remedy is needed."""
    findings = [*examine(GOOD)]
    assert {name for name, _ in findings} == set(CHECKS)
    assert {(finding.level, finding.remedy) for _, finding in findings} == {(Level.OK, "")}


def test_offline_only_the_machine_is_judged() -> None:
    """What was not asked is not mentioned."""
    facts = replace(GOOD, database=None, redis=None, public=None, receivers=[])
    names = [name for name, _ in examine(facts)]
    assert [*dict.fromkeys(names)] == ["settings", "folders", "disk", "proxies"]


def _changed(**changed: Any) -> Facts:
    return replace(GOOD, **changed)


def _set(**changed: Any) -> Facts:
    return replace(GOOD, settings=settings(**changed))


def _public(**changed: Any) -> Facts:
    return replace(GOOD, public=replace(PUBLIC, **changed))


def _folder(**changed: Any) -> Facts:
    return replace(GOOD, folders=[replace(FOLDER, **changed)])


def _dated(seconds: float, **headers: str) -> Facts:
    date = format_datetime(NOW + timedelta(seconds=seconds))
    return _public(health=replace(PUBLIC.health, headers={"date": date, **headers}))


OTHER = {**HEALTH, "env": {"nodeEnv": "staging", "port": 8000}}
POSTGRESQL = "postgresql://majlis@db/majlis"


@cases(
    ("check", "facts", "level", "words"),
    [
        pytest.param(
            "settings",
            replace(_set(base_url=""), public=None),
            "warning",
            "BASE_URL",
            id="no base URL",
        ),
        pytest.param("settings", _set(metrics_port=8000), "fault", "METRICS_PORT", id="one port"),
        pytest.param(
            "settings",
            _set(lead_retention_days=9, lead_anonymise_days=9),
            "warning",
            "LEAD_ANONYMISE_DAYS",
            id="deleted before anonymised",
        ),
        pytest.param(
            "settings",
            _set(erp_webhook_url="https://erp.example.com/x"),
            "warning",
            "ERP_WEBHOOK_SECRET",
            id="unsigned",
        ),
        pytest.param(
            "settings",
            _changed(similar_names={"LEADS_ORIGIN": "LEADS_ORIGINS"}),
            "warning",
            "Write LEADS_ORIGINS",
            id="misspelt",
        ),
        pytest.param(
            "folders",
            _folder(variable="CONTENT_DIR", readable=False),
            "fault",
            "chmod",
            id="content that cannot be read",
        ),
        pytest.param(
            "folders",
            _folder(variable="CONTENT_DIR", exists=False),
            "fault",
            "not a folder",
            id="no content",
        ),
        pytest.param(
            "folders", _folder(writable=False), "warning", "INDEX_DIR", id="index read-only"
        ),
        pytest.param(
            "folders",
            _folder(variable="DATABASE_URL", exists=False, may_create=False),
            "fault",
            "cannot be created",
            id="no folder of the database",
        ),
        pytest.param("folders", _changed(user=0), "warning", "sudo -u", id="run as root"),
        pytest.param("disk", _folder(free_bytes=10**7), "fault", "full", id="full disk"),
        pytest.param(
            "disk",
            _folder(free_bytes=GIB // 2),
            "warning",
            "512 MiB",
            id="nearly full disk",
        ),
        pytest.param("disk", _folder(free_files=9), "warning", "inodes", id="few inodes"),
        pytest.param(
            "database",
            _changed(database=DatabaseState(revision=NEWEST, connections=10)),
            "warning",
            "Lower DATABASE_POOL",
            id="too few connections",
        ),
        pytest.param(
            "settings",
            _changed(open_files=[("SMTP_URL_FILE", Path("smtp"))]),
            "warning",
            "chmod 400 smtp",
            id="a secret that all may read",
        ),
        pytest.param(
            "database",
            _changed(database=DatabaseState(problem="OSError: refused")),
            "fault",
            "refused",
            id="no database",
        ),
        pytest.param(
            "database",
            replace(_set(database_url=POSTGRESQL), database=DatabaseState(revision="0023")),
            "fault",
            "Run `majlis db upgrade`",
            id="old schema",
        ),
        pytest.param(
            "database",
            _changed(database=DatabaseState(revision="0022")),
            "fault",
            "Install release 1.0.0",
            id="schema before the release",
        ),
        pytest.param(
            "database",
            _changed(database=DatabaseState(revision="9999")),
            "fault",
            "newer version",
            id="new schema",
        ),
        pytest.param(
            "database",
            _changed(database=replace(GOOD.database, is_read_only=True)),  # type: ignore[type-var]
            "fault",
            "replica",
            id="replica",
        ),
        pytest.param(
            "database",
            _changed(keys=[(KEY, "b2")]),
            "fault",
            "majlis db accept-keys",
            id="another key than the others have",
        ),
        pytest.param(
            "database",
            _changed(keys=[(KEY, None)]),
            "fault",
            "does not exist",
            id="without a key that the others have",
        ),
        pytest.param(
            "database",
            _changed(
                database=replace(GOOD.database, fingerprints={"PREVIEW_KEY_FILE": "a1"}),  # type: ignore[type-var]
            ),
            "warning",
            "var/preview.key",
            id="without the key of previews",
        ),
        pytest.param(
            "redis", _changed(redis=RedisFacts(0.4)), "warning", "400 ms", id="slow Redis"
        ),
        pytest.param("clock", _dated(300), "fault", "300 seconds behind", id="slow clock"),
        pytest.param("clock", _dated(-10), "warning", "10 seconds ahead", id="fast clock"),
        pytest.param(
            "clock",
            _changed(database=DatabaseState(ahead_seconds=-90)),
            "fault",
            "database server's",
            id="clock of the database",
        ),
        pytest.param(
            "proxies", _set(trusted_proxies=()), "fault", "10.1.2.3", id="no trusted proxies"
        ),
        pytest.param(
            "proxies",
            _changed(peers=frozenset({"10.1.2.3", "192.0.2.7"})),
            "warning",
            "192.0.2.7",
            id="a stranger",
        ),
        pytest.param(
            "proxies",
            _public(hints={"SA": "SA", "KW": "KW"}),
            "warning",
            "CF-IPCountry is taken from clients, who can write what they like: SA, KW.",
            id="forged",
        ),
        pytest.param(
            "proxies",
            _public(hint="AE", hints={"SA": "AE", "AE": "AE", "KW": "KW"}),
            "warning",
            "like: KW.",
            id="one country is forged",
        ),
        pytest.param(
            "tls",
            _public(certificate=CertificateFacts(NOW + timedelta(days=5, hours=1))),
            "warning",
            "5 more days",
            id="expires soon",
        ),
        pytest.param(
            "tls",
            _public(certificate=CertificateFacts(problem="hostname mismatch")),
            "fault",
            "hostname mismatch",
            id="certificate of another name",
        ),
        pytest.param(
            "public address",
            _public(health=HttpAnswer(problem="ConnectError: refused")),
            "fault",
            "does not answer: ConnectError",
            id="no answer",
        ),
        pytest.param(
            "public address",
            _public(health=HttpAnswer(404, {}, "<h1>nginx</h1>")),
            "fault",
            "not a majlis",
            id="another server",
        ),
        pytest.param(
            "public address",
            _public(health=HttpAnswer(200, {}, json.dumps(OTHER))),
            "warning",
            "APP_ENV",
            id="another instance",
        ),
        pytest.param(
            "public address",
            _public(health=HttpAnswer(503, {}, json.dumps(HEALTH))),
            "fault",
            "no content",
            id="no content",
        ),
        pytest.param(
            "public address",
            replace(
                _set(base_url="http://a.example"),
                public=PublicFacts(replace(PUBLIC.health, headers={}), pages=PUBLIC.pages),
            ),
            "fault",
            "no TLS",
            id="no TLS",
        ),
        pytest.param(
            "public address",
            _public(by_http=HttpAnswer(200)),
            "fault",
            "without leading to https",
            id="no redirect",
        ),
        pytest.param(
            "public address",
            _public(robots=HttpAnswer(200, {}, "Sitemap: http://127.0.0.1:8000/sitemap.xml")),
            "fault",
            "another BASE_URL",
            id="links elsewhere",
        ),
        pytest.param(
            "public address",
            _public(pages=(HTML, HTML, HTML)),
            "fault",
            "get text/html, text/html, text/html",
            id="a cache without Accept",
        ),
        pytest.param(
            "public address",
            _public(
                pages=(HTML, replace(MARKDOWN, headers={"content-type": "text/markdown"}), HTML)
            ),
            "fault",
            "Vary",
            id="no Vary",
        ),
        pytest.param(
            "receivers",
            _changed(receivers=[ReceiverFacts("ERP_WEBHOOK_URL", "no.example", "unknown")]),
            "fault",
            "no.example",
            id="unknown receiver",
        ),
    ],
)
def test_what_is_wrong_is_found_with_its_remedy(
    check: str, facts: Facts, level: str, words: str
) -> None:
    """By this check, at this level; all other checks find nothing that is worse."""
    wrong = [each for each in examine(facts) if each[1].level is not Level.OK]
    [found] = [finding for name, finding in wrong if name == check]
    assert found.level == level
    assert level == Level.FAULT or {each.level for _, each in wrong} == {Level.WARNING}
    assert words in f"{found.message} {found.remedy}"
    assert found.remedy


def test_a_date_that_a_cache_kept_tells_nothing_of_the_clock() -> None:
    """`Age` shows that it was kept."""
    facts = replace(_dated(-3600, age="3600"), database=None)
    assert "clock" not in [name for name, _ in examine(facts)]
