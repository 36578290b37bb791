"""Texts for a terminal, which obeys the control characters in what a visitor or a file wrote."""

import json


def printable(text: str) -> str:
    r"""Replace what is not printable: control characters, line breaks, changes of direction.

    >>> printable("Noor\x1b[2J\u202e")
    'Noor�[2J�'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else "�" for each in text)


def printable_json(value: object, indent: int | None = None) -> str:
    r"""Return a value as JSON, in which what is not printable is escaped.

    JSON itself asks this only of the first 32 characters. Dates and numbers become texts.

    >>> print(printable_json({"name": "نور \x9b31m\u202e"}))
    {"name": "نور \u009b31m\u202e"}
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    if text.isprintable():
        return text
    # The only line breaks are those of the indentation.
    return "".join(
        each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1] for each in text
    )
