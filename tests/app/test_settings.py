"""Settings: their sources, and errors that name invalid variables."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest

from app.features.leads.settings import LeadSettings
from app.features.orders.settings import PartnerSettings
from app.platform.secret_files import secret_variables
from app.platform.settings import SAMPLE_CONTENT
from app.settings import Settings, SettingsError, load_settings
from knowledge.fields.json_schemas import field_docstrings


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove all variables of the service, and run in a folder without `.env`."""
    for name in (*map(str.upper, Settings.model_fields), *secret_variables(Settings).values()):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_without_any_variable_the_sample_is_served_on_port_8000() -> None:
    """The service starts without configuration."""
    settings = load_settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.public_url == "http://127.0.0.1:8000"
    assert settings.content_dir == SAMPLE_CONTENT
    assert settings.country_header == "CF-IPCountry"
    assert settings.trusted_proxies == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("PORT", "http", id="port in words"),
        pytest.param("PORT", "65536", id="port too high"),
        pytest.param("PORT", "-1", id="port below zero"),
        pytest.param("PORT", "80.5", id="port in halves"),
        pytest.param("BASE_URL", "www.example.com", id="base URL without scheme"),
        pytest.param("BASE_URL", "ftp://example.com", id="base URL of another scheme"),
        pytest.param("BASE_URL", "https://", id="base URL without host"),
        pytest.param("BASE_URL", "/shop", id="base URL as a path"),
        pytest.param("TRUSTED_PROXIES", "proxy.local", id="proxy by name"),
        pytest.param("TRUSTED_PROXIES", "10.0.0.0/33", id="no such network"),
        pytest.param("TRUSTED_PROXIES", "10.0.0.0/8, *", id="one wrong of two"),
        pytest.param("BASE_URL", "https://a.example:65536", id="base URL with no such port"),
        pytest.param("BASE_URL", "https://a b.example", id="base URL with a blank"),
        pytest.param("BASE_URL", "https://a.example/shop", id="base URL with a path"),
        pytest.param("BASE_URL", "https://a.example//", id="base URL with an empty path"),
        pytest.param("BASE_URL", "https://a.example/?", id="base URL with a query"),
        pytest.param("BASE_URL", "https://a.example?x=1", id="base URL with a query alone"),
        pytest.param("BASE_URL", "https://a.example/#top", id="base URL with a fragment"),
        pytest.param("HOST", ",", id="no address to listen on"),
        pytest.param("LEAD_RETENTION_DAYS", "36501", id="more than a hundred years"),
        pytest.param("CONTENT_SIGNAL", "ai-train=نعم", id="a header that is not ASCII"),
        pytest.param("MCP", "perhaps", id="neither on nor off"),
        pytest.param("INDEXNOW_KEY", "7-chars", id="short key of IndexNow"),
        pytest.param("INDEXNOW_KEY", "k" * 129, id="long key of IndexNow"),
        pytest.param("INDEXNOW_KEY", "0123456789_", id="key of IndexNow with a line"),
        pytest.param("INDEXNOW_KEY", "llms-full", id="key of IndexNow that is a file"),
        pytest.param("INDEXNOW_URL", "api.indexnow.org", id="IndexNow without a scheme"),
        pytest.param("MCP_ORIGINS", "https://a.example/app", id="origin with a path"),
        pytest.param("LOG_LEVEL", "LOUD", id="log level"),
    ],
)
def test_a_wrong_value_stops_the_start_with_the_name_of_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The value is in the message, so that the operator can find where it is set."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert name in str(caught.value)
    assert value in str(caught.value)


