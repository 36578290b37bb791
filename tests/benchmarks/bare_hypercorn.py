"""The bare application on unmodified Hypercorn with uvloop."""

from __future__ import annotations

import os

import uvloop
from benchmarks.bare import application
from hypercorn.asyncio import serve
from hypercorn.config import Config

if __name__ == "__main__":
    config = Config()
    config.bind = [f"127.0.0.1:{os.environ['PORT']}"]
    config.include_server_header = False
    config.loglevel = "WARNING"
    uvloop.run(serve(application, config))
