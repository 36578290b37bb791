"""Written keys: what an import adds to the front matter of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from app.operations.importing.document import SourceDocument
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents import front_matter
from knowledge.documents.files import SourceFile

_FENCE = re.compile(r"\s*(---|\+\+\+)[ \t]*\n")


def with_keys(text: str, keys: Mapping[str, Any]) -> str:
    r"""Return a text with further keys in its front matter, which replace equal ones.

    >>> with_keys("+++\ntitle = 'A'\n+++\nText", {"slug": "b"})
    '+++\nslug = "b"\ntitle = \'A\'\n+++\nText'
    >>> with_keys("Text", {"published": False})
    '---\npublished: false\n---\n\nText'
    >>> with_keys("---\nslug: a\n---\nText", {"slug": "b"})
    '---\nslug: b\n---\nText'
    """
    if not keys:
        return text
    try:
        parts = front_matter.parse(SourceFile("", text))
    except ContentFileError:
        parts = front_matter.FrontMatter({}, text)
    opened = _FENCE.match(text)
    if opened and parts.raw and not keys.keys() & parts.metadata.keys() and _is_flat(keys):
        sign = ":" if opened[1] == "---" else " ="
        lines = "".join(
            f"{key}{sign} {json.dumps(value, ensure_ascii=False)}\n" for key, value in keys.items()
        )
        return text[: opened.end()] + lines + text[opened.end() :]
    if not parts.raw:
        return f"{front_matter_text(keys)}\n{text}"
    body = parts.body if parts.body.startswith("\n") else f"\n{parts.body}"
    return front_matter_text({**parts.metadata, **keys}).rstrip("\n") + body


def _is_flat(keys: Mapping[str, Any]) -> bool:
    """Return whether the values are written alike in YAML and TOML."""
    values = [each if isinstance(each, list) else [each] for each in keys.values()]
    return all(isinstance(each, str | bool | int) for value in values for each in value)


class _Dumper(yaml.SafeDumper):
    """A dumper that writes every subclass of a text as a text."""

    def ignore_aliases(self, _: object) -> bool:
        return True


_Dumper.add_multi_representer(str, lambda dumper, text: dumper.represent_str(str(text)))


def front_matter_text(metadata: Mapping[str, Any]) -> str:
    """Return front matter in YAML."""
    text = yaml.dump(
        dict(metadata), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1_000
    )
    return f"---\n{text}---\n"


_NOT_INHERITED = (None, "published", "aliases", "permalink", "url", "path")
"""Keys about the address of one text, and what an import writes by itself."""


def inherited_keys(document: SourceDocument) -> dict[str, Any]:
    """Return the keys that a text inherits and that are read here, apart from its address."""
    own = {key.lower() for key in document.own}
    fields = front_matter.normalize_keys(document.kind, document.own)[0]
    found = {}
    for key, value in document.inherited.items():
        target = front_matter.known_key(document.kind, key)
        if target in _NOT_INHERITED or key.lower() in own:
            continue
        if fields.get(target) is None and value not in (None, ""):
            found[key] = value
    return found
