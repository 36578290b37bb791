"""The other samples of the guides: files, data and programs, given to what reads them."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from logging import makeLogRecord
from pathlib import Path
from typing import Any

import dotenv
import pytest
from cases import cases
from click import Context, Group
from command_line import run_majlis
from contract.visitor import Visitor
from gulf import write_site
from jinja2 import nodes
from live.documents import GUIDES, ROOT, Sample, blocks, samples
from live.fixtures import PAGE
from live.server import Server
from live.tools import missing, program
from samples.machine import LANGUAGES, LATER
from samples.taken import ELSEWHERE
from standardwebhooks import Webhook

from app.features.changes.feed import ChangeList
from app.features.changes.followers import ContentChanged
from app.features.leads.webhook import LeadCreated, LeadsQuarantined
from app.features.orders.partner import OrderPushed
from app.operations.cli import main
from app.platform.observability.access_log import Access, combined_line, json_line
from app.platform.observability.logs import JsonLines
from app.server.lifecycle import DRAIN_SECONDS, GRACEFUL_SECONDS
from app.settings import Settings
from knowledge.locales.locale import Language
from renderers.html.templating import environment

ENVIRONMENT = "/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator"
"""The program of systemd that reads files of variables and prints what it has read."""

OF_A_WHOLE_SITE = {
    *("broken-link", "broken-image", "broken-anchor", "broken-menu-link"),
    *("unknown-reference", "missing-translation"),
    *("missing-logo", "missing-font", "unused-redirect", "missing-alt-text", "missing-base"),
}
"""What `majlis check` says of a sample because it names pages and pictures that are not here."""

SAMPLES = [
    sample
    for guide in GUIDES
    for sample in samples(guide)
    if sample.language not in LANGUAGES and (guide, sample.language) not in ELSEWHERE
]


def in_site(files: Mapping[str, str], folder: Path) -> None:
    """Check a site with these files: they have no fault of their own."""
    write_site(folder / "content", files)
    done = run_majlis("check", str(folder / "content"), "--format", "json", folder=folder)
    found = [each for each in json.loads(done.stdout)["diagnostics"] if each["file"] in files]
    wrong = [each for each in found if each["severity"] != "notice"]
    assert [each for each in wrong if each["code"] not in OF_A_WHOLE_SITE] == []


FILES = {
    "headerLinks": "site/navigation.md",
    "talkToUs": "site/words.md",
    "fields": "site/contact-form.md",
    "accent": "site/theme.md",
    "role": "authors/salma-haddad.md",
    "category": "posts/hello.md",
    "aliases": "posts/hello.md",
    "publishedAt": "posts/hello.md",
}
"""The file of a sample, by a key of its front matter; others are pages."""

KINDS = {
    f"_kinds/{kind}.md": f"---\nsingular: {name}\nplural: {name}s\npath: /all-{kind}\n---\n"
    for kind, name in (
        ("doctors", "Doctor"),
        ("services", "Service"),
        ("branches", "Branch"),
        ("hotels", "Hotel"),
    )
}
"""Kinds to which the samples refer."""

DECLARATIONS = {
    "Doctor": "_kinds/doctors.md",
    "Page": "_kinds/handbook.md",
    "Topic": "_kinds/topics.md",
    "Event": "_kinds/events.md",
    "Room": "_kinds/rooms.md",
    "Vacancy": "_kinds/vacancies.md",
    "Service": "_kinds/modules.md",
    "Book a visit": "forms/booking.md",
    "The Wahat letter": "forms/newsletter.md",
}
"""The file of a kind or form that a sample declares, by its name or title in it."""


def markdown(sample: Sample, folder: Path) -> None:
    """A file of content, or a part of one."""
    keys = re.findall(r"^(\w+)\s*[:=]", sample.text, re.MULTILINE)
    path = next((FILES[key] for key in keys if key in FILES), "pages/sample.md")
    declared = re.search(r"^(?:singular|title): \{ en: ([\w ]+)", sample.text, re.MULTILINE)
    if declared and declared[1] in DECLARATIONS:
        declaration = {DECLARATIONS[declared[1]]: sample.text, "pages/privacy.md": PAGE}
        in_site(KINDS | declaration, folder)
        return
    whole = sample.text.startswith(("---\n", "+++\n"))
    text = sample.text if whole else f"---\ntitle: Sample\n---\n{sample.text}"
    suffix = ".ar.md" if sample.guide.endswith(".ar.md") else ".md"
    if "\ntitle" not in text and path.startswith("pages"):  # an override of a page
        override = path.replace(".md", f".sa{suffix}")
        in_site({path: "---\ntitle: Sample\n---\n", override: text}, folder)
    else:
        in_site({path.replace(".md", suffix): text}, folder)


def settings_or_front_matter(sample: Sample, folder: Path) -> None:
    """A configuration of Prometheus, or front matter."""
    if sample.guide == "docs/monitoring.md":
        (folder / "prometheus.yml").write_text(sample.text)
        rules = (ROOT / "docs" / "monitoring" / "majlis-rules.yml").read_text()
        (folder / "majlis-rules.yml").write_text(rules)
        run([program("promtool"), "check", "config", "prometheus.yml"], folder)
    else:
        title = "" if "title:" in sample.text.split("\n  ")[0] else "title: Hello\n"
        in_site({"posts/hello.md": f"---\n{title}{sample.text}---\nText.\n"}, folder)


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Run a program to its end, without an error, and return its output."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **variables}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def environment_file(sample: Sample, folder: Path) -> None:
    """`/etc/majlis.env` or `.env`: systemd and the service read the same, and each is a setting."""
    (folder / "environment.d").mkdir()
    file = folder / "environment.d" / "majlis.conf"
    file.write_text(sample.text, encoding="utf-8")
    printed = run([program(ENVIRONMENT)], folder, XDG_CONFIG_HOME=str(folder))
    by_dotenv = dotenv.dotenv_values(file)
    read = dict(each.split("=", 1) for each in shlex.split(printed))
    by_systemd = {name: read[name] for name in by_dotenv}  # others are of the machine
    assert by_systemd == by_dotenv
    names = [name.lower() for name in by_systemd]
    values: dict[str, Any] = dict(zip(names, by_systemd.values(), strict=True))
    settings = Settings(_env_file=None, **values)
    assert settings.model_fields_set >= set(names)


def unit(sample: Sample, folder: Path) -> None:
    """A unit of systemd: without faults, with few rights, and with time to stop."""
    file = folder / "majlis.service"
    file.write_text(sample.text.replace("/opt/majlis/.venv/bin", str(Path(sys.executable).parent)))
    analyze = program("systemd-analyze")
    done = subprocess.run([analyze, "verify", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    run([analyze, "security", "--offline=true", "--threshold=30", str(file)], folder)
    keys = dict(re.findall(r"^(\w+)=(.*)$", sample.text, re.MULTILINE))
    assert keys["KillMode"] == "mixed"
    assert keys["ExecReload"] == "kill -HUP $MAINPID"
    assert float(keys["TimeoutStopSec"]) > max(35, GRACEFUL_SECONDS + DRAIN_SECONDS)


def nginx(sample: Sample, folder: Path) -> None:
    """Files beside what `majlis nginx` prints for the options of the guide."""
    commands = "\n".join(each.text for each in samples(sample.guide) if each.language == "sh")
    options = re.findall(r"^majlis nginx (.*--listen.*) > ", commands, re.MULTILINE)
    conf = folder / "conf.d"
    conf.mkdir()
    printed = run_majlis("nginx", *shlex.split(options[0]), folder=folder).stdout
    printed = printed.replace("/var/cache/nginx", str(folder))
    (conf / "majlis.conf").write_text(printed, encoding="utf-8")
    names = dict(re.findall(r"(ssl_\w+) (\S+);", sample.text))
    certificate, key = names["ssl_certificate"], names["ssl_certificate_key"]
    text = sample.text.replace(certificate, f"{folder}/c.pem").replace(key, f"{folder}/k.pem")
    (conf / "certificate.conf").write_text(text, encoding="utf-8")
    make = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=a -keyout k.pem -out c.pem"
    run(shlex.split(make), folder)
    whole = f"pid {folder}/pid;\nevents {{}}\nhttp {{ access_log off; include {conf}/*.conf; }}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    command = [program("nginx", "/usr/sbin/nginx"), "-t", "-e", f"{folder}/errors"]
    run([*command, "-c", f"{folder}/nginx.conf", "-p", str(folder)], folder)


def vcl(sample: Sample, folder: Path) -> None:
    """A VCL, or statements of one: Varnish compiles it, and other tests run it."""
    text = sample.text
    if not text.startswith("vcl "):
        backend = 'vcl 4.1;\nbackend service { .host = "127.0.0.1"; }\n'
        text = f"{backend}sub vcl_backend_response {{\n{text}}}\n"
    (folder / "sample.vcl").write_text(text)
    command = [program("varnishd", "/usr/sbin/varnishd"), "-C", "-j", "none"]
    run([*command, "-f", f"{folder}/sample.vcl", "-n", f"{folder}/n"], folder)


def logrotate(sample: Sample, folder: Path) -> None:
    """A configuration of logrotate: the log gets a new name, and the next one is compressed."""
    log = folder / "access.log"
    (folder / "conf").write_text(sample.text.replace("/var/log/majlis/access.log", str(log)))
    (folder / "conf").chmod(0o600)
    for number in range(3):
        log.write_text(f"{number}\n")
        command = [program("logrotate", "/usr/sbin/logrotate"), "--force", "--state", "state"]
        run([*command, "conf"], folder)
    names = {path.name for path in folder.glob("access.log*")}
    assert names == {"access.log.1", "access.log.2.gz", "access.log.3.gz"}


def redirects(sample: Sample, folder: Path) -> None:
    """A file `_redirects`: each line is a rule."""
    in_site({"_redirects": sample.text}, folder)
    listed = run_majlis("redirects", "list", str(folder / "content"), folder=folder).stdout
    rules = [line.split() for line in sample.text.splitlines() if not line.startswith("#")]
    assert all(old in listed for old, *_ in rules)


def synonyms(sample: Sample, folder: Path) -> None:
    """A file `_synonyms.txt`."""
    in_site({"_synonyms.txt": sample.text}, folder)


def usage(sample: Sample, folder: Path) -> None:
    """The usage of commands: each has these options and values."""
    for line in sample.text.splitlines():
        command: Any = main
        words = re.sub(r"\s+#.*", "", line).split()[1:]
        while isinstance(command, Group):
            command = command.get_command(Context(command), words.pop(0))
        options = {name: each for each in command.params for name in each.opts}
        assert set(re.findall(r"--[\w-]+", " ".join(words))) <= options.keys()
        for name, values in re.findall(r"(--\w+) ([a-z]+(?:\|[a-z]+)+)", line):
            assert list(options[name].type.choices) == values.split("|")


def http(sample: Sample, folder: Path) -> None:
    """The head of a request, and its body."""
    if sample.guide == "docs/partner.md":
        token = "t" * 32
        with Visitor(erp_pull_api_token=token) as visitor:
            for line in sample.text.replace("<token>", token).splitlines():
                name, _, value = line.partition(": ")
                assert visitor.get("/api/orders", {name: value}).status == 200
        return
    head, _, body = sample.text.partition("\n\n")
    assert json.loads(body)["data"]["tags"] == re.findall(r"Cache-Tag: (.*)", head)[0].split(",")
    names = [line.partition(":")[0] for line in head.splitlines()[1:]]
    assert names == ["Cache-Tag", "webhook-id", "webhook-timestamp", "webhook-signature"]


def text(sample: Sample, folder: Path) -> None:
    """What a command or the service writes."""
    if sample.guide == "docs/audience.md":
        known = (ROOT / "app" / "features" / "audience" / "commands.py").read_text(encoding="utf-8")
        for part in sample.text.split("\n\n")[1::2]:
            assert f'"{part.strip()}"' in known
        for header in re.findall(r"^ (.+)\n ─", sample.text, re.MULTILINE):
            assert ", ".join(f'"{name}"' for name in header.split()) in known
        return
    (line,) = (each for each in samples(sample.guide) if '"address"' in each.text)
    ended, access = access_of(line)
    assert combined_line(ended, access).replace(r"\xe2\x80\xa6", "…") == sample.text


def access_of(sample: Sample) -> tuple[float, Access]:
    """Return the request of a line of the access log in JSON."""
    fields = json.loads(sample.text)
    ended = datetime.fromisoformat(fields.pop("time")).timestamp()
    return ended, Access(**fields)


EVENTS: Mapping[str, Any] = {
    "content.changed": ContentChanged,
    "lead.created": LeadCreated,
    "leads.quarantined": LeadsQuarantined,
    "order.pushed": OrderPushed,
}


def data(sample: Sample, folder: Path) -> None:
    """JSON, in which `…` stands for what is left out: it is like what the service writes."""
    shown = json.loads(re.sub(r",?\s*…(?=\s*[\]}])", "", sample.text))
    kind = shown.get("type")
    if kind in EVENTS:
        fields: Any = EVENTS[kind].model_fields
        assert shown.keys() == fields.keys()
        assert shown["data"].keys() <= fields["data"].annotation.model_fields.keys()
    elif "address" in shown:
        assert json.loads(json_line(*access_of(sample))) == shown
    elif "logger" in shown:
        record = makeLogRecord({"name": shown["logger"], "msg": shown["message"], "levelno": 20})
        assert shown.keys() - {"request"} == json.loads(JsonLines().format(record)).keys()
    elif "diagnostics" in shown:
        content = write_site(folder / "content", {"posts/later.md": LATER})
        done = run_majlis("check", str(content), "--format", "json", folder=folder)
        actual = json.loads(done.stdout)
        assert shown.keys() == actual.keys()
        codes = {each["code"]: each for each in actual["diagnostics"]}
        for each in shown["diagnostics"]:
            assert each == codes[each["code"]]
    elif kind == "faq":
        (example,) = (s.text for s in samples(sample.guide) if s.text.startswith(":::{faq}"))
        page = f"---\ntitle: Sample\n---\n{example}"
        content = write_site(
            folder / "content", {"pages/sample.md": page, "pages/pricing.md": PAGE}
        )
        with Visitor(content_dir=content) as visitor:
            (section,) = visitor.get("/api/public/v1/pages/sample").json["page"]["sections"]
        assert section == shown
    elif "form" in shown:
        declaration = {"forms/booking.md": blocks("docs/forms.md", "markdown")[0]}
        content = write_site(folder / "content", {"pages/privacy.md": PAGE} | declaration)
        with Visitor(content_dir=content) as visitor:
            assert visitor.post("/api/public/v1/leads", shown).status == 200
    elif "error" in shown:
        with Visitor() as visitor:
            actual = visitor.get("/api/public/v1/changes?since=0a1b2c3d-100").json
        cursor = r"since=[\w-]+"
        assert re.sub(cursor, "", str(actual)) == re.sub(cursor, "", str(shown))
    else:
        assert (
            ChangeList.model_validate(shown).model_dump(mode="json", by_alias=True).keys()
            == shown.keys()
        )


def python(sample: Sample, folder: Path, server: Server) -> None:
    """A program that follows the changes: it prints them, and later only newer ones."""
    code = sample.text.replace("https://www.example.com", server.url)
    run([sys.executable, "-c", code], folder)
    assert (folder / "cursor.txt").read_text()
    assert run([sys.executable, "-c", code], folder) == ""


WORKER = """
import worker from "./worker.mjs";
const { body, headers, secret } = JSON.parse(process.env.PURGE);
const sent = [];
globalThis.fetch = async (url, { body, headers }) => {  // the API of Cloudflare
  sent.push({ url, tags: JSON.parse(body).tags, token: headers.Authorization });
  return new Response("{}");
};
const request = new Request("https://worker.example/purge", { method: "POST", body, headers });
const environment = { CDN_PURGE_SECRET: secret, ZONE: "z", API_TOKEN: "t" };
const answer = await worker.fetch(request, environment);
console.log(JSON.stringify({ status: answer.status, sent }));
"""


def worker(sample: Sample, folder: Path) -> None:
    """A Worker of Cloudflare: it purges the tags of a signed request, thirty at a time."""
    packages = ROOT / "tests" / "clients" / "node_modules"
    if not (packages / "standardwebhooks").is_dir():
        missing("standardwebhooks is missing. Run `make clients`.")
    (folder / "node_modules").symlink_to(packages)
    (folder / "worker.mjs").write_text(sample.text)
    (folder / "run.mjs").write_text(WORKER)
    secret, now = "whsec_" + "c2VjcmV0" * 4, datetime.now(UTC)
    tags = [f"tag{number}" for number in range(65)]
    body = json.dumps({"type": "cdn.purge", "timestamp": now.isoformat(), "data": {"tags": tags}})
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign("msg_1", now, body),
    }
    signed = {"body": body, "headers": headers, "secret": secret}
    answer = json.loads(run([program("node"), "run.mjs"], folder, PURGE=json.dumps(signed)))
    assert answer["status"] == 204
    assert [tag for each in answer["sent"] for tag in each["tags"]] == tags
    assert [len(each["tags"]) for each in answer["sent"]] == [30, 30, 5]
    forged = json.dumps(signed | {"body": body.replace("tag1", "tag2")})
    with pytest.raises(AssertionError, match="WebhookVerificationError"):
        run([program("node"), "run.mjs"], folder, PURGE=forged)


def template(sample: Sample, _: Path) -> None:
    """Part of a template, whose filters the service has."""
    env = environment(Language.EN)
    filters = {each.name for each in env.parse(sample.text).find_all(nodes.Filter)}
    assert filters
    assert filters <= env.filters.keys()


RUNNERS: Mapping[str, Callable[..., None]] = {
    "jinja": template,
    "markdown": markdown,
    "yaml": settings_or_front_matter,
    "env": environment_file,
    "ini": unit,
    "nginx": nginx,
    "vcl": vcl,
    "logrotate": logrotate,
    "redirects": redirects,
    "synonyms": synonyms,
    "usage": usage,
    "http": http,
    "text": text,
    "json": data,
    "python": python,
    "js": worker,
}


def test_every_code_block_has_a_language_that_a_test_runs() -> None:
    """One that is indented has none: write it between fences, and name its language."""
    assert [str(each) for each in SAMPLES if each.language not in RUNNERS] == []


@cases(("guide", "language"), ELSEWHERE)
def test_a_guide_that_is_one_task_has_a_test_of_its_own(guide: str, language: str) -> None:
    """It names the guide, and runs each of the blocks: look at it when their number changes."""
    number, test = ELSEWHERE[guide, language]
    assert guide.rpartition("/")[2] in (ROOT / test).read_text(encoding="utf-8")
    assert len(blocks(guide, language)) == number


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_a_sample_is_read(sample: Sample, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """By the program or the parser to which the reader of the guide gives it."""
    runner = RUNNERS[sample.language]
    more = {"server": request.getfixturevalue("server")} if runner is python else {}
    runner(sample, tmp_path, **more)