SECRET = "top-secret"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("DATABASE_URL", f"mysql://u:{SECRET}@h/d", id="another database"),
        pytest.param("DATABASE_URL", f"{SECRET}.db", id="a file without scheme"),
        pytest.param("DATABASE_URL", f"sqlite:///:memory:?{SECRET}", id="a database in memory"),
        pytest.param("REDIS_URL", f"http://:{SECRET}@h:6379", id="no Redis"),
        pytest.param("BASE_URL", f"https://me:{SECRET}@a.example", id="a base URL with a password"),
        pytest.param("INDEXNOW_URL", f"https://me:{SECRET}@a b.example", id="another URL with one"),
    ],
)
def test_a_wrong_secret_is_named_but_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """It may contain a password."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert name in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        pytest.param("channel_binding=require", "channel_binding", id="libpq's own"),
        pytest.param("keepalives_idle=9&sslmode=require", "keepalives_idle", id="one of two"),
        pytest.param("sslmod=require", "sslmod", id="misspelt"),
        pytest.param("statement_timeout=5000", "options=-c%20", id="a setting of the server"),
        pytest.param("connect_timeout=soon", "connect_timeout", id="no number"),
        pytest.param("connect_timeout=0", "connect_timeout", id="for ever"),
        pytest.param("sslmode", "?name=value", id="without a value"),
    ],
)
def test_a_parameter_of_the_database_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, query: str, told: str
) -> None:
    """The driver would send it to the server, which then accepts no connection."""
    monkeypatch.setenv("DATABASE_URL", f"postgresql://u:{SECRET}@h/d?{query}")
    with pytest.raises(SettingsError, match=r"^DATABASE_URL: ") as caught:
        load_settings()
    assert told in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("scheme", "rest", "told"),
    [
        pytest.param("redis", "h:6379/0?foo=1", "foo", id="no parameter"),
        pytest.param("redis", "h:6379/0?socket_timeout=soon", "socket_timeout", id="no number"),
        pytest.param("redis", "h:99999/0", "host:port", id="no port"),
        pytest.param("redis+sentinel", "h:1,h:2/name/0?foo=1", "foo", id="one of Sentinels"),
        pytest.param(
            "rediss+sentinel",
            "h:1,h:2",
            "redis+sentinel://host,host/name",
            id="no name of a primary",
        ),
        pytest.param("valkey+cluster", "h:1,h:2/0?foo=1", "foo", id="one of a cluster"),
    ],
)
def test_what_the_client_of_redis_would_not_take_is_refused(
    monkeypatch: pytest.MonkeyPatch, scheme: str, rest: str, told: str
) -> None:
    """Each request would end with an error."""
    monkeypatch.setenv("REDIS_URL", f"{scheme}://:{SECRET}@{rest}")
    with pytest.raises(SettingsError, match=r"^REDIS_URL: ") as caught:
        load_settings()
    assert told in str(caught.value)
    assert SECRET not in str(caught.value)


def test_secrets_are_not_in_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of the settings does not disclose passwords."""
    monkeypatch.setenv("DATABASE_URL", f"postgresql://u:{SECRET}@h/d")
    monkeypatch.setenv("REDIS_URL", f"redis://:{SECRET}@h/0")
    assert SECRET not in repr(load_settings()) + str(load_settings())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("CONTENT_SIGNAL", "ai-train=no\n", id="line feed"),
        pytest.param("CONTENT_SIGNAL", "ai-train=no\rX: 1", id="carriage return"),
        pytest.param("CONTENT_SIGNAL", "ai-train\x7f=no", id="delete"),
        pytest.param("BASE_URL", "https://a.example\nX: 1", id="line feed in a URL"),
        pytest.param("ERP_WEBHOOK_URL", "https://a.example/\tx", id="tab in a URL"),
    ],
)
def test_control_characters_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """They would end the header that contains the value."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=f"^{name}: "):
        load_settings()


def test_the_longest_retention_has_a_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cutoff must be a valid date."""
    monkeypatch.setenv("LEAD_RETENTION_DAYS", "36500")
    days = load_settings().of(LeadSettings).lead_retention_days
    assert days is not None
    assert datetime(2026, 1, 1, tzinfo=UTC) - timedelta(days=days) > datetime.min.replace(
        tzinfo=UTC
    )


@pytest.mark.parametrize("days", ["0", "-1", "x"])
def test_leads_are_kept_for_whole_days_or_for_ever(
    monkeypatch: pytest.MonkeyPatch, days: str
) -> None:
    """For ever without the variable; zero would delete new leads at once."""
    assert load_settings().of(LeadSettings).lead_retention_days is None
    monkeypatch.setenv("LEAD_RETENTION_DAYS", days)
    with pytest.raises(SettingsError, match="LEAD_RETENTION_DAYS"):
        load_settings()


def test_every_wrong_variable_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One start reports all mistakes."""
    wrong = {"PORT": "x", "BASE_URL": "x", "TRUSTED_PROXIES": "x", "LOG_LEVEL": "x"}
    for name, value in wrong.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert [name for name in wrong if name not in str(caught.value)] == []


def test_the_dot_env_file_is_read_from_the_working_folder(tmp_path: Path) -> None:
    """It may have comments, quotes, and variables of other programs."""
    (tmp_path / ".env").write_text('# ours\nPORT=8123\nAPP_ENV="staging"\nOTHER_PROGRAM=1\n')
    settings = load_settings()
    assert (settings.port, settings.app_env) == (8123, "staging")


def test_the_environment_wins_over_the_dot_env_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Arguments of the command line take precedence over both."""
    (tmp_path / ".env").write_text("PORT=8123\n")
    monkeypatch.setenv("PORT", "8124")
    assert load_settings().port == 8124
    assert load_settings(port=8125).port == 8125


def test_a_wrong_value_in_the_dot_env_file_is_named_too(tmp_path: Path) -> None:
    """The same validation applies."""
    (tmp_path / ".env").write_text("PORT=http\n")
    with pytest.raises(SettingsError, match="PORT"):
        load_settings()


