"""Every command that prints what a visitor, a partner or a file says: nothing moves a terminal."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import click
import pytest
from cases import cases
from command_line import run_majlis
from gulf import SLUGS
from live.server import MAJLIS, environment
from sqlalchemy import insert
from storefront.pricing import Item, priced
from stores.migrated import migrated_sqlite

from app.features.audience.model import AgentKey, Batch, MissedKey, PageKey, SearchKey
from app.features.audience.store import AudienceStore
from app.features.feedback.store import Feedback, FeedbackStore, StoredFeedback
from app.features.leads.model import Submission
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.features.newsletter.store import Subscriber, subscribers
from app.operations.cli import main
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind, Message
from app.platform.deliveries.outbox import Outbox
from app.platform.keys import KeyFile
from app.tables import all_tables

HOSTILE = "x\x1b]0;a\x07\x1b[2J\x9b31m\x7f\x85\u202e\u2066\u2028y"
"""Titles and colours of terminals, in their forms of 7 and 8 bits, and changes of direction."""
IN_ORDERS = "x\x9b31m\u202ey"

PRINTING = {
    "audience": (*((), ("--format", "json"), ("--format", "csv")),),
    "check": (*((), ("--all",), ("--format", "json"), ("--format", "github")),),
    "deliveries list": ((),),
    "deliveries show": (("DELIVERY",), ("DELIVERY", "--body")),
    "deliveries replay": (("DELIVERY",),),
    "feedback list": ((), ("--format", "jsonl")),
    "leads export": ((), ("--format", "jsonl")),
    "leads exports": ((), ("--json",)),
    "leads list": ((), ("--json",), ("--quarantined",)),
    "leads review": (("--json",), ()),
    "leads show": (("first",),),
    "leads stats": (*((), ("--format", "json"), ("--format", "csv")),),
    "newsletter export": (("--format", "jsonl"),),
    "newsletter list": ((),),
    "orders import": (("orders.jsonl",), ("refused.jsonl",)),
    "orders list": ((),),
    "orders show": ((IN_ORDERS,),),
    "products feed": (("--country", "kw", "--format", "jsonl"), ("--country", HOSTILE)),
    "redirects list": ((),),
    "redirects test": (("/old",), ("/x\x9by",)),
    "words": ((), ("--missing",)),
}
"""The arguments of each command."""

OTHERS = {
    *(
        "backup",
        "commands",
        "content accept",
        "db accept-keys",
        "db believe-clock",
        "db backup",
        "db current",
        "db restore",
        "db upgrade",
        "demo",
        "doctor",
        "export",
        "settings",
    ),
    *("feedback delete", "feedback purge", "images", "import", "index", "init"),
    *("leads anonymise", "leads delete", "leads erase", "leads purge", "leads quarantine"),
    *("leads release", "mcp server-json", "new", "nginx", "openapi", "preview", "restore"),
    *("leads file", "newsletter erase", "schema", "serve", "templates"),
}
"""Commands that print numbers, what the operator gives, and documents of our own."""


def leaves(command: click.Command, name: str = "") -> Iterator[str]:
    """Yield the names of all commands."""
    if not isinstance(command, click.Group):
        yield name
        return
    context = click.Context(command)
    for each in command.list_commands(context):
        found = command.get_command(context, each)
        assert found
        yield from leaves(found, f"{name} {each}".strip())


def test_every_command_is_judged() -> None:
    """A new one is put into one of the two lists."""
    assert sorted({*PRINTING} | OTHERS) == sorted(leaves(main))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database and content in which all texts are hostile."""
    root = tmp_path_factory.mktemp("hostile")
    asyncio.run(_fill(migrated_sqlite(root / "majlis.db")))
    order = priced([Item("A", Decimal("2.00"))], "QAR", number=IN_ORDERS, notes=IN_ORDERS)
    (root / "orders.jsonl").write_text(f"{json.dumps(order)}\n")
    (root / "refused.jsonl").write_text(f"{json.dumps({'number': HOSTILE, HOSTILE: 1})}\n")
    pages = root / "content/pages"
    pages.mkdir(parents=True)
    text = f'---\n"{IN_ORDERS}": 1\ntitle: A\nredirect_from: ["/old", "/{IN_ORDERS}"]\n---\n'
    (pages / "a.md").write_text(f"{text}[a](/{IN_ORDERS})\n")
    (pages / f"{HOSTILE.replace('/', '')}.md").write_text(text)
    (root / "content/site").mkdir()
    word = json.dumps({"talkToUs": IN_ORDERS}, ensure_ascii=False)
    (root / "content/site/words.md").write_text(f"---\n{word}\n---\n")
    products = root / "content/products"
    products.mkdir()
    product = f'id: 1\nsku: "{IN_ORDERS}"\ntitle: "{IN_ORDERS}"\nprices: {{KWD: "1"}}'
    (products / "a.md").write_text(f"---\n{product}\n---\n")
    (root / "content/_redirects").write_text(f"/x\x9by /{IN_ORDERS} 301\n{HOSTILE}\n")
    done = _run(root, "orders", "import", "orders.jsonl")
    assert "1 new" in done.stdout, done.stderr
    _run(root, "leads", "list", "--by", HOSTILE)
    KeyFile(root / "var/newsletter.key").read_or_make()
    return root


