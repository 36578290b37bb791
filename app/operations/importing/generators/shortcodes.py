"""Blocks and shortcodes of WordPress in HTML: those with a plain meaning are read, others named."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from html import escape
from re import Match

from app.operations.importing.html_texts import with_paragraphs

MORE = "majlisendofexcerpt"
"""Stands for the end of the excerpt until the HTML is markdown."""

Attached = Callable[[str], tuple[str, str]]
"""Returns the path of an attachment by its number, and its alternative text."""

_MORE = re.compile(r"<!--\s*more\b.{0,200}?-->")
_DYNAMIC = re.compile(r"<!--\s+wp:([a-z][a-z0-9/-]{0,99})\s+(\{.{0,20000}?\}\s+)?/-->", re.DOTALL)
_FORM = re.compile(r"<form\b.{0,100000}?</form>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"\[(/?)([A-Za-z][\w-]{1,60})((?:\s[^\]\[]{0,2000})?)(/?)\](?!\()")
_ATTRIBUTE = re.compile(r"""([\w-]{1,60})\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))""")
_CODE = re.compile(r"(<(?:pre|code)\b.*?</(?:pre|code)>)", re.DOTALL | re.IGNORECASE)
_CAPTION = re.compile(
    r"\[(?:wp_)?caption([^\]]{0,2000})\](.{0,10000}?)\[/(?:wp_)?caption\]", re.DOTALL
)
_PICTURE = re.compile(r"((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*</a>)?)(.*)", re.DOTALL)
_ADDRESS = re.compile(r"\[(?:embed|youtube|vimeo)\b[ =]?([^\]]*)\](?:([^\[]{1,2000})\[/\w+\])?")
_QUIET = ("spacer", "separator", "more", "nextpage", "page-break")


def readable(
    html: str, blocks: Mapping[str, str], attached: Attached, left_out: Counter[str]
) -> str:
    """Return the HTML that a text shows; what has no meaning here is counted in `left_out`."""
    is_of_blocks = "<!-- wp:" in html
    html = _MORE.sub(f"\n\n{MORE}\n\n", html)
    html = _DYNAMIC.sub(lambda match: _block(match, blocks, left_out), html)
    html, forms = _FORM.subn("", html)
    left_out += Counter({"forms": forms})  # of Counter, which leaves zero out
    parts = _CODE.split(html)
    parts[::2] = [_without_shortcodes(each, attached, left_out) for each in parts[::2]]
    shown = "".join(parts)
    return shown if is_of_blocks else with_paragraphs(shown)


def _noted(left_out: Counter[str], name: str) -> str:
    left_out[name] += 1
    return ""


def _block(match: Match[str], blocks: Mapping[str, str], left_out: Counter[str]) -> str:
    """Return the text of a synced pattern; other blocks without a text are made by the service."""
    if match[1] == "block":
        try:
            number = str(json.loads(match[2] or "{}").get("ref"))
        except ValueError:
            number = ""
        if number in blocks:
            return _DYNAMIC.sub("", blocks[number])
    return "" if match[1] in _QUIET else _noted(left_out, f"blocks {match[1]}")


def _without_shortcodes(html: str, attached: Attached, left_out: Counter[str]) -> str:
    html = _CAPTION.sub(_captioned, html)
    html = _ADDRESS.sub(_linked, html)
    closed = {match[2].lower() for match in _TAG.finditer(html) if match[1]}
    return _TAG.sub(lambda match: _shown(match, closed, attached, left_out), html)


def _captioned(match: Match[str]) -> str:
    """Return a figure; the oldest exports have the caption as an attribute."""
    found = _PICTURE.search(match[2])
    picture, caption = found.groups() if found else (match[2], "")
    caption = caption.strip() or _values(match[1]).get("caption", "")
    return f"\n\n<figure>{picture}<figcaption>{caption}</figcaption></figure>\n\n"


def _linked(match: Match[str]) -> str:
    address = (match[2] or _values(match[1]).get("id") or match[1]).strip(" \"'=")
    if match[0].startswith("[youtube") and "/" not in address:
        address = f"https://www.youtube.com/watch?v={address}"
    return f'\n\n<p><a href="{escape(address)}">{escape(address)}</a></p>\n\n'


def _values(attributes: str) -> dict[str, str]:
    return {
        name.lower(): double or single or bare
        for name, double, single, bare in _ATTRIBUTE.findall(attributes)
    }


_SOUND = ("src", "mp3", "m4a", "ogg", "wav", "mp4", "webm", "ogv")


def _shown(match: Match[str], closed: set[str], attached: Attached, left_out: Counter[str]) -> str:
    """Return what a shortcode shows; what stands between two of them is shown."""
    name, values = match[2].lower(), _values(match[3])
    if match[1]:
        return ""
    if name == "gallery":
        pictures = (attached(each.strip()) for each in values.get("ids", "").split(","))
        shown = (f'<p><img src="{path}" alt="{escape(alt)}"></p>' for path, alt in pictures if path)
        return "\n\n".join(("", *shown, "")) or _noted(left_out, "[gallery]")
    if name in ("audio", "video"):
        source = next((values[each] for each in _SOUND if each in values), "")
        return f'\n\n<{name} controls src="{escape(source)}"></{name}>\n\n' if source else ""
    is_shortcode = values or match[4] or name in closed or re.search(r"[_\d-]", name)
    return _noted(left_out, f"[{name}]") if is_shortcode else match[0]
