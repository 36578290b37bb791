"""The stylesheets that a page links: that of the extensions only if its text needs it."""

from __future__ import annotations

import re

_EXTENSIONS = re.compile(r'<pre |<math|class="(?:callout|definitions|footnotes|formula|task)\b')


def stylesheets(content: str) -> tuple[str, ...]:
    """Return the names of the stylesheets for the content of a page.

    >>> stylesheets("<p>Text</p>"), stylesheets("<pre dir='ltr'>")
    (('site.css',), ('site.css', 'extensions.css'))
    """
    return ("site.css", "extensions.css") if _EXTENSIONS.search(content) else ("site.css",)
