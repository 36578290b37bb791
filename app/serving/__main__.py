"""The program of a worker; its modules are made to stay, so the collector rests meanwhile."""

from app import collector

with collector.at_rest():
    from app.serving.worker import main

main()
