"""CDNs: the tags of responses, and the purge of what an edit touched."""
