"""The entry point of the process that becomes workers."""

from app import garbage_collection

with garbage_collection.gc_frozen():
    from app.serving.loader import main

main()
