"""The entry point of the process that becomes workers."""

from app.platform import garbage_collection

with garbage_collection.gc_frozen():
    from app.server.worker import main

main()