@pytest.mark.parametrize(
    "name", ["PORT", "BASE_URL", "TRUSTED_PROXIES", "LOG_LEVEL", "CONTENT_DIR"]
)
def test_an_empty_variable_is_an_absent_one(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Compose files pass on empty variables."""
    plain = load_settings()
    monkeypatch.setenv(name, "")
    assert load_settings() == plain


@pytest.mark.parametrize(
    ("given", "url"),
    [
        pytest.param({}, "http://127.0.0.1:8000", id="from host and port"),
        pytest.param({"PORT": "80"}, "http://127.0.0.1:80", id="port 80"),
        pytest.param({"HOST": "::1"}, "http://[::1]:8000", id="IPv6 in brackets"),
        pytest.param({"BASE_URL": "https://a.example"}, "https://a.example", id="as written"),
        pytest.param(
            {"BASE_URL": "https://a.example/"}, "https://a.example", id="without the slash"
        ),
        pytest.param({"HOST": "::, 127.0.0.1"}, "http://[::]:8000", id="of the first address"),
        pytest.param(
            {"BASE_URL": "http://a.example:8080", "PORT": "9"},
            "http://a.example:8080",
            id="own port",
        ),
    ],
)
def test_the_public_url_is_base_url_without_a_slash_at_its_end(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], url: str
) -> None:
    """The default is the address of the listener."""
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert load_settings().public_url == url


def test_proxies_are_addresses_and_networks_split_at_commas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A single address is a network too; host bits are ignored."""
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.1/8, 192.0.2.7 ,2001:db8::/32,")
    assert load_settings().trusted_proxies == (
        ip_network("10.0.0.0/8"),
        ip_network("192.0.2.7/32"),
        ip_network("2001:db8::/32"),
    )


@pytest.mark.parametrize("written", ["debug", "Debug", "DEBUG"])
def test_the_log_level_is_accepted_in_any_case(
    monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    """The name that logging has is kept."""
    monkeypatch.setenv("LOG_LEVEL", written)
    assert load_settings().log_level == "DEBUG"


def test_variables_are_read_when_asked_for_not_at_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a test or a command may set them first."""
    before = load_settings().port
    monkeypatch.setenv("PORT", str(before + 1))
    assert load_settings().port == before + 1


def test_every_setting_says_what_it_is_for() -> None:
    """In the docstring below it, which `majlis settings` prints."""
    assert Settings.model_fields.keys() <= field_docstrings(Settings).keys()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        pytest.param("ERP_WEBHOOK_URL", "ftp://x", "use an absolute URL", id="url"),
        pytest.param("ERP_WEBHOOK_URL", "https:///path", "use an absolute URL", id="no host"),
        pytest.param("ERP_WEBHOOK_URL", "https://x:65536/", "a port up to 65535", id="port"),
        pytest.param("ERP_WEBHOOK_URL", "https://x:0/", "a port up to 65535", id="port 0"),
        pytest.param("ERP_WEBHOOK_URL", "https://[x/", "use an absolute URL", id="bracket"),
        pytest.param("ERP_WEBHOOK_SECRET", "hunter2", "use whsec_ and base64", id="secret"),
        pytest.param(
            "CHANGES_WEBHOOK_URL", "https://a/, b", "use absolute URLs", id="one URL of two"
        ),
        pytest.param(
            "CHANGES_WEBHOOK_URL", "https://a/?x,https://a/?y", "each URL once", id="twice"
        ),
        pytest.param("CHANGES_WEBHOOK_SECRET", "hunter3", "use whsec_ and base64", id="of changes"),
        pytest.param("LEADS_WEBHOOK_URL", "ftp://x", "use an absolute URL", id="of leads"),
        pytest.param(
            "LEADS_WEBHOOK_SECRET", "hunter4", "use whsec_ and base64", id="leads' secret"
        ),
        pytest.param(
            "SMTP_URL", "http://mail.example", "use smtps://user:password@host", id="smtp"
        ),
        pytest.param("SMTP_URL", "smtp://mail.example:99999", "use smtps://", id="smtp port"),
        pytest.param("SMTP_URL", "smtp://user@mail.example", "both user and password", id="half"),
        pytest.param("SMTP_URL", "smtps://mail.example/inbox", "only be ?tls=off", id="smtp path"),
        pytest.param("SMTP_URL", "smtps://mail.example?tls=off", "smtps:// is TLS", id="smtps"),
        pytest.param(
            "SMTP_URL", "smtp://a:hunter5@mail.example?tls=off", "a password needs TLS", id="plain"
        ),
        pytest.param("ERP_PULL_API_TOKEN", "two words", "without spaces", id="token"),
        pytest.param("ERP_PULL_API_TOKEN", "15-characters-x", "at least 16", id="short token"),
        pytest.param("ERP_PULL_API_TOKEN", f"{'a' * 16}, x", "openssl rand", id="one of two"),
        pytest.param("ERP_PULL_API_TOKEN", "tokén", "of ASCII letters", id="letters"),
    ],
)
def test_a_secret_that_cannot_be_used_is_named_but_its_value_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, expected: str
) -> None:
    """The message ends up in logs."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert name in str(error.value)
    assert expected in str(error.value)
    assert value not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        pytest.param("LEADS_EMAIL_TO", "sales@a.example", "set SMTP_URL too", id="no server"),
        pytest.param("LEADS_EMAIL_TO", "sales", "use addresses such as", id="no address"),
        pytest.param("LEADS_EMAIL_TO", "نور@a.example", "of ASCII characters", id="Arabic"),
        pytest.param("LEADS_EMAIL_TO", "a@b.test,A@b.test", "each address once", id="twice"),
        pytest.param("LEADS_EMAIL_FROM", "a@b.test,c@b.test", "use one address", id="senders"),
        pytest.param("LEADS_EMAIL_LANGUAGE", "fr", "one of en, ar or page", id="language"),
        pytest.param("LEADS_MAPPING", "crm.yaml", "set LEADS_WEBHOOK_URL too", id="mapping"),
        pytest.param("LEADS_PROOF", "turnstile", "set TURNSTILE_SITE_KEY and", id="turnstile"),
        pytest.param(
            "LEADS_PROOF", "captcha", "one of off, altcha or turnstile", id="another proof"
        ),
    ],
)
def test_what_tells_of_leads_is_complete(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, expected: str
) -> None:
    """A variable that needs another one says so."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as error:
        load_settings()
    assert expected in str(error.value)


def test_secrets_are_not_shown_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The `repr` does not contain them."""
    tokens = ("first-of-two-tokens", "second-of-two-tokens")
    monkeypatch.setenv("ERP_PULL_API_TOKEN", ", ".join(tokens) + ",")
    monkeypatch.setenv("ERP_WEBHOOK_SECRET", "whsec_c2VjcmV0")
    monkeypatch.setenv("ERP_WEBHOOK_URL", "https://erp.example/hook?key=third")
    settings = load_settings()
    assert settings.of(PartnerSettings).partner_tokens == tokens
    assert [word for word in (*tokens, "c2VjcmV0", "third") if word in repr(settings)] == []


