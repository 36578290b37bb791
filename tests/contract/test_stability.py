"""Nothing that docs/stability.md promises has become less since the last release."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from cases import cases
from contract.stability import RELEASED, losses, surface


@pytest.fixture(scope="module")
def released() -> dict[str, Any]:
    """Return the surface of the last release."""
    value: dict[str, Any] = json.loads(RELEASED.read_text(encoding="utf-8"))
    return value


def test_nothing_is_gone_or_narrower_since_the_last_release(released: dict[str, Any]) -> None:
    """Additions are welcome; a deprecated thing stays for all of 1.x."""
    assert [*losses(released, surface())] == []


SEARCH = ("api", "/api/public/v1/search", "get", "parameters")


@cases(
    ("place", "value", "loss"),
    [
        pytest.param(("settings", "BASE_URL"), None, "is gone", id="a setting"),
        pytest.param(("settings", "PORT"), 9000, "is 9000, and was 8000", id="a default"),
        pytest.param(("commands", "majlis leads list"), None, "is gone", id="a command"),
        pytest.param((*SEARCH, "limit"), None, "is gone", id="a parameter"),
        pytest.param(
            (*SEARCH, "limit", "schema", "maximum"), 10, "is 10, and was 20", id="a limit"
        ),
        pytest.param((*SEARCH, "limit", "schema", "maximum"), 30, None, id="a wider limit"),
        pytest.param((*SEARCH, "limit", "required"), True, "is True", id="required"),
        pytest.param((*SEARCH, "new"), {"required": True}, "new and required", id="a new demand"),
        pytest.param((*SEARCH, "new"), {"required": False}, None, id="a new parameter"),
        pytest.param(
            ("content", "post", "properties", "author"), None, "is gone", id="a key of documents"
        ),
        pytest.param(("content", "post", "needed"), ["excerpt"], "limit", id="a key to be written"),
        pytest.param(
            ("content", "form", "$defs", "InputDeclaration", "needed"), None, None, id="no such key"
        ),
        pytest.param(("templates", "post.html", "post"), "number", "is 'number'", id="a variable"),
        pytest.param(("api", "/api/public/v1/new"), {"get": {}}, None, id="a new path"),
    ],
)
def test_each_loss_is_named(
    released: dict[str, Any], place: tuple[str, ...], value: object, loss: str | None
) -> None:
    """With its place, and an addition is none."""
    changed = deepcopy(released)
    *folders, last = place
    inner = changed
    for each in folders:
        inner = inner[each]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    found = [*losses(released, changed)]
    assert len(found) == (loss is not None)
    assert all(" > ".join(place) in each and loss in each for each in found if loss)
