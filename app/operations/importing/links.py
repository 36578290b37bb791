"""Links in texts of a source: their targets, and those that are relative to an old address."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import unquote, urljoin

from app.operations.importing.placement import Placement, in_language
from app.operations.importing.source import SiteConfiguration

_LINK = re.compile(
    r"(\]\(\s{0,9}<?|\]:[ \t]{1,9}<?|\b(?:href|src|poster|data|cite)\s{0,9}=\s{0,9}[\"']?)"
    r"([^\s)>\"']+)"
)
"""A place of a link, and its target."""


def with_targets(text: str, rewrite: Callable[[str], str]) -> str:
    """Return a text with other targets of its links and pictures.

    >>> with_targets("[A](a.md) ![B](b.png 'B')", str.upper)
    "[A](A.MD) ![B](B.PNG 'B')"
    """
    return _LINK.sub(lambda match: f"{match[1]}{rewrite(match[2])}", text)


def comparable(address: str) -> str:
    """Return an address in the form in which addresses are compared.

    >>> comparable("Docs/Start.html"), comparable("/docs/start/"), comparable("index.md")
    ('/docs/start', '/docs/start', '/')
    """
    path = "/" + address.partition("#")[0].strip("/").lower()
    path = path.removesuffix(".html").removesuffix(".md").removesuffix(".mdx")
    return path.removesuffix("/index") or "/"


def absolute_links(
    placements: Sequence[Placement],
    addresses: Mapping[str, str],
    configuration: SiteConfiguration,
) -> Callable[[Placement], str]:
    """Return what gives the text of a page, with new addresses for links relative to its old one.

    `addresses` has the new address of each old one. A link to a file beside the text stays.
    """

    def address(placement: Placement) -> str:
        return in_language(placement.address, placement.language, configuration.language)

    known = {**{each.document.permalink: address(each) for each in placements}, **addresses}
    known.pop("", None)  # of texts that state no address
    pages = {comparable(old): new for old, new in known.items()}
    former: dict[str, list[str]] = defaultdict(list)
    for old, new in known.items():
        former[new].append(old)

    def text(placement: Placement) -> str:
        file, own = placement.document.file, former[address(placement)]

        def rewritten(target: str) -> str:
            path, sign, fragment = target.partition("#")
            is_relative = path and not path.startswith(("/", "?", "{")) and ":" not in path
            if not is_relative or (file.parent / unquote(path)).is_file():
                return target
            old = (comparable(urljoin(each, path)) for each in own)
            new = next((pages[each] for each in old if each in pages), None)
            return f"{new}{sign}{fragment}" if new else target

        return with_targets(placement.document.text, rewritten)

    return text
