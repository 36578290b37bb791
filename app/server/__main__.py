"""The entry point of the process that becomes workers."""

from app.platform import memory

with memory.gc_frozen():
    from app.server.process import main

main()
