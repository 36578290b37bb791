"""Links to the contact form that tell it where the reader comes from."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel

_LINK_WITH_QUERY = re.compile(r'<a (?=[^<>]*?href="([^"?#<>]*)\?)')


def enquiry_link(
    href: str, page: PageModel[Resource], contact_path: str | None, **origin: str
) -> str:
    """Return a link with the path of its page, and more of the origin, if it leads to the form.

    The query that the author wrote stays; a link to any other page is returned as it is.
    """
    before, hash_sign, fragment = href.partition("#")
    path, _, written = before.partition("?")
    if path != contact_path or page.path == contact_path:
        return href
    added = urlencode({"page": page.path, **origin}, safe="/")
    return f"{path}?{f'{written}&' if written else ''}{added}{hash_sign}{fragment}"


def without_crawlers(html: str, contact_path: str | None) -> str:
    """Return a page whose links to the form with a query are not followed by crawlers.

    For them, each would be one more copy of the contact page.

    >>> without_crawlers('<a href="/ae/en/contact?plan=Growth">', "/ae/en/contact")
    '<a rel="nofollow" href="/ae/en/contact?plan=Growth">'
    """
    return _LINK_WITH_QUERY.sub(
        lambda link: '<a rel="nofollow" ' if link[1] == contact_path else link[0], html
    )
