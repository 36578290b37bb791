"""Views: a snapshot as the visitors of one locale see it at one instant."""
