"""`majlis doctor` on a service that runs, and on one that cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_majlis
from live.nginx import Nginx, cached
from live.permissions import start_under_permissions
from live.server import Server, majlis

pytestmark = pytest.mark.slow

SECRETS = {
    "ERP_PULL_API_TOKEN": "top-secret-0123456789",
    "ERP_WEBHOOK_URL": "http://user:top-secret@erp.invalid/top-secret",
    "REDIS_URL": "redis://:top-secret@127.0.0.1:1/0",
    "DATABASE_URL": "postgresql://majlis:top-secret@127.0.0.1:1/majlis",
}


def test_a_service_that_runs_has_no_fault(server: Server, tmp_path: Path) -> None:
    """Its address reaches it, links start with it, and markdown comes by Accept."""
    variables = {
        "PORT": str(server.port),
        "CONTENT_DIR": str(server.content),
        "TRUSTED_PROXIES": "127.0.0.0/8",
        "DATABASE_URL": f"sqlite:///{server.log.parent}/var/majlis.db",
    }
    done = run_majlis("doctor", "--json", folder=tmp_path, variables=variables)
    told = json.loads(done.stdout)
    assert (done.returncode, told["ok"]) == (0, True), done.stdout
    messages = [each["message"] for each in told["findings"] if each["check"] == "public address"]
    assert messages == [
        f"{server.url} reaches this service.",
        "Pages come as HTML and as markdown by Accept, with Vary.",
    ]
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        pytest.param("", "", "Clients cannot set CF-IPCountry.", id="as printed"),
        pytest.param(
            "$majlis_country_header;\n    proxy_connect",
            "$http_cf_ipcountry;\n    proxy_connect",
            "CF-IPCountry is taken from clients, who can write what they like: "
            "AE, SA, QA, OM, KW, BH.",
            id="passed on",
        ),
        pytest.param(
            "$majlis_country_header;\n    proxy_connect",
            "$forged;\n    proxy_connect",
            "CF-IPCountry is taken from clients, who can write what they like: KW.",
            id="passed on if it is a certain one",
        ),
        pytest.param(
            "$majlis_country_header;\n    proxy_connect",
            "KW;\n    proxy_connect",
            "The proxy sets CF-IPCountry, whatever clients send.",
            id="always the same",
        ),
    ],
)
def test_every_country_of_the_site_is_forged(
    server: Server, tmp_path: Path, before: str, after: str, told: str
) -> None:
    """Through a real nginx, in its printed configuration and in others."""
    forged = "map $http_cf_ipcountry $forged { default AE; KW KW; }\n"
    text = forged + cached(server, country_from=()).replace(before or "-", after or "-")
    with Nginx(text, tmp_path / "nginx") as proxy:
        variables = {"BASE_URL": proxy.url, "TRUSTED_PROXIES": "127.0.0.0/8"}
        done = run_majlis("doctor", "--json", folder=tmp_path, variables=variables)
    messages = [each["message"] for each in json.loads(done.stdout)["findings"]]
    assert [each for each in messages if "CF-IPCountry" in each] == [told]


def test_faults_are_told_with_their_remedies_and_without_secrets(tmp_path: Path) -> None:
    """In two lines each; the exit status is 1."""
    done = run_majlis("doctor", folder=tmp_path, variables=SECRETS | {"PORT": "1"})
    assert done.returncode == 1
    assert "top-secret" not in done.stdout + done.stderr
    lines = done.stdout.splitlines()
    for check in ("database", "redis", "public address", "receivers"):
        [at] = [n for n, line in enumerate(lines) if line.startswith(f"fault    {check}: ")]
        assert lines[at + 1].startswith("         → ")
    assert lines[-1] == "4 faults, 2 warnings."


def test_invalid_settings_are_the_only_finding(tmp_path: Path) -> None:
    """The variable is named, its secret value is not."""
    variables = {"REDIS_URL": "http://:top-secret@h"}
    done = run_majlis("doctor", "--json", "--offline", folder=tmp_path, variables=variables)
    [found] = json.loads(done.stdout)["findings"]
    assert (done.returncode, found["check"], found["level"]) == (1, "settings", "fault")
    assert "REDIS_URL" in found["message"]
    assert "top-secret" not in done.stdout


def test_a_folder_without_rights_is_a_fault(tmp_path: Path) -> None:
    """For the user who runs the command; it writes nothing to find that out."""
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    variables = {"DATABASE_URL": f"sqlite:///{locked}/majlis.db", "INDEX_DIR": str(locked / "x")}
    done = start_under_permissions(
        lambda: majlis("doctor", "--offline", "--json", folder=tmp_path, variables=variables)
    )
    told = {each["message"]: each["level"] for each in json.loads(done.stdout)["findings"]}
    assert done.returncode == 1
    assert told[f"DATABASE_URL: {locked} cannot be written."] == "fault"
    missing = f"INDEX_DIR: {locked / 'x'} does not exist, and cannot be created."
    assert told[missing] == "warning"
    assert [path.name for path in tmp_path.iterdir()] == ["locked"]


def test_a_folder_that_cannot_be_seen_is_a_finding(tmp_path: Path) -> None:
    """As one below `/var/log/private` is for other users than that of the service."""
    logs = tmp_path / "private" / "logs"
    logs.mkdir(parents=True)
    logs.parent.chmod(0)
    settings = {"ACCESS_LOG": "json", "ACCESS_LOG_FILE": f"{logs}/access.log"}
    done = start_under_permissions(
        lambda: majlis("doctor", "--json", "--offline", folder=tmp_path, variables=settings)
    )
    logs.parent.chmod(0o700)
    assert done.stderr == ""
    found = [each for each in json.loads(done.stdout)["findings"] if str(logs) in each["message"]]
    assert [each["level"] for each in found] == ["warning"]
