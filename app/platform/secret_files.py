"""Secrets in files that variables name, as containers and service managers hand them out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource


def secret_variables(group: type[BaseSettings]) -> Mapping[str, str]:
    """Return the variables of secrets, each with the one that may name its file instead."""
    names = (name.upper() for name, field in group.model_fields.items() if not field.repr)
    return {name: f"{name}_FILE" for name in names}


class SecretFiles(EnvSettingsSource):
    """Secrets in files that variables name, in place of the secrets themselves."""

    def __init__(self, group: type[BaseSettings], *sources: EnvSettingsSource) -> None:
        super().__init__(group)
        self._given = {name: value for each in sources for name, value in each.env_vars.items()}

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return the content of the file of a secret, if one is named; raises ValueError."""
        variable = field_name.upper()
        file = self.file_of(variable)
        if file is None:
            return None, field_name, False
        if self._given.get(field_name):
            raise ValueError(f"{variable} and {variable}_FILE are both set; remove one of them")
        try:
            text = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8"
            raise ValueError(f"{variable}_FILE: {file} cannot be read: {reason}") from None
        if not text:
            raise ValueError(f"{variable}_FILE: {file} is empty; write the secret into it")
        return text, field_name, False

    def file_of(self, variable: str) -> Path | None:
        """Return the file of a secret, None if its variable names none."""
        name = secret_variables(self.settings_cls).get(variable, "")
        file = self._given.get(name.lower())
        return Path(file) if file else None
