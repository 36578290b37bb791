"""Clients that others generate from the OpenAPI document, and programs that use them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from clients.installed import (
    FOLDER,
    environment,
    node,
    npm,
    openapi_generator,
    openapi_python_client,
    require_all,
    run,
)
from gulf import write_site
from live.server import Server, client_of, majlis
from storefront.pricing import Item, priced
from storefront.shop import TOKEN

pytestmark = pytest.mark.slow

LOCALE = {"country": "SA", "lang": "ar"}
PACKAGE = "wahat_api"
TYPESCRIPT = ("--strict", "--skipLibCheck", "--target", "es2022", "--lib", "es2022,dom")
Prepared = Callable[[Path, Path], tuple[str | Path, ...]]
"""Generates a client from a document in a folder, checks the program, and returns what runs it."""
SETTINGS = "post_hooks: []\ncontent_type_overrides: {application/xml: text/plain}\n"
"""openapi-python-client knows no XML, and would warn that it leaves out sitemaps."""


def typescript(
    contract: Path, folder: Path, name: str = "openapi_fetch.mts"
) -> tuple[str | Path, ...]:
    """Generate types for openapi-fetch, and check a program with them."""
    (folder / "node_modules").symlink_to(FOLDER / "node_modules")
    program = copy(FOLDER / "programs" / name, folder)
    succeed(node(), npm("openapi-typescript/bin/cli.js"), contract, "-o", "schema.mts", at=folder)
    check_types(program, folder)
    return node(), program


def orval(contract: Path, folder: Path) -> tuple[str | Path, ...]:
    """Generate functions for `fetch`, and check a program with them."""
    (folder / "node_modules").symlink_to(FOLDER / "node_modules")
    program = copy(FOLDER / "programs" / "orval.mts", folder)
    base_url = {"getBaseUrlFromSpecification": True}
    output = {"target": "client.ts", "client": "fetch", "baseUrl": base_url}
    settings = {"wahat": {"input": str(contract), "output": output}}
    (folder / "orval.config.mjs").write_text(f"export default {json.dumps(settings)};")
    succeed(node(), npm("orval/dist/bin/orval.js"), at=folder)
    check_types(program, folder)
    return node(), program


def generator_typescript(contract: Path, folder: Path) -> tuple[str | Path, ...]:
    """Generate classes for `fetch` with openapi-generator, and compile a program with them."""
    (folder / "node_modules").symlink_to(FOLDER / "node_modules")
    program = copy(FOLDER / "programs" / "openapi_generator.ts", folder)
    generate("typescript-fetch", contract, folder, "-o", "client")
    options = (*TYPESCRIPT, "--module", "commonjs", "--outDir", "compiled")
    succeed(node(), npm("typescript/bin/tsc"), *options, program, at=folder)
    return node(), folder / "compiled" / "openapi_generator.js"


def generator_python(contract: Path, folder: Path) -> tuple[str | Path, ...]:
    """Generate a package with openapi-generator, and check a program that imports it."""
    program = copy(FOLDER / "programs" / "openapi_generator.py", folder)
    generate("python", contract, folder, "-o", ".", "--package-name", "wahat_generated")
    return check_python(program, folder)


def generate(language: str, contract: Path, folder: Path, *options: str) -> None:
    """Run openapi-generator, without its documentation and tests."""
    kinds = ("apiDocs", "modelDocs", "apiTests", "modelTests")
    without = ",".join(f"{kind}=false" for kind in kinds)
    command = ("generate", "-i", contract, "-g", language, "--global-property", without)
    succeed(openapi_generator(), *command, *options, at=folder)


def check_types(program: str | Path, folder: Path) -> None:
    """Check a program, and what it imports, under `strict`."""
    options = (*TYPESCRIPT, "--noEmit", "--allowImportingTsExtensions", "--module", "nodenext")
    succeed(node(), npm("typescript/bin/tsc"), *options, program, at=folder)


def python(contract: Path, folder: Path, name: str = "openapi_python.py") -> tuple[str | Path, ...]:
    """Generate a package, without a warning, and check a program that imports it."""
    program = copy(FOLDER / "programs" / name, folder)
    (folder / "settings.yaml").write_text(SETTINGS)
    options = ("--config", "settings.yaml", "--meta", "none", "--output-path", PACKAGE)
    command = ("generate", "--path", contract, *options, "--fail-on-warning")
    succeed(openapi_python_client(), *command, at=folder)
    return check_python(program, folder)


def check_python(program: str | Path, folder: Path) -> tuple[str | Path, ...]:
    """Check a program with mypy, and return what runs it."""
    interpreter = environment("openapi") / "bin" / "python"
    checks = ("--strict", "--follow-imports=silent", "--cache-dir", folder / "cache")
    mypy = (sys.executable, "-P", "-m", "mypy", "--config-file=", *checks)
    succeed(*mypy, "--python-executable", interpreter, program, at=folder)
    return interpreter, program


def succeed(*command: str | Path, at: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder; it must not fail."""
    done = run(*command, folder=at)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.parametrize(
    "prepare", [typescript, orval, python, generator_typescript, generator_python]
)
def test_a_generated_client_calls_the_api(
    public_url: str, tmp_path: Path, prepare: Prepared
) -> None:
    """Settings, a page, a search, an enquiry and an error are what the service returns."""
    contract = tmp_path / "openapi.json"
    with client_of(public_url) as http:
        contract.write_bytes(http.get("/openapi.json").content)
        expected = visit(lambda path, query: http.get(f"/api/public/v1{path}", params=query).json())
    done = succeed(*prepare(contract, tmp_path), public_url, at=tmp_path)
    assert json.loads(done.stdout) == expected


