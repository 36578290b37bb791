"""Settings of newsletters: who confirms, with which key, and how many mails go out."""

from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from app.platform.settings import ServiceSettings
from knowledge.fields.field_types import is_email


class NewsletterSettings(ServiceSettings):
    """Newsletter."""

    newsletter_from: str = ""
    """Sender of the mails to subscribers; without it `no-reply@` and the host of `BASE_URL`."""
    newsletter_key_file: Path = Path("var/newsletter.key")
    """Key that signs the links of these mails; made at first use, see
    [newsletters.md](newsletters.md); [one for all machines](several-machines.md#keys)."""
    newsletter_mails_per_hour: int = Field(200, ge=1)
    """Mails to subscribers within an hour; those of who asks beyond that wait for their turn."""
    newsletter_per_network: int = Field(20, ge=1)
    """Requests from one network within an hour, see [newsletters.md](newsletters.md)."""

    @field_validator("newsletter_from")
    @classmethod
    def _address(cls, address: str) -> str:
        if address and not (is_email(address) and address.isascii()):
            raise ValueError("use an address such as news@example.com, of ASCII characters")
        return address

    @property
    def newsletter_sender(self) -> str:
        """The address from which mails to subscribers come."""
        return self.newsletter_from or f"no-reply@{urlsplit(self.public_url).hostname}"
