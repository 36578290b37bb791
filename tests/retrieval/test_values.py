"""Questions for values, as customers type them: the first passage has the value."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from cases import cases
from contract.visitor import Visitor
from mcp_calls import call
from retrieval.questions import all_questions, foreign_questions
from retrieval.test_tasks import tasks

from knowledge.locales.locale import Locale

TOKENS = 800
SEARCH = "/api/public/v1/search"


def passages(sample: Visitor, task: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the passages that an agent gets, within few tokens."""
    language = {"lang": task["lang"]} if "lang" in task else {}
    found = call(sample, "find_passages", query=task["text"], max_tokens=TOKENS, **language)
    return found["passages"]  # type: ignore[no-any-return]


NAMED = (
    "What does the Growth plan cost in Kuwait?",
    "How much does it cost?",
    "كم السعر؟",
    "VAT number Saudi Arabia",
    "do you have a service centre in Sohar",
)


@cases("task", lambda: [task for task in tasks("values.json") if task["text"] in NAMED])
def test_the_first_passage_has_the_value(sample: Visitor, task: dict[str, Any]) -> None:
    """Of the country that is asked about."""
    first = passages(sample, task)[0]
    assert task["answer"] in first["text"]
    assert first["country"] == (task["country"] or "ae")


def test_values_are_found_in_few_tokens(sample: Visitor) -> None:
    """Of 33 tasks in both languages, dialects, Latin letters, mixed scripts, with two countries."""
    asked = [task for task in tasks("values.json") if not task.get("absent")]
    first = within = 0
    others = []
    for task in asked:
        found = passages(sample, task)
        has = [task["answer"] in each["text"] for each in found]
        first += has[:1] == [True]
        within += any(has)
        if {each["country"] for each in found} - {*(task["country"] or "ae").split()}:
            others.append(task["text"])
        if has[:1] != [True]:
            print("not first:", task["text"])  # noqa: T201
    print(f"of {len(asked)}: first {first}, within {TOKENS} tokens {within}")  # noqa: T201
    assert len(asked) == 33
    assert first >= 30
    assert within >= 33
    assert others == []


def test_the_text_of_a_section_found_is_its_sentence_with_the_value(sample: Visitor) -> None:
    """ChatGPT's `search` shows one sentence or row of a section: for 26 of 33, that one."""
    asked = [task for task in tasks("values.json") if not task.get("absent")]
    first = {
        task["text"]: [
            each["text"] for each in call(sample, "search", query=task["text"])["results"][:1]
        ]
        for task in asked
    }
    shown = [task for task in asked if task["answer"] in "".join(first[task["text"]])]
    assert first["What does the Growth plan cost in Kuwait?"][0].startswith("Growth: KWD 104")
    assert len(shown) >= 26


@cases("name", ["wireless scanner", "kiosk", "receipt printer", "cash drawer", "palm reader"])
def test_the_page_itself_is_found_before_its_sections(sample: Visitor, name: str) -> None:
    """By a query that names it."""
    first = call(sample, "search", query=name)["results"][0]
    assert first["id"].startswith("/ae/en/products/")
    assert "#" not in first["id"]


def test_what_is_absent_is_told(sample: Visitor) -> None:
    """By a note, for six of seven: words that occur nowhere, or little that fits."""
    asked = [task for task in tasks("values.json") if task.get("absent")]
    told = [
        task["text"]
        for task in asked
        if call(sample, "find_passages", query=task["text"]).get("note")
    ]
    assert len(asked) == 7
    assert len(told) >= 6, {task["text"] for task in asked} - {*told}


def test_most_questions_are_told_to_have_no_answer_only_if_they_have_none(sample: Visitor) -> None:
    """Foreign questions to the same company are, its customers' own ones are not."""

    def poor(text: str, locale: Locale) -> bool:
        scope = {"country": str(locale.country), "lang": str(locale.language)}
        return "contact" in sample.get(f"{SEARCH}?{urlencode({'q': text, **scope})}").json

    own = [poor(each.text, each.locale) for each in all_questions()]
    tasks_told = [
        "Nothing" in call(sample, "find_passages", query=task["text"]).get("note", "")
        for task in tasks("values.json")
        if not task.get("absent") and "lang" not in task
    ]
    assert sum(tasks_told) <= 0.1 * len(tasks_told)
    foreign = [poor(text, locale) for text, locale in foreign_questions()]
    print(f"own {sum(own)} of {len(own)}, foreign {sum(foreign)} of {len(foreign)}")  # noqa: T201
    assert sum(own) <= 0.1 * len(own)
    assert sum(foreign) >= 0.7 * len(foreign)
