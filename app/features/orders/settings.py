"""Settings of the partner interface."""

from pydantic import Field, field_validator

from app.platform.settings import ServiceSettings, WebAddress, WebhookSecret, parts

SHORTEST_TOKEN = 16
"""Minimum length of a partner token: 16 hexadecimal digits cannot be guessed."""


class PartnerSettings(ServiceSettings):
    """Partner interface."""

    erp_pull_api_token: str = Field("", repr=False)
    """Partner tokens of at least 16 characters, separated by commas; if unset, the partner
    interface is off."""
    erp_webhook_url: WebAddress = Field("", repr=False)
    """URL to which orders are pushed."""
    erp_webhook_secret: WebhookSecret = Field("", repr=False)
    """`whsec_` and base64: the key that signs pushed orders; if unset, they are unsigned."""

    @field_validator("erp_pull_api_token")
    @classmethod
    def _tokens(cls, tokens: str) -> str:
        if not (tokens.isascii() and tokens.isprintable()) or " " in tokens.replace(", ", ","):
            raise ValueError("use tokens of ASCII letters, digits and signs, without spaces")
        if any(len(token) < SHORTEST_TOKEN for token in parts(tokens)):
            minimum = f"use tokens of at least {SHORTEST_TOKEN} characters"
            raise ValueError(f"{minimum}, for example from `openssl rand -hex 32`")
        return tokens

    @property
    def partner_tokens(self) -> tuple[str, ...]:
        """The tokens that partners authenticate with; several while one is being replaced."""
        return parts(self.erp_pull_api_token)
