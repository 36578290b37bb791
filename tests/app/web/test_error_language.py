"""What to do about an error of the API, in the language of the request."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from babel.messages.pofile import read_po
from cases import cases
from contract.visitor import Visitor

from app.web.errors import ERRORS_DOMAIN
from knowledge.fields.interface_texts import CATALOGS

API = "/api/public/v1"
ROOT = Path(__file__).parents[3]
ARABIC = re.compile("[\u0621-\u064a]")
ENGLISH = re.compile(r"\b(?:Send|See|Use|Try|Wait|the|of|at most|Check)\b")
JSON = {"Accept": "application/json", "Content-Type": "application/json"}
ERRORS = {
    f"{API}/blog/posts?lang=ar&page=0": 400,
    f"{API}/blog/posts?lang=ar&pageSize=99": 400,
    f"{API}/blog/posts?LANG=AR&lang=AR&country=xx": 400,
    f"{API}/kinds/products?lang=ar&filter=none:1": 400,
    f"{API}/kinds/products?lang=ar&fields=none": 400,
    f"{API}/blog/posts/none?lang=ar": 404,
    f"{API}/pages/none?country=sa&lang=ar": 404,
    f"{API}/search?lang=ar": 400,
    f"{API}/nothing?lang=ar": 404,
    f"{API}/leads?lang=ar": 405,
    "/sa/ar/none": 404,
}
"""Requests and the status of their answers."""


def resolution(visitor: Visitor, path: str, status: int) -> str:
    """Return what an error advises."""
    response = visitor.get(path, JSON)
    assert response.status == status, response.text
    return str(response.json["error"]["resolution"])


@cases(("path", "status"), ERRORS.items())
def test_the_advice_is_in_the_language_of_the_request(
    sample: Visitor, path: str, status: int
) -> None:
    """That of its parameter `lang`, or of its path; the code stays."""
    arabic = resolution(sample, path, status)
    assert ARABIC.search(arabic), arabic
    assert not ENGLISH.search(arabic), arabic
    assert ", " not in arabic, arabic
    english = resolution(sample, path.replace("lang=ar", "lang=en").replace("AR", "EN"), status)
    assert "/ar/" in path or not ARABIC.search(english), english


def test_every_field_of_a_lead_is_explained_in_arabic(sample: Visitor) -> None:
    """All at once, separated by Arabic signs."""
    body = dict.fromkeys(("email", "topic", "localeLang", "countryCode"), "x" * 300)
    response = sample.post(f"{API}/leads?lang=ar", body)
    advice = response.json["error"]["resolution"]
    assert response.status == 400
    assert advice.startswith("أرسل email بالقيمة: عنوان مثل noor@example.com")
    assert advice.count("؛ ") == 3
    assert not ENGLISH.search(advice)


def test_every_text_with_values_has_its_arabic() -> None:
    """And each translation keeps their number."""
    with (CATALOGS / "ar" / "LC_MESSAGES" / f"{ERRORS_DOMAIN}.po").open("rb") as text:
        known = {str(each.id): str(each.string) for each in read_po(text) if each.id}
    folders = ("app/web", "app/features", "app/platform", "knowledge/resources")
    for path in (each for folder in folders for each in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            is_text = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Text"
            if is_text and isinstance(node, ast.Call) and isinstance(node.args[0], ast.Constant):
                assert node.args[0].value in known, f"{path}:{node.lineno}"
    for message, arabic in known.items():
        assert message.count("{}") == len(re.findall(r"\{\d?\}", arabic)), message
        assert ARABIC.search(arabic) or not re.search("[a-z]{4}", message), message
