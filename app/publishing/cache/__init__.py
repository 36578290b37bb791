"""The response cache: an in-memory cache with a size limit in bytes."""
