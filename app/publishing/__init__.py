"""Publishing: the content store, its indexes, and the response cache."""
