"""`majlis openapi`: the document of the API, or of its aliases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_majlis
from contract.visitor import BASE_URL, Visitor

from app.web.openapi.information import LEGACY_PATH, OPENAPI_PATH


@pytest.mark.parametrize(
    ("options", "path"),
    [
        pytest.param((), OPENAPI_PATH, id="the API"),
        pytest.param(("--legacy",), LEGACY_PATH, id="its aliases"),
    ],
)
def test_it_prints_what_the_service_returns(
    sample: Visitor, tmp_path: Path, options: tuple[str, ...], path: str
) -> None:
    """But for the contact, and for times in the examples, which are those of the content."""
    done = run_majlis("openapi", *options, folder=tmp_path, variables={"BASE_URL": BASE_URL})
    assert done.returncode == 0
    printed, served = json.loads(done.stdout), sample.get(path).json
    served["info"]["contact"] = printed["info"]["contact"]
    examples = [each["components"].pop("examples", {}).keys() for each in (printed, served)]
    assert examples[0] == examples[1]
    assert printed == served
