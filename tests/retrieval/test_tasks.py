"""Tasks of agents that name no parameter: the value is of the country in the question."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

from cases import cases
from contract.visitor import Visitor
from mcp_calls import call

PASSAGES = 5


def tasks(file: str = "tasks.json") -> list[dict[str, Any]]:
    """Return the tasks; those without a country are answered for the default one."""
    entries: list[dict[str, Any]] = json.loads(
        Path(__file__).with_name(file).read_text(encoding="utf-8")
    )
    return entries


@cases("task", tasks)
def test_the_passages_have_the_value_of_the_country(sample: Visitor, task: dict[str, Any]) -> None:
    """And none is of another country."""
    found = call(sample, "find_passages", query=task["text"], limit=PASSAGES)
    country, reason = task["country"], "named in the question"
    if country is None:
        country, reason = "ae", "the default"
    assert found["assumed"] == f"{country}, {reason}"
    assert {passage["country"] for passage in found["passages"]} == {country}
    assert all(passage["id"].startswith(f"/{country}/") for passage in found["passages"])
    assert task["answer"] in "\n".join(passage["text"] for passage in found["passages"])


@cases("task", lambda: [task for task in tasks() if task["country"]])
def test_chatgpt_finds_pages_of_the_country(sample: Visitor, task: dict[str, Any]) -> None:
    """Its `search` has no parameter of a country at all."""
    found = call(sample, "search", query=task["text"])
    assert {hit["id"].split("/")[1] for hit in found["results"]} == {task["country"]}


@cases(
    ("query", "missing"),
    [
        ("Does Wahat integrate with Salesforce?", ["Salesforce"]),
        ("هل يتكامل نظام واحات مع Salesforce؟", ["Salesforce"]),
        ("Is there an iOS version?", ["iOS"]),
    ],
)
def test_what_the_site_does_not_have_is_told(
    sample: Visitor, query: str, missing: list[str]
) -> None:
    """To agents of either tool, so that they do not answer from what is near."""
    found = call(sample, "find_passages", query=query)
    assert found["notFound"] == missing
    assert all(word in found["note"] for word in missing)
    assert call(sample, "search", query=query)["note"] == found["note"]


def test_customers_find_answers_in_few_tokens(sample: Visitor) -> None:
    """Of 40 questions, in both languages and some in dialect: `-s` shows the figures.

    The tokens are those of the passages up to the one that answers.
    """
    asked = [*tasks(), *tasks("customers.json")]
    assert len(asked) == 40
    places, tokens = [], []
    for task in asked:
        found = call(sample, "find_passages", query=task["text"], limit=PASSAGES)["passages"]
        place = next((n for n, each in enumerate(found) if task["answer"] in each["text"]), None)
        places.append(place)
        if place is None:
            print("missed", task["text"])  # noqa: T201
        else:
            tokens.append(sum(each["tokens"] for each in found[: place + 1]))
    answered, first = len(tokens), places.count(0)
    print(f"answered {answered}, first {first}, tokens {fmean(tokens):.0f}")  # noqa: T201
    assert answered >= 38
    assert first >= 33
    assert fmean(tokens) <= 160