def test_settings_are_read_without_the_modules_that_read_content() -> None:
    """Their import would take three times as long as all other modules of the settings."""
    spared = {"knowledge.snapshot.snapshot", "knowledge.fields.front_matter", "httpx"}
    program = f"import sys, app.settings; print(sorted({spared!r} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_a_secret_may_be_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Any of them, in the environment or in `.env`; the file may end with a line break."""
    (tmp_path / "token").write_text("0123456789abcdef\n")
    (tmp_path / "url").write_text(f"postgresql://u:{SECRET}@h/d")
    (tmp_path / ".env").write_text(f"ERP_PULL_API_TOKEN_FILE={tmp_path}/token\nPORT=1\n")
    monkeypatch.setenv("DATABASE_URL_FILE", f"{tmp_path}/url")
    settings = load_settings()
    assert settings.of(PartnerSettings).partner_tokens == ("0123456789abcdef",)
    assert (settings.database_url, settings.port) == (f"postgresql://u:{SECRET}@h/d", 1)


def test_every_secret_has_a_file_and_no_other_value() -> None:
    """What is not shown with the settings; the name of its file is that of no other setting."""
    files = secret_variables(Settings)
    assert {"DATABASE_URL", "REDIS_URL", "SMTP_URL", "ERP_WEBHOOK_SECRET"} <= files.keys()
    assert {"PORT", "LEADS_KEY_FILE"}.isdisjoint(files)
    assert {*files.values()}.isdisjoint(name.upper() for name in Settings.model_fields)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(None, "REDIS_URL_FILE: secret cannot be read: No such file", id="missing"),
        pytest.param(b" \n", "REDIS_URL_FILE: secret is empty", id="empty"),
        pytest.param(b"\xff", "REDIS_URL_FILE: secret cannot be read", id="binary"),
        pytest.param(b"top-secret", "REDIS_URL: use redis://", id="a wrong value"),
    ],
)
def test_a_file_without_a_usable_secret_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None, told: str
) -> None:
    """The message names variable and file, never the secret."""
    if content is not None:
        (tmp_path / "secret").write_bytes(content)
    monkeypatch.setenv("REDIS_URL_FILE", "secret")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert told in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_secret_and_its_file_contradict_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of both is meant cannot be known."""
    monkeypatch.setenv("SMTP_URL", "smtp://h")
    monkeypatch.setenv("SMTP_URL_FILE", "secret")
    with pytest.raises(SettingsError, match="SMTP_URL and SMTP_URL_FILE are both set"):
        load_settings()
