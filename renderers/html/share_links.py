"""Share links: plain links with which readers pass a page on; nothing of the services is loaded."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from renderers.l10n.translation import translate


class ShareLink(NamedTuple):
    """A link to a service that shares a page."""

    name: str
    href: str


def share_links(title: str, url: str, language: Language) -> list[ShareLink]:
    """Return the links that share a page, by its title and absolute URL.

    >>> for link in share_links("Q & A", "https://a.test/x?y=1", Language.EN):
    ...     print(link.href)
    https://wa.me/?text=Q%20%26%20A%20https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    https://www.linkedin.com/sharing/share-offsite/?url=https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    https://x.com/intent/post?text=Q%20%26%20A&url=https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    mailto:?subject=Q%20%26%20A&body=https%3A%2F%2Fa.test%2Fx%3Fy%3D1
    """
    name, address = quote(title, safe=""), quote(url, safe="")
    return [
        ShareLink("WhatsApp", f"https://wa.me/?text={name}%20{address}"),
        ShareLink("LinkedIn", f"https://www.linkedin.com/sharing/share-offsite/?url={address}"),
        ShareLink("X", f"https://x.com/intent/post?text={name}&url={address}"),
        ShareLink(translate(_("E-mail"), language), f"mailto:?subject={name}&body={address}"),
    ]
