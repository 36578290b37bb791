"""Text analysis that the search of the blog and the search of passages share."""
