"""Twins: the addresses at which a page always answers in one form, whatever the Accept."""

from __future__ import annotations

from knowledge.locale import all_locales
from renderers.forms import Form

SUFFIXES = {Form.MARKDOWN: ".md", Form.JSON: ".json"}
_INDEX = "/index"
_HOMES = frozenset(locale.path for locale in all_locales())


def twin_path(path: str, form: Form) -> str:
    """The twin of a canonical site path.

    >>> twin_path("/sa/ar/erp", Form.MARKDOWN), twin_path("/sa/ar", Form.JSON)
    ('/sa/ar/erp.md', '/sa/ar/index.json')
    """
    return (path + _INDEX if path in _HOMES else path) + SUFFIXES[form]


def split_twin(path: str) -> tuple[str, Form | None]:
    """The canonical path and form of a twin; any other path as it is, without form.

    >>> split_twin("/sa/ar/index.md")
    ('/sa/ar', <Form.MARKDOWN: 'text/markdown'>)
    >>> split_twin("/sa/ar/erp")
    ('/sa/ar/erp', None)
    """
    for form, suffix in SUFFIXES.items():
        if path.endswith(suffix):
            canonical = path.removesuffix(suffix)
            home = canonical.removesuffix(_INDEX)
            return (home if home in _HOMES else canonical), form
    return path, None
