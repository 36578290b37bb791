"""The entry point of a worker process."""

from app import garbage_collection

with garbage_collection.gc_frozen():
    from app.serving.worker import main

main()