async def _fill(url: str) -> None:
    today = utc_now().date()
    counts = Batch(
        pages={PageKey(today, HOSTILE, "html", 200, "browser"): 1},
        agents={AgentKey(today, HOSTILE, "browser", "html"): 1},
        missed={MissedKey(today, HOSTILE, HOSTILE, "browser"): 1},
        searches={SearchKey(today, "site", HOSTILE, 0): 1},
    )
    fields = {
        **dict.fromkeys(("name", "company", "message", "productService", "source"), HOSTILE),
        **dict.fromkeys(("utmSource", "utmCampaign"), HOSTILE),
        **dict.fromkeys(("page", "sourcePage"), f"/{HOSTILE}"),
    }
    lead = validate_lead({"email": "noor@example.test", **fields}, SLUGS)
    async with Database(url, tables=all_tables) as database:
        await AudienceStore(database).add(counts)
        for name, is_quarantined in {"first": False, "second": True}.items():
            at = utc_now() - timedelta(hours=1)
            await LeadStore(database).add(Submission(name, lead, at, is_quarantined))
        report = Feedback(path=f"/{HOSTILE}", message=HOSTILE, kind="wrong")
        await FeedbackStore(database).add(StoredFeedback("f", utc_now(), report))
        body = json.dumps({"name": HOSTILE}, ensure_ascii=False).encode()
        subscriber = Subscriber("s", HOSTILE, "noor@example.test", "en", "AE", utc_now(), utc_now())
        row = {**asdict(subscriber), "email_folded": subscriber.email}
        async with database.writing() as connection:
            await connection.execute(insert(subscribers).values(row))
        message = Message(kind=DeliveryKind("change"), subject_id="1", subject=HOSTILE, body=body)
        await Outbox(database).open_due(message)


def _variables(folder: Path) -> dict[str, str]:
    return {
        "DATABASE_URL": f"sqlite:///{folder}/majlis.db",
        "CONTENT_DIR": str(folder / "content"),
        "BASE_URL": "https://www.example.com",
    }


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_majlis(
        *arguments, folder=folder, variables=_variables(folder), typed="s\n", color=True
    )


@pytest.fixture(scope="module")
def delivery(folder: Path) -> str:
    """The ID of the only delivery."""
    return _run(folder, "deliveries", "list").stdout.splitlines()[1].split()[0]


@cases(
    ("command", "arguments"),
    [
        pytest.param(name, arguments, id=ascii(" ".join((name, *arguments))))
        for name, each in PRINTING.items()
        for arguments in each
        if "csv" not in arguments and "--body" not in arguments and name != "leads export"
    ],
)
def test_nothing_that_is_printed_moves_a_terminal(
    folder: Path, delivery: str, command: str, arguments: tuple[str, ...]
) -> None:
    """Nor hides what follows, nor changes its direction: every character is printable."""
    given = [delivery if each == "DELIVERY" else each for each in arguments]
    done = _run(folder, *command.split(), *given)
    printed = done.stdout + done.stderr
    assert printed.strip()
    assert {each for each in printed if not each.isprintable()} <= {"\n"}


@cases(
    "command",
    [
        pytest.param(("leads", "export"), id="leads"),
        pytest.param(("leads", "stats", "--format", "csv"), id="statistics"),
        pytest.param(("deliveries", "show", "--body", "DELIVERY"), id="body"),
    ],
)
def test_what_belongs_into_a_file_is_printable_on_a_terminal(
    folder: Path, delivery: str, command: tuple[str, ...]
) -> None:
    """In a file it is what was stored."""
    arguments = [delivery if each == "DELIVERY" else each for each in command]
    master, terminal = pty.openpty()
    variables = environment(**_variables(folder))
    subprocess.run(
        [str(MAJLIS), *arguments], cwd=folder, env=variables, stdout=terminal, check=True
    )
    os.close(terminal)
    shown = os.read(master, 65_536).decode()
    os.close(master)
    assert shown.strip()
    assert {each for each in shown if not each.isprintable()} <= {"\r", "\n"}
    assert "\x9b" in _run(folder, *arguments).stdout