def test_blocks_are_read_as_they_are_typed(public_url: str, tmp_path: Path) -> None:
    """Those of the home page, the fields of a product, and the columns of the footer."""
    contract = tmp_path / "openapi.json"
    with client_of(public_url) as http:
        contract.write_bytes(http.get("/openapi.json").content)
        home = http.get("/api/public/v1/homepage", params=LOCALE).json()
    program = typescript(contract, tmp_path, "openapi_blocks.mts")
    shown = json.loads(succeed(*program, public_url, at=tmp_path).stdout)
    columns = home["navigation"]["footerColumns"]["columns"]
    assert len(shown["blocks"]) == len(home["blocks"])
    assert any(shown["blocks"])
    assert shown["footer"] == [[link["href"] for link in each["links"]] for each in columns]
    assert shown["currency"] == "SAR"


def visit(ask: Callable[[str, dict[str, str]], Any]) -> dict[str, Any]:
    """Return what a program must print, from the responses without a generated client."""
    page = ask("/pages/pricing", LOCALE)["page"]
    posts = ask("/blog/posts", LOCALE | {"search": "مخزون"})
    assert posts["items"]
    return {
        "email": ask("/site-settings", {})["siteSettings"]["primaryEmail"],
        "title": page["title"],
        "sections": list(map(words, page["sections"])),
        "posts": [post["slug"] for post in posts["items"]],
        "total": posts["pagination"]["total"],
        "stored": True,
        "status": 404,
        "code": "RESOURCE_NOT_FOUND",
    }


def words(section: dict[str, Any]) -> str:
    """Return what the programs show of a section."""
    if section["type"] == "faq":
        return ",".join(item["question"] for item in section["items"])
    return str(section.get("body", ""))


AMOUNT = re.compile(r"-?\d+(\.\d{1,3})?")
IRAQ = {
    "countries/iq.md": "---\ntitle: {en: Iraq, ar: العراق}\n---\n",
    "products/till.md": (
        "---\ntitle: {en: Till, ar: صندوق}\nid: 7\nprices: {IQD: '655250.500'}\n---\n"
    ),
}


def test_a_shop_of_iraq_is_pulled_by_a_generated_client(tmp_path: Path) -> None:
    """The dinar of Iraq has three decimals by ISO 4217, though people write none."""
    require_all()
    item = Item("TILL", Decimal("655250.500"), Decimal(3), Decimal(5), name=("Till", "صندوق"))
    order = priced([item], "IQD", number="IQ-1", shipping=Decimal("5000.250"))
    content = write_site(tmp_path / "content", IRAQ, countries=False)
    orders = tmp_path / "orders.jsonl"
    orders.write_text(json.dumps(order), "utf-8")
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/majlis.db"}
    imported = majlis(
        "orders",
        "import",
        str(orders),
        folder=tmp_path,
        variables={**settings, "CONTENT_DIR": str(content)},
    )
    assert imported.stdout.startswith("1 new"), imported.stdout + imported.stderr
    contract = tmp_path / "openapi.json"
    with Server(content, tmp_path, ERP_PULL_API_TOKEN=TOKEN, **settings) as server:
        with client_of(server.url) as http:
            contract.write_bytes(http.get("/openapi.json").content)
        program = python(contract, tmp_path, "openapi_partner.py")
        pulled = json.loads(succeed(*program, server.url, TOKEN, at=tmp_path).stdout)
    assert pulled["prices"] == {"till": {"IQD": "655250.500"}}
    (line,) = pulled["orders"]["IQ-1"]["lines"]
    assert [line[name] for name in ("net", "tax")] == ["1965751.500", "98287.575"]
    assert pulled["orders"]["IQ-1"]["totals"] == order["totals"]
    pattern = json.loads(contract.read_text())["components"]["schemas"]["Totals"]["properties"]
    assert {each["pattern"] for each in pattern.values()} == {r"^-?\d+(\.\d{1,3})?$"}
    assert all(map(AMOUNT.fullmatch, order["totals"].values()))
