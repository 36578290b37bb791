"""The program of a worker."""

from app import collector

with collector.to_stay():
    from app.serving.worker import main

main()
