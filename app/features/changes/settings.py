"""Settings of changes: how long they stay, and who is told of them."""

import re
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from app.platform.settings import (
    LONGEST_RETENTION_DAYS,
    ServiceSettings,
    WebAddress,
    WebhookSecret,
    is_web_address,
    parts,
)

CDN = Literal["off", "on", "vary"]
"""What CDNs are told: nothing, what a cache that ignores Vary may keep, or all that may be kept."""
INDEXNOW_URL = "https://api.indexnow.org/indexnow"
"""The endpoint that passes changes on to all search engines that take part."""
_INDEXNOW_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")


class ChangeSettings(ServiceSettings):
    """Changes."""

    changes_retention_days: int = Field(90, ge=1, le=LONGEST_RETENTION_DAYS)
    """Days for which changes of pages are kept for those who follow them, see
    [changes.md](changes.md)."""
    changes_webhook_url: str = Field("", repr=False)
    """URLs that get every change of a page, separated by commas, see
    [changes.md](changes.md#webhooks)."""
    changes_webhook_secret: WebhookSecret = Field("", repr=False)
    """`whsec_` and base64: the key that signs them; if unset, they are unsigned."""
    indexnow_key: str = ""
    """8 to 128 letters, digits and hyphens: tells search engines of changes by IndexNow, and serves
    the key at `/KEY.txt`; needs a public `BASE_URL`, see [changes.md](changes.md#indexnow)."""
    indexnow_url: WebAddress = INDEXNOW_URL
    """Where IndexNow gets the changes; another URL is told of a local `BASE_URL` too, for tests."""
    cdn: CDN = "off"
    """Whether responses tell a CDN what to keep, as `CDN-Cache-Control` and `Cache-Tag`: `on`, or
    `vary` for one that honours `Vary`; see [cdn.md](cdn.md)."""
    cdn_purge_url: WebAddress = Field("", repr=False)
    """URL that is told the tags of the responses that each edit touched, see
    [cdn.md](cdn.md#purges)."""
    cdn_purge_secret: WebhookSecret = Field("", repr=False)
    """`whsec_` and base64: the key that signs these purges; if unset, they are unsigned."""

    @field_validator("changes_webhook_url")
    @classmethod
    def _web_addresses(cls, urls: str) -> str:
        if not all(map(is_web_address, parts(urls))):
            raise ValueError(
                "use absolute URLs such as https://www.example.com, and commas between"
            )
        addresses = {url.partition("?")[0] for url in parts(urls)}
        if len(addresses) < len(parts(urls)):
            raise ValueError("use each URL once; two that differ only after a ? count as one")
        return urls

    @field_validator("indexnow_key")
    @classmethod
    def _key_of_indexnow(cls, key: str) -> str:
        if key and not _INDEXNOW_KEY.fullmatch(key):
            raise ValueError(
                "use 8 to 128 letters, digits and hyphens, as from `openssl rand -hex 16`"
            )
        if key == "llms-full":
            raise ValueError("use another key, because /llms-full.txt is a file of the service")
        return key

    @field_validator("cdn_purge_url")
    @classmethod
    def _purge(cls, url: str, others: ValidationInfo) -> str:
        if url and others.data.get("cdn") == "off":
            raise ValueError("set CDN to on or vary too, or responses have no tags to purge")
        return url

    @property
    def change_webhooks(self) -> tuple[str, ...]:
        """The webhooks that are told of changes."""
        return parts(self.changes_webhook_url)
