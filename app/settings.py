"""The settings of the service and of all features, validated at start."""

import re
from pkgutil import resolve_name
from types import new_class
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings.exceptions import SettingsError as UnreadableSource

from app.feature import features
from app.platform.settings import ServiceSettings
from knowledge.fields.value_problems import value_problem

Group = TypeVar("Group", bound=ServiceSettings)

_PASSWORD = re.compile(r"//[^/]*@")


class SettingsError(Exception):
    """A variable has an invalid value; the message names it."""


GROUPS: tuple[type[ServiceSettings], ...] = (
    ServiceSettings,
    *(resolve_name(each.settings) for each in features() if each.settings),
)
"""The groups of all settings; those of features extend the first."""

_AllGroups: Any = new_class("_AllGroups", GROUPS[::-1])


class Settings(_AllGroups, ServiceSettings):  # type: ignore[misc]  # features are found at run time
    """The settings, read from the environment and from `.env`."""

    def of(self, group: type[Group]) -> Group:
        """Return the settings as those of a feature; raises LookupError without the feature."""
        if not isinstance(self, group):
            raise LookupError(f"No feature has the settings {group.__name__}.")
        return self


def load_settings(**overrides: Any) -> Settings:
    """Load settings from the environment; raises SettingsError naming each invalid variable."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError("; ".join(map(_problem, error.errors()))) from None
    except UnreadableSource as error:  # the file of a secret
        raise SettingsError(str(error.__cause__)) from None


def _problem(detail: ErrorDetails) -> str:
    """Describe an invalid variable; its value is left out if it may be a secret."""
    name = str(detail["loc"][0])
    problem = f"{name.upper()}: {value_problem(detail)}"
    value = str(detail["input"])
    is_secret = not Settings.model_fields[name].repr or _PASSWORD.search(value)
    return problem if is_secret else f"{problem} (got {value!r})"
