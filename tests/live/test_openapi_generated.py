"""Requests generated from the OpenAPI documents: all responses conform to them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import examples
from live.fixtures import SAMPLE, made_of_sample
from live.orders import aside, take_samples
from live.server import Server, environment
from storefront.receiver import Receiver, answers
from storefront.shop import SECRET

pytestmark = [pytest.mark.slow, pytest.mark.load]

CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
TOKENS = [f"token-of-partner-{number}" for number in range(500)]
EXAMPLES = examples(0.1)
"""Per operation; an example takes as long as ten of other tests."""

STORED = "/(changes|leads|orders|erp)\\b"
"""Operations that use the database; the others do not depend on it."""


DOCUMENTS = ("/openapi.json", "/openapi-legacy.json")


def whole_document(server: Server) -> dict[str, Any]:
    """Return one document of all documented paths."""
    contract, legacy = (server.json(path) for path in DOCUMENTS)
    components = {
        kind: {**named, **legacy["components"].get(kind, {})}
        for kind, named in contract["components"].items()
    }
    return {**contract, "paths": contract["paths"] | legacy["paths"], "components": components}


def schemathesis(
    server: Server, work: Path, document: dict[str, Any], paths: str
) -> subprocess.CompletedProcess[str]:
    """Run Schemathesis for some paths of a document, with all checks and phases."""
    file = work / "openapi.json"
    file.write_text(json.dumps(document))
    return subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", f"--config-file={CONFIGURATION}"),
            *("run", file, "--url", server.url, "--no-color"),
            *("--checks", "all", "--max-examples", str(EXAMPLES), "--include-path-regex", paths),
        ],
        cwd=work,  # it leaves files behind
        env=environment(
            PYTHONPATH=str(CONFIGURATION.parents[1]),
            PARTNER_TOKEN=TOKENS[0],
            PARTNER_TOKENS=",".join(TOKENS),
        ),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.hypothesis
async def test_generated_requests_are_answered_as_documented(
    database_url: str, tmp_path: Path
) -> None:
    """Every operation, with valid, invalid and no tokens; also in sequences of requests.

    The receiver alternately accepts and refuses pushes.
    """
    paths = "" if database_url.startswith("sqlite") else STORED
    await take_samples(database_url)
    async with Receiver(*5_000 * [answers(200), answers(503)]) as receiver:
        variables = {
            "DATABASE_URL": database_url,
            "ERP_PULL_API_TOKEN": ",".join(TOKENS),
            "ERP_WEBHOOK_URL": receiver.url,
            "ERP_WEBHOOK_SECRET": SECRET,
        }

        def run() -> tuple[subprocess.CompletedProcess[str], int]:
            with Server(SAMPLE, tmp_path, **made_of_sample(), **variables) as server:
                document = whole_document(server)
                documented = document["paths"].items()
                tried = [len(methods) for path, methods in documented if re.search(paths, path)]
                return schemathesis(server, tmp_path, document, paths), sum(tried)

        done, operations = await aside(run)
        assert receiver.received
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Tested: {operations}\n" in done.stdout
