"""The service as `majlis serve` runs it."""

from app.cli import main

if __name__ == "__main__":
    main(["serve"])
