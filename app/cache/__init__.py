"""The response cache: cached responses within a limit of bytes."""
