"""Discovery documents for agents and crawlers, such as llms.txt, robots.txt and the manual.

Here is Content-Signal: what a site allows the readers of its content, and the same as
Content-Usage. It imports nothing of the project, as every command reads the settings, which need
its default.
"""

import re

DEFAULT_SIGNAL = "search=yes, ai-input=yes, ai-train=no"
"""The default value of Content-Signal, in robots.txt and in response headers."""

_USAGES = {"train-ai": "ai-train", "search": "search"}
"""The categories of use in the vocabulary of AIPREF, and their names in Content-Signal."""

_PERMISSION = re.compile(r"(?<![\w-])([\w-]+)\s*=\s*(yes|no)\b", re.IGNORECASE)


def content_usage(signal: str) -> str | None:
    """Return the Content-Usage (AIPREF) of a Content-Signal, or None if they share no category.

    >>> content_usage(DEFAULT_SIGNAL), content_usage("ai-train=yes"), content_usage("ai-input=no")
    ('train-ai=n, search=y', 'train-ai=y', None)
    """
    permissions = _permissions(signal)
    usages = (
        f"{usage}={permissions[name]}" for usage, name in _USAGES.items() if name in permissions
    )
    return ", ".join(usages) or None


def forbids_training(signal: str) -> bool:
    """Return whether a Content-Signal forbids to train models with the content.

    >>> forbids_training(DEFAULT_SIGNAL), forbids_training("ai-train=yes"), forbids_training("")
    (True, False, False)
    """
    return _permissions(signal).get("ai-train") == "n"


def forbids_grounding(signal: str) -> bool:
    """Return whether a Content-Signal forbids to answer questions from the content.

    >>> forbids_grounding(DEFAULT_SIGNAL), forbids_grounding("ai-input=no"), forbids_grounding("")
    (False, True, False)
    """
    return _permissions(signal).get("ai-input") == "n"


def _permissions(signal: str) -> dict[str, str]:
    """Return `y` or `n` for each use that a Content-Signal names."""
    return {name.lower(): value[0].lower() for name, value in _PERMISSION.findall(signal)}
