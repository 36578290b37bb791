"""`majlis nginx`: the configuration that it prints, and its options."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_majlis

TWO = ("--upstream", "10.0.0.7:8000", "--upstream", "10.0.0.8:8000")


def printed(*options: str, folder: Path, **variables: str) -> str:
    """Return what `majlis nginx` prints."""
    done = run_majlis("nginx", *options, folder=folder, variables=variables)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_options_are_in_the_configuration(tmp_path: Path) -> None:
    """Each where it belongs."""
    options = {
        "--server-name": "www.example.com",
        "--listen": "127.0.0.1:81",
        "--cache-path": "/dev/shm/majlis",  # noqa: S108
        "--cache-size": "64m",
        "--renewal-port": "8999",
    }
    words = [word for option in options.items() for word in option]
    text = printed(*TWO, *words, folder=tmp_path)
    for expected in (
        "    server 10.0.0.7:8000 max_fails=1 fail_timeout=5s;\n",
        "    server 10.0.0.8:8000 max_fails=1 fail_timeout=5s;\n",
        "    server_name www.example.com;\n",
        "    listen 127.0.0.1:81;\n",
        "proxy_cache_path /dev/shm/majlis ",
        " max_size=64m ",
        "    listen 127.0.0.1:8999;\n",
    ):
        assert expected in text


def test_the_country_is_read_from_its_header(tmp_path: Path) -> None:
    """That of COUNTRY_HEADER, as HTML may depend on it."""
    text = printed(folder=tmp_path, COUNTRY_HEADER="X-Country-Code")
    assert "    1 $http_x_country_code;\n" in text
    assert "    proxy_set_header X-Country-Code $majlis_country_header;\n" in text


def test_the_country_is_taken_from_nobody_unless_told_who_sets_it(tmp_path: Path) -> None:
    """Clients can write the header as well."""
    unsaid = printed(folder=tmp_path).partition("geo ")[2].partition("}")[0]
    assert unsaid.splitlines()[1:] == ["    default 0;"]
    options = ("--country-from", "173.245.48.0/20", "--country-from", "2400:cb00::/32")
    told = printed(*options, folder=tmp_path)
    assert "    default 0;\n    173.245.48.0/20 1;\n    2400:cb00::/32 1;\n}\n" in told
    done = run_majlis("nginx", "--country-from", "cloudflare", folder=tmp_path)
    assert done.returncode == 2
    assert "--country-from" in done.stderr


@pytest.mark.parametrize("value", ["a b", "x;", "{", "", '"'])
@pytest.mark.parametrize("option", ["--upstream", "--server-name", "--listen", "--cache-path"])
def test_a_value_that_is_no_word_is_refused(option: str, value: str, tmp_path: Path) -> None:
    """It would be something else in the configuration."""
    done = run_majlis("nginx", option, value, folder=tmp_path)
    assert done.returncode == 2
    assert option in done.stderr


@pytest.mark.parametrize(
    "listen",
    ["443 ssl", "443 ssl http2", "[::]:443 ssl ipv6only=off", "8080 backlog=511 reuseport"],
)
def test_an_address_may_have_parameters(listen: str, tmp_path: Path) -> None:
    """Those that `listen` of nginx has."""
    assert f"    listen {listen};\n" in printed("--listen", listen, folder=tmp_path)


@pytest.mark.parametrize("listen", ["443 ssl;", "443  ssl", "443 tls", "443 ssl\ndeny all", "ssl "])
def test_other_words_beside_an_address_are_refused(listen: str, tmp_path: Path) -> None:
    """The message tells what to write."""
    done = run_majlis("nginx", "--listen", listen, folder=tmp_path)
    assert done.returncode == 2
    assert "443 ssl" in done.stderr
