"""Settings of content from git: where it is, how it is checked, and who tells of pushes."""

import re
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationInfo, field_validator, model_validator

from app.platform.settings import SAMPLE_CONTENT, ServiceSettings, WebhookSecret

_REMOTE = re.compile(r"(https?|ssh|git|file)://\S+|[\w.-]+@[\w.-]+:\S+", re.ASCII)
"""A URL, or the short form of ssh."""
_REF = re.compile(r"[\w./@+][\w./@+-]*")


class EditionSettings(ServiceSettings):
    """Content from git."""

    content_git: str = Field("", repr=False)
    """Repository of the content: an `https` or `ssh` address, or a path. The service checks it out
    in `CONTENT_GIT_DIR`, in place of `CONTENT_DIR`; see
    [deploying.md](deploying.md#updating-content-in-production)."""
    content_git_ref: str = "HEAD"
    """Branch or tag that is published; `HEAD` is the branch that the repository names."""
    content_git_folder: str = ""
    """Folder of the content in the repository; without it its root."""
    content_git_dir: Path = Path("var/content")
    """Folder of the copy of the repository, and of what is checked out."""
    content_git_key_file: Path | None = None
    """Private key for `ssh`, such as a deploy key; without it the credentials of git itself."""
    content_git_secret: WebhookSecret = Field("", repr=False)
    """`whsec_` and base64: the secret of the webhook `/hooks/content` that tells of a push; without
    it there is no such address."""
    content_git_seconds: int = Field(300, ge=1)
    """How often to look for a new commit without being told."""
    content_git_check: Literal["off", "errors", "warnings"] = "errors"
    """Which findings of `majlis check` keep a commit from being published: `errors`, `warnings`
    too, or none (`off`)."""

    edition_wait_seconds: float = Field(30.0, ge=0, le=3_600)
    """With PostgreSQL: how long the machines wait for one that is not ready for a new commit."""

    @field_validator("content_git")
    @classmethod
    def _repository(cls, repository: str, others: ValidationInfo) -> str:
        if repository and others.data.get("content_dir") != SAMPLE_CONTENT:
            raise ValueError("leave CONTENT_DIR and other content folders out, or this variable")
        if "://" in repository and urlsplit(repository).password is not None:
            raise ValueError("leave the password out, and give it to a credential helper of git")
        if repository and not _REMOTE.fullmatch(repository):
            path, is_folder = Path(repository), False
            with suppress(OSError, RuntimeError):  # a long name, or an unknown user after ~
                path = path.expanduser()
                is_folder = path.is_dir()
            if not is_folder:
                raise ValueError("use an https or ssh address, or the path of a repository")
            return str(path.absolute())
        return repository

    @field_validator("content_git_ref")
    @classmethod
    def _ref(cls, ref: str) -> str:
        if not _REF.fullmatch(ref):
            raise ValueError("use the name of a branch or of a tag, such as main")
        return ref

    @field_validator("content_git_folder")
    @classmethod
    def _folder(cls, folder: str) -> str:
        path = PurePosixPath(folder)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError("use a path in the repository, such as docs/content")
        return folder

    @model_validator(mode="after")
    def _content(self) -> Self:
        """Let all that reads content read what is checked out."""
        if self.content_git:
            self.content_dir = self.content_git_dir / "current" / self.content_git_folder
        return self
